"""Self-contained HTML pages to step through, and in particular those that show a board."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from string import Template

from kt_cp.board import KNIGHT, Board, Topology
from kt_cp.draw.palette import Theme, variables
from kt_cp.draw.picture import Picture, svg
from kt_cp.draw.sheet import USUAL, Look, sentence
from kt_cp.errors import InputError, printable
from kt_cp.tour.tour import Tour

MAX_SQUARES = 10_000  # each is an element of the page


@dataclass(frozen=True)
class Run:
    """What a search did: its visits in order, a backtrack from a square being ``~square``."""

    name: str
    events: list[int]
    found: bool
    ending: str


def html_page(
    title: str, summary: str, scripts: Sequence[str], data: object, theme: Theme = Theme.AUTO
) -> str:
    """Return a page that needs no network and no other file.

    ``scripts`` are names of files in the folder of the template; the last one reads ``data``.
    """
    controls = "puzzle.html" if "puzzle.js" in scripts else "player.html"
    return Template(_asset("page.html")).substitute(
        title=escape(printable(" ".join(title.split()))),
        summary=escape(printable(summary)),
        style=f"{variables(theme)}\n{_asset('page.css')}",
        controls=_asset(controls),
        data=_embedded(data),
        script="\n".join(map(_asset, scripts)),
    )


def picture_page(picture: Picture) -> str:
    """Return a page that shows a picture."""
    return Template(_asset("picture.html")).substitute(
        title=escape(printable(picture.caption or picture.description)),
        style=variables(picture.theme),
        picture=svg(picture),
    )


def check_page_size(board: Board) -> None:
    """Raise `InputError` for a board too large for a page."""
    if board.area > MAX_SQUARES:
        raise InputError(f"board {board.size}: a page shows at most {MAX_SQUARES:,} squares")


def board_data(board: Board) -> dict[str, object]:
    """Return what ``squares.js`` needs. Raises `InputError` as `check_page_size` does."""
    check_page_size(board)
    return {
        "rows": board.rows,
        "columns": board.columns,
        "holes": board.holes,
        "jumps": None if board.topology is Topology.FLAT else board.piece.jumps,
        "glyph": "♞" if board.piece == KNIGHT else "●",
    }


def runs_page(
    board: Board,
    closed: bool,
    runs: Sequence[Run],
    title: str,
    summary: str,
    theme: Theme = Theme.AUTO,
    **more: object,
) -> str:
    """Return a page that replays searches on one board side by side, step by step."""
    data = {**board_data(board), "closed": closed, "runs": [asdict(run) for run in runs], **more}
    return html_page(title, summary, ("player.js", "squares.js", "board.js"), data, theme)


def tour_page(tour: Tour, look: Look = USUAL) -> str:
    """Return a page that shows a tour step by step; the title is its summary unless given."""
    title, summary = look.title, f"{tour.summary}."
    if title is None:
        title, summary = sentence(tour.summary), ""
    run = Run(f"{tour.kind} tour", tour.squares.tolist(), True, "every square is visited")
    first = {"first": look.first}
    return runs_page(tour.board, tour.closed, [run], title, summary, look.theme, tour=first)


def _asset(name: str) -> str:
    return files("kt_cp.draw").joinpath("pages", name).read_text(encoding="utf-8").strip()


def _embedded(data: object) -> str:
    """Return JSON without ``<``, so that no text in it can end the script that holds it."""
    return json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")
