"""Pages that replay recorded searches and tours step by step, and pictures of how these ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import END_MARK, START_MARK, Picture, square_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.tour import draw_path
from kt_cp.draw.wording import as_caption, with_print_signs
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour

MAX_STEPS = 1_000_000
"""How many visits and backtracks a page replays."""

_SCRIPTS = "elements.js", "player.js", "squares.js", "board.js"

_RUN_GAP = 1.2  # between two boards of a picture, in squares

Lines = list[list[int]]
"""Squares in the order of several lines; a cycle ends with the square it begins with."""


@dataclass(frozen=True)
class RecordedRun:
    """What a search did, or what a model did; ``name`` is that of the method.

    A search has ``events``, its visits in order, a backtrack from a square being ``~square``. A
    model has ``frames`` instead: the lines that it has joined by then, of which the last frame has
    one, its tour. ``found`` is True if there is a tour in the end, and ``ending`` a phrase on how
    the run ended.
    """

    name: str
    events: list[int]
    found: bool
    ending: str
    frames: list[Lines] = field(default_factory=list)

    @property
    def backtracks(self) -> int:
        """The number of backtracks of a search."""
        return len([event for event in self.events if event < 0])

    @property
    def last_path(self) -> list[int]:
        """The path at the end of a search, or the tour of a model."""
        if self.frames:
            [line] = self.frames[-1]
            is_cycle = len(line) > 1 and line[0] == line[-1]
            return line[:-1] if is_cycle else line
        path: list[int] = []
        for event in self.events:
            if event < 0:
                path.pop()
            else:
                path.append(event)
        return path


def tour_page(tour: Tour, look: Look = USUAL) -> str:
    """Return a page that shows a tour step by step; the title is its summary unless given."""
    title, summary = look.title, f"{tour.summary}."
    if title is None:
        title, summary = as_caption(tour.summary), ""
    name = f"{tour.kind} tour"
    ending = "every square is visited"
    if tour.is_partial:
        words = tour.graph.vocabulary
        name = words.partial_tour(tour.closed)
        ending = f"{words.count_vertices(len(tour))} are visited"
    run = RecordedRun(name, tour.squares.tolist(), True, ending)
    data = {**_runs_data(tour.board, tour.closed, [run]), "tour": {"first": look.first}}
    return html_page(title, summary, _SCRIPTS, data, look)


def _runs_data(board: Board, closed: bool, runs: Sequence[RecordedRun]) -> dict[str, object]:
    """Return what the script ``board.js`` needs."""
    return {**board_data(board), "closed": closed, "runs": [asdict(run) for run in runs]}


def race_picture(instance: Instance, runs: Sequence[RecordedRun], look: Look = USUAL) -> Picture:
    """Return the picture of how searches ended: their last paths, and the squares left out."""
    board = instance.board
    title = f"{instance.kind} {board.title}: {' and '.join(run.name for run in runs)}"
    sheet = Sheet(board, title, look)
    is_left_out = False
    for index, run in enumerate(runs):
        part = sheet
        if index:
            part = sheet.beside(board, index * (board.columns + _RUN_GAP), 0)
        path = np.array(run.last_path, dtype=np.int64)
        left_out = np.setdiff1d(board.squares, path)
        _draw_run(part, path, left_out, is_closed=run.found and instance.closed)
        after = f" after {run.backtracks:,} backtracks" if run.backtracks else ""
        sheet.add_legend(f"{run.name}: {len(path):,} of {len(board):,} squares{after}")
        is_left_out |= bool(len(left_out))
    if is_left_out:
        sheet.add_legend("not visited", square_mark("missing"))
    return sheet.finish()


def _draw_run(sheet: Sheet, path: Ints, left_out: Ints, is_closed: bool) -> None:
    """Draw the last path of a run, with its end if it leaves squares out."""
    sheet.fill("missing", left_out)
    moves = np.stack([path, np.roll(path, -1)], axis=1)
    draw_path(sheet, moves if is_closed else moves[:-1])
    sheet.draw_mark(START_MARK, path[:1])
    if len(left_out):
        sheet.draw_mark(END_MARK, path[-1:])


def endings(runs: Sequence[RecordedRun]) -> str:
    """Return how each search ended, in a phrase each."""
    return "; ".join(f"{run.name}: {run.ending}" for run in runs)


def replay_page(
    instance: Instance,
    runs: Sequence[RecordedRun],
    title: str | None = None,
    theme: Theme = Theme.AUTO,
) -> str:
    """Return a page that replays searches on one board side by side, step by step."""
    if title is None:
        names = " and ".join(run.name for run in runs)
        title = with_print_signs(f"{names} on {instance.board.title}")
    data = _runs_data(instance.board, instance.closed, runs)
    return html_page(title, f"{endings(runs)}.", _SCRIPTS, data, Look(theme=theme))
