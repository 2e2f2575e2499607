"""Have runs done, each in a process of its own, by a `host` that has imported everything."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import kt_cp
from kt_cp.compare.run.host import describe_exit, last_line
from kt_cp.compare.run.log_format import Record
from kt_cp.compare.run.settings import Task
from kt_cp.errors import InputError

# -P: only what this process would import is imported there.
COMMAND = [sys.executable, "-P", "-m", "kt_cp.compare.run.host"]


_PATIENCE = 5.0


class LaunchError(InputError):
    """No run can be started at present; that is no outcome of a run and makes no record."""


class Host:
    """A process that does one run after the other."""

    def __init__(self) -> None:
        """Start the process. Raises `LaunchError` where the system has no room for it."""
        if not hasattr(os, "killpg"):
            raise LaunchError("comparisons need Linux or macOS; on Windows, use WSL")
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
            self._process = subprocess.Popen(
                COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is for the parent, which then ends its hosts
            )
        except OSError as error:
            advice = "give fewer --jobs, or raise the limits of the system"
            raise LaunchError(f"cannot start a run ({error.strerror}); {advice}") from None

    def execute(self, task: Task) -> Record:
        """Do a run and return its record. Raises `LaunchError` when this process ends."""
        tasks, answers = self._process.stdin, self._process.stdout
        assert tasks is not None
        assert answers is not None
        try:
            pickle.dump(task, tasks)
            tasks.flush()
            record: Record = pickle.load(answers)
        except (EOFError, OSError, pickle.UnpicklingError):
            end = describe_exit(self._process.wait())
            message = last_line(self._errors)
            raise LaunchError(f"the process that starts runs ended ({end}){message}") from None
        return record

    def close(self) -> None:
        """End the process, and the run that it may be doing."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):  # of a task that was not read
            process.stdin.close()
        try:
            process.wait(_PATIENCE)  # it ends, with the run, when its standard input does
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        self._errors.close()


_idle: list[Host] = []
_busy: set[Host] = set()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # the hosts of a parent obey the parent alone


def execute(task: Task) -> Record:
    """Do a run in a process of its own and wait for its record.

    The host is one that this process has started before, if one is idle, so that an executor pays
    for the imports once for each of its threads. Raises `LaunchError` where none can be started.
    """
    try:
        host = _idle.pop()
    except IndexError:
        host = Host()
    _busy.add(host)
    try:
        record = host.execute(task)
        _idle.append(host)
        return record
    except BaseException:
        host.close()
        raise
    finally:
        _busy.discard(host)


def end_hosts(*, busy: bool = False) -> None:
    """End the hosts that are idle and, if asked for, those that are busy, with their runs."""
    for host in [*_busy] if busy else []:
        host.close()
    while _idle:
        with suppress(IndexError):  # another thread was faster
            _idle.pop().close()


def _environment() -> dict[str, str]:
    """Let the host import what this process can, in the same order, and compute with one thread."""
    paths = [path or os.getcwd() for path in sys.path] + [str(Path(kt_cp.__file__).parents[1])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
