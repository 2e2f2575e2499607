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
    """A figure, the name of its file, and a caption."""

    name: str
    figure: Figure
    caption: str


LINES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "X", "P", "<", ">", "*", "h", "d")
# Okabe and Ito's palette, without its yellow: told apart by color-blind eyes, dark on white.
_COLOURS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")

# The salt: the same figure gives the same file.
STYLE: Any = {
    "svg.hashsalt": "kt",
    "axes.grid": True,
    "grid.color": "0.85",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.markersize": 5,
}


def plotted_effort(record: Record) -> float:
    """Return the effort of a run, at least 1, as log axes have no 0; NaN if none is known."""
    return max(1.0, record.effort[1]) if record.effort else math.nan


def panels_by_kind(log: Log, title: str) -> tuple[Figure, Iterator[tuple[Axes, list[Record]]]]:
    """Return a figure with one panel for each kind of tour that was asked for."""
    by_kind = grouped(supported(log.records), lambda record: record.run.kind)
    kinds = [kind for kind in KINDS if kind in by_kind]
    figure, row = new_figure(log, title, len(kinds), sharey=True)
    for axes, kind in zip(row, kinds, strict=True):
        axes.set_title(f"{kind} tours, {pluralize(len(by_kind[kind]), 'run')}", fontsize="medium")
    return figure, zip(row, (by_kind[kind] for kind in kinds), strict=True)


def new_figure(
    log: Log,
    title: str,
    panels: int,
    sharey: bool = False,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a number of panels; its title ends with the runs and their limit."""
    from matplotlib.figure import Figure

    columns = min(2, max(1, panels))
    rows = -(-max(1, panels) // columns)
    figure = Figure(figsize=(max(6.0, 5.0 * columns), 4.4 * rows), layout="constrained")
    number = pluralize(len(log.records), "run")
    figure.suptitle(f"{title}: {number}, limit {log.settings.time_limit:g} s each")
    all_axes = figure.subplots(rows, columns, squeeze=False, sharey=sharey).ravel().tolist()
    for unused in all_axes[panels:]:
        unused.remove()
    return figure, all_axes[:panels]


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
        "color": _COLOURS[place % len(_COLOURS)],
    }


def render(figure: Figure, suffix: str) -> bytes:
    """Return a figure as the content of an SVG or PNG file."""
    import matplotlib

    buffer = io.BytesIO()
    metadata = {"Date": None} if suffix == "svg" else None
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format=suffix, dpi=150, metadata=metadata)
    return buffer.getvalue()


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
        "Each method's runs, fastest first: how many are solved within each time. Further"
        " right and lower is better; the gray line is the limit."
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
        "For each factor the share of its instances that a method solves within that many times the"
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
        "Median time with the quartiles. At the limit, the gray line, and hollow: more than half"
        " of the runs were not solved."
    )
    yield _plot(log, "time", "Time against size", caption, draw, finish)


def effort_by_size(log: Log) -> Iterator[Plot]:
    """Yield the plot of the median effort, with quartiles, with a panel for each kind and unit."""
    units = grouped(
        (record for record in log.records if record.effort),
        lambda record: (record.run.kind, record.effort[0] if record.effort else ""),
    )
    if not units:
        return
    figure, row = new_figure(log, "Effort against size", len(units))
    for axes, ((kind, unit), records) in zip(row, sorted(units.items(), reverse=True), strict=True):
        for method, members in by_method(log, records):
            style = {**look(log, method), "label": method}
            _draw_sizes(axes, log, members, style, plotted_effort)
        axes.set(xlabel="squares", ylabel=unit, xscale="log", yscale="log")
        axes.set_title(f"{kind} tours, {pluralize(len(records), 'run')}", size="medium")
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


def all_plots(log: Log) -> Iterator[Plot]:
    """Yield the plots that the records allow, one after the other.

    Raises `InputError` when matplotlib is not installed.
    """
    require_matplotlib("plots")
    import matplotlib

    for make in (cactus, profile, time_by_size, effort_by_size):
        with matplotlib.rc_context(STYLE):
            plots = list(make(log))
        yield from plots


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
