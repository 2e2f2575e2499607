"""The machine and the versions with which a run was made."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kt_cp.methods.table import METHODS


@cache
def versions() -> dict[str, str]:
    """Return the versions that a run's answer and speed depend on, of what is installed.

    >>> list(versions())[:4]
    ['python', 'knights-tours', 'ortools', 'python-sat']
    """
    peers = [method.package for method in METHODS.values() if method.package]
    packages = {"python": platform.python_version()}
    for name in ("knights-tours", "ortools", "python-sat", *peers):
        with suppress(PackageNotFoundError):
            packages[name] = version(name)
    return packages


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
