"""The plots of a comparison, as matplotlib figures; matplotlib comes with the extra ``plot``.

Every method has its line, marker and shade on all plots alike, so that they can be told apart in
black and white. Every plot says how many runs it shows and under which limit.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.board import Board
from kt_cp.compare.log import Log
from kt_cp.compare.run import Record
from kt_cp.compare.settings import KINDS
from kt_cp.compare.statistics import grouped, quartiles, ratios_to_best, steps, supported
from kt_cp.errors import InputError
from kt_cp.words import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Plot(NamedTuple):
    """A figure, the name its file gets, and a sentence about what it shows."""

    name: str
    figure: Figure
    caption: str


FORMATS = ("svg", "png")

_LINES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "X", "P", "<", ">", "*", "h", "d")
# Okabe and Ito's palette, without its yellow: told apart by colour-blind eyes, dark on white.
_COLOURS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")

# The salt: the same figure gives the same file.
_STYLE: Any = {
    "svg.hashsalt": "kt",
    "axes.grid": True,
    "grid.color": "0.85",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.markersize": 5,
}


def require_matplotlib() -> None:
    """Raise `InputError` with the way out when the extra is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("plots need matplotlib: pip install 'knights-tours[plot]'") from None


def all_plots(log: Log) -> Iterator[Plot]:
    """Yield the plots that the records allow, one after the other.

    Raises `InputError` when matplotlib is not installed.
    """
    require_matplotlib()
    import matplotlib

    for make in (_cactus, _profile, _time, _effort, _starts):
        with matplotlib.rc_context(_STYLE):
            plots = list(make(log))
        yield from plots


def write_plots(log: Log, folder: str | Path, suffix: str = "svg") -> list[Path]:
    """Write every plot to a folder, which is made if need be, as SVG or PNG files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for plot in all_plots(log):
        path = folder / f"{plot.name}.{suffix}"
        path.write_bytes(render(plot.figure, suffix))
        paths.append(path)
    return paths


def render(figure: Figure, suffix: str) -> bytes:
    """Give a figure as the content of an SVG or PNG file."""
    import matplotlib

    buffer = io.BytesIO()
    metadata = {"Date": None} if suffix == "svg" else None
    with matplotlib.rc_context(_STYLE):
        figure.savefig(buffer, format=suffix, dpi=150, metadata=metadata)
    return buffer.getvalue()


def _cactus(log: Log) -> Iterator[Plot]:
    """Solved runs against time.

    M. Brain, J. H. Davenport, A. Griggio, Benchmarking Solvers, SAT-style, SC² 2017.
    """
    from matplotlib.ticker import MaxNLocator

    figure, panels = _panels_by_kind(log, "Cactus plot")
    for axes, records in panels:
        for method, members in _by_method(log, records):
            times, solved = steps(record.seconds_if_solved for record in members)
            look = {**_look(log, method), "markevery": _marks(times)}
            axes.plot(solved, times, label=method, **look)
        axes.set(xlabel="runs solved", ylabel="time for each (seconds)", yscale="log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.axhline(log.settings.time_limit, color="0.5", linewidth=0.8)
    _legend(figure)
    yield Plot(
        "cactus",
        figure,
        "Each method's runs, fastest first: how many are solved when each may take so long. Further"
        " right and lower is better; the grey line is the limit.",
    )


def _profile(log: Log) -> Iterator[Plot]:
    """The share of instances that a method solves within a factor of the best method's time.

    E. D. Dolan, J. J. Moré, Benchmarking optimization software with performance profiles,
    Mathematical Programming 91 (2002).
    """
    ratios = ratios_to_best(log.records)
    finite = [ratio for ratio in ratios.values() if math.isfinite(ratio)]
    right = 1.5 * max(finite, default=2.0)
    figure, panels = _panels_by_kind(log, "Performance profile")
    for axes, records in panels:
        for method, members in _by_method(log, records):
            values, solved = steps(ratios.get(record.run, math.inf) for record in members)
            shares = [count / len(members) for count in solved]
            look = {**_look(log, method), "markevery": (1, _marks(values))}
            xs, ys = [1.0, *values, right], [0.0, *shares, *(shares[-1:] or [0.0])]
            axes.step(xs, ys, where="post", label=method, **look)
        axes.set(
            xlabel="time / best method's time on the instance",
            ylabel="share of instances solved",
            xscale="log",
            ylim=(-0.03, 1.03),
        )
    _legend(figure)
    yield Plot(
        "profile",
        figure,
        "For each factor the share of its instances that a method solves within so many times the"
        " time of the best one (Dolan and Moré 2002): at 1 where it is the best itself, on the"
        " right how many it solves at all.",
    )


def _time(log: Log) -> Iterator[Plot]:
    figure, panels = _panels_by_kind(log, "Time against size")
    limit = log.settings.time_limit
    for axes, records in panels:
        for method, members in _by_method(log, records):
            _plot_sizes(axes, log, method, members, lambda r: r.seconds_if_solved, limit)
        axes.axhline(limit, color="0.5", linewidth=0.8)
        axes.set(xlabel="squares", ylabel="time (seconds)", xscale="log", yscale="log")
        _plain_sizes(axes, records)
    _legend(figure)
    yield Plot(
        "time",
        figure,
        "Median time with the quartiles. At the limit, the grey line, and hollow: more than half"
        " of the runs were not solved.",
    )


def _effort(log: Log) -> Iterator[Plot]:
    """Effort has the method's own unit, and each unit a panel of its own."""
    by_unit = grouped((r for r in log.records if r.effort), lambda r: r.effort and r.effort[0])
    if not by_unit:
        return
    figure, row = _figure(log, "Effort against size", len(by_unit))
    for axes, (unit, records) in zip(row, by_unit.items(), strict=True):
        for kind, line in zip(KINDS, _LINES, strict=False):
            of_kind = [record for record in records if record.run.kind == kind]
            for method, members in _by_method(log, of_kind):
                label = f"{method}, {kind}"
                _plot_sizes(axes, log, method, members, _effort_value, None, label, line)
        axes.set(xlabel="squares", ylabel=unit, xscale="log", yscale="log")
        axes.set_title(f"methods that count {unit}, {counted(len(records), 'run')}", size="medium")
        _plain_sizes(axes, records)
    _legend(figure)
    yield Plot(
        "effort",
        figure,
        "Median effort with the quartiles, in the method's own unit. Hollow: more than half of"
        " the runs found no answer, so that it is a lower bound.",
    )


def _effort_value(record: Record) -> float:
    """Give the effort, at least 1, as log axes have no 0."""
    return max(1.0, record.effort[1]) if record.effort else math.nan


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
    look = _look(log, method)
    if line:
        look["linestyle"] = line
    # A little to the side, so that methods which all reach the limit do not hide one another.
    methods = list(log.settings.methods)
    places = np.array(sizes) * 1.06 ** (methods.index(method) / len(methods))
    bars = np.maximum(np.stack([middle - low, high - middle]), 0)
    axes.errorbar(
        places, middle, yerr=bars, label=label or method, capsize=3, elinewidth=0.8, **look
    )
    hollow = [2 * sum(r.solved for r in members) < len(members) for members in at_size]
    axes.plot(
        places[hollow],
        middle[hollow],
        linestyle="",
        marker=look["marker"],
        color=look["color"],
        markerfacecolor="white",
        zorder=3,
    )


def _starts(log: Log) -> Iterator[Plot]:
    """One heat map of the effort by start square for each board and kind with several starts."""
    boards = grouped(
        (record for record in supported(log.records) if record.run.start is not None),
        lambda record: (record.run.board, record.run.kind),
    )
    for name, kind in itertools.product(log.settings.boards, KINDS):
        records = boards.get((name, kind), [])
        if len({record.run.start for record in records}) > 1:
            yield _heat_map(log, name, kind, records)


def _heat_map(log: Log, name: str, kind: str, records: Sequence[Record]) -> Plot:
    from matplotlib.colors import LogNorm

    board = log.settings.boards[name]
    methods = _by_method(log, records)
    shown = name.replace("$", r"\$")  # no formula
    title = f"Effort by start square, {kind} tours of {shown}"
    figure, row = _figure(log, title, len(methods), len(records), width=3.2, height=3.9)
    # The same shade means the same effort on all panels with the same unit.
    norms = {unit: LogNorm(*_decades(values)) for unit, values in _efforts(records).items()}
    for axes, (method, members) in zip(row, methods, strict=True):
        unit = next(iter(_efforts(members)), None)
        norm = norms[unit] if unit else LogNorm(1, 10)
        by_start = grouped(members, lambda record: record.run.start or 0)
        effort = np.full(board.area, np.nan)
        for start, there in by_start.items():
            effort[start] = quartiles(map(_effort_value, there))[1]
        image = axes.imshow(effort.reshape(board.rows, board.columns), cmap="Greys", norm=norm)
        solved = sum(record.solved for record in members)
        axes.set_title(f"{method}\n{solved} of {len(members)} runs solved", size="medium")
        axes.grid(False)
        axes.patch.set_hatch("///")  # where there is no run
        _name_squares(axes, board)
        _mark_starts(axes, board, by_start, norm(effort))
        if unit:
            bar = figure.colorbar(image, ax=axes, orientation="horizontal", shrink=0.9)
            bar.set_label(f"{unit}, median")
    plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
    return Plot(
        f"starts-{plain}-{kind}",
        figure,
        "The darker a square, the more effort a search that starts there takes. A cross: no run"
        " from there was answered; a dot: some were not; a bar: there is no tour from there,"
        " proven.",
    )


def _efforts(records: Iterable[Record]) -> dict[str, list[float]]:
    """Give the efforts of all records by unit."""
    efforts: dict[str, list[float]] = {}
    for record in records:
        if record.effort:
            efforts.setdefault(record.effort[0], []).append(_effort_value(record))
    return efforts


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """Give the powers of ten around the values."""
    low = math.floor(math.log10(min(values)))
    return 10.0**low, 10.0 ** max(low + 1, math.ceil(math.log10(max(values))))


def _mark_starts(axes: Axes, board: Board, by_start: dict[int, list[Record]], shade: Any) -> None:
    """Mark the starts from which not every run found a tour, and the holes."""
    marks: dict[tuple[str, str], list[int]] = {}
    for start, there in by_start.items():
        if marker := _start_marker(there):
            colour = "white" if shade[start] > 0.5 else "black"
            marks.setdefault((marker, colour), []).append(start)
    for (marker, colour), starts in marks.items():
        rows, columns = np.divmod(starts, board.columns)
        axes.plot(columns, rows, marker=marker, color=colour, linestyle="")
    for hole in board.holes:
        row, column = divmod(hole, board.columns)
        axes.text(column, row, "#", ha="center", va="center")


def _start_marker(records: Sequence[Record]) -> str | None:
    solved = sum(record.solved for record in records)
    if not solved:
        return "x"
    if solved < len(records):
        return "."
    return None if any(record.validated for record in records) else "_"


def _name_squares(axes: Axes, board: Board) -> None:
    """Write files and ranks as on a chessboard, as far as there is room."""
    from kt_cp.squares import chess_name

    places = np.arange(0, board.columns, 1 + board.columns // 12)
    files = [chess_name(board, int(column)).rstrip("0123456789") for column in places]
    axes.set_xticks(places, files)
    places = np.arange(0, board.rows, 1 + board.rows // 12)
    axes.set_yticks(places, [str(board.rows - row) for row in places])


def _panels_by_kind(log: Log, title: str) -> tuple[Figure, Iterator[tuple[Axes, list[Record]]]]:
    """Give a figure with one panel for each kind of tour that was asked for."""
    by_kind = grouped(supported(log.records), lambda record: record.run.kind)
    kinds = [kind for kind in KINDS if kind in by_kind]
    figure, row = _figure(log, title, len(kinds), sharey=True)
    for axes, kind in zip(row, kinds, strict=True):
        axes.set_title(f"{kind} tours, {counted(len(by_kind[kind]), 'run')}", fontsize="medium")
    return figure, zip(row, (by_kind[kind] for kind in kinds), strict=True)


def _figure(
    log: Log,
    title: str,
    panels: int,
    runs: int | None = None,
    width: float = 5.0,
    height: float = 4.4,
    sharey: bool = False,
) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    columns = min(4, max(1, panels))
    rows = -(-max(1, panels) // columns)
    figure = Figure(figsize=(max(6.0, width * columns), height * rows), layout="constrained")
    number = counted(len(log.records) if runs is None else runs, "run")
    figure.suptitle(f"{title}: {number}, limit {log.settings.time_limit:g} s each")
    all_axes = figure.subplots(rows, columns, squeeze=False, sharey=sharey).ravel().tolist()
    for unused in all_axes[panels:]:
        unused.remove()
    return figure, all_axes[:panels]


def _marks(values: Sequence[float]) -> int:
    """Give the distance of markers, of which there is room for a dozen."""
    return 1 + len(values) // 12


def _legend(figure: Figure) -> None:
    """Name every line once, below all panels, where it hides none."""
    entries: dict[Any, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    columns = min(4, len(entries))
    figure.legend(list(entries.values()), list(entries), loc="outside lower center", ncols=columns)


def _by_method(log: Log, records: Iterable[Record]) -> list[tuple[str, list[Record]]]:
    """Sort records by method, in the order of the settings."""
    groups = grouped(records, lambda record: record.run.method)
    return [(method, groups[method]) for method in log.settings.methods if method in groups]


def _look(log: Log, method: str) -> dict[str, Any]:
    """Give the line, marker and colour of a method, the same on every plot of a comparison."""
    place = list(log.settings.methods).index(method)
    return {
        "linestyle": _LINES[place % len(_LINES)],
        "marker": _MARKERS[place % len(_MARKERS)],
        "color": _COLOURS[place % len(_COLOURS)],
    }


def _plain_sizes(axes: Axes, records: Iterable[Record]) -> None:
    """Label the sizes that occur, as many as there is room for, as plain numbers."""
    from matplotlib.ticker import NullFormatter, NullLocator

    sizes = sorted({record.squares for record in records})
    sizes = sizes[:: 1 + len(sizes) // 10]
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
