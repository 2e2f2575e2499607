"""The model of a window: the part of a partial tour that may change, while the rest stays.

A window is a small graph. What lies outside is contracted to links: each is an edge that stays in
the tour. CP-SAT looks for the cycle through the most nodes, from the present one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints, cycle_arcs
from kt_cp.model.backend import Arcs, Linear, Model, Solver
from kt_cp.model.parameters import PARTIAL_TOURS, Parameters
from kt_cp.problem.task import Clock, Sense

# A limit in CP-SAT's own measure, which does not depend on how fast the machine is: about 0.05 s.
# Such small models are not worth more preparation.
_PARAMETERS: Parameters = {
    **PARTIAL_TOURS,
    "max_deterministic_time": 0.05,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
}


@dataclass(frozen=True)
class Window:
    """A graph with links in which the cycle through the most nodes is wanted.

    Nodes are numbered from 0. The present cycle visits the first ``visited_count`` of them, in
    order. ``links`` are rows of two consecutive nodes of it; the longest cycle uses each link, too,
    and in this direction if ``is_one_way``. ``arcs`` are rows (from, to); an arc between the two
    nodes of a link is never used. Of each array of arcs in ``required``, one is used. Each node in
    ``must_visit`` is visited.
    """

    node_count: int
    visited_count: int
    arcs: Ints
    links: Ints
    is_one_way: bool
    required: Sequence[Ints]
    must_visit: Ints


@dataclass(frozen=True)
class WindowCycle:
    """A cycle of a window as nodes in order, and whether no cycle visits more nodes."""

    order: list[int]
    is_longest: bool


@dataclass(frozen=True)
class _WindowModel:
    """A CP-SAT model of a window: the literals of its arcs and links, and of each node's visit."""

    window: Window
    cp: Model
    arcs: Arcs
    visits: Ints


def longest_in_window(window: Window, seed: int) -> WindowCycle:
    """Return the longest cycle that a brief search finds: no shorter than the present one.

    >>> arcs = np.array([(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)])  # and one link from 0 to 1
    >>> none = np.empty(0, dtype=np.int64)
    >>> longest_in_window(Window(4, 3, arcs, np.array([(0, 1)]), True, [], none), seed=0)
    WindowCycle(order=[0, 1, 2, 3], is_longest=True)
    """
    model = _build(window)
    solver = Solver(_PARAMETERS, Clock(), 1, seed)
    solver.solve(model.cp)
    if not len(solver.response.solution):
        return WindowCycle(list(range(window.visited_count)), is_longest=False)
    return WindowCycle(_cycle_of(model, np.array(solver.response.solution)), solver.exhausted)


def _build(window: Window) -> _WindowModel:
    """Return the model of a window, with the present cycle as the hint."""
    cp = Model()
    model = _WindowModel(
        window, cp, _arcs_and_links(cp, window), cp.new_literals(window.node_count)
    )
    _add_circuit_of_visited(model)
    _keep_constraints(model)
    visited = Linear(Counter(model.visits.tolist()))
    visited.bound(cp, window.visited_count, None)
    visited.optimize(cp, Sense.MAXIMIZE)
    _hint_present_cycle(model)
    return model


def _arcs_and_links(cp: Model, window: Window) -> Arcs:
    """Return the literals of the links, in one or both directions, and of the other arcs.

    An arc between the two nodes of a link would close a cycle with it.
    """
    links, backward = window.links, window.links[:, ::-1]
    keys = np.array([window.node_count, 1])
    is_link = np.isin(window.arcs @ keys, np.concatenate([links, backward]) @ keys)
    directions = [links] if window.is_one_way else [links, backward]
    pairs = np.concatenate([*directions, window.arcs[~is_link]])
    return Arcs(pairs, cp.new_literals(len(pairs)))


def _add_circuit_of_visited(model: _WindowModel) -> None:
    """Ensure that the arcs in use form one circuit through the visited nodes."""
    nodes = np.arange(model.window.node_count)
    pairs = np.concatenate([model.arcs.pairs, np.stack([nodes, nodes], axis=1)])
    model.cp.add_circuit(pairs, np.concatenate([model.arcs.literals, ~model.visits]))


def _keep_constraints(model: _WindowModel) -> None:
    """Ensure that the links and an arc of each required move are used, and nodes visited."""
    window = model.window
    for source, target in window.links.tolist():
        both = np.array([(source, target), (target, source)])
        model.cp.add_clause(model.arcs.literals_of(both).tolist())
    for allowed in window.required:
        model.cp.add_clause(model.arcs.literals_of(allowed).tolist())
    model.cp.add_all(model.visits[window.must_visit].tolist())


def _hint_present_cycle(model: _WindowModel) -> None:
    """Hint all arcs and all visits as in the present cycle."""
    present = np.arange(model.window.visited_count)
    along = model.arcs.literals_of(cycle_arcs(present))
    used = np.concatenate([along, model.visits[present]])
    model.cp.hint_all(np.concatenate([model.arcs.literals, model.visits]), chosen=used)


def _cycle_of(model: _WindowModel, solution: Ints) -> list[int]:
    """Return the cycle of a solution as nodes in order."""
    follower = dict(model.arcs.used_in(solution))
    order = [min(follower)]
    while follower[order[-1]] != order[0]:
        order.append(follower[order[-1]])
    return order
