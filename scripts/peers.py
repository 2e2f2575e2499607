"""The boards of the benchmark, and for each solver the model that its own community would write.

Each solver has one thread and gets the same graph, ready made. It gives the nodes in the order of
its tour, none if it gives up, or None when it has proved that there is none.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from kt_cp import Board, Status, Tour, solve

KINDS = ("closed", "open", "holes")

# What `solve` is told, so that full boards are not composed.
METHOD = "patch"

Order = list[int]


@dataclass(frozen=True)
class Task:
    """A tour to find: closed or open on n x n, or closed on n x n with 5 % of holes.

    The holes depend on the seed, which the solvers get as well.
    """

    kind: str
    side: int
    seed: int

    @property
    def closed(self) -> bool:
        """Whether the tour is closed."""
        return self.kind != "open"

    @cached_property
    def board(self) -> Board:
        """The board."""
        if self.kind == "holes":
            return board_with_holes(self.side, self.seed)
        return Board(self.side, self.side)

    @cached_property
    def graph(self) -> Graph:
        """The board's graph, for an open tour with a depot before its first and after its last."""
        squares = self.board.squares
        nodes = len(squares)
        arcs = [(tail, head) for tail, head in np.searchsorted(squares, self.board.arcs).tolist()]
        if not self.closed:
            arcs += [arc for node in range(nodes) for arc in ((nodes, node), (node, nodes))]
            nodes += 1
        after: list[list[int]] = [[] for _ in range(nodes)]
        for tail, head in arcs:
            after[tail].append(head)
        return Graph(nodes, arcs, after)

    def tour(self, order: Order) -> Tour:
        """Check a circuit through the nodes. Raises `InvalidTourError` if it is no tour."""
        if not self.closed:
            depot = order.index(self.graph.nodes - 1)
            order = order[depot + 1 :] + order[:depot]
        return Tour(self.board, self.board.squares[order], self.closed)


class Graph(NamedTuple):
    """Nodes from 0, arcs as (from, to), and for each node those after it."""

    nodes: int
    arcs: list[tuple[int, int]]
    after: list[list[int]]


def board_with_holes(side: int, seed: int) -> Board:
    """Make n*n/40 holes of each colour, redrawn until every square has two neighbors.

    >>> len(board_with_holes(10, seed=0))
    96
    """
    draw = random.Random(1000 * side + seed)
    row, column = np.divmod(np.arange(side * side), side)
    colours = [np.flatnonzero((row + column) % 2 == colour).tolist() for colour in (0, 1)]
    each = round(0.05 * side * side / 2)
    while True:
        board = Board(
            side, side, [hole for colour in colours for hole in draw.sample(colour, each)]
        )
        neighbors = np.bincount(board.arcs[:, 0], minlength=board.area)
        if neighbors[board.squares].min() >= 2:
            return board


def by_kt(task: Task) -> Order | None:
    """Our cycles by maximum flow, joined until one is left."""
    return _solved(task, METHOD)


def by_cuts(task: Task) -> Order | None:
    """Our undirected edges with lazy cuts, by CaDiCaL."""
    return _solved(task, "cuts")


def _solved(task: Task, method: str) -> Order | None:
    result = solve(task.board, closed=task.closed, method=method, seed=task.seed)
    if result.tour is None:
        return None if result.status is Status.IMPOSSIBLE else []
    order: Order = np.searchsorted(task.board.squares, result.tour.squares).tolist()
    return order if task.closed else [*order, len(order)]


def by_add_circuit(task: Task) -> Order | None:
    """OR-tools' circuit constraint with defaults but for the one worker."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    arcs = task.graph.arcs
    literals = [model.new_bool_var("") for _ in arcs]
    model.add_circuit([(*arc, literal) for arc, literal in zip(arcs, literals, strict=True)])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = task.seed
    if solver.solve(model) == cp_model.INFEASIBLE:
        return None
    used = [arc for arc, lit in zip(arcs, literals, strict=True) if solver.boolean_value(lit)]
    return _follow(dict(used))


_CLINGO = """
{ in(X,Y) : arc(X,Y) } = 1 :- node(X).
{ in(X,Y) : arc(X,Y) } = 1 :- node(Y).
reached(0).
reached(Y) :- reached(X), in(X,Y).
:- node(X), not reached(X).
#show in/2.
"""


def by_clingo(task: Task) -> Order | None:
    """Answer sets: choice rules and reachability, over flat facts."""
    import clingo

    # Slower or less even: other configurations, and acyclicity by #edge in place of reached.
    control = clingo.Control(["1", f"--seed={task.seed}", "--configuration=frumpy"])
    facts = "".join(f"arc({tail},{head})." for tail, head in task.graph.arcs)
    control.add("base", [], f"node(0..{task.graph.nodes - 1}).{facts}{_CLINGO}")
    control.ground([("base", [])])
    used: dict[int, int] = {}

    def keep(model: Any) -> None:
        pairs = (symbol.arguments for symbol in model.symbols(shown=True))
        used.update((tail.number, head.number) for tail, head in pairs)

    return _follow(used) if control.solve(on_model=keep).satisfiable else None


def by_choco(task: Task) -> Order | None:
    """Choco's circuit on successor variables; this search draws no lots, so it takes no seed."""
    from pychoco.model import Model

    # Up to ten times slower: the stronger filters of circuit (RD is the default), allDifferent on
    # top. A little slower, or less even: its default search and the ten others that it names.
    model = Model()
    after = [model.intvar(heads) for heads in task.graph.after]
    model.circuit(after, conf="LIGHT").post()
    solver: Any = model.get_solver()
    solver.set_failure_length_based_search(*after)
    return _follow({i: var.get_value() for i, var in enumerate(after)}) if solver.solve() else None


def by_cpmpy(task: Task) -> Order | None:
    """CPMpy's Circuit on successor variables, solved by its default, OR-tools."""
    import cpmpy as cp

    # As fast or slower: InDomain for Table, bounds for each variable, AllDifferent on top.
    after = cp.intvar(0, task.graph.nodes - 1, shape=task.graph.nodes)
    model = cp.Model(cp.Circuit(after))
    for var, heads in zip(after, task.graph.after, strict=True):
        model += cp.Table([var], [[head] for head in heads])
    if not model.solve(solver="ortools", num_workers=1, random_seed=task.seed):
        return None
    return _follow(dict(enumerate(after.value().tolist())))


def by_lkh(task: Task) -> Order | None:
    """LKH: a shortest round trip where a move costs 0 and anything else 1; no proof, no seeds."""
    import elkai

    nodes = task.graph.nodes
    distances = np.ones((nodes, nodes), dtype=np.int64)
    distances[tuple(np.array(task.graph.arcs).T)] = 0
    problem = elkai.DistanceMatrix(distances.tolist())
    order: Order = []
    for runs in (1, 10):  # LKH makes all its runs even when the first cannot be bettered
        order = problem.solve_tsp(runs)[:-1]
        if not distances[order, order[1:] + order[:1]].any():
            break
    return order


def _follow(after: dict[int, int]) -> Order:
    order = [0]
    while after[order[-1]] != 0 and len(order) < len(after):
        order.append(after[order[-1]])
    return order


class Peer(NamedTuple):
    """A solver: what it imports before the clock runs, the package that says its version."""

    module: str
    package: str
    solve: Callable[[Task], Order | None]


OURS = "kt"
CUTS = "kt cuts"
PEERS = {
    OURS: Peer("kt_cp.methods.patch.method", "ortools", by_kt),
    CUTS: Peer("kt_cp.methods.cuts", "python-sat", by_cuts),
    "add_circuit": Peer("ortools.sat.python.cp_model", "ortools", by_add_circuit),
    "clingo": Peer("clingo", "clingo", by_clingo),
    "Choco": Peer("pychoco.model", "pychoco", by_choco),
    "CPMpy": Peer("cpmpy", "cpmpy", by_cpmpy),
    "LKH": Peer("elkai", "elkai", by_lkh),
}
