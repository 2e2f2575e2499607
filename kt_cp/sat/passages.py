"""Searches for a tour that visits one passage of each gadget of a directed graph.

There are two. `PassageSolver` chooses passages, and what follows each of them, by a SAT solver, and
cuts solutions of several cycles. Where so many choices have to fit together that it finds no
solution at all, `CoverSearch` often does: it chooses short cycles, all of the same length, that
visit each gadget once.

Both join cycles by exchanges of three arcs. Composers of peals for church bells have long done the
same by hand: they begin with short cycles, and join three at a time. Such an exchange never changes
whether the number of cycles is odd (D. Griffiths, Twin bob plan composition of Stedman triples,
1994), so that only covers by an odd number of cycles are worth it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.problem.task import Clock
from kt_cp.sat.edges import grouped
from kt_cp.sat.formula import Formula, LowerBound
from kt_cp.sat.gadgets import PassageGraph
from kt_cp.sat.numbering import breadth_first_numbers
from kt_cp.sat.short_cycles import find_short_cycles

# The most passages of a cycle of a cover, and the most steps of the search for such cycles.
_MAX_COVER_CYCLE, _MAX_STEPS = 14, 2_000_000

# Covers have this many times as many exchanges as are needed at least to join their cycles, since
# not all exchanges join three cycles.
_EXCHANGE_FACTOR = 1.5

# The exchanges that are tried to join the cycles of a solution, for each that there is.
_TRIES_PER_EXCHANGE = 30

# The share of the cycles of a cover of which no later cover contains all.
_BLOCKED_SHARE = 0.7


Successors = dict[int, int]
"""The passage that follows each passage on some cycles."""


def cycles_of(successors: Successors) -> list[list[int]]:
    """Return the cycles that successors form.

    >>> cycles_of({1: 4, 2: 2, 4: 1})
    [[1, 4], [2]]
    """
    seen = set[int]()
    cycles = list[list[int]]()
    for first in successors:
        if first in seen:
            continue
        cycle = [first]
        while (following := successors[cycle[-1]]) != first:
            cycle.append(following)
        seen.update(cycle)
        cycles.append(cycle)
    return cycles


class ThreeExchanges:
    """Exchanges of three arcs: three tails, from each of which arcs go to two of three heads.

    So there are two ways to give each tail a head of its own. ``tails`` lists the three tails of
    each exchange.
    """

    def __init__(self, graph: PassageGraph) -> None:
        self._heads: dict[int, list[int]] = {}
        self._tails: dict[int, list[int]] = {}
        for tail, head in graph.arcs.tolist():
            self._heads.setdefault(tail, []).append(head)
            self._tails.setdefault(head, []).append(tail)
        self.tails = list[list[int]]()
        for tail, heads in self._heads.items():
            tails = sorted({other for head in heads for other in self._tails[head]})
            if tail == tails[0] and self._can_be_exchanged(tails):
                self.tails.append(tails)

    def _can_be_exchanged(self, tails: list[int]) -> bool:
        """Return whether these are three tails, and each two of them share one of three heads."""
        heads = {head for tail in tails for head in self._heads[tail]}
        return (
            len(tails) == len(heads) == 3
            and all(len(self._heads[tail]) == 2 for tail in tails)
            and all(len(self._tails[head]) == 2 for head in heads)
        )

    def join(self, successors: Successors, rng: Random) -> int:
        """Join cycles as far as possible, and return how many are left.

        Exchanges are tried at random. Those that do not make more cycles are kept.
        """
        usable = [tails for tails in self.tails if all(tail in successors for tail in tails)]
        cycles = len(cycles_of(successors))
        for _ in range(_TRIES_PER_EXCHANGE * len(usable)):
            if cycles == 1:
                break
            before = {tail: successors[tail] for tail in rng.choice(usable)}
            successors.update({tail: self._other_head(tail, head) for tail, head in before.items()})
            cycles_now = len(cycles_of(successors))
            if cycles_now <= cycles:
                cycles = cycles_now
            else:
                successors.update(before)
        return cycles

    def _other_head(self, tail: int, head: int) -> int:
        """Return the head of the other arc from a tail."""
        first, second = self._heads[tail]
        return second if head == first else first


class PassageSearch:
    """Both searches for a tour of a graph of passages, in turns. They can stop and go on."""

    def __init__(self, graph: PassageGraph, clock: Clock, seed: int) -> None:
        self._graph = graph
        self._searches: list[PassageSolver | CoverSearch] = [
            PassageSolver(graph, clock, seed),
            CoverSearch(graph, clock, seed),
        ]

    def search(self, work: float) -> list[int] | None:
        """Let each search do some work, in propagations; return a tour as nodes, or None.

        Raises `OutOfTimeError`.
        """
        for search in self._searches:
            passages = None if search.is_exhausted else search.search(work)
            if passages is not None:
                return self._graph.nodes(passages)
        return None


class PassageSolver:
    """Chooses passages and their successors by a SAT solver, and cuts cycles that are no tour.

    The search can stop and go on. If ``is_exhausted``, there is no tour that visits one passage of
    each gadget.
    """

    def __init__(self, graph: PassageGraph, clock: Clock, seed: int) -> None:
        self._graph, self._clock, self._rng = graph, clock, Random(seed)
        self.is_exhausted = False
        self._exchanges = ThreeExchanges(graph)
        count = len(graph.paths)
        numbers = breadth_first_numbers(count, graph.arcs, seed)
        # Variables: for each passage whether it is visited, then for each arc whether it is used.
        self._visited = 1 + numbers
        self._arcs = graph.arcs[np.argsort(numbers[graph.arcs[:, 0]], kind="stable")]
        self._used = 1 + count + np.arange(len(self._arcs))
        self._formula = Formula(count + len(self._arcs))
        for passages in grouped(self._visited, graph.gadget_of[:, None], graph.gadgets):
            self._formula.exactly(1, passages)
        for ends in self._arcs.T:
            self._use_one_if_visited(ends)
        for cycle in find_short_cycles(self._arcs, count, clock):
            self._formula.add((-self._used[cycle]).tolist())

    def _use_one_if_visited(self, ends: Ints) -> None:
        """Add clauses: one of the arcs with the same end is used if the end is visited, else none.

        ``ends`` has for each arc its tail, or for each its head.
        """
        arcs_by_end = grouped(self._used, ends[:, None], len(self._visited))
        for visited, arcs in zip(self._visited.tolist(), arcs_by_end, strict=True):
            self._formula.add([-visited, *arcs])
            for arc in arcs:
                self._formula.add([visited, -arc])
            self._formula.at_most_one(arcs)

    def search(self, work: float) -> list[int] | None:
        """Search for some work, in propagations; return a tour as passages in order, or None.

        Raises `OutOfTimeError`.
        """
        limit = self._formula.propagations + work
        while (is_found := self._formula.solve_within(self._clock, limit)) is not None:
            if not is_found:
                self.is_exhausted = True
                break
            used = self._formula.values()[self._used - 1]
            successors: Successors = dict(self._arcs[used].tolist())
            if self._exchanges.join(successors, self._rng) == 1:
                [cycle] = cycles_of(successors)
                return cycle
            self._cut(cycles_of(successors))
        return None

    def _cut(self, cycles: list[list[int]]) -> None:
        """Add two clauses for each cycle: an arc leaves its gadgets, and an arc enters them."""
        cycle_of_gadget = np.empty(self._graph.gadgets, dtype=np.int64)
        for number, cycle in enumerate(cycles):
            cycle_of_gadget[self._graph.gadget_of[cycle]] = number
        ends = cycle_of_gadget[self._graph.gadget_of[self._arcs]]
        is_across = ends[:, 0] != ends[:, 1]
        for side in ends[is_across].T:
            for arcs in grouped(self._used[is_across], side[:, None], len(cycles)):
                self._formula.add(arcs)


class CoverSearch:
    """Chooses short cycles of the same length that visit each gadget once, and joins them.

    The search can stop and go on. If ``is_exhausted``, no more covers are to be expected.
    """

    def __init__(self, graph: PassageGraph, clock: Clock, seed: int) -> None:
        self._graph, self._clock, self._rng = graph, clock, Random(seed)
        self.is_exhausted = False
        self._exchanges = ThreeExchanges(graph)
        self._covers = self._find_covers()
        self._work = 0.0

    def search(self, work: float) -> list[int] | None:
        """Search for some work, in propagations; return a tour as passages in order, or None.

        Raises `OutOfTimeError`.
        """
        self._work += work
        for successors in self._covers:
            if successors is None:
                return None
            if self._exchanges.join(successors, self._rng) == 1:
                [cycle] = cycles_of(successors)
                return cycle
        self.is_exhausted = True
        return None

    def _find_covers(self) -> Iterator[Successors | None]:
        """Yield covers, by an odd number of cycles, and None whenever the work is done."""
        for length, cycles in sorted(self._short_cycles().items()):
            count, rest = divmod(self._graph.gadgets, length)
            if rest == 0 and count % 2 == 1:
                yield from self._covers_by(cycles, count)

    def _short_cycles(self) -> dict[int, list[list[int]]]:
        """Return cycles that visit gadgets at most once, by their lengths.

        They begin with their lowest passage. There are none if that takes too many steps.
        """
        following: list[list[int]] = [[] for _ in self._graph.paths]
        for tail, head in self._graph.arcs.tolist():
            following[tail].append(head)
        gadget_of = self._graph.gadget_of.tolist()
        cycles: dict[int, list[list[int]]] = {}
        steps = 0
        for root in range(len(following)):
            self._clock.check()
            unfinished = [[root]]
            while unfinished:
                path = unfinished.pop()
                steps += 1
                if steps > _MAX_STEPS:
                    return {}
                visited = {gadget_of[passage] for passage in path}
                for passage in following[path[-1]]:
                    if passage == root:
                        cycles.setdefault(len(path), []).append(path)
                    elif (
                        passage > root
                        and gadget_of[passage] not in visited
                        and len(path) < _MAX_COVER_CYCLE
                    ):
                        unfinished.append([*path, passage])
        return cycles

    def _covers_by(self, cycles: list[list[int]], count: int) -> Iterator[Successors | None]:
        """Yield covers by ``count`` of these cycles with sufficient exchanges."""
        self._rng.shuffle(cycles)
        formula = self._cover_formula(cycles, count)
        while True:
            is_found = formula.solve_within(self._clock, self._work)
            if is_found is None:
                yield None
                continue
            if not is_found:
                return
            chosen = np.flatnonzero(formula.values()[: len(cycles)]).tolist()
            yield {
                passage: following
                for number in chosen
                for passage, following in pairwise([*cycles[number], cycles[number][0]])
            }
            blocked = chosen[: int(_BLOCKED_SHARE * count)]
            formula.add(-1 - number for number in blocked)

    def _cover_formula(self, cycles: list[list[int]], count: int) -> Formula:
        """Return clauses: cycles visit each gadget once and, where possible, allow exchanges.

        Variable 1 + n stands for cycle n.
        """
        formula = Formula(len(cycles))
        by_passage: dict[int, list[int]] = {}
        for variable, cycle in enumerate(cycles, start=1):
            for passage in cycle:
                by_passage.setdefault(passage, []).append(variable)
        by_gadget: list[list[int]] = [[] for _ in range(self._graph.gadgets)]
        for passage, variables in by_passage.items():
            by_gadget[self._graph.gadget_of[passage]] += variables
        for variables in by_gadget:
            formula.add(variables)
            for one, other in itertools.combinations(variables, 2):
                formula.add([-one, -other])
        possible = list[int]()
        for tails in self._exchanges.tails:
            if all(tail in by_passage for tail in tails):
                possible.append(formula.new_variable())
                for tail in tails:
                    formula.add([-possible[-1], *by_passage[tail]])
        needed = math.ceil(_EXCHANGE_FACTOR * (count - 1) / 2)
        LowerBound(formula, possible).require(needed)
        return formula
