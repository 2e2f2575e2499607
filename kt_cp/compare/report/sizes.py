"""Time and effort against the number of squares, on log axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.compare.report.figures import (
    LINES,
    Plot,
    by_method,
    legend,
    look,
    new_figure,
    panels_by_kind,
    plotted_effort,
)
from kt_cp.compare.report.statistics import grouped, quartiles
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import Record
from kt_cp.compare.run.settings import KINDS
from kt_cp.errors import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def time_by_size(log: Log) -> Iterator[Plot]:
    """Median time with quartiles, a panel for each kind."""
    figure, panels = panels_by_kind(log, "Time against size")
    limit = log.settings.time_limit
    for axes, records in panels:
        for method, members in by_method(log, records):
            _plot_sizes(axes, log, method, members, lambda r: r.seconds_if_solved, limit)
        axes.axhline(limit, color="0.5", linewidth=0.8)
        axes.set(xlabel="squares", ylabel="time (seconds)", xscale="log", yscale="log")
        _plain_sizes(axes, records)
    legend(figure)
    yield Plot(
        "time",
        figure,
        "Median time with the quartiles. At the limit, the grey line, and hollow: more than half"
        " of the runs were not solved.",
    )


def effort_by_size(log: Log) -> Iterator[Plot]:
    """Median effort with quartiles, a panel for each unit."""
    by_unit = grouped((r for r in log.records if r.effort), lambda r: r.effort and r.effort[0])
    if not by_unit:
        return
    figure, row = new_figure(log, "Effort against size", len(by_unit))
    for axes, (unit, records) in zip(row, by_unit.items(), strict=True):
        for kind, line in zip(KINDS, LINES, strict=False):
            of_kind = [record for record in records if record.run.kind == kind]
            for method, members in by_method(log, of_kind):
                label = f"{method}, {kind}"
                _plot_sizes(axes, log, method, members, plotted_effort, None, label, line)
        axes.set(xlabel="squares", ylabel=unit, xscale="log", yscale="log")
        axes.set_title(f"methods that count {unit}, {counted(len(records), 'run')}", size="medium")
        _plain_sizes(axes, records)
    legend(figure)
    yield Plot(
        "effort",
        figure,
        "Median effort with the quartiles, in the method's own unit. Hollow: more than half of"
        " the runs found no answer, so that it is a lower bound.",
    )


def _plot_sizes(
    axes: Axes,
    log: Log,
    method: str,
    records: Sequence[Record],
    value: Callable[[Record], float],
    ceiling: float | None,
    label: str | None = None,
    line: str | None = None,
) -> None:
    """Draw medians with bars to the quartiles; hollow where the median run was not solved."""
    sizes = sorted({record.squares for record in records})
    at_size = [[record for record in records if record.squares == size] for size in sizes]
    ends = np.array([quartiles(map(value, members)) for members in at_size])
    if ceiling is not None:
        ends = np.minimum(ends, ceiling)
    low, middle, high = ends.T
    style = look(log, method)
    if line:
        style["linestyle"] = line
    # A little to the side, so that methods which all reach the limit do not hide one another.
    methods = list(log.settings.methods)
    places = np.array(sizes) * 1.06 ** (methods.index(method) / len(methods))
    bars = np.maximum(np.stack([middle - low, high - middle]), 0)
    axes.errorbar(
        places, middle, yerr=bars, label=label or method, capsize=3, elinewidth=0.8, **style
    )
    hollow = [2 * sum(r.solved for r in members) < len(members) for members in at_size]
    axes.plot(
        places[hollow],
        middle[hollow],
        linestyle="",
        marker=style["marker"],
        color=style["color"],
        markerfacecolor="white",
        zorder=3,
    )


def _plain_sizes(axes: Axes, records: Iterable[Record]) -> None:
    """Label the sizes that occur, as many as there is room for, as plain numbers."""
    from matplotlib.ticker import NullFormatter, NullLocator

    sizes = sorted({record.squares for record in records})
    sizes = sizes[:: 1 + len(sizes) // 10]
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
