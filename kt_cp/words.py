"""Small words that several messages share."""


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural unless it is 1.

    >>> counted(1, "square"), counted(64, "square")
    ('1 square', '64 squares')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
