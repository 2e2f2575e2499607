"""The rules by which a person deduces moves and numbers, each with its level and its weight.

A rule yields what it deduces from the `Facts` as they are, and raises `ContradictionError` where no
tour is left. Rules only add facts, so the order in which they are applied does not change what is
deduced in the end, and neither do symmetries of the board.

A supposition is a rule, too: if supposing that a move is made leads to a contradiction, it is not
made, and the other way round. Suppositions are not nested, since a person cannot keep two in mind.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from kt_cp.puzzles.facts import (
    ContradictionError,
    Deduction,
    Facts,
    MoveFact,
    Pair,
    StepFact,
    highest,
    lowest,
)
from kt_cp.puzzles.puzzle import Level
from kt_cp.puzzles.words import Listing, Phrase, Value

# The largest number of possible steps of a square that a sentence lists.
_MAX_LISTED_STEPS = 4

# A function that yields deductions about some of the nodes.
Deduce = Callable[[Facts, Iterable[int]], Iterator[Deduction]]


@dataclass(frozen=True)
class Rule:
    """A way to deduce something.

    It belongs to the ``level``, or to ``without_numbers`` where a puzzle shows only moves. The
    ``weight`` is the work for one deduction, in looks at a square.
    """

    deduce: Deduce
    level: Level
    weight: int
    without_numbers: Level | None = None

    def level_in(self, facts: Facts) -> Level:
        """Return the level of the rule in a puzzle."""
        if facts.is_numbered or self.without_numbers is None:
            return self.level
        return self.without_numbers


# -- deductions ------------------------------------------------------------------------------------


def _move_deduction(facts: Facts, pairs: list[Pair], *, used: bool, why: Phrase) -> Deduction:
    """Return the deduction that the tour makes all of some moves, or none of them."""
    move_facts = [
        MoveFact(facts.square(low), facts.squares[high], used)  # the depot is the highest
        for low, high in pairs
    ]
    key = "moves made"
    if not used:
        key = "move not made" if len(pairs) == 1 else "moves not made"
    moves = Listing([facts.pair_name(*pair) for pair in pairs])
    return Deduction(Phrase(key, {"moves": moves, "why": why}), tuple(move_facts))


def _step_deduction(facts: Facts, node: int, position: int, why: Phrase) -> Deduction:
    """Return the deduction that a node has a position."""
    step = facts.step_of(position)
    fact = StepFact(facts.square(node), step)
    values = {"number": step, "square": facts.name(node), "why": why}
    return Deduction(Phrase("number found", values), (fact,))


# -- one look --------------------------------------------------------------------------------------


def beside_a_number(facts: Facts, nodes: Iterable[int]) -> Iterator[Deduction]:
    """Yield the steps beside a known one for which only one free square is a move away.

    Raises `ContradictionError` if none is.
    """
    for node in nodes:
        position = facts.known.get(node)
        if position is None:
            continue
        for direction in (1, -1):
            next_position = (position + direction) % facts.count
            if next_position in facts.node_at:
                continue
            numbered = [node]
            free_nodes = facts.possible[node] - facts.known.keys()
            beyond = facts.node_at.get((next_position + direction) % facts.count)
            if beyond is not None:
                numbered.append(beyond)
                free_nodes &= facts.possible[beyond]
            if not free_nodes:
                raise ContradictionError("no free square", number=facts.step_of(next_position))
            if len(free_nodes) == 1:
                names = [
                    facts.numbered(each, facts.known[each])
                    for each in sorted(numbered, key=facts.known.__getitem__)
                    if each != facts.depot
                ]
                keys = ("only free end", "only free beside one", "only free beside both")
                values = dict(zip(("one", "other"), names, strict=False))
                why = Phrase(keys[len(names)], values)
                yield _step_deduction(facts, min(free_nodes), next_position, why)


def two_moves(facts: Facts, nodes: Iterable[int]) -> Iterator[Deduction]:
    """Yield the moves at squares with only two ways left, or with both moves known.

    Raises `ContradictionError` at a square with fewer ways left, or with more known moves.
    """
    for node in nodes:
        possible = facts.possible[node]
        used = facts.used[node]
        if len(possible) < 2:
            raise ContradictionError("too few ways", square=facts.name(node))
        if len(used) > 2:
            raise ContradictionError("three moves", square=facts.name(node))
        if possible == used:
            continue
        if len(possible) == 2 or len(used) == 2:
            is_made = len(possible) == 2
            why = Phrase("two ways" if is_made else "both moves", {"square": facts.name(node)})
            if node == facts.depot:
                why = Phrase("two ends" if is_made else "both ends", {})
            yield _move_deduction(facts, facts.open_at(node), used=is_made, why=why)


# -- moves drawn in mind ---------------------------------------------------------------------------


def along_moves(facts: Facts, nodes: Iterable[int]) -> Iterator[Deduction]:
    """Yield the next step along a known move, from a known step with one known neighbor."""
    for node in nodes:
        position = facts.known.get(node)
        if position is None:
            continue
        unnumbered = facts.used[node] - facts.known.keys()
        free_positions = facts.adjacent(position) - facts.node_at.keys()
        if not unnumbered or len(free_positions) != 1:
            continue
        [next_position] = free_positions
        why = Phrase("known move", {"number": facts.numbered(node, position)})
        if node == facts.depot:
            why = Phrase("must be an end", {})
        yield _step_deduction(facts, min(unnumbered), next_position, why)


def no_early_cycle(facts: Facts, nodes: Iterable[int]) -> Iterator[Deduction]:
    """Yield the moves that are not made, since they would close a cycle before the whole tour."""
    seen = set[int]()
    for node in nodes:
        if node in seen or not facts.used[node]:
            continue
        path = facts.path_through(node)
        seen.update(path)
        low, high = sorted((path[0], path[-1]))
        is_early = 2 < len(path) < facts.count
        if is_early and (low, high) in facts.open_at(low):
            why = Phrase("would close cycle", {"count": len(path)})
            if facts.depot in path:
                why = Phrase("too early", {})
            yield _move_deduction(facts, [(low, high)], used=False, why=why)


# -- counting --------------------------------------------------------------------------------------


def count_steps(facts: Facts, _: Iterable[int]) -> Iterator[Deduction]:
    """Yield the only square of a step and the only step of a square, by counting from known steps.

    Moves between squares whose possible steps do not follow each other are ruled out. The rule
    looks at all nodes: a step has only one square if no other node can have it.
    """
    if not facts.is_numbered:
        return
    facts.narrow()
    possible = contested = 0  # positions that some node can have, and that several can
    for positions in facts.positions:
        contested |= possible & positions
        possible |= positions
    if missing := facts.everywhere & ~possible:
        raise ContradictionError("no square left", number=facts.step_of(lowest(missing)))
    unknown = [node for node in range(facts.count) if node not in facts.known]
    for node in unknown:
        if own_positions := facts.positions[node] & ~contested:
            yield _counted_step(facts, node, highest(own_positions), "only square")
    for node in unknown:
        if facts.positions[node].bit_count() == 1:
            yield _counted_step(facts, node, highest(facts.positions[node]), "only step")
    for pair in facts.open_pairs():
        low, high = pair
        beside = facts.following(facts.positions[high]) | facts.preceding(facts.positions[high])
        if not facts.positions[low] & beside:
            yield _move_deduction(facts, [pair], used=False, why=_why_apart(facts, pair))


def _why_apart(facts: Facts, pair: Pair) -> Phrase:
    """Return why two squares are not neighbors on the tour: by the steps that they can have."""
    if facts.depot in pair:
        return Phrase("cannot be an end", {})
    one, other = sorted(pair, key=lambda node: facts.positions[node].bit_count())
    positions = (at for at in range(facts.count) if (facts.positions[one] >> at) & 1)
    steps = [facts.step_of(position) for position in positions]
    squares = {"one": facts.name(one), "other": facts.name(other)}
    if len(steps) > _MAX_LISTED_STEPS:
        return Phrase("no steps meet", squares)
    if len(steps) == 1:
        return Phrase("one step", {**squares, "step": steps[0]})
    return Phrase("few steps", {**squares, "steps": Listing(steps, "or")})


def _counted_step(facts: Facts, node: int, position: int, key: str) -> Deduction:
    """Return the deduction of a step by counting from the known steps before and after it."""
    known_steps = sorted((at, each) for each, at in facts.known.items() if each != facts.depot)
    numbers: Value = Phrase("ends", {})
    if known_steps:
        index = bisect(known_steps, (position, 0))
        around = sorted({known_steps[index - 1], known_steps[index % len(known_steps)]})
        numbers = Listing([facts.numbered(each, at) for at, each in around])
    return _step_deduction(facts, node, position, Phrase(key, {"numbers": numbers}))


# -- suppositions ----------------------------------------------------------------------------------

_SIMPLE: tuple[Deduce, ...] = (beside_a_number, two_moves, along_moves, no_early_cycle)


def supposition(max_rounds: float, *rules_after: Deduce) -> Deduce:
    """Return a rule that yields the moves that are made or not, since the opposite fails.

    ``rules_after`` are applied after a supposition, in at most ``max_rounds`` rounds.
    """

    def refutation(facts: Facts, pair: Pair, used: bool) -> Deduction | None:
        """Suppose that a move is made, or that it is not; return the opposite if that fails."""
        supposed = facts.copy()
        chain: list[Deduction] = []
        rounds = 0
        try:
            supposed.set_move(*pair, used)
            while rounds < max_rounds:
                rounds += 1
                changed = sorted(supposed.take_changed())
                deductions = [each for deduce in rules_after for each in deduce(supposed, changed)]
                new = supposed.add_new(deductions)
                chain += new
                if not new:
                    return None
        except ContradictionError as error:
            why = Phrase("with it" if used else "without it", {"failure": error.failure})
            opposite = _move_deduction(facts, [pair], used=not used, why=why)
            return replace(opposite, chain=tuple(chain))
        return None

    def deduce(facts: Facts, nodes: Iterable[int]) -> Iterator[Deduction]:
        """Yield for each open pair of the nodes what is refuted first: the move, or its absence."""
        looked_at = frozenset(nodes)
        for pair in facts.open_pairs():
            if looked_at.issuperset(pair):
                refuted = (refutation(facts, pair, used) for used in (True, False))
                yield from itertools.islice(filter(None, refuted), 1)

    return deduce


# -- all rules -------------------------------------------------------------------------------------

RULES = (
    Rule(beside_a_number, Level.CHILDREN, 1),
    Rule(two_moves, Level.EASY, 2, without_numbers=Level.CHILDREN),
    Rule(along_moves, Level.EASY, 2, without_numbers=Level.CHILDREN),
    Rule(no_early_cycle, Level.EASY, 3),
    Rule(count_steps, Level.MEDIUM, 4),
    Rule(supposition(2, *_SIMPLE), Level.MEDIUM, 6),
    Rule(supposition(5, *_SIMPLE), Level.HARD, 12),
    Rule(supposition(math.inf, *_SIMPLE, count_steps), Level.MASTERS, 30),
)
"""The rules, the simplest first."""
