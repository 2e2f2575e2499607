"""The error for bad input, and small functions that messages share."""


class InputError(ValueError):
    """The input makes no sense; the message says what is wrong, where, and what would be right."""


def checked_flag(name: str, value: object) -> bool:
    """Return True or False as they are. Raises `InputError` for anything else, such as "open"."""
    if value not in (True, False):
        raise InputError(f"{name} {value!r}: give True or False")
    return bool(value)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the plural (by default with an s) unless it is 1.

    >>> counted(1, "square"), counted(64, "square"), counted(2, "entry", "entries")
    ('1 square', '64 squares', '2 entries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def printable(text: str) -> str:
    """Escape what is not printable, so that a name from a file cannot steer a terminal.

    >>> printable("tour\\x1b[2J.txt")
    'tour\\\\x1b[2J.txt'
    """
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
