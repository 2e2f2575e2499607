"""Puzzles: a board with some steps or moves given, which determine the tour."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import TypeVar, Unpack

import numpy as np

from kt_cp.board import Squares, as_board
from kt_cp.errors import InputError, checked_choice, checked_number, pluralize
from kt_cp.files import Pictured
from kt_cp.graph import GraphLike
from kt_cp.methods.annealing import random_walk_tour
from kt_cp.methods.table import METHODS
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import Grade, rate
from kt_cp.sat.positions import Clue, Given, NumberedTours
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour
from kt_dfs import Status

# How many tours are tried to complete given clues, and for a puzzle of some difficulty.
_ATTEMPTS, _GRADED = 5, 20

# On more squares it takes long to find out what is not easy.
_GRADED_SQUARES = 64

# How many moves are excluded, one after the other, from a tour that a solver found.
_EXCLUDED = 8

C = TypeVar("C", bound=Clue | int)

# How many orders of removal are tried for clues that contradict each other.
_ORDERS = 5

# About how many seconds it takes to state the formula, for each pair of a square and a step.
_STATING = 4e-5


@dataclass(frozen=True)
class Puzzle(Pictured):
    """An instance with exactly one solution, and that; prints itself as a map that `kt` reads.

    The clues are the given steps and the required moves of the ``instance``. ``grade`` and
    ``effort`` tell how hard the puzzle is for a person (see `Rating`), and ``seed`` from which
    random choices it was made, if known. A puzzle is ``unfinished`` if the time limit was reached
    before every clue was tried, so that some may be left out. ``title`` is its heading in a book.
    """

    instance: Instance
    solution: Tour
    grade: str | None = None
    effort: int | None = None
    seed: int | None = None
    unfinished: bool = False
    title: str | None = None

    @property
    def givens(self) -> dict[int, int]:
        """The steps shown, by square: with the start and the end of an open tour if asked for."""
        return {square: step for step, square in self.instance.steps.items()}

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves shown."""
        return self.instance.require

    def __str__(self) -> str:
        notes = {name: getattr(self, name) for name in ("title", "grade", "effort", "seed")}
        known = {name: note for name, note in notes.items() if note is not None}
        return "\n".join(self.instance.map_lines(**known))


class ClueKind(StrEnum):
    """What a puzzle shows: the steps of some squares, some of the moves, or both."""

    NUMBERS = "numbers"
    MOVES = "moves"
    BOTH = "both"


def make_puzzle(
    board: GraphLike,
    *,
    clues: ClueKind | str = ClueKind.NUMBERS,
    total: int | None = None,
    difficulty: Grade | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda left: None,
    **constraints: Unpack[Constraints],
) -> Puzzle | None:
    """Make a puzzle with exactly one solution; None if there is no tour to begin with.

    The constraints are those of `solve`, without ``constrain``; given steps and required moves are
    clues that the puzzle keeps. Starting from a tour with all its ``clues``, they are removed until
    none of those that were added can be left out, or ``total`` are shown, if that is more. Where
    clues are given, several tours are tried, and the fewest additions found are returned. An open
    tour of which moves are shown gets its first step too, unless the moves determine the direction;
    a closed tour gets the direction of one move where a constraint depends on it. A closed tour
    with numbers begins with the lowest one unless a step or the start was asked for.

    With a ``difficulty``, clues are left out as long as the puzzle does not become harder, and of
    several puzzles the one whose grade comes closest is returned. Puzzles of more than 64 squares
    get a grade above easy only if a difficulty is asked for, as rating them takes long.

    When the ``time_limit`` in seconds is reached, the best puzzle so far is returned, with clues
    that might be left out (see ``unfinished``), or `OutOfTime` is raised if there is none yet.
    ``progress`` is called with the number of clues still to be tried. Raises `InputError` for
    invalid constraints, and for a total below the number of given clues or above that of squares.

    >>> from kt_cp import enumerate_tours
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> len(list(enumerate_tours(str(puzzle))))
    1
    """
    instance, kind = Instance.of(board, **constraints), checked_choice("clues", clues, ClueKind)
    as_board(instance.graph, "make_puzzle")
    if instance.constrain is not None:
        raise InputError("make_puzzle does not support constrain; give constraints by name")
    checked_number("seed", seed, 0, 2**31 - 1)
    if total is not None:
        checked_number("givens", total, 1, len(instance.board))
        if (own := len(clues_of(instance))) > total:
            raise InputError(f"givens {total}: {pluralize(own, 'clue')} are given already")
    wanted = None if difficulty is None else checked_choice("difficulty", difficulty, Grade)
    if wanted is not None and total is not None:
        raise InputError("difficulty and a total: give one of them")
    clock = Clock(time_limit)
    with clock.stopped():
        METHODS["auto"].load()
    puzzle = _Maker(instance, kind, total, wanted, clock, Random(seed), progress).best()
    return None if puzzle is None else replace(puzzle, seed=seed)


@dataclass(frozen=True)
class _Maker:
    """Makes puzzles of one kind from random tours; ``wanted`` says how hard they may be."""

    instance: Instance
    kind: ClueKind
    total: int | None
    wanted: Grade | None
    clock: Clock
    random: Random
    progress: Callable[[int], None]

    def best(self) -> Puzzle | None:
        """Return the puzzle with the fewest clues, or whose grade comes closest to what is wanted.

        None if there is no tour. Raises `OutOfTime` when the limit comes before the first.
        """
        own, grades = len(clues_of(self.instance)), list(Grade)
        best, least = None, math.inf
        for _ in range(_GRADED if self.wanted else _ATTEMPTS if own else 1):
            try:
                tour = random_solution(self.instance, self.random.randrange(2**31), self.clock)
                if tour is None:
                    return None
                puzzle = self._puzzle(tour)
                distance = len(clues_of(puzzle.instance)) - own
                if self.wanted:
                    rating = rate(puzzle.instance, Grade.HARD, self.clock)
                    puzzle = replace(puzzle, **rating._asdict())
                    distance = abs(grades.index(rating.grade) - grades.index(self.wanted))
            except OutOfTime:
                if best is None:
                    raise
                break
            if distance < least:
                best, least = puzzle, distance
            if not distance:
                break
        if best is None or self.wanted:
            return best
        is_small = len(self.instance.board) <= _GRADED_SQUARES
        with suppress(OutOfTime):
            rating = rate(best.instance, Grade.HARD if is_small else Grade.EASY, self.clock)
            if is_small or rating.grade is Grade.EASY:
                return replace(best, **rating._asdict())
        return best

    def _puzzle(self, tour: Squares) -> Puzzle:
        """Return a puzzle that a tour solves."""
        instance, kind = self.instance, self.kind
        candidates = _all_clues(instance, tour, kind)
        self.random.shuffle(candidates)
        numbered = not instance.closed or kind is not ClueKind.MOVES or bool(instance.givens)
        determined = Determined(instance, tour, numbered, self.clock, self.progress)
        beginning = _beginning(instance, tour, kind)
        while determined.needed(candidates) is None:
            candidates.insert(0, beginning.pop(0))  # which is left out after all others
        if self.wanted in (Grade.EASY, Grade.MEDIUM):
            more = self._as_easy(candidates, self.wanted, determined)
        else:
            more = determined.least(candidates) or []
            numbers = [clue for clue in more if isinstance(clue, Given)]
            if instance.closed and not instance.givens and len(numbers) == 1 < len(more):
                # a single number only says where to begin to count
                moves = [clue for clue in more if clue not in numbers]
                if Determined(instance, tour, False, self.clock).needed(moves) is not None:
                    more = moves
        if self.total is not None:
            others = [clue for clue in candidates if clue not in more]
            more += others[: max(0, self.total - len(clues_of(instance)) - len(more))]
        asked = with_clues(instance, more)
        if instance.closed and instance.start is None and not instance.givens and asked.givens:
            lowest = min(step for _, step in asked.givens)  # which becomes step 1
            givens = tuple((square, step - lowest + 1) for square, step in asked.givens)
            asked, tour = replace(asked, givens=givens), np.roll(tour, 1 - lowest)
        solution = Tour(asked.board, tour, asked.closed)
        return Puzzle(asked, solution, unfinished=determined.is_cut_short)

    def _as_easy(self, clues: list[Clue], wanted: Grade, determined: Determined) -> list[Clue]:
        """Leave out clues as long as the puzzle is easy, and then as long as it is as wanted."""
        try:
            for grade in dict.fromkeys([Grade.EASY, wanted]):
                for left, clue in enumerate(reversed(clues)):
                    self.progress(len(clues) - left)
                    fewer = [each for each in clues if each != clue]
                    if determined.needed(fewer) is not None:
                        asked = with_clues(self.instance, fewer)
                        if rate(asked, grade, self.clock).grade in (Grade.EASY, grade):
                            clues = fewer
        except OutOfTime:
            determined.is_cut_short = True
        return clues


def random_solution(instance: Instance, seed: int, clock: Clock | None = None) -> Squares | None:
    """Return a random tour that meets the constraints, as ids, or None where there is none.

    Other seeds give other tours, with ends anywhere, as far as there are any. Raises `OutOfTime`
    when the clock's limit is reached.
    """
    clock, random = clock or Clock(), Random(seed)
    tour = _solved(instance, seed, clock)
    if tour is None or len(tour) == 1:
        return tour
    if not (instance.givens or instance.symmetry):
        return random_walk_tour(instance, tour, random)
    for _ in range(_EXCLUDED):
        place = random.randrange(not instance.closed, len(tour))
        excluded = Move(int(tour[place - 1]), int(tour[place]))
        without = replace(instance, forbid=(*instance.forbid, excluded))
        try:
            other = _solved(without, seed, clock)
        except OutOfTime:
            break
        if other is not None:
            tour, instance = other, without
    return tour


def _solved(instance: Instance, seed: int, clock: Clock) -> Squares | None:
    clock.check()
    result = solve(instance, seed=seed, time_limit=clock.limit and clock.remaining)
    if result.status is Status.UNKNOWN:
        raise OutOfTime
    return None if result.tour is None else result.tour.squares


def _all_clues(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return the clues of a kind that a tour has and the instance has not."""
    path, own = tour.tolist(), set(clues_of(instance))
    used = {move[:2] for move in instance.require}
    moves = [Move(*move) for move in itertools.pairwise([*path, *path[: instance.closed]])]
    givens = [Given(square, step) for step, square in enumerate(path, start=1)]
    return [
        *(each for each in givens if kind is not ClueKind.MOVES and each not in own),
        *(each for each in moves if kind is not ClueKind.NUMBERS and used.isdisjoint(each.arcs())),
    ]


def _beginning(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return clues any of which tells the direction where moves are shown, if need be."""
    if kind is not ClueKind.MOVES or (instance.closed and not instance.directed):
        return []
    if instance.closed and not instance.givens:
        moves = [Move(*pair, directed=True) for pair in itertools.pairwise(tour.tolist())]
        free = [move for move in moves if Move(*move[:2]) not in instance.require]
        return [(free or moves)[0]]
    first = [Given(square, step) for step, square in enumerate(tour[:2].tolist(), start=1)]
    return [clue for clue in first if clue not in clues_of(instance)]


# -- which clues determine a tour, and which contradict each other ---------------------------------


def clues_of(instance: Instance) -> list[Clue]:
    """Return the clues that an instance has: its steps, and the moves required."""
    return [*(Given(square, step) for step, square in instance.steps.items()), *instance.require]


def with_clues(instance: Instance, clues: Sequence[Clue]) -> Instance:
    """Return the instance with further clues."""
    givens = {clue.square: clue.step for clue in clues if isinstance(clue, Given)}
    moves = [clue for clue in clues if isinstance(clue, Move)]
    steps = {**dict(instance.givens), **givens}
    require = tuple(dict.fromkeys([*instance.require, *moves]))
    return replace(instance, givens=tuple(steps.items()), require=require)


class Determined:
    """Finds out which further clues determine a tour that meets an instance.

    A SAT solver that looks for another tour names the clues that its proof used. With ``numbered``
    a closed tour is distinguished from the same cycle in the other direction, or with another first
    square. Without a tour, it finds out which clues no tour has. ``is_cut_short`` says whether the
    clock's limit came before every clue was tried.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Squares | None,
        numbered: bool,
        clock: Clock,
        progress: Callable[[int], None] = lambda left: None,
    ) -> None:
        self.clock, self.progress = clock, progress
        self.is_cut_short = False
        clock.check(_STATING * len(instance.board) ** 2)
        self.formula = formula = NumberedTours(instance)
        self._own: list[int] = []
        if tour is None:
            return
        own = clues_of(instance)
        if not numbered or (instance.closed and instance.start is not None):
            own.append(Given(int(tour[0]), 1))
        self._own = [formula.literal(clue) for clue in own]
        self._own += [-formula.literal(move) for move in instance.forbid]
        formula.exclude(tour, as_moves=not numbered and not instance.directed)

    def needed(self, clues: Sequence[C]) -> list[C] | None:
        """Return those of the clues that determine the tour, or None if there is another.

        A clue may be a literal of the formula. Raises `OutOfTime` when the limit is reached.
        """
        literals = [each if isinstance(each, int) else self.formula.literal(each) for each in clues]
        if self.formula.solve([*self._own, *literals], self.clock) is not None:
            return None
        core = self.formula.core
        return [clue for clue, literal in zip(clues, literals, strict=True) if literal in core]

    def least(self, clues: Sequence[C]) -> list[C] | None:
        """Return clues none of which can be left out, or None if all of them are not enough.

        When the clock's limit is reached first, some of them may be left out.
        """
        rest, kept = self.needed(clues), list[C]()
        if rest is None:
            return None
        while rest := [clue for clue in rest if clue not in kept]:
            self.progress(len(rest))
            tried = rest.pop()
            try:
                fewer = self.needed([*kept, *rest])
            except OutOfTime:
                self.is_cut_short = True
                return [*kept, *rest, tried]
            if fewer is None:
                kept.append(tried)
            else:
                rest = fewer
        return kept


def conflicting_clues(instance: Instance, time_limit: float | None = None) -> list[str]:
    """Return in words constraints that contradict each other, none of which can be left out.

    The list is empty if the board has no tour even without them, or if steps and moves alone do
    not contradict each other. Of several such lists the shortest found is returned. Raises
    `OutOfTime` when the limit in seconds is reached before there is one.
    """
    board, names, random = instance.board, dict[int, str](), Random(0)
    asked = Instance(board, closed=instance.closed, symmetry=instance.symmetry)
    search = Determined(asked, None, True, Clock(time_limit))
    for clue in clues_of(instance):
        role = " is required" if isinstance(clue, Move) else ""
        names[search.formula.literal(clue)] = clue.describe(board) + role
    for move in instance.forbid:
        names[-search.formula.literal(move)] = f"{move.describe(board)} is forbidden"
    found = [search.least(random.sample([*names], len(names))) for _ in range(_ORDERS)]
    least = min((each for each in found if each is not None), key=len, default=[])
    return [names[literal] for literal in names if literal in least]
