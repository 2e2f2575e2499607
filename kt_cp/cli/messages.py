"""Exit codes, messages on standard error, and standard streams that are closed or broken."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from enum import IntEnum
from typing import IO

from kt_cp.errors import printable

UNBROKEN = "\N{NON-BREAKING HYPHEN}"  # a hyphen in help at which no line is broken


class Exit(IntEnum):
    """What an exit code means; `NO` is never the answer to a crash."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    DEFECT = 4
    INTERRUPTED = 130
    TERMINATED = 143


def tell(message: str) -> None:
    """Write a line to standard error. Control characters, as file names may hold, are escaped."""
    try:
        print(printable(" ".join(message.split())), file=sys.stderr, flush=True)
    except OSError:  # there is nobody to tell, which changes no answer
        discard(sys.stderr)


def discard(stream: IO[str] | None) -> None:
    """Discard what a broken stream still holds, which Python would try to write again at exit."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def occupy_standard_streams() -> None:
    """Open the null device in place of closed streams, so that no other file gets their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
