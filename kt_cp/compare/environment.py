"""The environment of a run, on which its speed depends: installed versions and the machine."""

from __future__ import annotations

import os
import platform
import re
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kt_cp.methods.table import METHODS


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python, of this package and of the installed solvers, by name.

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
    """Return a description of the machine: processor, number of processors, operating system."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError):
        about = Path("/proc/cpuinfo").read_text("utf-8", errors="replace")
        if model := re.search(r"^model name\s*: (.*)$", about, re.MULTILINE):
            processor = model[1]
    return f"{processor}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}"
