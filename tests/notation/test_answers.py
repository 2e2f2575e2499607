"""What solvers print about the problems that `kt export` writes is read again."""

import itertools
import json
import re
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical153

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.export import export_lines
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.notation.write import write_tour
from kt_cp.problem.instance import Instance

PRISM = Graph.from_edges(
    [],
    [
        *zip("abc", "bca", strict=True),
        *zip("def", "efd", strict=True),
        *zip("abc", "def", strict=True),
    ],
    False,
)
LONG_NAMES = Graph.from_edges(
    [], [("New York", "Los Angeles"), ("Los Angeles", "A-B"), ("A-B", "New York")], False
)


def formula(instance: Instance) -> str:
    return "".join(f"{line}\n" for line in export_lines(instance, "dimacs"))


def values(content: str) -> str:
    """What a solver of the SAT competitions prints."""
    with Cadical153(bootstrap_with=CNF(from_string=content).clauses) as solver:
        if not solver.solve():
            return "c a comment\ns UNSATISFIABLE\n"
        model = [str(literal) for literal in solver.get_model() or ()]
    rows = itertools.zip_longest(*[iter(model)] * 20, fillvalue="")
    lines = "\n".join(f"v {' '.join(row).strip()}" for row in rows)
    return f"c a comment\ns SATISFIABLE\n{lines}\nv 0\n"


SOLVABLE: list[tuple[Any, dict[str, Any]]] = [
    ("5x5", {}),
    ("5x6", {"closed": True}),
    ("3x4", {"start": "a3"}),
    (Board(3, 3, [4]), {"closed": True}),
    (Board(1, 1), {}),
    (PRISM, {"closed": True}),
    (LONG_NAMES, {"start": "A-B"}),
]


@pytest.mark.parametrize(("board", "asked"), SOLVABLE)
def test_the_values_of_a_sat_solver_are_a_tour_of_the_board(
    board: Any, asked: dict[str, Any]
) -> None:
    reading = parse_path(values(formula(Instance.of(board, **asked))), board)
    assert reading.verdict.startswith("valid")
    assert reading.read_as.endswith("from the values of a SAT solver")
    assert Instance.of(board, **asked).satisfied_by(reading.tour.squares)


@pytest.mark.parametrize("together", [False, True])
def test_without_the_board_the_values_or_the_comments_of_the_formula_tell_it(
    together: bool,
) -> None:
    content = formula(Instance.of("6x6", closed=True))
    text = content + values(content) if together else values(content)
    assert parse_path(text).verdict == "valid closed tour of 6x6, 36 squares"


@pytest.mark.parametrize("board", [None, "6x6", PRISM])
@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("dimacs", "this is a formula, not a path; give the values"),
        ("minizinc", "this is a MiniZinc model, not a path; give the moves"),
        ("mps", "this is an integer program, not a path; give the solution"),
    ],
)
def test_a_model_for_another_solver_is_no_path(form: str, words: str, board: Any) -> None:
    model = "\n".join(export_lines(Instance.of("6x6"), form))
    with pytest.raises(InputError, match=words):
        parse_path(model, board)


def test_values_for_another_board_are_refused() -> None:
    text = values(formula(Instance.of("3x4")))
    with pytest.raises(InputError, match="those of no tour of 30 squares, by the formula that"):
        parse_path(text, "5x6")
    with pytest.raises(InputError, match="any number of squares"):
        parse_path("v 1 2 3 4 5 0")


@pytest.mark.parametrize(
    "text",
    [
        values(formula(Instance.of("3x3"))),
        "s UNKNOWN\n",
        "clingo version 5.7.1\nReading from stdin\nSolving...\nUNSATISFIABLE\n\nModels : 0\n",
        "=====UNSATISFIABLE=====\n",
        "UNSAT\n",
    ],
)
@pytest.mark.parametrize("board", [None, "3x3", PRISM])
def test_a_solver_that_found_none_is_said_to_have_found_none(text: str, board: Any) -> None:
    with pytest.raises(InputError, match=r"no path: the solver (found none|reached a limit)"):
        parse_path(text, board)


def arcs_of(reading_of: Any, closed: bool, joint: str) -> list[str]:
    names = [*reading_of] if closed else ["depot", *reading_of]
    return [f"{a}{joint}{b}" for a, b in zip(names, [*names[1:], names[0]], strict=True)]


@pytest.mark.parametrize(
    "line", ["{} 1", "{}   0.9999999999 \t(obj:0)", "     12 {}                1            0"]
)
@pytest.mark.parametrize(("board", "asked"), SOLVABLE)
def test_the_solutions_of_integer_programs_come_back(
    board: Any, asked: dict[str, Any], line: str
) -> None:
    tour = solve(board, **asked).tour
    assert tour is not None
    nodes = (
        tour.names
        if isinstance(tour.graph, Board)
        else [str(vertex) for vertex in tour.squares.tolist()]
    )
    arcs = arcs_of(nodes, tour.closed, ">")
    others = [line.replace("1 ", "0 ").format(arc[::-1]) for arc in arcs if line.endswith(" 0")]
    text = "\n".join(["# Columns 9", *map(line.format, sorted(arcs)), *others, "position0 5"])
    assert parse_path(text, board).verdict == f"valid {tour.summary}"


@pytest.mark.parametrize(("board", "asked"), SOLVABLE[:4] + SOLVABLE[5:])
def test_what_minizinc_prints_comes_back(board: Any, asked: dict[str, Any]) -> None:
    tour = solve(board, **asked).tour
    assert tour is not None
    arcs = [arc for arc in arcs_of(tour.names, tour.closed, "-") if "depot" not in arc]
    printed = "\n".join([*sorted(arcs), "----------", "==========", ""])
    assert parse_path(printed, board, closed=tour.closed).verdict == f"valid {tour.summary}"
    with pytest.raises(InputError, match="the text holds 2 paths"):
        parse_path(2 * printed, board)


def lkh_tour(reading_of: list[int], closed: bool, size: int) -> str:
    """What LKH writes: the depot is the last vertex, anywhere in the tour."""
    numbers = [number + 1 for number in reading_of]
    if not closed:
        numbers = [*numbers, size + 1]
        numbers = numbers[3:] + numbers[:3]
    lines = ["NAME : 8x8.65.tour", "COMMENT : Length = 65", "TYPE : TOUR"]
    lines += [f"DIMENSION : {len(numbers)}", "TOUR_SECTION", *map(str, numbers), "-1", "EOF"]
    return "\n".join(lines)


@pytest.mark.parametrize(("board", "asked"), SOLVABLE)
def test_the_tours_of_lkh_come_back_with_and_without_the_depot(
    board: Any, asked: dict[str, Any]
) -> None:
    tour = solve(board, **asked).tour
    assert tour is not None
    places = {square: place for place, square in enumerate(tour.graph.vertices.tolist())}
    text = lkh_tour([places[square] for square in tour.squares.tolist()], tour.closed, len(tour))
    assert parse_path(text, board).verdict == f"valid {tour.summary}"
    if len(tour) > 8 and not tour.board.holes:
        assert parse_path(text).valid


def test_the_tour_of_a_graph_is_written_and_read_as_tsplib() -> None:
    tour = solve(PRISM, closed=True).tour
    assert tour is not None
    text = "".join(f"{line}\n" for line in write_tour(tour, "tsplib"))
    assert "TYPE : TOUR\nDIMENSION : 6\nTOUR_SECTION\n" in text
    reading = parse_path(text, PRISM)
    assert (reading.tour, reading.notation) == (tour, "tsplib")
    wrong = parse_path(text.replace("TOUR_SECTION\n1\n", "TOUR_SECTION\n9\n"), PRISM)
    assert wrong.faults[0].message.startswith("step 1: vertex 9 is not in the graph")


def test_the_facts_of_clingo_about_a_graph_come_back() -> None:
    text = 'Answer: 1\nmove("c","a") move("a","b") move("b","e") move("e","d") move("d","f")\n'
    assert parse_path(text, PRISM).verdict.startswith("valid Hamiltonian path")
    text = 'Answer: 1\nmove("New York","Los Angeles") move("A-B","New York")\nSATISFIABLE\n'
    assert parse_path(text, LONG_NAMES).valid


def test_one_way_moves_in_any_order_are_walked_in_their_direction() -> None:
    cycle = [0, 1, 2, 3, 4]
    graph = Graph.from_edges([], [(a, (a + 1) % 5) for a in cycle], True)
    for moves in itertools.permutations([f"{a}>{(a + 1) % 5}" for a in cycle]):
        assert parse_path(" ".join(moves), graph).verdict.startswith("valid Hamiltonian cycle")
        assert parse_path(" ".join(moves[:4]), graph).verdict.startswith("valid Hamiltonian path")
    assert not parse_path("0>1 2>1 2>3 3>4 4>0", graph)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a b c f e d", "abcfed"),
        ('{"tour": ["a", "b", "c", "f", "e", "d"], "closed": false}', "abcfed"),
        ("{'a': 1, 'b': 2, 'c': 3, 'd': 6, 'e': 5, 'f': 4}", "abcfed"),
        ("{1: 'a', 2: 'b', 3: 'c', 6: 'd', 5: 'e', 4: 'f'}", "abcfed"),
        ("('a', 'b', 'c', 'f', 'e', 'd')", "abcfed"),
        ("a-b, b-c, c-f, f-e, e-d", "abcfed"),
    ],
)
def test_a_path_of_a_graph_is_read_as_python_and_people_write_it(text: str, path: str) -> None:
    reading = parse_path(text, PRISM, closed=False)
    assert "".join(reading.tour.names) == path


def test_an_object_with_a_path_of_a_graph_may_state_its_kind() -> None:
    triangle = Graph.of([("a", "b"), ("b", "c"), ("c", "a")])
    path = {"tour": ["a", "b", "c"]}
    for kind, is_closed in (({"closed": False}, False), ({"closed": True}, True), ({}, True)):
        assert parse_path(json.dumps({**path, **kind}), triangle).closed == is_closed
    line = Graph.of([("a", "b"), ("b", "c")])
    assert not parse_path(json.dumps(path), line).closed


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tour": ["a"], "closed": "no"}, "closed: 'no': give true or false"),
        ({"tour": ["a"], "partial": 1}, "partial: 1: give true or false"),
        ({"tour": None, "status": "impossible"}, "holds no tour (status: impossible)"),
    ],
)
def test_an_object_without_a_path_or_with_a_wrong_kind_is_refused(
    fields: dict[str, Any], message: str
) -> None:
    for graph in (PRISM, Board(3, 4)):
        with pytest.raises(InputError, match=re.escape(message)):
            parse_path(json.dumps(fields), graph)


def test_steps_of_vertices_that_do_not_count_up_are_no_tour() -> None:
    reading = parse_path("{'a': 1, 'b': 3}", PRISM)
    assert reading.verdict == "not a tour: 1 gap in the steps, 4 vertices missing"
    with pytest.raises(InputError, match="are not 1, 2, 3 and so on"):
        parse_path({"a": 1, "b": 3}, PRISM)
    with pytest.raises(InputError, match="'a' occurs twice"):
        parse_path('{"a": 1, "b": 2, "a": 3}', PRISM)


def test_an_open_tour_with_the_depot_is_open_though_the_solvers_file_says_cycle() -> None:
    tour = solve("5x5").tour
    assert tour is not None
    text = lkh_tour(list(tour), False, 25).replace("Length = 65", "a Hamiltonian cycle")
    for board in (None, "5x5"):
        assert parse_path(text, board).verdict == f"valid {tour.summary}"
        assert not parse_path(text, board, closed=True)
