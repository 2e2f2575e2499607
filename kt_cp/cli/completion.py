"""The installation of a shell's completion script."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from kt_cp.errors import InputError
from kt_cp.files import whole_file

ASKED_BY = "_KT_COMPLETE"  # the environment variable of a shell that asks

# What a shell's startup file must hold; fish loads the script by itself.
_LINES = {
    "bash": (".bashrc", "source '{script}'"),
    "zsh": (
        ".zshrc",
        "(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit }}; source '{script}'",
    ),
}
SHELLS = (*_LINES, "fish")


def install(app: click.Command, shell: str) -> Path:
    """Install the completion script of a shell, and return the file that holds it.

    An empty name stands for the user's login shell. Raises `InputError` for an unknown shell.
    """
    shell = shell or Path(os.environ.get("SHELL", "")).name
    completion = get_completion_class(shell) if shell in SHELLS else None
    if completion is None:
        raise InputError(f"--install-completion {shell}: give one of {', '.join(SHELLS)}")
    content = completion(app, {}, "kt", ASKED_BY).source()
    if shell == "fish":
        config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        script = Path(config, "fish", "completions", "kt.fish")
    else:
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
        script = Path(data, "kt", f"complete.{shell}")
    script.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(script) as file:
        file.write(content.encode())
    if shell in _LINES:
        startup, line = _LINES[shell]
        _append(Path.home() / startup, line.format(script=script))
    return script


def _append(startup: Path, line: str) -> None:
    """Append a line to a startup file unless it is there."""
    lines = startup.read_text().splitlines() if startup.exists() else []
    if line not in lines:
        with startup.open("a") as file:
            file.write(f"\n{line}\n")
