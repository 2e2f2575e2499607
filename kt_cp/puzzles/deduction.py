"""How a person solves a puzzle: what is known, the rules that add to it, and grades of difficulty.

The nodes are the squares, numbered as ``board.squares``, and for an open tour the depot after them,
which stands between its end and its start. Places count along the whole circle from the depot, or
from the last step of a closed tour, at 0.

A rule adds what it deduces to the facts, and raises `ContradictionError` where no tour is left.
Rules only add, so that the order in which they are applied does not matter for what is deduced in
the end; therefore symmetries of the board do not matter either.

Where the rules deduce nothing more, a move is supposed to be made, or not to be made; if the rules
then lead to a contradiction, the opposite holds. What is supposed does not nest, as a person would
not keep two suppositions in mind.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from operator import or_
from typing import NamedTuple

from kt_cp.errors import join_words
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import edge_graph

# The weights of deductions; see `Rating`.
_SEEN, _CYCLE, _COUNTING, _SUPPOSITION, _UNDECIDED = 1, 2, 3, 10, 20


class ContradictionError(Exception):
    """No tour has all that is known; the message says where it fails."""


class Fact(NamedTuple):
    """A step of a square, or whether the tour makes a move; the depot's square is None."""

    square: int | None
    other: int | None = None
    step: int | None = None
    used: bool = True


@dataclass(frozen=True)
class Deduction:
    """What follows, in words that name the rule, and as facts; ``effort`` weighs the rule."""

    text: str
    facts: tuple[Fact, ...]
    effort: int

    def __str__(self) -> str:
        return self.text


class Facts:
    """What is known of the tour of an instance; nodes and pairs of nodes are integers.

    ``near`` has for each node those that a move not ruled out joins it with, ``used`` those of
    them that the tour uses, and ``places`` the places at which it can be, as the bits of a number.
    ``known`` has the places of nodes that have one.
    """

    def __init__(self, instance: Instance) -> None:
        graph = edge_graph(instance, split=False)
        self.instance, self.count = instance, graph.nodes
        self.squares = instance.board.squares.tolist()
        self.near: list[set[int]] = [set() for _ in range(self.count)]
        self.used: list[set[int]] = [set() for _ in range(self.count)]
        for (low, high), required in zip(graph.edges.tolist(), graph.required, strict=True):
            self.near[low].add(high)
            self.near[high].add(low)
            if required:
                self.mark(low, high, True)
        self.known: dict[int, int] = {}
        self.places = [(1 << self.count) - 1] * self.count
        for step, square in instance.steps.items():
            self.put(self.squares.index(square), step % self.count)
        if not instance.closed:
            self.put(graph.depot, 0)

    def copy(self) -> Facts:
        """Return facts that can be added to without changing these."""
        twin = copy(self)
        twin.near = [set(nodes) for nodes in self.near]
        twin.used = [set(nodes) for nodes in self.used]
        twin.places, twin.known = list(self.places), dict(self.known)
        return twin

    @property
    def complete(self) -> bool:
        """Whether the whole tour is known, and its direction where steps are counted."""
        return not self.open_pairs() and len(self.known) in (0, self.count)

    def mark(self, one: int, other: int, used: bool) -> None:
        """Add that the tour makes a move, or that it does not."""
        for node, near in ((one, other), (other, one)):
            (self.used[node].add if used else self.near[node].discard)(near)

    def decide(self, pairs: list[tuple[int, int]], used: bool, why: str, effort: int) -> Deduction:
        """Add that the tour makes some moves, or that it makes none of them, and return that."""
        squares = [*self.squares, None]
        words: list[str] = []
        for one, other in pairs:
            self.mark(one, other, used)
            is_end = other == len(self.squares)
            words.append(self._end_name(one) if is_end else f"{self.name(one)}-{self.name(other)}")
        facts = (Fact(squares[one], squares[other], used=used) for one, other in pairs)
        what = join_words(words)
        if not used:
            what = f"not {what}" if len(words) == 1 else f"none of {what}"
        return Deduction(f"{what}: {why}", tuple(facts), effort)

    def _end_name(self, node: int) -> str:
        """Return words for the pair of a square and the depot of an open tour."""
        if self.instance.start is not None:
            return f"the end on {self.name(node)}"
        return f"an end on {self.name(node)}"

    def put(self, node: int, place: int) -> None:
        """Add the place of a node."""
        self.known[node] = place
        self.places = [places & ~(1 << place) for places in self.places]
        self.places[node] = 1 << place

    def open_at(self, node: int) -> list[tuple[int, int]]:
        """Return the pairs of a node and others of which it is not known whether they are used."""
        others = sorted(self.near[node] - self.used[node])
        return [(min(node, other), max(node, other)) for other in others]

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return all pairs of nodes of which it is not known whether the tour joins them."""
        nodes = range(self.count)
        return [pair for node in nodes for pair in self.open_at(node) if pair[0] == node]

    def paths(self) -> Iterator[list[int]]:
        """Yield the paths that moves in use make, as nodes in order.

        Raises `ContradictionError` for a cycle that does not pass through all nodes.
        """
        seen = set[int]()
        for node in sorted(range(self.count), key=lambda node: len(self.used[node]) != 1):
            if node in seen or not self.used[node]:
                continue
            path = [node]
            seen.add(node)
            while following := sorted(self.used[path[-1]] - seen):
                path.append(following[0])
                seen.add(following[0])
            if len(self.used[node]) == 1:
                yield path
            elif len(path) < self.count:
                raise ContradictionError("a cycle closes too early")

    def node(self, square: int | None) -> int:
        """Return the node of a square; None stands for the depot."""
        return len(self.squares) if square is None else self.squares.index(square)

    def name(self, node: int) -> str:
        """Return the name of a square, or what the depot stands for."""
        if node == len(self.squares):
            return "the outside"
        return self.instance.board.name(self.squares[node])

    def step_of(self, place: int) -> int:
        """Return the step at a place."""
        return place or self.count


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
        one, other = sorted((path[0], path[-1]))
        if other in facts.near[one] - facts.used[one] and len(path) < facts.count:
            is_cycle = len(facts.squares) not in path
            why = f"it would close a cycle of {len(path)} squares"
            why = why if is_cycle else "the tour would end too early"
            yield facts.decide([(one, other)], False, why, _CYCLE)


def follow_on(facts: Facts) -> Iterator[Deduction]:
    """Squares with steps that follow each other are joined by a move."""
    at = {place: node for node, place in facts.known.items()}
    for place, node in sorted(at.items()):
        following = at.get((place + 1) % facts.count)
        if following is not None and following not in facts.used[node]:
            if following not in facts.near[node]:
                raise ContradictionError(f"no move from {facts.name(node)} to the next step")
            pair = min(node, following), max(node, following)
            steps = sorted(facts.step_of(facts.known[each]) for each in pair)
            why = f"steps {steps[0]} and {steps[1]} follow each other"
            yield facts.decide([pair], True, why, _SEEN)


def count_steps(facts: Facts) -> Iterator[Deduction]:
    """Counting moves between known steps tells where a step, or which step a square, can be."""
    if not facts.known:
        return
    _narrow(facts)
    for place in range(facts.count):
        nodes = [node for node, places in enumerate(facts.places) if places >> place & 1]
        if not nodes:
            raise ContradictionError(f"no square is left for step {facts.step_of(place)}")
        if len(nodes) == 1 and nodes[0] not in facts.known:
            yield _placed(facts, nodes[0], place, "no other square is left for it")
    for node, places in enumerate(facts.places):
        if node not in facts.known and places.bit_count() == 1:
            place = places.bit_length() - 1
            yield _placed(facts, node, place, "the square can have no other step")
    pairs = [
        (one, other)
        for one, other in facts.open_pairs()
        if not facts.places[one] & or_(*_beside(facts, facts.places[other]))
    ]
    if pairs:
        yield facts.decide(pairs, False, "by their steps these are not neighbors", _COUNTING)


RULES = (two_moves, no_early_cycle, follow_on, count_steps)


def deduce(facts: Facts) -> Iterator[Deduction]:
    """Yield what the rules deduce, the simplest rule that deduces anything first, until none does.

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


def _placed(facts: Facts, node: int, place: int, why: str) -> Deduction:
    """Add a place that was deduced, and tell from which known steps it was counted."""
    squares = len(facts.squares)
    known = sorted((at, each) for each, at in facts.known.items() if each < squares)
    after = bisect(known, (place, 0))
    around = sorted({known[after - 1], known[after % len(known)]}) if known else []
    counted = " and ".join(f"{facts.step_of(at)} on {facts.name(each)}" for at, each in around)
    beside = {(place - 1) % facts.count, (place + 1) % facts.count}
    is_next = not beside.isdisjoint(facts.known.get(other, -1) for other in facts.used[node])
    facts.put(node, place)
    step = facts.step_of(place)
    text = f"{step} is on {facts.name(node)}: {why}, counting from {counted}"
    return Deduction(text, (Fact(facts.squares[node], step=step),), _SEEN if is_next else _COUNTING)


def _narrow(facts: Facts) -> None:
    """Keep only places that a neighbor before and another after can go with."""
    changed = True
    while changed:
        changed = False
        for node, places in enumerate(facts.places):
            ups = downs = 0
            for other in facts.near[node]:
                up, down = _beside(facts, facts.places[other])
                ups |= up
                downs |= down
            kept = places & ups & downs
            used = [_beside(facts, facts.places[other]) for other in facts.used[node]]
            for up, down in used:
                kept &= up | down
            if len(used) == 2:
                kept &= (used[0][0] & used[1][1]) | (used[0][1] & used[1][0])
            if not kept:
                raise ContradictionError(f"no step is left for {facts.name(node)}")
            if kept != places:
                facts.places[node] = kept
                changed = True


def _beside(facts: Facts, places: int) -> tuple[int, int]:
    """Return the places after these and those before, around the circle."""
    top = facts.count - 1
    up = ((places << 1) & ((1 << facts.count) - 1)) | (places >> top)
    return up, (places >> 1) | ((places & 1) << top)


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
    `OutOfTime` when the clock's limit is reached.

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
        [square] = board.squares.tolist()
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
            if pair[1] not in facts.near[pair[0]] - facts.used[pair[0]]:
                continue  # it was decided meanwhile
            for used in (True, False):
                clock.check()
                supposed, effort = facts.copy(), _SUPPOSITION
                supposed.mark(*pair, used)
                try:
                    for deduction in deduce(supposed):
                        effort += deduction.effort
                except ContradictionError as error:
                    progress = True
                    why = f"{'with' if used else 'without'} it, {error}"
                    yield facts.decide([pair], not used, why, effort)
                    yield from deduce(facts)
                    break
