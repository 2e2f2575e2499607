"""Record a search for a tour, and replay it on a page to step through."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.draw.html_page import BACKTRACK, Run, board_page, check_page_size, id_digits
from kt_cp.errors import InputError, counted
from kt_cp.methods.reference import board_graph
from kt_cp.problem.instance import Instance
from kt_dfs import METHODS, Budget, Ending, Event, Status, Strategy, search, strategy

MAX_STEPS = 1_000_000


def record(instance: Instance, method: str | Strategy, max_steps: int) -> Run:
    """Run a search from the start of the instance, or its first square, and record what it does.

    ``method`` is a name from `kt_dfs.METHODS` or a strategy. The record ends after ``max_steps``
    visits and backtracks. Raises `InputError` for an unknown method, a board too large for a page,
    and a number of steps that makes no sense.

    >>> from kt_cp.board import Board
    >>> record(Instance(Board(3, 4), start=0), "warnsdorff", 20).events
    '06817924a35b'
    >>> record(Instance(Board(3, 3), start=0), "dfs", 12)
    Run(name='dfs', events='05618327----', found=False, ending='cut off after 12 steps')
    """
    board = instance.board
    check_page_size(board)
    if not 1 <= max_steps <= MAX_STEPS:
        raise InputError(f"max steps {max_steps}: give a number from 1 to {MAX_STEPS}")
    if isinstance(method, str):
        if method not in METHODS:
            raise InputError(f"method {method!r}: give one of {', '.join(METHODS)}")
        method = strategy(method, board.rows, board.columns)
    digits = id_digits(board)
    events: list[str] = []

    def note(event: Event, square: int) -> None:
        events.append(f"{square:0{digits}x}" if event is Event.VISIT else BACKTRACK)

    start = int(board.squares[0]) if instance.start is None else instance.start
    outcome = search(
        board_graph(instance),
        start,
        method,
        closed=instance.closed,
        budget=Budget(calls=max_steps),
        observer=note,
    )
    if len(events) > max_steps or outcome.ending is Ending.OUT_OF_CALLS:
        ending = f"cut off after {counted(min(len(events), max_steps), 'step')}"
        return Run(method.name, "".join(events[:max_steps]), False, ending)
    return Run(method.name, "".join(events), outcome.status is Status.FOUND, outcome.reason)


def replay_page(instance: Instance, runs: Sequence[Run], title: str | None = None) -> str:
    """Return a page that replays searches on one board side by side, step by step."""
    names = " and ".join(run.name for run in runs)
    title = f"{names} on {instance.board.title}" if title is None else title
    summary = "; ".join(f"{run.name}: {run.ending}" for run in runs) + "."
    return board_page(instance.board, instance.closed, runs, title, summary)
