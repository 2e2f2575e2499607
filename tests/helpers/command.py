"""Run the command as a user does: as a process of its own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def kt(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run ``kt`` and give its exit code and both streams; a traceback is never right."""
    content = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "kt_cp", *arguments],
        input=content,
        capture_output=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    output, errors = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in errors, errors
    return subprocess.CompletedProcess(done.args, done.returncode, output, errors)
