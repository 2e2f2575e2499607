"""Pictures of two tours: the moves that both make, and those that only one of them makes."""

from __future__ import annotations

from collections.abc import Collection

from kt_cp.board import as_board
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.picture import Picture
from kt_cp.draw.sheet import DISC_SHARE, Sheet
from kt_cp.tour.tour import Tour


def difference_picture(
    one: Tour, other: Tour, squares: Collection[int], look: Look = USUAL
) -> Picture:
    """Return the picture of the differences between two tours of a board.

    The ``squares`` at which they differ are colored; the numbers are those of the first tour.

    >>> from kt_cp import enumerate_tours
    >>> one, other, *_ = enumerate_tours("3x4", start="a3")
    >>> difference_picture(one, other, [0]).description
    'two open tours of 3x4, 12 squares, which differ on 1 square'
    """
    board = as_board(one.graph, "the picture of two tours")
    count = board.vocabulary.count_vertices(len(squares))
    title = f"two {one.kind} tours of {board.title}, {len(one)} squares, which differ on {count}"
    sheet = Sheet(board, title, look, word_length=len(str(len(one))), grid=True)
    sheet.fill("missing", squares, "where they differ")
    first, second = _undirected_moves(one), _undirected_moves(other)
    sheet.draw_moves(sorted(first & second), "faint", legend="moves of both")
    sheet.draw_moves(
        sorted(first - second), "line", legend="moves of the first, whose numbers are shown"
    )
    sheet.draw_moves(
        sorted(second - first),
        "fault",
        thickness=1.6,
        css_class="other",
        dashes=(7, 6),
        legend="moves of the second",
    )
    sheet.write_words(one.squares, range(1, len(one) + 1), share=DISC_SHARE, on_disc=True)
    return sheet.finish(title)


def _undirected_moves(tour: Tour) -> set[tuple[int, int]]:
    """Return the moves of a tour as pairs of ids, the lower first."""
    return {(min(pair), max(pair)) for pair in tour.moves.tolist()}
