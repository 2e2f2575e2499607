"""The plots of a comparison, as matplotlib figures; matplotlib comes with the extra ``plot``.

Every method has its own line, marker and color, the same on all plots, so that they can be told
apart in black and white. Every figure says how many runs it shows and under which limit.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.compare.log import Log
from kt_cp.compare.records import Record
from kt_cp.compare.settings import KINDS
from kt_cp.compare.tables import (
    by_method,
    grouped,
    quartiles,
    ratios_to_best,
    solved,
    steps,
    supported,
)
from kt_cp.errors import pluralize
from kt_cp.files import require_matplotlib, whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Plot(NamedTuple):
    """A figure, the name of its file, its title and a caption."""

    name: str
    title: str
    caption: str
    figure: Any = None


LINES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "X", "P", "<", ">", "*", "h", "d")
# Okabe and Ito's palette, without its yellow: told apart by color-blind eyes, dark on white.
_COLORS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")

_MOST_LABELS = 8

# The salt: the same figure gives the same file.
STYLE: Any = {
    "svg.hashsalt": "kt",
    "axes.grid": True,
    "grid.color": "0.85",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.markersize": 5,
}


Style = dict[str, Any]
Draw = Callable[["Axes", Sequence[Record], Style], None]
Finish = Callable[["Axes", Sequence[Record]], None]


def cactus(log: Log) -> Plot:
    """Return the plot of solved runs against time.

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
        "Each method's runs, fastest first: how many are solved within each time. Further"
        " right and lower is better; the gray line is the limit."
    )
    return _plot(log, Plot("cactus", "Cactus plot", caption), draw, finish)


def profile(log: Log) -> Plot:
    """Return the plot of the share of instances solved within a factor of the best method's time.

    E. D. Dolan, J. J. Moré, Benchmarking optimization software with performance profiles,
    Mathematical Programming 91 (2002).
    """
    ratios = ratios_to_best(log.records)
    right = 1.5 * max(filter(math.isfinite, ratios.values()), default=2.0)

    def draw(axes: Axes, records: Sequence[Record], style: Style) -> None:
        values, counts = steps(ratios.get(record.run, math.inf) for record in records)
        shares = [0.0, *(count / len(records) for count in counts)]
        marks = (1, _marks(values))
        axes.step(
            [1.0, *values, right], [*shares, shares[-1]], where="post", markevery=marks, **style
        )

    def finish(axes: Axes, _: Sequence[Record]) -> None:
        axes.set(xlabel="time / best method's time on the instance", xscale="log")
        axes.set(ylabel="share of instances solved", ylim=(-0.03, 1.03))

    caption = (
        "For each factor the share of its instances that a method solves within that many times the"
        " time of the best one (Dolan and Moré 2002): at 1 where it is the best itself, on the"
        " right how many it solves at all."
    )
    return _plot(log, Plot("profile", "Performance profile", caption), draw, finish)


def time_by_size(log: Log) -> Plot:
    """Return the plot of the median time, with quartiles, against the number of squares."""
    limit = log.settings.time_limit

    def draw(axes: Axes, records: Sequence[Record], style: Style) -> None:
        _draw_sizes(axes, log, records, style, lambda r: min(limit, r.seconds_if_solved))

    def finish(axes: Axes, records: Sequence[Record]) -> None:
        axes.axhline(limit, color="0.5", linewidth=0.8)
        _label_sizes(axes, records, "time (seconds)")

    caption = (
        "Median time with the quartiles. At the limit, the gray line, and hollow: more than half"
        " of the runs were not solved."
    )
    return _plot(log, Plot("time", "Time against size", caption), draw, finish)


def effort_by_size(log: Log) -> Plot:
    """Return the plot of the median effort, with quartiles, with a panel for each kind and unit."""

    def draw(axes: Axes, records: Sequence[Record], style: Style) -> None:
        # At least 1, as log axes have no 0.
        _draw_sizes(axes, log, records, style, lambda r: max(1, r.effort[1]) if r.effort else None)

    def finish(axes: Axes, records: Sequence[Record]) -> None:
        _label_sizes(axes, records, records[0].effort[0] if records[0].effort else "")

    caption = (
        "Median effort with the quartiles, in the method's own unit. Hollow: more than half of"
        " the runs found no answer, so that it is a lower bound."
    )
    known = [record for record in log.records if record.effort]
    plot = Plot("effort", "Effort against size", caption)
    return _plot(log, plot, draw, finish, known, lambda record: (record.effort or ("",))[0])


def _plot(
    log: Log,
    plot: Plot,
    draw: Draw,
    finish: Finish,
    records: Iterable[Record] | None = None,
    unit: Callable[[Record], str] = lambda record: "",
) -> Plot:
    """Return a plot with a panel for each kind and unit, on which every method is drawn.

    Its title ends with the number of runs and their limit.
    """
    from matplotlib.figure import Figure

    shown = supported(log.records) if records is None else records
    panels = grouped(shown, lambda record: (-KINDS.index(record.run.kind), unit(record)))
    columns, rows = min(2, max(1, len(panels))), -(-max(1, len(panels)) // 2)
    figure = Figure(figsize=(max(6.0, 5.0 * columns), 4.4 * rows), layout="constrained")
    number = pluralize(len(log.records), "run")
    figure.suptitle(f"{plot.title}: {number}, limit {log.settings.time_limit:g} s each")
    row = figure.subplots(rows, columns, squeeze=False, sharey=records is None).ravel().tolist()
    for axes, (_, members) in zip(row, sorted(panels.items(), reverse=True), strict=False):
        kind, runs = members[0].run.kind, pluralize(len(members), "run")
        axes.set_title(f"{kind} tours, {runs}", fontsize="medium")
        for method, its_own in by_method(log, members):
            draw(axes, its_own, {**look(log, method), "label": method})
        finish(axes, members)
    for unused in row[len(panels) :]:
        unused.remove()
    legend(figure)
    return plot._replace(figure=figure)


def legend(figure: Figure) -> None:
    """Add a legend below all panels, where it hides no line, which names every line once."""
    entries: dict[Any, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    columns = min(4, len(entries))
    figure.legend(list(entries.values()), list(entries), loc="outside lower center", ncols=columns)


def look(log: Log, method: str) -> dict[str, Any]:
    """Return the line, marker and color of a method, the same on every plot of a comparison."""
    place = list(log.settings.methods).index(method)
    return {
        "linestyle": LINES[place % len(LINES)],
        "marker": _MARKERS[place % len(_MARKERS)],
        "color": _COLORS[place % len(_COLORS)],
    }


def render(figure: Figure, suffix: str) -> bytes:
    """Return a figure as the content of an SVG or PNG file."""
    import matplotlib

    buffer = io.BytesIO()
    metadata = {"Date": None} if suffix == "svg" else None
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format=suffix, dpi=150, metadata=metadata)
    return buffer.getvalue()


def _marks(values: Sequence[float]) -> int:
    """Return the distance of markers, of which there is room for a dozen."""
    return 1 + len(values) // 12


def _draw_sizes(
    axes: Axes,
    log: Log,
    records: Sequence[Record],
    style: Style,
    value: Callable[[Record], float | None],
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
    unlabeled = {**style, "label": None, "linestyle": "", "markerfacecolor": "white"}
    axes.plot(places[hollow], middle[hollow], zorder=3, **unlabeled)


def _label_sizes(axes: Axes, records: Iterable[Record], what: str) -> None:
    """Label the sizes that occur, as many as there is room for, as plain numbers."""
    from matplotlib.ticker import NullFormatter, NullLocator

    sizes = sorted({record.squares for record in records})
    apart = (sizes[-1] / sizes[0]) ** (1 / _MOST_LABELS)
    labels = [sizes[0]]
    for size in sizes:
        if size >= labels[-1] * apart and size != labels[-1]:
            labels.append(size)
    axes.set(xlabel="squares", ylabel=what, xscale="log", yscale="log")
    axes.set_xticks(labels, [f"{size:,}" for size in labels])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def all_plots(log: Log) -> Iterator[Plot]:
    """Yield the plots that the records allow, one after the other.

    Raises `InputError` when matplotlib is not installed.
    """
    require_matplotlib("plots")
    import matplotlib

    for make in (cactus, profile, time_by_size, effort_by_size):
        with matplotlib.rc_context(STYLE):
            plot = make(log)
        if plot.figure.axes:
            yield plot


def write_plots(log: Log, folder: str | Path, suffix: str = "svg") -> list[Path]:
    """Write every plot to a folder, as SVG or PNG files, and return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for plot in all_plots(log):
        path = folder / f"{plot.name}.{suffix}"
        with whole_file(path) as file:
            file.write(render(plot.figure, suffix))
        paths.append(path)
    return paths
