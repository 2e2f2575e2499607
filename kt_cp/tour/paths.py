"""Paths as Python values: ids, names, (row, column) pairs and numbered boards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.square_names import SquareLike, StepBySquare, locate
from kt_cp.errors import InputError
from kt_cp.graph import chunks

Path = npt.NDArray[Any]  # of integers; of dtype object if one fits no integer type
Steps = npt.NDArray[np.integer]
Namer = Callable[[int], str]
PathLike = Iterable[SquareLike] | Iterable[Iterable[int]] | StepBySquare | npt.NDArray[Any]

_WANTED = (
    "a path is ids, names such as a1, (row, column) pairs, or a board of step numbers; "
    "text is read by parse_path"
)


@dataclass(frozen=True, eq=False)
class GivenPath:
    """A path as ids in visiting order, and the form in which it was given.

    An entry off the board is kept as a number that is no id; ``entry`` returns how to write it,
    from its place. ``steps`` are the step numbers given with the squares (None: consecutive ones),
    of which the first should be ``count_from``.
    """

    ids: Path
    form: str = "ids"
    steps: Steps | None = None
    count_from: int = 1
    entry: Namer | None = None


_MOST_FLOAT = 2.0**53  # below it a float holds every whole number


def as_path(board: Board, path: PathLike) -> list[GivenPath]:
    """Return the possible readings of a path, more than one only for boards of two columns.

    A path can be an iterable of squares as `parse_square` takes them, an array of shape (n,) or
    (n, 2), a numbered board (an array or nested lists of the board's shape), or a mapping from
    square to step. A numbered board counts from 0 if a single square has 0; other numbers below 1
    mark squares without a step. Raises `InputError` for anything else; squares off the board are
    accepted.

    >>> board = Board(3, 4)
    >>> for path in ([0, 6], ["a3", "c2"], [(0, 0), (1, 2)], {"c2": 2, "a3": 1}):
    ...     print(as_path(board, path)[0].ids.tolist(), as_path(board, path)[0].form)
    [0, 6] ids
    [0, 6] squares
    [0, 6] (row, column) pairs
    [0, 6] steps by square
    >>> [given.form for given in as_path(Board(2, 2), [[1, 2], [4, 3]])]
    ['(row, column) pairs', 'a numbered board']
    """
    if isinstance(path, str | bytes) or not (
        isinstance(path, Iterable) or hasattr(path, "__array__")
    ):
        raise InputError(f"{type(path).__name__} is not a path: {_WANTED}")
    if isinstance(path, Mapping):
        return [_by_square(board, path)]
    items = np.asarray(path) if hasattr(path, "__array__") else list(path)
    array = as_integers(items)
    if array is None:
        return [_squares(board, items)]
    if array.ndim == 1:
        return [GivenPath(array)]
    readings = []
    if array.ndim == 2 and array.shape[1] == 2:
        readings.append(_pairs(board, array))
    if array.shape == (board.rows, board.columns):
        readings.append(_numbered(board, array))
    if not readings:
        shape = "x".join(map(str, array.shape))
        raise InputError(f"an array of {shape} is not a path of {board.size}: {_WANTED}")
    return readings


def as_integers(items: npt.NDArray[Any] | list[Any]) -> Path | None:
    """Return integers as an array of any shape, or None for anything else."""
    try:
        array = np.asarray(items)
    except ValueError:  # nested lists of several lengths
        return None
    if array.size == 0 and array.ndim == 1:
        return np.empty(0, dtype=np.int64)
    if array.dtype.kind in "Of" and array.ndim == 1 and all(type(item) is int for item in items):
        # NumPy makes floats or objects of integers beyond int64.
        return np.asarray(items, dtype=object)
    if array.dtype.kind == "f" and (np.abs(array) < _MOST_FLOAT).all() and (array % 1 == 0).all():
        return array.astype(np.int64)  # as `numpy.loadtxt` returns them
    return array if array.dtype.kind in "iu" else None


def _squares(board: Board, items: npt.NDArray[Any] | list[Any]) -> GivenPath:
    entries = items.tolist() if isinstance(items, np.ndarray) else items
    found = (locate(board, item, f"entry {place}") for place, item in enumerate(entries, start=1))
    ids = np.array([-1 if square is None else square for square in found], dtype=np.int64)
    return GivenPath(ids, "squares", entry=lambda place: str(entries[place]))


def _pairs(board: Board, array: Path) -> GivenPath:
    inside = ((array >= 0) & (array < [board.rows, board.columns])).all(axis=1)
    ids = np.where(inside, array.astype(np.int64) @ [board.columns, 1], -1)
    return GivenPath(
        ids, "(row, column) pairs", entry=lambda place: str(tuple(array[place].tolist()))
    )


def _numbered(board: Board, array: Path) -> GivenPath:
    cells = array.ravel()
    zeros = (cells == 0) & board.mask
    if np.count_nonzero(zeros) != 1:
        return numbered_path(cells)
    return numbered_path(np.where(zeros | (cells > 0), cells.astype(np.int64), -1), count_from=0)


def numbered_path(cells: Steps, count_from: int = 1) -> GivenPath:
    """Return the squares in the order of their steps.

    ``cells`` holds for each id its step, or a number below ``count_from`` if it has none. The path
    has steps of its own only if some are missing or occur twice.

    >>> numbered_path(np.array([3, 1, 0, 2])).ids, numbered_path(np.array([3, 1, 0, 3])).steps
    (array([1, 3, 0], dtype=int32), array([1, 3, 3]))
    """
    if count_from == 0:
        cells = cells + 1
    form = "a numbered board"
    count = np.count_nonzero(cells >= 1)
    if count and cells.max() == count:
        ids = np.full(count, -1, dtype=np.int32)
        for first, part in chunks(cells):
            places = np.flatnonzero(part >= 1)
            ids[part[places] - 1] = places + first
        if ids.min() >= 0:
            return GivenPath(ids, form, count_from=count_from)
    numbered = np.flatnonzero(cells >= 1)
    ordered = numbered[np.argsort(cells[numbered], kind="stable")]
    return GivenPath(ordered, form, cells[ordered] + (count_from - 1), count_from)


def _by_square(board: Board, steps: Mapping[Any, int]) -> GivenPath:
    numbers = as_integers(list(steps.values()))
    if numbers is None:
        raise InputError("steps by square: give whole numbers")
    order = np.argsort(numbers, kind="stable")
    squares = list(steps)
    given = _squares(board, [squares[place] for place in order])
    count_from = 0 if 0 in numbers else 1
    if (numbers < count_from).any():
        raise InputError("steps: give a number from 1 for each square of the path")
    return replace(given, form="steps by square", steps=numbers[order], count_from=count_from)
