"""Run the command in this process, as if it had been typed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir, suppress
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from click.testing import CliRunner

from kt_cp import cli

ROOT = Path(__file__).parent.parent.parent
KT = (sys.executable, "-m", "kt_cp")


def run(
    *arguments: str | Path, stdin: str | bytes = "", folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run ``kt`` in a folder and return its exit code and both streams."""
    with CliRunner().isolation(input=stdin) as (output, errors, *_), chdir(folder):
        code = cli.run([*map(str, arguments)])
        sys.stdout.flush()
        sys.stderr.flush()
        written, told = output.getvalue().decode(), errors.getvalue().decode()
    return subprocess.CompletedProcess(arguments, code, written, told)


def kt(
    *arguments: str | Path, stdin: str | bytes = "", folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run ``kt`` as `run` does, and fail if it reports a bug."""
    done = run(*arguments, stdin=stdin, folder=folder)
    assert done.returncode in (0, 1, 2, 3), done.stderr
    return done


def python(
    *arguments: str | Path, folders: Sequence[str | Path] = (), **more: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python in the project's folder, with more folders to import from."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*folders, ROOT]))},
        capture_output=True,
        text=True,
        **more,
    )


def shell(line: str, folder: str | Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a line of shell, in which ``kt`` is the script that is installed beside this Python."""
    scripts = str(Path(sys.executable).parent)
    if which("kt", path=scripts) is None:
        pytest.skip("the script kt is not installed beside this Python")
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr
    return done


def loaded_by(code: str, *arguments: str) -> set[str]:
    """Return the modules that a new process has loaded after it has run the code."""
    done = python("-c", f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)", *arguments)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def on_a_terminal(
    *arguments: str, both: bool = False, columns: int = 80, **environment: str
) -> str:
    """Return what a command writes to a terminal, to standard error or to both."""
    import termios

    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, columns))
    process = subprocess.Popen(
        [*KT, *arguments],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", **environment},
        stdout=slave if both else subprocess.DEVNULL,
        stderr=slave,
    )
    os.close(slave)
    written = b""
    with suppress(OSError):  # the end of a terminal whose other side is closed
        while block := os.read(master, 1000):
            written += block
    os.close(master)
    process.wait(timeout=60)
    return written.decode()
