"""Methods of one's own, which the table of methods does not list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from kt_cp.errors import InputError, printable
from kt_cp.files import optional
from kt_cp.methods.table import METHODS, AnyMethod, Method, method_of

AnyMethods = Mapping[str, AnyMethod] | Iterable[AnyMethod]


@dataclass(frozen=True)
class OwnMethod:
    """Whether a method of one's own can prove that there is no tour, and the method, pickled.

    A log holds no pickle: whoever continues it gives the method once more.
    """

    proves: bool
    pickled: bytes = field(default=b"", repr=False, compare=False)


def named_methods(methods: AnyMethods) -> tuple[tuple[str, ...], dict[str, OwnMethod]]:
    """Return the names of methods, and by name those of them that are one's own.

    A mapping gives names; without one, a strategy is called by its ``name`` and a function by its
    own. Raises `InputError` for two methods of one name.

    >>> from kt_dfs import Strategy
    >>> named_methods(["circuit", Strategy()])
    (('circuit', 'strategy'), {'strategy': OwnMethod(proves=True)})
    """
    pairs = methods.items() if isinstance(methods, Mapping) else ((None, each) for each in methods)
    names: list[str] = []
    own: dict[str, OwnMethod] = {}
    for given, method in pairs:
        if isinstance(method, str) and given in (None, method):
            names.append(method)
            continue
        row = method_of(method)
        name = printable(given or row.name)
        if name in METHODS or name in own:
            raise InputError(
                f"method {name!r}: there are two; give names, as in {{'mine': method}}"
            )
        names.append(name)
        own[name] = OwnMethod(row.proves, _pickled(replace(row, name=name)))
    return tuple(names), own


def _pickled(method: Method) -> bytes:
    """Pickle a method so that functions of a notebook or a script reach other processes too."""
    cloudpickle = optional("cloudpickle", "methods of one's own", "pip install cloudpickle")
    pickled: bytes = cloudpickle.dumps(method)
    return pickled
