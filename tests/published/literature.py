"""Recompute what the literature says about tours: how many there are, and where there are none."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cache

from kt_cp import parse_path, solve, validate
from kt_cp.board.board import Board
from kt_cp.count.counting import count_tours
from kt_cp.proof.checker import check
from kt_cp.tour.features import step_sums
from kt_dfs.backtracking import Status
from tests.published.claims import Row
from tests.published.tours import (
    DIAGRAMS_6X6,
    MISCOUNTED_8X8,
    PRINTED_TOURS,
    PrintedTour,
)

JELLISS = "Jelliss, Knight's Tour Notes"


def path_of(tour: PrintedTour) -> tuple[Board, list[int]]:
    """Return the board of a printed tour, and its squares in the order of the steps."""
    rows = [[int(step) for step in line.split()] for line in tour.steps.strip().splitlines()]
    steps = [step for row in rows for step in row]
    return Board(len(rows), len(rows[0])), sorted(range(len(steps)), key=steps.__getitem__)


def printed_tours() -> Iterator[Row]:
    """Validate tours as they are printed."""
    for tour in PRINTED_TOURS:
        board, path = path_of(tour)
        report = validate(board, path, closed=tour.closed)
        kind = "a closed" if tour.closed else "an open"
        yield Row(
            tour.source,
            f"{tour.name} is {kind} tour of {board.size}",
            report.verdict,
            report.valid,
            how="`validate`",
        )


def magic_tours() -> Iterator[Row]:
    """Add up rows, columns and diagonals of tours that are called magic."""
    for tour in PRINTED_TOURS:
        if not tour.is_called_magic:
            continue
        totals = step_sums(parse_path(tour.steps, "8x8").tour)
        sums = {*totals["rows"].tolist(), *totals["columns"].tolist()}
        across = totals["diagonals"].tolist()
        source, how = f"{tour.source}; {JELLISS}", "`kt describe`"
        yield Row(
            source,
            f"rows and columns of {tour.name} all add up to 260",
            str(sorted(sums)),
            sums == {260},
            how=how,
        )
        yield Row(
            "many web pages",
            f"{tour.name} is a magic square",
            f"the diagonals give {across}",
            set(across) != {260},
            "no 8×8 tour is one (Meyrignac and Stertenbrink 2003, cited)",
            right=False,
            how=how,
        )


def counts() -> Iterator[Row]:
    """Count the tours of single boards, and compare with counts by hand."""
    how = "`count_tours`"
    classes = count_tours("6x6", closed=True, up_to_symmetry=True).count
    for source, number in {"Jelliss, after Duby 1964": 1245, "Murray 1942": 1240}.items():
        right = number == 1245
        yield Row(
            source,
            f"6×6 has {number:,} closed tours up to symmetry",
            f"{classes:,}",
            (classes == number) is right,
            right=right,
            how=how,
        )
    diagrams = count_tours("6x6", closed=True).count
    for source, (number, right) in DIAGRAMS_6X6.items():
        yield Row(
            source,
            f"6×6 has {number:,} diagrams of closed tours",
            f"{diagrams:,}",
            (diagrams == number) is right,
            right=right,
            how=how,
        )


def divisibility() -> Iterator[Row]:
    """Refute a number that the symmetries of the board exclude."""
    rest = MISCOUNTED_8X8 % 4
    yield Row(
        "Löbbing and Wegener 1996",
        f"8×8 has {MISCOUNTED_8X8:,} closed tours",
        f"the remainder by 4 is {rest}",
        rest != 0,
        "reflections and quarter-turns change each, so four divides their number; A001230 has"
        " 13,267,364,410,532 (McKay 1997, cited)",
        right=False,
        how="divisibility",
    )


def rectangles(longest: int) -> list[tuple[int, int]]:
    """Return the sides of all rectangles up to a length, the shorter side first."""
    return list(itertools.combinations_with_replacement(range(1, longest + 1), 2))


@cache
def has_tour(board: Board, closed: bool) -> bool:
    """Return whether a board has a tour; a refusal is certified and the certificate checked."""
    result = solve(board, closed=closed, certificate=True)
    if result.status is Status.UNKNOWN:
        raise AssertionError(f"undecided: {board!r}")
    if result.status is Status.FOUND:
        return True
    if result.certificate is None or not check(result.certificate):
        raise AssertionError(f"no certificate that holds: {board!r}")
    return False


def compare(
    source: str,
    claim: str,
    cases: Iterable[tuple[Board, bool]],
    closed: bool = True,
    right: bool = True,
    why: str = "",
) -> Row:
    """Return the row of a claim about which boards have a tour."""
    decided = [(board, has_tour(board, closed), said) for board, said in cases]
    wrong = [
        f"{board.title} {'has' if has else 'has none'}"
        for board, has, said in decided
        if has != said
    ]
    got = f"{len(decided)} boards agree" if not wrong else f"{len(wrong)} differ: {wrong[0]}"
    how = "`solve`, certificates checked"
    return Row(source, claim, got, (not wrong) is right, why, right, how)
