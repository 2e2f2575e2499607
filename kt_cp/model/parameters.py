"""The parameters of CP-SAT, each with its reason, and a check of those that users give."""

from __future__ import annotations

import itertools
import json
import reprlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from kt_cp.messages import InputError, probably_meant
from kt_cp.problem.task import Parameters, Value

# CP-SAT takes no more.
MAX_WORKERS = 10_000

# Plain clause learning on the arcs: the fastest where tours abound. Presolve and the LP cost more
# than they gain, and probing and inprocessing would first try every arc both ways.
CLAUSES: Parameters = {
    "linearization_level": 0,
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "inprocessing_probing_dtime": 0.0,
    "inprocessing_dtime_ratio": 0.0,
}

# With the LP and its cuts, which prove quickly what follows by counting.
CUTS: Parameters = {"linearization_level": 2, "cp_model_presolve": False}

# Branch against the heuristic now and then: otherwise every seed gives the same tour.
VARIETY: Parameters = {"random_polarity_ratio": 0.05}

# A search of a few milliseconds. Inprocessing would first try every arc both ways, and to look for
# symmetries takes a tenth of the time.
QUICK: Parameters = {
    **CLAUSES,
    **VARIETY,
    "use_sat_inprocessing": False,
    "symmetry_level": 0,
}

# A decision uses an arc, which rules out many others; by default it would rule out a single one.
# Random decisions give almost every seed a tour of its own.
ARCS_FIRST: Parameters = {
    **QUICK,
    "initial_polarity": "POLARITY_TRUE",
    "random_branches_ratio": 0.1,
}

# Find a tour of a small board without a hint. Most tours are found without a conflict, others after
# the first restart, at some 50 conflicts.
FIRST_TRY: Parameters = {**ARCS_FIRST, "max_number_of_conflicts": 100}

# Make a tour of hinted cycles. A hint that helps at all does so within a few conflicts; where it
# does not, another 2-factor is cheaper than to go on.
REPAIR: Parameters = {**QUICK, "hint_conflict_limit": 30, "max_number_of_conflicts": 60}

# Enumeration takes one worker. All of the tree must be seen: arcs in order halve the time.
ENUMERATION: Parameters = {
    **CLAUSES,
    "enumerate_all_solutions": True,
    "search_branching": "FIXED_SEARCH",
}

# With several workers CP-SAT runs a portfolio of searches; these are the first.
PARALLEL: Parameters = {
    "cp_model_presolve": False,
    "subsolvers": ["no_lp", "max_lp", "quick_restart_no_lp", "default_lp"],
}

# The best tour. Presolve pays where a bound has to be proven, and so does the full LP for features
# stated by linear constraints. Uncrossed moves are stated by clauses, where the LP is a burden.
OPTIMIZATION: Parameters = {
    "linearization_level": 2,
    "subsolvers": ["max_lp", "default_lp", "no_lp"],  # of several workers, beside neighborhoods
}
OPTIMIZATION_BY_CLAUSES: Parameters = {"linearization_level": 1}

# The longest path or cycle: all of the linear relaxation, whose bound counts most.
PARTIAL_TOURS: Parameters = {"linearization_level": 2}

# The longest cycle of a window. The limit does not depend on how fast the machine is: about 0.05 s.
# Such small models are not worth more preparation.
WINDOW: Parameters = {
    **PARTIAL_TOURS,
    "max_deterministic_time": 0.05,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
}

# The longest uncrossed or induced one: unsatisfiable cores, found by clause learning, prove bounds
# far below those of the linear relaxation (uncrossed on 6x6: 17 moves in 0.7 s of processor time,
# where the relaxation has 22).
PARTIAL_TOURS_BY_CORES: Parameters = {"linearization_level": 0, "optimize_with_core": True}

# A brief search: its limit does not depend on how fast the machine is. It takes a few seconds.
BRIEF_SEARCH: Parameters = {"max_deterministic_time": 1.0}

# Fields by which users limit a search: CP-SAT then searches once.
LIMITS = frozenset(
    {
        "max_deterministic_time",
        "max_memory_in_mb",
        "max_number_of_conflicts",
        "stop_after_presolve",
        "stop_after_root_propagation",
    }
)

# Fields that an argument of `solve` sets, and that argument.
_ARGUMENTS = {
    "max_time_in_seconds": "time_limit",
    "random_seed": "seed",
    "num_search_workers": "workers",
}

# What fields of a type take; those of an enumeration take one of its names.
_DESCRIPTIONS = {
    "bool": "true or false",
    "int": "a whole number within the range of the field",
    "float": "a number",
    "str": "text",
    "repeated_scalar_std_string": "names, separated by commas",
}


def checked_parameters(given: Mapping[str, object]) -> Parameters:
    """Return fields of ``SatParameters`` with their values, read-only, as CP-SAT takes them.

    Text is read as the field's type: ``true`` or ``false``, a number, the name of a value of an
    enumeration, or names separated by commas. Raises `InputError` for an unknown field, one that an
    argument of `solve` sets, and a value that the field or CP-SAT does not take.

    >>> dict(checked_parameters({"num_workers": 8, "search_branching": "lp_search"}))
    {'num_workers': 8, 'search_branching': 'LP_SEARCH'}
    >>> checked_parameters({"linearisation_level": 2})
    Traceback (most recent call last):
    kt_cp.messages.InputError: CP-SAT has no parameter 'linearisation_level': did you mean \
linearization_level?
    """
    from ortools.sat.python.cp_model_helper import SatParameters

    settings = SatParameters()
    types = _field_types(settings)
    checked: dict[str, Value] = {}
    for name, value in given.items():
        _check_name(name, types)
        try:
            checked[name] = _read(types[name], value)
            set_field(settings, name, checked[name])
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
            raise InputError(
                f"parameter {name} {reprlib.repr(value)}: give {_describe_type(types[name])}"
            ) from None
    _check_accepted(settings)
    return MappingProxyType(checked)


def _field_types(settings: Any) -> dict[str, type]:
    """Return the type of each field of ``SatParameters`` that can be set."""
    types = {}
    for name in dir(settings):
        if isinstance(getattr(type(settings), name), property):
            field_type = type(getattr(settings, name))
            if _describe_type(field_type) is not None:
                types[name] = field_type
    return types


def _check_name(name: str, types: Mapping[str, type]) -> None:
    """Raise `InputError` for an unknown field, and for one that an argument of `solve` sets."""
    argument = _ARGUMENTS.get(name)
    if argument is not None:
        option = f"--{argument.replace('_', '-')}"
        raise InputError(f"parameter {name}: give {argument} instead, or {option}")
    if name == "enumerate_all_solutions":  # with an objective, CP-SAT refuses it
        raise InputError(f"parameter {name}: enumerate_tours and kt enumerate list all tours")
    if name not in types:
        raise InputError(f"CP-SAT has no parameter {name!r}{probably_meant(str(name), types)}")


def _check_accepted(settings: Any) -> None:
    """Raise `InputError` if CP-SAT refuses the settings, by solving an empty model."""
    from ortools.sat.python.cp_model_helper import CpModelProto, SolveWrapper

    settings.log_search_progress = False
    settings.catch_sigint_signal = False  # at its end CP-SAT would leave Ctrl-C without a handler
    wrapper = SolveWrapper()
    wrapper.set_parameters(settings)
    response = wrapper.solve(CpModelProto())
    if response.status.name == "MODEL_INVALID":
        raise InputError(f"CP-SAT does not take these parameters: {response.solution_info}")


def _describe_type(field_type: Any) -> str | None:
    """Return in words what a field takes, or None for a nested message, which cannot be set."""
    members = getattr(field_type, "__members__", None)
    if members is not None:
        return f"one of {', '.join(members)}"
    return _DESCRIPTIONS.get(field_type.__name__)


def _read(field_type: Any, value: Any) -> Value:
    """Return a value as a field of a type takes it.

    Raises AttributeError, KeyError, RecursionError, TypeError or ValueError for other values.
    """
    if hasattr(field_type, "__members__"):
        name = getattr(value, "name", str(value))
        return str(field_type.__members__[name.upper()].name)
    if field_type not in (bool, int, float, str):
        names = value.split(",") if isinstance(value, str) else value
        return [name.strip() for name in names]
    if isinstance(value, str) and field_type is not str:
        value = json.loads(value.lower())
    is_whole_float = field_type is float and type(value) is int
    if type(value) is not field_type and not is_whole_float:
        raise TypeError
    read: Value = field_type(value)
    return read


def set_field(settings: Any, name: str, value: Value) -> None:
    """Set a field of ``SatParameters``; an enumeration's value is given by its name."""
    present = getattr(settings, name)
    if isinstance(value, list):
        present.clear()
        present.extend(value)
    elif isinstance(value, str) and not isinstance(present, str):
        setattr(settings, name, getattr(type(present), value))
    else:
        setattr(settings, name, value)


def search_turns(workers: int = 1) -> Iterator[Parameters]:
    """Yield the parameters of the turns of a search: without the linear relaxation, and with it.

    No setting serves every board, so two take turns, each longer than the one before. CP-SAT's
    deterministic time measures them, so that a seed gives the same tour on any machine.
    """
    for turn in itertools.count():
        for parameters in (CLAUSES, CUTS):
            yield {**parameters, **VARIETY, "max_deterministic_time": 0.1 * 4.0**turn}
        if workers > 1:
            yield {**PARALLEL, "num_workers": workers}
