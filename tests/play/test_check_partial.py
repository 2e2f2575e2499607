"""The playground's Check takes paths that leave squares out, and covers."""

import pickle
from dataclasses import replace

import pytest

from kt_cp.notation.covers import cover_lines
from kt_cp.play import search_actions
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.checking import check_path
from kt_cp.play.graph_position import GraphPosition
from kt_cp.proof.certificate import Certificate
from kt_cp.proof.checker import check
from kt_cp.solving import longest_path, path_cover
from kt_cp.tour.tour import Tour

BOARD = BoardPosition.parse("6x6")


def test_a_longest_path_is_put_onto_its_board() -> None:
    found = longest_path("4x4").tour
    assert isinstance(found, Tour)
    scene = check_path(BOARD, f"{found}\n; kind: path")
    assert scene.message == "valid: path through 15 of 16 squares of 4x4"
    assert scene.size == 16
    assert "squares: 15, squares that it visits." in scene.details


def test_a_path_of_legal_moves_is_no_tour_yet_but_said_to_be_a_path() -> None:
    scene = check_path(BOARD, "a1 b3 c5")
    assert scene.message.startswith("not a tour yet, but a path through 3 of 36 squares of 6x6: ")
    assert check_path(BOARD, "").message.startswith("not a tour yet: ")


def test_a_cover_is_shown_on_its_board() -> None:
    result = path_cover("4x4")
    scene = check_path(BOARD, "\n".join(cover_lines(result.graph, result.paths)))
    assert scene.message == "valid: 2 paths through all squares of 4x4"
    assert scene.size == 16
    assert scene.board is not None
    assert "path 1: " in scene.board.legend[0].text
    wrong = check_path(BOARD, "a1\n; kind: cover")
    assert wrong.message.startswith("not a cover by 1 path: ")


@pytest.mark.exhaustive
def test_a_cover_of_a_graph_is_judged_in_words() -> None:
    graph = GraphPosition.parse("a-b b-c b-d")
    scene = check_path(graph, '{"paths": [["a", "b", "c"], ["d"]]}')
    assert scene.message.startswith("valid: 2 paths through all vertices of a graph of 4 vertices")


@pytest.mark.parametrize(
    ("closed", "answer"),
    [(False, "path through 15 of 16 squares"), (True, "cycle through 14 of 16 squares")],
)
def test_a_longest_path_or_cycle_is_found_and_its_bound_certified(
    closed: bool, answer: str
) -> None:
    position = BoardPosition.parse("4x4", closed=closed)
    scene = search_actions.find_longest(pickle.dumps(position))
    assert scene.message.startswith(f"found: {answer} of 4x4, ")
    assert scene.message.endswith("optimal by a separator")
    assert check(Certificate.parse(scene.certificate))


def test_a_longest_cycle_of_a_graph_is_drawn_closed() -> None:
    pytest.importorskip("scipy")  # without which no picture of a graph is drawn
    triangle = GraphPosition.parse("a-b b-c c-a c-d")
    triangle = replace(triangle, instance=replace(triangle.instance, closed=True))
    graph = search_actions.find_longest(pickle.dumps(triangle)).graph
    assert graph is not None
    assert (len(graph.path), graph.closes) == (3, True)
