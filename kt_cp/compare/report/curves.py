"""Curves of a comparison: solved runs by time and by ratio, time and effort by size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.compare.report.figures import (
    LINES,
    Plot,
    by_unit,
    legend,
    look,
    new_figure,
    panels_by_kind,
    plotted_effort,
)
from kt_cp.compare.report.statistics import grouped, quartiles, ratios_to_best, solved, steps
from kt_cp.compare.report.tables import by_method
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import Record
from kt_cp.compare.run.settings import KINDS
from kt_cp.errors import pluralize

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Style = dict[str, Any]


def cactus(log: Log) -> Iterator[Plot]:
    """Yield the plot of solved runs against time.

    M. Brain, J. H. Davenport, A. Griggio, Benchmarking Solvers, SAT-style, SC² 2017.
    """
    from matplotlib.ticker import MaxNLocator

    def draw(axes: Axes, records: Sequence[Record], style: Style) -> None:
        times, counts = steps(record.seconds_if_solved for record in records)
        axes.plot(counts, times, markevery=_marks(times), **style)

    def finish(axes: Axes, _: Sequence[Record]) -> None:
        axes.set(xlabel="runs solved", ylabel="time for each (seconds)", yscale="log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.axhline(log.settings.time_limit, color="0.5", linewidth=0.8)

    caption = (
        "Each method's runs, fastest first: how many are solved when each may take so long. Further"
        " right and lower is better; the grey line is the limit."
    )
    yield _plot(log, "cactus", "Cactus plot", caption, draw, finish)


def profile(log: Log) -> Iterator[Plot]:
    """Yield the plot of the share of instances solved within a factor of the best method's time.

    E. D. Dolan, J. J. Moré, Benchmarking optimization software with performance profiles,
    Mathematical Programming 91 (2002).
    """
    ratios = ratios_to_best(log.records)
    right = 1.5 * max(filter(math.isfinite, ratios.values()), default=2.0)

    def draw(axes: Axes, records: Sequence[Record], style: Style) -> None:
        values, counts = steps(ratios.get(record.run, math.inf) for record in records)
        shares = [0.0, *(count / len(records) for count in counts)]
        heights = [*shares, shares[-1]]
        axes.step(
            [1.0, *values, right], heights, where="post", markevery=(1, _marks(values)), **style
        )

    def finish(axes: Axes, _: Sequence[Record]) -> None:
        axes.set(xlabel="time / best method's time on the instance", xscale="log")
        axes.set(ylabel="share of instances solved", ylim=(-0.03, 1.03))

    caption = (
        "For each factor the share of its instances that a method solves within so many times the"
        " time of the best one (Dolan and Moré 2002): at 1 where it is the best itself, on the"
        " right how many it solves at all."
    )
    yield _plot(log, "profile", "Performance profile", caption, draw, finish)


def time_by_size(log: Log) -> Iterator[Plot]:
    """Yield the plot of the median time, with quartiles, against the number of squares."""
    limit = log.settings.time_limit

    def draw(axes: Axes, records: Sequence[Record], style: Style) -> None:
        _draw_sizes(axes, log, records, style, lambda r: min(limit, r.seconds_if_solved))

    def finish(axes: Axes, records: Sequence[Record]) -> None:
        axes.axhline(limit, color="0.5", linewidth=0.8)
        axes.set(xlabel="squares", ylabel="time (seconds)", xscale="log", yscale="log")
        _label_sizes(axes, records)

    caption = (
        "Median time with the quartiles. At the limit, the grey line, and hollow: more than half"
        " of the runs were not solved."
    )
    yield _plot(log, "time", "Time against size", caption, draw, finish)


def effort_by_size(log: Log) -> Iterator[Plot]:
    """Yield the plot of the median effort, with quartiles, with a panel for each unit."""
    units = by_unit(log.records)
    if not units:
        return
    figure, row = new_figure(log, "Effort against size", len(units))
    for axes, (unit, records) in zip(row, units.items(), strict=True):
        for kind, line in zip(KINDS, LINES, strict=False):
            of_kind = [record for record in records if record.run.kind == kind]
            for method, members in by_method(log, of_kind):
                style = {**look(log, method), "linestyle": line, "label": f"{method}, {kind}"}
                _draw_sizes(axes, log, members, style, plotted_effort)
        axes.set(xlabel="squares", ylabel=unit, xscale="log", yscale="log")
        axes.set_title(
            f"methods that count {unit}, {pluralize(len(records), 'run')}", size="medium"
        )
        _label_sizes(axes, records)
    legend(figure)
    yield Plot(
        "effort",
        figure,
        "Median effort with the quartiles, in the method's own unit. Hollow: more than half of"
        " the runs found no answer, so that it is a lower bound.",
    )


def _plot(
    log: Log,
    name: str,
    title: str,
    caption: str,
    draw: Callable[[Axes, Sequence[Record], Style], None],
    finish: Callable[[Axes, Sequence[Record]], None],
) -> Plot:
    """Return a plot with a panel for each kind, on which every method is drawn."""
    figure, panels = panels_by_kind(log, title)
    for axes, records in panels:
        for method, members in by_method(log, records):
            draw(axes, members, {**look(log, method), "label": method})
        finish(axes, records)
    legend(figure)
    return Plot(name, figure, caption)


def _marks(values: Sequence[float]) -> int:
    """Return the distance of markers, of which there is room for a dozen."""
    return 1 + len(values) // 12


def _draw_sizes(
    axes: Axes, log: Log, records: Sequence[Record], style: Style, value: Callable[[Record], float]
) -> None:
    """Draw medians with bars to the quartiles; hollow where the median run was not solved."""
    by_size = dict(sorted(grouped(records, lambda record: record.squares).items()))
    low, middle, high = np.array([quartiles(map(value, group)) for group in by_size.values()]).T
    # A little to the side, so that methods which all reach the limit do not hide one another.
    methods = log.settings.methods
    shift = 1.06 ** (methods.index(records[0].run.method) / len(methods))
    places = np.array(list(by_size)) * shift
    bars = np.maximum(np.stack([middle - low, high - middle]), 0)
    axes.errorbar(places, middle, yerr=bars, capsize=3, elinewidth=0.8, **style)
    hollow = [2 * solved(group) < len(group) for group in by_size.values()]
    unlabelled = {**style, "label": None, "linestyle": "", "markerfacecolor": "white"}
    axes.plot(places[hollow], middle[hollow], zorder=3, **unlabelled)


def _label_sizes(axes: Axes, records: Iterable[Record]) -> None:
    """Label the sizes that occur, as many as there is room for, as plain numbers."""
    from matplotlib.ticker import NullFormatter, NullLocator

    sizes = sorted({record.squares for record in records})
    sizes = sizes[:: 1 + len(sizes) // 10]
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
