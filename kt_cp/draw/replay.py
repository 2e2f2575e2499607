"""The replay of a search: what happened, square by square, on a page to step through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kt_cp.board import Board, Topology
from kt_cp.board.piece import KNIGHT
from kt_cp.draw.page import page
from kt_cp.errors import InputError, counted
from kt_cp.methods.reference import board_graph
from kt_cp.problem.instance import Instance
from kt_dfs import METHODS, Budget, Ending, Event, Status, search, strategy

MOST_STEPS = 1_000_000
MOST_SQUARES = 10_000  # each is an element of the page

_RETREAT = "-"


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

    def as_dict(self) -> dict[str, object]:
        """Return plain values for the page."""
        return {
            "name": self.name,
            "events": self.events,
            "found": self.found,
            "ending": self.ending,
        }


def record(instance: Instance, method: str, max_steps: int) -> Run:
    """Run a search from the start of the instance (or its first square) and note what it does.

    A step is a visit or a backtrack; after ``max_steps`` of them the record ends. Raises
    `InputError` for an unknown method and for a number of steps that makes no sense.

    >>> record(Instance(Board(3, 4), start=0), "warnsdorff", 20).events
    '06817924a35b'
    >>> record(Instance(Board(3, 3), start=0), "dfs", 12)
    Run(name='dfs', events='05618327----', found=False, ending='cut off after 12 steps')
    """
    if method not in METHODS:
        raise InputError(f"method {method!r}: give one of {', '.join(METHODS)}")
    if not 1 <= max_steps <= MOST_STEPS:
        raise InputError(f"max steps {max_steps}: give a number from 1 to {MOST_STEPS}")
    board = instance.board
    digits = id_digits(board)
    events: list[str] = []

    def note(event: Event, square: int) -> None:
        events.append(f"{square:0{digits}x}" if event is Event.VISIT else _RETREAT)

    start = int(board.squares[0]) if instance.start is None else instance.start
    outcome = search(
        board_graph(instance),
        start,
        strategy(method, board.rows, board.columns),
        closed=instance.closed,
        budget=Budget(calls=max_steps),
        observer=note,
    )
    if len(events) > max_steps or outcome.ending is Ending.OUT_OF_CALLS:
        ending = f"cut off after {counted(min(len(events), max_steps), 'step')}"
        return Run(method, "".join(events[:max_steps]), False, ending)
    return Run(method, "".join(events), outcome.status is Status.FOUND, outcome.reason)


def replay_page(instance: Instance, runs: Sequence[Run], title: str | None = None) -> str:
    """Return a page that replays searches on one board side by side, step by step."""
    names = " and ".join(run.name for run in runs)
    title = f"{names} on {instance.board.title}" if title is None else title
    summary = "; ".join(f"{run.name}: {run.ending}" for run in runs)
    return board_page(instance.board, instance.closed, runs, title, summary)


def board_page(board: Board, closed: bool, runs: Sequence[Run], title: str, summary: str) -> str:
    """Return a page that shows runs on a board. Raises `InputError` for a large board."""
    if board.area > MOST_SQUARES:
        raise InputError(f"board {board.size}: a page shows at most {MOST_SQUARES:,} squares")
    data = {
        "rows": board.rows,
        "columns": board.columns,
        "holes": board.holes,
        "jumps": None if board.topology is Topology.FLAT else board.piece.jumps,
        "glyph": "♞" if board.piece == KNIGHT else "●",
        "closed": closed,
        "digits": id_digits(board),
        "runs": [run.as_dict() for run in runs],
    }
    return page(title, f"{summary}.", ("player.js", "board.js"), data)


def id_digits(board: Board) -> int:
    """Return the width of an id in hexadecimal digits."""
    return len(f"{board.area - 1:x}")
