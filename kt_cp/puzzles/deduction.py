"""How a person solves a puzzle: round by round, always by the simplest rule that adds something."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.puzzles.conclusions import ContradictionError, Deduction
from kt_cp.puzzles.facts import Facts
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.rules import RULES, Rule
from kt_cp.puzzles.words import Phrase


@dataclass(frozen=True)
class Round:
    """What one rule deduces from the same facts.

    The ``level`` is that of the rule in this puzzle, and ``unknown_before`` the number of squares
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
        for rule in rules:
            clock.check()
            applied = _apply(facts, rule)
            if applied is not None:
                yield applied
                break
        else:
            return


def _apply(facts: Facts, rule: Rule) -> Round | None:
    """Add what a rule deduces to the facts, and return it, or None if nothing is new."""
    unknown_before = facts.unknown_count
    deductions = list(rule.deduce(facts, range(facts.count)))  # all from the same facts
    new = facts.add_new(deductions)
    return Round(rule, rule.level_in(facts), tuple(new), unknown_before) if new else None


def is_solved_by(instance: Instance, hardest: Level, clock: Clock | None = None) -> bool:
    """Return whether the rules up to the ``hardest`` level lead to the whole tour.

    Raises `OutOfTimeError` when the clock's limit is reached.

    >>> is_solved_by(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12}), Level.MEDIUM)
    True
    """
    try:
        facts = Facts(instance)
        for _ in rounds(facts, hardest, clock):
            pass
    except ContradictionError:
        return False
    return facts.is_complete


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
        for each in rounds(facts, clock=clock):
            for are_ends, group in itertools.groupby(each.deductions, key=_rules_out_an_end):
                deductions = list(group)
                if are_ends:
                    number += 1
                    yield f"{number}. {_no_ends(deductions, instance)}"
                    continue
                for deduction in deductions:
                    number += 1
                    yield f"{number}. {deduction}"
                    yield from (f"   then {consequence}" for consequence in deduction.chain)
    except OutOfTimeError:
        yield "The time limit was reached before the rest was explained."
        return
    if not facts.is_complete:
        yield "The rest does not follow by the rules or from one supposition at a time."


def _rules_out_an_end(deduction: Deduction) -> bool:
    """Return whether a deduction says that the tour neither begins nor ends on a square."""
    why = deduction.sentence.values.get("why")
    return isinstance(why, Phrase) and why.key == "cannot be an end"


def _no_ends(deductions: Sequence[Deduction], instance: Instance) -> str:
    """Return the sentence for deductions that rule out ends."""
    squares = [fact.square for each in deductions for fact in each.facts]
    names = join_words([instance.graph.name(square) for square in squares])
    if len(squares) == 1:
        return f"no end on {names}: it is neither the first nor the last step"
    return f"no end on {names}: none of these is the first or the last step"
