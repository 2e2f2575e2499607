"""Measure the size of the code, and fail above the limits in pyproject.toml.

``python scripts/size.py`` prints modules, nodes of the syntax tree, private functions with one
caller, and the modules of ours that four common calls load. ``--rooms`` adds the rooms of the
package: its folders.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
CALLS = {
    "solve": "from kt_cp import solve; solve('8x8', closed=True)",
    "Tour": "from kt_cp import Tour; Tour('3x4', [7, 1, 8, 6, 0, 9, 2, 4, 10, 3, 5, 11])",
    "validate": "from kt_cp import validate; validate('3x4', [0, 7, 2])",
    "picture": "from kt_cp import solve; solve('6x6').tour._repr_svg_()",
}
_LOADED = (
    "import sys; print(sum(name.split('.')[0] in ('kt_cp', 'kt_dfs') for name in sys.modules))"
)


def trees(*folders: str) -> dict[Path, ast.Module]:
    """Return the syntax tree of every Python file of ours in the folders."""
    files = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return {
        file: ast.parse(file.read_text(encoding="utf-8"))
        for file in files
        if "node_modules" not in file.parts  # what npm has installed beside our tests
    }


def nodes(parsed: dict[Path, ast.Module]) -> int:
    """Return the number of nodes of the syntax trees."""
    return sum(1 for tree in parsed.values() for _ in ast.walk(tree))


def called_once(parsed: dict[Path, ast.Module]) -> int:
    """Return how many private functions of modules are named only once outside their definition."""
    return sum(
        len(re.findall(rf"\b{node.name}\b", file.read_text(encoding="utf-8"))) == 2
        for file, tree in parsed.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_")
    )


def loaded(call: str) -> int:
    """Return how many of our modules a fresh process has loaded after a call."""
    command = [sys.executable, "-c", f"{call}\n{_LOADED}"]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def measurements() -> dict[str, int]:
    """Return every measured number by its name in pyproject.toml."""
    package = trees("kt_cp", "kt_dfs")
    tests = trees("tests")
    scripts = trees("scripts")
    return {
        "package-modules": len(package),
        "package-nodes": nodes(package),
        "root-modules": len(list((ROOT / "kt_cp").glob("*.py"))) - 2,  # __init__ and __main__
        "private-functions-called-once": called_once(package),
        "test-modules": len(tests),
        "test-nodes": nodes(tests),
        "script-files": len(scripts),
        "script-nodes": nodes(scripts),
        "javascript-lines": sum(
            len(file.read_text(encoding="utf-8").splitlines())
            for file in (ROOT / "kt_cp").rglob("*.js")
        ),
        **{f"loaded-by-{name}": loaded(call) for name, call in CALLS.items()},
    }


def main() -> int:
    """Print the measurements beside their limits; return 1 if one is above its limit."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    limits = pyproject["tool"]["kt"]["size"]
    measured = measurements()
    for name, number in measured.items():
        mark = "  too many" if number > limits.get(name, number) else ""
        print(f"{name:32}{number:9,}{limits.get(name, ''):>9}{mark}")
    if "--rooms" in sys.argv:
        for folder in sorted(path for path in (ROOT / "kt_cp").iterdir() if path.is_dir()):
            if room := trees(f"kt_cp/{folder.name}"):
                print(f"{folder.name:32}{nodes(room):9,}{len(room):6} modules")
    return int(any(number > limits.get(name, number) for name, number in measured.items()))


if __name__ == "__main__":
    sys.exit(main())
