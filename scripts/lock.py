"""Make the lock anew: exact versions of all packages, for ``pip install -c constraints.txt``.

``python scripts/lock.py`` resolves the newest versions that ``pyproject.toml`` allows, on every
system and Python that it names, by ``uv`` (of the extra ``release``). It writes them into
``constraints.txt`` and, for the tools that build the package, into ``[build-system]``, and prints
what changed. Installing from the lock needs pip alone.

``--lowest`` prints constraints with the lowest versions that ``pyproject.toml`` allows instead, and
``--moved`` the packages of this environment whose version differs from the lock.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYPROJECT = ROOT / "pyproject.toml"
LOCK = ROOT / "constraints.txt"
BUILD_TOOLS = ("editables", "hatch-fancy-pypi-readme", "hatchling")
_HEAD = "# Made by scripts/lock.py: what the README's commands install, on every system.\n"


def resolve(source: str, *options: str) -> list[str]:
    """Return the pinned requirements of a file, or of standard input as ``-``, one a line."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "-q"]
    command += ["--universal", "--python-version", "3.11"]
    command += ["--no-annotate", "--no-header", "--upgrade", *options]
    text = "\n".join(BUILD_TOOLS) if source == "-" else None
    done = subprocess.run(
        [*command, source], input=text, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.splitlines()


def versions(lines: Iterable[str]) -> dict[str, list[str]]:
    """Return the versions, with their markers, of each package that a list of requirements pins."""
    pins: dict[str, list[str]] = {}
    for line in lines:
        if pin := re.match(r"([\w.-]+)==(.+)", line):
            pins.setdefault(pin[1].lower().replace("_", "-"), []).append(pin[2].strip())
    return pins


def write_lock() -> None:
    """Write ``constraints.txt`` and the pins of the build tools, and print what changed."""
    before = versions(LOCK.read_text("utf-8").splitlines()) if LOCK.exists() else {}
    pins = resolve("pyproject.toml", "--all-extras")
    LOCK.write_text(_HEAD + "\n".join(pins) + "\n", encoding="utf-8")
    tools = ", ".join(f'"{pin}"' for pin in resolve("-"))
    text = PYPROJECT.read_text("utf-8")
    PYPROJECT.write_text(
        re.sub(
            r"(?<=\[build-system\]\n)requires = \[.*?\]", f"requires = [{tools}]", text, flags=re.S
        ),
        encoding="utf-8",
    )
    after = versions(pins)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            old, new = (", ".join(each.get(name, ["none"])) for each in (before, after))
            print(f"{name}: {old} -> {new}")


def moved() -> list[str]:
    """Return a line for each installed package whose version is not the one of the lock."""
    locked = versions(LOCK.read_text("utf-8").splitlines())
    installed = {
        each.name.lower().replace("_", "-"): each.version for each in metadata.distributions()
    }
    return [
        f"{name}: {installed[name]}, locked {', '.join(pins)}"
        for name, pins in sorted(locked.items())
        if name in installed and all(pin.split(";")[0].strip() != installed[name] for pin in pins)
    ]


def main() -> None:
    """Write the lock, or print the lowest versions or those that differ from it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lowest", action="store_true", help="print the lowest versions")
    parser.add_argument("--moved", action="store_true", help="print what differs from the lock")
    arguments = parser.parse_args()
    if arguments.lowest:
        print(
            "\n".join(resolve("pyproject.toml", "--extra", "ci", "--resolution", "lowest-direct"))
        )
    elif arguments.moved:
        print("\n".join(moved()))
    else:
        write_lock()


if __name__ == "__main__":
    main()
