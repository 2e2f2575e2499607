"""What a person concludes about the tour of a puzzle: facts, deductions and contradictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.puzzles.words import ENGLISH, Phrase, Value, Words


class StepFact(NamedTuple):
    """The tour visits a square at a step, counted from 1."""

    square: int
    step: int


class MoveFact(NamedTuple):
    """The tour makes the move between two squares or, if it is not ``used``, does not make it.

    ``other`` is None for the depot: the fact then says whether the square is an end of an open
    tour.
    """

    square: int
    other: int | None
    used: bool


Fact = StepFact | MoveFact


@dataclass(frozen=True)
class Deduction:
    """A conclusion: a sentence that says why it holds, and the facts that it adds.

    If it follows from a supposition, ``chain`` has the deductions that lead to the contradiction.
    """

    sentence: Phrase
    facts: tuple[Fact, ...]
    chain: tuple[Deduction, ...] = ()

    @property
    def text(self) -> str:
        """The sentence in English."""
        return ENGLISH.phrase(self.sentence)

    def __str__(self) -> str:
        return self.text

    def lines(self, words: Words = ENGLISH) -> list[str]:
        """Return the sentence, and a line for each deduction of the chain."""
        chain = [words.phrase(each.sentence) for each in self.chain]
        then = ["  " + words("then", conclusion=conclusion) for conclusion in chain]
        return [words.phrase(self.sentence), *then]


class ContradictionError(Exception):
    """No tour has all that is known; the ``failure`` says where, and in English the message."""

    def __init__(self, key: str, **values: Value) -> None:
        self.failure = Phrase(key, values)

    def __str__(self) -> str:
        return ENGLISH.phrase(self.failure)
