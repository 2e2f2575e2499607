"""How hard a puzzle is for a person: whether rules suffice, one supposition at a time, or neither.

Where the rules deduce nothing more, a move is supposed to be made, or not to be made; if the rules
then lead to a contradiction, the opposite holds. What is supposed does not nest, as a person would
not keep two suppositions in mind.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from kt_cp.deduction.facts import ContradictionError, Deduction, Facts
from kt_cp.deduction.rules import deduce
from kt_cp.problem.instance import Instance


class Grade(StrEnum):
    """Easy: the rules suffice. Medium: with one supposition at a time. Hard: more must be tried."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


def grade_of(instance: Instance, most: Grade = Grade.HARD) -> Grade:
    """Return how hard it is to find the tour; it does not depend on symmetries of the board.

    Suppositions are tried only if ``most`` is above easy; otherwise what is not easy is hard.
    Bounds on features, a symmetry and constraints of one's own are not regarded by the rules.

    >>> grade_of(Instance("3x4", givens={0: 1, 6: 2, 11: 12}))
    <Grade.EASY: 'easy'>
    """
    if len(instance.board) == 1:
        return Grade.EASY
    facts = Facts(instance)
    try:
        if all(True for _ in deduce(facts)) and facts.complete:
            return Grade.EASY
        if most is Grade.EASY:
            return Grade.HARD
        if all(True for _ in suppose(facts)) and facts.complete:
            return Grade.MEDIUM
    except ContradictionError:
        pass  # there is no tour, and no telling how hard it is to find
    return Grade.HARD


def explain(instance: Instance) -> Iterator[Deduction]:
    """Yield deductions from first to last: by the rules, then with suppositions.

    They end with the whole tour if the puzzle is easy or medium. Raises `ContradictionError` where
    no tour has all that is given.

    >>> next(explain(Instance("3x4", givens={0: 1, 6: 2, 11: 12}))).text
    'd3-b2 and d3-c1: d3 has only two ways left'
    """
    facts = Facts(instance)
    yield from deduce(facts)
    yield from suppose(facts)


def suppose(facts: Facts) -> Iterator[Deduction]:
    """Yield what follows from suppositions that lead to contradictions, and then by the rules."""
    progress = True
    while progress and not facts.complete:
        progress = False
        for pair in facts.open_pairs():
            if pair[1] not in facts.near[pair[0]] - facts.used[pair[0]]:
                continue  # it was decided meanwhile
            for used in (True, False):
                supposed = facts.copy()
                (supposed.use if used else supposed.drop)(*pair)
                try:
                    for _ in deduce(supposed):
                        pass
                except ContradictionError as error:
                    progress = True
                    (facts.drop if used else facts.use)(*pair)
                    begin, how = ("not ", "with") if used else ("", "without")
                    text = f"{begin}{facts.pair(*pair)}: {how} it, {error}"
                    yield Deduction(text, (facts.fact(*pair, not used),))
                    yield from deduce(facts)
                    break
