"""The table of methods: every way to answer, a row each.

To add a method, write one file with a function as `Method.function` describes, and add its row.
"""

from __future__ import annotations

import inspect
import pkgutil
import runpy
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType
from typing import Any, cast

import kt_dfs
from kt_cp.errors import InputError, join_words
from kt_cp.methods.answers import Answer, UnsupportedError
from kt_cp.methods.reference import answer as search
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_dfs.strategies import Order

CONSTRAINTS: Mapping[str, str] = {
    "start": "a start",
    "end": "an end",
    "require": "required moves",
    "forbid": "forbidden moves",
    "symmetry": "a symmetry",
    "givens": "given steps",
    "having": "bounds on features",
    "constrain": "custom constraints",
}
"""The constraints of an instance, as messages name them."""

PEERS = "pip install 'knights-tours[peers]'"
"""The command that installs what the methods with a package of their own need."""

Function = Callable[[Instance, Clock, int, int], Answer]
"""An instance, the clock of the time limit, a number of workers and a seed, to an answer."""


@dataclass(frozen=True)
class Method:
    """A way to answer an instance.

    ``constraints`` names those that it supports, ``proves`` tells whether it can prove that there
    is no tour, ``optimizes`` whether it takes an objective. ``function`` takes an instance, a
    clock, a number of workers and a seed, and returns an `Answer`, or raises `UnsupportedError`; it
    is given as ``module:name``, because importing the solver takes longer than many answers.
    ``package`` names a package that it needs and that is not installed with this one.
    """

    name: str
    summary: str
    source: str
    constraints: frozenset[str]
    function: str | Function
    proves: bool = True
    package: str | None = None
    optimizes: bool = False

    def load(self) -> Function:
        """Return the function, after importing what it needs. Raises `InputError` without it.

        A method with a package of its own answers from a process apart, which its library may end.
        """
        if not isinstance(self.function, str):
            return self.function
        if self.package:
            if not find_spec(self.package):
                raise InputError(f"answers by {self.name} need {self.package}: {PEERS}")
            from kt_cp.methods import apart

            if not apart.inside:
                return partial(apart.answer, self.function, self.name)
        loaded: Function = pkgutil.resolve_name(self.function)
        return loaded

    def check(self, instance: Instance) -> None:
        """Raise `UnsupportedError` for a constraint that the method does not support."""
        for name in self.unsupported(instance):
            known = join_words([words for n, words in CONSTRAINTS.items() if n in self.constraints])
            what = f"method {self.name} does not support {CONSTRAINTS[name]}, only {known}"
            raise UnsupportedError(f"{what}; method circuit supports every constraint")

    def unsupported(self, instance: Instance) -> list[str]:
        """Return the names of the constraints that the method does not support."""
        used = [name for name in CONSTRAINTS if getattr(instance, name) not in (None, ())]
        return [name for name in used if name not in self.constraints]


_ALL = frozenset(CONSTRAINTS)
_MOVES = frozenset({"start", "end", "require", "forbid"})
_SEARCH = frozenset({"start", "forbid"})

_ROWS = (
    Method(
        "auto",
        "a schedule: reasons that a person can check, the circuit, and specialists",
        "this package",
        _ALL,
        function="kt_cp.methods.auto:answer",
        optimizes=True,
    ),
    Method(
        "refute",
        "reasons why there is no tour that a person can check: colors, dead ends, separators, …",
        "A. Schwenk, Which rectangular chessboards have a knight's tour? (1991), and others",
        _ALL,
        function="kt_cp.methods.auto:refute_answer",
    ),
    Method(
        "compose",
        "full rectangles of any size, from small tours that the circuit model finds",
        "I. Parberry, An efficient algorithm for the Knight's tour problem (1997)",
        frozenset({"start", "end"}),
        proves=False,
        function="kt_cp.methods.compose:answer",
    ),
    Method(
        "patch",
        "boards of any shape and size: cycles by maximum flow, joined until one is left",
        "R. Karp, A patching algorithm for the nonsymmetric traveling-salesman problem (1979)",
        _MOVES,
        proves=False,
        function="kt_cp.methods.patch:answer",
    ),
    Method(
        "cuts",
        "undirected edges, two at every square, and cuts between cycles until one is left, by SAT",
        "G. Dantzig, R. Fulkerson, S. Johnson, Solution of a large-scale traveling-salesman "
        "problem (1954); CaDiCaL",
        _MOVES | {"symmetry"},
        function="kt_cp.methods.cuts:answer",
    ),
    Method(
        "givens",
        "given steps: a tour rearranged until they fit, in turns with the circuit model",
        "S. Lin, Computer solutions of the traveling salesman problem (1965); S. Kirkpatrick, "
        "C. Gelatt, M. Vecchi, Optimization by simulated annealing (1983)",
        frozenset({"start", "end", "forbid", "givens"}),
        function="kt_cp.methods.givens:answer",
    ),
    Method(
        "circuit",
        "the CP-SAT circuit model alone: finds, proves, and meets every constraint",
        "J.-L. Laurière (1978), as the constraint `circuit`; OR-tools",
        _ALL,
        function="kt_cp.methods.circuit:answer",
        optimizes=True,
    ),
    Method(
        "anneal",
        "the best tour by an objective: simulated annealing alone, which proves no bound",
        "L. Pósa, Hamiltonian circuits in random graphs (1976); S. Kirkpatrick, C. Gelatt, "
        "M. Vecchi, Optimization by simulated annealing (1983)",
        _MOVES,
        proves=False,
        function="kt_cp.methods.optimize:answer",
        optimizes=True,
    ),
    Method(
        "frontier",
        "all states of a frontier that sweeps over the graph: for narrow boards and graphs",
        "D. Knuth, The Art of Computer Programming 4A (2011), 7.1.4: simpath",
        _MOVES,
        function="kt_cp.count.sampling:answer",
    ),
    Method(
        "clingo",
        "answer set programming: choice rules and reachability, by clingo",
        "M. Gebser, R. Kaminski, B. Kaufmann, T. Schaub, Answer Set Solving in Practice (2012)",
        _MOVES,
        function="kt_cp.methods.peers:clingo_answer",
        package="clingo",
    ),
    Method(
        "choco",
        "the constraint `circuit` on the square after each square, by Choco",
        "C. Prud'homme, J.-G. Fages, Choco-solver, Journal of Open Source Software 7 (2022)",
        _MOVES,
        function="kt_cp.methods.peers:choco_answer",
        package="pychoco",
    ),
)


_SEARCHES = (
    Method(name, each.summary, each.source, _SEARCH, partial(search, name), proves)
    for name, each in kt_dfs.METHODS.items()
    for proves in [each.build(8, 8).backtracks]
)

METHODS: Mapping[str, Method] = MappingProxyType({row.name: row for row in (*_ROWS, *_SEARCHES)})
"""The methods by name. `kt_cp.methods.auto.SCHEDULE` says in which order ``auto`` asks them."""


AnyMethod = str | Method | kt_dfs.Strategy | Order | Function
"""The name of a method of the table; a row like those of the table; a strategy, or the textbook's
form of one, a function of graph and path; or a function as `Method` describes it."""


def method_of(method: AnyMethod) -> Method:
    """Return the row of a method: by name, or made for a custom strategy or function.

    Raises `InputError` for an unknown name, and `TypeError` for anything else.
    """
    if isinstance(method, Method):
        return method
    if isinstance(method, str):
        if method not in METHODS:
            raise InputError(f"method {method!r}: give one of {', '.join(METHODS)}")
        return METHODS[method]
    if isinstance(plan := as_strategy(method), kt_dfs.Strategy):
        by = partial(search, plan)
        return Method(plan.name, "a custom strategy", "the caller", _SEARCH, by, plan.backtracks)
    if not callable(plan):
        raise TypeError(f"method {plan!r}: give a name, a Method, a kt_dfs.Strategy or a function")
    return Method(_name_of(plan), "", "the caller", _ALL, plan)


def _name_of(function: object) -> str:
    return getattr(function, "__name__", type(function).__name__)


def as_strategy(method: AnyMethod) -> str | Method | kt_dfs.Strategy | Function:
    """Return a function of two arguments, graph and path, as a strategy; anything else as it is."""
    if isinstance(method, str | Method | kt_dfs.Strategy) or not callable(method):
        return method
    with suppress(TypeError, ValueError):  # of some compiled functions
        parameters = inspect.signature(method).parameters.values()
        needed = [each for each in parameters if each.default is each.empty]
        if len(needed) == 2 and all(each.kind <= each.POSITIONAL_OR_KEYWORD for each in needed):
            return kt_dfs.Strategy(order=cast(Order, method), name=_name_of(method))
    return cast(Function, method)


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
    method = as_strategy(found.get(name, ""))
    if isinstance(method, kt_dfs.Strategy):
        return replace(method, name=word)
    if callable(method) or isinstance(method, Method):
        return replace(method_of(method), name=word)
    own = [each for each, value in found.items() if inspect.isfunction(value)]
    raise InputError(f"method {word}: {file} has {', '.join(own) or 'no function'}")
