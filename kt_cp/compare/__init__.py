"""Compare methods on boards: runs, records, statistics, plots and a page.

>>> from kt_cp.compare import compare
>>> log = compare(boards="3x4", methods="circuit,dfs", kinds="open")
>>> log
<comparison on 1 board: 2 runs>
>>> sorted((record.run.method, record.status.value) for record in log.records)
[('circuit', 'found'), ('dfs', 'found')]
"""

from kt_cp.compare.log import Log, Record, RunStatus, read_log
from kt_cp.compare.runs import Progress, compare, resume
from kt_cp.compare.settings import Run, Settings, settings_of

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
    "settings_of",
]
