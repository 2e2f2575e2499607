"""What `bench_peers` saves: single times as rows of a CSV file, the tables and picture of them."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from math import inf
from pathlib import Path
from typing import Any

from kt_cp.compare.report.figures import LINES, STYLE, legend, render
from scripts.peers import CUTS, OURS

WHOLE = "kt solve"

_MARKERS = "os^Dv<>"


@dataclass(frozen=True)
class Row:
    """One run. ``answer`` is found, impossible or none; ``seconds`` are infinite without one."""

    kind: str
    side: int
    seed: int
    solver: str
    version: str
    answer: str
    seconds: float
    limit: float


def read_rows(path: Path) -> tuple[list[str], list[Row]]:
    """Return what the file says of machines and days, and its rows."""
    lines = path.read_text(encoding="utf-8").splitlines()
    remarks = [line[2:] for line in lines if line.startswith("# ")]
    table = csv.reader(line for line in lines[1:] if not line.startswith("# "))
    rows = [
        Row(kind, int(side), int(seed), solver, version, answer, float(seconds), float(limit))
        for kind, side, seed, solver, version, answer, seconds, limit in table
    ]
    return list(dict.fromkeys(remarks)), rows


def append(path: Path, lines: Sequence[str | Row]) -> None:
    """Add remarks and rows to the file, which gets its names of columns when it is new."""
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        if new:
            table.writerow(field.name for field in fields(Row))
        for line in lines:
            if isinstance(line, Row):
                table.writerow(astuple(line))
            else:
                file.write(f"# {line}\n")


def gave_up(times: Sequence[float], seeds: int = 1) -> bool:
    """Tell whether no answer came for so many seeds, and these are half of them or more."""
    return times.count(inf) >= seeds and statistics.median(times) == inf


def tables(remarks: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table for each kind, each line of it a board.

    A cell is the median (worst) of the seeds in seconds; the fastest is bold. The ratio is
    ours to the least of the others, median to median (worst to worst).
    """
    versions = dict.fromkeys(row.version for row in rows)
    limits = sorted({row.limit for row in rows})
    yield from remarks
    yield f"{', '.join(versions)}; limit {' or '.join(f'{limit:g} s' for limit in limits)}"
    for kind in dict.fromkeys(row.kind for row in rows):
        members = [row for row in rows if row.kind == kind]
        solvers = list(dict.fromkeys(row.solver for row in members if row.solver != WHOLE))
        yield ""
        yield f"| {kind}, n | {' | '.join(solvers)} | ratio | {WHOLE} | seeds, tours |"
        yield "|---" * (len(solvers) + 4) + "|"
        for side in sorted({row.side for row in members}):
            yield _line(side, solvers, [row for row in members if row.side == side])


def _line(side: int, solvers: Sequence[str], rows: Sequence[Row]) -> str:
    every = {row.solver: _times(rows, row.solver) for row in rows}
    medians = {solver: statistics.median(times) for solver, times in every.items()}
    worst = {solver: max(times) for solver, times in every.items()}
    limit = max(row.limit for row in rows)
    cells = {}
    for solver in (*solvers, WHOLE):
        cells[solver] = _seconds(medians[solver], limit) if solver in medians else "-"
        if medians.get(solver, inf) < inf:
            cells[solver] += f" ({_seconds(worst[solver], limit)})"
    fastest = min(solvers, key=lambda solver: medians.get(solver, inf))
    if medians.get(fastest, inf) < inf:
        cells[fastest] = f"**{cells[fastest]}**"
    ratio = f"{_ratio(medians, solvers)} ({_ratio(worst, solvers)})"
    seeds = {row.seed for row in rows}
    tours = {row.seed for row in rows if row.answer == "found"}
    texts = [*(cells[solver] for solver in solvers), ratio, cells[WHOLE]]
    return f"| {side} | {' | '.join(texts)} | {len(seeds)}, {len(tours)} |"


def _times(rows: Sequence[Row], solver: str) -> list[float]:
    return [row.seconds for row in rows if row.solver == solver]


def _seconds(seconds: float, limit: float) -> str:
    if seconds == inf:
        return f"over {limit:g}"
    return f"{seconds:.1f}" if seconds >= 10 else f"{seconds:#.2g}"


def _ratio(times: dict[str, float], solvers: Sequence[str]) -> str:
    peers = (peer for peer in solvers if peer not in (OURS, CUTS) and peer in times)
    best = min(map(times.__getitem__, peers), default=inf)
    return f"{times.get(OURS, inf) / best:.2f}" if best < inf else "-"


def draw(rows: Sequence[Row], path: Path) -> None:
    """Draw seconds against n, a panel for each kind: the medians, and a band up to the worst."""
    import matplotlib.style
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullLocator, ScalarFormatter

    kinds = list(dict.fromkeys(row.kind for row in rows))
    solvers = dict.fromkeys((row.solver, row.version) for row in rows)
    with matplotlib.rc_context({**STYLE, **matplotlib.style.library["tableau-colorblind10"]}):
        figure = Figure(figsize=(max(6.0, 4.5 * len(kinds)), 4.8), layout="constrained")
        panels = figure.subplots(1, len(kinds), squeeze=False, sharey=True)[0]
        for axes, kind in zip(panels, kinds, strict=True):
            members = [row for row in rows if row.kind == kind]
            for place, (solver, version) in enumerate(solvers):
                _curve(axes, place, f"{solver} ({version})", _points(members, solver))
            axes.set(title=f"{kind}, n x n", xlabel="n", xscale="log", yscale="log")
            sides = sorted({row.side for row in members})
            axes.set_xticks([side for side in sides if side < 16 or side % 8 == 0 or side > 40])
            axes.xaxis.set_major_formatter(ScalarFormatter())
            axes.xaxis.set_minor_locator(NullLocator())
            axes.tick_params(axis="x", labelsize="x-small")
        panels[0].set_ylabel("seconds: median, and up to the worst seed")
        legend(figure)
    path.write_bytes(render(figure, path.suffix[1:]))


def _points(rows: Sequence[Row], solver: str) -> list[tuple[int, float, float]]:
    """Return side, median and worst wherever there is a median; the worst may be the limit."""
    points = []
    for side in sorted({row.side for row in rows}):
        here = [row for row in rows if row.side == side and row.solver == solver]
        if here and not gave_up(times := _times(here, solver)):
            points.append((side, statistics.median(times), min(max(times), here[0].limit)))
    return points


def _curve(axes: Any, place: int, label: str, points: Sequence[tuple[int, float, float]]) -> None:
    sides, medians, worst = zip(*points, strict=True) if points else ((), (), ())
    look = {"marker": _MARKERS[place % len(_MARKERS)], "linestyle": LINES[place % len(LINES)]}
    (line,) = axes.plot(sides, medians, label=label, **look)
    axes.fill_between(sides, medians, worst, color=line.get_color(), alpha=0.15, linewidth=0)
