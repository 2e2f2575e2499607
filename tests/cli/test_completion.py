"""Shells complete what is typed after ``kt``, once that is installed."""

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
        ("validate --notation ts", ["plain,tsplib"]),
        ("solve 8x8 --symmetry q", ["plain,quarter-turn"]),
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


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("shell", "startup", "script"),
    [
        ("bash", ".bashrc", ".local/share/kt/complete.bash"),
        ("zsh", ".zshrc", ".local/share/kt/complete.zsh"),
        ("fish", None, ".config/fish/completions/kt.fish"),
    ],
)
def test_completion_is_installed_once_for_each_shell(
    shell: str, startup: str | None, script: str, home: Path
) -> None:
    if startup is not None:
        (home / startup).write_text("alias ll='ls -l'")
    for _ in range(2):
        done = kt("--install-completion", shell)
        assert (done.returncode, done.stdout) == (0, "")
        assert f"installed in {home / script}" in done.stderr
    assert "_KT_COMPLETE" in (home / script).read_text()
    if startup is not None:
        first, line = (home / startup).read_text().splitlines()
        assert first == "alias ll='ls -l'"
        assert f"source '{home / script}'" in line


def test_without_a_name_the_login_shell_is_meant(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    assert kt("--install-completion").returncode == 0
    assert (home / ".zshrc").exists()
    monkeypatch.setenv("SHELL", "/usr/bin/tcsh")
    done = kt("--install-completion")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kt: --install-completion tcsh: give one of bash, zsh, fish\n"


def test_bash_completes_with_what_is_installed(home: Path) -> None:
    command = home / "bin" / "kt"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kt_cp "$@"\n')
    command.chmod(0o755)
    assert kt("--install-completion", "bash").returncode == 0
    script = """
    source ~/.bashrc
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
