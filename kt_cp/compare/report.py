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
)
from kt_cp.errors import pluralize
from kt_cp.files import import_optional, write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.table import Table


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


# Swaps light and dark, and turns the colors back to their hues.
_DARK_STYLE = b"""<style>
@media (prefers-color-scheme: dark) { svg { filter: invert(.91) hue-rotate(180deg); } }
</style>
"""

# Inches, so that the letters of a plot can be read on a phone too.
_PANEL_WIDTH, _PANEL_HEIGHT = 5.2, 3.0

# The room that a digit takes of the width of an axis.
_LETTER_WIDTH = 0.03


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
    """Return a figure as the content of an SVG file, which is dark where the reader's screen is."""
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    head, tag, rest = buffer.getvalue().partition(b"<defs>")
    return head + _DARK_STYLE + tag + rest


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
    from matplotlib.ticker import FixedLocator, NullLocator

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
        axes.xaxis.set_major_locator(FixedLocator(_marked_sizes(r.squares for r in records)))
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.set_minor_locator(NullLocator())
    caption = (
        "Median time with the quartiles. At the limit, the gray line: more than half of the runs"
        " were not solved."
    )
    return Plot("time", caption, figure)


def _marked_sizes(squares: Iterable[int]) -> list[int]:
    """Return the sizes to mark on a logarithmic axis: all but those that would overlap others.

    >>> _marked_sizes([36, 25, 36, 64, 63])
    [25, 36, 63]
    """
    sizes = sorted(set(squares))
    room = _LETTER_WIDTH * len(f"{sizes[-1]:,}")
    apart = (sizes[-1] / sizes[0]) ** room
    marked: list[int] = []
    for size in sizes:
        if not marked or size >= marked[-1] * apart:
            marked.append(size)
    return marked


def _panels(figure: Figure, log: Log, title: str) -> Iterator[tuple[Axes, Sequence[Record]]]:
    """Yield a panel for each kind of tour, to be drawn, with its records; then add the legend.

    The panels stand one below the other.
    """
    number, limit = pluralize(len(log.records), "run"), log.settings.time_limit
    figure.suptitle(f"{title}: {number}, limit {limit:g} s each")
    by_kind = grouped(supported(log.records), lambda record: record.run.kind)
    figure.set_size_inches(_PANEL_WIDTH, 1.2 + _PANEL_HEIGHT * len(by_kind))
    panels = figure.subplots(len(by_kind), 1, sharex=True, squeeze=False)[:, 0]
    labels: dict[str, Any] = {}
    for axes, (kind, records) in zip(panels, sorted(by_kind.items(), reverse=True), strict=True):
        axes.set_title(f"{kind} tours, {pluralize(len(records), 'run')}", fontsize="medium")
        yield axes, records
        axes.label_outer()
        axes.axhline(limit, color="0.5", linewidth=0.8)
        handles, names = axes.get_legend_handles_labels()
        labels |= dict(zip(names, handles, strict=True))
    methods = [method for method in log.settings.methods if method in labels]
    figure.legend(
        [labels[method] for method in methods],
        methods,
        loc="outside lower center",
        ncols=_legend_columns(len(methods)),
    )


def _legend_columns(entries: int) -> int:
    """Return in how many columns a legend leaves no entry alone in the last row, if possible."""
    for columns in (4, 3, 2):
        if entries % columns != 1:
            return columns
    return 3


def _look(log: Log, method: str) -> dict[str, Any]:
    """Return the label, line, marker and color of a method, which are the same on every plot."""
    place = list(log.settings.methods).index(method)
    return {
        "label": method,
        "linestyle": _LINES[place % len(_LINES)],
        "marker": _MARKERS[place % len(_MARKERS)],
        "color": _COLORS[place % len(_COLORS)],
    }


def write_page(log: Log) -> str:
    """Return the page; without matplotlib, one line stands in place of the plots."""
    page = Template(files("kt_cp.compare").joinpath("page.html").read_text("utf-8"))
    return page.substitute(body="\n".join(_lines(log)))


def _lines(log: Log) -> Iterator[str]:
    """Yield the parts of the page's body, as HTML."""
    yield _list("findings", summary(log))
    if find_spec("matplotlib"):
        yield '<div class="plots">'
        for plot in all_plots(without_wrong_proofs(log)):
            source = "data:image/svg+xml;base64," + base64.b64encode(render(plot.figure)).decode()
            picture = f'<img src="{source}" alt="{plot.figure.get_suptitle()}">'
            yield f"<figure>{picture}<figcaption>{escape(plot.caption)}</figcaption></figure>"
        yield "</div>"
    else:
        yield "<p>The plots need matplotlib: pip install 'knights-tours[plot]'</p>"
    for table in all_tables(log):
        title = escape(str(table.title))
        yield f"<details open><summary>{title}</summary>{_html_table(table)}</details>"
    yield f"<h2>How to read this</h2>{_list('notes', notes(log))}<h2>How to repeat it</h2>"
    yield _how_to_repeat(log)
    for name, board in log.settings.boards.items():
        if name != board.size:
            about = f"{name}: {board.title}, {pluralize(len(board), 'square')}"
            yield f"<p>{escape(about)}</p><pre>{escape(str(board))}</pre>"
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    machines = "; ".join(sorted({record.machine for record in log.records} or {log.machine}))
    yield f"<p>{escape(f'Made with {made_with}, on {machines}.')}</p>"


def _how_to_repeat(log: Log) -> str:
    """Return the command that repeats a comparison, or a sentence if there is none, as HTML."""
    words = log.settings.command()
    if words is None:
        return (
            "<p>No single command repeats it: give the boards below as files, and custom methods as"
            " FILE.py:NAME.</p>"
        )
    return f"<pre>{escape(shlex.join([*words, '--out=runs.jsonl']))}</pre>"


def _html_table(table: Table) -> str:
    """Return a table as HTML; columns of numbers, which are never broken, align at the right."""
    classes = ["number" if column.no_wrap else "label" for column in table.columns]
    heads = [str(column.header) for column in table.columns]
    rows = zip(*(map(str, column.cells) for column in table.columns), strict=True)
    head = _html_row("th", heads, classes)
    body = "".join(_html_row("td", row, classes) for row in rows)
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>'


def _html_row(tag: str, cells: Iterable[str], classes: Iterable[str]) -> str:
    """Return a row of a table as HTML, with a class for each cell, which may break after colons."""
    columns = zip(cells, classes, strict=True)
    inner = "".join(
        f'<{tag} class="{name}">{escape(cell).replace(":", ":<wbr>")}</{tag}>'
        for cell, name in columns
    )
    return f"<tr>{inner}</tr>"


def _list(name: str, lines: Iterable[str]) -> str:
    """Return lines as a list in HTML, of the class ``name``."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="{name}">{items}</ul>'
