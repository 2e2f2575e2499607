"""The boards of a comparison, as they are typed: sizes, ranges, maps, folders, random holes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from glob import glob
from pathlib import Path

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.files import size_or_map

Givens = tuple[tuple[int, int], ...]
"""Pairs of a square and the step at which it is visited."""

# Beyond this a range is a slip of the pen.
_MAX_BOARDS = 10_000

_RANGE = re.compile(r"(\d{1,9})[xX×](\d{1,9})\.\.(\d{1,9})[xX×](\d{1,9})", re.ASCII)
_RANDOM = re.compile(r"random:([\dxX×]+)((?::(?:holes|count|seed)=\d{1,9})*)", re.ASCII)


def named_boards(
    words: Iterable[str], piece: str | None = None, topology: str | None = None
) -> dict[str, tuple[Board, Givens]]:
    """Return boards by name, each with the steps that its map gives.

    A word is a size (``8x8``), a range of sizes (``5x5..8x8``), a file with a map, a folder of such
    files, a pattern (``maps/*.txt``), ``-`` for standard input, or a board with random holes, such
    as ``random:8x8:holes=6:count=20:seed=1``. In a range the sides that differ grow together.
    Raises `InputError` for anything else.

    >>> list(named_boards(["5x5..7x7", "3x4..3x5", "random:4x4:holes=2:count=2"]))
    ['5x5', '6x6', '7x7', '3x4', '3x5', 'random:4x4:holes=2:seed=0', 'random:4x4:holes=2:seed=1']
    """
    boards = {}
    for name in dict.fromkeys(name for word in words for name in _names(word)):
        board, givens = _board(name, piece, topology)
        boards[name] = board, tuple(givens.items())
    return boards


def _names(word: str) -> Sequence[str]:
    """Return the names of the boards that a word stands for."""
    if word.startswith("random:"):
        return _random_names(word)
    if ends := _RANGE.fullmatch(word):
        return _sizes(word, *map(int, ends.groups()))
    if "\0" in word:
        raise InputError(f"boards {word!r}: no file has such a name")
    if Path(word).is_dir():
        files = [path for path in Path(word).iterdir() if path.is_file()]
        names = sorted(str(path) for path in files if not path.name.startswith("."))
    elif any(character in word for character in "*?["):
        names = sorted(name for name in glob(word, recursive=True) if Path(name).is_file())
    else:
        return [word]
    if not names:
        raise InputError(f"boards {word!r}: there is no such file; give maps or sizes such as 8x8")
    return names


def _sizes(word: str, rows: int, columns: int, last_rows: int, last_columns: int) -> list[str]:
    taller, wider = last_rows - rows, last_columns - columns
    length = max(taller, wider)
    if length < 0 or {taller, wider} - {0, length}:
        raise InputError(
            f"boards {word!r}: the sides that differ must grow alike, as in 5x5..8x8 or 3x4..3x10"
        )
    _check_number(word, length + 1)
    return [
        f"{rows + min(step, taller)}x{columns + min(step, wider)}" for step in range(length + 1)
    ]


def _random_names(word: str) -> list[str]:
    """Return names that stand for one board each, with seeds that count up."""
    size, options = _random_options(word)
    count, seed = options["count"], options["seed"]
    _check_number(word, count)
    holes = options["holes"]
    return [f"random:{size}:holes={holes}:seed={seed + number}" for number in range(count)]


def _random_options(word: str) -> tuple[str, dict[str, int]]:
    parts = _RANDOM.fullmatch(word)
    if not parts:
        raise InputError(f"boards {word!r}: give random:8x8:holes=6:count=20:seed=1")
    given = dict(option.split("=") for option in parts[2].split(":")[1:])
    defaults = {"holes": 0, "count": 1, "seed": 0}
    return parts[1], defaults | {name: int(number) for name, number in given.items()}


def _check_number(word: str, number: int) -> None:
    if number > _MAX_BOARDS:
        raise InputError(f"boards {word!r}: more than {_MAX_BOARDS:,} boards; give fewer")


def _board(name: str, piece: str | None, topology: str | None) -> tuple[Board, Mapping[int, int]]:
    """Return the board of that name, and the steps that its map gives."""
    if name.startswith("random:"):
        size, options = _random_options(name)
        board, _ = Board.read(size, piece, topology)
        if options["holes"] >= board.area:
            raise InputError(f"boards {name!r}: {size} has room for {board.area - 1} holes")
        holes = random.Random(options["seed"]).sample(range(board.area), options["holes"])
        return replace(board, holes=tuple(holes)), {}
    with size_or_map(name) as text:
        board, shown = Board.read(text, piece, topology)
    for constraint in shown.constraints:
        wanted = "a comparison takes constraints as options; leave out that line"
        raise InputError(f"boards {name!r}: the map has the constraint '{constraint}': {wanted}")
    return board, shown.givens
