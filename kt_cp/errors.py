"""Errors about the input, said in one line, and a small word that messages share."""


class InputError(ValueError):
    """The input makes no sense; the message says what is wrong, where, and what would be right."""


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write a number with its noun, in the plural (by default with an s) unless it is 1.

    >>> counted(1, "square"), counted(64, "square"), counted(2, "entry", "entries")
    ('1 square', '64 squares', '2 entries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
