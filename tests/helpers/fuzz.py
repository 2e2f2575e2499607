"""What is thrown at ``kt validate``: any bytes, and texts of tours with pieces changed."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict
from unittest.mock import patch

from hypothesis import strategies as st

from kt_cp import Board, InputError, Notation, solve
from kt_cp.cli.check import validate_command
from kt_cp.cli.options import AnswerFormat
from kt_cp.notation.notations import tour_bytes

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

SECONDS = 30  # more than this for so short an input is a hang
_OUTPUT = 10**5  # whoever reads the output stops after so many bytes, as head does

_WORDS = [
    *("0", "1", "-1", "8", "99", "9" * 18, "9" * 19, "9" * 5000, "1e9", "0x8", "²", "٣", "１"),
    *("#", "##", ".", "-", "--", "x", "X", "|", "+", "│", "─", "%", "//", "# ", "# 1"),
    *(" ", "\t", "\n", "\r", "\r\n", "\n\n", "\x0b", "\x85", "\u2028", "\u3000", "\ufeff", "\x00"),
    *(*",;:/>→，、。()[]{}", "->", "[[", "]]"),
    *("a1", "A1", "b3", "aa27", "zzzzzzz1", "Nb3", "n1", "N", "a0", "1. ", "a", "a b c"),
    *("a1-b3", "b3>c5", "move(1,1,2,3).", "move((1,1),(2,3))", "p(", "Answer: 1\n", "next(0,5)"),
    *("TOUR_SECTION\n", "EOF", "DIMENSION : 9\n", "DIMENSION : 999999999\n", "TYPE : TOUR\n"),
    *('{"tour": ', "null", "true", '"closed": 1', '"board": {"rows": 3, "columns": 4}', "NaN"),
    *("array([", "dtype=int32)", "np.int64(3)", "3.0", "1.0e+00", "&", "\\\\", "\\hline\n"),
    *("Board: 3x4\n", "path =", "step,row,col\n", "row col\n", "{(0, 0): 1", '"path": [', "Nxd7+"),
    *("<td>", "</tr>", "<table>", "- [", "- - 1\n  - 2\n", "new Point(", "{x: 1, y: 2}", "♘a1"),
    *('[{"x": 1, "y": 2}]', '{"x": [1], "y": [2]}', "| --- | --- |\n", "**1**", "...", "a1b3"),
    *("; piece: zebra\n", "; topology: torus\n", "; board: 3x4\n", "closed tour\n", "\n\n17\n"),
    *('"rows": 30000', '"piece": "zebra"', '"topology": "moon"', "[" * 2000, "(" * 2000),
]
_SMALL = st.sampled_from([b"", b"", b"", b" ", b"1", b"7", b"\n", b"."])
_PIECES = st.sampled_from([word.encode() for word in _WORDS]) | st.binary(max_size=8)


@cache
def texts() -> list[bytes]:
    """A few tours in every notation, as ``kt solve`` writes them."""
    tours = [
        *(solve(Board(3, 4)).tour, solve(Board(5, 6), closed=True).tour),
        *(solve(Board(3, 28)).tour, solve(Board(3, 3, [4]), closed=True).tour),
    ]
    notations = [*Notation]
    return [
        b"".join(tour_bytes(tour, notation)) for tour in tours if tour for notation in notations
    ]


@st.composite
def changed_tours(draw: st.DrawFn) -> bytes:
    """A tour in some notation in which up to six pieces are cut out, doubled or put in."""
    text = draw(st.sampled_from(texts()))
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 2, 3, 6]))):
        first = draw(st.integers(0, len(text)))
        last = first + draw(st.sampled_from([0, 0, 1, 2, 5, 20, len(text)]))
        repeated = text[first:last] * draw(st.sampled_from([0, 0, 1, 2]))
        text = text[:first] + repeated + draw(_SMALL | _PIECES) + text[last:]
    return text


def contents() -> st.SearchStrategy[bytes]:
    """Any bytes, words of the notations in any order, and changed tours."""
    words = st.lists(_PIECES, max_size=40).map(b"".join)
    spaced = st.lists(_PIECES, max_size=40).map(b" ".join)
    return st.one_of(st.binary(max_size=200), words, spaced, *[changed_tours()] * 3)


class Options(TypedDict, total=False):
    """Options of ``kt validate``."""

    board: str
    closed: bool
    notation: Notation
    answer_format: AnswerFormat


def options() -> st.SearchStrategy[Options]:
    """Options of ``kt validate``, none of them wrong; most often none."""
    boards = st.sampled_from(["3x4", "8x8", "1x1", "30x2", "2000x2000"])
    some = st.fixed_dictionaries(
        {},
        optional={
            "board": boards,
            "closed": st.booleans(),
            "notation": st.sampled_from(list(Notation)),
            "answer_format": st.sampled_from(list(AnswerFormat)),
        },
    )
    none: Options = {}
    return st.one_of(st.just(none), st.just(none), some)


_validate: Any = validate_command.callback
_DEFAULTS: dict[str, object] = {
    "path": "-",
    "board": None,
    "closed": None,
    "notation": None,
    "piece": None,
    "topology": None,
    "graph": None,
    "answer_format": AnswerFormat.TEXT,
    "draw": None,
}


class _Pipe(io.BytesIO):
    """An output whose reader goes away."""

    def writelines(self, lines: Iterable[Buffer]) -> None:
        for line in lines:
            if self.tell() > _OUTPUT:
                raise BrokenPipeError
            self.write(line)


def check(content: bytes, options: Options) -> int:
    """Validate it as ``kt validate`` does, and see that it ends as it should. Give the exit code.

    That is 0 or 1 with a verdict, or 2 with one message and nothing else.
    """
    output = _Pipe()
    printed = io.TextIOWrapper(output)  # closes the output once nothing refers to it
    with (
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(content))),
        patch.object(sys, "stdout", printed),
        patch.object(sys, "stderr", io.StringIO()),
        _alarm(),
    ):
        message = ""
        try:
            code: int = _validate(**{**_DEFAULTS, **options})
        except InputError as error:
            code, message = 2, str(error)
        except BrokenPipeError:
            return 1
    if code == 2:
        assert message.startswith("standard input: ")
        assert not output.getvalue()
        return code
    assert code in (0, 1)
    text = output.getvalue().decode()
    if options.get("answer_format") is AnswerFormat.JSON:
        assert json.loads(text)["valid"] == (code == 0)
    else:
        verdict, read_as = text.splitlines()[:2]
        assert verdict.startswith("not a tour: " if code else "valid ")
        assert read_as.startswith("read as: ")
    return code


@contextmanager
def _alarm() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise AssertionError(f"not done after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
