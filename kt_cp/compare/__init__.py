"""Compare methods on boards: runs, records, statistics, plots and a page.

>>> from kt_cp import Board
>>> from kt_cp.compare import Settings, compare
>>> settings = Settings({"3x4": Board(3, 4)}, methods=["circuit", "dfs"], kinds=["open"])
>>> sorted((record.run.method, record.status.value) for record in compare(settings).records)
[('circuit', 'found'), ('dfs', 'found')]
"""

from kt_cp.compare.run.campaign import Progress, compare, resume
from kt_cp.compare.run.log_file import Log, read_log
from kt_cp.compare.run.log_format import Record, Run, RunStatus
from kt_cp.compare.run.settings import Settings

__all__ = [
    "Log",
    "Progress",
    "Record",
    "Run",
    "RunStatus",
    "Settings",
    "compare",
    "read_log",
    "resume",
]
