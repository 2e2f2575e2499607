"""Pages that replay recorded runs and tours step by step, and pictures of the ends of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.draw.left_out import LEFT_OUT, mark_left_out
from kt_cp.draw.look import USUAL, Look, Style
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import END_MARK, START_MARK, Picture
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.tour import draw_path, explain_shades
from kt_cp.draw.wording import as_caption, with_print_signs
from kt_cp.messages import pluralize
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour

MAX_STEPS = 1_000_000
"""The largest number of visits and backtracks that a page replays."""

_SCRIPTS = (
    "elements.js",
    "player.js",
    "lists.js",
    "board-shape.js",
    "path-board.js",
    "search-run.js",
    "model-run.js",
    "replay.js",
)

_GAP = 1.2  # between two boards of a picture, in squares

Lines = list[list[int]]
"""Paths and cycles as lists of squares; a cycle ends with the square with which it begins."""


@dataclass(frozen=True)
class SearchRun:
    """A recorded search by the method ``name``.

    ``events`` are its visits in order; a backtrack from a square is ``~square``. ``found`` is True
    if it found a tour, and ``ending`` is a phrase on how it ended.
    """

    name: str
    events: list[int]
    found: bool
    ending: str

    @property
    def backtracks(self) -> int:
        """The number of backtracks."""
        return sum(event < 0 for event in self.events)

    @property
    def last_path(self) -> list[int]:
        """The path at the end of the search."""
        path: list[int] = []
        for event in self.events:
            if event < 0:
                path.pop()
            else:
                path.append(event)
        return path


@dataclass(frozen=True)
class ModelRun:
    """A recorded run of the model: a 2-factor, whose cycles are joined one by one.

    ``frames`` are the lines that are left after each join. The last frame is the tour; if there is
    no tour, there are no frames. The other fields are those of a `SearchRun`.
    """

    name: str
    frames: list[Lines]
    found: bool
    ending: str

    @property
    def last_path(self) -> list[int]:
        """The tour, or an empty list if there is none."""
        if not self.frames:
            return []
        [line] = self.frames[-1]
        is_cycle = len(line) > 1 and line[0] == line[-1]
        return line[:-1] if is_cycle else line


Run = SearchRun | ModelRun
"""A recorded run, as `kt_cp.compare.replay_recording` makes it."""


def tour_page(tour: Tour, look: Look = USUAL) -> str:
    """Return an HTML page that shows a tour step by step.

    The title is the summary of the tour unless the look has one. Raises `InputError` for a board
    too large for a page.
    """
    title, summary = look.title, f"{tour.summary}."
    if title is None:
        title, summary = as_caption(tour.summary), ""
    name = f"{tour.kind} tour"
    ending = "every square is visited"
    if tour.is_partial:
        words = tour.graph.vocabulary
        name = words.partial_tour(tour.closed)
        verb = "is" if len(tour) == 1 else "are"
        ending = f"{words.count_vertices(len(tour))} {verb} visited"
    run = SearchRun(name, tour.squares.tolist(), True, ending)
    data = {**_replay_data(tour.board, tour.closed, [run]), "tour": {"first": look.first}}
    return html_page(title, summary, _SCRIPTS, data, look)


def _replay_data(board: Board, closed: bool, runs: Sequence[Run]) -> dict[str, object]:
    """Return the data for the script ``replay.js``."""
    return {**board_data(board), "closed": closed, "runs": [_run_data(run) for run in runs]}


def _run_data(run: Run) -> dict[str, object]:
    """Return a run for the scripts ``search-run.js`` and ``model-run.js``."""
    kind = "search" if isinstance(run, SearchRun) else "model"
    return {"kind": kind, **asdict(run)}


def race_picture(instance: Instance, runs: Sequence[Run], look: Look = USUAL) -> Picture:
    """Return the picture of how runs ended: their last paths, and the squares not visited.

    Paths are drawn as lines where the ``look`` has the style of numbers.
    """
    if look.style is Style.NUMBERS:
        look = replace(look, style=Style.LINES)
    board = instance.board
    title = f"{instance.kind} {board.title}: {' and '.join(run.name for run in runs)}"
    sheet = Sheet(board, title, look)
    sides = ("left", "right") if len(runs) == 2 else ()
    has_missing = False
    for index, run in enumerate(runs):
        part = sheet
        if index > 0:
            part = sheet.beside(board, index * (board.columns + _GAP), 0)
        path = np.array(run.last_path, dtype=np.int64)
        missing = np.setdiff1d(board.squares, path)
        _draw_run(part, path, missing, is_closed=_is_closed(instance, run))
        summary = f"{run.name}: {_run_summary(run, len(path), len(board))}"
        sheet.add_legend(f"{sides[index]}, {summary}" if sides else summary)
        if len(missing):
            has_missing = True
    if has_missing:
        sheet.add_legend("not visited", LEFT_OUT)
    sheet.add_legend("start", START_MARK)
    sheet.add_legend("end", END_MARK)
    are_closed = [_is_closed(instance, run) for run in runs if run.last_path]
    explain_shades(sheet, has_closed=any(are_closed), has_open=not all(are_closed))
    return sheet.finish()


def _is_closed(instance: Instance, run: Run) -> bool:
    """Return whether the last path of a run is a closed tour."""
    return run.found and instance.closed


def _run_summary(run: Run, visited: int, total: int) -> str:
    """Return how many of the squares of a board a run visits, and after how many backtracks."""
    squares = f"{visited:,} of {total:,} squares"
    if isinstance(run, SearchRun) and run.backtracks:
        return f"{squares} after {pluralize(run.backtracks, 'backtrack')}"
    return squares


def _draw_run(sheet: Sheet, path: Ints, missing: Ints, is_closed: bool) -> None:
    """Draw the last path of a run with its ends, and mark the squares that are missing."""
    mark_left_out(sheet, missing, explained=False)
    moves = np.stack([path, np.roll(path, -1)], axis=1)
    if not is_closed:
        moves = moves[:-1]
    draw_path(sheet, moves, is_closed=is_closed)
    sheet.draw_mark(START_MARK, path[:1])
    if not is_closed:
        sheet.draw_mark(END_MARK, path[-1:])


def endings(runs: Sequence[Run]) -> str:
    """Return how each run ended, as phrases separated by semicolons."""
    return "; ".join(f"{run.name}: {run.ending}" for run in runs)


def replay_page(
    instance: Instance,
    runs: Sequence[Run],
    title: str | None = None,
    theme: Theme = Theme.AUTO,
) -> str:
    """Return an HTML page that replays runs on one board side by side, step by step.

    Raises `InputError` for a board too large for a page.
    """
    if title is None:
        names = " and ".join(run.name for run in runs)
        title = with_print_signs(f"{names} on {instance.board.title}")
    data = _replay_data(instance.board, instance.closed, runs)
    return html_page(title, f"{endings(runs)}.", _SCRIPTS, data, Look(theme=theme))
