"""How a person solves a puzzle: round by round, always by the simplest rule that adds something.

From these rounds follow explanations, hints, and how hard a puzzle is, as one number: the effort.

The effort is 100 for each level below that of the puzzle, plus less than 100 for the work. The unit
of work is one look at a square (see `Rule.weight`). The work adds up the rounds of deductions: what
each deduction takes, and how long a person looks for the first one of the round. That takes longer
the more squares are unknown and the fewer deductions there are (R. Pelánek, Difficulty rating of
Sudoku puzzles by a computational model, FLAIRS 2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.puzzles.facts import ContradictionError, Deduction, Facts, MoveFact, StepFact
from kt_cp.puzzles.puzzle import EFFORTS_PER_LEVEL, Level
from kt_cp.puzzles.rules import RULES, Rule
from kt_cp.puzzles.words import ENGLISH, Phrase, Words

# The work, in looks at a square, of a puzzle in the middle of the effort range of its level.
_MIDDLE = dict(zip(Level, (100, 300, 1000, 3000, 10000), strict=True))

# The work for each square that is left unknown by the rules that were applied.
_WORK_PER_UNKNOWN = 200

# The number of conclusions compared; the one with the fewest premises becomes the hint.
_COMPARED = 5


@dataclass(frozen=True)
class Round:
    """What one rule deduces from the same facts.

    ``level`` is the level of the rule in this puzzle, and ``unknown_before`` the number of squares
    that were not known before (see `Facts.unknown_count`).
    """

    rule: Rule
    level: Level
    deductions: tuple[Deduction, ...]
    unknown_before: int


def rounds(
    facts: Facts, hardest: Level = Level.MASTERS, clock: Clock | None = None
) -> Iterator[Round]:
    """Yield what the rules up to the ``hardest`` level deduce, until nothing more follows.

    Each round is added to the facts. Raises `ContradictionError` where no tour is left, and
    `OutOfTimeError` when the clock's limit is reached.
    """
    clock = clock or Clock()
    rules = [rule for rule in RULES if rule.level_in(facts) <= hardest]
    while not facts.is_complete:
        unknown_before = facts.unknown_count
        for rule in rules:
            clock.check()
            deductions = list(rule.deduce(facts, range(facts.count)))  # all from the same facts
            if new := facts.add_new(deductions):
                yield Round(rule, rule.level_in(facts), tuple(new), unknown_before)
                break
        else:
            return


def explain(
    instance: Instance, hardest: Level = Level.MASTERS, clock: Clock | None = None
) -> Iterator[Deduction]:
    """Yield the deductions of the rules up to the ``hardest`` level, from first to last.

    They end with the whole tour unless even suppositions do not suffice. Raises
    `ContradictionError` where no tour has all that is given, and `OutOfTimeError` when the clock's
    limit is reached.

    >>> next(explain(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}))).text
    '3 is on a1: it is the only free square a move away from 2 on c2'
    """
    for each in rounds(Facts(instance), hardest, clock):
        yield from each.deductions


def explanation_lines(instance: Instance, clock: Clock | None = None) -> Iterator[str]:
    """Yield the numbered deductions of all rules, with those below each supposition.

    The squares that are no ends, which may be many, share a line. Unless the deductions lead to the
    tour before the clock's limit is reached, a last line says so. Raises `ContradictionError` where
    no tour has all that is given.

    >>> next(explanation_lines(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12})))
    '1. 3 is on a1: it is the only free square a move away from 2 on c2'
    """
    facts = Facts(instance)
    number = 0
    try:
        for each_round in rounds(facts, clock=clock):
            not_an_end = Phrase("cannot be an end", {})
            excluded_ends = [
                each
                for each in each_round.deductions
                if each.sentence.values.get("why") == not_an_end
            ]
            if excluded_ends:
                number += 1
                squares = [each.facts[0].square for each in excluded_ends]
                names = join_words([*map(instance.graph.name, squares)])
                yield f"{number}. no end on {names}: the tour neither begins nor ends there"
            for deduction in each_round.deductions:
                if deduction not in excluded_ends:
                    number += 1
                    yield f"{number}. {deduction}"
                    yield from (f"   then {consequence}" for consequence in deduction.chain)
    except OutOfTimeError:
        yield "The time limit was reached before the rest was explained."
        return
    if not facts.is_complete:
        yield "The rest does not follow by the rules or from one supposition at a time."


# -- effort ---------------------------------------------------------------------------------------


class Rating(NamedTuple):
    """How hard a puzzle is: its ``effort``, from 0 to 499.

    ``is_solved`` tells whether the rules that were applied lead to the tour.
    """

    effort: int
    is_solved: bool

    @property
    def level(self) -> Level:
        """The level in whose range the effort is."""
        return Level.of(self.effort)


def rate(instance: Instance, hardest: Level = Level.HARD, clock: Clock | None = None) -> Rating:
    """Return how hard it is to find the tour; symmetries of the board do not change it.

    The rules up to the ``hardest`` level are applied. A puzzle that they do not solve is rated as
    one for masters, and so are clues that contradict each other. The rules ignore bounds on
    features, symmetries, directions, and ``constrain``. Raises `OutOfTimeError` when the clock's
    limit is reached.

    >>> rate(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12})).level
    <Level.EASY: 'easy'>
    """
    level = Level.CHILDREN
    work = 0
    try:
        facts = Facts(instance)
        for each in rounds(facts, hardest, clock):
            count = len(each.deductions)
            looks_for_first = each.unknown_before // (count + 1)
            level = max(level, each.level)
            work += each.rule.weight * (count + looks_for_first)
            work += sum(len(deduction.chain) for deduction in each.deductions)
        unknown = 0 if facts.is_complete else facts.unknown_count
    except ContradictionError:
        unknown = len(instance.board)
    if unknown:
        level = Level.MASTERS
        work += _WORK_PER_UNKNOWN * unknown
    # This grows from 0 towards 100 with the work, and is 50 at the work of `_MIDDLE`.
    within_level = EFFORTS_PER_LEVEL * work // (work + _MIDDLE[level])
    return Rating(level.efforts.low + within_level, is_solved=not unknown)


# -- hints ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hint:
    """A number to write or a move to draw, and the premises that are not on the board.

    ``level`` is the level of the hardest deduction among all of these.
    """

    conclusion: Deduction
    premises: tuple[Deduction, ...]
    level: Level

    @property
    def text(self) -> str:
        """The conclusion with its reason."""
        return self.conclusion.text

    @property
    def square(self) -> int:
        """The square of the number, or one end of the move."""
        return self.conclusion.facts[0].square

    @property
    def step(self) -> int | None:
        """The number, or None for a move."""
        first = self.conclusion.facts[0]
        return first.step if isinstance(first, StepFact) else None

    def lines(self, words: Words = ENGLISH) -> list[str]:
        """Return the hint as text: the conclusion, and then its premises, a line each.

        Below a supposition, further lines say how it fails.
        """
        lines = self.conclusion.lines(words)
        for premise in self.premises:
            first, *chain = premise.lines(words)
            lines += [words("since", premise=first), *chain]
        return lines


class _Finding(NamedTuple):
    """A deduction, and the round in which it was found."""

    deduction: Deduction
    found_in: Round


def next_hint(instance: Instance) -> Hint | None:
    """Return the first number that a person can find, or None if the rules find nothing.

    In a puzzle that shows only moves it is the first move. The premises are a minimal set of the
    deductions of `explain` from which it follows, and the premises of each of those. Raises
    `ContradictionError` where no tour has all that is given.

    >>> hint = next_hint(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}))
    >>> print(*hint.lines(), sep="\\n")
    3 is on a1: it is the only free square a move away from 2 on c2
    """
    facts = Facts(instance)
    earlier: list[_Finding] = []
    for each_round in rounds(facts):
        findings = [_Finding(each, each_round) for each in each_round.deductions]
        # Numbers are written on the board, and in a puzzle without numbers the moves that are made.
        conclusions: list[_Finding] = []
        for finding in findings:
            fact = finding.deduction.facts[0]
            if isinstance(fact, StepFact) or (fact.used and not facts.is_numbered):
                conclusions.append(finding)
        if conclusions:
            hints = [
                _hint_with_premises(instance, earlier, each) for each in conclusions[:_COMPARED]
            ]
            return min(hints, key=lambda hint: len(hint.premises))
        earlier += findings
    return None


def _hint_with_premises(
    instance: Instance, earlier: Sequence[_Finding], conclusion: _Finding
) -> Hint:
    """Return a conclusion with its premises, their premises and so on, from first to last."""
    needed: dict[int, _Finding] = {}
    pending = [(len(earlier), conclusion)]  # findings with their indexes
    while pending:
        index, finding = pending.pop()
        for premise in _minimal_premises(instance, earlier[:index], finding):
            if premise not in needed:
                needed[premise] = earlier[premise]
                pending.append((premise, earlier[premise]))
    hardest = max(each.found_in.level for each in [conclusion, *needed.values()])
    premises = tuple(needed[index].deduction for index in sorted(needed))
    return Hint(conclusion.deduction, premises, hardest)


def _minimal_premises(
    instance: Instance, earlier: Sequence[_Finding], conclusion: _Finding
) -> list[int]:
    """Return the indexes of a minimal set of earlier findings from which a conclusion follows.

    Blocks of findings are left out while the rest suffices: first all, then blocks of half the
    size, and so on down to single findings (Zeller and Hildebrandt 2002, Simplifying and isolating
    failure-inducing input).
    """
    kept_indexes = list(range(len(earlier)))
    size = len(kept_indexes)
    while size:
        # From the last block to the first: removing a block moves none that is still to come.
        for end in range(len(kept_indexes), 0, -size):
            fewer_indexes = kept_indexes[: max(end - size, 0)] + kept_indexes[end:]
            if _follows(instance, [earlier[index] for index in fewer_indexes], conclusion):
                kept_indexes = fewer_indexes
        size //= 2
    return kept_indexes


def _follows(instance: Instance, findings: Sequence[_Finding], conclusion: _Finding) -> bool:
    """Return whether the rule of the conclusion yields it, after some other findings."""
    concluded = conclusion.deduction.facts
    try:
        facts = Facts(instance)
        facts.add_new(finding.deduction for finding in findings)
        nodes = {facts.node(fact.square) for fact in concluded}
        nodes |= {facts.node(fact.other) for fact in concluded if isinstance(fact, MoveFact)}
        looked_at = nodes.union(*(facts.possible[node] for node in nodes))
        facts.add_new(conclusion.found_in.rule.deduce(facts, sorted(looked_at)))
        return not facts.add(concluded)  # all of them are known
    except ContradictionError:
        return False
