"""An exported instance, solved by the tool it is meant for, has the tours that it has here."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Cadical153

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.count.counting import count_tours
from kt_cp.export import export_lines
from kt_cp.messages import InputError
from kt_cp.model import plain
from kt_cp.notation.read import parse_path
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.tour.tour import Tour
from tests.helpers.command import ROOT, kt
from tests.helpers.oracle import moves_along

Arcs = list[tuple[str, str]]

DEPOT = "depot"


def text(instance: Instance, form: str) -> str:
    return "".join(f"{line}\n" for line in export_lines(instance, form))


def names_of(instance: Instance) -> list[str]:
    """The names of the vertices in the order of their nodes."""
    return [instance.graph.name(vertex) for vertex in instance.graph.vertices.tolist()]


def by_cp_sat(instance: Instance) -> Iterator[Arcs]:
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text(instance, "cp-sat"))
    names = [variable.name for variable in model.proto.variables]
    found: list[Arcs] = []

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            values = self.response_proto.solution
            used = [name for name, value in zip(names, values, strict=True) if value and name]
            found.append([(a, b) for a, b in (name.split(">") for name in used)])

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Collector())
    yield from found


def by_dimacs(instance: Instance) -> Iterator[Arcs]:
    content = text(instance, "dimacs")
    squares = re.findall(r"^c (\d+) to \d+: (\w+) is visited", content, re.M)
    formula = CNF(from_string=content)
    with Cadical153(bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            true = [literal for literal in solver.get_model() or () if literal > 0]
            steps = {}
            for first, name in squares:
                [literal] = [each for each in true if 0 <= each - int(first) < len(squares)]
                steps[literal - int(first)] = name, literal
            path = [steps[step][0] for step in range(len(squares))]
            around = path if instance.closed else [DEPOT, *path]
            yield moves_along(around, closed=True)
            solver.add_clause([-literal for _, literal in steps.values()])


def by_minizinc(instance: Instance) -> Iterator[Arcs]:
    if shutil.which("minizinc") is None and "KT_MINIZINC" not in os.environ:
        pytest.skip("needs minizinc with gecode")
    done = subprocess.run(
        ["minizinc", "--solver", "gecode", "--all-solutions", "-"],
        input=text(instance, "minizinc"),
        capture_output=True,
        text=True,
        check=True,
    )
    for solution in done.stdout.split("----------\n")[:-1]:
        arcs = [(a, b) for a, b in (line.split("-") for line in solution.split())]
        yield through_depot(instance, arcs)


def through_depot(instance: Instance, moves: Arcs) -> Arcs:
    """Add the arcs of the depot, which are not printed, to the moves of an open tour."""
    if instance.closed:
        return moves
    sources, targets = ({arc[side] for arc in moves} for side in (0, 1))
    squares = sources | targets or {"a1"}
    [start], [end] = squares - targets, squares - sources
    return [*moves, (end, DEPOT), (DEPOT, start)]


def by_clingo(instance: Instance) -> Iterator[Arcs]:
    clingo = pytest.importorskip("clingo")
    control = clingo.Control(["0"])
    control.add("base", [], text(instance, "asp"))
    control.ground([("base", [])])
    with control.solve(yield_=True) as search:
        for model in search:
            printed = f"Answer: 1\n{model}"
            if isinstance(instance.graph, Board) and len(instance.graph) > 1:
                reading = parse_path(printed, instance.board, closed=instance.closed)
                arcs = moves_along(reading.tour.names, instance.closed)
            else:
                arcs = re.findall(r'move\("(.*?)","(.*?)"\)', printed)
            yield through_depot(instance, arcs)


def by_tsplib(instance: Instance) -> Iterator[Arcs]:
    """One tour by the model of twenty lines; an edge that is fixed gets a vertex in its middle."""
    content = text(instance, "hcp")
    sections = [
        {(int(a), int(b)) for a, b in (line.split() for line in found.splitlines())}
        for found in re.findall(r"SECTION\n(.*?)-1\n", content, re.S)
    ]
    edges = sections[0]
    fixed = sections[1] if len(sections) > 1 else set()
    size = int(re.findall(r"DIMENSION : (\d+)", content)[0])
    for middle, (one, other) in enumerate(sorted(fixed), start=size + 1):
        present = {(one, other), (other, one)} & edges
        edges = (edges - present) | ({(one, middle), (middle, other)} if present else set())
    arcs = [arc for edge in edges for arc in (edge, edge[::-1])]
    order = plain.find_tour([*range(1, size + len(fixed) + 1)], arcs, closed=True)
    if order is not None:
        names = names_of(instance)
        names.append(DEPOT)
        path = [names[vertex - 1] for vertex in order if vertex <= size]
        yield moves_along(path, closed=True)


def by_mps(instance: Instance) -> Iterator[Arcs]:
    """One tour by an integer program, which CP-SAT solves too."""
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()
    assert model.helper.import_from_mps_string(text(instance, "mps"))
    solver = model_builder.Solver("sat")
    if solver.solve(model) == model_builder.SolveStatus.OPTIMAL:
        used = [each.name for each in model.get_variables() if solver.value(each) > 0.5]
        arcs = [name.split(">") for name in used if ">" in name]
        if not isinstance(instance.graph, Board):  # whose arcs have the numbers of vertices
            names = names_of(instance)
            arcs = [[end if end == DEPOT else names[int(end)] for end in arc] for arc in arcs]
        yield [(a, b) for a, b in arcs]


def by_lkh(instance: Instance) -> Iterator[Arcs]:
    """One tour by LKH, from the distances; it is a tour of the board if it has the length told."""
    elkai = pytest.importorskip("elkai")
    content = text(instance, "tsp")
    size = int(re.findall(r"DIMENSION : (\d+)", content)[0])
    length = int(re.findall(r"of length (\d+)", content)[0])
    distances = np.zeros((size, size), dtype=int)
    listed = content.split("SECTION\n")[1].replace("EOF", "").split()
    distances[np.triu_indices(size, 1)] = [int(each) for each in listed]
    distances += distances.T
    if size < 3:
        return
    order = elkai.DistanceMatrix(distances.tolist()).solve_tsp()[:-1]
    if distances[order, np.roll(order, -1)].sum() == length:
        names = names_of(instance)
        path = [[*names, DEPOT][node] for node in order]
        yield moves_along(path, closed=True)


def solution_of_highs(problem: Path, solution: Path) -> None:
    highspy = pytest.importorskip("highspy")
    highs = highspy.Highs()
    highs.silent()
    assert highs.readModel(str(problem)) == highspy.HighsStatus.kOk  # kWarning: names are dropped
    highs.run()
    if highs.getModelStatus() == highspy.HighsModelStatus.kOptimal:
        highs.writeSolution(str(solution), 0)


def solution_of_scip(problem: Path, solution: Path) -> None:
    scip = pytest.importorskip("pyscipopt").Model()
    scip.hideOutput()
    scip.readProblem(str(problem))
    scip.optimize()
    if scip.getStatus() == "optimal":
        scip.writeBestSol(str(solution))


TOOLS: Mapping[str, Callable[[Instance], Iterator[Arcs]]] = {
    "cp-sat": by_cp_sat,
    "dimacs": by_dimacs,
    "minizinc": by_minizinc,
    "asp": by_clingo,
    "hcp": by_tsplib,
    "tsp": by_lkh,
    "mps": by_mps,
}
UNDIRECTED_FORMS = ("hcp", "tsp")


def tour(instance: Instance, arcs: Arcs, undirected: bool) -> Tour | None:
    """The tour that some arcs are, of the instance if it meets its constraints."""
    after = dict(arcs)
    assert len(after) == len(arcs) == len(TourGraph(instance))
    ways = [after, {b: a for a, b in arcs}] if undirected else [after]
    for way in ways:
        for first in sorted(way) if instance.closed else [way[DEPOT]]:
            path = [first]
            while len(path) < len(instance.graph):
                path.append(way[path[-1]])
            made = Tour(instance.board, path, instance.closed)
            if instance.satisfied_by(made.squares):
                return made
    return None


HOLES = "..#...\n......\n......\n...#..\n......\n......"
UNDIRECTED: list[tuple[str | Board, dict[str, Any]]] = [
    ("3x4", {}),
    ("4x4", {}),
    ("3x4", {"start": "a3", "require": ["a3-c2"]}),
    ("3x4", {"start": "a3", "end": "b3"}),
    ("3x4", {"end": "d1", "forbid": ["a1-b3"]}),
    ("5x5", {"start": "a5", "end": "e1", "forbid": ["a5-b3"]}),
    ("5x6", {"closed": True, "start": "c3", "require": ["c3-d5"]}),
    ("5x5", {"closed": True}),
    (HOLES, {"closed": True}),
    (HOLES, {"start": "a1"}),
    (Board(2, 3, piece="king"), {"closed": True}),
    (Board(1, 2, piece="king"), {}),
    (Board(1, 2, piece="king"), {"closed": True, "require": ["a1-b1"]}),
    (Board(3, 3, holes=[4]), {"closed": True, "require": ["a1-b3"]}),
]
DIRECTED: list[tuple[str | Board, dict[str, Any]]] = [
    ("1x1", {}),
    ("1x1", {"closed": True}),
    ("3x4", {"require": ["a3>c2"]}),
    ("3x4", {"require": ["a3>c2"], "forbid": ["a3>c2"]}),
    ("3x4", {"start": "a3", "forbid": ["a3>c2"]}),
    (Board(3, 3, holes=[1], piece="horse"), {}),
    (Board(3, 3, holes=[1], piece="horse"), {"require": ["c2-a3"]}),  # a move one way only
]
NUMBERED: list[tuple[str | Board, dict[str, Any]]] = [
    ("3x4", {"givens": {"c2": 2, "d1": 12}}),
    ("5x6", {"closed": True, "givens": {"c3": 3, "d5": 4}}),
    ("5x6", {"closed": True, "givens": {"c3": 3, "d5": 6}}),
]
CASES = [
    (form, *case)
    for form in TOOLS
    for case in [
        *UNDIRECTED,
        *(DIRECTED if form not in UNDIRECTED_FORMS else []),
        *(NUMBERED if form in ("cp-sat", "dimacs") else []),
    ]
]


@pytest.mark.parametrize(("form", "board", "constraints"), CASES)
def test_the_tool_of_a_format_finds_a_tour_just_where_there_is_one(
    form: str, board: str | Board, constraints: dict[str, Any]
) -> None:
    instance = Instance.of(board, **constraints)
    arcs = next(TOOLS[form](instance), None)
    if arcs is None:
        assert solve(board, **constraints).tour is None
    else:
        assert tour(instance, arcs, undirected=form in UNDIRECTED_FORMS)


@pytest.mark.parametrize("solver", [solution_of_highs, solution_of_scip])
@pytest.mark.parametrize(("board", "constraints"), [*UNDIRECTED, *DIRECTED[2:]])
def test_the_solution_of_an_integer_program_is_read_back_as_the_tour(
    solver: Callable[[Path, Path], None],
    board: str | Board,
    constraints: dict[str, Any],
    tmp_path: Path,
) -> None:
    instance = Instance.of(board, **constraints)
    problem, solution = tmp_path / "tour.mps", tmp_path / "tour.sol"
    problem.write_text(text(instance, "mps"))
    solver(problem, solution)
    if not solution.exists():
        assert solve(board, **constraints).tour is None
        return
    written = solution.read_text()
    found = parse_path(written, instance.board, closed=instance.closed).tour
    assert found.closed == instance.closed
    assert any(instance.satisfied_by(way) for way in ways_to_walk(found.squares, instance))


def ways_to_walk(squares: Any, instance: Instance) -> list[Any]:
    """The squares of a tour from each of them, if it is closed."""
    return [np.roll(squares, -k) for k in range(len(squares))] if instance.closed else [squares]


@pytest.mark.parametrize(("closed", "nodes"), [(True, 36), (False, 37)])
def test_the_solution_of_concorde_is_read_back_as_the_tour(closed: bool, nodes: int) -> None:
    """It prints a count, and then the numbers of the vertices from 0, ten on a line."""
    instance = Instance.of("6x6", closed=closed)
    found = solve(instance).tour
    assert found is not None
    order = TourGraph(instance).cycle(found.squares)
    rows = [" ".join(map(str, np.roll(order, 9)[row : row + 10])) for row in range(0, nodes, 10)]
    reading = parse_path(f"{nodes}\n" + " \n".join(rows), closed=closed)
    assert reading.verdict == f"valid {instance.kind} tour of 6x6, 36 squares"


@pytest.mark.parametrize("form", ["tsp", "hcp"])
def test_the_command_says_that_weights_are_left_out(form: str) -> None:
    done = kt("export", "-", "--graph", "edgelist", "--format", form, stdin="a b 5\nb c 1\nc a 2\n")
    assert "note: the weight of edges is left out: the file asks for any " in done.stderr
    done = kt("export", "-", "--graph", "edgelist", "--format", form, stdin="a b\nb c\nc a\n")
    assert "left out" not in done.stderr


FORMATS = (ROOT / "docs" / "reference" / "formats.md").read_text("utf-8")


@pytest.mark.dependencies
@pytest.mark.parametrize("code", re.findall(r"^```python\n(.*?)^```", FORMATS, re.M | re.S))
def test_the_programs_of_the_documents_write_what_is_read_back(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(re.findall(r"^from (\w+)", code, re.M)[0])
    instance = Instance.of("6x6", closed=True)
    (tmp_path / "tour.mps").write_text(text(instance, "mps"))
    (tmp_path / "tour.cnf").write_text(text(instance, "dimacs"))
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert parse_path(Path("tour.sol").read_text(), closed=True).valid


@pytest.mark.parametrize("form", TOOLS)
def test_a_graph_has_the_names_of_its_vertices(form: str) -> None:
    """The Petersen graph has a Hamiltonian path and no Hamiltonian cycle."""
    edges = {
        pair for i in range(5) for pair in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))
    }
    assert list(TOOLS[form](Instance.of(list(edges), closed=True))) == []
    arcs = next(TOOLS[form](Instance.of(list(edges))))
    moves = [(int(a), int(b)) for a, b in arcs if DEPOT not in (a, b)]
    assert len(moves) == 9
    assert all({(a, b), (b, a)} & edges for a, b in moves)


@pytest.mark.parametrize("form", [form for form in TOOLS if form not in (*UNDIRECTED_FORMS, "mps")])
@pytest.mark.parametrize(
    ("board", "constraints"),
    [
        ("3x4", {}),
        ("3x4", {"start": "a3"}),
        ("5x6", {"closed": True}),
        ("5x6", {"closed": True, "having": ["turns=28"]}),
        ("3x4", {"order": ["a1", "d2", "b3"]}),
    ],
)
def test_the_solutions_of_a_file_are_the_tours(
    form: str, board: str, constraints: dict[str, Any]
) -> None:
    if {"having", "order"} & constraints.keys() and form not in ("cp-sat", "dimacs"):
        return
    instance = Instance.of(board, **constraints)
    found = [tour(instance, arcs, undirected=False) for arcs in TOOLS[form](instance)]
    count = count_tours(board, **constraints).count
    # Closed tours in both directions, of which the model of CP-SAT keeps one.
    ways = 2 if constraints.get("closed") and form != "cp-sat" else 1
    assert None not in found
    assert len(found) == len({each.squares.tobytes() for each in found if each}) == ways * count > 0


@pytest.mark.parametrize(
    ("form", "constraints", "message"),
    [
        ("minizinc", {"having": ["turns<=40"]}, "cannot hold bounds on features, only a start"),
        ("hcp", {"givens": {"c2": 2}}, "cannot hold given steps, only a start"),
        ("hcp", {"require": ["a1>b3"]}, "cannot hold moves in one direction"),
        ("asp", {"symmetry": "half-turn"}, "cannot hold a symmetry, only a start"),
        ("cp-sat", {"symmetry": "half-turn"}, ": tours with symmetry half-turn take 2 models"),
        ("cp-sat", {"symmetry": "left-right"}, ": tours with symmetry left-right take no model"),
    ],
)
def test_a_constraint_that_a_format_cannot_hold_is_refused_by_name(
    form: str, constraints: dict[str, Any], message: str
) -> None:
    board = Board(6, 6, holes=[3]) if "left-right" in message else Board(6, 6)
    with pytest.raises(InputError, match=f"format {form} ?{message}"):
        list(export_lines(Instance.of(board, closed=True, **constraints), form))


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    message = "format 'foo': give one of cp-sat, dimacs, minizinc, hcp, tsp, asp, mps"
    with pytest.raises(InputError, match=f"^{message}$"):
        export_lines(Instance(Board(3, 4)), "foo")


def test_a_board_that_a_format_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="format hcp cannot hold moves in one direction"):
        list(export_lines(Instance(Board(3, 3, [1], piece="horse")), "hcp"))
    with pytest.raises(InputError, match="dimacs takes boards of up to 256 squares; this one has"):
        list(export_lines(Instance(Board(16, 17)), "dimacs"))


def test_a_graph_of_tsplib_numbers_the_squares_without_the_holes() -> None:
    lines = [*export_lines(Instance(Board(3, 3, [4]), closed=True), "hcp")]
    assert lines[3] == "DIMENSION : 8"
    assert lines[6:] == ["1 5", "1 7", "2 6", "2 8", "3 4", "3 7", "4 8", "5 6", "-1", "EOF"]
