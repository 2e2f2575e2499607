"""Inputs for ``kt validate``: arbitrary bytes, and texts of tours with pieces changed."""

from __future__ import annotations

import itertools
import json
from functools import cache

from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import tour_bytes
from tests.helpers.command import run

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
    """Return a few tours in every notation, as ``kt solve`` writes them."""
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
    """Draw a tour in a notation in which up to six pieces are removed, doubled or inserted."""
    text = draw(st.sampled_from(texts()))
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 2, 3, 6]))):
        first = draw(st.integers(0, len(text)))
        last = first + draw(st.sampled_from([0, 0, 1, 2, 5, 20, len(text)]))
        repeated = text[first:last] * draw(st.sampled_from([0, 0, 1, 2]))
        text = text[:first] + repeated + draw(_SMALL | _PIECES) + text[last:]
    return text


def contents() -> st.SearchStrategy[bytes]:
    """Return a strategy for bytes, words of the notations in any order, and changed tours."""
    words = st.lists(_PIECES, max_size=40).map(b"".join)
    spaced = st.lists(_PIECES, max_size=40).map(b" ".join)
    return st.one_of(st.binary(max_size=200), words, spaced, *[changed_tours()] * 3)


def options() -> st.SearchStrategy[list[str]]:
    """Return a strategy for valid options of ``kt validate``; most often there are none."""
    boards = [[f"--board={size}"] for size in ("3x4", "8x8", "1x1", "30x2", "2000x2000")]
    notations = [[f"--notation={notation}"] for notation in Notation]
    others = [["--closed"], ["--open"]], [["--format=json"], ["--format=text"]]
    some = [st.sampled_from([[], *group]) for group in (boards, notations, *others)]
    chosen = st.tuples(*some).map(lambda groups: [*itertools.chain(*groups)])
    return st.just(list[str]()) | st.just(list[str]()) | chosen


def check(content: bytes, options: list[str]) -> None:
    """Run ``kt validate`` on a text, and fail unless it ends with a verdict or a line."""
    done = run("validate", "-", *options, stdin=content)
    if done.returncode == 2:
        assert done.stderr.startswith("kt: standard input: ")
        assert not done.stdout
        return
    assert done.returncode in (0, 1), done.stderr
    if "--format=json" in options:
        assert json.loads(done.stdout)["valid"] == (done.returncode == 0)
    else:
        verdict, read_as = done.stdout.splitlines()[:2]
        assert verdict.startswith("not a tour: " if done.returncode else "valid ")
        assert read_as.startswith("read as: ")
