"""The machine and the versions with which a run was made."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


@cache
def versions() -> dict[str, str]:
    """Return the versions that a run's answer and speed depend on.

    >>> list(versions())
    ['knights-tours', 'ortools', 'python']
    """
    packages = {name: _version(name) for name in ("knights-tours", "ortools")}
    return {**packages, "python": platform.python_version()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


@cache
def machine() -> str:
    """Describe the machine: processor, number of processors, operating system."""
    processor = _process_file("cpuinfo", "model name") or platform.processor()
    system = f"{platform.system()} {platform.release()}"
    return f"{processor or platform.machine()}, {os.cpu_count()} CPUs, {system}"


def peak_memory(pid: int | str = "self") -> float | None:
    """Return the peak resident memory of a process in MiB, None where the system does not tell.

    Linux counts it for each process; what `resource.getrusage` reports begins with the peak of the
    parent.
    """
    peak = _process_file(f"{pid}/status", "VmHWM")
    return None if peak is None else int(peak.split()[0]) / 1024


def _process_file(file: str, name: str) -> str | None:
    """Return the first value of that name in a file below Linux's /proc, None elsewhere."""
    with suppress(OSError):
        for line in Path("/proc", file).read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return None
