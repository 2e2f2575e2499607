"""Make and check certificates, and print a Markdown table of their steps, bytes and seconds.

    python scripts/bench_proofs.py [--random 1000] [--seed 1] [--write]

Each row is a family of instances without a tour; the last one consists of random boards with holes,
with as many dark as light squares and two moves at every square, that have no closed tour.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board, Status, check
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.proof.producer import NoCertificateError, make_certificate
from kt_cp.solving import solve
from scripts.document import origin, print_lines, write_section

LIMIT = 10.0


def closed(rows: int, columns: int, piece: str = "knight") -> Instance:
    """Return the instance of a closed tour of a rectangle."""
    return Instance(Board(rows, columns, piece=piece), closed=True)


def pairs_of_ends(rows: int, columns: int) -> Iterator[Instance]:
    """Yield the pairs of ends between which a board has no open tour."""
    for start, end in itertools.combinations(range(rows * columns), 2):
        instance = Instance(Board(rows, columns), start=start, end=end)
        if solve(instance).status is Status.IMPOSSIBLE:
            yield instance


def random_boards(count: int, seed: int) -> Iterator[Instance]:
    """Yield plausible boards of sides 6 to 20 with 5 to 25 % holes that have no closed tour."""
    rng = random.Random(seed)
    while count:
        rows, columns = rng.randint(6, 20), rng.randint(6, 20)
        share = rng.uniform(0.05, 0.25)
        holes = rng.sample(range(rows * columns), int(share * rows * columns))
        board = Board(rows, columns, holes)
        dark = int(board.dark(board.squares).sum())
        if 2 * dark != len(board):
            continue  # most boards: more squares of one color
        moves = np.bincount(board.arcs[:, 0], minlength=board.area)[board.squares]
        if moves.min() >= 2:
            instance = Instance(board, closed=True)
            result = solve(instance, method="cuts", time_limit=LIMIT)
            if result.status is Status.IMPOSSIBLE:
                count -= 1
                yield instance


def families(count: int, seed: int) -> dict[str, Iterator[Instance]]:
    """Return the families by name."""
    short = [(r, c) for r in range(1, 13) for c in range(r, 13)]
    exceptions = [
        (r, c) for r, c in short if r * c % 2 or r in (1, 2, 4) or (r == 3 and c in (4, 6, 8))
    ]
    odd = itertools.combinations_with_replacement(range(3, 41, 2), 2)
    return {
        "Schwenk's exceptions, sides up to 12, closed": (closed(*sides) for sides in exceptions),
        "3 x 4, 3 x 6, 3 x 8, closed": (closed(3, columns) for columns in (4, 6, 8)),
        "4 x n, n up to 40, closed": (closed(4, columns) for columns in range(4, 41)),
        "odd x odd, 3 to 39, closed": (closed(*sides) for sides in odd),
        "5 x 5, pairs of ends": pairs_of_ends(5, 5),
        "5 x 6, pairs of ends": pairs_of_ends(5, 6),
        "giraffe, 11 x 11, open": iter([Instance(Board(11, 11, piece="giraffe"))]),
        "giraffe, 4 x n, n from 5 to 40, closed": (closed(4, n, "giraffe") for n in range(5, 41)),
        "giraffe, 5 x 18 and 5 x 20, closed": (closed(5, n, "giraffe") for n in (18, 20)),
        f"{count} random boards with holes, closed": random_boards(count, seed),
    }


def row(name: str, instances: Iterator[Instance]) -> str:
    """Make and check the certificates of a family, and return its row of the table."""
    steps, sizes, making, checking = [], [], [], []
    failed = 0
    for instance in instances:
        started = time.perf_counter()
        try:
            certificate = make_certificate(instance, Clock(LIMIT))
        except NoCertificateError:
            failed += 1
            continue
        made = time.perf_counter()
        if not check(certificate):
            raise AssertionError(f"a certificate does not hold: {instance}")
        checking.append(time.perf_counter() - made)
        making.append(made - started)
        steps.append(len(certificate.steps))
        sizes.append(len("\n".join(certificate.lines())))
    figures = [f"{statistics.median(each):.4g} ({max(each):.4g})" for each in (making, checking)]
    counts = [f"{statistics.median(each):.0f} ({max(each):,})" for each in (steps, sizes)]
    return f"| {name} | {len(steps)} of {len(steps) + failed} | {' | '.join(counts + figures)} |"


def table(random: int, seed: int) -> Iterator[str]:
    """Yield the lines of the table, with this number of random boards."""
    yield "| family, median (worst) | certificates | steps | bytes | s to make | s to check |"
    yield "|---|---|---|---|---|---|"
    for name, instances in families(random, seed).items():
        yield row(name, instances)


def main() -> None:
    """Print the table, or write it into the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=1000, help="random boards")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    arguments = parser.parse_args()
    lines = print_lines(table(arguments.random, arguments.seed))
    if arguments.write:
        command = f"scripts/bench_proofs.py --random {arguments.random} --seed {arguments.seed}"
        write_section("bench_proofs", [origin(command, ["python-sat"]), "", *lines])


if __name__ == "__main__":
    main()
