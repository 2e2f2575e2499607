"""Write a tour in a notation, and a cover: a path on each line, or a table."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board, as_board
from kt_cp.board.maps import map_lines, note_lines
from kt_cp.graph import Graph
from kt_cp.messages import InputError, checked_choice, checked_class, escape_unprintable
from kt_cp.notation.notations import (
    COVER_COLUMNS,
    COVER_KIND,
    MAX_TEXT,
    TABLE_COLUMNS,
    TOO_LONG,
    Notation,
    naming_of,
    notes_of_board,
)
from kt_cp.notation.tokens import clean
from kt_cp.tour.tour import Tour


def write_tour(tour: Tour, notation: Notation | str) -> Iterator[str]:
    """Yield the lines of a tour in a notation, with one item per line.

    Lines that begin with ``;`` (in facts ``%``, in TSPLIB ``COMMENT``) state an unusual piece or
    topology, and that squares are left out. Raises `InputError` for ``npy``, which is not text, for
    more text than `parse_path` reads, and for a tour of one square in a notation of moves.

    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> for notation in ("coords-from-1", "moves", "facts", "successors"):
    ...     print(*itertools.islice(write_tour(tour, notation), 3))
    1,1 2,3 3,1
    a3-c2 c2-a1 a1-b3
    move(1,1,2,3). move(2,3,3,1). move(3,1,1,2).
    6 7 4
    """
    tour = checked_class(tour, Tour, "a Tour, such as solve('8x8').tour")
    notation = checked_choice("notation", notation, Notation)
    check_length(tour.graph, notation)
    if notation is Notation.JSON:
        return iter([json.dumps(tour.as_dict())])
    notes = _notes(tour, notation)
    if notation is not Notation.TSPLIB:
        return itertools.chain(_lines(tour, notation), notes)
    name = tour.graph.title
    about = tour.graph.vocabulary.tour(tour.closed)
    about += "; vertices are numbered in the order of the graph"
    if isinstance(tour.graph, Board):
        name = tour.board.size
        about = f"{tour.kind} {tour.board.piece.name}'s tour of {name}"
    if not tour.is_partial:
        notes.append(f"COMMENT : {about}")
    head = [f"NAME : {name}", *notes, "TYPE : TOUR", f"DIMENSION : {len(tour)}"]
    return itertools.chain(head, ["TOUR_SECTION"], _lines(tour, notation), ["-1", "EOF"])


def tour_table(tour: Tour) -> Iterator[str]:
    """Yield the lines of a table of CSV with the step, from 1, and the name of every square.

    An unusual piece or topology, and that squares are left out, is stated in lines below it that
    begin with ``;``.

    >>> print(*tour_table(Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])), sep="\\n")
    step,square
    1,a3
    2,c2
    ...
    12,d1
    """
    yield from _table(TABLE_COLUMNS, enumerate(tour.names, start=1))
    yield from _notes(tour, Notation.SQUARES)


def _table(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield the lines of a table of CSV; a text in quotes may have several."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    return iter(text.getvalue().removesuffix("\n").split("\n"))


def _notes(tour: Tour, notation: Notation) -> list[str]:
    """Return comments that state an unusual piece or topology, and whether squares are left out.

    If there are any, and the tour is not written as a numbered board, they state the board too.
    """
    graph = tour.graph
    stated = dict(graph.unusual) if isinstance(graph, Board) else {}
    if tour.is_partial:
        stated["kind"] = graph.vocabulary.partial_tour(tour.closed)
    if stated and isinstance(graph, Board) and notation.base is not Notation.GRID:
        stated = notes_of_board(graph) | stated
    mark = {Notation.FACTS: "%", Notation.TSPLIB: "COMMENT :"}.get(notation.base, ";")
    return [f"{mark}{line.removeprefix(';')}" for line in note_lines(stated)]


def _lines(tour: Tour, notation: Notation) -> Iterator[str]:
    """Yield the lines of a tour: a row, a square or a move in each.

    The names of the vertices of a graph without places are in one line, if none has blanks.
    """
    if not isinstance(tour.graph, Board):
        if notation is Notation.TSPLIB:
            return map(str, (tour.squares + 1).tolist())
        words = [_written(str(name)) for name in tour.names]
        return iter(words if any(len(word.split()) > 1 for word in words) else [" ".join(words)])
    if notation is Notation.NPY:
        raise InputError(f"notation {notation} cannot be used to write a tour as text")
    if notation.base is Notation.GRID:
        return map_lines(tour.board.grid(tour.board.mask), tour.grid, notation.first)
    is_successors = notation.base is Notation.SUCCESSORS
    squares = _successors(tour) if is_successors else tour.squares
    names = naming_of(notation).names(tour.board, squares)
    if not notation.writes_moves:
        return iter(names)
    if len(tour) == 1:
        raise InputError(
            f"notation {notation}: a tour of one square has no moves; give another notation, such "
            "as squares"
        )
    form = "move({},{}).".format if notation.base is Notation.FACTS else "{}-{}".format
    if tour.closed:
        names.append(names[0])
    return itertools.starmap(form, itertools.pairwise(names))


def _successors(tour: Tour) -> Squares:
    """Return for each id the square visited next: itself for a hole, -1 for the end of a path."""
    after = np.arange(tour.board.area, dtype=np.int32)
    after[tour.squares[:-1]] = tour.squares[1:]
    after[tour.squares[-1]] = tour.squares[0] if tour.closed else -1
    return after


def tour_bytes(tour: Tour, notation: Notation | str) -> Iterator[bytes]:
    """Yield the bytes of a file with a tour in a notation; a NumPy file holds the ids as int32."""
    if notation != Notation.NPY:
        return (f"{line}\n".encode() for line in write_tour(tour, notation))
    head = io.BytesIO()
    squares = tour.squares
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(squares))
    return iter([head.getvalue(), squares.tobytes()])


def check_length(graph: Graph, notation: Notation) -> None:
    """Raise `InputError` if a tour of a graph in a notation would exceed `MAX_TEXT`.

    Raises `InputError` too for a graph without places and a notation for boards only. A tour of
    such a graph is written as the names of its vertices (squares), as their numbers from 1
    (tsplib), or as JSON.
    """
    if not isinstance(graph, Board):
        if notation not in (Notation.SQUARES, Notation.TSPLIB, Notation.JSON):
            as_board(graph, f"notation {notation}")
        return
    last = np.array([graph.columns - 1, graph.area - 1])  # squares with the longest names
    width = 2 + max(map(len, naming_of(notation).names(graph, last)))
    length = graph.area * (2 * width + 6 if notation.writes_moves else width)
    if length > MAX_TEXT and notation is not Notation.NPY:
        raise InputError(f"a tour of {graph.size} as {notation} is {TOO_LONG}")


# -- covers ---------------------------------------------------------------------------------------


def cover_lines(graph: Graph, paths: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield notes that state the board and kind, then for each path of a cover its names in a line.

    The notes of a board state its size, its holes, and an unusual piece and topology. A comment
    above each path numbers it. A name of a vertex that has blanks is written as a JSON string.

    >>> print(*cover_lines(Board(1, 2), [["a1"], ["b1"]]), sep="\\n")
    ; board: 1x2
    ; kind: cover
    ; path 1 of 2, 1 square
    a1
    ; path 2 of 2, 1 square
    b1
    """
    notes = notes_of_board(graph) if isinstance(graph, Board) else {}
    yield from note_lines({**notes, "kind": COVER_KIND})
    path_lists = [list(path) for path in paths]
    for number, path in enumerate(path_lists, start=1):
        yield f"; path {number} of {len(path_lists)}, {graph.vocabulary.count_vertices(len(path))}"
        yield " ".join(_written(str(name)) for name in path)


def cover_table(paths: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield the lines of a table with the path and the step, from 1, of every square.

    >>> print(*cover_table([["a1", "b3"], ["b1"]]), sep="\\n")
    path,step,square
    1,1,a1
    1,2,b3
    2,1,b1
    """
    rows = (
        (number, step, square)
        for number, path in enumerate(paths, start=1)
        for step, square in enumerate(path, start=1)
    )
    return _table(COVER_COLUMNS, rows)


# A name that is written without quotes: it has no blanks, and does not begin as a quoted name, a
# note or a JSON object does. Other names are written as JSON strings.
_PLAIN_NAME = re.compile(r'[^\s";{]\S*')


def _written(name: str) -> str:
    """Return a name as one word of a line, from which `formats.name_in` reads it."""
    is_plain = _PLAIN_NAME.fullmatch(name) and clean(name) == name == escape_unprintable(name)
    return name if is_plain else json.dumps(name)
