"""The table of methods: every way to answer, a row each.

To add a method, write one file with a function as `Method` describes it, and add its row: here, or
in `kt_cp.methods.specialists` if ``auto`` should use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import kt_dfs
from kt_cp.files import is_in_script, load_from_script
from kt_cp.messages import InputError, give_one_of
from kt_cp.methods.custom import CustomMethod, custom_method, strategy_of
from kt_cp.methods.method import (
    ALL_CONSTRAINTS,
    CONSTRAINTS,
    INSTALL_PEERS,
    MOVES_AND_ENDS,
    STEPS_AND_ENDS,
    Method,
)
from kt_cp.methods.reference import SEARCH_CONSTRAINTS
from kt_cp.methods.reference import answer as search
from kt_cp.methods.specialists import SPECIALISTS

__all__ = [
    "CONSTRAINTS",
    "INSTALL_PEERS",
    "METHODS",
    "AnyMethod",
    "Method",
    "load_method",
    "method_of",
    "strategy_of",
]

_AUTO = Method(
    name="auto",
    summary="a schedule: reasons that a person can check, the circuit, and specialists",
    source="this package",
    constraints=ALL_CONSTRAINTS,
    function="kt_cp.methods.auto:answer",
    optimizer="kt_cp.methods.optimize:answer",
    takes_parameters=True,
)

_OTHERS = (
    Method(
        name="givens",
        summary="given steps: a tour rearranged until they fit, in turns with the circuit model",
        source="S. Lin, Computer solutions of the traveling salesman problem (1965); "
        "S. Kirkpatrick, C. Gelatt, M. Vecchi, Optimization by simulated annealing (1983)",
        constraints=STEPS_AND_ENDS,
        function="kt_cp.methods.auto:answer_with_givens",
    ),
    Method(
        name="anneal",
        summary="the best tour by an objective: simulated annealing alone, which proves no bound",
        source="L. Pósa, Hamiltonian circuits in random graphs (1976); S. Kirkpatrick, C. Gelatt, "
        "M. Vecchi, Optimization by simulated annealing (1983)",
        constraints=MOVES_AND_ENDS,
        proves=False,
        function="kt_cp.methods.optimize:anneal",
        optimizer="kt_cp.methods.optimize:anneal",
    ),
)

_REFERENCE_SEARCHES = tuple(
    Method(
        name=name,
        summary=row.summary,
        source=row.source,
        constraints=SEARCH_CONSTRAINTS,
        function=partial(search, name),
        proves=row.build(8, 8).backtracks,  # the same for boards of all sizes
    )
    for name, row in kt_dfs.METHODS.items()
)


def _table() -> Mapping[str, Method]:
    """Return all rows.

    ``circuit`` gets its optimizer here, since `optimize` uses `auto`, which uses the specialists.
    """
    circuit = replace(SPECIALISTS["circuit"], optimizer="kt_cp.methods.optimize:answer")
    rows = {**SPECIALISTS, "circuit": circuit}
    for row in (*_OTHERS, *_REFERENCE_SEARCHES):
        rows[row.name] = row
    return MappingProxyType({_AUTO.name: _AUTO, **rows})


METHODS: Mapping[str, Method] = _table()
"""The methods by name. `kt_cp.methods.auto.STEPS` says in which order ``auto`` asks them."""


AnyMethod = str | CustomMethod
"""The name of a method of the table, or a custom method."""


def method_of(method: AnyMethod) -> Method:
    """Return the row of a method: by name, or made for a custom strategy or function.

    Raises `InputError` for an unknown name, and `TypeError` for anything else.
    """
    if isinstance(method, Method) and METHODS.get(method.name) == method:
        return method
    if not isinstance(method, str):
        return custom_method(method)
    if method not in METHODS:
        raise InputError(f"method {method!r}: {give_one_of(METHODS, method)}")
    return METHODS[method]


def load_method(word: str) -> AnyMethod:
    """Return the method that a command-line argument names.

    ``word`` is a name of the table, or ``FILE.py:NAME`` for a function, strategy or `Method` of a
    script, and then also the name of the method. Raises `InputError` as `load_from_script` does,
    and for a file without a name.
    """
    if word.endswith(".py"):
        raise InputError(f"method {word}: name a function of the file, as {word}:NAME")
    if not is_in_script(word):
        return word
    given = load_from_script(word, "method")
    if not (callable(given) or isinstance(given, Method | kt_dfs.Strategy)):
        raise InputError(f"method {word}: this is neither a function nor a strategy")
    strategy = strategy_of(given)
    if strategy is not None:
        return replace(strategy, name=word)
    return custom_method(given, name=word)
