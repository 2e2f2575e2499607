"""Compare methods on boards: under the same limits, each run in a process of its own.

Settings say what is run; each run leaves a record in a log, which may be continued; from the log
follow statistics and, from these, text, plots and a page.

The files, in the order of reading:

- ``settings``: methods, boards, kinds, starts and limits, as people type them, and their runs.
- ``log``: the record of a run, and the file of all records, which survives a crash.
- ``runs``: runs on an executor, in processes that are watched and ended.
- ``results``: the findings, warnings and tables that a log comes to.
- ``report``: findings, warnings and tables as text, as plots and as a page.
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
