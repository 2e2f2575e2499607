"""Errors for invalid input with the checks that raise them, and the words of messages.

In the order of this file: checks of arguments, words and phrases, and the `Vocabulary` in which
messages speak of boards and of other graphs.
"""

from __future__ import annotations

import reprlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from numbers import Integral, Real
from typing import Any, TypeVar

Choice = TypeVar("Choice", bound=StrEnum)
T = TypeVar("T")


class InputError(ValueError):
    """Invalid input; the message says what is wrong, where, and what would be right."""


# -- checks ----------------------------------------------------------------------------------------


def checked_flag(name: str, value: object) -> bool:
    """Return True or False, or what is equal to either, as a bool.

    Raises `InputError` for anything else, such as "open" or an array.
    """
    if not isinstance(value, Hashable) or value not in (True, False):
        raise InputError(f"{name} {value!r}: give True or False")
    return bool(value)


def checked_number(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return an integer, Python's or NumPy's, as an int.

    Raises `InputError` for anything else, and for a number outside the limits, which are included.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= least and (most is None or number <= most):
            return number
    wanted = f"at least {least}" if most is None else f"{least} to {most}"
    raise InputError(f"{name} {value!r}: give {wanted}")


def checked_time_limit(value: object) -> float:
    """Return a time limit in seconds, a number of Python or of NumPy, as a float.

    Raises `InputError` unless it is a number above 0.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        seconds = float(value)
        if seconds > 0:
            return seconds
    raise InputError(f"time limit {show_number(value)}: give a number of seconds above 0")


def checked_choice(name: str, value: object, choices: type[Choice]) -> Choice:
    """Return the member of an enumeration with this value.

    Raises `InputError`, which lists all values, if there is none.
    """
    if value not in list(choices):
        raise InputError(f"{name} {value!r}: {give_one_of(choices, value)}")
    return choices(str(value))


def as_items(name: str, values: object, example: str) -> Iterable[Any]:
    """Return an iterable unchanged, and a single string as a list of one item.

    Raises `InputError`, with an ``example`` of an item, for what is not iterable.
    """
    if isinstance(values, str):
        return [values]
    if not isinstance(values, Iterable):
        raise InputError(f"{name} {values!r}: give a list, such as ['{example}']")
    return values


def as_ordered(name: str, values: object, wanted: str) -> Iterable[Any]:
    """Return an iterable unchanged if it has an order.

    Raises `InputError`, with what is ``wanted``, for a set, for text and for what is not iterable.
    """
    if isinstance(values, set | frozenset):
        raise InputError(f"{name} {reprlib.repr(values)}: {wanted}, as a set has no order")
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{name} {reprlib.repr(values)}: {wanted}")
    return values


def checked_class(value: object, expected: type[T], wanted: str) -> T:
    """Return a value unchanged if it is an instance of the expected class.

    Raises `InputError` otherwise, which says what is ``wanted``.
    """
    if not isinstance(value, expected):
        raise InputError(f"{not_a(reprlib.repr(value), expected.__name__)}: give {wanted}")
    return value


@contextmanager
def malformed_as(error: Exception) -> Iterator[None]:
    """Raise ``error`` in place of the errors of parsing JSON and building values from it.

    An `InputError` is raised unchanged.
    """
    try:
        yield
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise error from None


# -- words and phrases -----------------------------------------------------------------------------

_NO_BREAK_SPACE = "\u00a0"  # which French has before a colon


def pluralize(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number and its noun, in the plural (by default with an s) unless it is 1.

    >>> pluralize(1, "square"), pluralize(1600, "square")
    ('1 square', '1,600 squares')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def describe_seconds(seconds: float) -> str:
    """Return seconds with two decimals.

    >>> describe_seconds(1.234), describe_seconds(0.0012)
    ('1.23 s', 'less than 0.01 s')
    """
    return f"{seconds:.2f} s" if seconds >= 0.01 else "less than 0.01 s"


def not_a(shown: str, noun: str) -> str:
    """Return a statement that something is not what a noun says, with the right article.

    >>> not_a("a1 to a2", "knight's move")
    "a1 to a2 is not a knight's move"
    """
    return f"{shown} is not {with_article(noun)}"


def with_article(noun: str) -> str:
    """Return a noun phrase with its indefinite article.

    >>> with_article("open tour"), with_article("closed tour")
    ('an open tour', 'a closed tour')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def join_words(words: Sequence[str]) -> str:
    """Return words as an enumeration, with commas and "and".

    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def give_one_of(choices: Iterable[str], given: object) -> str:
    """Return the advice to give one of some choices, and which one was probably meant, if any.

    >>> give_one_of(["auto", "cuts"], "cut"), give_one_of(["auto", "cuts"], "chess")
    ('give one of auto, cuts; did you mean cuts?', 'give one of auto, cuts')
    """
    names = list(choices)
    return f"give one of {', '.join(names)}{probably_meant(str(given), names, '; ')}"


def probably_meant(given: str, names: Iterable[str], sign: str = ": ") -> str:
    """Return ``did you mean …?`` after a sign for a name that differs in few letters, or nothing.

    >>> probably_meant("linearisation_level", ["linearization_level"])
    ': did you mean linearization_level?'
    >>> probably_meant("weight", ["right"]), probably_meant("foo", ["fp_rounding"])
    ('', '')
    """
    import difflib  # which only errors need

    similar = difflib.get_close_matches(given, names, n=1, cutoff=0.74)
    return f"{sign}did you mean {similar[0]}?" if similar else ""


def show_number(value: object) -> str:
    """Return a number as a person types it, without the ``.0`` of a float.

    Other values are shown by ``repr``.

    >>> show_number(2.0), show_number("two")
    ('2', "'two'")
    """
    return f"{value:.15g}" if isinstance(value, float) else repr(value)


def escape_unprintable(text: str) -> str:
    """Return a text with unprintable characters escaped, so that no name controls a terminal.

    >>> escape_unprintable("tour\\x1b[2J.txt")
    'tour\\\\x1b[2J.txt'
    """
    return "".join(
        each if each.isprintable() or each == _NO_BREAK_SPACE else repr(each)[1:-1] for each in text
    )


# -- the words of a graph --------------------------------------------------------------------------


@dataclass(frozen=True)
class Vocabulary:
    """The words for the parts of a graph and its tours in messages.

    >>> BOARD_WORDS.count_vertices(5), BOARD_WORDS.a_tour(closed=False)
    ('5 squares', 'an open tour')
    >>> GRAPH_WORDS.count_vertices(5), GRAPH_WORDS.a_tour(closed=False)
    ('5 vertices', 'a Hamiltonian path')
    """

    graph: str
    vertex: str
    vertices: str
    edge: str
    edges: str
    open_tour: str
    closed_tour: str
    dark: str
    light: str
    outside: str  # predicate of a name that stands for no vertex
    is_forced_to: str  # verb between a vertex and the neighbors that a tour must visit beside it

    def count_vertices(self, number: int) -> str:
        """Return a number of vertices, such as ``1 square``."""
        return pluralize(number, self.vertex, self.vertices)

    def count_edges(self, number: int) -> str:
        """Return a number of edges, such as ``2 moves``."""
        return pluralize(number, self.edge, self.edges)

    def tour(self, closed: bool) -> str:
        """Return what a tour is called, such as ``closed tour``."""
        return self.closed_tour if closed else self.open_tour

    def a_tour(self, closed: bool) -> str:
        """Return what a tour is called, with its article, such as ``an open tour``."""
        return with_article(self.tour(closed))

    def partial_tour(self, closed: bool) -> str:
        """Return what a tour that leaves vertices out is called: ``path`` or ``cycle``."""
        return "cycle" if closed else "path"

    @property
    def an_edge(self) -> str:
        """What an edge is called, with its article."""
        return with_article(self.edge)


BOARD_WORDS = Vocabulary(
    graph="board",
    vertex="square",
    vertices="squares",
    edge="move",
    edges="moves",
    open_tour="open tour",
    closed_tour="closed tour",
    dark="dark",
    light="light",
    outside="off the board",
    is_forced_to="is forced to move to",
)
GRAPH_WORDS = Vocabulary(
    graph="graph",
    vertex="vertex",
    vertices="vertices",
    edge="edge",
    edges="edges",
    open_tour="Hamiltonian path",
    closed_tour="Hamiltonian cycle",
    dark="black",
    light="white",
    outside="not in the graph",
    is_forced_to="must be next to",
)
