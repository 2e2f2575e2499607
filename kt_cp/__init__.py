"""Knight's tours stated as a CP-SAT circuit: found, refuted, counted, drawn and validated.

The names that ``__init__.pyi`` lists for type checkers are imported here on first use (PEP 562), so
that validating a path, for instance, does not wait for the solver.
"""

import re
from importlib import import_module
from pathlib import Path

_STUB = Path(__file__).with_name("__init__.pyi").read_text()
_HOME = {name: module for module, name in re.findall(r"from (\S+) import (\w+)", _STUB)}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
