"""Write and read path covers: a path on each line, JSON, or a CSV table."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from kt_cp.board import Board
from kt_cp.board.maps import note_lines
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.board_notes import NOTE, board_of_notes, notes_of_board
from kt_cp.notation.documents import graph_in_document, name_in, parse_document
from kt_cp.notation.tokens import clean
from kt_cp.tour.validator import CoverReport, validate_cover

_KIND = "cover"
_COLUMNS = ("path", "step", "square")

# A name that is written without quotes: it has no blanks, and does not begin as a quoted name, a
# note or a JSON object does. Other names are written as JSON strings.
_PLAIN_NAME = re.compile(r'[^\s";{]\S*')
_WRITTEN_NAME = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')


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
    yield from note_lines({**notes, "kind": _KIND})
    listed = [list(path) for path in paths]
    for number, path in enumerate(listed, start=1):
        yield f"; path {number} of {len(listed)}, {graph.vocabulary.count_vertices(len(path))}"
        yield " ".join(_written(str(name)) for name in path)


def cover_table(paths: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield the lines of a table with the path and the step, from 1, of every square.

    >>> print(*cover_table([["a1", "b3"], ["b1"]]), sep="\\n")
    path,step,square
    1,1,a1
    1,2,b3
    2,1,b1
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMNS)
    for number, path in enumerate(paths, start=1):
        table.writerows((number, step, square) for step, square in enumerate(path, start=1))
    yield from text.getvalue().removesuffix("\n").split("\n")


def is_cover(text: str) -> bool:
    """Return whether a text states by its notes, columns or fields that it is a cover.

    Raises `InputError` for a text that begins like a JSON cover but is not JSON.
    """
    if dict(NOTE.findall(text)).get("kind") == _KIND:
        return True
    beginning = text.lstrip()
    if beginning.startswith(",".join(_COLUMNS)):
        return True
    if not beginning.startswith("{") or '"paths"' not in text:
        return False
    return "paths" in _document(text)


def parse_cover(text: str, board: Graph | None = None) -> CoverReport:
    """Return a report on the cover in a text, judged on a board or on the one that it states.

    Raises `InputError` for a text that does not hold a cover, or does not state its board.

    >>> parse_cover("a1\\nb1\\n; board: 1x2\\n; kind: cover").verdict
    'valid: 2 paths through all squares of 1x2'
    """
    text = text.removeprefix("\ufeff")  # a byte-order mark
    if text.lstrip().startswith("{"):
        document = _document(text)
        board = board or graph_in_document(document)
    elif board is None:
        board = board_of_notes(dict(NOTE.findall(clean(text))))
    if board is None:
        raise InputError("the cover does not state its board: give it (--board)")
    if text.lstrip().startswith("{"):
        return validate_cover(board, _paths_in(document))
    text = clean(text, board)
    if text.lstrip().startswith(",".join(_COLUMNS)):
        return validate_cover(board, _paths_of_table(text))
    lines = [line.strip() for line in text.splitlines()]
    paths = [_names_in(line) for line in lines if line and not line.startswith(";")]
    return validate_cover(board, paths)


def _written(name: str) -> str:
    """Return a name as one word of a line, which `_names_in` reads again."""
    if _PLAIN_NAME.fullmatch(name) and clean(name) == name:
        return name
    return json.dumps(name)


def _names_in(line: str) -> list[str]:
    """Return the names in a line. Raises `InputError` for quotes that are not a JSON string."""
    return [name_in(word) for word in _WRITTEN_NAME.findall(line)]


def _document(text: str) -> dict[str, Any]:
    """Return the JSON object in a text. Raises `InputError` for anything else."""
    document = parse_document(text)
    if not isinstance(document, dict):
        raise InputError("give a JSON object with paths")
    return document


def _paths_in(document: dict[str, Any]) -> list[list[Any]]:
    """Return the paths in a JSON object. Raises `InputError` unless they are lists of lists."""
    paths = document.get("paths")
    if not isinstance(paths, list) or not all(isinstance(path, list) for path in paths):
        raise InputError('paths: give a list of lists of squares, such as [["a1", "b3"], ["c1"]]')
    return paths


def _paths_of_table(text: str) -> list[list[str]]:
    """Return the paths in a table. Raises `InputError`, with the line, for rows out of order."""
    paths: list[list[str]] = []
    try:
        reader = csv.reader(text.splitlines(keepends=True))
        numbered_rows = [(reader.line_num, row) for row in reader if ",".join(row).strip()]
    except csv.Error as error:
        raise InputError(f"this table of paths cannot be read: {error}") from None
    for number, row in numbered_rows[1:]:  # the first holds the names of the columns
        if row[0].startswith(";"):
            continue
        if row[:2] == [str(len(paths) + 1), "1"]:
            paths.append([])
        expected = [str(len(paths)), str(len(paths[-1]) + 1)] if paths else ["1", "1"]
        if len(row) != len(_COLUMNS) or row[:2] != expected:
            wanted = f"path {expected[0]}, step {expected[1]} and a square"
            raise InputError(f"line {number}: {','.join(row)!r} where there should be {wanted}")
        paths[-1].append(row[2])
    return paths
