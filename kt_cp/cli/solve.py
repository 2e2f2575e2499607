"""``kt solve``: find a tour, or prove that there is none."""

from __future__ import annotations

import itertools
import json
import sys
from typing import Annotated

import typer

from kt_cp.board import Board, Topology
from kt_cp.cli.files import check_output, read_puzzle, write_bytes, write_lines
from kt_cp.cli.options import (
    BoardArgument,
    Closed,
    Draw,
    End,
    Forbid,
    Out,
    PieceOption,
    Require,
    Seed,
    Start,
    TimeLimit,
    TopologyOption,
    TourSymmetryOption,
    constraints_of,
)
from kt_cp.cli.progress import spinner
from kt_cp.count.enumeration import enumerate_tours
from kt_cp.draw.output import check_picture, draw_tour
from kt_cp.errors import InputError
from kt_cp.notation import Notation, json_lines, tour_bytes, write_graph, write_tour
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.instance import Constraints, Instance
from kt_cp.solving import Result, solve_instance
from kt_dfs import Status

EXIT_CODES = {Status.FOUND: 0, Status.IMPOSSIBLE: 1, Status.UNKNOWN: 3}


def solve_command(
    board: BoardArgument,
    closed: Closed = False,
    start: Start = None,
    end: End = None,
    require: Require = None,
    forbid: Forbid = None,
    symmetry: TourSymmetryOption = None,
    unique: Annotated[
        bool, typer.Option("--unique", help="is there exactly one? shows two if not")
    ] = False,
    piece: PieceOption = "knight",
    topology: TopologyOption = Topology.FLAT,
    method: Annotated[str, typer.Option(help="one of those that 'kt methods' lists")] = "auto",
    time_limit: TimeLimit = None,
    workers: Annotated[int, typer.Option(help="threads of the solver")] = 1,
    seed: Seed = 0,
    notation: Annotated[
        Notation | None,
        typer.Option(
            "--format", help="how the tour is written; hcp: the graph, to solve elsewhere"
        ),
    ] = None,
    out: Out = None,
    draw: Draw = None,
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    The map may hold step numbers: the tour visits those squares at those steps.

    Exit code 0: a tour was found; 1: there is none (or more than one, with --unique); 2: the input
    makes no sense; 3: no answer.
    """
    if notation is None:
        notation = Notation.NPY if out is not None and out.endswith(".npy") else Notation.GRID
    the_board, givens = read_puzzle(board, piece, topology)
    check_output(out)
    if draw is not None:
        check_picture(draw)
        if unique or notation is Notation.HCP:
            raise InputError("--draw: not with --unique or --format hcp, which give no one tour")
    constraints = constraints_of(the_board, givens, closed, start, end, require, forbid, symmetry)
    if notation is Notation.HCP:  # a problem for another solver: nothing is solved here
        if unique or Instance(the_board, **constraints) != Instance(the_board, closed=True):
            raise InputError(
                "--format hcp: the graph asks for any closed tour; give --closed, no constraints"
            )
        write_lines(write_graph(the_board), out)
        return 0
    if unique:
        if method not in ("auto", "circuit"):
            raise InputError(f"--unique: method {method} cannot tell; leave --method out")
        return _solve_unique(the_board, constraints, time_limit, notation, out)
    with spinner(f"solving {the_board.title}"):
        result = solve_instance(
            Instance(the_board, **constraints),
            time_limit=time_limit,
            workers=workers,
            seed=seed,
            method=method,
        )
    if notation is Notation.JSON:
        write_lines(json_lines(result.fields), out)
    elif result.tour is not None:
        write_bytes(tour_bytes(result.tour, notation), out)
    if draw is not None and result.tour is not None:
        draw_tour(result.tour, draw)
    print(_summary(result), file=sys.stderr)
    return EXIT_CODES[result.status]


def _summary(result: Result) -> str:
    if result.tour is None:
        return f"{result.status.value}: {result.reason}"
    how = f"by {result.method} in {result.seconds:.2f} s"
    return f"{result.status.value}: {result.tour.summary}, {how}"


def _solve_unique(
    board: Board,
    constraints: Constraints,
    time_limit: float | None,
    notation: Notation,
    out: str | None,
) -> int:
    """Write the only tour, or two of several with a blank line between them."""
    tours = []
    with spinner(f"solving {board.title}"):
        try:
            for tour in itertools.islice(
                enumerate_tours(board, time_limit=time_limit, **constraints), 2
            ):
                tours.append(tour)
            verdict, code = _unique_verdict(board, constraints, len(tours))
        except OutOfTime:
            found = "one tour was" if tours else "no tour was"
            verdict, code = f"unknown: {found} found when the time limit was reached", 3
    if notation is Notation.JSON:
        unique = None if code == 3 else len(tours) == 1
        answer = {"unique": unique, "tours": [tour.squares.tolist() for tour in tours]}
        write_lines([json.dumps({**answer, "board": board.as_dict()})], out)
    elif tours:
        lines = itertools.chain.from_iterable(["", *write_tour(tour, notation)] for tour in tours)
        write_lines(itertools.islice(lines, 1, None), out)
    print(verdict, file=sys.stderr)
    return code


def _unique_verdict(board: Board, constraints: Constraints, count: int) -> tuple[str, int]:
    if count == 1:
        return "unique: this is the only tour", 0
    if count == 0:
        return _summary(solve_instance(Instance(board, **constraints))), 1
    return "not unique: these are two of the tours", 1
