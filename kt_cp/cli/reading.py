"""Read the board or graph that an argument names, and the instance that the options make of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from kt_cp.board import Board, Topology, graph_of
from kt_cp.board.maps import SQUARE, Map, split_maps
from kt_cp.cli.output import tell
from kt_cp.files import open_size_or_map
from kt_cp.graph import Graph
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.graphs import (
    GraphFile,
    GraphFormat,
    edge_list_in,
    graph_format,
    read_graph_file,
    read_graph_files,
)
from kt_cp.notation.notations import Notation
from kt_cp.problem.constraints import Constraints, parse_map
from kt_cp.problem.instance import Instance


class InstanceWithNotes(NamedTuple):
    """An instance, and the notes of its map."""

    instance: Instance
    notes: dict[str, str]


def read_instances(
    board: str, graph: GraphFormat | None = None, **constraints: Any
) -> Iterator[InstanceWithNotes]:
    """Yield the instances of the graphs in a file, or the one of a board with its map's notes."""
    file_format = graph or graph_format(board)
    if file_format is None:
        yield read_instance(board, **constraints)
        return
    for graph_file in read_graph_files(board, file_format):
        yield InstanceWithNotes(_instance_in(graph_file, board, constraints), {})


def _instance_in(graph_file: GraphFile, name: str, constraints: dict[str, Any]) -> Instance:
    """Return the instance of a graph in a file, whose fixed edges are required.

    If the file is about a cycle, the tour is closed, unless --open or an end is given.
    """
    if graph_file.ignored is not None:
        tell(f"{name}: {graph_file.ignored}")
    merged = {**constraints, "require": [*constraints.get("require", ()), *graph_file.require]}
    if merged.get("closed") is None:
        merged["closed"] = graph_file.closed and merged.get("end") is None
    graph = graph_of(graph_file.graph, merged.pop("piece", None), merged.pop("topology", None))
    return Instance.of(graph, **merged)


def read_instance(
    board: str, graph: GraphFormat | None = None, **constraints: Any
) -> InstanceWithNotes:
    """Return the instance of a board or graph, under a map's constraints too, and its notes.

    The constraints are those of `Constraints`; ``closed`` is None where neither --closed nor --open
    was given.
    """
    file_format = graph or graph_format(board)
    if file_format is not None:
        instance = _instance_in(read_graph_file(board, file_format), board, constraints)
        return InstanceWithNotes(instance, notes={})
    with open_size_or_map(board) as text:
        listed = _edge_list_in(text, constraints.get("piece"), constraints.get("topology"))
        if listed is None:
            parsed = _parse_map(board, text, constraints)
    if listed is not None:
        return InstanceWithNotes(_instance_in(listed, board, constraints), notes={})
    return _instance_of_map(parsed, constraints)


def _edge_list_in(text: str, piece: str | None, topology: Topology | None) -> GraphFile | None:
    """Return the graph whose edges a text lists, with a message, or None for a size or a map."""
    listed = edge_list_in(text, piece, topology)
    if listed is not None:
        vertices = pluralize(len(listed.graph), "vertex", "vertices")
        tell(f"read as the edges of a graph of {vertices}: these numbers are not steps of a board")
    return listed


def read_map_instances(board: str, **constraints: Any) -> list[InstanceWithNotes]:
    """Return the instance and the notes of each map of a file, which may hold several puzzles.

    For a size, a graph and a single map, there is one, as `read_instance` returns it. Raises
    `InputError`, which names the map if there are several.
    """
    if graph_format(board) is not None:
        return [read_instance(board, **constraints)]
    parsed: list[_ParsedMap] = []
    with open_size_or_map(board) as text:
        maps = split_maps(text)
        for number, each in enumerate(maps, start=1):
            try:
                parsed.append(_parse_map(board, each, constraints))
            except InputError as error:
                if len(maps) == 1:
                    raise
                raise InputError(f"puzzle {number}: {error}") from None
    return [_instance_of_map(each, constraints) for each in parsed]


class _ParsedMap(NamedTuple):
    """The board of a map, the constraints of the map and the options, and the map's contents."""

    board: Board
    constraints: Constraints
    contents: Map


def _parse_map(argument: str, text: str, constraints: dict[str, Any]) -> _ParsedMap:
    """Return a map under the constraints of the options.

    Raises `InputError` as `parse_map` does; it says so if the text is a path.
    """
    with_kind = {**constraints, "closed": bool(constraints.get("closed"))}
    try:
        return _ParsedMap(*parse_map(text, cast(Constraints, with_kind)))
    except InputError:
        read_as = _path_in(text)
        if read_as is not None:
            advice = f"'kt validate {argument}' tells whether it is a tour"
            raise InputError(f"this is a path ({read_as}) and not a board; {advice}") from None
        raise


def _instance_of_map(parsed: _ParsedMap, constraints: dict[str, Any]) -> InstanceWithNotes:
    """Return the instance of a map and its notes.

    A message reports the reading of a map drawn with unusual characters.
    """
    board, contents = parsed.board, parsed.contents
    if contents.explanation:
        size = f"{board.size} with {pluralize(len(board.holes), 'hole')}"
        tell(f"map of {size}: {contents.explanation}")
    if constraints.get("closed") is False and parsed.constraints.get("closed"):
        raise InputError("the map says that the tour is closed: leave out --open, or that line")
    return InstanceWithNotes(Instance.of(board, **parsed.constraints), contents.notes)


def _path_in(text: str) -> str | None:
    """Return how a text that is no map can be read as a path, or None if it cannot."""
    from kt_cp.notation.detect import parse_path

    if SQUARE in text:  # a map with a mistake
        return None
    try:
        return parse_path(text).read_as
    except InputError:
        return None


def read_graph(
    argument: str,
    piece: str | None,
    topology: Topology | None,
    file_format: GraphFormat | None = None,
) -> Graph:
    """Return the board of a size or a map, or a graph, from a file or standard input (``-``).

    ``file_format`` is that of a file with a graph, unless the name of the file shows it.
    """
    file_format = file_format or graph_format(argument)
    if file_format is None:
        with open_size_or_map(argument) as text:
            listed = _edge_list_in(text, piece, topology)
            if listed is None:
                return Board.parse(text, piece, topology)
        graph_file = listed
    else:
        graph_file = read_graph_file(argument, file_format)
    if graph_file.ignored is not None:
        tell(f"{argument}: {graph_file.ignored}")
    return graph_of(graph_file.graph, piece, topology)


@dataclass(frozen=True)
class GraphArguments:
    """How a command names a board or graph: the values of the parameters of those names."""

    board: str
    graph: GraphFormat | None
    piece: str | None
    topology: Topology | None

    def read(self) -> Graph:
        """Return the board or graph."""
        return read_graph(self.board, self.piece, self.topology, self.graph)


def usual_notation(graph: Graph) -> Notation:
    """Return the notation in which tours of a graph are written by default."""
    return Notation.GRID if isinstance(graph, Board) else Notation.SQUARES
