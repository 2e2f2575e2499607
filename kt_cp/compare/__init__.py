"""Compare methods on boards: runs, records, statistics, plots and a page."""

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
