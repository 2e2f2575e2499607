"""The table of methods: every way to answer, a row each.

To add a method, write one file with a function as `Method` describes it, and add its row: here, or
in `kt_cp.methods.specialists` if ``auto`` shall ask it.
"""

from __future__ import annotations

import inspect
import runpy
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType
from typing import Any

import kt_dfs
from kt_cp.errors import InputError
from kt_cp.methods.custom import SEARCH_CONSTRAINTS, CustomMethod, as_strategy, custom_method
from kt_cp.methods.method import (
    ALL_CONSTRAINTS,
    CONSTRAINTS,
    MOVES_AND_ENDS,
    PEERS,
    STEPS_AND_ENDS,
    Method,
)
from kt_cp.methods.reference import answer as search
from kt_cp.methods.specialists import SPECIALISTS

__all__ = [
    "CONSTRAINTS",
    "METHODS",
    "PEERS",
    "AnyMethod",
    "Method",
    "as_strategy",
    "load_method",
    "method_of",
]

_AUTO = Method(
    "auto",
    "a schedule: reasons that a person can check, the circuit, and specialists",
    "this package",
    ALL_CONSTRAINTS,
    function="kt_cp.methods.auto:answer",
    optimizer="kt_cp.methods.optimize:answer",
    takes_parameters=True,
)

_OTHERS = (
    Method(
        "givens",
        "given steps: a tour rearranged until they fit, in turns with the circuit model",
        "S. Lin, Computer solutions of the traveling salesman problem (1965); S. Kirkpatrick, "
        "C. Gelatt, M. Vecchi, Optimization by simulated annealing (1983)",
        STEPS_AND_ENDS,
        function="kt_cp.methods.auto:answer_with_givens",
    ),
    Method(
        "anneal",
        "the best tour by an objective: simulated annealing alone, which proves no bound",
        "L. Pósa, Hamiltonian circuits in random graphs (1976); S. Kirkpatrick, C. Gelatt, "
        "M. Vecchi, Optimization by simulated annealing (1983)",
        MOVES_AND_ENDS,
        proves=False,
        function="kt_cp.methods.optimize:anneal",
        optimizer="kt_cp.methods.optimize:anneal",
    ),
)

_REFERENCE_SEARCHES = tuple(
    Method(
        name,
        row.summary,
        row.source,
        SEARCH_CONSTRAINTS,
        function=partial(search, name),
        proves=row.build(8, 8).backtracks,
    )
    for name, row in kt_dfs.METHODS.items()
)


def _table() -> Mapping[str, Method]:
    circuit = replace(SPECIALISTS["circuit"], optimizer="kt_cp.methods.optimize:answer")
    rows = {**SPECIALISTS, "circuit": circuit}
    for row in (*_OTHERS, *_REFERENCE_SEARCHES):
        rows[row.name] = row
    return MappingProxyType({_AUTO.name: _AUTO, **rows})


METHODS: Mapping[str, Method] = _table()
"""The methods by name. `kt_cp.methods.auto.SCHEDULE` says in which order ``auto`` asks them."""


AnyMethod = str | CustomMethod
"""The name of a method of the table, or a custom method."""


def method_of(method: AnyMethod) -> Method:
    """Return the row of a method: by name, or made for a custom strategy or function.

    Raises `InputError` for an unknown name, and `TypeError` for anything else.
    """
    if not isinstance(method, str):
        return custom_method(method)
    if method not in METHODS:
        raise InputError(f"method {method!r}: give one of {', '.join(METHODS)}")
    return METHODS[method]


def load_method(word: str) -> AnyMethod:
    """Return a method as it is typed: a name as it is, or what ``mine.py:edge_first`` defines.

    The file is run, with its folder on the path, as a script is. Its method is called by the word.
    Raises `InputError`, with the place, where that fails.
    """
    file, colon, name = word.rpartition(":")
    if not colon or not file.endswith(".py"):
        return word
    if (folder := str(Path(file).resolve().parent)) not in sys.path:
        sys.path.append(folder)
    try:
        found: dict[str, Any] = runpy.run_path(file)
    except OSError as error:
        raise InputError(f"method {word}: {file}: {error.strerror}") from None
    except Exception as error:
        line = getattr(error, "lineno", extract_tb(error.__traceback__)[-1].lineno)
        problem = f"{file}, line {line}: {type(error).__name__}: {error}"
        raise InputError(f"method {word}: {problem}") from error
    given = found.get(name)
    if not (callable(given) or isinstance(given, Method | kt_dfs.Strategy)):
        own = [each for each, value in found.items() if inspect.isfunction(value)]
        raise InputError(f"method {word}: {file} has {', '.join(own) or 'no function'}")
    method = as_strategy(given)
    if isinstance(method, kt_dfs.Strategy):
        return replace(method, name=word)
    return replace(custom_method(given), name=word)
