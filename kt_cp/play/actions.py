"""The actions of the playground, which a worker runs; most return the scene to show next.

A position comes pickled, as the server keeps it. Whatever is invalid raises `InputError`. Graphs
without squares can be solved and checked; what only boards have, such as hints and puzzles, is
refused for them.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kt_cp import solving
from kt_cp.board import Board
from kt_cp.compare.replay_recording import record_search
from kt_cp.draw.proof import reason_picture
from kt_cp.draw.puzzle_player import puzzle_data, puzzle_page
from kt_cp.draw.replay import replay_page
from kt_cp.errors import InputError
from kt_cp.notation.detect import validate
from kt_cp.notation.graphs import graph_format
from kt_cp.notation.writing import write_tour
from kt_cp.phrases import pluralize
from kt_cp.play.address import parse_address
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.checking import check_path
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.position import Position
from kt_cp.play.scene import BARE, Scene, show, show_lost
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import Improvement
from kt_cp.puzzles.conclusions import ContradictionError
from kt_cp.puzzles.hints import next_hint
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.puzzles.solutions import random_solution
from kt_cp.solving import Result
from kt_cp.tour.tour import Tour
from kt_cp.worker_process import tell
from kt_dfs import Status

SECONDS = 60.0
"""The seconds that a search may take."""

CHANGES = ("visited", "toggled_hole", "with_end", "with_step", "with_move")
"""The methods of positions that a visitor can call."""

# The seconds in which a puzzle is made: then there is time left to find a tour of the board.
_PUZZLE_SECONDS = SECONDS / 2

# The seconds for finding out whether a path can be completed.
_HINT_SECONDS = 3.0

# The visits and backtracks of each search in a race.
_RECORDED = 30_000


def prepare() -> None:
    """Import what the first call would have to wait for, by solving something small."""
    position = BoardPosition.parse("6x6", closed=True)
    tour = solving.solve(position.instance).tour
    assert tour is not None
    show(replace(position, path=tuple(tour)))
    solving.solve("5x5", minimize="turns", time_limit=0.1)


def attempt(work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function, and raise its input errors as plain `InputError`, which can be pickled."""
    try:
        return work(*arguments)
    except InputError as error:
        raise InputError(str(error)) from None


def _opened(position: bytes) -> Position:
    """Return a position from what the server keeps, which nobody but a worker has written."""
    opened: Position = pickle.loads(position)
    return opened


def _opened_board(position: bytes) -> BoardPosition:
    """Return a position on a board. Raises `InputError` for a graph."""
    opened = _opened(position)
    if not isinstance(opened, BoardPosition):
        raise InputError("this is for boards; choose rows and columns to leave the graph")
    return opened


def open_address(query: Mapping[str, str], usual: Position) -> Scene:
    """Return what an address asks for; without a board or a graph in it, the usual position."""
    position, told = parse_address(query, usual)
    if not told and query.get("puzzle") and isinstance(position, BoardPosition):
        return _complete_puzzle(position)
    return show(position, told or _welcome(position))


def _welcome(position: Position) -> str:
    """Return the first message: what to do, or what is left to visit."""
    words = position.graph.vocabulary
    if not position.path:
        return f"Tap {words.vertices} to draw a tour, or press Solve."
    left = len(position.graph) - len(position.path)
    return f"A path of {words.count_vertices(len(position.path))}; {left} to go."


def change(position: bytes, name: str, *arguments: Any) -> Scene:
    """Change a position by one of `CHANGES`."""
    if name not in CHANGES:
        raise InputError(f"there is no action {name}")
    now = _opened(position) if name == "visited" else _opened_board(position)
    changed: Position = getattr(now, name)(*arguments)
    return show(changed, _state_of(changed))


def reshape(
    position: bytes, rows: int, columns: int, closed: bool, piece: str, topology: str
) -> Scene:
    """Change the board and the kind of tour; of a graph, without rows, the kind of tour alone."""
    now = _opened(position)
    changed: Position
    if isinstance(now, BoardPosition):
        changed = now.shaped(rows, columns, closed, piece, topology)
    elif isinstance(now, GraphPosition) and not (rows and columns):
        changed = now.with_kind(closed)
    else:
        changed = BoardPosition(Instance(Board(rows, columns, (), piece, topology), closed))
    return show(changed, _state_of(changed))


def show_graph(text: str) -> Scene:
    """Show the graph of some edges, and look for a closed tour of it."""
    position = GraphPosition.parse(text)
    return show(position, _state_of(position))


def open_file(position: bytes, name: str, content: bytes) -> Scene:
    """Show the graph in a file, or check the path in it."""
    form = graph_format(name)
    if form is None:
        return check(position, content.decode("utf-8", errors="replace"))
    opened = GraphPosition.from_file(content, form)
    return show(opened, _state_of(opened))


def _state_of(position: Position) -> str:
    """Say whether a path is a tour, or whether and how it can go on."""
    board, path, instance = position.graph, position.path, position.instance
    if not path:
        return f"{instance.summary[:1].upper()}{instance.summary[1:]}."
    if len(path) == len(board):
        report = validate(board, path, instance.closed)
        if report.valid and instance.satisfied_by(Tour(board, path, instance.closed).squares):
            return f"Solved: {report.verdict}."
        every = f"Every {board.vocabulary.vertex}"
        return f"{every} is visited, but this is not what was asked for: {report.verdict}."
    at = f"{len(path)} on {board.name(path[-1])}"
    ways = len(position.next_vertices)
    if not ways:
        left = position.graph.vocabulary.count_vertices(len(board) - len(path))
        return f"{at}: a dead end, with {left} left. Undo a few steps."
    return f"{at}, {pluralize(ways, 'way')} onward, {len(board) - len(path)} to go."


def clear(position: bytes) -> Scene:
    """Show the position without path and constraints."""
    cleared = _opened(position).cleared()
    return show(cleared, _state_of(cleared))


def show_preset(text: str) -> Scene:
    """Show a board of the list."""
    position = BoardPosition.parse(text)
    return show(position, _state_of(position))


def solve(position: bytes, feature: str = "", sense: str = "") -> Scene:
    """Find a tour, or prove that there is none; with a feature, the best tour.

    A scene is sent for each improvement.
    """
    now = _opened(position)

    def improved(better: Improvement) -> None:
        if better.squares is None:
            return
        words = f"{feature} {better.value:g} after {better.seconds:.1f} s"
        tour = Tour(now.graph, better.squares, now.instance.closed)
        tell(show(replace(now, path=tuple(tour)), words))

    asked: dict[str, Any] = {"certificate": True}
    if feature:
        asked = {sense: feature, "progress": improved}
    return _answer(now, solving.solve(now.instance, time_limit=SECONDS, **asked))


def random_tour(position: bytes) -> Scene:
    """Find a random tour."""
    now = _opened(position)
    squares: Any = None
    if isinstance(now, BoardPosition):
        squares = random_solution(now.instance, random.randrange(2**31), Clock(SECONDS))
    if squares is None:
        result = solving.solve(now.instance, time_limit=SECONDS, seed=random.randrange(2**31))
        return _answer(now, result)
    tour = Tour(now.graph, squares, now.instance.closed)
    return show(replace(now, path=tuple(tour)), f"found: {tour.summary}, another one at random")


def check_completable(position: bytes) -> Scene:
    """Tell whether the path can be completed, and if not, why."""
    now = _opened(position)
    result = solving.solve(now.with_path, time_limit=SECONDS)
    if result.tour is not None:
        what = "this path can be completed" if now.path else "there is a tour"
        return show(now, f"possible: {what}")
    names = ", ".join(map(now.graph.name, now.cut_off))
    more = f"; out of reach: {names}" if names else ""
    return show_lost(now, result.summary + more)


def hint(position: bytes) -> Scene:
    """Name the next square of the path: by the rules that people use, or by Warnsdorff's rule."""
    now = _opened_board(position)
    board, path = now.board, now.path
    if len(path) == len(board):
        return show(now, "hint: every square is visited; undo to draw a path of your own")
    try:
        found = next_hint(now.with_path)
    except ContradictionError as error:
        return show_lost(now, f"impossible: {error}; undo a few steps")
    if found is not None and found.step == len(path) + 1:
        return show(now, f"hint: go to {board.name(found.square)}; {'; '.join(found.lines())}")
    return _warnsdorff_hint(now)


def _warnsdorff_hint(now: BoardPosition) -> Scene:
    """Name the next square with the fewest ways onward of those from which there is a tour."""
    board, path = now.board, now.path
    choices = list(now.next_vertices) if path else board.squares.tolist()
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
    return show_lost(now, "impossible: no tour goes on from here; undo a few steps")


def puzzle(position: bytes, level: str) -> Scene:
    """Make a puzzle on the board."""
    now = _opened_board(position)
    bare = replace(now.instance, start=None, end=None, givens=(), require=())
    asked = {name: getattr(bare, name) for name in ("closed", "forbid", "symmetry")}
    seed = random.randrange(2**31)
    asked |= {"seed": seed, "difficulty": level, "time_limit": _PUZZLE_SECONDS}
    made = make_puzzle(bare.board, **asked)
    if made is None:
        return solve(pickle.dumps(BoardPosition(bare)))
    return _puzzle_scene(made)


def _complete_puzzle(position: BoardPosition) -> Scene:
    """Show the clues of a position as a puzzle, with more clues where they have many solutions."""
    instance = position.instance
    constraints = _puzzle_constraints(instance)
    made = make_puzzle(instance.board, time_limit=_PUZZLE_SECONDS, **constraints)
    if made is None:
        return show(position, "impossible: these clues have no solution")
    return _puzzle_scene(made)


def _puzzle_constraints(instance: Instance) -> dict[str, Any]:
    """Return the constraints of an instance that a puzzle has too; its steps become clues."""
    names = ("closed", "forbid", "require", "symmetry")
    constraints = {name: getattr(instance, name) for name in names}
    clues = {square: step for step, square in instance.steps.items()}
    return {**constraints, "givens": clues}


def _puzzle_scene(made: Puzzle) -> Scene:
    """Return the scene on which a puzzle is played."""
    words = f"puzzle: {made.solution.summary}; {made.level}, effort {made.effort}"
    scene = show(BoardPosition(made.instance), words, puzzle=puzzle_data(made))
    return replace(scene, query=f"{scene.query}&puzzle=1")


def puzzle_file(position: bytes) -> str:
    """Return the page on which the puzzle of a position is played offline."""
    instance = _opened_board(position).instance
    made = make_puzzle(instance.board, time_limit=_PUZZLE_SECONDS, **_puzzle_constraints(instance))
    if made is None:
        raise InputError("these clues have no solution")
    return puzzle_page(made)


def race(position: bytes, one: str, other: str) -> Scene:
    """Record two searches from the start."""
    now = _opened_board(position)
    runs = [record_search(now.instance, name, _RECORDED) for name in (one, other)]
    told = "; ".join(f"{run.name}: {run.ending}" for run in runs)
    return show(now, told, race=replay_page(now.instance, runs))


def check(position: bytes, text: str) -> Scene:
    """Check a path, or the one on the board if the text is empty; see `check_path`."""
    return check_path(_opened(position), text)


def path_text(position: bytes, notation: str) -> str:
    """Return the path of a position in a notation."""
    now = _opened(position)
    return "\n".join(write_tour(Tour(now.graph, now.path, now.instance.closed), notation))


def board_map(position: bytes) -> str:
    """Return the map of a board, or the edges of a graph."""
    return _opened(position).text


def _answer(now: Position, result: Result) -> Scene:
    """Show a tour as the path, or the reason why there is none as a picture."""
    if result.tour is not None:
        return show(replace(now, path=tuple(result.tour)), result.summary)
    picture = None
    if result.status is Status.IMPOSSIBLE and result.explanation is not None:
        picture = reason_picture(result.explanation, BARE, result.instance)
    proof = "\n".join(result.certificate.lines()) if result.certificate else ""
    return show(now, result.summary, picture=picture, certificate=proof)
