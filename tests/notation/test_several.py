"""Several paths in one text are judged each; vertices of graphs are read as squares are."""

import io
import json

import pytest

from kt_cp import Graph, InputError, Notation, parse_path, solve, validate
from kt_cp.notation.read import parse_paths
from kt_cp.notation.values import load_path
from tests.helpers.command import kt

TOUR = "1 4 7 10\n8 11 2 5\n3 6 9 12\n"
VALID = "valid open tour of 3x4, 12 squares"
WRITTEN = [each for each in Notation if each.base is each and each is not Notation.NPY]


@pytest.mark.parametrize("notation", WRITTEN)
def test_what_kt_enumerate_writes_is_validated_path_by_path(notation: Notation) -> None:
    written = kt("enumerate", "3x4", "--limit", "2", "--format", notation).stdout
    done = kt("validate", "-", stdin=written)
    assert (done.returncode, done.stdout) == (0, f"path 1: {VALID}\npath 2: {VALID}\n")


@pytest.mark.parametrize(
    "text",
    [
        f"Case 1\n{TOUR}Case 2\n{TOUR}",
        f"Solution 1:\n{TOUR}\nSolution 2:\n{TOUR}",
        f"{TOUR}\n{TOUR}",
        "0 6 8 1 7 9 2 4 10 3 5 11\n0 6 8 1 7 9 2 4 10 3 5 11\n",
    ],
)
def test_paths_are_apart_by_headings_blank_lines_or_lines(text: str) -> None:
    assert [each.verdict for each in parse_paths(text)] == [VALID, VALID]
    with pytest.raises(InputError, match="the text holds 2 paths"):
        parse_path(text)


def test_the_exit_code_is_that_of_the_worst_path() -> None:
    done = kt("validate", "-", stdin=f"{TOUR}\n{TOUR.replace('3 6', '6 3')}")
    assert (done.returncode, done.stdout.splitlines()) == (
        *(1, [f"path 1: {VALID}", "path 2: not a tour: 4 illegal moves"]),
    )
    lines = kt("validate", "-", "--format", "json", stdin=f"{TOUR}\n{TOUR}").stdout.splitlines()
    assert [json.loads(line)["valid"] for line in lines] == [True, True]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_texts_of_windows_are_read(encoding: str) -> None:
    text = f"Größe 3 x 4\n{TOUR}".replace("\n", "\r\n").encode(encoding)
    reading = parse_path(load_path(io.BytesIO(text)))
    assert reading.verdict == VALID
    assert reading.read_as.endswith("without 'Größe 3 x 4'")


def test_a_closed_path_may_repeat_its_first_square_in_a_list_too() -> None:
    tour = solve("6x6", closed=True).tour
    assert tour is not None
    for path in ([*tour], tour.names):
        assert validate("6x6", [*path, path[0]], closed=True)
        assert not validate("6x6", [*path, path[0]])
        assert not validate("6x6", [*path, path[1]], closed=True)


@pytest.mark.parametrize(
    "text",
    [
        "U2R1 U1R2 D2R1 D1L2 U2L1",  # moves by their directions
        "1 4 7 10 1 4 7 10\n8 11 2 5 8 11 2 5\n3 6 9 12 3 6 9 12",  # two boards side by side
        "\n".join(" ".join(str((8 * row + column) % 5) for column in range(8)) for row in range(8)),
        "The year 2026 has 12 months, 52 weeks and 365 days.",
    ],
)
def test_what_is_on_no_board_is_refused_and_not_judged(text: str) -> None:
    with pytest.raises(InputError, match=r"fits no notation|board cannot be detected"):
        parse_path(text)


def test_a_zero_is_step_0_or_a_square_without_a_step_which_a_note_says() -> None:
    reading = parse_path("1 4 7 0\n8 11 2 5\n3 6 9 10")
    assert reading.notes[-1].startswith("0 is step 0; --notation grid would read it as a square")
    assert parse_path("1 4 7 10\n8 0 2 5\n3 6 9 0").verdict.endswith("2 squares are missing")


CYCLE = Graph.of([(1, 2), (2, 3), (3, 4), (4, 1), (1, 3)])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("1, 2, 3, 4", "path"), ("1 -> 2 -> 3 -> 4", "path"), ("Cycle: 1 2 3 4", "path")),
        *(
            ("1\n2\n3\n4\n1", "cycle"),
            ("[1, 2, 3, 4, 1]", "cycle"),
            ("1 2\n2 3\n3 4\n4 1", "cycle"),
        ),
        *(("3-4 1-2 2-3 4-1", "cycle"), ("hc(1,2) hc(2,3) hc(3,4) hc(4,1)", "cycle")),
        ("Answer: 1\nvertex(1) in(1,2) in(2,3) in(3,4) in(4,1)\nSATISFIABLE", "cycle"),
        ("cycle(1,2). cycle(2,3). cycle(3,4). cycle(4,1).", "cycle"),
    ],
)
def test_vertices_are_read_whatever_stands_between_them(text: str, kind: str) -> None:
    assert parse_path(text, CYCLE).verdict.startswith(f"valid Hamiltonian {kind} of a graph")


def test_words_that_are_no_vertices_are_refused_unless_the_rest_is_a_tour() -> None:
    with pytest.raises(InputError, match="'9': no vertex of the graph has this name"):
        parse_path("1 2 9 4", CYCLE)
    assert parse_path("1 3 2 4", CYCLE).verdict == "not a tour: 1 illegal edge"
    steps = Graph.of([("a", "b"), ("b", "c"), ("c", "d")])
    assert parse_path("b: 2\nd: 4\na: 1\nc: 3", steps).tour.names == ["a", "b", "c", "d"]


def test_many_numbers_without_sense_are_refused() -> None:
    with pytest.raises(InputError, match="it fits no notation: 100,000 numbers in 1 row"):
        parse_path(" ".join(str(number * number % 99_991) for number in range(100_000)))
