"""Lengthen a stretch between two givens at the cost of another near by.

A part of each is freed, and their squares are divided anew between the two parts, each a path
between the same ends as before: a small search by SAT, with a variable more for each square that
tells to which part it belongs.
"""

from __future__ import annotations

import numpy as np

from kt_cp.board.symmetry import Ints
from kt_cp.methods.givens.circle import Circle
from kt_cp.model.edges import cycles, mates
from kt_cp.model.lazy_cuts import EdgeSolver
from kt_cp.problem.clock import Clock, OutOfTime

# So many squares on both sides of where two stretches come near each other are freed, of which so
# many at most change from one to the other. Conflicts until a change is given up.
_WIDTH, _MOST_MOVED, _MOST_CONFLICTS = 30, 16, 500

Part = tuple[int, int]
"""The places of a part of a stretch: the first, and the one after the last."""


def adjust(circle: Circle, tries: int, clock: Clock) -> int:
    """Change stretches until all have their length, with so many tries; return how many were made.

    None is made as long as the givens are not in turn. Raises `OutOfTime`.
    """
    count, random = len(circle.order), circle.random
    # The depot, if there is one, is at place 0, like the first given of a closed tour.
    wanted = np.append(circle.wanted, count) if circle.instance.closed else circle.wanted
    failed: set[tuple[Part, Part, int]] = set()
    for made in range(tries):
        if circle.fits or not circle.in_turn:
            return made
        givens = np.unique([0, *circle.places[circle.givens]])
        ends = np.append(givens[1:], count)
        lacks = np.diff(np.unique([0, *wanted, count])) - (ends - givens)
        chosen = int(random.choice(np.flatnonzero(lacks)))
        near = _near(circle, givens, chosen, int(ends[chosen]))
        if not len(near):
            continue
        others = np.searchsorted(givens, near[:, 1], side="right") - 1
        helps = lacks[chosen] * lacks[others] < 0
        place, other_place = near[np.argmax(helps + 1.5 * random.random(len(near)))].tolist()
        other = int(np.searchsorted(givens, other_place, side="right")) - 1
        part, other_part = (
            (max(int(givens[at]) + 1, centre - _WIDTH), min(int(ends[at]), centre + _WIDTH))
            for at, centre in ((chosen, place), (other, other_place))
        )
        lack = int(lacks[chosen])
        begin, end = other_part if lack > 0 else part
        most = min(abs(lack), max(0, end - begin - 1) // 2 * 2, _MOST_MOVED)
        moved = int(np.sign(lack)) * int(random.choice([most, *range(2, most, 2)]))
        if moved and (part, other_part, moved) not in failed:
            clock.check()
            if _divide(circle, part, other_part, moved, clock):
                failed.clear()
            else:
                failed.add((part, other_part, moved))
    return tries


def _near(circle: Circle, givens: Ints, chosen: int, end: int) -> Ints:
    """Return pairs of places one move apart: in a stretch or at its ends, and in another one."""
    places = np.arange(givens[chosen], min(end + 1, len(circle.order)))
    near = circle.neighbors[circle.order[places]]
    rows, columns = np.nonzero(near >= 0)
    pairs = np.stack([places[rows], circle.places[near[rows, columns]]], axis=1)
    inside = (pairs[:, 1] >= givens[chosen]) & (pairs[:, 1] < end)
    return np.asarray(pairs[~inside & ~np.isin(pairs[:, 1], givens)])


def _divide(circle: Circle, part: Part, other: Part, moved: int, clock: Clock) -> bool:
    """Let a part have so many squares more and another so many fewer, if that is soon found."""
    order = circle.order
    inner = np.concatenate([order[slice(*part)], order[slice(*other)]])
    count = len(inner)
    # Four nodes more are the ends of the two parts, the second of each joined to the first of the
    # other; so the two paths are one cycle.
    outer = order[np.array([part[0] - 1, part[1], other[0] - 1, other[1]]) % len(order)]
    links = np.array([(count, count + 3), (count + 1, count + 2)])
    low, high = np.nonzero(np.triu(circle.linked(inner[:, None], inner)))
    ends, next_to = np.nonzero(circle.linked(inner, outer[:, None]))
    edges = np.stack([np.append(low, next_to), np.append(high, count + ends)], axis=1)
    solver = EdgeSolver(count + 4, edges, links, clock, seed=int(circle.random.integers(2**31)))
    first = solver.new_variables(count)  # whether a square is on the first part
    joins, leads = np.split(solver.variables, [len(low)])
    for edge, one, another in np.stack([joins, first[low], first[high]], axis=1).tolist():
        solver.add_clause([-edge, -one, another])
        solver.add_clause([-edge, one, -another])
    for clause in np.stack([-leads, np.where(ends < 2, 1, -1) * first[next_to]], axis=1).tolist():
        solver.add_clause(clause)
    solver.exactly(part[1] - part[0] + moved, first.tolist())
    try:
        used = solver.solve(_MOST_CONFLICTS)
    except OutOfTime:
        clock.check()
        used = None
    if used is None:
        return False
    [cycle] = cycles(mates(count + 4, np.concatenate([edges[used], links])))
    cycle = np.roll(cycle, -int(np.flatnonzero(cycle == count)[0]))
    if cycle[1] == count + 3:
        cycle = np.roll(cycle[::-1], 1)
    middle = int(np.flatnonzero(cycle == count + 1)[0])
    paths = [(part, inner[cycle[1:middle]]), (other, inner[cycle[middle + 2 : -1]])]
    (one_part, one_path), (other_part, other_path) = sorted(paths, key=lambda pair: pair[0])
    between = order[one_part[1] : other_part[0]]
    circle.put(one_part[0], np.concatenate([one_path, between, other_path]))
    return True
