"""How a person solves a puzzle: round by round, always by the simplest rule that adds something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.facts import ContradictionError, Deduction, Facts
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.rules import RULES, Rule


@dataclass(frozen=True)
class Round:
    """What one rule deduces from the same facts, the ``level`` of the rule in this puzzle.

    ``unknown`` is the number of squares that were not settled before.
    """

    rule: Rule
    level: Level
    deductions: tuple[Deduction, ...]
    unknown: int


def rounds(
    facts: Facts, most: Level = Level.MASTERS, clock: Clock | None = None
) -> Iterator[Round]:
    """Yield what the rules up to a level deduce, and add it to the facts, until nothing follows.

    Raises `ContradictionError` where no tour is left, and `OutOfTimeError` when the clock's limit
    is reached.
    """
    clock = clock or Clock()
    rules = [rule for rule in RULES if rule.level_in(facts).number <= most.number]
    while not facts.complete:
        for rule in rules:
            clock.check()
            found = _round(facts, rule)
            if found is not None:
                yield found
                break
        else:
            return


def _round(facts: Facts, rule: Rule) -> Round | None:
    """Add what a rule deduces to the facts, and return it, or None if nothing is new."""
    unknown = facts.unknown
    found = list(rule.find(facts, range(facts.count)))
    new = [deduction for deduction in found if facts.add(deduction.facts)]
    return Round(rule, rule.level_in(facts), tuple(new), unknown) if new else None


def is_solved_by(instance: Instance, most: Level, clock: Clock | None = None) -> bool:
    """Return whether the rules up to a level lead to the whole tour.

    Raises `OutOfTimeError` when the clock's limit is reached.

    >>> is_solved_by(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}), Level.MEDIUM)
    True
    """
    try:
        facts = Facts.of(instance)
        for _ in rounds(facts, most, clock):
            pass
    except ContradictionError:
        return False
    return facts.complete


def explain(instance: Instance, most: Level = Level.MASTERS) -> Iterator[Deduction]:
    """Yield the deductions of the rules up to a level, from first to last.

    They end with the whole tour unless even suppositions do not suffice. Raises
    `ContradictionError` where no tour has all that is given.

    >>> next(explain(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}))).text
    '3 is on a1: it is the only free square a move away from 2 on c2'
    """
    for each in rounds(Facts.of(instance), most):
        yield from each.deductions
