"""On what a run was made: versions and machine."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGE = "knights-tours"


@cache
def versions() -> dict[str, str]:
    """Return the versions that a run's answer and speed depend on.

    >>> list(versions())
    ['knights-tours', 'ortools', 'python']
    """
    return {
        PACKAGE: _version(PACKAGE),
        "ortools": _version("ortools"),
        "python": platform.python_version(),
    }


@cache
def machine() -> str:
    """Describe the machine: processor, number of processors, operating system."""
    cpus = f"{os.cpu_count()} CPUs"
    return ", ".join([_processor(), cpus, f"{platform.system()} {platform.release()}"])


def peak_memory(pid: int | str = "self") -> float | None:
    """Return the peak resident memory of a process in MiB, None where the system does not tell.

    Read from Linux's process table: `resource.getrusage` would count what the parent had before the
    process replaced it.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
