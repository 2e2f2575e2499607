"""What a visitor can ask for, as functions that a worker calls; each returns what is shown then.

A position comes pickled, as the server keeps it. Whatever is invalid raises `InputError`.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from kt_cp import solving
from kt_cp.board import Board
from kt_cp.compare.recording import record
from kt_cp.draw.proof import reason_picture
from kt_cp.draw.puzzle_player import puzzle_data, puzzle_page
from kt_cp.draw.replay import replay_page
from kt_cp.draw.tour import report_picture
from kt_cp.errors import InputError, join_words, pluralize
from kt_cp.notation.detect import parse_path, validate
from kt_cp.notation.writing import write_tour
from kt_cp.play.scene import EXPLAINED, Scene, position_picture, show
from kt_cp.play.state import MAX_TEXT, Position, parse_address
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import Improvement
from kt_cp.puzzles.facts import ContradictionError
from kt_cp.puzzles.hints import next_hint
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.puzzles.solutions import random_solution
from kt_cp.solving import Result
from kt_cp.tour.report import FaultKind, PathReport, Report
from kt_cp.tour.tour import Tour
from kt_cp.worker_process import tell
from kt_dfs import Status

SECONDS = 60.0
"""How long a search may take."""

CHANGES = ("visited", "toggled_hole", "with_end", "with_step", "with_move", "shaped")
"""The methods of `Position` that a visitor can call."""

_HINT_SECONDS = 3.0  # for finding out whether a path can be completed
_RECORDED = 30_000  # visits and backtracks of each search that is watched
_NAMED_FAULTS = 3


def prepare() -> None:
    """Import what the first call would have to wait for, by solving something small."""
    position = Position.parse("6x6", closed=True)
    tour = solving.solve(position.instance).tour
    assert tour is not None
    show(replace(position, path=tuple(tour)))
    solving.solve("5x5", minimize="turns", time_limit=0.1)


def attempt(work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function. What it refuses is an `InputError` of no other class, which can be sent."""
    try:
        return work(*arguments)
    except InputError as error:
        raise InputError(str(error)) from None


def _opened(position: bytes) -> Position:
    """Return a position from what the server keeps, which nobody but a worker has written."""
    opened: Position = pickle.loads(position)
    return opened


def begin(query: Mapping[str, str], usual: str) -> Scene:
    """Return what an address asks for; the usual board is a map."""
    position, told = parse_address(query, Position.parse(usual))
    if not told and query.get("puzzle"):
        return pose(position)
    return show(position, told or _welcome(position))


def _welcome(position: Position) -> str:
    if position.path:
        count = len(position.board) - len(position.path)
        return f"A path of {pluralize(len(position.path), 'square')}; {count} to go."
    return "Tap squares to draw a tour, or press Solve."


def change(position: bytes, name: str, *arguments: Any) -> Scene:
    """Change a position by one of `CHANGES`."""
    if name not in CHANGES:
        raise InputError(f"there is no action {name}")
    changed: Position = getattr(_opened(position), name)(*arguments)
    return show(changed, _told_of(changed))


def _told_of(position: Position) -> str:
    """Say what is to be said of a path: whether it is a tour, or that it can go no further."""
    board, path, instance = position.board, position.path, position.instance
    if not path:
        return f"{instance.summary[:1].upper()}{instance.summary[1:]}."
    if len(path) == len(board):
        report = validate(board, path, instance.closed)
        if report.valid and instance.satisfied_by(Tour(board, path, instance.closed).squares):
            return f"Solved: {report.verdict}."
        return f"Every square is visited, but this is not what was asked for: {report.verdict}."
    at = f"{len(path)} on {board.name(path[-1])}"
    ways = len(position.next_squares)
    if not ways:
        return f"{at}: a dead end, with {len(board) - len(path)} squares left. Undo a few steps."
    return f"{at}, {pluralize(ways, 'way')} onward, {len(board) - len(path)} to go."


def clear(position: bytes) -> Scene:
    """Take the path and all constraints away."""
    now = _opened(position)
    return show(Position(Instance(now.board, closed=now.instance.closed)))


def preset(text: str) -> Scene:
    """Show a board of the list."""
    position = Position.parse(text)
    return show(position, _told_of(position))


def solve(position: bytes, feature: str = "", sense: str = "") -> Scene:
    """Find a tour, or prove that there is none; with a feature, the best tour.

    Each improvement is told as the scene that shows it.
    """
    now = _opened(position)

    def improved(better: Improvement) -> None:
        if better.squares is None:
            return
        words = f"{feature} {better.value:g} after {better.seconds:.1f} s; looking for a better one"
        tour = Tour(now.board, better.squares, now.instance.closed)
        tell(show(replace(now, path=tuple(tour)), words))

    asked: dict[str, Any] = {"certificate": True}
    if feature:
        asked = {sense: feature, "progress": improved}
    return _answer(now, solving.solve(now.instance, time_limit=SECONDS, **asked))


def another(position: bytes) -> Scene:
    """Find a random tour."""
    now = _opened(position)
    squares = random_solution(now.instance, random.randrange(2**31), Clock(SECONDS))
    if squares is None:
        return solve(position)
    tour = Tour(now.board, squares, now.instance.closed)
    return show(replace(now, path=tuple(tour)), f"found: {tour.summary}, another one at random")


def outlook(position: bytes) -> Scene:
    """Tell whether the path can be completed, and if not, why."""
    now = _opened(position)
    result = solving.solve(now.with_path, time_limit=SECONDS)
    if result.tour is not None:
        what = "this path can be completed" if now.path else "there is a tour"
        return show(now, f"possible: {what}")
    names = ", ".join(map(now.board.name, now.cut_off))
    more = f"; out of reach: {names}" if names else ""
    return show(now, result.summary + more, lost=now.cut_off)


def hint(position: bytes) -> Scene:
    """Name the next square of the path: by the rules that people use, or by Warnsdorff's rule."""
    now = _opened(position)
    board, path = now.board, now.path
    if len(path) == len(board):
        return show(now, "hint: every square is visited; undo to draw a path of your own")
    try:
        found = next_hint(now.with_path)
    except ContradictionError as error:
        return show(now, f"impossible: {error}; undo a few steps", lost=now.cut_off)
    if found is not None and found.square is not None and found.step == len(path) + 1:
        return show(now, f"hint: go to {board.name(found.square)}; {'; '.join(found.lines())}")
    return _warnsdorff_hint(now)


def _warnsdorff_hint(now: Position) -> Scene:
    """Name the next square with the fewest ways onward of those from which there is a tour."""
    board, path = now.board, now.path
    choices = list(now.next_squares) if path else board.squares.tolist()
    demanded = now.steps.get(len(path) + 1)
    if demanded is not None:
        choices = [square for square in choices if square == demanded]
    ways = {square: len({*board.neighbors(square)}.difference(path)) for square in choices}
    clock = Clock(_HINT_SECONDS)
    for square in sorted(choices, key=lambda choice: (ways[choice], choice)):
        on = replace(now, path=(*path, square))
        limit = max(0.05, clock.remaining)
        try:
            status = solving.solve(on.with_path, time_limit=limit).status
        except InputError:  # it contradicts a step
            continue
        if status is Status.IMPOSSIBLE:
            continue
        onward = f"{pluralize(ways[square], 'way')} onward, the fewest (Warnsdorff's rule)"
        if status is Status.FOUND:
            onward += ", and a tour goes on from there"
        return show(now, f"hint: go to {board.name(square)}, which has {onward}")
    return show(now, "impossible: no tour goes on from here; undo a few steps", lost=now.cut_off)


def puzzle(position: bytes, grade: str) -> Scene:
    """Make a puzzle on the board."""
    now = _opened(position)
    bare = replace(now.instance, start=None, end=None, givens=(), require=())
    asked = {name: getattr(bare, name) for name in ("closed", "forbid", "symmetry")}
    seed = random.randrange(2**31)
    asked |= {"seed": seed, "difficulty": grade, "time_limit": SECONDS / 2}
    made = make_puzzle(bare.board, **asked)
    if made is None:
        return solve(pickle.dumps(Position(bare)))
    return _posed(made)


def pose(position: Position) -> Scene:
    """Show the clues of a position as a puzzle, with more clues where they have many solutions."""
    instance = position.instance
    asked = {
        name: getattr(instance, name)
        for name in ("closed", "forbid", "require", "symmetry", "givens")
    }
    made = make_puzzle(instance.board, time_limit=SECONDS / 2, **(asked | _given(instance)))
    if made is None:
        return show(position, "impossible: these clues have no solution")
    return _posed(made)


def _given(instance: Instance) -> dict[str, Any]:
    """Return the given steps by square, as they are passed on."""
    return {"givens": {square: step for step, square in instance.steps.items()}}


def _posed(made: Puzzle) -> Scene:
    words = f"puzzle: {made.solution.summary}; {made.level}, effort {made.effort}"
    scene = show(Position(made.instance), words, puzzle=puzzle_data(made))
    return replace(scene, query=f"{scene.query}&puzzle=1")


def puzzle_file(position: bytes) -> str:
    """Return the page on which the puzzle of a position is played offline."""
    instance = _opened(position).instance
    made = make_puzzle(instance.board, closed=instance.closed, **_given(instance))
    if made is None:
        raise InputError("these clues have no solution")
    return puzzle_page(made)


def race(position: bytes, one: str, other: str) -> Scene:
    """Record two searches from the start."""
    now = _opened(position)
    runs = [record(now.instance, name, _RECORDED) for name in (one, other)]
    told = "; ".join(f"{run.name}: {run.ending}" for run in runs)
    return show(now, told, race=replay_page(now.instance, runs))


def check(position: bytes, text: str) -> Scene:
    """Put a path onto the board and tell its faults; of the path there, if nothing was pasted.

    A size or a map, on which not all steps are given, is put onto the board.
    """
    if len(text) > MAX_TEXT:
        raise InputError(f"a text here has at most {MAX_TEXT:,} characters")
    now = _opened(position)
    if not text.strip():
        return _checked(now, validate(now.board, now.path, now.instance.closed))
    with suppress(InputError):
        given = Position.parse(text)
        if len(given.steps) < len(given.board):
            return show(given, f"board: {given.instance.summary}")
    return _checked(now, _report_on(text, now.board))


def _report_on(text: str, board: Board) -> Report:
    """Read a path on the board, or on the board that fits it where it fits that one better."""
    reports: list[Report] = []
    problem: InputError | None = None
    for asked in (board, None):
        try:
            reports.append(parse_path(text, asked).report)
        except InputError as error:
            problem = problem or error
    if not reports:
        raise problem or InputError("this is no path")
    return min(reports, key=_count_faults)  # the first, on the board, if they are as good


def _count_faults(report: Report) -> tuple[bool, int]:
    missing = report.counts.get(FaultKind.MISSING, 0)
    return not report.valid, sum(report.counts.values()) - missing


def _checked(now: Position, report: Report) -> Scene:
    """Show a path with its faults; the part before its first fault becomes the path."""
    board = report.graph
    if not isinstance(board, Board):
        raise InputError("this is a graph; the page checks paths on boards")
    if board != now.board:
        now = Position(Instance(board, report.closed))
    if not isinstance(report, PathReport):
        return show(now, report.verdict, picture=report_picture(report, EXPLAINED))
    squares = [int(square) for square in report.path]
    on_board = [square for square in squares if 0 <= square < board.area and square in board]
    wrong = {
        fault.squares
        for fault in report.faults
        if fault.kind in (FaultKind.ILLEGAL_MOVE, FaultKind.NOT_CLOSED)
    }
    begun = replace(now, path=_legal_part(board, squares))
    if report.valid:
        return show(begun, f"valid: {report.verdict}")
    drawn = position_picture(begun, on_board, [(a, b) for a, b in wrong])
    faults = [fault for fault in report.faults if fault.kind is not FaultKind.MISSING]
    left = pluralize(len(report.missing), "square")
    if not faults:
        return show(begun, f"not a tour yet: every move is legal; {left} left", picture=None)
    told = join_words([fault.message for fault in faults[:_NAMED_FAULTS]])
    more = len(faults) - _NAMED_FAULTS
    rest = f", and {pluralize(more, 'more fault')}" if more > 0 else ""
    missing = f"; {left} left" if len(report.missing) else ""
    scene = show(begun, f"not a tour: {told}{rest}{missing}", picture=drawn)
    return replace(scene, drawing=replace(scene.drawing, legend=None))


def _legal_part(board: Board, squares: Sequence[int]) -> tuple[int, ...]:
    """Return a path up to its first fault."""
    part: list[int] = []
    for square in squares:
        is_here = 0 <= square < board.area and square in board and square not in part
        if not is_here or (part and square not in board.neighbors(part[-1])):
            break
        part.append(square)
    return tuple(part)


def written(position: bytes, notation: str) -> str:
    """Return the path of a position in a notation."""
    now = _opened(position)
    return "\n".join(write_tour(Tour(now.board, now.path, now.instance.closed), notation))


def board_map(position: bytes) -> str:
    """Return the map of a position."""
    return _opened(position).text


def _answer(now: Position, result: Result) -> Scene:
    """Show a tour as the path, or the reason why there is none as a picture."""
    if result.tour is not None:
        return show(replace(now, path=tuple(result.tour)), result.summary)
    is_impossible = result.status is Status.IMPOSSIBLE and result.explanation is not None
    picture = None
    if is_impossible and result.explanation is not None:
        picture = reason_picture(result.explanation, EXPLAINED, result.instance)
    proof = "\n".join(result.certificate.lines()) if result.certificate else ""
    return show(now, result.summary, picture=picture, certificate=proof)
