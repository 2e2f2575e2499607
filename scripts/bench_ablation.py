"""Measure what each choice of the circuit model is worth: parameters of CP-SAT, hints, symmetry.

    python scripts/bench_ablation.py --write

Prints two Markdown tables, and with ``--write`` puts them into docs/modeling.md. Times are
processor seconds of one worker, model building included: medians over the seeds. A search without
an answer was given up after ten units of CP-SAT's deterministic time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from math import inf, isinf, isnan, nan
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board, Instance, Status, count_tours
from kt_cp.methods.circuit import answer
from kt_cp.model.backend import Solver, solutions
from kt_cp.model.circuit import (
    add_circuit,
    break_reversal,
    break_symmetry,
    hint_cycles,
)
from kt_cp.model.parameters import ARCS_FIRST, CLAUSES, CUTS, VARIETY, Parameters
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.clock import Clock
from kt_cp.problem.symmetry import tour_maps
from kt_cp.problem.task import Task
from kt_cp.sat.two_factors import cycle_covers
from scripts.document import origin, print_lines, write_section

GUIDE = Path(__file__).parent.parent / "docs" / "modeling.md"

NO_PRESOLVE: Parameters = {"cp_model_presolve": False}
NO_LP: Parameters = {**NO_PRESOLVE, "linearization_level": 0}

TWO_FACTOR_HINT = "and a hint: the cycles of a 2-factor"
JOINED_HINT = "and a hint: a 2-factor joined to two cycles"
LP_SETTING = "without presolve, with the LP and its cuts"
CIRCUIT_METHOD = "quick searches, then both in turns: `--method circuit`"

# The parameters of each setting; the circuit method has its own.
SETTINGS: dict[str, Parameters] = {
    "the defaults of CP-SAT": {},
    "without presolve": NO_PRESOLVE,
    "and without the LP": NO_LP,
    "and without probing": CLAUSES,
    "and random polarity now and then": {**CLAUSES, **VARIETY},
    "and without inprocessing, each decision using an arc": ARCS_FIRST,
    TWO_FACTOR_HINT: {**CLAUSES, **VARIETY},
    JOINED_HINT: {**CLAUSES, **VARIETY},
    LP_SETTING: CUTS,
    CIRCUIT_METHOD: {},
}

# The number of cycles that a hint has at most; None: all those of a 2-factor.
HINTED_CYCLES: dict[str, int | None] = {TWO_FACTOR_HINT: None, JOINED_HINT: 2}

# On more squares the LP alone takes minutes.
MAX_LP_SQUARES = 1_000

BOARDS = {
    "closed 8×8": Instance(Board(8, 8), closed=True),
    "closed 16×16": Instance(Board(16, 16), closed=True),
    "closed 24×24": Instance(Board(24, 24), closed=True),
    "closed 40×40": Instance(Board(40, 40), closed=True),
    "closed 60×60": Instance(Board(60, 60), closed=True),
    "open 16×16": Instance(Board(16, 16)),
    "no closed 4×16": Instance(Board(4, 16), closed=True),
    "no open 9×9 from b9": Instance.of(Board(9, 9), start="b9", end="a9"),
}


def circuit_model(instance: Instance, both_directions: bool = False) -> CircuitModel:
    """Return the circuit model of an instance; of a closed tour usually one direction is kept."""
    model = CircuitModel(instance)
    if instance.closed and not both_directions:
        break_reversal(model)
    add_circuit(model)
    return model


def seconds(setting: str, instance: Instance, seed: int, limit: float) -> float:
    """Return the processor seconds until the answer.

    They are infinite if the limit came first, and not a number if there is no 2-factor to hint. The
    limit is in CP-SAT's deterministic time, so that a busy machine changes no answer.
    """
    began = time.process_time()
    if setting == CIRCUIT_METHOD:
        status = answer(Task(instance, Clock(10 * limit), seed=seed)).status
    else:
        model = circuit_model(instance)
        if setting in HINTED_CYCLES:
            cycles = next(cycle_covers(instance, Clock(), seed, HINTED_CYCLES[setting]), None)
            if cycles is None:
                return nan
            hint_cycles(model, cycles)
        parameters = {**SETTINGS[setting], "max_deterministic_time": limit}
        status = Solver(parameters, Clock(), seed=seed).solve(model.cp)
    return inf if status is Status.UNKNOWN else time.process_time() - began


def settings_table(seeds: int, limit: float) -> Iterator[str]:
    """Yield the lines of the table of settings and boards. The LP is not tried on large ones."""
    yield "| setting | " + " | ".join(BOARDS) + " |"
    yield "|---" * (1 + len(BOARDS)) + "|"
    for setting in SETTINGS:
        cells = []
        for instance in BOARDS.values():
            if setting == LP_SETTING and len(instance.board) > MAX_LP_SQUARES:
                cells.append("–")
                continue
            times = [seconds(setting, instance, seed, limit) for seed in range(seeds)]
            median = statistics.median_low(times)
            if isinf(median):
                cells.append("no answer")
            elif isnan(median):
                cells.append("no 2-factor")
            else:
                cells.append(f"{median:.3f}")
        yield f"| {setting} | " + " | ".join(cells) + " |"


def symmetry_table() -> Iterator[str]:
    """Yield the lines of the table of enumeration with and without breaking symmetry."""
    yield "| closed tours of 6×6 | solutions | seconds |"
    yield "|---|---|---|"
    instance = Instance(Board(6, 6), closed=True)
    for label, both_directions, breaks_symmetry in (
        ("every tour in both directions", True, False),
        ("one direction", False, False),
        ("and lex-leader on 32 edges", False, True),
    ):
        began = time.process_time()
        model = circuit_model(instance, both_directions=both_directions)
        if breaks_symmetry:
            break_symmetry(model, tour_maps(instance))
        variables = 1 + int(model.arcs.literals.max())
        found = sum(len(batch) for batch in solutions(model.cp, variables, Clock()))
        yield f"| {label} | {found:,} | {time.process_time() - began:.2f} |"
    began = time.process_time()
    classes = count_tours("6x6", closed=True, up_to_symmetry=True, method="enumerate").count
    yield f"| up to symmetry, `kt count` | {classes:,} | {time.process_time() - began:.2f} |"


def main() -> None:
    """Measure, print and, if asked for, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=10, help="deterministic time")
    parser.add_argument("--write", action="store_true", help="write into docs/modeling.md")
    arguments = parser.parse_args()
    settings = print_lines(settings_table(arguments.seeds, arguments.limit))
    symmetry = print_lines(symmetry_table())
    if arguments.write:
        lines = [origin("scripts/bench_ablation.py"), "", *settings, "", *symmetry]
        write_section("bench_ablation", lines, GUIDE)


if __name__ == "__main__":
    main()
