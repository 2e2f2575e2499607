"""The plots of a comparison, and its page of HTML, which stands alone.

Plots are matplotlib figures; matplotlib comes with the extra ``plot``. Every method has its own
line, marker and color, the same on all plots, so that they can be told apart in black and white.
Every figure says how many runs it shows and under which limit.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.compare.log import Log
from kt_cp.compare.records import Record, RunStatus
from kt_cp.compare.settings import KINDS
from kt_cp.compare.tables import (
    all_tables,
    by_method,
    grouped,
    notes,
    quartiles,
    solved,
    summary,
    supported,
    table_lines,
)
from kt_cp.errors import pluralize
from kt_cp.files import optional, whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Plot(NamedTuple):
    """A figure, the name of its file and a caption."""

    name: str
    caption: str
    figure: Any


_LINES = ("-", "--", "-.", ":")
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


def all_plots(log: Log) -> Iterator[Plot]:
    """Yield the plots that the records allow, one after the other.

    Raises `InputError` when matplotlib is not installed.
    """
    optional("matplotlib", "plots", "pip install 'knights-tours[plot]'")
    import matplotlib

    for make in (cactus, time_by_size):
        with matplotlib.rc_context(STYLE):
            plot = make(log)
        if plot.figure.axes:
            yield plot


def write_plots(log: Log, folder: str | Path) -> list[Path]:
    """Write every plot to a folder, as SVG files, and return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for plot in all_plots(log):
        path = folder / f"{plot.name}.svg"
        with whole_file(path) as file:
            file.write(render(plot.figure))
        paths.append(path)
    return paths


def render(figure: Figure) -> bytes:
    """Return a figure as the content of an SVG file."""
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def cactus(log: Log) -> Plot:
    """Return the plot of solved runs against time.

    M. Brain, J. H. Davenport, A. Griggio, Benchmarking Solvers, SAT-style, SC² 2017.
    """
    from matplotlib.ticker import MaxNLocator

    figure, panels = _panels(log, "Cactus plot")
    for axes, records in panels:
        for method, runs in by_method(log, records).items():
            times = sorted(record.seconds for record in runs if record.solved)
            numbers, apart = range(1, len(times) + 1), 1 + len(times) // 12
            axes.plot(numbers, times, markevery=apart, **_look(log, method))
        axes.set(xlabel="runs solved", ylabel="time for each (seconds)", yscale="log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.axhline(log.settings.time_limit, color="0.5", linewidth=0.8)
    _add_legend(figure)
    caption = (
        "Each method's runs, fastest first: how many are solved within each time. Further"
        " right and lower is better; the gray line is the limit."
    )
    return Plot("cactus", caption, figure)


def time_by_size(log: Log) -> Plot:
    """Return the plot of the median time, with quartiles, against the number of squares."""
    limit = log.settings.time_limit
    figure, panels = _panels(log, "Time against size")
    for axes, records in panels:
        _draw_sizes(axes, log, records)
        axes.axhline(limit, color="0.5", linewidth=0.8)
    _add_legend(figure)
    caption = (
        "Median time with the quartiles. At the limit, the gray line, and hollow: more than half"
        " of the runs were not solved."
    )
    return Plot("time", caption, figure)


def _panels(log: Log, title: str) -> tuple[Figure, list[tuple[Axes, list[Record]]]]:
    """Return a figure with a panel for each kind of tour, and the panels with their records."""
    from matplotlib.figure import Figure

    by_kind = grouped(supported(log.records), lambda record: record.run.kind)
    kinds = [kind for kind in KINDS if kind in by_kind]
    figure = Figure(figsize=(max(6.0, 5.0 * len(kinds)), 4.4), layout="constrained")
    number, limit = pluralize(len(log.records), "run"), log.settings.time_limit
    figure.suptitle(f"{title}: {number}, limit {limit:g} s each")
    panels: list[tuple[Axes, list[Record]]] = []
    for place, kind in enumerate(kinds, start=1):
        axes = figure.add_subplot(1, len(kinds), place, sharey=panels[0][0] if panels else None)
        runs = pluralize(len(by_kind[kind]), "run")
        axes.set_title(f"{kind} tours, {runs}", fontsize="medium")
        panels.append((axes, by_kind[kind]))
    return figure, panels


def _add_legend(figure: Figure) -> None:
    """Add a legend below all panels, where it hides no line, which names every line once."""
    panels = [axes.get_legend_handles_labels() for axes in figure.axes]
    entries = {label: handle for pair in panels for handle, label in zip(*pair, strict=True)}
    columns = min(4, len(entries))
    figure.legend([*entries.values()], [*entries], loc="outside lower center", ncols=columns)


def _look(log: Log, method: str) -> dict[str, Any]:
    """Return label, line, marker and color of a method, the same on every plot."""
    place = log.settings.methods.index(method)
    return {
        "label": method,
        "linestyle": _LINES[place % len(_LINES)],
        "marker": _MARKERS[place % len(_MARKERS)],
        "color": _COLORS[place % len(_COLORS)],
    }


def _draw_sizes(axes: Axes, log: Log, records: Sequence[Record]) -> None:
    """Draw medians with bars to the quartiles; hollow where the median run was not solved."""
    methods = log.settings.methods
    for method, runs in by_method(log, records).items():
        by_size = dict(sorted(grouped(runs, lambda record: record.squares).items()))
        times = [quartiles(r.seconds_if_solved for r in group) for group in by_size.values()]
        low, middle, high = np.minimum(times, log.settings.time_limit).T
        # A little to the side, so that methods which all reach the limit do not hide one another.
        places = np.array(list(by_size)) * 1.06 ** (methods.index(method) / len(methods))
        bars = np.stack([middle - low, high - middle])
        look = _look(log, method)
        axes.errorbar(places, middle, yerr=bars, capsize=3, elinewidth=0.8, **look)
        hollow = [2 * solved(group) < len(group) for group in by_size.values()]
        look |= {"label": None, "linestyle": "", "markerfacecolor": "white"}
        axes.plot(places[hollow], middle[hollow], zorder=3, **look)
    _label_sizes(axes, sorted({record.squares for record in records}))


def _label_sizes(axes: Axes, sizes: Sequence[int]) -> None:
    """Label the sizes that occur, as many as there is room for, as plain numbers."""
    from matplotlib.ticker import NullFormatter, NullLocator

    apart = (sizes[-1] / sizes[0]) ** (1 / _MOST_LABELS)
    labels = [sizes[0]]
    for size in sizes[1:]:
        if size >= labels[-1] * apart:
            labels.append(size)
    axes.set(xlabel="squares", ylabel="time (seconds)", xscale="log", yscale="log")
    axes.set_xticks(labels, [f"{size:,}" for size in labels])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Knight's tours: methods compared</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
.findings { font-size: 1.2rem; padding-left: 1.2rem; }
summary { font-size: 1.2rem; font-weight: bold; margin: .5rem 0; cursor: pointer; }
figure { margin: 2rem 0; overflow-x: auto; }
figure svg { display: block; min-width: 34rem; max-width: 100%; height: auto; background: #fff; }
pre { background: #8882; padding: .7rem; overflow-x: auto; }
</style>
</head>
<body>
<h1>Knight's tours: methods compared</h1>"""

# Tables are not broken on a page: they scroll.
_UNLIMITED = 10_000


def write_page(log: Log) -> str:
    """Return the page; without matplotlib, one line stands in place of the plots."""
    return "\n".join([_HEAD, *_lines(log), "</body>\n</html>\n"])


def _lines(log: Log) -> Iterator[str]:
    yield _list("findings", summary(log))
    if find_spec("matplotlib"):
        yield from (_figure(plot, number) for number, plot in enumerate(all_plots(log), start=1))
    else:
        yield "<p>The plots need matplotlib: pip install 'knights-tours[plot]'</p>"
    for table in all_tables(log):
        title, *lines = table_lines(table, _UNLIMITED)
        text = escape("\n".join(lines).strip())
        yield f"<details><summary>{escape(title)}</summary><pre>{text}</pre></details>"
    yield f"<h2>How to read this</h2>{_list('notes', notes(log))}<h2>How to repeat it</h2>"
    yield f"<pre>{escape(shlex.join([*log.settings.command(), '--out=runs.jsonl']))}</pre>"
    for name, board in log.settings.boards.items():
        if name != board.size:
            about = f"{name}: {board.title}, {pluralize(len(board), 'square')}"
            yield f"<p>{escape(about)}</p><pre>{escape(str(board))}</pre>"
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    machines = "; ".join(sorted({record.machine for record in log.records} or {log.machine}))
    yield f"<p>{escape(f'Made with {made_with}, on {machines}.')}</p>"
    told = sorted(
        f"{r.run.describe()}: {r.status.value}: {r.reason}"
        for r in log.records
        if r.status in (RunStatus.ERROR, RunStatus.UNSUPPORTED)
    )
    if told:
        yield f"<h2>Errors and what is not supported</h2>{_list('reasons', told)}"


def _list(name: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="{name}">{items}</ul>'


def _figure(plot: Plot, number: int) -> str:
    """Return a plot as an SVG element, its ids made different from those of the other plots."""
    svg = render(plot.figure).decode()
    svg = svg[svg.index("<svg") :]
    for before in (' id="', "url(#", 'href="#'):
        svg = svg.replace(before, f"{before}plot{number}-")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return f"<figure>{svg}<figcaption>{escape(plot.caption)}</figcaption></figure>"
