"""The text of a path, as a whole or in blocks, and the numbers in it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError
from kt_cp.notation.tidy import blanked, clean, without_code, without_comments

Integers = npt.NDArray[np.integer]

# A longer string of digits is no square and no step of any board.
MAX_DIGITS = 18
NUMBER = rf"-?+\d{{1,{MAX_DIGITS}}}+"

# A text of more characters is read in blocks of this size, and only as `kt solve` writes it.
LONG = 64 * 2**20
BLOCK = 2**20
AS_WRITTEN = "a text of more than 64 MiB must look as kt solve writes it"

_WORD = re.compile(r"\S{1,20}")
_NO_SIGN = re.compile(r"-(?![0-9])")
_TO_BLANKS = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))


class UnreadableError(InputError):
    """The text cannot be read in a notation; ``place`` is where in the text it goes wrong."""

    def __init__(self, message: str, place: int) -> None:
        """Keep the place, a number of characters, beside the message."""
        super().__init__(message)
        self.place = place


class Block(NamedTuple):
    """A part of a text, and the place, line and column at which it begins."""

    text: str
    start: int = 0
    line: int = 1
    column: int = 1
    hint: str = ""

    def error(self, place: int, wanted: str) -> UnreadableError:
        """Return an error that names line and column, what stands there and what is expected."""
        line = self.line + self.text.count("\n", 0, place)
        column = place - self.text.rfind("\n", 0, place) + (self.column - 1) * (line == self.line)
        word = _WORD.match(self.text, place)
        at_end = "the end of the text" if place >= len(self.text) else "a gap"
        found = f"{repr(word[0]) if word else at_end} where there should be {wanted}{self.hint}"
        return UnreadableError(f"line {line}, column {column}: {found}", self.start + place)

    def followed_by(self, text: str) -> Block:
        """Return the next block, which begins where this one ends."""
        length, lines = len(self.text), self.text.count("\n")
        column = length - self.text.rfind("\n") if lines else self.column + length
        return Block(text, self.start + length, self.line + lines, column, self.hint)


class Text:
    """A text to be read, from a string or from an open file.

    ``whole`` is the plain text, or None if the text is so long that it is read in blocks.
    """

    def __init__(self, source: str | BinaryIO) -> None:
        """Take a string, or a long file in UTF-8, which must stay open."""
        self._source = source
        is_short = isinstance(source, str) and len(source) <= LONG
        self.whole = without_code(clean(source)) if isinstance(source, str) and is_short else None

    def blocks(self) -> Iterator[Block]:
        """Yield the whole text, or blocks of a long one, each of which ends with a line or a word.

        Raises `UnreadableError` if neither ends within the size of a block.

        >>> list(Text("a1\\r\\nb3").blocks())
        [Block(text='a1\\nb3', start=0, line=1, column=1, hint='')]
        """
        if self.whole is not None:
            yield Block(self.whole)
            return
        block, rest = Block("", hint=f" ({AS_WRITTEN})"), ""
        for piece in self._pieces():
            rest += piece
            cut = rest.rfind("\n") + 1 or rest.rfind(" ") + 1
            if not cut and len(rest) >= BLOCK:
                raise block._replace(text=rest).error(0, "line ends")
            block = block.followed_by(clean(rest[:cut]))
            yield block
            rest = rest[cut:]
        yield block.followed_by(clean(rest))

    def _pieces(self) -> Iterator[str]:
        source = self._source
        if isinstance(source, str):
            yield from (source[start : start + BLOCK] for start in range(0, len(source), BLOCK))
            return
        source.seek(0)
        decoder, lines = codecs.getincrementaldecoder("utf-8-sig")(), 0
        while content := source.read(BLOCK):
            yield decoded(content, decoder.decode, lines)
            lines += content.count(b"\n")
        yield decoded(b"", lambda end: decoder.decode(end, final=True), lines)


def decoded(content: bytes, decode: Callable[[bytes], str], lines: int = 0) -> str:
    """Decode a part of a file that comes after so many lines.

    Raises `InputError`, with the line, if it is not UTF-8.
    """
    try:
        return decode(content)
    except UnicodeDecodeError as error:
        line = lines + content.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line} is not UTF-8 text; save the path as UTF-8") from None


def run_of(item: str) -> re.Pattern[str]:
    """Compile a pattern that matches as many items as there are, and the blanks after them.

    It takes linear time, as an item is looked for only where the one before has ended.
    """
    return re.compile(rf"(?:{item})*+\s*+", re.ASCII)


def runs(
    text: Text,
    run: re.Pattern[str],
    wanted: str,
    prepare: Callable[[str], str] = without_comments,
) -> Iterator[str]:
    """Yield the blocks of a text that consists of items, as ``prepare`` returns them.

    ``prepare`` replaces by blanks what is no item, such as comments. Raises `UnreadableError` for
    anything else, and for a text without items; ``wanted`` is what the message asks for.
    """
    block, empty = Block(""), True
    for block in text.blocks():
        plain = prepare(block.text)
        match = run.match(plain)
        end = match.end() if match else 0
        if end < len(plain):
            raise block.error(end, wanted)
        if plain and not plain.isspace():
            empty = False
            yield plain
    if empty:
        raise block.error(len(block.text), wanted)


def numbers_in(plain: str) -> Integers:
    """Return the whole numbers in a text with anything else between them; as int32 if they fit.

    >>> numbers_in("(0, 0)->(-2, 1)").tolist()
    [0, 0, -2, 1]
    """
    digits = blanked(_NO_SIGN, plain, "-").encode().translate(_TO_BLANKS)
    if digits.isspace() or not digits:
        return np.empty(0, dtype=np.int32)
    numbers = np.fromstring(digits, dtype=np.int64, sep=" ")
    fits = max(numbers.max(), ~numbers.min()) <= np.iinfo(np.int32).max
    return numbers.astype(np.int32) if fits else numbers


def numbers_of(
    text: Text, run: re.Pattern[str], wanted: str, prepare: Callable[[str], str]
) -> Integers:
    """Return the numbers in a text that consists of items; see `runs`."""
    return gathered(map(numbers_in, runs(text, run, wanted, prepare)))


def gathered(parts: Iterable[Integers]) -> Integers:
    """Join arrays into one of one dimension, with only one of them in memory beside it."""
    joined = bytearray()
    kind: np.dtype[np.integer] = np.dtype(np.int32)
    for part in parts:
        if part.dtype.itemsize > kind.itemsize:
            joined = bytearray(np.frombuffer(joined, kind).astype(np.int64).tobytes())
            kind = np.dtype(np.int64)
        joined += part.astype(kind, copy=False).tobytes()
    return np.frombuffer(joined, kind)
