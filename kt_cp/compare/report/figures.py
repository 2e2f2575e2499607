"""What all plots of a comparison share: panels, title, legend, and the look of each method.

Every method has its own line, marker and shade, the same on all plots, so that they can be told
apart in black and white. Every figure says how many runs it shows and under which limit.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.compare.report.statistics import grouped, supported
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import Record
from kt_cp.compare.run.settings import KINDS
from kt_cp.errors import pluralize

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
# Okabe and Ito's palette, without its yellow: told apart by colour-blind eyes, dark on white.
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


def by_unit(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Sort the records of runs whose effort is known by its unit."""
    known = (record for record in records if record.effort)
    return grouped(known, lambda record: record.effort[0] if record.effort else "")


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
    runs: int | None = None,
    width: float = 5.0,
    height: float = 4.4,
    sharey: bool = False,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a number of panels; its title ends with the runs and their limit."""
    from matplotlib.figure import Figure

    columns = min(4, max(1, panels))
    rows = -(-max(1, panels) // columns)
    figure = Figure(figsize=(max(6.0, width * columns), height * rows), layout="constrained")
    number = pluralize(len(log.records) if runs is None else runs, "run")
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
    """Return the line, marker and colour of a method, the same on every plot of a comparison."""
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
