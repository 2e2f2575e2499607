"""Recompute theorems about which boards have tours, on all boards up to some size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.graph_algorithms import component_labels
from kt_dfs import Status, knight_graph, search, strategy
from tests.published.claims import Row
from tests.published.literature import JELLISS, compare, has_tour, rectangles

LONGEST = 12
PUZZLES = "rec.puzzles archive, knight.tour"
PAGE = "web page “Travelling Knight Puzzle”"


def has_closed_tour(rows: int, columns: int) -> bool:
    """Return whether Schwenk's theorem promises a closed tour; rows are not more than columns."""
    short = rows in (1, 2, 4) or (rows == 3 and columns in (4, 6, 8))
    return rows * columns % 2 == 0 and not short


def has_open_tour(rows: int, columns: int) -> bool:
    """Return whether there is an open tour, by the list of the puzzles' archive."""
    small = (rows, columns) in ((1, 1), (3, 4))
    return small or (rows == 3 and columns >= 7) or (rows == 4 and columns >= 5) or rows >= 5


def is_odd(rows: int, columns: int) -> bool:
    """Return whether both sides are odd, and so the number of squares."""
    return rows % 2 == 1 and columns % 2 == 1


def rectangular() -> Iterator[Row]:
    """Yield the claims on which rectangles have an open or a closed tour."""
    sides = rectangles(LONGEST)
    flat = [(Board(*each), each) for each in sides]
    yield compare(
        "Schwenk 1991",
        f"closed tours of m×n but for his exceptions, sides to {LONGEST}",
        [(board, has_closed_tour(*each)) for board, each in flat],
    )
    yield compare(
        "Euler 1759",
        "no closed tour where both sides are odd, 3 to 15",
        [
            (Board(rows, columns), False)
            for rows, columns in rectangles(15)
            if rows > 1 and is_odd(rows, columns)
        ],
    )
    yield compare(
        "Flye Sainte-Marie 1877",
        "no closed tour of 4×n, n from 4 to 40",
        [(Board(4, columns), False) for columns in range(4, 41)],
    )
    yield compare(
        "Euler 1759",
        "no closed tour of 3×n, n to 16",
        [(Board(3, columns), False) for columns in range(3, 17)],
        right=False,
        why="Bergholt printed one of 3×10 in 1918",
    )
    yield compare(
        "Cull and De Curtins 1978",
        f"open tours of m×n, sides from 5 to {LONGEST}",
        [(board, True) for board, (rows, _) in flat if rows >= 5],
        closed=False,
    )
    yield compare(
        "Cull and De Curtins 1978",
        "closed tours if mn is even, from 5",
        [(board, not is_odd(rows, columns)) for board, (rows, columns) in flat if rows >= 5],
    )
    yield compare(
        PUZZLES,
        f"open tours of 1×1, 3×4, 3×n (n ≥ 7), 4×n (n ≥ 5) and from 5×5, no"
        f" other; sides to {LONGEST}",
        [(board, has_open_tour(*each)) for board, each in flat],
        closed=False,
    )
    yield compare(
        PUZZLES,
        "but for 3×8 and 4×n, an even board with a tour has a closed one",
        [
            (board, True)
            for board, (rows, columns) in flat
            if rows * columns % 2 == 0
            and has_tour(board, False)
            and 4 not in (rows, columns)
            and (rows, columns) != (3, 8)
        ],
    )
    yield compare(
        "Conrad et al. 1994",
        "open tours of n×n if and only if n ≥ 5 (2 to 14)",
        [(Board(n, n), n >= 5) for n in range(2, 15)],
        closed=False,
    )
    yield compare(
        "Conrad et al. 1994",
        "closed tours of n×n if and only if n ≥ 6 is even (2 to 14)",
        [(Board(n, n), n >= 6 and n % 2 == 0) for n in range(2, 15)],
    )
    yield compare(
        PAGE,
        "closed tours of n×n for all n ≥ 5, except for n = 6",
        [(Board(n, n), n != 6) for n in range(5, 13)],
        right=False,
        why="6×6 has 9,862 and odd boards have none",
    )
    yield compare(
        PAGE,
        "4×4 has an open tour from a corner",
        [(Board(4, 4), True)],
        closed=False,
        right=False,
        why="no open tour at all: a cut of four squares",
    )


def claim_on_ends(size: int) -> Row:
    """Return the claim on which pairs of squares of a square board are the ends of a tour."""
    board = Board(size, size)

    def is_dark(square: int) -> bool:
        return sum(divmod(square, size)) % 2 == 1

    def colors_allow(start: int, end: int) -> bool:
        if size % 2 == 0:
            return is_dark(start) != is_dark(end)
        return not is_dark(start) and not is_dark(end)

    wrong = pairs = 0
    for start in range(board.area):
        row, column = divmod(start, size)
        if row <= column <= (size - 1) // 2:  # all others are images of these
            for end in set(range(board.area)) - {start}:
                pairs += 1
                found = solve(board, start=start, end=end).status is Status.FOUND
                if found != colors_allow(start, end):
                    wrong += 1
    return Row(
        "Conrad et al. 1994",
        f"on {size}×{size} there is a tour between two squares if and only if"
        " their colors allow it",
        f"{pairs} pairs, {wrong} differ",
        wrong == 0,
        how="`solve` with start and end, up to symmetry",
    )


def between_squares() -> Iterator[Row]:
    """Yield the claims on the ends of tours of even and of odd boards."""
    yield from map(claim_on_ends, (6, 7, 8))


def holes() -> Iterator[Row]:
    """Yield the claims on boards without one square."""
    cases = [
        (Board(3, columns, [(row - 1, column - 1)]), _miller(columns, row, column))
        for columns in range(3, 14)
        for row in (1, 2, 3)
        for column in range(1, columns + 1)
    ]
    yield compare(
        "Miller and Farnsworth 2013",
        "which 3×n without one square have a closed tour, n from 3 to 13",
        cases,
    )
    odd = [
        (rows, columns) for rows, columns in rectangles(11) if rows >= 5 and is_odd(rows, columns)
    ]
    yield compare(
        "DeMaio and Hippchen 2009",
        "odd boards without one square have a closed tour, 5 to 11 (a corner is left out)",
        [(Board(rows, columns, [0]), True) for rows, columns in odd],
    )


def _miller(columns: int, row: int, column: int) -> bool:
    """Return whether 3 × n without a square (both counted from 1) has a closed tour."""
    square, mirrored = (row, column), (row, columns + 1 - column)
    if columns % 2 == 0 or (row + column) % 2 == 1 or columns == 5:
        return False
    if columns == 3:
        return square == (2, 2)
    if columns == 7:
        return (2, 2) in (square, mirrored)
    without_tour = {(1, 3), (3, 3), (2, 4)}
    if columns == 9:
        without_tour.add((2, 2))
    return square not in without_tour and mirrored not in without_tour


def surfaces() -> Iterator[Row]:
    """Yield the claims on cylinders and tori."""
    sides = [
        (rows, columns) for rows in range(1, 11) for columns in range(1, 11) if rows * columns > 2
    ]
    yield compare(
        "Watkins 2000",
        "closed tours of the cylinder of m rows and n columns around,"
        " but for m = 1, and m = 2 or 4 with n even; sides to 10",
        [
            (
                Board(rows, columns, topology="cylinder"),
                rows > 1 and not (rows in (2, 4) and columns % 2 == 0),
            )
            for rows, columns in sides
        ],
    )
    yield compare(
        "Watkins and Hoenigman 1997",
        "closed tours of every torus, sides to 10",
        [(Board(*each, topology="torus"), True) for each in sides],
    )


def leapers() -> Iterator[Row]:
    """Yield the claims on other leapers than the knight."""
    tried = [
        (r, s, rows, columns)
        for s in range(1, 6)
        for r in range(1, s + 1)
        for rows, columns in rectangles(12)
        if rows > 1
    ]
    agrees = [_is_connected(*case) == _reaches_all(*case) for case in tried]
    yield Row(
        "Knuth, Leaper graphs 1994",
        "the {r, s}-leaper, r ≤ s ≤ 5, reaches all of m×n, m ≤ n,"
        " if and only if gcd(r+s, r-s) = 1, n ≥ 2s and m ≥ r+s",
        f"{len(agrees)} boards, {agrees.count(False)} differ",
        all(agrees),
        how="connected components",
    )
    for piece, size, source in (
        ("zebra", 10, "Frost 1886"),
        ("giraffe", 10, "Frost 1886"),
        ("fiveleaper", 8, "Jelliss and Willcocks 1976"),
    ):
        cases = [(Board(n, n, piece=piece), n == size) for n in range(3, size + 1)]
        yield compare(
            source,
            f"the {piece} has a closed tour of {size}×{size} (ours: of no smaller square)",
            cases,
        )
    yield compare(
        "Waldmann",
        "the giraffe has no open tour of 11×11",
        [(Board(11, 11, piece="giraffe"), False)],
        closed=False,
        why="his proof takes 29.6 GB; one cut of 16 squares does it",
    )
    yield compare(
        "Dickins 1971",
        "the camel keeps its color, so it tours no board (to 8×8)",
        [(Board(*each, piece="camel"), False) for each in rectangles(8) if each != (1, 1)],
        closed=False,
    )


def _reaches_all(r: int, s: int, rows: int, columns: int) -> bool:
    """Return Knuth's condition for the {r, s}-leaper to reach all squares; rows are the shorter."""
    return gcd(r + s, s - r) == 1 and columns >= 2 * s and rows >= r + s


def _is_connected(r: int, s: int, rows: int, columns: int) -> bool:
    """Return whether the graph of the {r, s}-leaper is connected."""
    board = Board(rows, columns, piece=f"{r},{s}")
    return bool((component_labels(board.area, board.arcs) == 0).all())


def symmetries() -> Iterator[Row]:
    """Yield the claims on which symmetries closed tours of square boards can have."""
    sizes = range(4, 15, 2)
    claimed_sizes: list[tuple[str, Sequence[int], str]] = [
        ("quarter-turn", (6, 10, 14), "only if n is 6, 10, 14 …"),
        ("half-turn", (6, 8, 10, 12, 14), "if n is even, from 6 on"),
        ("left-right", (), "never"),
    ]
    for symmetry, with_tour, claim in claimed_sizes:
        wrong = [n for n in sizes if _is_found(n, symmetry) != (n in with_tour)]
        yield Row(
            JELLISS,
            f"n×n has closed tours with the symmetry {symmetry}: {claim} (4 to 14)",
            f"{len(sizes)} boards, {len(wrong)} differ",
            not wrong,
            how="`solve` with the symmetry",
        )


def _is_found(size: int, symmetry: str) -> bool:
    """Return whether a square board has a closed tour with a symmetry."""
    return solve(Board(size, size), closed=True, symmetry=symmetry).status is Status.FOUND


def warnsdorff() -> Iterator[Row]:
    """Yield the claims on where Warnsdorff's rule succeeds without backtracking."""
    outcomes = [
        search(knight_graph(8), start, strategy("greedy", 8, 8)).status for start in range(64)
    ]
    complete = outcomes.count(Status.FOUND)
    yield Row(
        "Warnsdorff 1823",
        "his rule leads to a tour of 8×8 however ties are broken",
        f"from {complete} of 64 squares",
        complete < 64,
        "with ties in the order of the moves it fails once",
        right=False,
        how="`kt_dfs`, method greedy",
    )
