"""The public names: listed on one page and loaded on first use; and Python as people type it."""

# mypy: disable-error-code="arg-type,call-arg"

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator

import click
import pytest

import kt_cp
import kt_dfs
from kt_cp import solve, validate
from kt_cp.board import Board
from kt_cp.cli.app import SUBCOMMANDS, load_command
from kt_cp.cli.output import Exit
from kt_cp.compare import compare, settings_of
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import write_tour
from kt_cp.tour.tour import Tour
from tests.helpers.command import ROOT, kt, loaded_by
from tests.helpers.pictures import OPEN_3X4

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PAGE = ROOT / "tests" / "public_names.md"


def options(name: str) -> Iterator[str]:
    for parameter in load_command(name).params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            yield max(parameter.opts, key=len)


def lists() -> dict[str, list[str]]:
    """Return the names under each heading of the page."""
    listed: dict[str, Iterable[str]] = {
        "kt_cp": kt_cp.__all__,
        "kt_dfs": kt_dfs.__all__,
        "The exit codes of kt": (str(code.value) for code in Exit),
        "Notations": (notation.value for notation in Notation),
    }
    listed |= {f"kt {name}": options(name) for name in SUBCOMMANDS}
    return {heading: sorted(names) for heading, names in listed.items()}


def written_lists(page: str) -> dict[str, list[str]]:
    """Return the names in code type in the paragraph below each heading of the third level."""
    parts = re.split(r"^### (.*)\n\n", page, flags=re.MULTILINE)
    paragraphs = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {
        heading: re.findall(r"`([^`]+)`", text.split("\n\n")[0])
        for heading, text in paragraphs.items()
    }


@pytest.mark.dependencies("click")
def test_the_page_lists_what_is_public() -> None:
    assert written_lists(PAGE.read_text(encoding="utf-8")) == lists()


def test_every_public_name_is_there() -> None:
    for name in kt_cp.__all__:
        assert getattr(kt_cp, name) is not None
    assert kt_cp.__version__ == PROJECT["version"]
    with pytest.raises(AttributeError, match="Bord"):
        kt_cp.Bord  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.dependencies("lazy-loader")
def test_the_package_itself_loads_nothing_and_validating_no_solver() -> None:
    loaded = {name for name in loaded_by("import kt_cp") if name.startswith(("kt_cp.", "numpy"))}
    assert not loaded
    loaded = loaded_by("from kt_cp import Board, validate; validate(Board(3, 4), [0, 6])")
    assert not {name.split(".")[0] for name in loaded} & {"ortools", "pandas", "rich"}


def test_every_extra_that_a_message_names_is_there() -> None:
    texts = [file.read_text() for file in (ROOT / "kt_cp").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"knights-tours\[(\w+)\]", text)}
    assert {"graphs", "peers", "plot"} <= named <= set(PROJECT["optional-dependencies"])


def test_no_name_of_a_module_in_a_string_reaches_up() -> None:
    """import-linter sees imports alone."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contracts["contracts"][1]["layers"]
    level = {name.strip(): number for number, row in enumerate(layers) for name in row.split("|")}
    for file in sorted((ROOT / "kt_cp").rglob("*.py")):
        place = file.relative_to(ROOT / "kt_cp").parts[0].removesuffix(".py")
        for named in re.findall(r"[\"']kt_cp\.(\w+)[\w.]*(?::\w+)?[\"']", file.read_text()):
            assert level[named] >= level.get(place, 0), f"{file}: {named}"


@pytest.mark.parametrize(
    "command",
    [
        "solve 5x5",
        "validate kt_cp/samples/path.txt",
        "count 5x5",
        "describe kt_cp/samples/path.txt",
    ],
)
def test_the_page_of_formats_has_the_fields_of_json_answers(command: str) -> None:
    text = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    name = command.split()[0]
    [section] = re.findall(rf"^`kt {name} --format json`\n(.*?)\n\n", text, re.DOTALL | re.M)
    cells = re.findall(r"^:?\s*\| (`.*?) \|", section, re.M)
    documented = set(re.findall(r"`(\w+)`", " ".join(cells)))
    answer = json.loads(kt(*command.split(), "--format", "json").stdout)
    assert documented == set(answer)


IDS = OPEN_3X4
TOUR = Tour("3x4", IDS)


def test_strings_stand_for_boards_squares_moves_pieces_and_notations() -> None:
    result = solve("8x8", start="e4", require=["a1-c2"], forbid="b1>c3")
    assert result
    assert result.tour is not None
    assert result.tour.names[0] == "e4"
    assert {56, 50} in map(set, result.tour.moves.tolist())
    assert list(write_tour(TOUR, "squares")) == TOUR.names
    assert solve(Board(5, 5, holes="c3", piece="camel", topology="torus")).instance.board.holes == (
        12,
    )


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "sides as text": (lambda: Board("8", "8"), "whole numbers; Board.parse reads text"),
    "a size that is no text": (lambda: Board.parse(8), "such as '8x8'"),
    "zeros as a board": (lambda: solve([[0] * 5] * 5), r"give '5x5' or Board\(5, 5\)"),
    "a move of three squares": (lambda: solve("8x8", require=[("a1", "c2", "d4")]), "give a1-b3"),
    "an unknown keyword": (
        lambda: solve("8x8", closd=True),
        "unknown keyword 'closd': the constraints are closed",
    ),
    "text as a flag": (lambda: solve("8x8", closed="yes"), "give True or False"),
    "workers in halves": (lambda: solve("8x8", workers=1.5), "workers 1.5: give 1 to 10000"),
    "text as a seed": (lambda: solve("8x8", seed="a"), "seed 'a': give 0 to 2147483647"),
    "a number as a method": (lambda: solve("8x8", method=3), "give a name"),
    "neighbors off the board": (lambda: Board(3, 4).neighbors(-1), "ids 0 to 11"),
    "ids to be written": (lambda: write_tour(IDS, "ids"), "give a Tour"),
    "features of ids": (lambda: kt_cp.features(IDS), "give a Tour"),
    "a result to be checked": (lambda: kt_cp.check(solve("3x3")), "give a certificate"),
    "nothing to be checked": (lambda: kt_cp.check(None), "None is not a Certificate"),
    "a misspelt option of a picture": (
        lambda: TOUR.draw(styl="order"),
        "unexpected keyword argument .styl.",
    ),
    "a number as a title": (lambda: TOUR.draw(title=5), "give text, or None"),
    "a name that is no picture": (lambda: TOUR.draw("tour.txt"), r"picture tour.txt: .* \.svg"),
    "a number as boards": (lambda: compare(boards=3), "give a list"),
    "a number as kinds": (lambda: settings_of(boards="3x4", kinds=3), "give a list"),
    "a misspelt setting": (lambda: compare(board="3x4"), "unexpected keyword argument 'board'"),
    "text as jobs": (lambda: compare(boards="3x4", jobs="x"), "give at least 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_makes_no_sense_is_answered_with_what_would(case: str) -> None:
    call, told = WRONG[case]
    with pytest.raises((InputError, TypeError), match=told):
        call()


def test_what_fits_in_two_ways_is_said_wherever_the_report_shows_itself() -> None:
    report = validate(Board(2, 2, piece="king"), [[1, 2], [4, 3]])
    assert "as coordinates from 0: not a tour" in repr(report)
    assert "as coordinates from 0: not a tour" in report._repr_html_()


@pytest.mark.parametrize("limit", [True, 0, -1.5, float("nan"), "5"])
def test_a_time_limit_is_a_number_above_0(limit: object) -> None:
    with pytest.raises(InputError, match="give a number of seconds above 0"):
        solve("5x5", time_limit=limit)
