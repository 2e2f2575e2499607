"""Hints for a puzzle: one square, its number, and the deductions from which it follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import count_steps, explain
from kt_cp.puzzles.facts import ContradictionError, Deduction, Fact, Facts


@dataclass(frozen=True)
class Hint:
    """The number of a square, why it is there, and the premises that are not on the board."""

    square: int
    step: int
    text: str
    premises: tuple[Deduction, ...]

    def lines(self) -> list[str]:
        """Return the hint as text, and then its premises, a line each."""
        return [self.text, *(f"since {premise}" for premise in self.premises)]


def next_hint(instance: Instance) -> Hint | None:
    """Return the first number that a person can find, or None if nothing is found by the rules.

    The deductions are those of `explain`; the premises are as few of them as suffice to find the
    number by counting moves between the numbers on the board. Raises `ContradictionError` where no
    tour has all that is given.

    >>> hint = next_hint(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}))
    >>> print(*hint.lines(), sep="\\n")
    3 is on a1: no other square is left for it, counting from 2 on c2 and 12 on d1
    """
    earlier: list[Deduction] = []
    for deduction in explain(instance):
        for fact in deduction.facts:
            if fact.step is not None and fact.square is not None:
                premises = _needed(instance, earlier, fact)
                return Hint(fact.square, fact.step, deduction.text, premises)
        earlier.append(deduction)
    return None


def _needed(
    instance: Instance, earlier: Sequence[Deduction], placed: Fact
) -> tuple[Deduction, ...]:
    """Return as few of the deductions as suffice to place a number, in their order."""
    kept = list(earlier)
    for deduction in reversed(earlier):
        without = [each for each in kept if each is not deduction]
        if _is_placed(instance, without, placed):
            kept = without
    return tuple(kept)


def _is_placed(instance: Instance, deductions: Iterable[Deduction], placed: Fact) -> bool:
    """Return whether counting moves places a number, where some moves are known or ruled out."""
    facts = Facts(instance)
    for deduction in deductions:
        for fact in deduction.facts:
            if fact.step is None and fact.square is not None:
                facts.mark(facts.node(fact.square), facts.node(fact.other), fact.used)
    try:
        return any(placed in deduction.facts for deduction in count_steps(facts))
    except ContradictionError:
        return False
