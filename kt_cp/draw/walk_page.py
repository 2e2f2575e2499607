"""A tour as a page on which the knight walks it, step by step."""

from __future__ import annotations

from kt_cp.draw.replay import Run, board_page, id_digits
from kt_cp.tour.tour import Tour


def walk_page(tour: Tour, title: str | None = None) -> str:
    """Return a page on which a tour is walked; the title is its summary unless given."""
    digits = id_digits(tour.board)
    events = "".join(f"{square:0{digits}x}" for square in tour)
    run = Run(f"{tour.kind} tour", events, True, "every square is visited")
    title = tour.summary if title is None else title
    return board_page(tour.board, tour.closed, [run], title, tour.summary)
