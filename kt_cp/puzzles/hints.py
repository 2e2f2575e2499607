"""Hints for a puzzle: one conclusion, and all deductions from which it follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import rounds
from kt_cp.puzzles.facts import ContradictionError, Deduction, Facts
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.rules import Rule

# Of how many conclusions the one with the fewest premises is told.
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
    def square(self) -> int | None:
        """The square of the number, or one end of the move."""
        return self.conclusion.facts[0].square

    @property
    def step(self) -> int | None:
        """The number, or None for a move."""
        return self.conclusion.facts[0].step

    def lines(self) -> list[str]:
        """Return the hint as text: the conclusion, and then its premises, a line each.

        Where something is supposed, the lines below it tell how that fails.
        """
        lines = [self.text, *_chain_lines(self.conclusion)]
        for premise in self.premises:
            lines += [f"since {premise}", *_chain_lines(premise)]
        return lines


class _Step(NamedTuple):
    """A deduction, the rule by which it was found, and the level of the rule."""

    deduction: Deduction
    rule: Rule
    level: Level


def next_hint(instance: Instance) -> Hint | None:
    """Return the first number that a person can find, or None if nothing is found by the rules.

    In a puzzle that shows only moves it is the first move. The deductions are those of `explain`;
    the premises are as few of them as suffice, with the premises of each. Raises
    `ContradictionError` where no tour has all that is given.

    >>> hint = next_hint(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}))
    >>> print(*hint.lines(), sep="\\n")
    3 is on a1: it is the only free square a move away from 2 on c2
    """
    facts = Facts.of(instance)
    trail: list[_Step] = []
    for found in rounds(facts):
        steps = [_Step(each, found.rule, found.level) for each in found.deductions]
        written = [step for step in steps if _is_written(step.deduction, facts.is_numbered)]
        if written:
            hints = [_hint(instance, trail, step) for step in written[:_COMPARED]]
            return min(hints, key=lambda hint: len(hint.premises))
        trail += steps
    return None


def _is_written(deduction: Deduction, is_numbered: bool) -> bool:
    """Return whether a deduction is written on the board: a number, or a move without numbers."""
    if any(fact.step is not None for fact in deduction.facts):
        return True
    return not is_numbered and any(fact.used for fact in deduction.facts)


def _hint(instance: Instance, trail: Sequence[_Step], conclusion: _Step) -> Hint:
    """Return a conclusion with its premises, and the premises of those, in their order."""
    needed: dict[int, _Step] = {}
    pending = [(len(trail), conclusion)]
    while pending:
        place, step = pending.pop()
        for index in _premises(instance, trail[:place], step):
            if index not in needed:
                needed[index] = trail[index]
                pending.append((index, trail[index]))
    steps = [conclusion, *needed.values()]
    hardest = max((step.level for step in steps), key=lambda level: level.number)
    premises = tuple(needed[index].deduction for index in sorted(needed))
    return Hint(conclusion.deduction, premises, hardest)


def _premises(instance: Instance, earlier: Sequence[_Step], conclusion: _Step) -> list[int]:
    """Return the indexes of as few earlier steps as suffice for the rule of the conclusion.

    Halves of the steps are left out first, and then smaller parts (Zeller and Hildebrandt 2002,
    Simplifying and isolating failure-inducing input).
    """
    kept = list(range(len(earlier)))
    size = len(kept)
    while size:
        for start in range(len(kept) - size, -size, -size):
            fewer = kept[: max(start, 0)] + kept[start + size :]
            if _follows(instance, [earlier[index] for index in fewer], conclusion):
                kept = fewer
        size //= 2
    return kept


def _follows(instance: Instance, steps: Sequence[_Step], conclusion: _Step) -> bool:
    """Return whether the rule of the conclusion yields it, after some other steps."""
    wanted = conclusion.deduction.facts
    try:
        facts = Facts.of(instance)
        for step in steps:
            facts.add(step.deduction.facts)
        places = {facts.node(fact.square) for fact in wanted}
        places |= {facts.node(fact.other) for fact in wanted if fact.step is None}
        nodes = places.union(*(facts.near[place] for place in places))
        for deduction in conclusion.rule.find(facts, sorted(nodes)):
            facts.add(deduction.facts)
        return not facts.add(wanted)
    except ContradictionError:
        return False


def _chain_lines(deduction: Deduction) -> list[str]:
    """Return what follows from a supposition until it fails, a line each."""
    return [f"  then {each}" for each in deduction.chain]
