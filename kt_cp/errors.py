"""What is wrong with an input, said in one line."""


class InputError(ValueError):
    """The input makes no sense; the message says what is wrong, where, and what would be right."""
