"""Which functions read which notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from kt_cp.notation.forms import Form
from kt_cp.notation.long_text import LongText
from kt_cp.notation.names import Notation
from kt_cp.notation.read_coords import coords_form, read_coords
from kt_cp.notation.read_facts import facts_form, read_facts
from kt_cp.notation.read_grid import grid_form, read_grid
from kt_cp.notation.read_json import json_form, read_json
from kt_cp.notation.read_long import (
    long_grid_form,
    path_form,
    read_long_coords,
    read_long_facts,
    read_long_grid,
    read_long_json,
    read_long_moves,
    read_long_numbers,
    read_long_squares,
    read_long_tsplib,
)
from kt_cp.notation.read_numbers import ids_form, read_numbers, successors_form
from kt_cp.notation.read_squares import moves_form, read_moves, read_squares, squares_form
from kt_cp.notation.read_tsplib import read_tsplib, tsplib_form

Text = TypeVar("Text", str, LongText)


class Reader(NamedTuple, Generic[Text]):
    """How a text is taken apart, and what form the parts make in a notation."""

    read: Callable[[Text], Any]
    form: Callable[[Notation, Any], Form]


READERS: Mapping[Notation, Reader[str]] = {
    Notation.GRID: Reader(read_grid, grid_form),
    Notation.IDS: Reader(read_numbers, ids_form),
    Notation.SQUARES: Reader(read_squares, squares_form),
    Notation.COORDS: Reader(read_coords, coords_form),
    Notation.MOVES: Reader(read_moves, moves_form),
    Notation.FACTS: Reader(read_facts, facts_form),
    Notation.SUCCESSORS: Reader(read_numbers, successors_form),
    Notation.TSPLIB: Reader(read_tsplib, tsplib_form),
    Notation.JSON: Reader(read_json, json_form),
}

LONG_READERS: Mapping[Notation, Reader[LongText]] = {
    Notation.GRID: Reader(read_long_grid, long_grid_form),
    Notation.IDS: Reader(read_long_numbers, ids_form),
    Notation.SQUARES: Reader(read_long_squares, squares_form),
    Notation.COORDS: Reader(read_long_coords, coords_form),
    Notation.MOVES: Reader(read_long_moves, path_form),
    Notation.FACTS: Reader(read_long_facts, path_form),
    Notation.SUCCESSORS: Reader(read_long_numbers, successors_form),
    Notation.TSPLIB: Reader(read_long_tsplib, tsplib_form),
    Notation.JSON: Reader(read_long_json, json_form),
}
