"""What solvers print about the problems that `kt export` writes, apart from the tour itself.

LKH prints a tour of TSPLIB and clingo prints facts, which are notations. SAT solvers print an
assignment, MiniZinc lines that part solutions, and the circuit model has arcs of a depot.
"""

from __future__ import annotations

import math
import re

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.errors import InputError

DEPOT = "depot"

_NO_ANSWER = re.compile(
    r"^[ \t]*(?:s[ \t]+|=====)?"
    r"(UNSATISFIABLE|UNSAT|INFEASIBLE|UNKNOWN|INDETERMINATE|INDET|UNSATorUNBOUNDED)"
    r"(?:=====)?[ \t]*$",
    re.MULTILINE,
)
_LIMIT = {"UNKNOWN", "INDETERMINATE", "INDET"}

# Lines of values, as in the SAT competitions; or all lines after a first line SAT, as of MiniSat.
_VALUES = re.compile(r"^v((?:[ \t]+-?\d{1,12})+)[ \t]*$", re.MULTILINE | re.ASCII)
_MINISAT = re.compile(r"\s*SAT[ \t]*\n([-\d\s]+)", re.ASCII)
_PROBLEM = re.compile(r"^p[ \t]+cnf\b", re.MULTILINE)
_BLOCK = re.compile(r"^c (\d{1,9}) to \d{1,9}: (.+) is visited at step 1, 2, ", re.MULTILINE)

_SOLUTION_END, _SEARCH_END = "----------", "=========="


def refuse_no_answer(text: str) -> None:
    """Raise `InputError` if a text says that a solver found no tour."""
    if (found := _NO_ANSWER.search(text)) is None:
        return
    if found[1] in _LIMIT:
        raise InputError(f"there is no path: the solver reached a limit ({found[1]})")
    raise InputError(f"there is no path: the solver found none ({found[1]})")


def refuse_formula(text: str) -> None:
    """Raise `InputError` if a text is a formula without the values of a solver."""
    if _PROBLEM.search(text) and not _VALUES.search(text):
        raise InputError("this is a formula, not a path; give the values that a SAT solver prints")


def names_in_formula(text: str) -> list[str]:
    """Return the names of the vertices in the comments of a formula, in the formula's order."""
    return [name for _, name in _BLOCK.findall(text)]


def tour_of_assignment(text: str, vertices: int | None = None) -> list[int] | None:
    """Return the tour that the values of a SAT solver stand for, as numbers of vertices from 1.

    A formula of n vertices has the variables 1 to n * n: the first n of them say at which step
    vertex 1 is visited, and so on. If ``vertices`` is None, their number is found out. Returns None
    if the text has no values. Raises `InputError` for values that stand for no order of vertices.

    >>> tour_of_assignment("s SATISFIABLE\\nv -1 2 -3 4 -5 -6 -7 -8 9 0\\n")
    [2, 1, 3]
    """
    values = _values_in(text)
    if values is None:
        return None
    true = np.unique(values[values > 0])
    most = math.isqrt(int(np.abs(values).max(initial=0)))
    # One vertex is visited at step 1 in all values in which variable 1 is true.
    numbers = range(most, min(most, 2) - 1, -1) if vertices is None else [vertices]
    for number in numbers:
        chosen = true[: np.searchsorted(true, number * number, side="right")] - 1
        nodes, steps = np.divmod(chosen, number)
        if len(chosen) == number and len(np.unique(steps)) == len(np.unique(nodes)) == number:
            return (nodes[np.argsort(steps)] + 1).tolist()  # type: ignore[no-any-return]
    which = "no number of squares" if vertices is None else f"{vertices:,} squares"
    raise InputError(
        f"the values are those of no tour of {which}, by the formula that "
        "'kt export --format dimacs' writes; give the board that it was written for"
    )


def _values_in(text: str) -> Ints | None:
    """Return the literals that a SAT solver has made true, or None if there are none."""
    found = " ".join(_VALUES.findall(text))
    if not found and (listed := _MINISAT.fullmatch(text)):
        found = listed[1]
    if not found:
        return None
    try:
        return np.array(found.split(), dtype=np.int64)
    except ValueError:
        return None


def without_separators(text: str) -> str:
    """Return the one solution that MiniZinc prints, without the lines after it.

    Other texts are returned unchanged. Raises `InputError` for more than one solution.
    """
    lines = [line.strip() for line in text.splitlines()]
    if _SOLUTION_END not in lines:
        return text
    solutions: list[list[str]] = [[]]
    for line in lines:
        if line == _SOLUTION_END:
            solutions.append([])
        elif line and line != _SEARCH_END and not line.startswith("%"):
            solutions[-1].append(line)
    if not all(_is_arc(line) for solution in solutions for line in solution):
        return text
    if solutions[-1] or len(solutions) > 2:
        raise InputError("there is more than one solution; give one of them")
    return "\n".join(solutions[0])


def _is_arc(line: str) -> bool:
    """Return whether a line may be a move of the model for MiniZinc, such as ``a1-b3``."""
    tail, joint, head = line.partition("-")
    return bool(tail and joint and head.strip("-")) and "|" not in line


# A variable and its value, as in the files of HiGHS and SCIP, or after a number, as in that of CBC.
_VARIABLE = re.compile(
    r"^[ \t]*+(?>(?:\d++[ \t]++)?)(\w++>\w++)[ \t]++(-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?)(?!\S)",
    re.MULTILINE,
)


def arcs_in_solution(text: str) -> list[tuple[str, str]]:
    """Return the arcs in use in the solution of an integer program, or none if it is no solution.

    Solvers of such programs print a line for each variable, such as ``a1>b3 1``, perhaps with those
    that are 0.

    >>> arcs_in_solution("a1>b3 1\\nb3>c5  0.9999999\\nb3>a1 0\\nposition0 4\\n")
    [('a1', 'b3'), ('b3', 'c5')]
    """
    used = [name for name, value in _VARIABLE.findall(text) if float(value) > 0.5]
    arcs = [name.split(">") for name in used]
    return [(source, target) for source, target in arcs]


_DEPOT_ARC = re.compile(
    r"(?<![\w>-])depot\s*(?:->?|>)\s*([a-z]{1,6}\d{1,9})(?!\w)[,;]?"
    r"|(?<![\w>-])([a-z]{1,6}\d{1,9})\s*(?:->?|>)\s*depot(?!\w)[,;]?",
    re.IGNORECASE,
)


def without_depot(text: str) -> tuple[str, list[str]]:
    """Return a text without the arcs that leave or enter the depot, and the squares at these arcs.

    >>> without_depot("depot>a8 a8>b6 b6>depot")
    ('         a8>b6         ', ['a8', 'b6'])
    """
    if DEPOT not in text.lower():
        return text, []
    squares = [one or other for one, other in _DEPOT_ARC.findall(text)]
    return _DEPOT_ARC.sub(lambda arc: " " * len(arc[0]), text), squares
