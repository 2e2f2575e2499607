"""Shells complete what is typed after ``kt``."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command import ROOT, kt


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("so", ["plain,solve"]),
        ("help va", ["plain,validate"]),
        ("solve 8x8 --up", []),
        ("count 8x8 --up", ["plain,--up-to-symmetry"]),
        ("solve 8x8 --method mo", ["plain,most-available"]),
        ("replay 6x6 --versus gr", ["plain,greedy"]),
        ("compare --methods dfs,ci", ["plain,dfs,circuit"]),
        ("solve 8x8 --format gr", ["plain,grid", "plain,grid-from-0"]),
        ("draw x --style h", ["plain,heat"]),
        ("validate pa", ["file,pa"]),
        ("solve bo", ["file,bo"]),
        ("solve 8x8 --out t", ["file,t"]),
    ],
)
def test_a_shell_is_told_what_a_word_may_become(
    typed: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_KT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"kt {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    done = kt()
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, expected, "")


def test_bash_completes_after_the_line_of_the_documents(tmp_path: Path) -> None:
    command = tmp_path / "kt"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kt_cp "$@"\n')
    command.chmod(0o755)
    script = """
    eval "$(_KT_COMPLETE=bash_source kt)"
    COMP_WORDS=(kt enum); COMP_CWORD=1
    _kt_completion kt enum kt
    echo "${COMPREPLY[@]}"
    """
    path = os.pathsep.join([str(command.parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("enumerate\n", "")
