"""Read documents: JSON, and dicts, lists, texts and numbers as Python prints them."""

from __future__ import annotations

import ast
import json
import re
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kt_cp.board import Board
from kt_cp.graph import Graph, NamedGraph
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_values import forms_of_value, step_in_key, whole_number
from kt_cp.notation.reading import Form
from kt_cp.notation.tokens import unreadable


@dataclass(frozen=True)
class PathFields:
    """The fields of an object with a path; ``closed`` is None if the kind of tour is not stated."""

    path: Any
    closed: bool | None
    partial: bool

    @classmethod
    def of(cls, document: Mapping[Any, Any]) -> PathFields:
        """Return the fields of an object with ``tour`` or ``path``.

        Raises `InputError` if there is no path, or if ``closed`` or ``partial`` is not a Boolean.
        """
        path = document.get("tour", document.get("path"))
        if path is None:
            status = document.get("status")
            why = "no key tour or path"
            if isinstance(status, str):
                why = f"status: {escape_unprintable(status)}"
            raise InputError(f"the JSON object holds no tour ({why})")
        closed, partial = document.get("closed"), document.get("partial", False)
        if not isinstance(closed, bool | None):
            raise InputError(f"closed: {reprlib.repr(closed)}: give true or false")
        if not isinstance(partial, bool):
            raise InputError(f"partial: {reprlib.repr(partial)}: give true or false")
        return cls(path, closed, partial)


def read_json(text: str) -> list[Form]:
    """Return the forms of a path in a JSON document, or in a value as Python prints it.

    The document is an object with ``tour`` or ``path``, an object of steps by square, or an array.
    An object with a path may also have ``board``, ``closed`` and ``partial``; other keys are
    ignored. The path is read by `forms_of_value`. Raises `InputError` for anything else.
    """
    document = parse_document(text)
    if not isinstance(document, dict) or _holds_steps(document):
        return forms_of_value(document, Notation.JSON)
    fields, board = PathFields.of(document), document.get("board")
    forms = forms_of_value(fields.path, Notation.JSON)
    if board is not None:
        forms = [replace(forms[0], board=_board_of(board))]
    forms = [replace(form, partial=fields.partial) for form in forms]
    return [form if form.drawn else replace(form, closed=fields.closed) for form in forms]


def _holds_steps(document: Mapping[Any, Any]) -> bool:
    """Return whether an object is a mapping from squares to steps, or from steps to squares."""
    if not document:
        return False
    by_square = None not in map(whole_number, document.values())
    return by_square or None not in map(step_in_key, document)


def graph_in_document(document: Mapping[Any, Any]) -> Graph | None:
    """Return the graph or board that an object states in its field of that name, None without one.

    Raises `InputError` if the field describes neither.
    """
    if "graph" in document:
        return NamedGraph.from_dict(document["graph"])
    board = document.get("board")
    return None if board is None else _board_of(board)


def _board_of(value: Any) -> Board:
    """Return the board that the field ``board`` of a JSON object describes."""
    try:
        return Board.parse(value) if isinstance(value, str) else Board(**value)
    except TypeError:
        wanted = '"8x8" or {"rows": 8, "columns": 8, "holes": []}'
        raise InputError(f"board {reprlib.repr(value)}: give it as {wanted}") from None


def written_name(name: str) -> str:
    """Return the name of a vertex as a line of text, from which `name_in` reads it.

    A name that would not stay the same is written as a JSON string: one with characters that cannot
    be printed or blanks around it, and one that begins as a JSON string or a note does.

    >>> print(written_name("New York"), written_name("two\\nlines"))
    New York "two\\nlines"
    """
    stays = escape_unprintable(name) == name and name == name.strip() != ""
    return name if stays and not name.startswith(('"', ";")) else json.dumps(name)


def name_in(word: str) -> str:
    """Return the name of a vertex in a word, which may be in quotes as a JSON string.

    Raises `InputError` for quotes that are not one.

    >>> name_in("c4"), name_in('"a b"')
    ('c4', 'a b')
    """
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word))
    except ValueError:
        raise InputError(f"name {word[:40]!r}: a name in quotes is a JSON string") from None


_LAST_COMMA = re.compile(r",\s*[\]}]")


def parse_document(text: str) -> Any:
    """Return the value in a text of JSON, or as Python prints dicts, lists, texts and numbers.

    Raises `UnreadableError` for other texts, and `InputError` for a key that occurs twice and for
    too many brackets.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        literal = _python_literal(text)
        if literal is not None:
            return literal
        # Before version 3.13, Python reports the bracket after a superfluous comma.
        comma = _LAST_COMMA.match(text, text.rfind(",", 0, error.pos + 1))
        if comma and comma.end() > error.pos:
            wanted = "JSON, which has no comma before a closing bracket"
            raise unreadable(text, comma.start(), wanted) from None
        raise unreadable(text, error.pos, "JSON") from None
    except InputError:  # which is a ValueError, too
        raise
    except (ValueError, RecursionError) as error:  # too many digits, or brackets
        raise InputError(f"JSON: {error}") from None


def _unique_pairs(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return pairs of key and value as a dict. Raises `InputError` for a key used twice."""
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"{reprlib.repr(key)} occurs twice, with two values")
        found[key] = value
    return found


# A longer text, or one with anything but plain values such as {'a': [1, (2, True)]}, is not passed
# to Python's parser.
_MAX_LITERAL = 2**22
_LITERAL = re.compile(
    r"(?>(?:[\s,:\[\](){}]"
    r"|(?>-?\d[\w.]*|'[^'\\\n]*'|\"[^\"\\\n]*\"|True|False|None)(?=\s*+(?:[,:\])}]|\Z)))*)",
    re.ASCII,
)


def _python_literal(text: str) -> dict[Any, Any] | list[Any] | tuple[Any, ...] | None:
    """Return the dict, list or tuple that Python prints as this text, or None for other texts.

    Raises `InputError` for a dict in which a key occurs twice.
    """
    if len(text) > _MAX_LITERAL or _LITERAL.fullmatch(text) is None:
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval")
        value = ast.literal_eval(tree)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None
    if any(isinstance(node, ast.Set) for node in ast.walk(tree)):
        return None  # braces of another language, as a set has no order
    if isinstance(tree.body, ast.Dict):
        keys = [ast.literal_eval(key) for key in tree.body.keys if key is not None]
        _unique_pairs([(key, None) for key in keys])
    return value if isinstance(value, dict | list | tuple) else None
