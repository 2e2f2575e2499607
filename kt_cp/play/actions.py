"""The actions that change a position, each run by a worker: most return the scene to show next.

A position comes pickled, as scenes hold it. Invalid arguments raise `InputError`. An action that
only boards have is refused for graphs. Searches are in `kt_cp.play.search_actions`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.messages import InputError, join_words, pluralize
from kt_cp.notation.detect import validate
from kt_cp.notation.writing import write_tour
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.position import Position
from kt_cp.play.scene import Scene, open_board_position, open_position, scene_of
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour

_CONSTRAINTS = {
    "the given steps": ("start", "end", "givens"),
    "the order of squares": ("order",),
    "the required moves": ("require",),
    "the forbidden moves": ("forbid",),
    "the symmetry": ("symmetry",),
    "the bounds on features": ("having",),
}
"""The constraints of boards: {words: fields of the instance}."""


def call_with_plain_errors(work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function, and raise its input errors as plain `InputError`, which can be pickled."""
    try:
        return work(*arguments)
    except InputError as error:
        raise InputError(str(error)) from None


# -- the path and the constraints


def tap(position: bytes, vertex: int) -> Scene:
    """Extend the path to a vertex, or take moves back; see `Position.with_tap`."""
    return state_scene(open_position(position).with_tap(vertex))


def drag(position: bytes, source: int, target: int) -> Scene:
    """Draw a move from a vertex to another; see `Position.with_drag`."""
    return state_scene(open_position(position).with_drag(source, target))


def toggle_hole(position: bytes, square: int) -> Scene:
    """Make a square a hole, or a hole a square."""
    return state_scene(open_board_position(position).toggled_hole(square))


def toggle_end(position: bytes, role: str, square: int) -> Scene:
    """Make a square the ``start`` or the ``end``, or no longer so."""
    return state_scene(open_board_position(position).toggled_end(role, square))


def set_step(position: bytes, square: int, step: int | None) -> Scene:
    """Set the step of a square, or with None remove it."""
    return state_scene(open_board_position(position).with_step(square, step))


def toggle_move(position: bytes, role: str, source: int, target: int) -> Scene:
    """Add or remove a move that is required (``require``) or forbidden (``forbid``)."""
    return state_scene(open_board_position(position).toggled_move(role, source, target))


def clear(position: bytes) -> Scene:
    """Remove the path and all constraints."""
    return state_scene(open_position(position).cleared())


# -- the board or the graph


def set_shape(
    position: bytes, rows: int, columns: int, closed: bool, piece: str, topology: str
) -> Scene:
    """Change the board and the kind of tour; without sides, the kind of tour of a graph alone."""
    current = open_position(position)
    changed: Position
    if isinstance(current, BoardPosition):
        changed = current.with_shape(rows, columns, closed, piece, topology)
    elif isinstance(current, GraphPosition) and not (rows and columns):
        changed = current.with_kind(closed)
    else:
        changed = BoardPosition(Instance(Board(rows, columns, (), piece, topology), closed))
    return state_scene(changed)


# -- messages on the state of a position


def state_scene(position: Position) -> Scene:
    """Return the scene of a position whose message describes its state."""
    return scene_of(position, _describe_state(position))


def _describe_state(position: Position) -> str:
    """Return which tour is wanted, whether the path is that tour, or how it can go on."""
    graph, path, instance = position.graph, position.path, position.instance
    if not path:
        return f"{instance.summary[:1].upper()}{instance.summary[1:]}."
    if len(path) == len(graph):
        return _describe_complete_path(position)
    count_left = len(graph) - len(path)
    reached = f"{len(path)} on {graph.name(path[-1])}"
    ways = len(position.next_vertices)
    if ways == 0:
        left = graph.vocabulary.count_vertices(count_left)
        return f"{reached}: a dead end, with {left} left. Undo a few steps."
    return f"{reached}, {pluralize(ways, 'way')} onward, {count_left} to go."


def _describe_complete_path(position: Position) -> str:
    """Return whether a path through all vertices is a tour that meets the constraints."""
    graph, path, instance = position.graph, position.path, position.instance
    report = validate(graph, path, instance.closed)
    all_visited = f"Every {graph.vocabulary.vertex} is visited"
    if not report.valid:
        return f"{all_visited}, but this is {report.verdict}."
    squares = Tour(graph, path, instance.closed).squares
    if instance.satisfied_by(squares):
        return f"Solved: {report.verdict}."
    violated = join_words(_violated_constraints(instance, squares))
    return f"{all_visited}, but the tour violates {violated}."


def _violated_constraints(instance: Instance, squares: Squares) -> list[str]:
    """Return the kinds of the constraints that a tour violates, in words."""
    violated: list[str] = []
    for words, fields in _CONSTRAINTS.items():
        constraints: dict[str, Any] = {field: getattr(instance, field) for field in fields}
        if "order" in fields:  # otherwise the order would determine the start of a closed tour
            constraints["start"] = int(squares[0])
        alone = Instance(instance.graph, instance.closed, **constraints)
        if not alone.satisfied_by(squares):
            violated.append(words)
    return violated


# -- texts to download


def path_text(position: bytes, notation: str) -> str:
    """Return the path in a notation."""
    current = open_position(position)
    tour = Tour(current.graph, current.path, current.instance.closed)
    return "\n".join(write_tour(tour, notation))


def board_text(position: bytes) -> str:
    """Return the map of a board, or the edges of a graph."""
    return open_position(position).text
