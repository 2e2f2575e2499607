"""Tours of boards of many shapes and sizes: seconds, memory and answers, beside clingo and Choco.

    python scripts/bench_shapes.py                                     # ten minutes
    python scripts/bench_shapes.py --sizes 300 --shapes disc ring --kinds closed --seeds 3
    python scripts/bench_shapes.py --write             # into docs/benchmarks.md, with the picture

Every run is a process of its own. Seconds are processor time of `solve`, imports aside, so that
other work on the machine does not count, and limits are limits of that. Our method is auto,
but patch on full boards, which auto would compose. The peers get the boards of the first
seed, and no ends.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board, solve
from kt_cp.graph_algorithms import component_labels
from kt_cp.methods.table import METHODS
from kt_cp.workers import become_worker
from scripts.document import origin, print_lines, write_section

Mask = npt.NDArray[np.bool_]

KINDS = ("closed", "open", "two ends")

PEERS = ("clingo", "choco")

# On larger sides the peers take minutes.
MAX_PEER_SIDE = 60

# Seconds of processor time that a run of ours and of a peer may take.
LIMIT, PEER_LIMIT = 120, 10

PICTURE = Path(__file__).parent.parent / ".images" / "disc.svg"

# Underlined, so that the board is connected.
_LETTERS = """
#...#.#####
#..#....#..
#.#.....#..
##......#..
#.#.....#..
#..#....#..
#...#...#..
###########
"""


def holes(share: float) -> Callable[[int, np.random.Generator], Mask]:
    """Return a shape: a square with holes anywhere."""
    return lambda side, rng: rng.random((side, side)) >= share


def disc(side: int, rng: np.random.Generator) -> Mask:
    """Return a disc of that diameter."""
    return _from_center(side) <= side / 2


def ring(side: int, rng: np.random.Generator) -> Mask:
    """Return a disc without the disc of half its diameter inside."""
    return disc(side, rng) & (_from_center(side) > side / 4)


def _from_center(side: int) -> npt.NDArray[np.float64]:
    """Return the distance of each square from the center of a square board."""
    away = np.arange(side) - (side - 1) / 2
    return np.asarray(np.hypot(away[:, None], away))


def comb(side: int, rng: np.random.Generator) -> Mask:
    """Return a back of five rows, with teeth four columns wide and two apart."""
    rows, columns = np.indices((side, side))
    return (rows < 5) | (columns % 6 < 4)


def spiral(side: int, rng: np.random.Generator) -> Mask:
    """Return a corridor three squares wide that runs inwards, walls two squares thick beside it."""
    mask = np.zeros((side, side), dtype=np.bool_)
    top, left, bottom, right = 0, 0, side, side
    while bottom - top >= 3 and right - left >= 3:
        mask[top : top + 3, left:right] = True
        mask[top:bottom, right - 3 : right] = True
        mask[bottom - 3 : bottom, left:right] = True
        mask[top + 5 : bottom, left : left + 3] = True
        if bottom - top >= 13:  # the corridor goes on inwards
            mask[top + 5 : top + 8, left : left + 8] = True
        top, left, bottom, right = top + 5, left + 5, bottom - 5, right - 5
    return mask


def letters(side: int, rng: np.random.Generator) -> Mask:
    """Return the letters KT, underlined, in strokes of six squares or more."""
    pixels = [[pixel == "#" for pixel in row] for row in _LETTERS.split()]
    scale = 2 * max(3, side // (2 * len(pixels[0])))
    return np.kron(np.array(pixels), np.ones((scale, scale), dtype=np.bool_))


SHAPES: dict[str, Callable[[int, np.random.Generator], Mask]] = {
    "full": holes(0),
    "holes-5": holes(0.05),
    "holes-15": holes(0.15),
    "holes-25": holes(0.25),
    "disc": disc,
    "ring": ring,
    "comb": comb,
    "spiral": spiral,
    "letters": letters,
}


def tidy(mask: Mask, rng: np.random.Generator) -> Board:
    """Return the board of a shape, to which holes are added until it may have a closed tour.

    It is then connected, has as many dark as light squares, and two moves at every square.
    """
    while True:
        board = Board(len(mask), mask.shape[1], np.flatnonzero(~mask).tolist())
        labels = component_labels(board.area, board.arcs)
        largest = labels == np.bincount(labels[board.squares]).argmax()
        moves = np.bincount(board.arcs[:, 0], minlength=board.area)
        poor = board.mask & (~largest | (moves < 2))
        if not poor.any():
            is_dark = board.dark(board.squares)
            dark, light = board.squares[is_dark], board.squares[~is_dark]
            if len(dark) == len(light):
                return board
            larger = max(dark, light, key=len)
            extra = rng.choice(larger, abs(len(dark) - len(light)), replace=False)
            poor[extra] = True
        mask = mask & ~board.grid(poor)


# The sizes, the shapes of that size, and how many seeds of each; other sizes get all shapes once.
PLAN: dict[int, tuple[tuple[str, ...], int]] = {
    60: (tuple(SHAPES), 2),
    100: (tuple(SHAPES), 2),
    200: (("disc",), 2),
    300: (("full", "holes-5", "holes-15", "disc"), 1),
    1000: (("holes-5",), 1),
}


@dataclass(frozen=True)
class Task:
    """A tour to find: of what kind, on a board of what shape."""

    kind: str
    side: int
    seed: int
    shape: str

    @cached_property
    def board(self) -> Board:
        """The board."""
        rng = np.random.default_rng([self.side, self.seed])
        return tidy(SHAPES[self.shape](self.side, rng), rng)

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The start and the end, of different colors, where two ends are asked for."""
        if self.kind != "two ends":
            return None, None
        rng, squares = np.random.default_rng(self.seed), self.board.squares
        dark = self.board.dark(squares)
        return int(rng.choice(squares[dark])), int(rng.choice(squares[~dark]))


class Measurement(NamedTuple):
    """One run: the answer, processor seconds, and the most memory it took, in GiB."""

    answer: str = "unknown"
    seconds: float = math.inf
    memory: float = math.nan


def run(task: Task, method: str, limit: float) -> Measurement:
    """Solve a board in a new process, which ends after ``limit`` seconds of processor time."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_report, args=(sender, task, method, limit))
    process.start()
    sender.close()
    try:
        answer: Measurement = receiver.recv()
    except EOFError:
        answer = Measurement()
    process.join()
    return answer


def _report(sender: Connection, task: Task, method: str, limit: float) -> None:
    """Do one run in this process, and send its measurement."""
    for module in ("ortools.graph.python.max_flow", "pysat.solvers"):
        import_module(module)  # not part of the time
    # As a worker this process starts no other: the time of clingo and Choco is its own.
    become_worker(lambda message: None)
    METHODS[method].load()
    board, (start, end) = task.board, task.ends
    begin = time.process_time()
    last = math.ceil(begin + limit)
    resource.setrlimit(resource.RLIMIT_CPU, (last, last))
    closed = task.kind == "closed"
    result = solve(board, closed=closed, start=start, end=end, method=method, seed=task.seed)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # Linux counts kibibytes
    sender.send(Measurement(result.status.value, seconds, peak))


def table(sizes: list[int], shapes: list[str], kinds: list[str], seeds: int) -> Iterator[str]:
    """Yield the lines of the table as they are measured."""
    yield f"| shape | n | squares | tour | kt | answers | GiB | {' | '.join(PEERS)} |"
    yield "|---|---|---|---|---|---|---|" + "---|" * len(PEERS)
    for size in sizes:
        planned_shapes, planned_seeds = PLAN.get(size, (tuple(SHAPES), 1))
        for shape in shapes or planned_shapes:
            for kind in kinds:
                tasks = [Task(kind, size, seed, shape) for seed in range(seeds or planned_seeds)]
                yield _line(tasks)


def _line(tasks: list[Task]) -> str:
    """Return the row of the table for tasks that differ only in their seeds."""
    first = tasks[0]
    ours = "patch" if first.shape == "full" else "auto"
    runs = [run(task, ours, LIMIT) for task in tasks]
    answers = Counter(each.answer for each in runs)
    tried_peers = PEERS if first.side <= MAX_PEER_SIDE and first.kind != "two ends" else ()
    cells = [
        first.shape,
        str(first.side),
        f"{max(len(task.board) for task in tasks):,}",
        first.kind,
        _times(runs, LIMIT),
        ", ".join(f"{count} {answer}" for answer, count in answers.most_common()),
        f"{max(each.memory for each in runs):.2f}",
        *(_times([run(first, peer, PEER_LIMIT)], PEER_LIMIT) for peer in tried_peers),
    ]
    cells += ["-"] * (len(PEERS) - len(tried_peers))
    return f"| {' | '.join(cells)} |"


def _times(runs: list[Measurement], limit: float) -> str:
    """Return the median of the seconds and, for several runs, the maximum in parentheses."""
    times = [each.seconds for each in runs]
    if len(times) == 1:
        return _time(times[0], limit)
    return f"{_time(median(times), limit)} ({_time(max(times), limit)})"


def _time(seconds: float, limit: float) -> str:
    """Return seconds with two digits, or that they are over the limit."""
    return f"over {limit}" if seconds == math.inf else f"{seconds:.2g}"


def draw_disc() -> None:
    """Draw a tour of a disc."""
    tour = solve(Task("closed", 60, 0, "disc").board, closed=True, seed=1).tour
    assert tour is not None
    tour.draw(PICTURE, style="order")


def main() -> None:
    """Read the options, print the table as it grows, and write it if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=[])
    parser.add_argument("--sizes", nargs="+", type=int, default=[*PLAN])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    arguments = parser.parse_args()
    lines = print_lines(table(arguments.sizes, arguments.shapes, arguments.kinds, arguments.seeds))
    if arguments.write:
        how = origin("scripts/bench_shapes.py", ["python-sat", "clingo", "pychoco"])
        write_section("bench_shapes", [how, "", *lines])
        draw_disc()


if __name__ == "__main__":
    main()
