"""A comparison as text, as a page, and as plots by matplotlib (extra ``plot``).

Every method has its own line, marker and color, the same on all plots, so that they can be told
apart in black and white.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.compare.results import BEST, UNSOLVED, Cell, Results, Table, quartiles
from kt_cp.count.cost import describe_duration
from kt_cp.draw.look import css_variables
from kt_cp.files import import_optional, write_atomically
from kt_cp.messages import escape_unprintable, pluralize

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.table import Table as RichTable

STYLE: Any = {
    "font.size": 12.5,  # points: 12 pixels where a panel is 358 pixels wide, as on a phone
    "svg.hashsalt": "kt",  # a fixed salt, so that the same figure gives the same file
    "axes.grid": True,
    "grid.color": "0.85",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": "medium",
    "figure.titlesize": "medium",
    "figure.titleweight": "bold",
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

CAPTIONS = {
    "cactus": (
        "A cactus plot: each method's runs, fastest first, and the time of each. Further right and"
        " lower is better."
    ),
    "time": (
        "Median time, with the quartiles of several runs. At the limit: more than half of the runs"
        " were not solved. Hollow: boards with holes, beside full ones."
    ),
}
"""The caption of each plot, by the name of its file."""

_CELL_STYLES = {BEST: "bold green", UNSOLVED: "red", "": ""}  # of cells on a terminal
_LABEL_WIDTH = 16  # the width in characters from which labels are broken


# -- as text ---------------------------------------------------------------------------------------


def text_lines(
    results: Results, width: int, *, colored: bool = False, brief: bool = False
) -> list[str]:
    """Return tables, findings, warnings and notes as lines; if ``brief``, only the main ones.

    Lines are at most ``width`` characters wide, but for tables whose numbers need more room.
    Characters that are not printable are escaped.
    """
    from rich.console import Console
    from rich.text import Text

    system: Any = "standard" if colored else None
    file = io.StringIO()
    console = Console(width=width, color_system=system, force_terminal=colored, file=file)
    for table in results.brief_tables if brief else results.tables:
        if not brief:
            console.print(Text(table.title, "bold cyan"))
        console.print(_as_rich_table(table), crop=False)
        console.print()
    notes = results.remarks
    if not brief:
        notes += [f"{word}: {meaning}." for word, meaning in results.definitions.items()]
    for lines, style in ((results.findings, ""), (results.warnings, "yellow"), (notes, "")):
        for line in lines:
            console.print(Text(escape_unprintable(line), style))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def _as_rich_table(table: Table) -> RichTable:
    """Return a table as rich draws it; a label that repeats the one above is left out."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    heads = [Cell(escape_unprintable(head)) for head in table.heads]
    rows = [[Cell(escape_unprintable(text), tone) for text, tone in row] for row in table.rows]
    for place, column in enumerate(zip(heads, *rows, strict=True)):
        longest = max(len(text) for text, _ in column)
        if place < table.labels:
            drawn.add_column(column[0].text, overflow="fold", min_width=min(longest, _LABEL_WIDTH))
        else:
            drawn.add_column(column[0].text, justify="right", min_width=longest)
    for row, above in zip(rows, [heads, *rows], strict=False):
        cells = [Text(text, _CELL_STYLES[tone]) for text, tone in row]
        if row[0].text == above[0].text:
            cells[0] = Text()
        drawn.add_row(*cells)
    return drawn


# -- as a page -------------------------------------------------------------------------------------


def page_html(results: Results) -> str:
    """Return the page as HTML; without matplotlib, a line of text replaces the plots."""
    log = results.log
    settings = results.settings
    machines = "; ".join(sorted({record.machine for record in log.records} or {log.machine}))
    seconds = sum(record.seconds + (record.startup or 0) for record in log.records)
    facts = [
        *([f"{log.date.day} {log.date:%B %Y}"] if log.date else []),
        pluralize(len(log.records), "run"),
        f"limit {settings.time_limit:g} s each",
        f"{describe_duration(seconds)} in all",
        machines,
    ]
    repeat = "<p>The first line of the log holds the settings.</p>"
    if settings.command:
        repeat = f'<pre class="command">{escape(settings.command)}</pre>'
    boards = (
        f"<p>{escape(name)}: {escape(board.title)}, {pluralize(len(board), 'square')}</p>"
        f"<pre tabindex=0>{escape(str(board))}</pre>"
        for name, board in settings.boards.items()
        if name != board.size
    )
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    definitions = (
        f"<dt>{escape(word)}</dt><dd>{escape(meaning)}</dd>"
        for word, meaning in results.definitions.items()
    )
    page = Template(files("kt_cp.compare").joinpath("page.html").read_text("utf-8"))
    return page.substitute(
        colors=css_variables(),
        facts=escape(" · ".join(facts)),
        findings=_tagged("li", results.findings),
        warnings=_tagged('p class="warning"', results.warnings),
        plots=_plots_html(results),
        definitions="".join(definitions),
        notes=_tagged("li", results.remarks),
        tables="".join(map(_table_html, results.tables)),
        repeat=repeat,
        boards="".join(boards),
        origin=escape(f"Made with {made_with}, on {machines}."),
    )


def _tagged(tag: str, lines: Iterable[str]) -> str:
    """Return lines as HTML, each within the tag, which may have attributes."""
    return "".join(f"<{tag}>{escape(line)}</{tag.split()[0]}>" for line in lines)


def _plots_html(results: Results) -> str:
    """Return the plots as HTML, or one line if matplotlib is missing."""
    if not find_spec("matplotlib"):
        return "<p>The plots need matplotlib: pip install 'knights-tours[plot]'</p>"
    figures = []
    for name, figure in all_plots(results):
        source = "data:image/svg+xml;base64," + base64.b64encode(render(figure)).decode()
        picture = f'<img src="{source}" alt="{escape(figure.get_suptitle())}">'
        figures.append(
            f"<figure>{picture}<figcaption>{escape(CAPTIONS[name])}</figcaption></figure>"
        )
    return "".join(figures)


def _table_html(table: Table) -> str:
    """Return a table below its title as HTML, in which a cell may break after a colon."""
    lines = []
    for tag, row in [("th", [*map(Cell, table.heads)]), *(("td", row) for row in table.rows)]:
        line = ""
        for place, (text, tone) in enumerate(row):
            name = "label" if place < table.labels else f"number {tone}".rstrip()
            line += f'<{tag} class="{name}">{escape(text).replace(":", ":<wbr>")}</{tag}>'
        lines.append(f"<tr>{line}</tr>")
    return (
        f"<details open><summary>{escape(table.title)}</summary>"
        f'<div class="wide" tabindex="0"><table>{"".join(lines)}</table></div></details>'
    )


# -- as plots --------------------------------------------------------------------------------------


def all_plots(results: Results) -> Iterator[tuple[str, Figure]]:
    """Yield the name and the figure of every plot that the records allow.

    Raises `InputError` when matplotlib is not installed.
    """
    import_optional("matplotlib", "plots", "pip install 'knights-tours[plot]'")
    import matplotlib

    if len(results.supported):
        for name, title, draw in (
            ("cactus", "Runs solved within a time", _draw_cactus),
            ("time", "Time by the size of the board", _draw_sizes),
        ):
            # A name such as a$^$b is no formula.
            with matplotlib.rc_context(STYLE | {"text.parse_math": False}):
                figure = _draw_panels(results, title, draw)
            yield name, figure


def write_plots(results: Results, folder: str | Path) -> list[Path]:
    """Write every plot to a folder, as SVG files, and return their paths."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for name, figure in all_plots(results):
        paths.append(Path(folder) / f"{name}.svg")
        with write_atomically(paths[-1]) as file:
            file.write(render(figure))
    return paths


def render(figure: Figure) -> bytes:
    """Return a figure as the content of an SVG file, which follows the reader's dark mode."""
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    head, tag, rest = buffer.getvalue().partition(b"<defs>")
    return head + _DARK_STYLE + tag + rest


def _draw_panels(results: Results, title: str, draw: Any) -> Figure:
    """Return a figure with a panel for each kind of tour, and one legend for all of them.

    ``draw`` draws the runs of a method into a panel, in the given style.
    """
    from matplotlib.figure import Figure

    limit = results.settings.time_limit
    groups = list(results.supported.groupby("kind", observed=True))
    width, height = PANEL_SIZE
    figure = Figure((width, 1.2 + height * len(groups)), layout="constrained")
    figure.suptitle(title)
    panels = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    methods = list(results.settings.methods)
    styles = {
        method: {"label": method, "linestyle": line, "marker": marker, "color": color}
        for method, line, marker, color in zip(
            methods, cycle(_LINE_STYLES), cycle(_MARKERS), cycle(_COLORS), strict=False
        )
    }
    labels: dict[str, Any] = {}
    for axes, (kind, runs) in zip(panels, groups, strict=True):
        axes.set_title(f"{kind} tours, {pluralize(len(runs), 'run')}, limit {limit:g} s")
        axes.axhline(limit, color="0.5", linewidth=0.8)
        axes.set(ylabel="seconds", yscale="log")
        for method, of_method in runs.groupby("method", observed=True):
            draw(axes, results, of_method, styles[method])
        axes.set_ylim(top=1.5 * limit)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.label_outer()
        handles, names = axes.get_legend_handles_labels()
        labels |= dict(zip(names, handles, strict=True))
    methods_drawn = [method for method in methods if method in labels]
    figure.legend(
        [labels[each] for each in methods_drawn], methods_drawn, loc="outside lower center", ncols=2
    )
    return figure


def _draw_cactus(axes: Axes, results: Results, runs: Any, style: dict[str, Any]) -> None:
    """Draw the times of the solved runs of a method, ascending.

    M. Brain, J. H. Davenport, A. Griggio, Benchmarking Solvers, SAT-style, SC² 2017.
    """
    from matplotlib.ticker import MaxNLocator

    times = runs.seconds[runs.solved].sort_values()
    axes.plot(range(1, len(times) + 1), times, markevery=1 + len(times) // 12, **style)
    axes.set_xlabel("runs solved")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _draw_sizes(axes: Axes, results: Results, runs: Any, style: dict[str, Any]) -> None:
    """Draw the median and the quartiles of a method's times by size; beyond the limit, at it.

    Boards with holes have markers without a line, beside full boards, which may be far easier.
    """
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set(xscale="log", xlabel="squares")
    boards = results.settings.boards
    has_holes = runs.board.map(lambda name: bool(boards[name].holes)).astype(bool)
    hollow = {"linestyle": "none", "markerfacecolor": "none"}
    for group, look in ((runs[~has_holes], {}), (runs[has_holes], hollow)):
        if group.empty:
            continue
        times = group.time.clip(upper=results.settings.time_limit).groupby(group.squares)
        sizes = list(times.groups)
        # A row for each size, turned into three columns.
        low, middle, high = np.array([quartiles(each) for _, each in times]).T
        if len(group) == len(sizes):
            axes.plot(sizes, middle, **style | look)
        else:
            spread = [middle - low, high - middle]
            axes.errorbar(sizes, middle, yerr=spread, capsize=3, elinewidth=0.8, **style | look)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_locator(NullLocator())
