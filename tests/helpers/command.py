"""Run the command in this process, as if it had been typed."""

import subprocess
import sys
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from kt_cp import cli

ROOT = Path(__file__).parent.parent.parent


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
    """Run ``kt`` as `run` does; a bug is never right."""
    done = run(*arguments, stdin=stdin, folder=folder)
    assert done.returncode in (0, 1, 2, 3), done.stderr
    return done
