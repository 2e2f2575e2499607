"""Seconds to a tour of n x n by every declarative way there is, ours and others.

    pip install -e '.[bench]'
    python scripts/bench_peers.py --write          # into docs/benchmarks.md, with the picture
    python scripts/bench_peers.py --draw           # the picture of the tables there
    python scripts/bench_peers.py --sides 8 16 --seeds 10 --limit 20

These are comparisons as `kt compare` makes them: each run is a process of its own with one thread,
which has imported what it needs and solved a small board before. A method that has no answer to
half of the runs on a board is not run on larger boards of that kind. Seconds are those of the
processor, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board
from kt_cp.compare import Log, Record, RunStatus, compare, settings_of
from kt_cp.compare.report import PANEL_SIZE, STYLE, line_style, mark_sizes, render
from scripts.document import origin, read_section, write_section
from scripts.peers import add_circuit, lkh

T = TypeVar("T")

SIDES = (8, 12, 16, 20, 24, 32, 40, 60, 100)
OURS = ("auto", "circuit", "cuts", "patch")
METHODS = {name: name for name in (*OURS, "clingo", "choco")} | {
    "add_circuit": add_circuit,
    "LKH": lkh,
}
KINDS = ("closed", "open", "holes")
PICTURE = Path(__file__).parent.parent / ".images" / "peers.svg"


def board_with_holes(side: int, seed: int) -> Board:
    """Make n*n/40 holes of each color, redrawn until every square has two neighbors.

    >>> len(board_with_holes(10, seed=0))
    96
    """
    rng = random.Random(1000 * side + seed)
    row, column = np.divmod(np.arange(side * side), side)
    colors = [np.flatnonzero((row + column) % 2 == color).tolist() for color in (0, 1)]
    each = round(0.05 * side * side / 2)
    while True:
        holes = [hole for color in colors for hole in rng.sample(color, each)]
        board = Board(side, side, holes)
        neighbors = np.bincount(board.arcs[:, 0], minlength=board.area)
        if neighbors[board.squares].min() >= 2:
            return board


def measure(kind: str, sides: Sequence[int], seeds: int, limit: float) -> Log:
    """Run the methods on larger and larger boards, as long as they have answers."""
    methods = dict(METHODS)
    boards: dict[str, Board] = {}
    records: list[Record] = []
    kinds = ("open" if kind == "open" else "closed",)
    for side in sides:
        if kind == "holes":
            at_side = {
                f"{side}x{side} #{seed}": board_with_holes(side, seed) for seed in range(seeds)
            }
        else:
            at_side = {f"{side}x{side}": Board(side, side)}
        boards |= at_side
        repeat = 1 if kind == "holes" else seeds
        log = compare(boards=at_side, methods=methods, kinds=kinds, repeat=repeat, time_limit=limit)
        runs = [record for record in log.records if record.status is not RunStatus.UNSUPPORTED]
        records += runs
        tried = grouped(runs, lambda record: record.run.method)
        methods = {
            name: method
            for name, method in methods.items()
            if 2 * sum(run.solved for run in tried.get(name, [])) > len(tried.get(name, []))
        }
    settings = settings_of(boards=boards, methods=METHODS, kinds=kinds, time_limit=limit)
    return Log(settings, {}, "", tuple(records))


def table(kind: str, records: Sequence[Record]) -> Iterator[str]:
    """Yield the lines of a Markdown table: median (worst) seconds of each method on each board.

    The fastest are bold; a dash stands for a method that was not run.
    """
    yield f"| {kind}, n | {' | '.join(METHODS)} |"
    yield "|---" + "|--:" * len(METHODS) + "|"
    for side, at_side in grouped(records, side_of).items():
        times = seconds_by_method(at_side)
        best = min(map(statistics.median, times.values()))
        cells = (_cell(times.get(name, []), best) for name in METHODS)
        yield f"| {side} | {' | '.join(cells)} |"


def grouped(records: Iterable[Record], group: Callable[[Record], T]) -> dict[T, list[Record]]:
    """Return the records of each group, in the order in which the groups first occur."""
    groups: dict[T, list[Record]] = defaultdict(list)
    for record in records:
        groups[group(record)].append(record)
    return dict(groups)


def side_of(record: Record) -> int:
    """Return the side of a record's board."""
    return int(record.run.board.split("x")[0])


def seconds_by_method(records: Sequence[Record]) -> dict[str, list[float]]:
    """Return the seconds of each method's runs, infinite where it has no answer."""
    runs = grouped(records, lambda record: record.run.method)
    return {name: [*map(seconds, runs[name])] for name in runs}


def seconds(record: Record) -> float:
    """Return the processor time of a run, infinite where it has no answer."""
    return record.cpu_seconds if record.solved else inf


def _cell(times: Sequence[float], best: float) -> str:
    """Return a cell of the table: median (worst), in bold type if no printed median is less."""
    if not times:
        return "–"
    median = statistics.median(times)
    text = f"{_format_seconds(median)} ({_format_seconds(max(times))})"
    is_best = best < inf and _format_seconds(median) == _format_seconds(best)
    return f"**{text}**" if is_best else text


def _format_seconds(seconds: float) -> str:
    """Return seconds with two significant digits or one decimal, or a dash for no answer."""
    if seconds == inf:
        return "–"
    return f"{seconds:.1f}" if seconds >= 10 else f"{seconds:#.2g}"


def where_others_win(kind: str, records: Sequence[Record]) -> str:
    """Return the sentence that says on which boards another solver is faster than ``auto``.

    Times that are printed alike are a tie.
    """
    wins: dict[str, list[str]] = {}
    for side, at_side in grouped(records, side_of).items():
        medians = {name: statistics.median(t) for name, t in seconds_by_method(at_side).items()}
        others = medians.keys() - set(OURS)
        if not others:
            continue
        first = min(others, key=lambda name: (medians[name], name))
        ours = medians.get("auto", inf)
        is_tie = _format_seconds(medians[first]) == _format_seconds(ours)
        if medians[first] < ours and not is_tie:
            wins.setdefault(first, []).append(f"{side} × {side}")
    texts = [f"{name} at {', '.join(sides)}" for name, sides in wins.items()]
    return f"- {kind}: {'; '.join(texts) or 'none'}"


def section(logs: dict[str, Log], seeds: int, limit: float) -> Iterator[str]:
    """Yield the lines of the document."""
    packages = ("python-sat", "clingo", "pychoco", "elkai")
    yield origin("scripts/bench_peers.py --write", packages)
    yield f"Processor seconds, median (worst) of {seeds} seeds; limit {limit:g} s."
    yield from ("", "Where another solver is faster than `auto`:", "")
    yield from (where_others_win(kind, log.records) for kind, log in logs.items())
    yield from ("", "<details><summary>Seconds of each solver</summary>")
    for kind, log in logs.items():
        yield ""
        yield from table(kind, log.records)
    yield from ("", "</details>")


_KINDS_DRAWN = ("closed", "open")
_CELL = re.compile(r"\**([\d.]+) \(([\d.]+|–)\)\**")  # median (worst), as `_cell` writes them


class Point(NamedTuple):
    """The median and the worst seconds on boards of a number of squares."""

    squares: int
    median: float
    worst: float


def points_in_tables(lines: Iterable[str]) -> dict[str, dict[str, list[Point]]]:
    """Return the points of each method by kind of tour, read from the tables of the document.

    A point without a median is left out; a worst run without an answer counts as the median.

    >>> points_in_tables(["| open, n | auto | LKH |", "|---|--:|--:|", "| 8 | **1.5 (2.0)** | – |"])
    {'open': {'auto': [Point(squares=64, median=1.5, worst=2.0)], 'LKH': []}}
    """
    points: dict[str, dict[str, list[Point]]] = {}
    of_kind: dict[str, list[Point]] = {}
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].endswith(", n"):
            of_kind = points[cells[0].removesuffix(", n")] = {name: [] for name in cells[1:]}
        elif cells[0].isdecimal():
            for each, cell in zip(of_kind.values(), cells[1:], strict=True):
                if found := _CELL.fullmatch(cell):
                    median = float(found[1])
                    worst = median if found[2] == "–" else float(found[2])
                    each.append(Point(int(cells[0]) ** 2, median, worst))
    return points


def picture(lines: Iterable[str]) -> bytes:
    """Return the plot of seconds against squares of the tables, of boards without holes."""
    import matplotlib
    from matplotlib.figure import Figure

    points = points_in_tables(lines)
    kinds = [kind for kind in _KINDS_DRAWN if kind in points]
    width, height = PANEL_SIZE
    with matplotlib.rc_context(STYLE):
        figure = Figure((width, 1.2 + height * len(kinds)), layout="constrained")
        panels = figure.subplots(len(kinds), 1, sharex=True, squeeze=False)[:, 0]
        for axes, kind in zip(panels, kinds, strict=True):
            axes.set(title=f"{kind} tours", ylabel="processor seconds", xscale="log", yscale="log")
            for number, (name, each) in enumerate(points[kind].items()):
                squares, medians, worst = np.array(each).reshape(-1, 3).T
                bars = [np.zeros(len(each)), worst - medians]
                axes.errorbar(squares, medians, bars, capsize=3, **line_style(number, name))
        panels[-1].set_xlabel("squares")
        mark_sizes(panels[-1])
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
        return render(figure)


def main() -> None:
    """Measure and print, and write the document and the picture if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sides", nargs="+", type=int, default=SIDES)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for each run")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the document and the picture")
    parser.add_argument(
        "--draw", action="store_true", help="draw the tables of the document, without measuring"
    )
    arguments = parser.parse_args()
    if arguments.draw:
        PICTURE.write_bytes(picture(read_section("bench_peers")))
        return
    logs = {}
    for kind in arguments.kinds:
        logs[kind] = measure(kind, sorted(arguments.sides), arguments.seeds, arguments.limit)
        print(*table(kind, logs[kind].records), sep="\n", flush=True)
    lines = [*section(logs, arguments.seeds, arguments.limit)]
    print("", *lines, sep="\n")
    if arguments.write:
        write_section("bench_peers", lines)
        PICTURE.write_bytes(picture(lines))


if __name__ == "__main__":
    main()
