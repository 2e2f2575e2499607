"""The plots of a comparison, by matplotlib (extra ``plot``), and its page of HTML.

Every method has its own line, marker and color, the same on all plots, so that they can be told
apart in black and white. Every figure says how many runs it shows and under which limit.
"""

from __future__ import annotations

import base64
import io
import shlex
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.compare.log import Log, Record
from kt_cp.compare.tables import (
    all_tables,
    by_method,
    grouped,
    notes,
    quartiles,
    summary,
    supported,
    without_wrong_proofs,
    write_table,
)
from kt_cp.errors import pluralize
from kt_cp.files import import_optional, write_atomically

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

# The salt makes the same figure give the same file.
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
    import_optional("matplotlib", "plots", "pip install 'knights-tours[plot]'")
    import matplotlib

    if not supported(log.records):
        return
    for make in (cactus, time_by_size):
        with matplotlib.rc_context(STYLE):
            plot = make(log)
        yield plot


def write_plots(log: Log, folder: str | Path) -> list[Path]:
    """Write every plot to a folder, as SVG files, and return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for plot in all_plots(without_wrong_proofs(log)):
        paths.append(folder / f"{plot.name}.svg")
        with write_atomically(paths[-1]) as file:
            file.write(render(plot.figure))
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
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(layout="constrained")
    for axes, records in _panels(figure, log, "Cactus plot"):
        for method, runs in by_method(log, records).items():
            times = sorted(record.seconds for record in runs if record.solved)
            numbers, apart = range(1, len(times) + 1), 1 + len(times) // 12
            axes.plot(numbers, times, markevery=apart, **_look(log, method))
        axes.set(xlabel="runs solved", ylabel="time for each (seconds)", yscale="log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    caption = (
        "Each method's runs, fastest first: how many are solved within each time. Further"
        " right and lower is better; the gray line is the limit."
    )
    return Plot("cactus", caption, figure)


def time_by_size(log: Log) -> Plot:
    """Return the plot of the median time, with quartiles, against the number of squares."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullFormatter

    figure, methods = Figure(layout="constrained"), list(log.settings.methods)
    for axes, records in _panels(figure, log, "Time against size"):
        for method, runs in by_method(log, records).items():
            by_size = grouped(sorted(runs, key=lambda r: r.squares), lambda r: r.squares)
            times = [quartiles(r.seconds_if_solved for r in group) for group in by_size.values()]
            low, middle, high = np.minimum(times, log.settings.time_limit).T
            # A little to the side, so that methods which reach the limit do not hide one another.
            sizes = np.array(list(by_size)) * 1.06 ** (methods.index(method) / len(methods))
            bars, look = np.stack([middle - low, high - middle]), _look(log, method)
            axes.errorbar(sizes, middle, yerr=bars, capsize=3, elinewidth=0.8, **look)
        axes.set(xlabel="squares", ylabel="time (seconds)", xscale="log", yscale="log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.set_minor_formatter(NullFormatter())
    caption = (
        "Median time with the quartiles. At the limit, the gray line: more than half of the runs"
        " were not solved."
    )
    return Plot("time", caption, figure)


def _panels(figure: Figure, log: Log, title: str) -> Iterator[tuple[Axes, Sequence[Record]]]:
    """Yield a panel for each kind of tour, to be drawn, with its records; then add the legend."""
    number, limit = pluralize(len(log.records), "run"), log.settings.time_limit
    figure.suptitle(f"{title}: {number}, limit {limit:g} s each")
    by_kind = grouped(supported(log.records), lambda record: record.run.kind)
    figure.set_size_inches(max(6.0, 5.0 * len(by_kind)), 4.4)
    panels = figure.subplots(1, len(by_kind), sharey=True, squeeze=False)[0]
    for axes, (kind, records) in zip(panels, sorted(by_kind.items(), reverse=True), strict=True):
        axes.set_title(f"{kind} tours, {pluralize(len(records), 'run')}", fontsize="medium")
        yield axes, records
        axes.axhline(limit, color="0.5", linewidth=0.8)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=3)


def _look(log: Log, method: str) -> dict[str, Any]:
    """Return the label, line, marker and color of a method, which are the same on every plot."""
    place = list(log.settings.methods).index(method)
    return {
        "label": method,
        "linestyle": _LINES[place % len(_LINES)],
        "marker": _MARKERS[place % len(_MARKERS)],
        "color": _COLORS[place % len(_COLORS)],
    }


# Tables are not broken on a page: they scroll.
_UNLIMITED = 10_000


def write_page(log: Log) -> str:
    """Return the page; without matplotlib, one line stands in place of the plots."""
    page = Template(files("kt_cp.compare").joinpath("page.html").read_text("utf-8"))
    return page.substitute(body="\n".join(_lines(log)))


def _lines(log: Log) -> Iterator[str]:
    """Yield the parts of the page's body, as HTML."""
    yield _list("findings", summary(log))
    if find_spec("matplotlib"):
        for plot in all_plots(without_wrong_proofs(log)):
            source = "data:image/svg+xml;base64," + base64.b64encode(render(plot.figure)).decode()
            picture = f'<img src="{source}" alt="{plot.figure.get_suptitle()}">'
            yield f"<figure>{picture}<figcaption>{escape(plot.caption)}</figcaption></figure>"
    else:
        yield "<p>The plots need matplotlib: pip install 'knights-tours[plot]'</p>"
    for table in all_tables(log):
        title, text = str(table.title), "\n".join(write_table(table, _UNLIMITED))
        yield f"<details><summary>{title}</summary><pre>{escape(text)}</pre></details>"
    yield f"<h2>How to read this</h2>{_list('notes', notes(log))}<h2>How to repeat it</h2>"
    yield f"<pre>{escape(shlex.join([*log.settings.command(), '--out=runs.jsonl']))}</pre>"
    for name, board in log.settings.boards.items():
        if name != board.size:
            about = f"{name}: {board.title}, {pluralize(len(board), 'square')}"
            yield f"<p>{escape(about)}</p><pre>{escape(str(board))}</pre>"
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    machines = "; ".join(sorted({record.machine for record in log.records} or {log.machine}))
    yield f"<p>{escape(f'Made with {made_with}, on {machines}.')}</p>"


def _list(name: str, lines: Iterable[str]) -> str:
    """Return lines as a list in HTML, of the class ``name``."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="{name}">{items}</ul>'
