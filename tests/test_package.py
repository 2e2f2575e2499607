"""The names of the package: loaded on first use, and the same for editors and for Python."""

import ast
import re
import tomllib

import pytest

import kt_cp
from tests.helpers.command import ROOT, loaded_by


def test_every_public_name_is_there_and_is_listed() -> None:
    for name in set(kt_cp.__all__) - {"FEATURES", "METHODS", "__version__"}:
        assert getattr(kt_cp, name).__name__ == name
    assert {"warnsdorff", "circuit"} <= set(kt_cp.METHODS)
    assert "crossings" in kt_cp.FEATURES
    assert kt_cp.__version__ == PROJECT["version"]
    assert set(kt_cp.__all__) <= set(dir(kt_cp))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Grade", "Level"),
        ("Interrupted", "SearchInterruptedError"),
        ("NoAnswer", "NoAnswerError"),
        ("OutOfMemory", "OutOfMemoryError"),
        ("OutOfTime", "OutOfTimeError"),
    ],
)
def test_names_of_0_1_work_with_a_warning(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"kt_cp.{old} is now kt_cp.{new}"):
        assert getattr(kt_cp, old) is getattr(kt_cp, new)


def test_type_checkers_see_the_same_names_from_the_same_modules() -> None:
    stub = ast.parse((ROOT / "kt_cp" / "__init__.pyi").read_text())
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    assert {node.names[0].name: node.module for node in imports} == kt_cp._MODULES  # type: ignore[attr-defined]


def test_a_misspelt_name_is_an_attribute_error_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'kt_cp' has no attribute 'Bord'"):
        kt_cp.Bord  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_itself_loads_nothing_and_validating_no_solver() -> None:
    loaded = {name for name in loaded_by("import kt_cp") if name.startswith(("kt_cp.", "numpy"))}
    assert loaded == set()
    loaded = loaded_by("from kt_cp import Board, validate; validate(Board(3, 4), [0, 6])")
    assert not {name.split(".")[0] for name in loaded} & {"ortools", "pandas", "rich", "typer"}


def test_no_module_shares_its_name_with_a_function_beside_it() -> None:
    shared = [
        f"{file.relative_to(ROOT)}: {node.name}"
        for package in ("kt_cp", "kt_dfs")
        for file in (ROOT / package).rglob("*.py")
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and any((file.parent / name).exists() for name in (node.name, f"{node.name}.py"))
    ]
    assert not shared


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# No sdist and few wheels, a license that forbids commercial use, a browser, or a cluster.
NOT_EVERYWHERE = {"clingo", "dask", "elkai", "ipykernel", "nbclient", "pychoco", "selenium"}


def test_the_tests_need_only_what_installs_wherever_or_tools_does() -> None:
    extras = PROJECT["optional-dependencies"]
    assert len(PROJECT["dependencies"]) <= 9

    def packages(extra: str) -> set[str]:
        names = {re.split(r"[<>=~!;]", each)[0].strip() for each in extras[extra]}
        ours = {name for name in names if name.startswith("knights-tours[")}
        inner = [part for name in ours for part in name[len("knights-tours[") : -1].split(",")]
        return {name.split("[")[0] for name in names - ours}.union(*map(packages, inner))

    assert not packages("test") & NOT_EVERYWHERE
    assert packages("ci") >= NOT_EVERYWHERE


def test_the_script_named_as_the_package_is_the_command() -> None:
    assert PROJECT["scripts"]["knights-tours"] == PROJECT["scripts"]["kt"]


def test_every_extra_that_a_message_names_is_there() -> None:
    texts = [file.read_text() for file in (ROOT / "kt_cp").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"knights-tours\[(\w+)\]", text)}
    assert {"graphs", "peers", "plot"} <= named <= set(PROJECT["optional-dependencies"])


def test_prose_and_names_have_american_spelling() -> None:
    """Values that programs read keep theirs: the kind of reason ``colours``."""
    british = "colour|centre|grey|neighbour|behaviour|optimis|recognis|modelling|judgement"
    wrong = re.compile(british, re.I)
    kept = re.compile(r"COLOURS\b|\"colours\"")
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    files += [file for name in ("kt_cp", "kt_dfs") for file in (ROOT / name).rglob("*.py")]
    found = [
        f"{file.name}: {line.strip()}"
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if wrong.search(kept.sub("", line))
    ]
    assert found == []


def test_no_name_of_a_module_in_a_string_reaches_up() -> None:
    """import-linter sees imports alone. The root package may name any of its modules."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contracts["contracts"][1]["layers"]
    level = {name.strip(): number for number, row in enumerate(layers) for name in row.split("|")}
    upwards = []
    for file in sorted((ROOT / "kt_cp").rglob("*.py")):
        place = file.relative_to(ROOT / "kt_cp").parts[0].removesuffix(".py")
        if place in ("__init__", "__main__"):
            continue
        for named in re.findall(r"[\"']kt_cp\.(\w+)[\w.]*(?::\w+)?[\"']", file.read_text()):
            if level[named] < level[place]:
                upwards.append(f"{file.relative_to(ROOT)}: {named}")
    assert not upwards


def test_recipes_of_other_package_managers_name_what_the_project_needs() -> None:
    folder = ROOT / "scripts" / "packaging"
    recipe = (folder / "recipe.yaml").read_text(encoding="utf-8")
    conda_names = {"ortools": "ortools-python"}
    for each in PROJECT["dependencies"]:
        name, bounds = re.fullmatch(r"([\w-]+)(.*)", each).groups()  # type: ignore[union-attr]
        [line] = re.findall(rf"^    - {conda_names.get(name, name)} (.*)$", recipe, re.MULTILINE)
        assert set(line.split(",")) == set(bounds.split(","))
    for command, function in PROJECT["scripts"].items():
        assert f"- {command} = {function}\n" in recipe
