"""Export instances to other tools: CP-SAT, SAT, MiniZinc, TSPLIB, answer sets and MPS.

If a format states a circuit, its vertices are those of the graph in ascending order and, for an
open tour, a last one, the depot, which joins the end to the start.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from kt_cp.board import Board
from kt_cp.graph_files.tsplib import MAX_TOWNS
from kt_cp.messages import InputError, checked_choice, join_words
from kt_cp.methods.method import CONSTRAINTS, used_constraints
from kt_cp.methods.peers import CircuitArcs
from kt_cp.notation.formats import DEPOT
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph

# The formula has a variable for each square and step, and some twenty clauses for each variable.
MAX_FORMULA_SQUARES = 256


class ExportFormat(StrEnum):
    """A format that states an instance for another tool."""

    CP_SAT = "cp-sat"
    DIMACS = "dimacs"
    MINIZINC = "minizinc"
    HCP = "hcp"
    TSP = "tsp"
    ASP = "asp"
    MPS = "mps"


def export_lines(instance: Instance, form: ExportFormat | str) -> Iterator[str]:
    """Yield the lines of a file that states an instance in a format, without solving it.

    Raises `InputError` for an unknown format, for a constraint that the format cannot hold, and for
    a board that is too large for it.

    >>> lines = export_lines(Instance.of("3x4", forbid=["a1-b3"]), "hcp")
    >>> next(lines), next(lines)
    ('NAME : 3x4', 'COMMENT : open tours of 3x4; vertex 13 joins the end to the start')
    """
    form = checked_choice("format", form, ExportFormat)
    lines_of, supported = _WRITERS[form]
    unsupported = used_constraints(instance) - supported
    for name, words in CONSTRAINTS.items():
        if name in unsupported:
            held = join_words([CONSTRAINTS[each] for each in CONSTRAINTS if each in supported])
            raise InputError(
                f"format {form} cannot hold {words}, only {held};"
                " format cp-sat holds every constraint"
            )
    return lines_of(instance)


def model_bytes(instance: Instance) -> bytes:
    """Return the CP-SAT model of an instance as a binary protocol buffer.

    `export_lines` yields the same model as text.
    """
    from ortools.sat.python.cp_model_helper import CpSatHelper

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model.pb")
        CpSatHelper.write_model_to_file(_named_model(instance), str(file))
        return file.read_bytes()


def _title(instance: Instance) -> str:
    """Return a noun phrase for the tours asked for, such as "open tours of 5x5"."""
    return f"{instance.kind} tours of {instance.graph.title}"


def _names(instance: Instance) -> list[str]:
    """Return the names of the vertices, the last of which is the depot of an open tour."""
    names = [instance.graph.name(vertex) for vertex in instance.graph.vertices.tolist()]
    return names if instance.closed else [*names, DEPOT]


def _cp_sat_lines(instance: Instance) -> Iterator[str]:
    """Yield the circuit model as text."""
    return iter(str(_named_model(instance)).splitlines())


def _named_model(instance: Instance) -> Any:
    """Return the circuit model, in which each variable has the name of its arc."""
    from kt_cp.model.circuit import build_models

    models = build_models(instance)
    if len(models) != 1:
        number = f"{len(models)} models" if models else "no model: the board does not have it"
        raise InputError(f"format cp-sat: tours with symmetry {instance.symmetry} take {number}")
    [model] = models
    names = _names(instance)
    variables = model.cp.proto.variables
    arcs = zip(model.arcs.literals.tolist(), model.arcs.pairs.tolist(), strict=True)
    for literal, (source, target) in arcs:
        if not variables[literal].name:
            variables[literal].name = f"{names[source]}>{names[target]}"
    model.cp.proto.name = _title(instance)
    return model.cp.proto


def _dimacs_lines(instance: Instance) -> Iterator[str]:
    """Yield the position formula: variables for each square and step, and for each move."""
    from kt_cp.puzzles.puzzle import Given
    from kt_cp.puzzles.uniqueness import PositionFormula

    squares = instance.graph.vertices.tolist()
    if len(squares) > MAX_FORMULA_SQUARES:
        raise InputError(
            f"format dimacs takes boards of up to {MAX_FORMULA_SQUARES} squares;"
            f" this one has {len(squares):,}"
        )
    clauses: list[Sequence[int]] = []
    formula = PositionFormula(instance, SimpleNamespace(add_clause=clauses.append))
    fixed = formula.literals_of(instance)
    if instance.closed and not instance.steps:
        first = squares[0] if instance.first is None else instance.first
        fixed.append(formula.literal(Given(first, 1)))
    clauses += ([literal] for literal in fixed)
    yield f"c {_title(instance)}: every satisfying assignment is a tour"
    for square in squares:
        literal = formula.literal(Given(square, 1))
        name = instance.graph.name(square)
        yield f"c {literal} to {literal + len(squares) - 1}: {name} is visited at step 1, 2, ..."
    for move in itertools.starmap(Move, instance.edges.tolist()):
        yield f"c {formula.literal(move)}: the move {move.describe(instance.graph)} is used"
    yield "c all other variables are auxiliary"
    yield f"p cnf {max(map(abs, itertools.chain(*clauses)))} {len(clauses)}"
    for clause in clauses:
        yield " ".join(map(str, [*clause, 0]))


def _minizinc_lines(instance: Instance) -> Iterator[str]:
    """Yield a MiniZinc model: the vertex after each vertex, and the constraint circuit."""
    names = _names(instance)
    problem = CircuitArcs(instance)
    after: list[list[int]] = [[] for _ in names]
    for source, target in problem.arcs:
        after[source].append(target + 1)
    yield f"% {_title(instance)}"
    yield 'include "circuit.mzn";'
    yield f"int: n = {len(names)};"
    yield f"array[1..n] of string: name = {json.dumps(names, ensure_ascii=False)};"
    yield "array[1..n] of set of int: after = ["
    yield from (f"  {{{', '.join(map(str, targets))}}}," for targets in after)
    yield "];"
    yield "array[1..n] of var 1..n: next;"
    yield "constraint forall(v in 1..n)(next[v] in after[v]);"
    yield "constraint circuit(next);"
    for choice in problem.required:
        one = " \\/ ".join(f"next[{source + 1}] = {target + 1}" for source, target in choice)
        yield f"constraint {one or 'false'};"
    yield "solve :: int_search(next, first_fail, indomain_min) satisfy;"
    count = len(instance.graph)  # the moves of the depot, the vertex after these, are not printed
    yield f'output [name[v] ++ "-" ++ name[fix(next[v])] ++ "\\n" | v in 1..{count}'
    yield f"  where fix(next[v]) <= {count}];"


def _asp_lines(instance: Instance) -> Iterator[str]:
    """Yield the program of the method clingo, which prints the moves as facts."""
    graph = instance.graph
    yield f"% {_title(instance)}"
    yield from CircuitArcs(instance).clingo_program()
    for node, vertex in enumerate(graph.vertices.tolist()):
        name = json.dumps(graph.name(vertex), ensure_ascii=False)
        if isinstance(graph, Board):
            name = f"({vertex // graph.columns + 1},{vertex % graph.columns + 1})"
        yield f"name({node},{name})."
    yield "#show. #show move(A,B) : in(X,Y), name(X,A), name(Y,B)."


def _tsplib_head(graph: TourGraph, kind: str, comment: str) -> Iterator[str]:
    """Yield the header of TSPLIB (Reinelt 1991), whose last vertex is the depot."""
    instance = graph.instance
    if instance.one_way:
        raise InputError(
            f"format {kind.lower()} cannot hold moves in one direction, as the graph has edges"
        )
    closing = "" if instance.closed else f"; vertex {len(graph)} joins the end to the start"
    yield f"NAME : {instance.graph.title}"
    yield f"COMMENT : {_title(instance)}{closing}{comment}"
    yield from (f"TYPE : {kind}", f"DIMENSION : {len(graph)}")


def _hcp_lines(instance: Instance) -> Iterator[str]:
    """Yield a graph of TSPLIB with vertices from 1."""
    graph = TourGraph(instance)
    yield from _tsplib_head(graph, "HCP", "")
    yield from ("EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION")
    yield from (f"{source} {target}" for source, target in (graph.edges + 1).tolist())
    yield "-1"
    if len(graph.required_pairs):
        yield "FIXED_EDGES_SECTION"
        yield from (f"{source} {target}" for source, target in (graph.required_pairs + 1).tolist())
        yield "-1"
    yield "EOF"


def _tsp_lines(instance: Instance) -> Iterator[str]:
    """Yield distances: 0 for a required edge, 1 for another edge, and 2 where there is none."""
    graph = TourGraph(instance)
    if len(graph) > MAX_TOWNS:
        raise InputError(f"format tsp takes graphs of up to {MAX_TOWNS:,} vertices")
    distances = np.full((len(graph), len(graph)), 2)
    distances[tuple(graph.edges.T)] = 1
    length = len(graph) - len(graph.required_pairs)
    distances[tuple(graph.required_pairs.T)] -= 1  # to 1 for an edge that is forbidden, too
    yield from _tsplib_head(graph, "TSP", f"; a tour of length {length} is one, a longer is none")
    yield from (
        "EDGE_WEIGHT_TYPE : EXPLICIT",
        "EDGE_WEIGHT_FORMAT : UPPER_ROW",
        "EDGE_WEIGHT_SECTION",
    )
    for row, weights in enumerate(distances[:-1].tolist(), start=1):
        yield " ".join(map(str, weights[row:]))
    yield "EOF"


def _mps_lines(instance: Instance) -> Iterator[str]:
    """Yield an integer program in free MPS: arcs of value 0 or 1, and positions of the nodes.

    Every node has one arc in use that leaves it and one that enters it, each required move uses one
    of its arcs, and along an arc that avoids the last node the position grows (Miller, Tucker and
    Zemlin 1960). These are the rows; the columns are the arcs and the positions.
    """
    problem = CircuitArcs(instance)
    last = len(problem.graph) - 1
    names = _names(instance)
    if not isinstance(instance.graph, Board):  # their names may contain spaces
        names = [*map(str, range(len(instance.graph))), DEPOT]
    variables = {(a, b): f"{names[a]}>{names[b]}" for a, b in problem.arcs}
    degree_rows = [f"{side}{node}" for node in range(last + 1) for side in ("leave", "enter")]
    required_rows = {
        f"required{number}": [*map(tuple, arcs)] for number, arcs in enumerate(problem.required)
    }
    order_rows = {arc: f"order{number}" for number, arc in enumerate(variables) if last not in arc}
    coefficients: dict[int, list[str]] = {}  # of the position of each node, after their rows
    for (source, target), row in order_rows.items():
        coefficients.setdefault(source, []).append(f"{row} 1")
        coefficients.setdefault(target, []).append(f"{row} -1")
    yield f"* {_title(instance)}"
    yield from ("NAME tour", "ROWS", " N cost")
    yield from (f" E {row}" for row in (*degree_rows, *required_rows))
    yield from (f" L {row}" for row in order_rows.values())
    yield from ("COLUMNS", " MARKER 'MARKER' 'INTORG'")
    for arc, name in variables.items():
        source, target = arc
        yield from (f" {name} leave{source} 1", f" {name} enter{target} 1")
        if arc in order_rows:
            yield f" {name} {order_rows[arc]} {last}"
        yield from (f" {name} {row} 1" for row, arcs in required_rows.items() if arc in arcs)
    yield " MARKER 'MARKER' 'INTEND'"
    for node, entries in coefficients.items():
        yield from (f" position{node} {entry}" for entry in entries)
    yield "RHS"
    yield from (f" RHS {row} 1" for row in (*degree_rows, *required_rows))
    yield from (f" RHS {row} {last - 1}" for row in order_rows.values())
    yield "BOUNDS"
    yield from (f" BV BND {name}" for name in variables.values())
    for node in coefficients:
        yield from (f" LO BND position{node} 1", f" UP BND position{node} {last}")
    yield "ENDATA"


_USUAL = {"start", "end", "require", "forbid"}

# The lines of each format, and the constraints that it can hold.
_WRITERS: Mapping[ExportFormat, tuple[Callable[[Instance], Iterator[str]], set[str]]] = {
    ExportFormat.CP_SAT: (_cp_sat_lines, {*CONSTRAINTS}),
    ExportFormat.DIMACS: (_dimacs_lines, {*_USUAL, "givens", "order", "having"}),
    ExportFormat.MINIZINC: (_minizinc_lines, _USUAL),
    ExportFormat.HCP: (_hcp_lines, _USUAL),
    ExportFormat.TSP: (_tsp_lines, _USUAL),
    ExportFormat.ASP: (_asp_lines, _USUAL),
    ExportFormat.MPS: (_mps_lines, _USUAL),
}
