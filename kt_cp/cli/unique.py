"""``kt solve --unique``: tell whether there is exactly one tour."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import numpy as np

from kt_cp.board import Board
from kt_cp.board.maps import HOLE, SQUARE
from kt_cp.cli.answer import AnswerOutput, impossible_line, tell_how_to_go_on
from kt_cp.cli.output import Exit, spinner, tell, write_bytes, write_lines, write_picture
from kt_cp.messages import pluralize
from kt_cp.notation.notations import Notation
from kt_cp.notation.writing import tour_bytes
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import needs_steps
from kt_cp.puzzles.puzzle import saved_puzzle
from kt_cp.puzzles.uniqueness import Uniqueness, check_uniqueness
from kt_cp.tour.tour import Tour, differing_squares
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.draw.picture import Picture


def solve_unique(
    instance: Instance, notes: dict[str, str], time_limit: float | None, output: AnswerOutput
) -> int:
    """Write the only tour, or two of several with a blank line between them.

    The ``notes`` of a saved puzzle hold its solution, and spare the search.
    """
    clock = Clock(time_limit)
    saved = _saved_solution(instance, notes)
    if saved is not None:
        found = Uniqueness([saved], is_unique=True)
        verdict = "unique: this is the only tour, as was proven when the puzzle was saved"
    else:
        with spinner(f"solving {instance.graph.title}"):
            found = check_uniqueness(instance, time_limit)
        verdict = _verdict(instance, found, clock)
    differing = _differing_squares(instance, found.tours)
    _write_tours(instance, found, differing, output)
    if differing:
        names = " ".join(map(instance.graph.name, differing))
        count = instance.graph.vocabulary.count_vertices(len(differing))
        verdict += f"; they differ on {count}: {names}"
    tell(verdict)
    if found.is_unique is not None and not found.tours:
        arguments = click.get_current_context().params
        tell_how_to_go_on(instance, Status.IMPOSSIBLE, arguments)
    if output.draw is not None and found.tours:
        write_picture(_tours_as_shown(found.tours, differing), output.draw)
    if found.is_unique is None:
        return Exit.NO_ANSWER
    return Exit.YES if found.is_unique else Exit.NO


def _differing_squares(instance: Instance, tours: Sequence[Tour]) -> list[int]:
    """Return the squares on which the first two tours differ: by their steps or by their moves."""
    if len(tours) < 2:
        return []
    compares_steps = needs_steps(instance) or not instance.closed
    return differing_squares(tours[0], tours[1], by_steps=compares_steps)


def _verdict(instance: Instance, found: Uniqueness, clock: Clock) -> str:
    """Return in words whether there is exactly one tour."""
    if found.is_unique is None:
        count = pluralize(len(found.tours), "tour")
        return f"unknown: {count} found when the time limit was reached"
    if found.is_unique:
        return "unique: this is the only tour"
    if found.tours:
        return "not unique: these are two of the tours"
    return impossible_line(instance, clock)


def _write_tours(
    instance: Instance, found: Uniqueness, differing: list[int], output: AnswerOutput
) -> None:
    """Write the tours that were found, and where two of them differ in JSON and on a map."""
    if output.form == Notation.JSON:
        values = [tour.json_names for tour in found.tours]
        names = instance.graph.json_names(differing)
        answer = {"unique": found.is_unique, "tours": values, "differ": names}
        write_lines([json.dumps({**answer, **instance.graph.json_field})], output.out)
    elif found.tours:
        texts = [b"".join(tour_bytes(tour, output.notation)) for tour in found.tours]
        if differing and output.notation is Notation.GRID:
            texts.append(_marked_map(instance.board, differing))
        write_bytes([b"\n".join(texts)], output.out)


def _saved_solution(instance: Instance, notes: dict[str, str]) -> Tour | None:
    """Return the solution of a saved puzzle, or None if its notes do not prove it the only one."""
    if not notes or instance.constrain:  # custom constraints are no part of the checksum
        return None
    saved = saved_puzzle(instance, notes)
    return None if saved is None else saved.solution


def _tours_as_shown(tours: Sequence[Tour], differing: list[int]) -> Tour | Picture:
    """Return the first tour or, for two tours of a board, the picture of where they differ."""
    if not differing or not isinstance(tours[0].graph, Board):
        return tours[0]
    from kt_cp.draw.tours import difference_picture

    return difference_picture(tours[0], tours[1], differing)


def _marked_map(board: Board, squares: list[int]) -> bytes:
    """Return the comment lines of a map on which some squares are marked with an asterisk."""
    marks = np.where(board.grid(board.mask), SQUARE, HOLE)
    marks.flat[squares] = "*"
    return "".join(f"; {' '.join(row)}\n" for row in marks.tolist()).encode()
