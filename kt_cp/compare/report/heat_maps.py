"""Heat maps: the effort of the methods by start square."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.board import Board
from kt_cp.board.square_names import chess_name
from kt_cp.compare.report.figures import Plot, new_figure, plotted_effort
from kt_cp.compare.report.statistics import grouped, median, solved, supported
from kt_cp.compare.report.tables import by_method
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import Record
from kt_cp.compare.run.settings import KINDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_AREA = 10_000


def heat_maps(log: Log) -> Iterator[Plot]:
    """Yield a heat map for each board, if it is not too large, and kind with several starts."""
    boards = grouped(
        (record for record in supported(log.records) if record.run.start is not None),
        lambda record: (record.run.board, record.run.kind),
    )
    for name, kind in itertools.product(log.settings.boards, KINDS):
        records = boards.get((name, kind), [])
        small = log.settings.boards[name].area <= _MAX_AREA
        if small and len({record.run.start for record in records}) > 1:
            yield _heat_map(log, name, kind, records)


def _heat_map(log: Log, name: str, kind: str, records: Sequence[Record]) -> Plot:
    from matplotlib.colors import LogNorm

    board = log.settings.boards[name]
    methods = by_method(log, records)
    shown = name.replace("$", r"\$")  # no formula
    title = f"Effort by start square, {kind} tours of {shown}"
    figure, row = new_figure(log, title, len(methods), len(records), width=3.2, height=3.9)
    # The same shade means the same effort on all panels with the same unit.
    norms = {unit: LogNorm(*_decades(values)) for unit, values in _efforts(records).items()}
    for axes, (method, members) in zip(row, methods, strict=True):
        unit = next(iter(_efforts(members)), None)
        norm = norms[unit] if unit else LogNorm(1, 10)
        by_start = grouped(members, lambda record: record.run.start or 0)
        effort = np.full(board.area, np.nan)
        for start, there in by_start.items():
            effort[start] = median(map(plotted_effort, there))
        image = axes.imshow(effort.reshape(board.rows, board.columns), cmap="Greys", norm=norm)
        axes.set_title(f"{method}\n{solved(members)} of {len(members)} runs solved", size="medium")
        axes.grid(False)
        axes.patch.set_hatch("///")  # where there is no run
        _name_squares(axes, board)
        _mark_starts(axes, board, by_start, norm(effort))
        if unit:
            bar = figure.colorbar(image, ax=axes, orientation="horizontal", shrink=0.9)
            bar.set_label(f"{unit}, median")
    plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in name)[-80:]
    return Plot(
        f"starts-{plain}-{kind}",
        figure,
        "The darker a square, the more effort a search that starts there takes. A cross: no run"
        " from there was answered; a dot: some were not; a bar: there is no tour from there,"
        " proven.",
    )


def _efforts(records: Iterable[Record]) -> dict[str, list[float]]:
    """Return the efforts of all records by unit."""
    efforts: dict[str, list[float]] = {}
    for record in records:
        if record.effort:
            efforts.setdefault(record.effort[0], []).append(plotted_effort(record))
    return efforts


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """Return the powers of ten around the values."""
    low = math.floor(math.log10(min(values)))
    return 10.0**low, 10.0 ** max(low + 1, math.ceil(math.log10(max(values))))


def _mark_starts(axes: Axes, board: Board, by_start: dict[int, list[Record]], shade: Any) -> None:
    """Mark the holes, and the starts from which not every run found a tour."""
    marks: dict[tuple[str, str], list[int]] = {}
    for start, there in by_start.items():
        if marker := _start_marker(there):
            colour = "white" if shade[start] > 0.5 else "black"
            marks.setdefault((marker, colour), []).append(start)
    for (marker, colour), starts in marks.items():
        rows, columns = np.divmod(starts, board.columns)
        axes.plot(columns, rows, marker=marker, color=colour, linestyle="")
    for hole in board.holes:
        row, column = divmod(hole, board.columns)
        axes.text(column, row, "#", ha="center", va="center")


def _start_marker(records: Sequence[Record]) -> str | None:
    if not solved(records):
        return "x"
    if solved(records) < len(records):
        return "."
    return None if any(record.validated for record in records) else "_"


def _name_squares(axes: Axes, board: Board) -> None:
    """Write files and ranks as on a chessboard, as far as there is room."""
    places = np.arange(0, board.columns, 1 + board.columns // 12)
    files = [chess_name(board, int(column)).rstrip("0123456789") for column in places]
    axes.set_xticks(places, files)
    places = np.arange(0, board.rows, 1 + board.rows // 12)
    axes.set_yticks(places, [str(board.rows - row) for row in places])
