"""Heat maps: the effort of the methods by start square."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.board import Board
from kt_cp.board.square_names import chess_name
from kt_cp.compare.report.figures import Plot, by_unit, new_figure, plotted_effort
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
    records = [record for record in supported(log.records) if record.run.start is not None]
    asked = grouped(records, lambda record: (record.run.board, record.run.kind))
    for (name, board), kind in itertools.product(log.settings.boards.items(), KINDS):
        members = asked.get((name, kind), [])
        if board.area <= _MAX_AREA and len({record.run.start for record in members}) > 1:
            yield _heat_map(log, name, kind, members)


def _heat_map(log: Log, name: str, kind: str, records: Sequence[Record]) -> Plot:
    from matplotlib.colors import LogNorm

    board = log.settings.boards[name]
    methods = by_method(log, records)
    shown = name.replace("$", r"\$")  # no formula
    title = f"Effort by start square, {kind} tours of {shown}"
    figure, row = new_figure(log, title, len(methods), len(records), width=3.2, height=3.9)
    # The same shade means the same effort on all panels with the same unit.
    norms = {unit: LogNorm(*_decades(group)) for unit, group in by_unit(records).items()}
    for axes, (method, members) in zip(row, methods, strict=True):
        unit = next(iter(by_unit(members)), None)
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
        _mark_squares(axes, board, by_start, norm(effort))
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


def _decades(records: Sequence[Record]) -> tuple[float, float]:
    """Return the powers of ten around the efforts."""
    exponents = [math.log10(plotted_effort(record)) for record in records]
    low = math.floor(min(exponents))
    return 10.0**low, 10.0 ** max(low + 1, math.ceil(max(exponents)))


def _mark_squares(axes: Axes, board: Board, by_start: dict[int, list[Record]], shade: Any) -> None:
    """Mark the holes, and the starts from which not every run found a tour."""
    for hole in board.holes:
        axes.text(hole % board.columns, hole // board.columns, "#", ha="center", va="center")
    for start, records in by_start.items():
        if solved(records) < len(records):
            marker = "." if solved(records) else "x"
        elif any(record.validated for record in records):
            continue
        else:
            marker = "_"
        colour = "white" if shade[start] > 0.5 else "black"
        axes.plot(start % board.columns, start // board.columns, marker=marker, color=colour)


def _name_squares(axes: Axes, board: Board) -> None:
    """Write files and ranks as on a chessboard, as far as there is room."""
    places = range(0, board.columns, 1 + board.columns // 12)
    axes.set_xticks(places, [chess_name(board, file).rstrip("0123456789") for file in places])
    places = range(0, board.rows, 1 + board.rows // 12)
    axes.set_yticks(places, [str(board.rows - row) for row in places])
