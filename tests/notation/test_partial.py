"""Tours that leave squares out, covers by several paths, and names: written and read again."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.draw.output import page_of, picture_of
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.formats import is_cover, parse_cover
from kt_cp.notation.notations import Notation
from kt_cp.notation.read import parse_path
from kt_cp.notation.write import cover_lines, tour_table, write_tour
from kt_cp.solving import longest_path, path_cover
from kt_cp.tour.features import described_features, extremes
from kt_cp.tour.tour import Tour
from tests.helpers.command import kt, run

PATH = Tour("4x4", [0, 6, 8, 1, 10, 3, 5], partial=True)
CYCLE = Tour("3x4", [0, 6, 8, 1, 7, 9], closed=True, partial=True)
PIERCED = Tour(Board(3, 3, holes=["b2", "c1"]), [0, 5, 6, 1], partial=True)
PIERCED_TORUS = Tour(Board(3, 3, holes=[1, 2, 3, 4, 6, 7, 8], topology="torus"), [0, 5])
BROKEN_TORUS = Tour("3x3", [0, 5, 1], partial=True, topology="torus")

TEXTS = [each for each in Notation if each is not Notation.NPY]


@pytest.mark.parametrize("notation", TEXTS)
@pytest.mark.parametrize(
    "tour",
    [PATH, CYCLE, PIERCED, PIERCED_TORUS],
    ids=["path", "cycle", "pierced", "pierced-torus"],
)
def test_what_is_written_is_read_as_the_same_path_or_cycle(tour: Tour, notation: Notation) -> None:
    text = "\n".join(write_tour(tour, notation))
    reading = parse_path(text, notation=notation)
    assert reading.verdict == f"valid {tour.summary}"
    assert reading.tour == tour


def test_an_unusual_board_is_stated_beside_the_kind() -> None:
    text = "\n".join(write_tour(BROKEN_TORUS, Notation.SQUARES))
    assert text.endswith("; board: 3x3\n; topology: torus\n; kind: path")
    assert parse_path(text).tour == BROKEN_TORUS


def test_moves_in_any_order_are_read_as_a_path_if_that_is_allowed() -> None:
    moves = "c4-b2 d1-b2 c4-a3"
    reading = parse_path(moves, "4x4", partial=True)
    assert reading.verdict == "valid path through 4 of 16 squares of 4x4"
    assert sorted([reading.tour.names[0], reading.tour.names[-1]]) == ["a3", "d1"]
    assert not parse_path(moves, "4x4")


@pytest.mark.parametrize(
    "tour", [Tour("2x5", [0, 7, 4], partial=True), Tour("1x6", [2], partial=True)]
)
def test_a_path_of_a_narrow_board_is_read_from_its_numbers(tour: Tour) -> None:
    assert parse_path("\n".join(write_tour(tour, Notation.GRID))).tour == tour


def test_a_given_kind_overrides_that_of_the_text() -> None:
    text = "\n".join(write_tour(CYCLE, Notation.SQUARES))
    assert parse_path(text, closed=False).verdict == "valid path through 6 of 12 squares of 3x4"


def test_a_path_of_a_graph_is_read_from_json_and_with_the_option() -> None:
    graph = Graph.of([("a", "b"), ("b", "c"), ("c", "d"), ("b", "e")])
    found = longest_path(graph)
    assert found.tour is not None
    assert parse_path(json.dumps(found.as_dict()), graph).tour == found.tour
    assert parse_path("a b c", graph, partial=True).verdict == "valid path through 3 of 5 vertices"
    assert not parse_path("a b c", graph)
    assert parse_path("b-c a-b", graph, partial=True)


@pytest.mark.parametrize("closed", [False, True])
def test_what_is_printed_of_a_graph_says_that_vertices_are_left_out(closed: bool) -> None:
    graph = Graph.of([(1, 2), (2, 3), (3, 1), (4, 5)])
    partial_tour = Tour(graph, [1, 2, 3], closed, partial=True)
    for notation in (Notation.SQUARES, Notation.TSPLIB):
        text = "\n".join(write_tour(partial_tour, notation))
        assert parse_path(text, graph).tour == partial_tour
    table = "\n".join(tour_table(partial_tour))
    assert parse_path(table, graph).tour == partial_tour


def test_json_output_states_its_graph() -> None:
    found = longest_path([(1, 2), (2, 3), (3, 1), (4, 5)], workers=1)
    reading = parse_path(json.dumps(found.as_dict()))
    assert reading.tour == found.tour
    assert parse_path(found.as_dict()).tour == found.tour
    cover = path_cover([(1, 2), (2, 3), (3, 1), (4, 5)])
    assert parse_cover(json.dumps(cover.as_dict())).verdict.startswith("valid: 2 paths")
    with pytest.raises(InputError, match="edges: give rows of two ids"):
        parse_path({"tour": [1, 2], "graph": {"vertices": [1, 2], "edges": [1], "directed": False}})


def test_partial_in_json_is_true_or_false() -> None:
    with pytest.raises(InputError, match="partial: 1: give true or false"):
        parse_path('{"tour": [0, 6], "partial": 1}')


def test_features_begin_with_the_squares_and_chords() -> None:
    told = described_features(PATH)
    assert list(told)[:4] == ["squares", "chords", "turns", "straight"]
    assert told["squares"] == 7
    assert told["turns"] + told["straight"] == 5
    assert "squares" not in described_features(Tour("3x4", [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]))
    ring = Tour([(1, 2), (2, 3), (3, 1), (3, 4)], [1, 2, 3], closed=True, partial=True)
    assert described_features(ring) == {"squares": 3, "chords": 0}


def test_the_census_of_8x8_is_about_tours_of_all_squares() -> None:
    square = [Board(8, 8).vertex(name) for name in ("a1", "b3", "d4", "c2")]
    assert extremes(Tour("8x8", square, closed=True, partial=True)) == {}


def test_pages_and_pictures_say_how_many_squares_are_visited() -> None:
    assert "left out: 9 squares" in str(PATH.draw())
    page = page_of(PATH)
    assert "7 squares are visited" in page
    assert "every square is visited" not in page
    report = parse_path("\n".join(write_tour(PATH, Notation.GRID))).report
    assert picture_of(report).description == picture_of(PATH).description


def test_commands_take_what_longest_prints(tmp_path: Path) -> None:
    printed = kt("longest", "4x4").stdout
    assert printed.splitlines()[-1] == "; kind: path"
    validated = kt("validate", "-", stdin=printed)
    assert validated.returncode == 0
    assert validated.stdout.startswith("valid path through 15 of 16 squares of 4x4")
    described = kt("describe", "-", stdin=printed)
    assert described.stdout.startswith("path through 15 of 16 squares of 4x4\nsquares        15")
    drawn = kt("draw", "-", "--out", tmp_path / "path.svg", stdin=printed)
    assert drawn.stderr.endswith("valid path through 15 of 16 squares of 4x4\n")
    refused = kt("solve", "-", stdin=printed)
    assert refused.returncode == 2
    assert "kind 'path' in the map: give open or closed; 'kt validate'" in refused.stderr


def test_a_path_that_may_not_leave_squares_out_is_no_tour_but_the_option_is_named() -> None:
    text = "a1 b3 c1 a2"
    for command in ("validate", "describe"):
        done = kt(command, "-", "--board", "4x4", stdin=text)
        assert done.returncode == 1
        told = "--partial would accept it: valid path through 4 of 16 squares of 4x4"
        assert told in done.stderr
        assert kt(command, "-", "--board", "4x4", "--partial", stdin=text).returncode == 0
    wrong = kt("validate", "-", "--board", "4x4", stdin="a1 b3 c2")
    assert "--partial" not in wrong.stderr


def test_json_says_whether_squares_may_be_left_out() -> None:
    asked = ("validate", "-", "--board", "4x4", "--format", "json")
    assert json.loads(kt(*asked, stdin="a1 b3").stdout)["partial"] is False
    assert json.loads(kt(*asked, "--partial", stdin="a1 b3").stdout)["partial"] is True


# -- names of vertices, and covers ----------------------------------------------------------------

ODD_NAMES = ["L’Aquila", "Saint–Denis", "New\u00a0York", "１"]  # typographic characters
ODD_NAMES += [" a", "two\nlines", "; kind: path", '"q"']
ODD_CYCLE = Graph.of([*pairwise(ODD_NAMES), (ODD_NAMES[-1], ODD_NAMES[0])])


@pytest.mark.parametrize("notation", ["squares", "tsplib", "json"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_tour_is_read_again(notation: str, closed: bool) -> None:
    tour = Tour(ODD_CYCLE, ODD_NAMES, closed)
    text = "\n".join(write_tour(tour, notation))
    assert parse_path(text, ODD_CYCLE, closed=closed).tour == tour


def test_a_table_of_steps_is_read_again() -> None:
    text = "\n".join(tour_table(Tour(ODD_CYCLE, ODD_NAMES)))
    assert parse_path(text, ODD_CYCLE).verdict.startswith("valid Hamiltonian path")


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
    graph = Graph(names, [], directed=False)
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
