"""How a person solves a puzzle: the rules that add to what is known, and grades of difficulty.

A rule adds what it deduces to the `Facts`, and raises `ContradictionError` where no tour is left.
Rules only add, so that the order in which they are applied does not matter for what is deduced in
the end; therefore symmetries of the board do not matter either.

Where the rules deduce nothing more, one move is supposed to be made, or not to be made; if the
rules then lead to a contradiction, the opposite holds. Suppositions are not nested, since a person
would not keep two in mind.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.facts import ContradictionError, Deduction, Fact, Facts, Pair

# The effort of deductions; see `Rating`.
_SEEN, _CYCLE, _COUNTING, _SUPPOSITION, _UNDECIDED = 1, 2, 3, 10, 20


# -- the rules -------------------------------------------------------------------------------------


def two_moves(facts: Facts) -> Iterator[Deduction]:
    """A square with two moves left makes both; one with two moves in use makes no other."""
    for node, (near, used) in enumerate(zip(facts.near, facts.used, strict=True)):
        if len(near) < 2:
            raise ContradictionError(f"{facts.name(node)} has fewer than two ways left")
        if len(used) > 2:
            raise ContradictionError(f"{facts.name(node)} would have three moves")
        if len(near) == 2 and used != near:
            why = f"{facts.name(node)} has only two ways left"
            yield facts.decide(facts.open_at(node), True, why, _SEEN)
        elif len(used) == 2 and len(near) > 2:
            why = f"both moves at {facts.name(node)} are known"
            yield facts.decide(facts.open_at(node), False, why, _SEEN)


def no_early_cycle(facts: Facts) -> Iterator[Deduction]:
    """A move that joins both ends of a path closes a cycle, too early unless it is the tour."""
    for path in facts.paths():
        ends = min(path[0], path[-1]), max(path[0], path[-1])
        if facts.is_open(ends) and len(path) < facts.count:
            why = f"it would close a cycle of {len(path)} squares"
            if facts.depot in path:
                why = "the tour would end too early"
            yield facts.decide([ends], False, why, _CYCLE)


def follow_on(facts: Facts) -> Iterator[Deduction]:
    """Squares with steps that follow each other are joined by a move."""
    node_at = {position: node for node, position in facts.known.items()}
    for position, node in sorted(node_at.items()):
        following = node_at.get((position + 1) % facts.count)
        if following is None or following in facts.used[node]:
            continue
        if following not in facts.near[node]:
            raise ContradictionError(f"no move from {facts.name(node)} to the next step")
        pair = min(node, following), max(node, following)
        first, second = sorted(facts.step_of(facts.known[each]) for each in pair)
        yield facts.decide([pair], True, f"steps {first} and {second} follow each other", _SEEN)


def count_steps(facts: Facts) -> Iterator[Deduction]:
    """Counting moves between known steps tells where a step, or which step a square, can be."""
    if not facts.known:
        return
    facts.narrow()
    yield from _only_square(facts)
    yield from _only_step(facts)
    if apart := [pair for pair in facts.open_pairs() if _are_apart(facts, pair)]:
        yield facts.decide(apart, False, "by their steps these are not neighbors", _COUNTING)


def _only_square(facts: Facts) -> Iterator[Deduction]:
    """Yield the steps for which only one square is left."""
    for position in range(facts.count):
        nodes = [node for node, where in enumerate(facts.positions) if where >> position & 1]
        if not nodes:
            raise ContradictionError(f"no square is left for step {facts.step_of(position)}")
        if len(nodes) == 1 and nodes[0] not in facts.known:
            yield _placed(facts, nodes[0], position, "no other square is left for it")


def _only_step(facts: Facts) -> Iterator[Deduction]:
    """Yield the squares for which only one step is left."""
    for node, positions in enumerate(facts.positions):
        if node not in facts.known and positions.bit_count() == 1:
            position = positions.bit_length() - 1
            yield _placed(facts, node, position, "the square can have no other step")


def _are_apart(facts: Facts, pair: Pair) -> bool:
    """Return whether no two positions of two nodes follow each other."""
    low, high = pair
    beside = facts.after(facts.positions[high]) | facts.before(facts.positions[high])
    return not facts.positions[low] & beside


def _placed(facts: Facts, node: int, position: int, why: str) -> Deduction:
    """Add a position that was deduced, and tell from which known steps it was counted."""
    known = sorted((at, each) for each, at in facts.known.items() if each != facts.depot)
    counted = ""
    if known:
        index = bisect(known, (position, 0))
        around = sorted({known[index - 1], known[index % len(known)]})
        counted = " and ".join(f"{facts.step_of(at)} on {facts.name(each)}" for at, each in around)
    beside = {(position - 1) % facts.count, (position + 1) % facts.count}
    is_next = any(facts.known.get(other) in beside for other in facts.used[node])
    facts.put(node, position)
    step = facts.step_of(position)
    text = f"{step} is on {facts.name(node)}: {why}, counting from {counted}"
    effort = _SEEN if is_next else _COUNTING
    return Deduction(text, (Fact(facts.square(node), step=step),), effort)


RULES = (two_moves, no_early_cycle, follow_on, count_steps)
"""The rules, the simplest first."""


def deduce(facts: Facts) -> Iterator[Deduction]:
    """Yield what the rules deduce, by the simplest rule that deduces anything, until none does.

    Raises `ContradictionError` where no tour is left.
    """
    found = True
    while found:
        found = False
        for rule in RULES:
            for deduction in rule(facts):
                found = True
                yield deduction
            if found:
                break


# -- whole puzzles ---------------------------------------------------------------------------------


class Grade(StrEnum):
    """Easy: the rules suffice. Medium: with one supposition at a time. Hard: more must be tried."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Rating(NamedTuple):
    """How hard a puzzle is: its grade, and a number by which puzzles are ordered.

    The ``effort`` adds up the deductions that `explain` yields, each with its weight: 1 for what
    can be seen at one square, 2 for a cycle that would close too early, 3 for counting steps, 10
    for a supposition and in addition the effort until it is contradicted. Every move that is still
    undecided at the end weighs 20.
    """

    grade: Grade
    effort: int


def rate(instance: Instance, most: Grade = Grade.HARD, clock: Clock | None = None) -> Rating:
    """Return how hard it is to find the tour; the grade does not depend on the board's symmetries.

    Suppositions are tried only if ``most`` is above easy; otherwise what is not easy is hard.
    The rules ignore bounds on features, symmetries, directions, and ``constrain``. Raises
    `OutOfTimeError` when the clock's limit is reached.

    >>> rate(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}))
    Rating(grade=<Grade.EASY: 'easy'>, effort=19)
    """
    if len(instance.board) == 1:
        return Rating(Grade.EASY, _SEEN)
    facts, effort, grade = Facts(instance), 0, Grade.EASY
    try:
        for deduction in deduce(facts):
            effort += deduction.effort
        if not facts.complete and most is not Grade.EASY:
            grade = Grade.MEDIUM
            for deduction in _suppose(facts, clock or Clock()):
                effort += deduction.effort
    except ContradictionError:
        grade = Grade.HARD  # there is no tour, and no telling how hard it is to find
    if facts.complete:
        return Rating(grade, effort)
    return Rating(Grade.HARD, effort + _UNDECIDED * len(facts.open_pairs()))


def explain(instance: Instance) -> Iterator[Deduction]:
    """Yield deductions from first to last: by the rules, then with suppositions.

    They end with the whole tour if the puzzle is easy or medium. Raises `ContradictionError` where
    no tour has all that is given.

    >>> next(explain(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}))).text
    'd3-b2 and d3-c1: d3 has only two ways left'
    """
    board = instance.board
    if len(board) == 1 and not instance.closed:
        square = int(board.squares[0])
        text = f"1 is on {board.name(square)}: it is the only square"
        yield Deduction(text, (Fact(square, step=1),), _SEEN)
        return
    facts = Facts(instance)
    yield from deduce(facts)
    yield from _suppose(facts, Clock())


def _suppose(facts: Facts, clock: Clock) -> Iterator[Deduction]:
    """Yield what follows from suppositions that lead to contradictions, and then by the rules."""
    progress = True
    while progress and not facts.complete:
        progress = False
        for pair in facts.open_pairs():
            for used in (True, False):
                if not facts.is_open(pair):
                    break  # it was decided meanwhile
                clock.check()
                refuted = _refuted(facts, pair, used)
                if refuted is not None:
                    progress = True
                    yield refuted
                    yield from deduce(facts)


def _refuted(facts: Facts, pair: Pair, used: bool) -> Deduction | None:
    """Suppose that a move is made, or that it is not made; return the opposite if that fails."""
    supposed, effort = facts.copy(), _SUPPOSITION
    supposed.mark(*pair, used)
    try:
        for deduction in deduce(supposed):
            effort += deduction.effort
    except ContradictionError as error:
        why = f"{'with' if used else 'without'} it, {error}"
        return facts.decide([pair], not used, why, effort)
    return None
