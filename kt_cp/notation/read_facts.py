"""Read facts of answer sets, such as ``move(1,1,2,3).``, as clingo prints them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from kt_cp.messages import InputError, join_words
from kt_cp.notation.forms import Form, forms_in
from kt_cp.notation.notations import Naming, Notation
from kt_cp.notation.read_lists import path_or_moves
from kt_cp.notation.text import NUMBER, check_items, run_of, unreadable

# An argument may be a term, as in move((1,1),(2,3)) and move(cell(1,1),cell(2,3)).
_INNER = r"[^().]*+(?>(?:\([^().]*+\)[^().]*+)*)"
_FACT = rf"\s*+([A-Za-z_][A-Za-z0-9_']*+)(?>(?:\(({_INNER})\))?)\s*+[.,;]?+"
_FACTS, _ONE_FACT = run_of(_FACT), re.compile(_FACT)
_ARGUMENTS = re.compile(rf"(?:\s*(?:[A-Za-z_]\w*\()?[(),\s]*{NUMBER}(?![\w-])[(),\s]*)+", re.ASCII)
_ANSWER = re.compile(r"^[ \t]*Answer: [^\n]*\n([^\n]*)$", re.MULTILINE)
_WANTED = "a fact, as in move(1,1,2,3)."


def read_answer_set(text: str) -> list[Form]:
    """Return the forms of the facts that are moves, with four numbers or two ids.

    These are the facts ``move``, or else those of the only predicate with two or four numbers; all
    others are left out. If the text has a line ``Answer: 1``, as solvers print it, the answer is
    the line after it. Raises `UnreadableError` for other texts.
    """
    if "(" not in text:
        raise unreadable(text, 0, _WANTED)
    text = _only_answer(text)
    facts = _numbers_by_predicate(text)
    candidates = {predicate for predicate, rows in facts.items() if _may_be_moves(rows)}
    predicate = "move" if "move" in candidates else min(candidates, default="")
    others = sorted(candidates - {predicate})
    if others and predicate != "move":
        either = " or ".join(sorted(candidates))
        raise unreadable(text, 0, f"the moves alone: they may be {either}")
    if not candidates:
        raise unreadable(text, 0, _WANTED)
    width = len(facts[predicate][0]) // 2
    ends = np.array(facts[predicate], dtype=np.int64).reshape(-1, width)
    in_order, numbers = path_or_moves(ends)
    remarks = (f"without the facts {join_words(others)}",) if others else ()
    forms = forms_in(Notation.FACTS, numbers, in_order=in_order, remarks=remarks)
    if width == 2:
        return forms
    return [replace(form, naming=Naming("{}", form.notation.first)) for form in forms]


def _may_be_moves(rows: list[list[str]]) -> bool:
    """Return whether all facts of a predicate have four numbers, or all have two."""
    widths = {len(row) for row in rows}
    return widths in ({4}, {2})


def _only_answer(text: str) -> str:
    """Return the answer in a solver's output, with blanks before it, or else the whole text."""
    answers = list(_ANSWER.finditer(text))
    if not answers:
        return text
    if len(answers) > 1:
        raise InputError("there is more than one answer; give one of them")
    [answer] = answers
    return " " * answer.start(1) + answer[1]


def _numbers_by_predicate(text: str) -> dict[str, list[list[str]]]:
    """Return, by predicate, the numbers of each fact; empty if its arguments are not numbers."""
    check_items(text, _FACTS, _WANTED)
    facts: dict[str, list[list[str]]] = {}
    for predicate, arguments in _ONE_FACT.findall(text):
        if arguments:
            is_numbers = _ARGUMENTS.fullmatch(arguments) is not None
            row = re.findall(NUMBER, arguments) if is_numbers else []
            facts.setdefault(predicate, []).append(row)
    return facts
