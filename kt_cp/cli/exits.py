"""The exit codes of ``kt``."""

from enum import IntEnum


class Exit(IntEnum):
    """What an exit code means; `NO` is never the answer to a crash."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    DEFECT = 4
    INTERRUPTED = 130
    TERMINATED = 143
