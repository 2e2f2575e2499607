"""Build a release, check it, and say what to push; nothing is uploaded.

``python scripts/release.py`` checks that the tree is clean and that the changelog, the citation and
the project have one version, runs ``.ci/run``, builds the wheel and the source distribution, checks
both, and prints the commands that publish them. With ``--artifacts`` it only builds and checks
them, which takes some minutes and is what the release workflow runs.

It needs the extra ``release``. The wheel is installed and used under each Python from 3.11 on that
uv finds.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"

# Commands that must work with the wheel alone; `check_wheel` adds a proof and its check.
MAIN_JOBS = (
    ("solve", "8x8", "--closed", "--format", "tsplib", "--out", "tour.tsp"),
    ("validate", "tour.tsp"),
    ("count", "5x6"),
    ("samples", "--out", "."),
)

_OLDEST_MINOR, _NEWEST_MINOR = 11, 14


class ReleaseError(Exception):
    """What stands in the way of a release, in one line."""


def run(*command: str | Path, cwd: Path = ROOT, code: int = 0) -> None:
    """Print a command, run it, and raise `ReleaseError` if it ends with another exit code."""
    print("+", *command, flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment)
    if done.returncode != code:
        raise ReleaseError(f"{command[0]} ended with {done.returncode}, but {code} was expected")


def project_version() -> str:
    """Return the version in ``pyproject.toml``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version: str = project["version"]
    return version


def check_versions(version: str, changelog: str, citation: str) -> None:
    """Raise `ReleaseError` unless the changelog and the citation have this version first.

    >>> check_versions("1.0.0", "# Changelog\\n\\n## 1.0.0 (2026-11-23)\\n", "version: 1.0.0\\n")
    >>> try:
    ...     check_versions("1.0.0", "# Changelog\\n\\n## Unreleased\\n", "version: 1.0.0\\n")
    ... except ReleaseError as error:
    ...     print(error)
    CHANGELOG.md begins with 'Unreleased', not with '1.0.0 (DATE)'
    """
    heading = re.search(r"^## (.*)$", changelog, re.MULTILINE)
    first = heading[1] if heading else ""
    if not re.fullmatch(re.escape(version) + r" \(\d{4}-\d\d-\d\d\)", first):
        raise ReleaseError(f"CHANGELOG.md begins with {first!r}, not with '{version} (DATE)'")
    if f"\nversion: {version}\n" not in "\n" + citation:
        raise ReleaseError(f"CITATION.cff does not say 'version: {version}'")


def check_tree() -> None:
    """Raise `ReleaseError` if a file of the working tree is not committed."""
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    if status.stdout:
        raise ReleaseError(f"the working tree is not clean:\n{status.stdout.rstrip()}")


def build() -> tuple[Path, Path]:
    """Build the wheel and the source distribution into ``dist``, and return their files."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST)
    [wheel], [source] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, source)
    run("check-wheel-contents", wheel)
    for file in (wheel, source):
        print(f"{file.name}: {file.stat().st_size / 2**20:.1f} MiB")
    return wheel, source


def pythons() -> Iterator[str]:
    """Yield the versions of Python from 3.11 on that are on this machine."""
    for minor in range(_OLDEST_MINOR, _NEWEST_MINOR + 1):
        done = subprocess.run(
            ["uv", "python", "find", "--no-python-downloads", f"3.{minor}"], capture_output=True
        )
        if done.returncode == 0:
            yield f"3.{minor}"


def check_wheel(wheel: Path, python: str) -> None:
    """Install the wheel alone into an empty environment, and use the command there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run("uv", "venv", "-q", "--python", python, folder / "venv", cwd=folder)
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run("uv", "pip", "install", "-q", "--python", programs / "python", wheel, cwd=folder)
        for job in MAIN_JOBS:
            run(programs / "kt", *job, cwd=folder)
        run(programs / "kt", "solve", "4x8", "--closed", "--certificate", "no", cwd=folder, code=1)
        run(programs / "kt", "check", "no", cwd=folder)
        run("uvx", "-q", "--python", python, "--from", wheel, "kt", "solve", "8x8", cwd=folder)


def check_source(source: Path) -> None:
    """Run the tests of the source distribution in its own folder, with the extra ``test``."""
    with tempfile.TemporaryDirectory() as name:
        with tarfile.open(source) as archive:
            archive.extractall(name, filter="data")
        [folder] = Path(name).iterdir()
        run("uv", "venv", "-q", "--python", f"3.{_OLDEST_MINOR}", ".venv", cwd=folder)
        python = folder / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        run("uv", "pip", "install", "-q", "--python", python, "-e", ".[test]", cwd=folder)
        run(python, "-m", "pytest", "-q", cwd=folder)


def check_artifacts() -> None:
    """Build the artifacts, use the wheel under each Python, and run the source's tests."""
    wheel, source = build()
    for python in pythons():
        check_wheel(wheel, python)
    check_source(source)


def main() -> int:
    """Check the project, build and check the artifacts, and say what to push."""
    parser = argparse.ArgumentParser(description="Build a release and check it.")
    parser.add_argument("--artifacts", action="store_true", help="only build and check them")
    only_artifacts = parser.parse_args().artifacts
    version = project_version()
    try:
        if not only_artifacts:
            check_tree()
            changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
            check_versions(version, changelog, (ROOT / "CITATION.cff").read_text("utf-8"))
            run("bash", ".ci/run")
        check_artifacts()
    except ReleaseError as error:
        print(f"no release: {error}", file=sys.stderr)
        return 1
    [source] = DIST.glob("*.tar.gz")
    print(f"sha256 of {source.name}: {hashlib.sha256(source.read_bytes()).hexdigest()}")
    print(f"{version} is ready. To publish it:")
    print(f"  git tag -a v{version} -m {version} && git push origin main v{version}")
    print("  python -m twine upload dist/*")
    return 0


if __name__ == "__main__":
    sys.exit(main())
