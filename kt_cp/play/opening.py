"""What the page opens, run by a worker: addresses, boards, graphs and files."""

from __future__ import annotations

from collections.abc import Mapping

from kt_cp.notation.graphs import graph_format
from kt_cp.play.actions import state_scene
from kt_cp.play.address import parse_address
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.position import Position
from kt_cp.play.puzzle_actions import complete_puzzle
from kt_cp.play.scene import Scene, scene_of
from kt_cp.play.search_actions import check


def open_address(query: Mapping[str, str], default: Position) -> Scene:
    """Return the scene that an address describes; see `parse_address`."""
    position, problem = parse_address(query, default)
    if not problem and query.get("puzzle") and isinstance(position, BoardPosition):
        return complete_puzzle(position)
    return scene_of(position, problem or _welcome(position))


def _welcome(position: Position) -> str:
    """Return the first message: what to do, or how much is left to visit."""
    words = position.graph.vocabulary
    if not position.path:
        return f"Tap {words.vertices} to draw a tour, or press Solve."
    left = len(position.graph) - len(position.path)
    return f"A path of {words.count_vertices(len(position.path))}; {left} to go."


def show_board(text: str) -> Scene:
    """Show the board of a size or a map."""
    return state_scene(BoardPosition.parse(text))


def show_graph(text: str) -> Scene:
    """Show the graph with these edges, and ask for a closed tour of it."""
    return state_scene(GraphPosition.parse(text))


def open_file(position: bytes, name: str, content: bytes) -> Scene:
    """Show the graph in a file, or check the path in it."""
    form = graph_format(name)
    if form is None:
        return check(position, content.decode("utf-8", errors="replace"))
    return state_scene(GraphPosition.from_file(content, form))
