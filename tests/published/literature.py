"""Recompute what the literature says about tours: how many there are, and where there are none."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cache

from kt_cp import parse_path, solve, validate
from kt_cp.board import Board
from kt_cp.count.counting import count_tours
from kt_cp.proof.checker import check
from kt_cp.tour.features import step_sums
from kt_dfs import Status
from tests.published.claims import Row
from tests.published.tours import (
    DIAGRAMS_6X6,
    HALF_BOARDS,
    MISCOUNTED_8X8,
    PARTIAL_BOARDS,
    PRINTED_TOURS,
    SEQUENCES,
    PrintedTour,
    Sequence,
)

OEIS = "OEIS"
JELLISS = "Jelliss, Knight's Tour Notes"
KINDS = {
    "closed": "closed tours",
    "open": "directed open tours",
    "paths": "undirected open tours",
    "closed classes": "closed tours up to symmetry",
    "open classes": "open tours up to symmetry",
}


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
        source = f"{tour.source}; {JELLISS}"
        how = "`kt describe`"
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


def _count(sequence: Sequence, length: int) -> int:
    """Count the tours of the board of a sequence that has this length."""
    rows = sequence.rows or length
    board = Board(rows, length, piece=sequence.piece, topology=sequence.topology)
    kind, _, classes = sequence.counted.partition(" ")
    count = count_tours(board, closed=kind == "closed", up_to_symmetry=bool(classes)).count
    return count // 2 if kind == "paths" else count


def sequences() -> Iterator[Row]:
    """Count the boards of sequences in the encyclopedia."""
    for sequence in SEQUENCES:
        lengths = [sequence.first + sequence.step * i for i in range(len(sequence.numbers))]
        got = tuple(_count(sequence, length) for length in lengths)
        sides = [f"{sequence.rows or length}×{length}" for length in lengths]
        of_piece = "" if sequence.piece == "knight" else f" of the {sequence.piece}"
        on_surface = "" if sequence.topology == "flat" else f", {sequence.topology}"
        shown = ", ".join(f"{number:,}" for number in sequence.numbers[-3:])
        yield Row(
            f"{OEIS} {sequence.name}",
            f"{KINDS[sequence.counted]}{of_piece}, {sides[0]} to {sides[-1]}{on_surface}:"
            f" … {shown}",
            f"all {len(got)} numbers" if got == sequence.numbers else str(got),
            got == sequence.numbers,
            how="`count_tours`",
        )
    for name, (rows, first, numbers) in PARTIAL_BOARDS.items():
        got = tuple(_count_first(rows, 2 * n) for n in range(first, first + len(numbers)))
        yield Row(
            f"{OEIS} {name} (Knuth 2025)",
            f"closed tours of the first 2n squares of {rows} rows, n from {first}:"
            f" … {', '.join(map(str, numbers[-3:]))}",
            f"all {len(got)} numbers" if got == numbers else str(got),
            got == numbers,
            how="`count_tours` of boards with holes",
        )


def _count_first(rows: int, squares: int) -> int:
    """Count the closed tours of ``squares`` squares, column by column."""
    columns = -(-squares // rows)
    left_out = range(squares - rows * (columns - 1), rows)
    board = Board(rows, columns, [(row, columns - 1) for row in left_out])
    return count_tours(board, closed=True).count


@cache
def _classes_6x6(symmetry: str | None = None) -> int:
    """Count the closed tours of 6×6 up to symmetry, all or those with a symmetry."""
    return count_tours("6x6", closed=True, up_to_symmetry=True, symmetry=symmetry).count


def counts() -> Iterator[Row]:
    """Count the tours of single boards, and compare with counts by hand."""
    how = "`count_tours`"
    for source, number in {"Jelliss, after Duby 1964": 1245, "Murray 1942": 1240}.items():
        right = number == 1245
        yield Row(
            source,
            f"6×6 has {number:,} closed tours up to symmetry",
            f"{_classes_6x6():,}",
            (_classes_6x6() == number) == right,
            right=right,
            how=how,
        )
    diagrams = count_tours("6x6", closed=True).count
    for source, (number, right) in DIAGRAMS_6X6.items():
        yield Row(
            source,
            f"6×6 has {number:,} diagrams of closed tours",
            f"{diagrams:,}",
            (diagrams == number) == right,
            right=right,
            how=how,
        )
    quarter, half = _classes_6x6("quarter-turn"), _classes_6x6("half-turn")
    yield Row(
        "Paul de Hijo 1882",
        "five closed tours of 6×6 look the same after a quarter-turn",
        str(quarter),
        quarter == 5,
        how=how,
    )
    yield Row(
        "Kraitchik 1927",
        "17 more of 6×6 look the same after a half-turn only",
        str(half - quarter),
        half - quarter == 17,
        how=how,
    )
    five = [count_tours("5x6", closed=True, up_to_symmetry=each).count for each in (False, True)]
    yield Row(
        JELLISS, "5×6 has 8 closed tours, 3 up to symmetry", str(five), five == [8, 3], how=how
    )
    corner = count_tours("5x5", start=0).count
    yield Row(
        JELLISS,
        "304 open tours of 5×5 start in a given corner",
        str(corner),
        corner == 304,
        how=how,
    )
    ring = count_tours(Board(3, 3, [4]), closed=True).count
    yield Row(
        "Guarini 1512, Dudeney",
        "the outer squares of 3×3 form one cycle",
        str(ring),
        ring == 1,
        how=how,
    )
    torus = count_tours(Board(4, 4, topology="torus"), closed=True).count
    yield Row(
        f"{OEIS} A066037",
        "the 4-cube, which is the knight's graph of the 4×4 torus, has 1,344 Hamiltonian cycles",
        str(torus),
        torus == 1344,
        how=how,
    )


def half_boards() -> Iterator[Row]:
    """Join tours of the upper half of 8×8 to tours of the lower half."""
    whole, half = Board(8, 8), Board(4, 8)
    below = {a: [b - 32 for b in whole.neighbors(a) if b >= 32] for a in range(32)}
    starts = [count_tours(half, start=a, method="frontier").count for a in range(32)]
    joined = sum(starts[a] * starts[b] for a in range(32) for b in below[a])
    yield Row(
        "Ball, after Flye Sainte-Marie",
        f"{HALF_BOARDS:,} open tours of 8×8 cover one given half first",
        f"{joined:,}",
        joined == HALF_BOARDS,
        how="`count_tours` of 4×8 from each start",
    )
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
    agrees = not wrong
    return Row(source, claim, got, confirmed=agrees == right, why=why, right=right, how=how)
