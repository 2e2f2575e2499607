"""Limits of memory: how a count reads one, and what it raises when it reaches one."""

from __future__ import annotations

from kt_cp.errors import InputError, shown_number


class OutOfMemoryError(Exception):
    """The memory limit was reached before the work was done; the message says how far it came."""


OutOfMemory = OutOfMemoryError
"""The name that `OutOfMemoryError` once had."""


def memory_of(limit: float | None) -> float:
    """Return a limit in MiB as bytes; without one, three quarters of the memory that is free.

    Raises `InputError` for a limit that is not a positive number.
    """
    import psutil

    if limit is None:
        return 0.75 * float(psutil.virtual_memory().available)
    if not limit > 0:
        raise InputError(f"memory limit {shown_number(limit)}: give a number of MiB above 0")
    return limit * 2**20
