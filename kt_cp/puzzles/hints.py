"""Hints for a puzzle: one conclusion, and all deductions from which it follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.problem.instance import Instance
from kt_cp.puzzles.conclusions import ContradictionError, Deduction, MoveFact, StepFact
from kt_cp.puzzles.deduction import rounds
from kt_cp.puzzles.facts import Facts
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.rules import Rule
from kt_cp.puzzles.words import ENGLISH, Words

# The number of conclusions compared; the one with the fewest premises becomes the hint.
_COMPARED = 5


@dataclass(frozen=True)
class Hint:
    """A number to write or a move to draw, and the premises that are not on the board.

    The ``level`` is that of the hardest deduction among them.
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
    """A deduction, the rule by which it was found, and the level of the rule."""

    deduction: Deduction
    rule: Rule
    level: Level


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
    for found in rounds(facts):
        findings = [_Finding(each, found.rule, found.level) for each in found.deductions]
        written = [each for each in findings if _is_written(each.deduction, facts.is_numbered)]
        if written:
            hints = [_hint(instance, earlier, each) for each in written[:_COMPARED]]
            return min(hints, key=lambda hint: len(hint.premises))
        earlier += findings
    return None


def _is_written(deduction: Deduction, is_numbered: bool) -> bool:
    """Return whether a deduction is written on the board.

    Numbers are, and in a puzzle without numbers the moves that are made.
    """
    if any(isinstance(fact, StepFact) for fact in deduction.facts):
        return True
    makes_move = any(isinstance(fact, MoveFact) and fact.used for fact in deduction.facts)
    return makes_move and not is_numbered


def _hint(instance: Instance, earlier: Sequence[_Finding], conclusion: _Finding) -> Hint:
    """Return a conclusion with its premises, and the premises of those, in their order."""
    needed: dict[int, _Finding] = {}
    pending = [(len(earlier), conclusion)]  # findings with their indexes
    while pending:
        index, finding = pending.pop()
        for premise in _premises(instance, earlier[:index], finding):
            if premise not in needed:
                needed[premise] = earlier[premise]
                pending.append((premise, earlier[premise]))
    hardest = max(finding.level for finding in [conclusion, *needed.values()])
    premises = tuple(needed[index].deduction for index in sorted(needed))
    return Hint(conclusion.deduction, premises, hardest)


def _premises(instance: Instance, earlier: Sequence[_Finding], conclusion: _Finding) -> list[int]:
    """Return the indexes of a minimal set of earlier findings from which a conclusion follows.

    Blocks of findings are left out while the rest suffices: first all, then blocks of half the
    size, and so on down to single findings (Zeller and Hildebrandt 2002, Simplifying and isolating
    failure-inducing input).
    """
    kept = list(range(len(earlier)))
    size = len(kept)
    while size:
        # From the last block to the first: removing a block moves none that is still to come.
        for end in range(len(kept), 0, -size):
            fewer = kept[: max(end - size, 0)] + kept[end:]
            if _follows(instance, [earlier[index] for index in fewer], conclusion):
                kept = fewer
        size //= 2
    return kept


def _follows(instance: Instance, findings: Sequence[_Finding], conclusion: _Finding) -> bool:
    """Return whether the rule of the conclusion yields it, after some other findings."""
    wanted = conclusion.deduction.facts
    try:
        facts = Facts(instance)
        for finding in findings:
            facts.add(finding.deduction.facts)
        nodes = {facts.node(fact.square) for fact in wanted}
        nodes |= {facts.node(fact.other) for fact in wanted if isinstance(fact, MoveFact)}
        looked_at = nodes.union(*(facts.possible[node] for node in nodes))
        for deduction in conclusion.rule.deduce(facts, sorted(looked_at)):
            facts.add(deduction.facts)
        return facts.contains(wanted)
    except ContradictionError:
        return False
