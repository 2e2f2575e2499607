"""Counting by frontier: published numbers, agreement with other ways to count, and limits."""

import itertools
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.count import frontier, plan, tables
from kt_cp.count.cost import MAX_WIDTH, CountProgress, ProgressLine
from kt_cp.count.counting import Count, count_tours
from kt_cp.count.frontier import count_in_memory
from kt_cp.count.plan import Plan, unsupported
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from tests.helpers.oracle import all_tours, constraints_of, tours_as_counted
from tests.helpers.strategies import instances

# From the OEIS: the first length that is listed, the step from one length to the next, and the
# numbers. Closed tours are undirected cycles, open tours directed paths (A079137 and A083386 list
# undirected ones, half as many).
CLOSED = {
    "A070030": (3, 10, 2, (
        16, 176, 1536, 15424, 147728, 1448416, 14060048, 136947616, 1332257856, 12965578752,
        126169362176, 1227776129152, 11947846468608, 116266505653888, 1131418872918784,
        11010065269439104, 107141489725900544, 1042616896632882688, 10145938076107491328,
    )),
    "A175855": (5, 6, 2, (
        8, 44202, 13311268, 4557702762, 1495135512514, 491857035772330, 161514101568508400,
        53034853662012222798,
    )),
    "A175881": (6, 5, 1, (8, 9862, 1067638)),
}  # fmt: skip
OPEN = {
    "A118067": (3, 1, 1, (
        0, 0, 0, 16, 0, 0, 104, 792, 1120, 6096, 21344, 114496, 257728, 1292544, 3677568, 17273760,
        46801984, 211731376, 611507360, 2645699504, 7725948608, 32451640000, 97488160384,
    )),
    "A079137": (4, 1, 1, (
        0, 0, 16, 0, 164, 1488, 12756, 62176, 379376, 2426224, 13367704, 72972656, 402564940,
        2167170608, 11412234916, 59638462576, 308861005448, 1581575598752, 8029891390392,
        40482609620976,
    )),
    "A083386": (5, 1, 1, (0, 0, 0, 164, 1728, 37568)),
}  # fmt: skip
# Geometrically distinct tours, by length: closed on 3 x n, open on 3 x n and 4 x n.
A169769 = {10: 6, 12: 44, 14: 396, 16: 3868}
A169777 = {4: 3, 5: 0, 6: 0, 7: 14, 8: 104, 9: 146, 10: 773}
A328341 = {3: 3, 4: 0, 5: 22, 6: 186, 7: 1603}


def lengths(
    sequences: dict[str, tuple[int, int, int, tuple[int, ...]]],
) -> list[tuple[int, int, int]]:
    return [
        (rows, first + step * place, number)
        for rows, first, step, numbers in sequences.values()
        for place, number in enumerate(numbers)
    ]


def counted(asked: Instance, in_tables: bool) -> int:
    planned = Plan(asked)
    planned.suits_tables = in_tables
    return count_in_memory(planned, Clock(None), 2**33, CountProgress(planned.expected))


def counts(board: Board | Graph, **constraints: Unpack[Constraints]) -> set[int]:
    """The numbers of tours counted one by one, in tables, and in tables without mirror images."""
    asked = Instance.of(board, **constraints)
    found = {counted(asked, in_tables=False), counted(asked, in_tables=True)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "board_symmetries", lambda graph: {})
        return found | {counted(asked, in_tables=True)}


@pytest.mark.parametrize(("rows", "columns", "number"), lengths(CLOSED))
def test_there_are_as_many_closed_tours_as_published(rows: int, columns: int, number: int) -> None:
    board = Board(rows, columns)
    if rows * columns < 36:
        assert counts(board, closed=True) == {number}
    else:
        assert counted(Instance(board, closed=True), in_tables=False) == number


@pytest.mark.parametrize(("rows", "columns", "number"), lengths(OPEN))
def test_there_are_as_many_open_tours_as_published(rows: int, columns: int, number: int) -> None:
    assert counted(Instance(Board(columns, rows)), in_tables=False) == number
    if columns < 8:
        assert counted(Instance(Board(columns, rows)), in_tables=True) == number


# A175855, A175881, A193054; D. E. Knuth, open tours of 8 x n, which A389760 lists as undirected
# paths; and those of 7 x 7 (A165134).
LARGE = [
    ("5x22", True, 17414154188157170439208),
    ("5x26", True, 1877435447920358266870897874),
    ("6x8", True, 55488142),
    ("6x12", True, 964730606632516),
    ("7x6", True, 1067638),
    ("8x3", False, 2 * 396),
    ("8x5", False, 2 * 18_061_054),
    ("8x6", False, 2 * 24_964_893_804),
    ("7x7", False, 165_575_218_320),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("size", "closed", "number"), LARGE)
def test_there_are_as_many_tours_of_large_boards_as_published(
    size: str, closed: bool, number: int
) -> None:
    assert count_tours(size, closed=closed).count == number


@pytest.mark.parametrize("small", [False, True])
@given(instance=instances())
def test_any_constraints_leave_as_many_tours_as_exhaustive_search_finds(
    instance: Instance, small: bool
) -> None:
    assume(unsupported(instance) is None)
    expected = tours_as_counted(instance)
    with pytest.MonkeyPatch.context() as patch:
        if small:  # parts, and counts of several digits
            patch.setattr(frontier, "_CHUNK", 50)
            patch.setattr(tables, "_CHUNK", 50)
            patch.setattr(tables, "_DIGIT_BITS", 2)
        if Plan(instance).width <= MAX_WIDTH:
            assert counts(instance.board, **constraints_of(instance)) == {len(expected)}
        else:
            assume(not small)  # many states in tiny parts take minutes
            assert counted(instance, in_tables=False) == len(expected)


# The number of Hamiltonian cycles: of a complete graph (n - 1)! / 2, of the dodecahedron 30
# (Hamilton 1857), of the tesseract 1344 (A066037), of the Petersen graph none, of a grid of
# 6 x 6 points 1072 (A003763).
@pytest.mark.parametrize(
    ("name", "cycles"),
    [("complete", 360), ("dodecahedron", 30), ("tesseract", 1344), ("petersen", 0), ("grid", 1072)],
)
def test_any_graph_has_as_many_cycles_as_published(name: str, cycles: int) -> None:
    networkx = pytest.importorskip("networkx")
    known = networkx.convert_node_labels_to_integers(
        {
            "complete": lambda: networkx.complete_graph(7),
            "dodecahedron": networkx.dodecahedral_graph,
            "tesseract": lambda: networkx.hypercube_graph(4),
            "petersen": networkx.petersen_graph,
            "grid": lambda: networkx.grid_2d_graph(6, 6),
        }[name]()
    )
    graph = Graph(list(known), np.array(known.edges))
    assert counts(graph, closed=True) == {cycles}


def de_bruijn(length: int) -> Graph:
    """The graph of the words of zeros and ones: from each leads an arc to its two successors."""
    words = ["".join(letters) for letters in itertools.product("01", repeat=length)]
    arcs = [
        (words.index(word), words.index(word[1:] + letter)) for word in words for letter in "01"
    ]
    return Graph(words, np.array([arc for arc in arcs if arc[0] != arc[1]]), directed=True)


@st.composite
def digraphs(draw: st.DrawFn) -> Graph:
    """Directed graphs of up to seven vertices, most of them dense enough to have tours."""
    size = draw(st.integers(1, 7))
    pairs = list(itertools.permutations(range(size), 2))
    missing = draw(st.sets(st.sampled_from(pairs), max_size=len(pairs) // 2)) if pairs else set()
    arcs = np.array([pair for pair in pairs if pair not in missing], dtype=int).reshape(-1, 2)
    return Graph("abcdefg"[:size], arcs, directed=True)


@pytest.mark.parametrize("method", ["frontier", "enumerate"])
@given(graph=digraphs(), closed=st.booleans())
def test_digraphs_have_as_many_tours_as_exhaustive_search_finds(
    method: str, graph: Graph, closed: bool
) -> None:
    expected = len(set(all_tours(Instance.of(graph, closed=closed))))
    count = count_tours(graph, closed=closed, method=method)
    assert count == Count(expected, True, "directed closed" if closed else "directed open")


# N. G. de Bruijn 1946: 2 ** (2 ** (n - 1) - n) cycles through all words of length n.
@pytest.mark.parametrize("length", [2, 3, 4, 5, 6])
def test_there_are_as_many_de_bruijn_sequences_as_proven(length: int) -> None:
    count = count_tours(de_bruijn(length), closed=True, method="frontier")
    expected = 2 ** (2 ** (length - 1) - length)
    assert count == Count(expected, True, "directed closed")


@pytest.mark.parametrize(
    ("rows", "columns", "closed", "classes"),
    [
        *((3, columns, True, classes) for columns, classes in A169769.items()),
        *((3, columns, False, classes) for columns, classes in A169777.items()),
        *((4, columns, False, classes) for columns, classes in A328341.items()),
    ],
)
def test_there_are_as_many_classes_as_published(
    rows: int, columns: int, closed: bool, classes: int
) -> None:
    count = count_tours(Board(rows, columns), closed=closed, up_to_symmetry=True, method="frontier")
    assert count == Count(classes, True, "classes")


def test_auto_says_how_it_counted() -> None:
    assert count_tours("6x6", closed=True).method == "frontier"
    assert count_tours("5x5", closed=True).method == "refute"
    assert count_tours("6x6", closed=True, symmetry="half-turn").method == "enumerate"
    assert count_tours("6x6", closed=True, limit=5).method == "enumerate"
    assert count_tours("20x20", closed=True, time_limit=0.5).method == "frontier"
    solved = count_tours(Board(4, 8, topology="cylinder"), closed=True)
    assert (solved.count, solved.complete) == (0, True)
    assert solved.method in ("refute", "cuts", "circuit")


def test_counts_that_do_not_end_say_how_far_they_came() -> None:
    short = count_tours("6x6", method="frontier", memory_limit=1)
    assert short == Count(0, False, "directed open")
    assert short.note is not None
    assert short.note.startswith("the memory limit was reached: frontier of 13 squares, ")
    assert "of 37 done, " in short.note
    late = count_tours("7x8", closed=True, method="frontier", time_limit=0.2)
    assert (late.complete, late.note) == (False, "the time limit was reached")
    large = count_tours("10x10", time_limit=9, memory_limit=500)
    assert large.note is not None
    assert large.note.startswith("a frontier of 21 vertices, about ")


def test_progress_and_the_table_of_layers(tmp_path: Path) -> None:
    lines: list[ProgressLine] = []
    log = tmp_path / "layers.csv"
    count_tours("5x6", closed=True, method="frontier", progress=lines.append, log=log)
    assert not any(line.is_forecast for line in lines)
    assert lines[0] == "1 of 30 squares, about 0 s left, 1 states, 0 MiB in memory"
    assert lines[23].startswith("24 of 30 squares, ")
    first, *rows = log.read_text().splitlines()
    assert (first, len(rows)) == ("squares,states,bytes,seconds", 25)
    lines.clear()
    count_tours("7x8", closed=True, time_limit=0.5, progress=lines.append)
    assert lines[0] == (
        "a frontier of 14 vertices, about 6,800,000 states, 4 s and 155 MiB in memory"
    )


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"symmetry": "half-turn"}, "^method frontier, spill and jobs do not support a symmetry; "),
        (
            {"require": ["a1-b3"], "forbid": ["a1>b3"]},
            "do not support moves in one direction only beside a move required in either",
        ),
        ({"limit": 5}, "do not support a limit; "),
        ({"method": "auto", "symmetry": "half-turn", "spill": "states"}, "support a symmetry; "),
        ({"method": "enumerate", "jobs": 2}, "do not support method enumerate; "),
        ({"jobs": 0}, "^jobs 0: give at least 1$"),
        ({"method": "guess"}, "^method 'guess': give one of auto, enumerate, frontier$"),
        ({"memory_limit": 0}, "^memory limit 0: give a number of MiB above 0$"),
        ({"limit": 0}, "^limit 0: give at least 1$"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        count_tours(Board(6, 6), **{"method": "frontier", **asked})


def test_a_dry_run_returns_what_a_count_is_expected_to_take() -> None:
    dry = count_tours("8x8", dry_run=True)
    assert (dry.complete, dry.method) == (False, "frontier")
    assert dry.expected is not None
    assert dry.note == str(dry.expected)
    assert 600 < dry.expected.seconds < 6000
    assert 2**34 < dry.expected.memory_bytes < 2**37
    assert count_tours("6x6", having=["turns<=20"], dry_run=True).expected is None
