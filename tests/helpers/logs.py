"""Logs of comparisons that were never run."""

import zlib
from dataclasses import replace

from kt_cp.board.board import Board
from kt_cp.compare import Log, Record, Run, RunStatus, Settings, settings_of

NASTY = "<script>$x_y & co.txt"
METHODS = ("circuit", "dfs", "auto")


def made_up(run: Run) -> Record:
    """Return an invented record of a run; over many runs every status occurs."""
    number = zlib.crc32(repr(run).encode()) % 7
    status = list(RunStatus)[number % 5]
    unit = {"circuit": "branches", "auto": "nothing"}.get(run.method, "calls")
    return Record(
        run,
        15 if run.board == NASTY else 25,
        status,
        seconds=10.0**-number,
        cpu_seconds=10.0**-number,
        startup=0.3,
        timed_out=status is RunStatus.UNKNOWN,
        validated=status is RunStatus.FOUND or None,
        reason="<b>why</b>",
        counters={unit: float(10**number - 1)},
    )


def made_up_log(settings: Settings) -> Log:
    """Return a log with an invented record of every run."""
    return Log(settings, {"ortools": "9"}, "abacus", tuple(map(made_up, settings.runs())))


def nasty_log(*kinds: str) -> Log:
    """Return an invented log of a board whose name is markup."""
    boards = {NASTY: Board(4, 4, holes=[5])}
    settings = settings_of(boards=boards, methods=METHODS, starts="a1,b1,c1,0", repeat=2)
    return made_up_log(replace(settings, kinds=kinds))
