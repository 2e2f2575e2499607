"""Test the tests of the certificate checker.

``python scripts/mutate_checker.py`` demands that ``tests/proof/test_checker.py`` covers each line
and branch of the checker and fails for each of its mutants, which mutmut makes in a temporary
directory. Mutants that are the same program in other words stand, with the reason, in
``mutate_checker.json``. The exit code is 1 if a branch is not covered, a mutant survives that is
not listed, or one is listed that does not survive.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKER = Path("kt_cp/proof/checker.py")
TESTS = Path("tests/proof/test_checker.py")
EQUIVALENT = Path(__file__).with_suffix(".json")

CONFIGURATION = f"""
[tool.pytest.ini_options]
addopts = "-p no:cacheprovider"
[tool.mutmut]
source_paths = ["kt_cp"]
also_copy = ["kt_dfs"]
only_mutate = ["{CHECKER}"]
pytest_add_cli_args_test_selection = ["{TESTS}"]
"""


def cover(python: str) -> None:
    """Run the tests, and raise `CalledProcessError` if they leave a branch out."""
    with tempfile.TemporaryDirectory() as folder:
        coverage = [python, "-m", "coverage"]
        data = f"--data-file={folder}/coverage"
        pytest = ["-m", "pytest", "-q", "-n", "0", str(TESTS)]
        run = [*coverage, "run", data, "--branch", f"--include={CHECKER}", *pytest]
        subprocess.run(run, check=True, cwd=ROOT)
        report = [*coverage, "report", data, "--show-missing", "--fail-under=100"]
        subprocess.run(report, check=True, cwd=ROOT)


def survivors(python: str) -> set[str]:
    """Return the mutants that no test kills: the function, the line before and after."""
    with tempfile.TemporaryDirectory() as folder:
        for package in ("kt_cp", "kt_dfs"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, Path(folder, package), ignore=ignored)
        Path(folder, TESTS).parent.mkdir(parents=True)
        shutil.copy(ROOT / TESTS, Path(folder, TESTS))
        Path(folder, "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": ""}

        def mutmut(*arguments: str) -> str:
            command = [python, "-m", "mutmut", *arguments]
            done = subprocess.run(
                command, cwd=folder, env=environment, text=True, capture_output=True
            )
            if done.returncode:
                raise SystemExit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
            return done.stdout

        print(mutmut("run", "--max-children", "2").splitlines()[-1])
        results = [line.strip().split(": ") for line in mutmut("results").splitlines()]
        # A mutant that does not end is killed: some loops of the checker end by what is mutated.
        names = [name for name, status in results if status not in ("killed", "timeout")]
        return {_change(name, mutmut("show", name)) for name in names}


def _change(name: str, difference: str) -> str:
    """Return the function and the line of a mutant, before and after.

    >>> _change("kt_cp.proof.checker.xǁCutǁholds__mutmut_3", "-a = 1\\n+a = 2")
    'Cut.holds: a = 1 => a = 2'
    """
    function = name.rpartition(".")[2].rpartition("__mutmut_")[0].replace("ǁ", ".")
    lines = [line for line in difference.splitlines() if not line.startswith(("---", "+++"))]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return f"{function.removeprefix('x').strip('._')}: {before} => {after}"


def main() -> int:
    """Check the coverage and the mutants, and return the exit code."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    cover(sys.executable)
    equivalent = json.loads(EQUIVALENT.read_text(encoding="utf-8"))
    surviving = survivors(sys.executable)
    for mutant in sorted(surviving - equivalent.keys()):
        print(f"survives: {mutant}")
    for mutant in sorted(equivalent.keys() - surviving):
        print(f"listed as equivalent, but killed or gone: {mutant}")
    print(f"{len(surviving)} mutants survive, {len(equivalent)} are listed as equivalent")
    return int(surviving != set(equivalent))


if __name__ == "__main__":
    sys.exit(main())
