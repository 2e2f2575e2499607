"""Tours, orders of visits and counts that are published, as printed, with their sources.

A printed tour is a numbered board, whose steps count from 1, or from 0 in some programs. "The
exercise" is the programming exercise after Miller and Ranum's chapter on graphs; its articles are
named here by the boards they treat, and squares are ids. Results that are wrong are kept as printed
and marked as wrong. The numbers of calls and the starts of the greedy walk come from an independent
check, not from the articles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class PrintedTour:
    """A numbered board, whether it is printed as a closed tour, and where.

    ``is_called_magic`` tells whether its rows and columns have equal sums.
    """

    name: str
    source: str
    steps: str
    closed: bool
    is_called_magic: bool = False


PRINTED_TOURS: Final = (
    PrintedTour("Rudrata's half-board (9th century)", "Murthy, Resonance 2020", """
         1 30  9 20  3 24 11 26
        16 19  2 29 10 27  4 23
        31  8 17 14 21  6 25 12
        18 15 32  7 28 13 22  5
    """, False),
    PrintedTour("de Moivre's", "Ozanam 1725; Ball", """
        34 49 22 11 36 39 24  1
        21 10 35 50 23 12 37 40
        48 33 62 57 38 25  2 13
         9 20 51 54 63 60 41 26
        32 47 58 61 56 53 14  3
        19  8 55 52 59 64 27 42
        46 31  6 17 44 29  4 15
         7 18 45 30  5 16 43 28
    """, False),
    PrintedTour("Euler's of two halves (1759)", "Euler, E309; Ball", """
        37 62 43 56 35 60 41 50
        44 55 36 61 42 49 34 59
        63 38 53 46 57 40 51 48
        54 45 64 39 52 47 58 33
         1 26 15 20  7 32 13 22
        16 19  8 25 14 21  6 31
        27  2 17 10 29  4 23 12
        18  9 28  3 24 11 30  5
    """, True),
    PrintedTour("Vandermonde's (1771)", "Vandermonde; Biggs, Lloyd and Wilson 1976", """
        39 36 41 32 45 28 23 26
        42 33 38  3 22 25 46 29
        37 40 35 44 31 48 27 24
        34 43  2 49  4 21 30 47
        63 14  5 20  1 50 59 18
         8 11 64 15 60 19 56 53
        13 62  9  6 51 54 17 58
        10  7 12 61 16 57 52 55
    """, True),
    PrintedTour("Roget's (1840)", "Roget; Ball", """
        34 51 32 15 38 53 18  3
        31 14 35 52 17  2 39 54
        50 33 16 29 56 37  4 19
        13 30 49 36  1 20 55 40
        48 63 28  9 44 57 22  5
        27 12 45 64 21  8 41 58
        62 47 10 25 60 43  6 23
        11 26 61 46  7 24 59 42
    """, True),
    PrintedTour("Beverley's (1848)", "Beverley, Philosophical Magazine", """
         1 30 47 52  5 28 43 54
        48 51  2 29 44 53  6 27
        31 46 49  4 25  8 55 42
        50  3 32 45 56 41 26  7
        33 62 15 20  9 24 39 58
        16 19 34 61 40 57 10 23
        63 14 17 36 21 12 59 38
        18 35 64 13 60 37 22 11
    """, False, is_called_magic=True),
    PrintedTour("Jaenisch's (1862)", "Jaenisch; Ball", """
        63 22 15 40  1 42 59 18
        14 39 64 21 60 17  2 43
        37 62 23 16 41  4 19 58
        24 13 38 61 20 57 44  3
        11 36 25 52 29 46  5 56
        26 51 12 33  8 55 30 45
        35 10 49 28 53 32 47  6
        50 27 34  9 48  7 54 31
    """, True, is_called_magic=True),
    PrintedTour("the backtracking tutorials' sample output", "GeeksforGeeks and copies", """
         0 59 38 33 30 17  8 63
        37 34 31 60  9 62 29 16
        58  1 36 39 32 27 18  7
        35 48 41 26 61 10 15 28
        42 57  2 49 40 23  6 19
        47 50 45 54 25 20 11 14
        56 43 52  3 22 13 24  5
        51 46 55 44 53  4 21 12
    """, False),
    PrintedTour("the 7×7 of a list of puzzles", "rec.puzzles archive, knight.tour", """
        17  6 33 42 15  4 25
        32 47 16  5 26 35 14
         7 18 43 34 41 24  3
        46 31 48 27 44 13 36
        19  8 45 40 49  2 23
        30 39 10 21 28 37 12
         9 20 29 38 11 22  1
    """, False),
    PrintedTour("the 5×5 of a list of puzzles", "rec.puzzles archive, knight.tour", """
         5 10 15 20  3
        16 21  4  9 14
        11  6 25  2 19
        22 17  8 13 24
         7 12 23 18  1
    """, False),
)  # fmt: skip


@dataclass(frozen=True)
class Sequence:
    """Numbers of tours of boards of ``rows`` rows, or of square boards if ``rows`` is None.

    ``first`` is the length of the first board and ``step`` leads to the next. ``counted`` is
    "closed" (cycles), "open" (directed paths), "paths" (undirected ones) or "closed classes" and
    "open classes" (up to rotation and reflection).
    """

    name: str
    counted: str
    rows: int | None
    first: int
    step: int
    numbers: tuple[int, ...]
    piece: str = "knight"
    topology: str = "flat"


SEQUENCES: Final = (
    Sequence("A001230", "closed", None, 2, 2, (0, 0, 9862)),
    Sequence("A165134", "open", None, 1, 1, (1, 0, 0, 0, 1728, 6637920)),
    Sequence("A070030", "closed", 3, 2, 2, (
        0, 0, 0, 0, 16, 176, 1536, 15424, 147728, 1448416, 14060048, 136947616, 1332257856,
        12965578752, 126169362176, 1227776129152, 11947846468608, 116266505653888,
        1131418872918784, 11010065269439104, 107141489725900544, 1042616896632882688,
    )),
    Sequence("A175855", "closed", 5, 6, 2, (
        8, 44202, 13311268, 4557702762, 1495135512514, 491857035772330, 161514101568508400,
    )),
    Sequence("A175881", "closed", 6, 1, 1, (0, 0, 0, 0, 8, 9862, 1067638, 55488142)),
    Sequence("A118067", "open", 3, 1, 1, (
        0, 0, 0, 16, 0, 0, 104, 792, 1120, 6096, 21344, 114496, 257728, 1292544, 3677568,
        17273760, 46801984, 211731376, 611507360, 2645699504,
    )),
    Sequence("A079137", "paths", 4, 1, 1, (
        0, 0, 8, 0, 82, 744, 6378, 31088, 189688, 1213112, 6683852, 36486328, 201282470,
        1083585304, 5706117458, 29819231288,
    )),
    Sequence("A083386", "paths", 5, 1, 1, (0, 0, 0, 82, 864, 18784)),
    Sequence("A169769", "closed classes", 3, 10, 2, (6, 44, 396, 3868)),
    Sequence("A169777", "open classes", 3, 4, 1, (3, 0, 0, 14, 104, 146, 773)),
    Sequence("A328341", "open classes", 4, 3, 1, (3, 0, 22, 186, 1603)),
    Sequence("A140519", "closed", None, 2, 1, (3, 16, 2830, 2462064, 22853860116), "king"),
    Sequence("A339200", "closed", 3, 2, 1, (4, 16, 120, 744, 4922, 31904, 208118), "king"),
    Sequence("A003763", "closed", None, 2, 2, (1, 6, 1072, 4638576, 467260456608), "wazir"),
    Sequence("A096969", "open", None, 1, 1, (1, 8, 40, 552, 8648, 458696, 27070560), "wazir"),
    Sequence("A222199", "closed", None, 3, 1, (48, 1344, 23580, 3273360), "wazir", "torus"),
)  # fmt: skip
"""From the On-Line Encyclopedia of Integer Sequences."""

PARTIAL_BOARDS: Final = {
    "A383660": (3, 11, (4, 0, 4, 24, 16, 56, 306, 176, 456, 2632, 1536, 4828)),
    "A383661": (5, 9, (1, 0, 1, 30, 0, 148, 8, 78, 9309, 612, 62749, 44202)),
}
"""Closed tours of the first 2n squares of a board, column by column (Knuth 2025): the name of the
sequence, and the rows, the first n and the numbers."""

DIAGRAMS_6X6: Final = {
    "Duby 1964": (9862, True),
    "Fitting 1924": (10298, False),
}
"""The number of closed tours of 6×6, and whether it is right (Jelliss, Knight's Tour Notes)."""

HALF_BOARDS: Final = 122_802_512
"""Open tours that cover one given half of the board first (Ball)."""

MISCOUNTED_8X8: Final = 33_439_123_484_294
"""Closed tours of 8×8 (Löbbing and Wegener 1996): wrong, as A001230 says."""


@dataclass(frozen=True)
class VisitOrder:
    """The ids a program of the exercise prints for a size × size board and a start."""

    program: str
    size: int
    start: int
    ids: tuple[int, ...]


VISIT_ORDERS: Final = (
    VisitOrder("tour", 5, 4, (
        4, 7, 0, 11, 8, 1, 10, 21, 18, 9, 2, 5, 12, 19, 22, 15, 6, 3, 14, 23, 16, 13, 24, 17,
        20,
    )),
    VisitOrder("tour", 5, 22, (
        22, 15, 12, 19, 8, 1, 10, 21, 18, 9, 2, 5, 16, 23, 14, 3, 6, 13, 4, 7, 0, 11, 20, 17,
        24,
    )),
    VisitOrder("better", 8, 4, (
        4, 14, 31, 46, 63, 53, 47, 62, 52, 58, 48, 33, 16, 1, 11, 5, 15, 21, 6, 23, 38, 55, 61,
        51, 57, 40, 50, 56, 41, 24, 9, 3, 13, 7, 22, 39, 54, 60, 45, 30, 36, 26, 20, 37, 43, 28,
        18, 8, 2, 12, 29, 35, 25, 19, 34, 44, 59, 49, 32, 42, 27, 17, 0, 10,
    )),
)  # fmt: skip

GRAPH_ORDERS: Final = (
    ("5,0 1,0 3,1 2,1 3,2 4,3 2,3 4", (0, 1, 2, 4, 3)),
    ("7,0 1,0 2,0 3,1 2,1 4,2 4,2 5,3 5,4 6,5 4,5 6", (0, 1, 2, 4, 6, 5, 3)),
)
"""Input of the exercise's program `dfs`, and the order in which it prints the vertices."""

FIGURE_EDGES: Final = ("AB", "AD", "BC", "BD", "DE", "EB", "EF", "FC")
"""The arcs of the figure on depth-first search, from the first letter to the second."""

FIGURE_PATH: Final = "ABDEFC"
FIGURE_LIMIT: Final = 6
"""Wrong: the limit counts moves, and the path has 5; with 6 the search finds nothing."""

FIGURE_TIMES: Final = {
    "A": (1, 12),
    "B": (2, 11),
    "C": (3, 4),
    "D": (5, 10),
    "E": (6, 9),
    "F": (7, 8),
}
"""Discovery and finish of each vertex of the figure."""

LEXICOGRAPHIC_BOARD: Final = (
         1, 16, 31, 40,  3, 18, 21, 56,
        30, 39,  2, 17, 42, 55,  4, 19,
        15, 32, 41, 46, 53, 20, 57, 22,
        38, 29, 48, 43, 58, 45, 54,  5,
        33, 14, 37, 52, 47, 60, 23, 62,
        28, 49, 34, 59, 44, 63,  6,  9,
        13, 36, 51, 26, 11,  8, 61, 24,
        50, 27, 12, 35, 64, 25, 10,  7,
)  # fmt: skip
"""Steps, row by row, of the lexicographic search on 8×8 from id 0."""

LEXICOGRAPHIC_CALLS: Final = 64
LEXICOGRAPHIC_WORST_CALLS: Final = 12_506
"""The most calls from any of the 64 starts; the article claims "within one second" from each."""

CLOCKWISE_START: Final = 20
"""Row 4, column 3, counted from 1, on 6×6."""

CLOCKWISE_BOARD: Final = (
         8,  3, 10, 29, 32,  5,
        17, 28,  7,  4, 11, 30,
         2,  9, 18, 31,  6, 33,
        27, 16,  1, 20, 23, 12,
        36, 19, 14, 25, 34, 21,
        15, 26, 35, 22, 13, 24,
)  # fmt: skip
"""Steps of the plain search on 6×6 in clockwise order. The article prints this board a second
time, for the ordering by moves on the empty board, wrongly: that ordering gives `STATIC_BOARD`."""

STATIC_BOARD: Final = (
        26, 23, 16,  5, 32, 35,
        15,  4, 25, 34, 17,  6,
        24, 27, 22, 31, 36, 33,
         3, 14,  1, 18,  7, 10,
        28, 21, 12,  9, 30, 19,
        13,  2, 29, 20, 11,  8,
)  # fmt: skip

CLOCKWISE_CALLS: Final = 83_112
STATIC_CALLS: Final = 262
CLOCKWISE_WARNSDORFF_CALLS: Final = 36
"""Calls on that board: plain, by moves on the empty board, by unvisited onward moves."""

_GREEDY_ROWS_AND_COLUMNS = """
    00 21 02 10 31 50 71 63 44 23 04 16 37 25 46 67 75 54 73 52 40 61 77 56 75 67 73 52 33
    14 06 12 31 52 71 50 31 52 71 63 44 25 04 16 35 14 02 10 31 50 71 63 44 36 17 05 13 25
    44 63 42 54 75 56 44 23 11 30 11 03 15 36 57 76 55 34 15 07 26 47 55 76 64 45 66 74 62
    43 31 23 11 32 20 01 13 05 24 45 64 43 62 74 66 47 26 07 15 34 46 65 44 25 06 14 22 01
    20 32 13 34 55 76 57 65 46 34 26 07 15 03 22 01 13 34 46 67 46 25 04 23 42 61 73 54 33
    12 31 50 71 63 44 52 73 54 33 14 06 14 26 07 26 47 66 74 53 32 24 05 17 36 44 65 46 67
    46 25 04 12 00 21 02 10 31 50 71 63 44 32 11 03 22 01 13 34 55 76 64 45 66 74 62 43 35
    16 04 12 31 10 02 21 00
"""
GREEDY_PATH: Final = tuple(int(digits, 8) for digits in _GREEDY_ROWS_AND_COLUMNS.split())
"""Wrong: printed as a tour of 8×8 from row 0, column 0, by Warnsdorff's rule alone."""

GREEDY_COMPLETE_STARTS: Final = {
    5: 12, 6: 35, 7: 18, 8: 63, 9: 41, 10: 98, 11: 61, 12: 138,
    13: 85, 14: 195, 15: 109, 16: 255,
}  # fmt: skip
"""The number of starts on n × n from which the greedy walk, ties in move order, is complete."""
