"""Do one run in a child process of its own, and end it at its limits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import kt_cp
from kt_cp.compare.run.environment import machine, peak_memory, versions
from kt_cp.compare.run.log_format import Record, RunStatus
from kt_cp.compare.run.settings import Task
from kt_cp.errors import printable

# -P: a file in the working directory must not stand in for a module.
COMMAND = [sys.executable, "-P", "-m", "kt_cp.compare.run.child"]

GRACE = 1.0
"""Seconds after the time limit in which a run may still stop by itself."""

STARTUP_LIMIT = 120.0
"""Seconds until a child must have its imports done."""

_POLL = 0.05

_children: set[subprocess.Popen[bytes]] = set()


def execute(task: Task) -> Record:
    """Do a run in a child process and wait for it; whatever happens there, it is one record.

    The child is ended from outside when it is still at work `GRACE` seconds after the limit, or
    when its resident memory passes the memory limit. Resident memory is watched, rather than the
    address space limited: OR-tools' threads reserve far more addresses than they use, and on a
    refused allocation its C++ would abort instead of telling.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=errors,
            env=_environment(),
            start_new_session=True,  # Ctrl-C is for the parent, which then ends its children
        )
        _children.add(child)
        try:
            _send(child, task)
            ended = _watch(child, task, out)
        finally:
            child.kill()
            child.wait()
            _children.discard(child)
            _close(child)
        return _record(task, {**ended, **_said(out)}, child.returncode, _last_line(errors))


def end_children() -> None:
    """End every child that this process has started and that is still at work."""
    for child in list(_children):
        child.kill()


def _environment() -> dict[str, str]:
    """Let the child import this very package, wherever it is."""
    paths = [str(Path(kt_cp.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def _send(child: subprocess.Popen[bytes], task: Task) -> None:
    """Hand over the task, and keep the pipe open: the child ends when it closes."""
    message = {
        "run": task.run._asdict(),
        "board": task.board.as_dict(),
        "time_limit": task.time_limit,
        "spawned": time.monotonic(),  # one clock for all processes of a machine
    }
    assert child.stdin is not None
    with suppress(BrokenPipeError):  # it crashed at once; that becomes its record
        child.stdin.write(json.dumps(message).encode() + b"\n")
        child.stdin.flush()


def _close(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    with suppress(BrokenPipeError):
        child.stdin.close()


def _watch(child: subprocess.Popen[bytes], task: Task, out: IO[bytes]) -> dict[str, Any]:
    """Wait until the child ends or passes a limit; say what was seen from outside."""
    deadline = time.monotonic() + STARTUP_LIMIT
    warm: float | None = None
    memory: float | None = None
    while True:
        try:
            child.wait(_POLL)
        except subprocess.TimeoutExpired:
            pass
        else:
            return {"memory": memory, "seconds": _since(warm)}
        now = time.monotonic()
        memory = peak_memory(child.pid) or memory
        if warm is None and os.fstat(out.fileno()).st_size:
            warm, deadline = now, now + task.time_limit + GRACE
        seen = {"memory": memory, "seconds": _since(warm)}
        if task.memory_limit and memory and memory > task.memory_limit:
            return {**seen, "status": RunStatus.ERROR, "reason": _too_much_memory(task)}
        if now > deadline and warm is None:
            reason = f"was not ready after {STARTUP_LIMIT:g} s"
            return {**seen, "status": RunStatus.ERROR, "reason": reason}
        if now > deadline:
            reason = f"did not stop at the time limit of {task.time_limit:g} s and was ended"
            return {**seen, "status": RunStatus.UNKNOWN, "timed_out": True, "reason": reason}


def _too_much_memory(task: Task) -> str:
    return f"took more than {task.memory_limit:g} MiB of memory"


def _since(moment: float | None) -> float:
    return 0.0 if moment is None else time.monotonic() - moment


def _said(out: IO[bytes]) -> dict[str, Any]:
    """Return what the child said, as far as it came."""
    out.seek(0)
    said: dict[str, Any] = {}
    for line in out.read().splitlines(keepends=True):
        if line.endswith(b"\n"):
            said |= json.loads(line)
    return said


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _record(task: Task, known: dict[str, Any], code: int, message: str) -> Record:
    if "status" not in known:
        how = f"killed by {_signal_name(-code)}" if code < 0 else f"exit code {code}"
        reason = f"crashed ({how}){': ' if message else ''}{message}"
        known = {**known, "status": RunStatus.ERROR, "reason": reason}
    elif task.memory_limit and known["memory"] and known["memory"] > task.memory_limit:
        seen = {name: known[name] for name in ("seconds", "memory")}
        known = {**seen, "status": RunStatus.ERROR, "reason": _too_much_memory(task)}
    return Record(
        task.run,
        len(task.board),
        RunStatus(known["status"]),
        round(known["seconds"], 9),
        startup=known.get("startup"),
        timed_out=known.get("timed_out", False),
        validated=known.get("validated"),
        reason=printable(known["reason"]) if known.get("reason") else None,
        counters=known.get("counters", {}),
        memory=known["memory"],
        versions=versions(),
        machine=machine(),
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
