"""One run in a process of its own: ``python -m kt_cp.compare.run.child``, started by `launch`.

A task comes in on standard input as one line. Two lines go out on standard output: one when all is
warm and the clock starts, one with what came of the run.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress
from typing import Any, TextIO

from kt_cp.board import Board
from kt_cp.compare.run.environment import peak_memory
from kt_cp.compare.run.log_format import Run, RunStatus
from kt_cp.errors import InputError
from kt_cp.solving import solve
from kt_cp.tour.validator import validate
from kt_dfs import Status

# Small, and solved by whatever method in no time: it loads all that a method loads when first used.
_WARM_UP = Board(5, 6)
_WARM_UP_LIMIT = 0.2


def main() -> None:
    """Do the run that standard input names."""
    task = json.loads(sys.stdin.readline())
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints is no answer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    run, board = Run(**task["run"]), Board(**task["board"])
    with suppress(InputError):
        solve(_WARM_UP, method=run.method, time_limit=_WARM_UP_LIMIT)
    _say(answers, {"startup": time.monotonic() - task["spawned"]})
    outcome = _outcome(run, board, task["time_limit"])
    _say(answers, {**outcome, "memory": peak_memory()})


def _outcome(run: Run, board: Board, limit: float) -> dict[str, Any]:
    closed = run.kind == "closed"
    started = time.perf_counter()
    try:
        result = solve(
            board,
            closed=closed,
            start=run.start,
            time_limit=limit,
            seed=run.seed,
            method=run.method,
        )
    except InputError as error:
        seconds = time.perf_counter() - started
        return {"status": RunStatus.UNSUPPORTED, "seconds": seconds, "reason": str(error)}
    except Exception as error:
        seconds = time.perf_counter() - started
        reason = f"{type(error).__name__}: {error}"
        return {"status": RunStatus.ERROR, "seconds": seconds, "reason": reason}
    seconds = time.perf_counter() - started
    outcome = {"seconds": seconds, "reason": result.reason, "counters": dict(result.counters)}
    if seconds > limit:
        reason = f"the time limit of {limit:g} s was reached"
        return {**outcome, "status": RunStatus.UNKNOWN, "timed_out": True, "reason": reason}
    outcome["status"] = RunStatus(result.status.value)
    if result.status is Status.FOUND:
        path = [] if result.tour is None else list(result.tour)
        valid = validate(board, path, closed).valid and run.start in (None, *path[:1])
        outcome["validated"] = valid
        if not valid:
            outcome |= {"status": RunStatus.ERROR, "reason": "the answer is no such tour"}
    return outcome


def _say(answers: TextIO, message: dict[str, Any]) -> None:
    print(json.dumps(message), file=answers, flush=True)


def _end_with_parent() -> None:
    """Wait for the end of standard input, which comes when the process that started us is gone."""
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    main()
