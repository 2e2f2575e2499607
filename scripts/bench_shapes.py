"""Tours of boards of many shapes and sizes: seconds, memory and answers, beside clingo and Choco.

    python scripts/bench_shapes.py                       # all shapes of up to 100 x 100
    python scripts/bench_shapes.py --sizes 300 1000 --shapes holes-5 --seeds 3
    python scripts/bench_shapes.py --sizes 60 --peers clingo choco --draw disc.svg

Every run of ours is a process of its own. Its seconds are processor time of `solve` with the method
auto, imports aside, so that other work on the machine does not count. The peers get the same boards
and no ends. No board is a full rectangle of the
knight, which is composed, but that without holes is patched here as well.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board, Tour, solve
from kt_cp.compare.run.environment import machine
from kt_cp.methods.table import METHODS
from kt_cp.problem.connectivity import component_labels

Mask = npt.NDArray[np.bool_]

KINDS = ("closed", "open", "two ends")

# Beyond this the peers take minutes.
PEERS_UP_TO = 60

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
    return _from_centre(side) <= side / 2


def ring(side: int, rng: np.random.Generator) -> Mask:
    """Return a disc without the disc of half its diameter inside."""
    return disc(side, rng) & (_from_centre(side) > side / 4)


def _from_centre(side: int) -> npt.NDArray[np.float64]:
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
    """Return the board of a shape, with holes made until it may have a closed tour.

    What is left is connected, has as many squares of either colour, and two moves at every square.
    """
    while True:
        board = Board(len(mask), mask.shape[1], np.flatnonzero(~mask).tolist())
        labels = component_labels(board.area, board.arcs)
        largest = labels == np.bincount(labels[board.squares]).argmax()
        moves = np.bincount(board.arcs[:, 0], minlength=board.area)
        poor = board.mask & (~largest | (moves < 2))
        if not poor.any():
            dark = board.dark(board.squares)
            surplus = 2 * int(dark.sum()) - len(dark)
            if surplus == 0:
                return board
            poor[rng.choice(board.squares[dark == (surplus > 0)], abs(surplus), False)] = True
        mask = mask & ~board.grid(poor)


@dataclass(frozen=True)
class Shape:
    """A tour of a shape: ``kind`` says of which sort, ``shape`` of which board."""

    kind: str
    side: int
    seed: int
    shape: str = "full"

    @property
    def closed(self) -> bool:
        """Whether the tour is closed."""
        return self.kind == "closed"

    @cached_property
    def board(self) -> Board:
        """The board."""
        rng = np.random.default_rng([self.side, self.seed])
        return tidy(SHAPES[self.shape](self.side, rng), rng)

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The start and the end, of different colours, where two ends are asked for."""
        if self.kind != "two ends":
            return None, None
        rng, squares = np.random.default_rng(self.seed), self.board.squares
        dark = self.board.dark(squares)
        return int(rng.choice(squares[dark])), int(rng.choice(squares[~dark]))


@dataclass(frozen=True)
class Row:
    """One run: the answer, processor seconds, and the most memory it took, in GiB."""

    squares: int
    answer: str
    seconds: float
    memory: float


def measure(task: Shape, limit: float, method: str) -> Row:
    """Solve a board. Made for a new process, as memory is counted by process."""
    for module in ("ortools.graph.python.max_flow", "pysat.solvers"):
        import_module(module)  # not part of the time

    METHODS[method].load()
    board, (start, end) = task.board, task.ends
    begin = time.process_time()
    result = solve(
        board,
        closed=task.closed,
        start=start,
        end=end,
        method=method,
        seed=task.seed,
        time_limit=limit,
    )
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # Linux counts kibibytes
    return Row(len(board), result.status.value, seconds, peak)


def main() -> None:
    """Read the options, print the table as it grows, and draw the first tour if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=[*SHAPES])
    parser.add_argument("--sizes", nargs="+", type=int, default=[60, 100])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--peers", nargs="*", default=[], choices=METHODS, help="other methods")
    parser.add_argument("--draw", type=Path, help="a picture of the first closed tour")
    args = parser.parse_args()
    print(machine())
    print("| shape | n | squares | tour | kt | answers | GiB |", *(f"{p} |" for p in args.peers))
    print("|---|---|---|---|---|---|---|" + "---|" * len(args.peers))
    for size in args.sizes:
        for shape in args.shapes:
            for kind in args.kinds:
                tasks = [Shape(kind, size, seed, shape) for seed in range(args.seeds)]
                print(_line(tasks, args.limit, args.peers), flush=True)
    if args.draw:
        board = Shape("closed", args.sizes[0], 0, args.shapes[0]).board
        tour = solve(board, closed=True).tour
        if isinstance(tour, Tour):
            tour.draw(args.draw)


def _line(tasks: list[Shape], limit: float, peers: list[str]) -> str:
    rows = _measure_apart(tasks, limit, "patch" if tasks[0].shape == "full" else "auto")
    answers = Counter(row.answer for row in rows)
    cells = [
        tasks[0].shape,
        str(tasks[0].side),
        f"{max(row.squares for row in rows):,}",
        tasks[0].kind,
        _times([row.seconds for row in rows]),
        ", ".join(f"{count} {answer}" for answer, count in answers.most_common()),
        f"{max(row.memory for row in rows):.2f}",
    ]
    for peer in peers:
        small = tasks[0].side <= PEERS_UP_TO and tasks[0].kind != "two ends"
        times = [row.seconds for row in _measure_apart(tasks, limit, peer)] if small else []
        cells.append(_times(times) if times else "-")
    return f"| {' | '.join(cells)} |"


def _measure_apart(tasks: list[Shape], limit: float, method: str) -> list[Row]:
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        return [pool.apply(measure, (task, limit, method)) for task in tasks]


def _times(seconds: list[float]) -> str:
    return f"{median(seconds):.2g} ({max(seconds):.2g})"


if __name__ == "__main__":
    main()
