"""The methods that search in one way each, without asking others; ``auto`` asks them in turn."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kt_cp.methods.answers import Answer
from kt_cp.methods.method import ALL_CONSTRAINTS, MOVES_AND_ENDS, Method
from kt_cp.problem.task import Task


def _answer_by_frontier(task: Task) -> Answer:
    """Answer by counting, whose room is above this one."""
    with task.clock.stopped():
        from kt_cp.count.sampling import answer
    return answer(task)


_ROWS = (
    Method(
        name="refute",
        summary="reasons why there is no tour that a person can check: colors, dead ends, "
        "separators, …",
        source="A. Schwenk, Which rectangular chessboards have a knight's tour? (1991), and others",
        constraints=ALL_CONSTRAINTS,
        function="kt_cp.methods.refute:answer",
    ),
    Method(
        name="compose",
        summary="full rectangles of any size, from small tours that the circuit model finds",
        source="I. Parberry, An efficient algorithm for the Knight's tour problem (1997)",
        constraints=frozenset({"start", "end"}),
        proves=False,
        function="kt_cp.methods.compose:answer",
    ),
    Method(
        name="patch",
        summary="boards of any shape and size: cycles by maximum flow, joined until one is left",
        source="R. Karp, A patching algorithm for the nonsymmetric traveling-salesman problem "
        "(1979)",
        constraints=MOVES_AND_ENDS,
        proves=False,
        function="kt_cp.methods.patch:answer",
    ),
    Method(
        name="cuts",
        summary="undirected edges, two at every square, and cuts between cycles until one is left, "
        "by SAT",
        source="G. Dantzig, R. Fulkerson, S. Johnson, Solution of a large-scale traveling-salesman "
        "problem (1954); CaDiCaL",
        constraints=MOVES_AND_ENDS | {"symmetry"},
        function="kt_cp.methods.cuts:answer",
    ),
    Method(  # its optimizer is added in table.py
        name="circuit",
        summary="the CP-SAT circuit model alone: finds, proves, and meets every constraint",
        source="J.-L. Laurière (1978), as the constraint `circuit`; OR-tools",
        constraints=ALL_CONSTRAINTS,
        function="kt_cp.methods.circuit:answer",
        takes_parameters=True,
    ),
    Method(
        name="frontier",
        summary="all states of a frontier that sweeps over the graph: for narrow boards and graphs",
        source="D. Knuth, The Art of Computer Programming 4A (2011), 7.1.4: simpath",
        constraints=MOVES_AND_ENDS,
        function=_answer_by_frontier,
    ),
    Method(
        name="clingo",
        summary="answer set programming: choice rules and reachability, by clingo",
        source="M. Gebser, R. Kaminski, B. Kaufmann, T. Schaub, Answer Set Solving in Practice "
        "(2012)",
        constraints=MOVES_AND_ENDS,
        function="kt_cp.methods.peers:clingo_answer",
        package="clingo",
    ),
    Method(
        name="choco",
        summary="the constraint `circuit` on the square after each square, by Choco",
        source="C. Prud'homme, J.-G. Fages, Choco-solver, Journal of Open Source Software 7 (2022)",
        constraints=MOVES_AND_ENDS,
        function="kt_cp.methods.peers:choco_answer",
        package="pychoco",
    ),
)

SPECIALISTS: Mapping[str, Method] = MappingProxyType({row.name: row for row in _ROWS})
"""These methods by name."""
