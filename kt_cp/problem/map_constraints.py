"""Boards as text: sizes, and maps whose numbers and notes are constraints too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from kt_cp.board import Board
from kt_cp.board.board import SquareLike, StepBySquare
from kt_cp.board.maps import Map
from kt_cp.messages import InputError, as_items
from kt_cp.problem.constraints import Constraints

Notes = Mapping[str, str]


def parse_map(text: str, constraints: Constraints) -> tuple[Board, Constraints, Map]:
    """Return the board of a size or a map, all constraints on it, and the contents of the map.

    The constraints are the given ones and those of the map, without ``piece`` and ``topology``,
    which the board has. Raises `InputError` if the map contradicts a given constraint.

    >>> parse_map("1 . .\\n. # .\\n. . .\\n; kind: closed", {"require": ["c3-a2"]})[1]
    {'require': ['c3-a2'], 'closed': True, 'givens': {0: 1}}
    """
    board, contents = Board.parse_map(text, constraints.get("piece"), constraints.get("topology"))
    notes = contents.notes
    merged = Constraints(**constraints)
    merged.pop("piece", None)
    merged.pop("topology", None)
    if "kind" in notes:
        _merge_kind(merged, notes["kind"])
    if "start" in notes:
        merged["start"] = _merged_end(board, "start", notes, merged.get("start"))
    if "end" in notes:
        merged["end"] = _merged_end(board, "end", notes, merged.get("end"))
    if "symmetry" in notes:
        if merged.get("symmetry") not in (None, notes["symmetry"]):
            raise InputError(f"the map has another symmetry: {notes['symmetry']}")
        merged["symmetry"] = notes["symmetry"]
    _merge_lists(merged, notes)
    if "order" in notes:
        merged["order"] = _merged_order(board, notes["order"], merged.get("order"))
    if contents.givens:
        merged["givens"] = _merged_givens(board, contents.givens, merged.get("givens", {}))
    return board, merged, contents


def _merge_lists(merged: Constraints, notes: Notes) -> None:
    """Add the moves and bounds of a map to those given."""
    values = cast("dict[str, Any]", merged)  # indexed by a variable
    for field, example in (("require", "a1-c2"), ("forbid", "a1-c2"), ("having", "turns<=32")):
        if field in notes:
            given = as_items(field, values.get(field, ()), example)
            values[field] = [*notes[field].split(), *given]


def _merge_kind(constraints: Constraints, kind: str) -> None:
    """Set ``closed`` if the kind in a map is closed.

    Raises `InputError` if the kind is open although a closed tour is required, and for any other
    kind.
    """
    if kind in ("path", "cycle"):
        partial = f"the map shows a {kind} that leaves squares out"
        raise InputError(f"{partial}; 'kt validate', 'kt describe' and 'kt draw' take it")
    if kind not in ("open", "closed"):
        raise InputError(f"kind {kind!r} in the map: give open or closed")
    if kind == "closed":
        constraints["closed"] = True
    elif constraints.get("closed"):
        raise InputError("the map says that the tour is open: leave out closed, or that line")


def _merged_end(board: Board, role: str, notes: Notes, given: SquareLike | None) -> str:
    """Return the name of the start or the end in a map; ``role`` says which of these.

    Raises `InputError` if another square is given.
    """
    name = board.name(board.vertex(notes[role], f"{role} in the map"))
    if given is not None and board.name(board.vertex(given, role)) != name:
        raise InputError(f"the map has another {role}: {name}")
    return name


def _merged_order(
    board: Board, note: str, given: Iterable[SquareLike] | None
) -> Iterable[SquareLike]:
    """Return the order in a map. Raises `InputError` if another order is given."""
    squares = [board.vertex(name, "order in the map") for name in note.split()]
    if given is None:
        return squares
    named = list(as_items("order", given.split() if isinstance(given, str) else given, "a1"))
    if named and [board.vertex(name, "order") for name in named] != squares:
        raise InputError(f"the map has another order: {note}")
    return squares


def _merged_givens(board: Board, drawn: Mapping[int, int], given: StepBySquare) -> dict[int, int]:
    """Return the steps drawn on a map and those given as an argument, by square.

    Raises `InputError` if two steps are given for one square.
    """
    steps = {board.vertex(square, f"step {step}"): step for square, step in given.items()}
    for square, step in drawn.items():
        if steps.setdefault(square, step) != step:
            both = f"steps {step} and {steps[square]}"
            raise InputError(f"{both} are given on {board.name(square)}")
    return steps
