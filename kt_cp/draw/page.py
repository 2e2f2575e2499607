"""Self-contained HTML pages to step through: any of them, and those that show a board."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from string import Template

from kt_cp.board import KNIGHT, Board, Topology
from kt_cp.errors import InputError, printable
from kt_cp.tour.tour import Tour

MAX_SQUARES = 10_000  # each is an element of the page

BACKTRACK = "-"


@dataclass(frozen=True)
class Run:
    """What a search did: its visits and backtracks in order, as text, and how it ended.

    A visit is the id of the square in hexadecimal digits, of the width of the largest id; a
    backtrack is ``-``, as the square is the last one visited and not yet left.
    """

    name: str
    events: str
    found: bool
    ending: str


def page(title: str, summary: str, scripts: Sequence[str], data: object) -> str:
    """Return a page that needs nothing else: no network, no other file.

    ``scripts`` are names of files beside the template; the last one finds ``data`` in the page.
    """
    return Template(_asset("page.html")).substitute(
        title=escape(printable(" ".join(title.split()))),
        summary=escape(printable(summary)),
        style=_asset("page.css"),
        data=_embedded(data),
        script="\n".join(map(_asset, scripts)),
    )


def check_page_size(board: Board) -> None:
    """Raise `InputError` for a board too large for a page."""
    if board.area > MAX_SQUARES:
        raise InputError(f"board {board.size}: a page shows at most {MAX_SQUARES:,} squares")


def board_page(
    board: Board, closed: bool, runs: Sequence[Run], title: str, summary: str, **more: object
) -> str:
    """Return a page that shows runs on a board. Raises `InputError` as `check_page_size` does."""
    check_page_size(board)
    data = {
        "rows": board.rows,
        "columns": board.columns,
        "holes": board.holes,
        "jumps": None if board.topology is Topology.FLAT else board.piece.jumps,
        "glyph": "♞" if board.piece == KNIGHT else "●",
        "closed": closed,
        "digits": id_digits(board),
        "runs": [asdict(run) for run in runs],
        **more,
    }
    return page(title, summary, ("player.js", "board.js"), data)


def walk_page(tour: Tour, title: str | None = None, first: int = 1) -> str:
    """Return a page on which a tour is walked step by step; the title is its summary unless given.

    ``first`` is the number of its first step.
    """
    digits = id_digits(tour.board)
    events = "".join(f"{square:0{digits}x}" for square in tour)
    run = Run(f"{tour.kind} tour", events, True, "every square is visited")
    title, summary = (tour.summary, "") if title is None else (title, f"{tour.summary}.")
    return board_page(tour.board, tour.closed, [run], title, summary, walk={"first": first})


def id_digits(board: Board) -> int:
    """Return the width of an id in hexadecimal digits."""
    return len(f"{board.area - 1:x}")


def _asset(name: str) -> str:
    return files("kt_cp.draw").joinpath("pages", name).read_text(encoding="utf-8").strip()


def _embedded(data: object) -> str:
    r"""Return JSON that no text in it can end early: in a script, ``<`` alone could.

    >>> _embedded("</script>")
    '"\\u003c/script>"'
    """
    return json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")
