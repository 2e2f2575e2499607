"""Addresses of the page: the position that an address describes, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kt_cp.messages import InputError
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.position import MAX_TEXT, Position

ADDRESS_KEYS = ("board", "graph", "closed", "path", "puzzle")
"""The keys that an address can have."""

_MAX_QUOTED = 40  # characters of a text that a message repeats
_SIZE = re.compile(r"\d+x\d+")


def parse_address(query: Mapping[str, str], default: Position) -> tuple[Position, str]:
    """Return the position that an address describes, and a message on its errors or an empty text.

    Return the ``default`` position if there is neither a board nor a graph, or if either or a key
    is invalid. A path is shortened to its part before the first error.

    >>> default = BoardPosition.parse("6x6")
    >>> position, problem = parse_address({"board": "3x4", "path": "a3 c2 d4"}, default)
    >>> position.path, problem
    ((0, 6), 'the address has a path that ends at c2: d4 is off the board')
    """
    try:
        position = _parse_position(query) or default
    except InputError as error:
        return default, f"the address has {error}"
    return _with_path(position, query.get("path", "").split())


def _parse_position(query: Mapping[str, str]) -> Position | None:
    """Return the position of an address, without its path; None if it names no graph.

    Raises `InputError` with a message to follow "the address has".
    """
    for name in query:
        if name not in ADDRESS_KEYS:
            known = ", ".join(ADDRESS_KEYS)
            raise InputError(f"{_shorten(name)!r}, which is none of {known}")
    closed = query.get("closed", "false").lower()
    if closed not in ("true", "false"):
        raise InputError(f"closed={_shorten(closed)}: give closed=true")
    if "graph" in query:
        return GraphPosition.parse(query["graph"], closed == "true")
    if "board" in query:
        return _parse_board(query["board"], closed == "true")
    return None


def _shorten(text: str) -> str:
    """Return a text short enough to be quoted in a message."""
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]} …"


def _parse_board(text: str, closed: bool) -> BoardPosition:
    """Return the board of a size or a map, without a path.

    Raises `InputError` with a message to follow "the address has".
    """
    try:
        return BoardPosition.parse(text, closed)
    except InputError as error:
        if "\n" in text or len(text) > MAX_TEXT or _SIZE.fullmatch(text):
            raise InputError(f"a board that cannot be shown: {error}") from None
        wanted = "give a size such as 8x8, or a map of '.' and '#'"
        raise InputError(f"the board {_shorten(text)!r}: {wanted}") from None


def _with_path(position: Position, names: Sequence[str]) -> tuple[Position, str]:
    """Return the position with a path of named vertices, and a message on its first error.

    The path ends before that error.
    """
    graph = position.graph
    for name in names:
        last = f"ends at {graph.name(position.path[-1])}" if position.path else "is left out"
        problem = f"the address has a path that {last}"
        try:
            vertex = graph.locate(name)
            if vertex is None:
                return position, f"{problem}: {_shorten(name)} is {graph.vocabulary.outside}"
            if vertex in position.path:
                return position, f"{problem}: {_shorten(name)} is visited twice"
            position = position.with_tap(vertex)
        except InputError as error:
            return position, f"{problem}: {_shorten(str(error))}"
    return position, ""
