"""What is thrown at ``kt validate``: any bytes, and texts of tours with pieces changed."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from hypothesis import strategies as st

from kt_cp import Notation
from kt_cp.cli import main
from kt_cp.notation import tour_bytes
from tests.strategies import tours

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

SECONDS = 30  # more than this for so short an input is a hang
_OUTPUT = 10**5  # whoever reads the output stops after so many bytes, as head does

_WORDS = [
    *("0", "1", "-1", "8", "99", "9" * 18, "9" * 19, "9" * 5000, "1e9", "0x8", "²", "٣", "１"),
    *("#", "##", ".", "-", "--", "x", "X", "|", "+", "│", "─", "%", "//", "# ", "# 1"),
    *(" ", "\t", "\n", "\r", "\r\n", "\n\n", "\x0b", "\x85", "\u2028", "\u3000", "\ufeff", "\x00"),
    *(
        ",",
        ";",
        ":",
        "/",
        "->",
        ">",
        "→",
        "，",
        "、",
        "。",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "[[",
        "]]",
    ),
    *("a1", "A1", "b3", "aa27", "zzzzzzz1", "Nb3", "n1", "N", "a0", "1. ", "a", "a b c"),
    *("a1-b3", "b3>c5", "move(1,1,2,3).", "move((1,1),(2,3))", "p(", "Answer: 1\n", "next(0,5)"),
    *("TOUR_SECTION\n", "EOF", "DIMENSION : 9\n", "DIMENSION : 999999999\n", "TYPE : TOUR\n"),
    *('{"tour": ', "null", "true", '"closed": 1', '"board": {"rows": 3, "columns": 4}', "NaN"),
    *('"rows": 30000', '"piece": "zebra"', '"topology": "moon"', "[" * 2000, "(" * 2000),
]
_PIECES = st.sampled_from([word.encode() for word in _WORDS]) | st.binary(max_size=8)


@st.composite
def changed_tours(draw: st.DrawFn) -> bytes:
    """A tour in some notation in which up to six pieces are cut out, doubled or put in."""
    notation = draw(st.sampled_from([each for each in Notation if each is not Notation.HCP]))
    text = b"".join(tour_bytes(draw(tours()), notation))
    for _ in range(draw(st.integers(0, 6))):
        first, last = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        last = min(last, first + draw(st.sampled_from([0, 1, 2, 5, 20, len(text)])))
        repeated = text[first:last] * draw(st.sampled_from([0, 0, 1, 2]))
        text = text[:first] + repeated + draw(_PIECES | st.just(b"")) + text[last:]
    return text


def contents() -> st.SearchStrategy[bytes]:
    """Any bytes, words of the notations in any order, and changed tours."""
    words = st.lists(_PIECES, max_size=40).map(b"".join)
    spaced = st.lists(_PIECES, max_size=40).map(b" ".join)
    return st.binary(max_size=200) | words | spaced | changed_tours()


@st.composite
def arguments(draw: st.DrawFn) -> list[str]:
    """Options of ``kt validate``, none of them wrong."""
    chosen = []
    if draw(st.booleans()):
        chosen += ["--notation", draw(st.sampled_from(list(Notation)))]
    if draw(st.booleans()):
        chosen += ["--board", draw(st.sampled_from(["3x4", "8x8", "1x1", "30x2", "30000x30000"]))]
    chosen += draw(st.sampled_from([[], [], ["--closed"], ["--open"]]))
    chosen += draw(st.sampled_from([[], [], ["--format", "json"], ["--all-faults"]]))
    return chosen


class _Pipe(io.BytesIO):
    """An output whose reader goes away."""

    def writelines(self, lines: Iterable[Buffer]) -> None:
        for line in lines:
            if self.tell() > _OUTPUT:
                raise BrokenPipeError
            self.write(line)


def run(content: bytes, options: list[str]) -> tuple[int, str, str]:
    """Run ``kt validate`` in this process; give its exit code and both outputs."""
    output, errors = _Pipe(), io.StringIO()
    printed = io.TextIOWrapper(output)  # closes the output once nothing refers to it
    with (
        patch.object(sys, "argv", ["kt", "validate", "-", *options]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(content))),
        patch.object(sys, "stdout", printed),
        patch.object(sys, "stderr", errors),
        _alarm(),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return code, output.getvalue().decode(), "" if errors.closed else errors.getvalue()


def check(content: bytes, options: list[str]) -> int:
    """Run it and see that it ends as it should: 0, 1, or 2 with one line. Give the exit code."""
    code, output, errors = run(content, options)
    assert code in (0, 1, 2)
    if code == 2:
        assert output == ""
        assert errors.startswith("kt: ")
        assert errors.count("\n") == 1
    elif "--format" not in options and len(output) <= _OUTPUT:
        verdict, read_as = output.splitlines()[:2]
        assert verdict.startswith("valid " if code == 0 else "not a tour: ")
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
