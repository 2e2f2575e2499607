"""Read the output of solvers for the problems that `kt export` writes, where it is not a notation.

LKH prints a TSPLIB tour and clingo prints facts: both are notations. SAT solvers print an
assignment, MiniZinc prints separator lines between solutions, and solvers of integer programs print
the values of variables. For an open tour, the arcs include those of the depot.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation, naming
from kt_cp.notation.reading import Form
from kt_cp.notation.tokens import unreadable
from kt_cp.notation.values import name_in

_NO_ANSWER = re.compile(
    r"^[ \t]*(?:s[ \t]+|=====)?"
    r"(UNSATISFIABLE|UNSAT|INFEASIBLE|UNKNOWN|INDETERMINATE|INDET|UNSATorUNBOUNDED)"
    r"(?:=====)?[ \t]*$",
    re.MULTILINE,
)
_LIMIT_WORDS = {"UNKNOWN", "INDETERMINATE", "INDET"}

# Lines of values, as in the SAT competitions; or all lines after a first line SAT, as of MiniSat.
_VALUE_LINES = re.compile(r"^v((?:[ \t]+-?\d{1,12})+)[ \t]*$", re.MULTILINE | re.ASCII)
_MINISAT_ANSWER = re.compile(r"\s*SAT[ \t]*\n([-\d\s]+)", re.ASCII)
_CNF_HEADER = re.compile(r"^p[ \t]+cnf\b", re.MULTILINE)
_MPS_SECTIONS = re.compile(r"^ROWS[ \t]*$(?=[\s\S]*^COLUMNS[ \t]*$)", re.MULTILINE)
_MINIZINC_ITEM = re.compile(
    r"^[ \t]*(?:include[ \t]+\"[^\"\n]*\"|solve\b[^;\n]*\b(?:satisfy|minimize|maximize)\b[^;\n]*)"
    r"[ \t]*;",
    re.MULTILINE,
)

# The comment that `kt export` writes above the variables of a square.
_SQUARE_COMMENT = re.compile(r"^c \d{1,9} to \d{1,9}: (.+) is visited at step 1, 2, ", re.MULTILINE)


def refuse_no_answer(text: str) -> None:
    """Raise `InputError` if a text says that a solver found no tour."""
    found = _NO_ANSWER.search(text)
    if found is None:
        return
    if found[1] in _LIMIT_WORDS:
        raise InputError(f"there is no path: the solver reached a limit ({found[1]})")
    raise InputError(f"there is no path: the solver found none ({found[1]})")


def refuse_problem(text: str) -> None:
    """Raise `InputError` if a text is a problem for a solver instead of the solver's answer."""
    if _CNF_HEADER.search(text) and not _VALUE_LINES.search(text):
        raise InputError("this is a formula, not a path; give the values that a SAT solver prints")
    if _MINIZINC_ITEM.search(text):
        raise InputError(
            "this is a MiniZinc model, not a path; give the moves that MiniZinc prints"
        )
    if _MPS_SECTIONS.search(text):
        raise InputError("this is an integer program, not a path; give the solution of a solver")


def names_in_formula(text: str) -> list[str]:
    """Return the names of the vertices in the comments of a formula, in the formula's order."""
    return _SQUARE_COMMENT.findall(text)


def tour_of_assignment(text: str, vertices: int | None = None) -> list[int] | None:
    """Return the tour that a SAT solver's assignment encodes, as numbers of vertices from 1.

    A formula of n vertices has the variables 1 to n * n: the first n of them say at which step
    vertex 1 is visited, and so on. If the number of ``vertices`` is None, it is detected. Return
    None if the text has no values. Raises `InputError` for values that encode no order of the
    vertices.

    >>> tour_of_assignment("s SATISFIABLE\\nv -1 2 -3 4 -5 -6 -7 -8 9 0\\n")
    [2, 1, 3]
    """
    values = _values_in(text)
    if values is None:
        return None
    true_variables = np.unique(values[values > 0])
    for count in _possible_counts(values) if vertices is None else [vertices]:
        # Variables beyond count * count are auxiliary.
        chosen = true_variables[true_variables <= count * count]
        nodes, steps = np.divmod(chosen - 1, count)
        is_permutation = len(np.unique(steps)) == len(np.unique(nodes)) == count
        if len(chosen) == count and is_permutation:
            return (nodes[np.argsort(steps)] + 1).tolist()  # type: ignore[no-any-return]
    which = "no number of squares" if vertices is None else f"{vertices:,} squares"
    raise InputError(
        f"the values are those of no tour of {which}, by the formula that "
        "'kt export --format dimacs' writes; give the board that it was written for"
    )


def _possible_counts(values: Ints) -> range:
    """Return the possible numbers of vertices of a formula with these variables, largest first.

    A single vertex is tried only if no larger number is possible: every assignment in which
    variable 1 is true would be a tour of it.
    """
    most = math.isqrt(int(np.abs(values).max(initial=0)))
    least = min(most, 2)
    return range(most, least - 1, -1)


def _values_in(text: str) -> Ints | None:
    """Return the literals that a SAT solver made true, or None if the text has none."""
    found = " ".join(_VALUE_LINES.findall(text) if "v" in text else [])
    if not found and (listed := _MINISAT_ANSWER.fullmatch(text)):
        found = listed[1]
    if not found:
        return None
    try:
        return np.array(found.split(), dtype=np.int64)
    except ValueError:
        return None


# A variable and its value, as HiGHS and SCIP write them, or after a number, as CBC does.
_VARIABLE = re.compile(
    r"^[ \t]*+(?>(?:\d++[ \t]++)?)(\w++>\w++)[ \t]++(-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?)(?!\S)",
    re.MULTILINE,
)


def arcs_in_solution(text: str) -> list[str]:
    """Return the ends of the arcs that the solution of an integer program uses, two for each.

    Solvers of such programs print a line for each variable, such as ``a1>b3 1``; some also print
    the variables of value 0. Of any other text return nothing.

    >>> arcs_in_solution("a1>b3 1\\nb3>c5  0.9999999\\nb3>a1 0\\nposition0 4\\n")
    ['a1', 'b3', 'b3', 'c5']
    """
    found = _VARIABLE.findall(text) if ">" in text else []
    used = [name for name, value in found if float(value) > 0.5]
    return [end for name in used for end in name.split(">")]


# -- facts of clingo ------------------------------------------------------------------------------

# An argument may be a text, or a term as in move((1,1),(2,3)) and move(cell(1,1),cell(2,3)).
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_INNER = rf"""(?>(?:[^()"]|{_QUOTED}|\((?>(?:[^()"]|{_QUOTED})*)\))*)"""
_FACT = re.compile(rf"\s*+([A-Za-z_][A-Za-z0-9_']*+)\(({_INNER})\)\s*+[.,;]?+")
_ONLY_FACTS = re.compile(
    rf"(?>(?:\s*+[A-Za-z_][A-Za-z0-9_']*+(?>(?:\({_INNER}\))?)\s*+[.,;]?+)*)\s*+"
)
_TERM = re.compile(rf"{_QUOTED}|[^\s(),]+(?!\()(?=[\s(),]|$)")
_ANSWER = re.compile(r"^[ \t]*Answer: [^\n]*\n([^\n]*)$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)


def answer_in(text: str) -> str:
    """Return the answer in clingo's output, the line after ``Answer: 1``, or else the whole text.

    Raises `InputError` for more than one answer.
    """
    answers = _ANSWER.findall(text)
    if len(answers) > 1:
        raise InputError("there is more than one answer; give one of them")
    return answers[0] if answers else text


def facts_by_predicate(text: str) -> dict[str, list[list[str]]]:
    """Return the terms of all facts by predicate, without quotes and the names of functions.

    The text is an answer of clingo, or has nothing but facts; of others return no facts.

    >>> facts_by_predicate("move(1,1,2,3). move(2,3,3,1). size(3).")
    {'move': [['1', '1', '2', '3'], ['2', '3', '3', '1']], 'size': [['3']]}
    """
    answer = _COMMENT.sub("", answer_in(text))
    if "(" not in answer or _ONLY_FACTS.fullmatch(answer) is None:
        return {}
    facts: dict[str, list[list[str]]] = {}
    for predicate, arguments in _FACT.findall(answer):
        facts.setdefault(predicate, []).append([*map(name_in, _TERM.findall(arguments))])
    return facts


# -- tours of TSPLIB (Reinelt 1991) ---------------------------------------------------------------

_HEADER = re.compile(
    r"(?:[ \t]*+(?>(?:[A-Z_]++[ \t]*+:.*+)?)\n)*?[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$", re.I | re.M
)
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_TOUR = re.compile(
    r"(?>(?:\s*+[0-9]{1,18}+(?!\S))+)(?>(?:\s*+-1(?!\S))?)\s*+(?>(?:EOF)?)\s*+",
    re.I | re.A,
)


def read_tour(text: str) -> list[Form]:
    """Read the tour of a ``.tour`` file, as LKH and other solvers write it.

    Squares have numbers from 1, which skip holes, and the depot has the number after them. If a
    vertex may be the depot of an open tour, the tour is returned with it and without it. Raises
    `InputError` for any other text.
    """
    header = _HEADER.match(text)
    if header is None:
        wanted = "a TSPLIB file: lines such as TYPE : TOUR, then TOUR_SECTION"
        raise unreadable(text, 0, wanted)
    start = header.end()
    body = " " * start + text[start:]
    tour = _TOUR.match(body)
    end = tour.end() if tour else 0
    if end < len(body):
        raise unreadable(text, end, "the numbers of one tour, with -1 at the end")
    listed = body.upper().replace("EOF", " ")
    numbers = np.fromstring(listed, dtype=np.int64, sep=" ")
    dimension = _DIMENSION.search(header[0])
    return forms_of_tour(numbers[numbers >= 0], int(dimension[1]) if dimension else None)


def tour_of_concorde(text: str) -> list[int]:
    """Return the tour in a solution of Concorde, as numbers from 1; empty for any other text.

    It is a count on a line of its own, and that many numbers from 0, several on a line.

    >>> tour_of_concorde("3\\n0 2 1")
    [1, 3, 2]
    """
    head, _, rest = text.strip().partition("\n")
    if not re.fullmatch(r"\d{1,9}\s*", head, re.ASCII) or not re.match(r"\d+[ \t]+\d", rest):
        return []
    words = rest.split()
    numbers = [int(word) + 1 for word in words if word.isdecimal() and len(word) < 10]
    is_order = sorted(numbers) == [*range(1, int(head) + 1)]
    return numbers if is_order and len(numbers) == len(words) else []


def forms_of_tour(numbers: Ints, size: int | None = None) -> list[Form]:
    """Return the forms of the numbers of squares, with and without a depot."""
    form = Form(Notation.TSPLIB, numbers[:, None], naming(Notation.TSPLIB), area=size)
    depots = np.flatnonzero(numbers == len(numbers))
    if len(depots) != 1 or len(numbers) == 1 or size not in (None, len(numbers)):
        return [form]
    return [form, _without_depot(form, int(depots[0]))]


def _without_depot(form: Form, depot_index: int) -> Form:
    """Return the open tour that results from removing the depot from a closed one."""
    numbers = np.roll(form.numbers, -depot_index, axis=0)[1:]
    remark = f"without the depot, vertex {len(numbers) + 1}"
    return replace(
        form, numbers=numbers, closed=False, area=len(numbers), fills_board=True, remarks=(remark,)
    )
