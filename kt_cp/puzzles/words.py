"""The words of puzzles, in print and on pages: one table for each language, in ``languages``.

A table gives the text of each key. A word in braces stands for a value. All tables have the same
keys, and each text has the same words in braces, in any order. A text with a number has a twin for
the number one, such as "one square" and "several squares".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kt_cp.board import KNIGHT, Board
from kt_cp.messages import checked_choice

if TYPE_CHECKING:
    from kt_cp.board import Piece

_TABLES = Path(__file__).with_name("languages")

Value: TypeAlias = "str | int | Phrase | Listing"
"""What stands for a word in braces."""


class Phrase(NamedTuple):
    """A text of the tables by its key, with values for the words in braces."""

    key: str
    values: Mapping[str, Value]


class Listing(NamedTuple):
    """Parts of a sentence; ``last`` is the key of the text before the last one."""

    parts: Sequence[Value]
    last: str = "and"


class Language(StrEnum):
    """The languages that have a table, by their codes of ISO 639."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    SPANISH = "es"
    CHINESE = "zh"
    JAPANESE = "ja"


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one language: each text by its key."""

    texts: Mapping[str, str]

    @classmethod
    def of(cls, language: str | Words) -> Words:
        """Return the words of a language that has a table, and words unchanged.

        Raises `InputError` for anything else.

        >>> Words.of("de")("solutions")
        'Lösungen'
        """
        if isinstance(language, Words):
            return language
        return _table(checked_choice("language", language, Language))

    @property
    def language(self) -> str:
        """The code of the language, such as ``en``."""
        return self.texts["language"]

    @property
    def faces(self) -> str:
        """The typefaces for letters that the usual ones lack, the best one first."""
        return self.texts["faces"]

    def __call__(self, key: str, **values: object) -> str:
        """Return a text, with values for the words in braces.

        >>> ENGLISH("number on square", number=7, square="a1")
        '7 on a1'
        """
        return self.texts[key].format_map(values)

    def phrase(self, phrase: Phrase) -> str:
        """Return the text of a phrase, and of the phrases in it.

        >>> known = Listing([Phrase("number on square", {"number": 7, "square": "a1"}), "b3"])
        >>> ENGLISH.phrase(Phrase("only square", {"numbers": known}))
        'no other square is left for it, counting from 7 on a1 and b3'
        """
        values = {name: self._text_of(value) for name, value in phrase.values.items()}
        return self(phrase.key, **values)

    def _text_of(self, value: Value) -> str:
        """Return the text of a value in a phrase."""
        if isinstance(value, Phrase):
            return self.phrase(value)
        if isinstance(value, Listing):
            return self.join([self._text_of(part) for part in value.parts], value.last)
        return str(value)

    def join(self, parts: Sequence[str], last: str = "list") -> str:
        """Return parts as a list in a sentence, with another text before the last one.

        >>> ENGLISH.join(["a", "b", "c"]), ENGLISH.join(["a", "b", "c"], "and")
        ('a, b, c', 'a, b and c')
        """
        joined = parts[0]
        for part in parts[1:-1]:
            joined = self("list", first=joined, last=part)
        return self(last, first=joined, last=parts[-1]) if len(parts) > 1 else joined

    def sentences(self, parts: Sequence[str]) -> str:
        """Return sentences as one text: with blanks between them, where a language has any."""
        text = parts[0]
        for part in parts[1:]:
            text = self("sentences", first=text, last=part)
        return text

    def counted(self, count: int, one: str, several: str) -> str:
        """Return the text ``one`` for a count of 1, and otherwise ``several`` with the count.

        >>> ENGLISH.counted(3, "one puzzle", "several puzzles")
        '3 puzzles'
        """
        return self(one) if count == 1 else self(several, count=count)

    def squares(self, count: int) -> str:
        """Return a number of squares, such as ``8 squares``."""
        return self.counted(count, "one square", "several squares")

    def tour(self, closed: bool) -> str:
        """Return the name of an open or closed tour."""
        return self("closed tour" if closed else "open tour")

    def board(self, board: Board) -> str:
        """Return the size of a board, with a piece and a topology that are not the usual ones.

        >>> ENGLISH.board(Board(3, 8)), ENGLISH.board(Board(5, 5, piece="zebra"))
        ('3x8', '5x5 (zebra)')
        """
        if not board.unusual:
            return board.size
        names = [self.texts.get(f"kind {name}", name) for name in board.unusual.values()]
        return self("unusual board", size=board.size, kinds=self.join(names))

    def move(self, piece: Piece) -> str:
        """Return the name of one move of a knight, of another piece with a name, or of a leaper."""
        return self._move(piece, "")

    def moves(self, piece: Piece) -> str:
        """Return the name of several moves of a piece."""
        return self._move(piece, "s")

    def _move(self, piece: Piece, plural: str) -> str:
        """Return the name of one move, or of several with ``plural`` "s"."""
        if piece == KNIGHT:
            return self(f"knight move{plural}")
        if piece.name[0].isdigit():
            return self(f"leap{plural}", piece=piece.name)
        return self(f"piece move{plural}", piece=self(f"kind {piece.name}"))

    def level(self, level: str) -> str:
        """Return the name of a level of difficulty, or any other level unchanged."""
        return self.texts.get(f"level {level}", level)


@lru_cache
def _table(language: Language) -> Words:
    """Return the words in the file of a language."""
    return Words(json.loads((_TABLES / f"{language}.json").read_text(encoding="utf-8")))


ENGLISH = Words.of("en")
"""The words of pictures for which no language was chosen."""
