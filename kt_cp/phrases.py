"""Phrases of messages: numbers with their nouns, articles, lists of words, safe text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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

    >>> give_one_of(["auto", "dfs"], "dfz"), give_one_of(["auto", "dfs"], "chess")
    ('give one of auto, dfs; did you mean dfs?', 'give one of auto, dfs')
    """
    import difflib  # which only errors need

    known = list(choices)
    advice = f"give one of {', '.join(known)}"
    similar = difflib.get_close_matches(str(given), known, n=1)
    return f"{advice}; did you mean {similar[0]}?" if similar else advice


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
