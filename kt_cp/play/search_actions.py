"""The searches of the playground, each run by a worker: they return the scene to show next.

A position comes pickled, as scenes hold it. Invalid arguments raise `InputError`. A search that
only boards have is refused for graphs.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from kt_cp import solving
from kt_cp.draw.output import picture_of
from kt_cp.draw.replays import record_search, replay_page
from kt_cp.messages import InputError, pluralize
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.checking import check_path
from kt_cp.play.pictures import BARE_LOOK
from kt_cp.play.position import Position
from kt_cp.play.scene import (
    Scene,
    open_board_position,
    open_position,
    scene_of,
    scene_with_hint,
    scene_with_unreachable,
)
from kt_cp.problem.task import Clock, Improvement
from kt_cp.puzzles.deduction import next_hint
from kt_cp.puzzles.facts import ContradictionError
from kt_cp.puzzles.making import random_solution
from kt_cp.solving import Result, longest_path
from kt_cp.tour.tour import Tour
from kt_cp.workers import send_report
from kt_dfs import Status

SEARCH_SECONDS = 60.0
"""The time limit of a search."""

_HINT_SECONDS = 3.0  # for all squares that are tried for a hint
_MIN_SECONDS = 0.05  # for each of them, even when those are over
_MAX_EVENTS = 30_000  # visits and backtracks of each search in a race


def prepare() -> None:
    """Import what the first search would have to wait for, by solving something small."""
    position = BoardPosition.parse("6x6", closed=True)
    tour = solving.solve(position.instance).tour
    assert tour is not None
    scene_of(replace(position, path=tuple(tour)))
    solving.solve("5x5", minimize="turns", time_limit=0.1)


# -- tours


def solve(position: bytes, feature: str = "", sense: str = "") -> Scene:
    """Find a tour, or prove that there is none; with a feature, find the best tour.

    ``sense`` is ``minimize`` or ``maximize``. A scene is sent for each improvement.
    """
    current = open_position(position)

    def send_improvement(improvement: Improvement) -> None:
        if improvement.squares is None:
            return
        message = f"{feature} {improvement.value:g} after {improvement.seconds:.1f} s"
        tour = Tour(current.graph, improvement.squares, current.instance.closed)
        send_report(scene_of(replace(current, path=tuple(tour)), message))

    options: dict[str, Any] = {"certificate": True}
    if feature:
        options = {sense: feature, "progress": send_improvement}
    result = solving.solve(current.instance, time_limit=SEARCH_SECONDS, **options)
    return result_scene(current, result)


def find_longest(position: bytes) -> Scene:
    """Find the longest path, or cycle, which may leave squares out.

    A scene is sent for each improvement.
    """
    current = open_position(position)

    def send_improvement(improvement: Improvement) -> None:
        if improvement.squares is None:
            return
        message = f"squares {improvement.value:g} after {improvement.seconds:.1f} s"
        path = tuple(map(int, improvement.squares))
        send_report(scene_of(replace(current, path=path), message))

    result = longest_path(
        current.instance, time_limit=SEARCH_SECONDS, certificate=True, progress=send_improvement
    )
    return result_scene(current, result)


def random_tour(position: bytes) -> Scene:
    """Find a random tour of a board, or another tour of a graph, or prove that there is none."""
    current = open_position(position)
    seed = random.randrange(2**31)
    tour = _random_board_tour(current, seed)
    if tour is not None:
        message = f"found: {tour.summary}, another one at random"
        return scene_of(replace(current, path=tuple(tour)), message)
    result = solving.solve(current.instance, time_limit=SEARCH_SECONDS, seed=seed)
    return result_scene(current, result)


def _random_board_tour(position: Position, seed: int) -> Tour | None:
    """Return a random tour of a board, or None for a graph and if there is no tour.

    Raises `OutOfTimeError` if none is found within `SEARCH_SECONDS`.
    """
    if not isinstance(position, BoardPosition):
        return None
    squares = random_solution(position.instance, seed, Clock(SEARCH_SECONDS))
    if squares is None:
        return None
    return Tour(position.board, squares, position.instance.closed)


def check_completable(position: bytes) -> Scene:
    """Tell whether the path can be completed to a tour, and if not, why."""
    current = open_position(position)
    result = solving.solve(current.instance_with_path, time_limit=SEARCH_SECONDS)
    if result.tour is not None:
        finding = "this path can be completed" if current.path else "there is a tour"
        return scene_of(current, f"possible: {finding}")
    message = result.summary
    if current.unreachable:
        names = ", ".join(map(current.graph.name, current.unreachable))
        message += f"; out of reach: {names}"
    return scene_with_unreachable(current, message)


def result_scene(position: Position, result: Result) -> Scene:
    """Return the scene of a result: with its tour as the path, or with the reason for none.

    The reason is a sentence, and where there is an explanation also a picture.
    """
    picture = None
    is_partial_cycle = False  # a path that is drawn through some squares is not closed
    if result.tour is not None:
        position = replace(position, path=tuple(result.tour))
        is_partial_cycle = result.tour.closed and result.tour.is_partial
    is_explained = result.status is Status.IMPOSSIBLE and result.explanation is not None
    if is_partial_cycle or is_explained:
        picture = picture_of(result, BARE_LOOK)
    certificate = ""
    if result.certificate is not None:
        certificate = "\n".join(result.certificate.lines())
    scene = scene_of(position, result.summary, picture=picture, certificate=certificate)
    if scene.graph is not None and is_partial_cycle:
        return replace(scene, graph=replace(scene.graph, closes=True))
    return scene


# -- hints


def hint(position: bytes) -> Scene:
    """Name the next square of the path.

    Name it as the rules of `kt_cp.puzzles.rules` determine it, or else by Warnsdorff's rule.
    """
    current = open_board_position(position)
    board, path = current.board, current.path
    if len(path) == len(board):
        return scene_of(current, "hint: every square is visited; undo to draw a path of your own")
    try:
        found = next_hint(current.instance_with_path)
    except ContradictionError as error:
        return scene_with_unreachable(current, f"impossible: {error}; undo a few steps")
    if found is not None and found.step == len(path) + 1:
        reasons = "; ".join(found.lines())
        message = f"hint: go to {board.name(found.square)}; {reasons}"
        return scene_with_hint(current, message, found.square)
    return _warnsdorff_hint(current)


def _warnsdorff_hint(position: BoardPosition) -> Scene:
    """Name the next square with the fewest ways onward that is not proved to be a dead end."""
    board, path = position.board, position.path
    ways = {square: _count_ways(position, square) for square in _next_squares(position)}
    clock = Clock(_HINT_SECONDS)
    fewest = "the fewest"
    for square in sorted(ways, key=lambda choice: (ways[choice], choice)):
        extended = replace(position, path=(*path, square))
        limit = max(_MIN_SECONDS, clock.remaining)
        try:
            status = solving.solve(extended.instance_with_path, time_limit=limit).status
        except InputError:  # the path contradicts a given step
            status = Status.IMPOSSIBLE
        if status is Status.IMPOSSIBLE:
            fewest = "the fewest of those that are not impossible"
            continue
        onward = f"{pluralize(ways[square], 'way')} onward, {fewest} (Warnsdorff's rule)"
        if status is Status.FOUND:
            onward += ", and a tour goes on from there"
        message = f"hint: go to {board.name(square)}, which has {onward}"
        return scene_with_hint(position, message, square)
    return scene_with_unreachable(
        position, "impossible: no tour goes on from here; undo a few steps"
    )


def _next_squares(position: BoardPosition) -> list[int]:
    """Return the squares that can be next on the path, as far as given steps allow them."""
    choices = list(position.next_vertices) if position.path else position.board.squares.tolist()
    given = position.steps.get(len(position.path) + 1)
    if given is None:
        return choices
    return [square for square in choices if square == given]


def _count_ways(position: BoardPosition, square: int) -> int:
    """Return the number of moves from a square to squares that the path has not visited."""
    return len({*position.board.neighbors(square)}.difference(position.path))


# -- races


def race(position: bytes, first: str, second: str) -> Scene:
    """Record two searches, given by their names, and show them side by side."""
    current = open_board_position(position)
    runs = [record_search(current.instance, name, _MAX_EVENTS) for name in (first, second)]
    message = "; ".join(f"{run.name}: {run.ending}" for run in runs)
    return scene_of(current, message, race=replay_page(current.instance, runs))


# -- checks


def check(position: bytes, text: str) -> Scene:
    """Check a path, or the one on the board if the text is empty; see `check_path`."""
    return check_path(open_position(position), text)
