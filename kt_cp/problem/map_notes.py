"""Boards as text: sizes, and maps whose numbers and notes hold constraints too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from kt_cp.board import Board
from kt_cp.board.names import StepBySquare
from kt_cp.errors import InputError, listed
from kt_cp.problem.constraints import Constraints


def read_text(text: str, constraints: Constraints) -> tuple[Board, Constraints, dict[str, str]]:
    """Return the board of a size or map, all constraints, and the notes of the map.

    The constraints of the map are added to those given. Raises `InputError` where they contradict
    each other.
    """
    both: dict[str, Any] = {**constraints}
    board, shown = Board.read(text, both.pop("piece", None), both.pop("topology", None))
    notes = shown.notes
    if (kind := notes.get("kind", "open")) not in ("open", "closed"):
        raise InputError(f"kind {kind!r} in the map: give open or closed")
    if kind == "closed":
        both["closed"] = True
    elif "kind" in notes and both.get("closed"):
        raise InputError("the map says that the tour is open: leave out closed, or that line")
    for name in sorted({"start", "end", "symmetry"} & notes.keys()):
        told, asked = notes[name], both.get(name)
        if name != "symmetry":
            told = board.name(board.vertex(told, f"{name} in the map"))
            asked = None if asked is None else board.name(board.vertex(asked, name))
        if asked not in (None, told):
            raise InputError(f"the map has another {name}: {told}")
        both[name] = told
    for name in {"require", "forbid", "having"} & notes.keys():
        both[name] = [*notes[name].split(), *listed(name, both.get(name, ()), "a1-c2")]
    if shown.givens:
        both["givens"] = _joined_steps(board, shown.givens, both.get("givens", {}))
    return board, cast(Constraints, both), notes


def _joined_steps(board: Board, told: Mapping[int, int], asked: StepBySquare) -> dict[int, int]:
    """Return the steps on a map and those given as an argument, by square.

    Raises `InputError` where they contradict each other.
    """
    steps = {board.vertex(square, f"step {step}"): step for square, step in asked.items()}
    for square, step in told.items():
        if steps.setdefault(square, step) != step:
            place = f"are given on {board.name(square)}"
            raise InputError(f"steps {step} and {steps[square]} {place}")
    return steps
