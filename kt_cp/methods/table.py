"""The table of methods: every way to answer, a row each.

To add a method, write one file with a function as `Method` describes it, and add its row here. The
rows name the files and functions: a file is imported when its function is called, since importing
the solvers takes longer than many answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import MappingProxyType

import kt_dfs
from kt_cp.files import load_from_script, names_script_object
from kt_cp.messages import InputError, give_one_of
from kt_cp.methods.method import (
    ALL_CONSTRAINTS,
    CONSTRAINTS,
    INSTALL_PEERS,
    MOVES_AND_ENDS,
    START_AND_FORBID,
    STEPS_AND_ENDS,
    Answer,
    AnswerFunction,
    CustomMethod,
    Method,
)
from kt_cp.problem.task import Task

__all__ = [
    "CONSTRAINTS",
    "INSTALL_PEERS",
    "METHODS",
    "AnyMethod",
    "Method",
    "load_method",
    "method_of",
]


def _answer(module: str, function: str, task: Task) -> Answer:
    """Answer by a function of a module of this package, imported outside the time limit."""
    with task.clock.stopped():
        answer: AnswerFunction = getattr(import_module(f"kt_cp.methods.{module}"), function)
    return answer(task)


def _search(name: str, task: Task) -> Answer:
    """Answer by a method of `kt_dfs`."""
    with task.clock.stopped():
        from kt_cp.methods import peers
    return peers.search(name, task)


_ROWS = (
    Method(
        name="auto",
        summary="a list of steps: reasons that a person can check, the circuit, and others",
        source="this package",
        constraints=ALL_CONSTRAINTS,
        function=partial(_answer, "auto", "answer"),
        optimizer=partial(_answer, "optimize", "answer"),
        takes_parameters=True,
    ),
    Method(
        name="refute",
        summary="reasons why there is no tour that a person can check: colors, dead ends, "
        "separators, …",
        source="A. Schwenk, Which rectangular chessboards have a knight's tour? (1991), and others",
        constraints=ALL_CONSTRAINTS,
        function=partial(_answer, "auto", "answer_by_reasons"),
    ),
    Method(
        name="first",
        summary="the tour whose ids come first, as words in a dictionary, by auto",
        source="this package",
        constraints=ALL_CONSTRAINTS,
        function=partial(_answer, "optimize", "first_in_order"),
    ),
    Method(
        name="compose",
        summary="full rectangles of any size, from small tours that the circuit model finds",
        source="I. Parberry, An efficient algorithm for the Knight's tour problem (1997)",
        constraints=frozenset({"start", "end"}),
        proves=False,
        function=partial(_answer, "compose", "answer"),
    ),
    Method(
        name="patch",
        summary="boards of any shape and size: cycles by maximum flow, joined until one is left",
        source="R. Karp, A patching algorithm for the nonsymmetric traveling-salesman problem "
        "(1979)",
        constraints=MOVES_AND_ENDS,
        proves=False,
        function=partial(_answer, "patch", "answer"),
    ),
    Method(
        name="cuts",
        summary="two moves at every square, and cuts between cycles until one is left, by SAT",
        source="G. Dantzig, R. Fulkerson, S. Johnson, Solution of a large-scale traveling-salesman "
        "problem (1954); CaDiCaL",
        constraints=MOVES_AND_ENDS | {"symmetry"},
        function=partial(_answer, "cuts", "answer"),
    ),
    Method(
        name="circuit",
        summary="the CP-SAT circuit model alone: finds, proves, and meets every constraint",
        source="J.-L. Laurière (1978), as the constraint `circuit`; OR-tools",
        constraints=ALL_CONSTRAINTS,
        function=partial(_answer, "circuit", "answer"),
        optimizer=partial(_answer, "optimize", "answer"),
        takes_parameters=True,
    ),
    Method(
        name="frontier",
        summary="all states of a frontier that sweeps over the graph: for narrow boards and graphs",
        source="D. Knuth, The Art of Computer Programming 4A (2011), 7.1.4: simpath",
        constraints=MOVES_AND_ENDS,
        function=partial(_answer, "auto", "answer_by_frontier"),
    ),
    Method(
        name="clingo",
        summary="answer set programming: choice rules and reachability, by clingo",
        source="M. Gebser, R. Kaminski, B. Kaufmann, T. Schaub, Answer Set Solving in Practice "
        "(2012)",
        constraints=MOVES_AND_ENDS,
        function=partial(_answer, "peers", "clingo_answer"),
        package="clingo",
    ),
    Method(
        name="choco",
        summary="the constraint `circuit` on the square after each square, by Choco",
        source="C. Prud'homme, J.-G. Fages, Choco-solver, Journal of Open Source Software 7 (2022)",
        constraints=MOVES_AND_ENDS,
        function=partial(_answer, "peers", "choco_answer"),
        package="pychoco",
    ),
    Method(
        name="givens",
        summary="given steps: a tour rearranged until they fit, in turns with the circuit model",
        source="S. Lin, Computer solutions of the traveling salesman problem (1965); "
        "S. Kirkpatrick, C. Gelatt, M. Vecchi, Optimization by simulated annealing (1983)",
        constraints=STEPS_AND_ENDS,
        function=partial(_answer, "auto", "answer_with_givens"),
    ),
    Method(
        name="anneal",
        summary="the best tour by an objective: simulated annealing alone, which proves no bound",
        source="L. Pósa, Hamiltonian circuits in random graphs (1976); S. Kirkpatrick, C. Gelatt, "
        "M. Vecchi, Optimization by simulated annealing (1983)",
        constraints=MOVES_AND_ENDS,
        proves=False,
        function=partial(_answer, "optimize", "anneal"),
        optimizer=partial(_answer, "optimize", "anneal"),
    ),
    *(
        Method(
            name=name,
            summary=row.summary,
            source=row.source,
            constraints=START_AND_FORBID,
            function=partial(_search, name),
            proves=row.build(8, 8).backtracks,  # the same for boards of all sizes
        )
        for name, row in kt_dfs.METHODS.items()
    ),
)

METHODS: Mapping[str, Method] = MappingProxyType({row.name: row for row in _ROWS})
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
        from kt_cp.methods.custom import custom_method

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
    if not names_script_object(word):
        return word
    from kt_cp.methods.custom import custom_method, strategy_of

    loaded = load_from_script(word, "method")
    if not (callable(loaded) or isinstance(loaded, Method | kt_dfs.Strategy)):
        raise InputError(f"method {word}: this is neither a function nor a strategy")
    strategy = strategy_of(loaded)
    if strategy is not None:
        return replace(strategy, name=word)
    return custom_method(loaded, name=word)
