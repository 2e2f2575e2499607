"""Names of vertices and covers by paths: what is written is read again."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.graph import Graph, NamedGraph
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.notation.write import (
    cover_lines,
    is_cover,
    parse_cover,
    tour_table,
    write_tour,
)
from kt_cp.tour.tour import Tour
from tests.helpers.command import run

NAMES = ["L’Aquila", "Saint–Denis", "New\u00a0York", "１"]  # typographic characters
NAMES += [" a", "two\nlines", "; kind: path", '"q"']
CYCLE = Graph.of([*pairwise(NAMES), (NAMES[-1], NAMES[0])])


@pytest.mark.parametrize("notation", ["squares", "tsplib", "json"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_tour_is_read_again(notation: str, closed: bool) -> None:
    tour = Tour(CYCLE, NAMES, closed)
    text = "\n".join(write_tour(tour, notation))
    assert parse_path(text, CYCLE, closed=closed).tour == tour


def test_a_table_of_steps_is_read_again() -> None:
    text = "\n".join(tour_table(Tour(CYCLE, NAMES)))
    assert parse_path(text, CYCLE).verdict.startswith("valid Hamiltonian path")


def test_json_is_read_as_json_whatever_words_it_has() -> None:
    graph = Graph.of([("TOUR_SECTION", "L’Aquila"), ("L’Aquila", "c")])
    tour = Tour(graph, ["TOUR_SECTION", "L’Aquila", "c"])
    assert parse_path(json.dumps(tour.as_dict()), graph).tour == tour
    assert parse_path(json.dumps(tour.as_dict(), ensure_ascii=False)).tour == tour


def test_an_arrow_is_a_move_unless_a_name_has_one() -> None:
    assert parse_path("a→b b→c", Graph.of([("a", "b"), ("b", "c")])).valid
    assert parse_path("a→b c", Graph.of([("a→b", "c")])).valid


RING = "...\n.#.\n...\n"
ANY_NAMES = st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=4, unique_by=str.strip)


def test_the_cover_of_a_board_with_holes_states_them() -> None:
    board = Board(3, 3, holes=["b2", "c1"])
    text = "\n".join(cover_lines(board, [["a1", "b3"], ["c2", "a3"], ["c3", "a2"], ["b1"]]))
    assert text.splitlines()[:3] == ["; board: 3x3", "; holes: b2 c1", "; kind: cover"]
    report = parse_cover(text)
    assert report.graph == board
    assert report.valid, report


def test_what_cover_prints_for_a_board_with_holes_validate_accepts() -> None:
    cover = run("cover", "-", stdin=RING)
    assert cover.returncode == 0
    checked = run("validate", "-", stdin=cover.stdout)
    assert (checked.returncode, checked.stdout.count("valid: 1 path")) == (0, 1)


def test_a_hole_off_the_stated_board_is_refused() -> None:
    with pytest.raises(InputError, match="hole 'd4' is off the board"):
        parse_cover("a1\n; board: 3x3\n; holes: d4\n; kind: cover")


@given(ANY_NAMES)
def test_covers_of_graphs_are_read_again_whatever_the_vertices_are_called(names: list[str]) -> None:
    graph = NamedGraph(names, [], directed=False)
    text = "\n".join(cover_lines(graph, [[name] for name in names]))
    assert is_cover(text)
    report = parse_cover(text, graph)
    assert report.valid, (report, text)


def test_names_with_blanks_are_quoted() -> None:
    graph = Graph.of([("New York", "Rome"), ("Rome", "Oslo")])
    lines = list(cover_lines(graph, [["New York", "Rome", "Oslo"]]))
    assert lines == ["; kind: cover", "; path 1 of 1, 3 vertices", '"New York" Rome Oslo']
    assert parse_cover("\n".join(lines), graph).valid


def test_a_text_that_only_begins_like_a_json_cover_is_refused() -> None:
    with pytest.raises(InputError):
        is_cover('{"paths": [[')
    assert not is_cover(json.dumps({"tour": ["paths"]}))


@pytest.mark.parametrize("blanks", ["", "\n\n", " \n\t\n"])
def test_an_error_in_a_table_of_paths_names_the_line_of_the_text(blanks: str) -> None:
    text = f"{blanks}path,step,square\n1,1,a1\n1,3,b3\n"
    line = blanks.count("\n") + 3
    with pytest.raises(InputError, match=f"^line {line}: '1,3,b3' where there should"):
        parse_cover(text, Board(3, 4))
