"""Addresses of the page: the position that an address holds, or a line that says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kt_cp.errors import InputError
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.position import MAX_TEXT, Position

ADDRESS = ("board", "graph", "closed", "path", "puzzle")
"""What an address can hold."""

_REPEATED = 40  # characters of a text that a message repeats
_SIZE = re.compile(r"\d+x\d+")


def parse_address(query: Mapping[str, str], usual: Position) -> tuple[Position, str]:
    """Return the position that an address asks for, and what is wrong with it or an empty text.

    What is wrong is left out; without a board or a graph it is the ``usual`` position.

    >>> usual = BoardPosition.parse("6x6")
    >>> position, told = parse_address({"board": "3x4", "path": "a3 c2 d4"}, usual)
    >>> position.path, told
    ((0, 6), 'the address has a path that ends at c2: d4 is off the board')
    """
    for name in query:
        if name not in ADDRESS:
            known = ", ".join(ADDRESS)
            return usual, f"the address has {shortened(name)!r}, which is none of {known}"
    closed = query.get("closed", "false").lower()
    if closed not in ("true", "false"):
        return usual, f"the address has closed={shortened(closed)}: give closed=true"
    is_closed = closed == "true"
    position = usual
    try:
        if "graph" in query:
            position = GraphPosition.parse(query["graph"], is_closed)
        elif "board" in query:
            position = _parse_board(query["board"], is_closed)
    except InputError as error:
        return usual, f"the address has {error}"
    return _with_path(position, query.get("path", "").split())


def shortened(text: str) -> str:
    """Return a text as it can be repeated in a message."""
    return text if len(text) <= _REPEATED else f"{text[:_REPEATED]} …"


def _parse_board(text: str, closed: bool) -> BoardPosition:
    """Read a size or a map. Raises `InputError` with the words that follow "the address has"."""
    try:
        return BoardPosition.parse(text, closed)
    except InputError as error:
        if "\n" in text or len(text) > MAX_TEXT or _SIZE.fullmatch(text):
            raise InputError(f"a board that cannot be shown: {error}") from None
        wanted = "give a size such as 8x8, or a map of '.' and '#'"
        raise InputError(f"the board {shortened(text)!r}: {wanted}") from None


def _with_path(position: Position, names: Sequence[str]) -> tuple[Position, str]:
    """Draw a path of named vertices as far as it is right, and tell what is wrong."""
    graph = position.graph
    for name in names:
        last = f"ends at {graph.name(position.path[-1])}" if position.path else "is left out"
        told = f"the address has a path that {last}"
        try:
            vertex = graph.locate(name)
            if vertex is None:
                return position, f"{told}: {shortened(name)} is {graph.vocabulary.outside}"
            if vertex in position.path:
                return position, f"{told}: {shortened(name)} is visited twice"
            position = position.visited(vertex)
        except InputError as error:
            return position, f"{told}: {shortened(str(error))}"
    return position, ""
