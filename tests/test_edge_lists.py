"""Text with two numbers a line is a list of edges where it cannot be a numbered board."""

import pytest

from kt_cp import solve
from kt_cp.board import graph_of
from kt_cp.board.board import Board
from kt_cp.count.counting import count_tours
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_dfs.backtracking import Status
from tests.helpers.command import kt

TRIANGLE = "1 2\n2 3\n3 1\n"


def edges_of(graph: Graph) -> set[frozenset[object]]:
    return {frozenset(graph.label(vertex) for vertex in arc) for arc in graph.arcs.tolist()}


def test_numbers_that_occur_twice_are_the_ends_of_edges() -> None:
    graph = graph_of(TRIANGLE)
    assert edges_of(graph) == {frozenset("12"), frozenset("23"), frozenset("31")}
    assert Instance.of(TRIANGLE, closed=True).graph == graph
    assert solve(TRIANGLE, closed=True).status is Status.FOUND
    assert count_tours(TRIANGLE, closed=True).count == 1


@pytest.mark.parametrize(
    "text", ["5 9", "0 1\n1 2", "1 2\n\n2 3\n", " 10\t20\r\n20\t30", "3 3\n3 4"]
)
@pytest.mark.filterwarnings("ignore:ignored. 1 loop")
def test_numbers_that_are_no_steps_of_so_small_a_board_are_edges(text: str) -> None:
    assert not isinstance(graph_of(text), Board)


@pytest.mark.parametrize("text", ["1 2\n3 4\n", "1 4\n. 3", "1 2 #\n5 3 4"])
def test_steps_of_a_board_are_read_as_a_map(text: str) -> None:
    assert isinstance(Instance.of(text).graph, Board)


@pytest.mark.parametrize("text", ["1 2\n2 3\n; kind: open", "1 2 3\n2 3 1"])
def test_a_map_with_a_note_or_more_columns_stays_a_map(text: str) -> None:
    with pytest.raises(InputError, match="step 2 is given twice"):
        Instance.of(text)


def test_a_piece_or_a_topology_asks_for_a_board() -> None:
    assert solve("1 2\n", piece="wazir").status is Status.FOUND
    with pytest.raises(InputError, match="step 2 is given twice"):
        Instance.of(TRIANGLE, piece="king")


@pytest.mark.parametrize("text", ["1 2", "2 1\n"])
def test_one_line_that_may_be_steps_or_an_edge_is_refused_with_both_ways(text: str) -> None:
    with pytest.raises(InputError, match=r"can be read as .* or as an edge: give .*edgelist"):
        solve(text)


def test_the_command_reads_edges_from_standard_input_and_says_so() -> None:
    done = kt("solve", "-", "--closed", stdin=TRIANGLE)
    assert done.stdout.split() == ["1", "2", "3"]
    assert "read as the edges of a graph of 3 vertices" in done.stderr
    assert kt("count", "-", "--closed", stdin=TRIANGLE).stdout.split()[0] == "1"
    done = kt("solve", "-", stdin="1 2\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
