"""Parameters of CP-SAT that users give: fields of ``SatParameters``, checked before a search."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from kt_cp.errors import InputError
from kt_cp.model.backend import Model, SatParameters, SolveWrapper, set_field
from kt_cp.model.parameters import Parameters, Value

# Fields that an argument of `solve` sets, and that argument. The number of workers may be given
# either way.
_ARGUMENTS = {
    "max_time_in_seconds": "time_limit",
    "random_seed": "seed",
    "num_search_workers": "workers",
}

_FLAGS = {"true": True, "false": False}


def checked_parameters(given: Mapping[str, object]) -> Parameters:
    """Return fields of ``SatParameters`` with their values, read-only, as CP-SAT takes them.

    Text is read as the field's type: ``true`` or ``false``, a number, the name of a value of an
    enumeration, or names separated by commas. Raises `InputError` for a field that does not exist,
    with the nearest name; for one that an argument of `solve` sets; and for a value that the field
    or CP-SAT does not take.

    >>> dict(checked_parameters({"num_workers": 8, "search_branching": "lp_search"}))
    {'num_workers': 8, 'search_branching': 'LP_SEARCH'}
    >>> checked_parameters({"linearisation_level": 2})
    Traceback (most recent call last):
    kt_cp.errors.InputError: CP-SAT has no parameter 'linearisation_level': did you mean \
linearization_level?
    """
    settings = SatParameters()
    fields = {name: kind for name in dir(settings) if (kind := _kind(settings, name)) is not None}
    checked = {name: _value(name, value, fields) for name, value in given.items()}
    for name, value in checked.items():
        try:
            set_field(settings, name, value)
        except TypeError:  # an integer of more than 32 bits, for instance
            raise _wrong(name, value, "a value within the range of the field") from None
    settings.log_search_progress = False
    wrapper = SolveWrapper()
    wrapper.set_parameters(settings)
    response = wrapper.solve(Model().proto)
    if response.status.name == "MODEL_INVALID":
        raise InputError(f"CP-SAT does not take these parameters: {response.solution_info}")
    return MappingProxyType(checked)


def _kind(settings: Any, name: str) -> type | None:
    """Return the type of a field, or None for other attributes and for nested messages."""
    if not isinstance(getattr(type(settings), name, None), property):
        return None
    kind = type(getattr(settings, name))
    if kind.__name__ == "repeated_scalar_std_string":
        return list
    return kind if kind in (bool, int, float, str) or hasattr(kind, "__members__") else None


def _value(name: str, value: object, fields: Mapping[str, type]) -> Value:
    """Return a value as the field takes it. Raises `InputError` for any other."""
    if name in _ARGUMENTS:
        argument = _ARGUMENTS[name]
        option = f"--{argument.replace('_', '-')}"
        raise InputError(f"parameter {name}: give {argument} instead, or {option}")
    kind = fields.get(name)
    if kind is None:
        near = difflib.get_close_matches(name, fields, n=1, cutoff=0.0)[0]
        raise InputError(f"CP-SAT has no parameter {name!r}: did you mean {near}?")
    try:
        return _read_text(kind, value) if isinstance(value, str) else _read_value(kind, value)
    except (KeyError, ValueError):
        raise _wrong(name, value, _wanted(kind)) from None


def _read_text(kind: Any, text: str) -> Value:
    """Return text as a value of a type. Raises `KeyError` or `ValueError` if it is none."""
    if kind is bool:
        return _FLAGS[text.lower()]
    if kind is list:
        return [name.strip() for name in text.split(",")]
    if hasattr(kind, "__members__"):
        return str(kind.__members__[text.upper()].name)
    number: Value = kind(text)
    return number


def _read_value(kind: Any, value: Any) -> Value:
    """Return a value other than text as it is. Raises `ValueError` if it is not of the type."""
    if kind is list and isinstance(value, list | tuple):
        if all(isinstance(name, str) for name in value):
            return list(value)
    elif hasattr(kind, "__members__") and getattr(value, "name", None) in kind.__members__:
        return str(value.name)
    elif type(value) is kind or (kind is float and type(value) is int):
        same: Value = kind(value)
        return same
    raise ValueError


def _wanted(kind: type) -> str:
    """Return in words what a field of a type takes."""
    if members := getattr(kind, "__members__", None):
        return f"one of {', '.join(members)}"
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return words.get(kind, "names, separated by commas")


def _wrong(name: str, value: object, wanted: str) -> InputError:
    return InputError(f"parameter {name} {reprlib.repr(value)}: give {wanted}")
