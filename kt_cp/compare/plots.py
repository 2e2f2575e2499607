"""The plots of a comparison, by matplotlib (extra ``plot``).

Every method has its own line, marker and color, the same on all plots, so that they can be told
apart in black and white. Every panel says how many runs it shows and under which limit.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.compare.records import Record
from kt_cp.compare.results import Results, by_kind, grouped, quartiles, supported_records
from kt_cp.files import import_optional, write_atomically
from kt_cp.messages import pluralize

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kt_cp.board import Board


STYLE: Any = {
    "font.size": 12.5,  # points: 12 pixels where a panel is 358 pixels wide, as on a phone
    "svg.hashsalt": "kt",  # a fixed salt, so that the same figure gives the same file
    "axes.grid": True,
    "grid.color": "0.85",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": "medium",
    "axes.titlepad": 10,
    "figure.titlesize": "medium",
    "figure.titleweight": "bold",
    "figure.constrained_layout.h_pad": 0.1,
    "legend.frameon": False,
    "lines.linewidth": 1.7,
    "lines.markersize": 5,
}
"""The settings of matplotlib for plots."""

_LINE_STYLES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "X", "P", "<", ">", "*", "h", "d")
# Okabe and Ito's palette for color-blind readers, with violet and brown in place of black, which is
# for text, and of yellow, which is too light on white.
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#8c6d31")

# Swaps light and dark, and turns the colors back to their hues.
_DARK_STYLE = b"""<style>
@media (prefers-color-scheme: dark) { svg { filter: invert(.91) hue-rotate(180deg); } }
</style>
"""

PANEL_SIZE = (5.2, 3.4)
"""The width and height of a panel in inches: narrow, so that it can be read on a phone too."""

# How boards with holes are drawn beside full ones: hollow marks that no line joins.
_APART = {"linestyle": "none", "markerfacecolor": "none", "label": "_nolegend_"}

_SHIFT = 0.04  # of the last method to the right, as a share of the width of an axis

_HEADROOM = 1.5  # times the limit: how far an axis of seconds reaches

# The width of a digit, as a share of the width of an axis.
_DIGIT_WIDTH = 0.0375

# In inches: a letter of a legend, and the line and the blanks before a name.
_LETTER_WIDTH, _LEGEND_LINE = 0.1, 0.65


class Plot(NamedTuple):
    """A figure, the name of its file and a caption."""

    name: str
    caption: str
    figure: Any


def all_plots(results: Results) -> Iterator[Plot]:
    """Yield the plots that the records allow, one after the other.

    Raises `InputError` when matplotlib is not installed.
    """
    import_optional("matplotlib", "plots", "pip install 'knights-tours[plot]'")
    import matplotlib

    if not supported_records(results.records):
        return
    for make in (cactus, time_by_size):
        with matplotlib.rc_context(STYLE):
            plot = make(results)
        yield plot


def write_plots(results: Results, folder: str | Path) -> list[Path]:
    """Write every plot to a folder, as SVG files, and return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for plot in all_plots(results):
        path = folder / f"{plot.name}.svg"
        with write_atomically(path) as file:
            file.write(render(plot.figure))
        paths.append(path)
    return paths


def render(figure: Figure) -> bytes:
    """Return a figure as the content of an SVG file, which follows the reader's dark mode."""
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    head, tag, rest = buffer.getvalue().partition(b"<defs>")
    return head + _DARK_STYLE + tag + rest


def cactus(results: Results) -> Plot:
    """Return the plot of solved runs against time.

    M. Brain, J. H. Davenport, A. Griggio, Benchmarking Solvers, SAT-style, SC² 2017.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    def draw(axes: Axes, records: Sequence[Record]) -> None:
        """Draw the times of the solved runs of each method, ascending."""
        for method, runs in results.by_method(records).items():
            times = sorted(record.seconds for record in runs if record.solved)
            marked_every = 1 + len(times) // 12
            style = _method_style(results, method)
            axes.plot(range(1, len(times) + 1), times, markevery=marked_every, **style)
        unsolved = [
            method
            for method, runs in results.by_method(records).items()
            if not any(record.solved for record in runs)
        ]
        if unsolved:
            axes.set_title(f"{axes.get_title()}\nnot one solved by {', '.join(unsolved)}")
        axes.set(xlabel="runs solved", ylabel="time for each", yscale="log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))

    figure = Figure(layout="constrained")
    _draw_panels(figure, results, "Runs solved within a time", draw)
    caption = (
        "A cactus plot: each method's runs, fastest first, and the time of each. Further right and"
        " lower is better."
    )
    return Plot("cactus", caption, figure)


def time_by_size(results: Results) -> Plot:
    """Return the plot of the median time, with quartiles, against the number of squares.

    Sizes of boards with holes are not joined to those of full ones, which may be far easier.
    """
    from matplotlib.figure import Figure

    methods, limit = list(results.settings.methods), results.settings.time_limit

    def draw(axes: Axes, records: Sequence[Record]) -> None:
        """Draw the median and the quartiles of each method by size."""
        axes.set(xscale="log", yscale="log")
        squares = [record.squares for record in records]
        # A little to the side, so that methods which reach the limit do not hide one another.
        shift = (max(squares) / min(squares)) ** _SHIFT
        full = [record for record in records if not _board_of(results, record).holes]
        with_holes = [record for record in records if _board_of(results, record).holes]
        for group, look in ((full, {}), (with_holes, _APART if full else {})):
            for method, runs in results.by_method(group).items():
                factor = shift ** (methods.index(method) / len(methods))
                style = _method_style(results, method) | look
                _draw_quartiles(axes, runs, factor, limit, style)
        axes.set(xlabel="squares", ylabel="time")
        if min(squares) == max(squares):  # which would leave the axis without a width
            axes.set_xlim(squares[0] / 2, squares[0] * 2)
        mark_sizes(axes, squares, preferred={record.squares for record in full})

    figure = Figure(layout="constrained")
    _draw_panels(figure, results, "Time by the size of the board", draw)
    caption = (
        "Median time, with the quartiles of several runs. At the limit: more than half of the runs"
        " were not solved. Hollow: boards with holes, beside full ones."
    )
    return Plot("time", caption, figure)


def _draw_quartiles(
    axes: Axes, runs: Sequence[Record], factor: float, limit: float, style: Mapping[str, Any]
) -> None:
    """Draw the median and the quartiles of runs by size, at the sizes multiplied by a factor.

    Times beyond the limit are drawn at it. Where each size has one run, there are no quartiles.
    """
    by_size = grouped(sorted(runs, key=lambda r: r.squares), lambda r: r.squares)
    times = [quartiles(r.seconds_if_solved for r in group) for group in by_size.values()]
    low, middle, high = np.minimum(times, limit).T
    sizes = np.array(list(by_size)) * factor
    if all(len(group) == 1 for group in by_size.values()):
        axes.plot(sizes, middle, **style)
        return
    bars = np.stack([middle - low, high - middle])
    axes.errorbar(sizes, middle, yerr=bars, capsize=3, elinewidth=0.8, **style)


def _board_of(results: Results, record: Record) -> Board:
    """Return the board of a run."""
    return results.settings.boards[record.run.board]


def mark_sizes(axes: Axes, squares: Iterable[int], preferred: Container[int] = ()) -> None:
    """Mark sizes of boards on a logarithmic axis: the preferred ones where there is no room."""
    from matplotlib.ticker import FixedLocator, NullLocator

    axes.xaxis.set_major_locator(FixedLocator(_marked_sizes(squares, preferred)))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_locator(NullLocator())


def _marked_sizes(squares: Iterable[int], preferred: Container[int]) -> list[int]:
    """Return the sizes to mark on a logarithmic axis: all but those that would overlap others.

    The ``preferred`` sizes come before all others, and smaller ones before larger ones.

    >>> _marked_sizes([36, 25, 36, 64, 63], preferred=[])
    [25, 36, 63]
    >>> _marked_sizes([36, 25, 36, 64, 63], preferred=[64])
    [25, 36, 64]
    """
    sizes = sorted(set(squares))
    room = _DIGIT_WIDTH * len(f"{sizes[-1]:,}")
    apart = (sizes[-1] / sizes[0]) ** room
    marked: list[int] = []
    for size in sorted(sizes, key=lambda size: (size not in preferred, size)):
        if all(max(size, other) >= min(size, other) * apart for other in marked):
            marked.append(size)
    return sorted(marked)


def _draw_panels(
    figure: Figure,
    results: Results,
    title: str,
    draw: Callable[[Axes, Sequence[Record]], None],
) -> None:
    """Draw a panel for each kind of tour, one below the other, and one legend for all of them.

    ``draw`` draws the records of a kind into a panel.
    """
    limit = results.settings.time_limit
    figure.suptitle(title)
    supported = supported_records(results.records)
    lowest = _decade_below(record.seconds for record in supported)
    groups = by_kind(supported)
    width, height = PANEL_SIZE
    figure.set_size_inches(width, 1.2 + height * len(groups))
    panels = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    labels: dict[str, Any] = {}
    for axes, (kind, records) in zip(panels, groups.items(), strict=True):
        axes.set_title(f"{kind} tours, {pluralize(len(records), 'run')}")
        axes.axhline(limit, color="0.5", linewidth=0.8)
        draw(axes, records)
        axes.set_ylim(lowest, limit * _HEADROOM)
        axes.yaxis.set_major_formatter(lambda seconds, _: _time_label(seconds))
        _note(axes, limit, f"limit\n{limit:g} s")
        axes.label_outer()
        handles, names = axes.get_legend_handles_labels()
        labels |= dict(zip(names, handles, strict=True))
    methods = [method for method in results.settings.methods if method in labels]
    figure.legend(
        [labels[method] for method in methods],
        methods,
        loc="outside lower center",
        ncols=_legend_columns(methods),
    )


def _decade_below(times: Iterable[float]) -> float:
    """Return the greatest power of ten that no time is below, so that an axis has a label there.

    >>> _decade_below([0.0042, 0.9]), _decade_below([0.01])
    (0.001, 0.01)
    """
    least = min((seconds for seconds in times if seconds > 0), default=1.0)
    return float(10.0 ** math.floor(math.log10(least)))


def _time_label(seconds: float) -> str:
    """Return the label of a time on an axis, rounded to a thousandth of its unit.

    >>> [_time_label(seconds) for seconds in (0.001, 0.1, 1.0, 100.0)]
    ['1 ms', '100 ms', '1 s', '100 s']
    """
    if seconds >= 1:
        return f"{seconds:g} s"
    return f"{round(1000 * seconds, 3):g} ms"


def _note(axes: Axes, y: float, text: str) -> None:
    """Write a note in gray at the right of a panel, beside a value of its vertical axis."""
    axes.annotate(
        text,
        (1, y),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0),
        textcoords="offset points",
        ha="left",
        va="center",
        fontsize="small",
        color="0.4",
    )


def _legend_columns(names: Sequence[str]) -> int:
    """Return the number of columns of a legend, with no entry alone in the last row if possible.

    >>> _legend_columns(["circuit", "dfs", "cuts", "auto"]), _legend_columns(["most-available"] * 4)
    (2, 2)
    """
    entry = _LEGEND_LINE + _LETTER_WIDTH * max(map(len, names))
    fitting = max(1, int(PANEL_SIZE[0] / entry))
    for columns in (4, 3, 2):
        if columns <= fitting and len(names) % columns != 1:
            return columns
    return min(3, fitting)


def _method_style(results: Results, method: str) -> dict[str, Any]:
    """Return the label, line, marker and color of a method, which are the same on every plot."""
    return line_style(list(results.settings.methods).index(method), method)


def line_style(number: int, label: str) -> dict[str, Any]:
    """Return the label, line, marker and color of the line with a number, from 0."""
    return {
        "label": label,
        "linestyle": _LINE_STYLES[number % len(_LINE_STYLES)],
        "marker": _MARKERS[number % len(_MARKERS)],
        "color": _COLORS[number % len(_COLORS)],
    }
