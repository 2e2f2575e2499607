"""What the arguments of the subcommands name: instances of boards and graphs, and paths on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from kt_cp.board import Board, Topology, graph_of
from kt_cp.board.maps import SQUARE, Map, open_size_or_map, split_maps
from kt_cp.cli import options
from kt_cp.cli.options import FILE
from kt_cp.cli.output import tell
from kt_cp.files import (
    load_from_script,
    names_script_object,
    open_input,
    script_errors,
)
from kt_cp.graph import Graph
from kt_cp.graph_files import (
    GraphFile,
    GraphFormat,
    graph_file_in_text,
    graph_format,
    read_graph_files,
)
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.notations import Notation
from kt_cp.problem.constraints import Constraints, CustomConstraint
from kt_cp.problem.instance import Instance, parse_map

if TYPE_CHECKING:  # commands that read no path do not load the readers of paths
    from kt_cp.notation.notations import Reading
    from kt_cp.notation.values import Array
    from kt_cp.tour.tour import CoverReport

    PathReading = Reading | CoverReport

# -- instances -------------------------------------------------------------------------------------


class InstanceWithNotes(NamedTuple):
    """An instance, and the notes of its map."""

    instance: Instance
    notes: dict[str, str]


def read_instances(
    board: str, graph: GraphFormat | None = None, head: bool | None = None, **constraints: Any
) -> Iterator[InstanceWithNotes]:
    """Return the instances that an argument describes, under a map's constraints too.

    There are several in a file of several graphs, or of several puzzles, as kt puzzle saves them.
    ``graph`` is the format of a file of graphs, ``head`` whether a list of edges begins with its
    counts. The constraints are those of `Constraints`; ``closed`` is None where neither --closed
    nor --open was given. Raises `InputError`, which names the file and, of several, the puzzle.
    """
    if file_format := graph or graph_format(board):
        files = read_graph_files(board, file_format, head)
        return (_instance_of_graph(each, board, constraints) for each in files)
    with open_size_or_map(board) as text:
        piece = constraints.get("piece")
        topology = constraints.get("topology")
        file = graph_file_in_text(text, piece, topology, head)
        maps = [] if file else _parse_maps(board, text, constraints)
    if file:
        vertices = pluralize(len(file.graph), "vertex", "vertices")
        tell(f"read as the edges of a graph of {vertices}, and not as a board")
        return iter([_instance_of_graph(file, board, constraints)])
    return (_instance_of_map(each, constraints) for each in maps)


def read_instance(board: str, **given: Any) -> InstanceWithNotes:
    """Return the instance of a board or graph, as `read_instances` does, and its notes.

    Raises `InputError` for a file with several graphs or puzzles.
    """
    first, *others = islice(read_instances(board, **given), 2)
    if others:
        raise InputError(
            f"{board}: there are several graphs or puzzles, which only kt solve and kt puzzle "
            "take: give one"
        )
    return first


def read_bare_instance(board: str, **given: Any) -> Instance:
    """Return the instance of a board or graph, as `read_instance` does, without its notes.

    Raises `InputError` for a map with constraints, for commands that do not take them.
    """
    instance = read_instance(board, **given).instance
    if isinstance(instance.graph, Board) and instance != Instance(instance.graph):
        name = "standard input" if board == "-" else board
        raise InputError(f"{name}: the map has steps or other constraints; give the board alone")
    return instance


def _instance_of_graph(
    file: GraphFile, name: str, constraints: dict[str, Any]
) -> InstanceWithNotes:
    """Return the instance of a graph in a file, whose fixed edges are required.

    If the file is about a cycle, the tour is closed, unless --open or an end is given.
    """
    if file.remarks is not None:
        tell(f"{name}: {file.remarks}")
    all_constraints = {
        **constraints,
        "require": [*constraints.get("require", ()), *file.require],
    }
    if all_constraints.get("closed") is None:
        all_constraints["closed"] = file.closed and all_constraints.get("end") is None
    piece = all_constraints.pop("piece", None)
    topology = all_constraints.pop("topology", None)
    graph = graph_of(file.graph, piece, topology)
    return InstanceWithNotes(Instance.of(graph, **all_constraints), {})


_ParsedMap = tuple[Board, Constraints, Map]
"""What `parse_map` returns: a board, all constraints on it, and the contents of the map."""


def _parse_maps(argument: str, text: str, constraints: dict[str, Any]) -> list[_ParsedMap]:
    """Return the maps in a text, under the constraints of the options too.

    Raises `InputError` as `parse_map` does, and says so if the text is a path.
    """
    with_kind = cast(Constraints, {**constraints, "closed": bool(constraints.get("closed"))})
    texts = split_maps(text)
    parsed_maps: list[_ParsedMap] = []
    for number, each in enumerate(texts, start=1):
        try:
            parsed_maps.append(parse_map(each, with_kind))
        except InputError as error:
            place = f"puzzle {number}: " if len(texts) > 1 else ""
            raise InputError(f"{place}{_advice_on_path(argument, each) or error}") from None
    return parsed_maps


def _advice_on_path(argument: str, text: str) -> str | None:
    """Return what to do with a text that is a path and no map, or None for any other text."""
    if SQUARE in text or text.strip().isdecimal():  # a map with a mistake, or one side
        return None
    from kt_cp.notation.read import parse_path

    try:
        read_as = parse_path(text).read_as
    except InputError:
        return None
    return (
        f"this is a path ({read_as}) and not a board; "
        f"'kt validate {argument}' tells whether it is a tour"
    )


def _instance_of_map(parsed: _ParsedMap, constraints: dict[str, Any]) -> InstanceWithNotes:
    """Return the instance of a map and its notes.

    A message reports the reading of a map drawn with unusual characters.
    """
    board, all_constraints, contents = parsed
    if contents.explanation:
        size = f"{board.size} with {pluralize(len(board.holes), 'hole')}"
        tell(f"map of {size}: {contents.explanation}")
    if constraints.get("closed") is False and all_constraints.get("closed"):
        raise InputError("the map says that the tour is closed: leave out --open, or that line")
    return InstanceWithNotes(Instance.of(board, **all_constraints), contents.notes)


# -- instances as parameters of a command ----------------------------------------------------------


def _functions_in_files(
    _: click.Context, parameter: click.Parameter, words: tuple[str, ...]
) -> list[CustomConstraint] | None:
    """Return the functions that words ``FILE.py:NAME`` name, or None without any word.

    What they raise becomes an `InputError`.
    """
    option = parameter.opts[0]

    def guarded(word: str) -> CustomConstraint:
        if not names_script_object(word):
            raise InputError(f"{option} {word}: give FILE.py:NAME, a function in a file")
        function = load_from_script(word, option)
        if not callable(function):
            raise InputError(f"{option} {word}: this is not a function")

        @wraps(function)
        def run(model: Any) -> Any:
            with script_errors(word, option):
                return function(model)

        return run

    return [*map(guarded, words)] or None


instance_parameters = options.combine(
    click.argument("board", type=FILE, help=options.BOARD_HELP),
    options.graph_options,
    options.constraint_options,
    options.repeated_option(
        "--constrain",
        "FILE.py:NAME",
        "A function of yours that adds constraints to the CP-SAT model.",
        callback=_functions_in_files,
    ),
)

INSTANCE_NAMES = ("board", "graph", "head", *Constraints.__annotations__)
"""The parameters that describe an instance: those of `read_instances`."""


def take_instance_parameters(given: dict[str, Any]) -> dict[str, Any]:
    """Remove the parameters that describe an instance from all given ones, and return them."""
    return {name: given.pop(name) for name in INSTANCE_NAMES if name in given}


with_instances = options.gather_options(
    "instances",
    lambda given: read_instances(**take_instance_parameters(given)),
    instance_parameters,
)
"""Adds the parameters of an instance to a command, which gets all `read_instances`.

There are several where a file holds several graphs or puzzles; each comes with its notes.
"""

with_instance = options.gather_options(
    "instance",
    lambda given: read_instance(**take_instance_parameters(given)).instance,
    instance_parameters,
)
"""Adds the parameters of an instance to a command, which gets the `Instance`."""


# -- paths -----------------------------------------------------------------------------------------

PATH_HELP = "A file, which may be .npy, - for standard input, or the path itself: 'a1 b3 c5'."
path_options = options.combine(
    click.option("--board", type=FILE, help="A size or a file with a map; detected if not given."),
    click.option("--closed/--open", default=None, help="The kind of tour; detected if not given."),
    options.notation_option("--notation", help="How the path is written, detected if not given"),
    options.graph_options,
    options.piece_options,
    click.option("--partial", is_flag=True, help="The path may leave squares out."),
)
path_parameters = options.combine(click.argument("path", type=FILE, help=PATH_HELP), path_options)


@dataclass(frozen=True)
class PathOptions:
    """The path of a command and how to read it: the values of `path_parameters`."""

    path: str
    board: str | None
    closed: bool | None
    notation: Notation | None
    graph: GraphFormat | None
    head: bool | None
    piece: str | None
    topology: Topology | None
    partial: bool

    @contextmanager
    def opened(self) -> Iterator[OpenedPath]:
        """Open the path and read --board. Errors that are raised in the block name the file."""
        if self.board is None and (self.piece or self.topology or self.graph):
            raise InputError("--piece, --topology and --graph describe a --board; give that too")
        if self.board == self.path == "-":
            raise InputError("path and board cannot both come from standard input")
        if graph_format(self.path) is not None:
            raise InputError(
                f"{self.path}: this is a graph; give a path, and the graph as --board {self.path}"
            )
        instance = None
        if self.board is not None:
            instance = read_bare_instance(
                self.board,
                graph=self.graph,
                head=self.head,
                piece=self.piece,
                topology=self.topology,
            )
        from kt_cp.notation.values import load_path

        if " " in self.path.strip() and not Path(self.path).exists():  # the path itself
            yield OpenedPath(self.path, instance, self)
            return
        with open_input(self.path, "a file that holds a path") as file:
            yield OpenedPath(load_path(file), instance, self)


@dataclass(frozen=True)
class OpenedPath:
    """The text or array of a path, and what is known of it.

    ``instance`` is that of --board: without constraints, but closed for a graph in a file that
    asks for a cycle.
    """

    source: str | Array
    instance: Instance | None
    options: PathOptions

    @property
    def graph(self) -> Graph | None:
        """The board or graph of --board, if it is given."""
        return None if self.instance is None else self.instance.graph

    def read(self) -> PathReading:
        """Read one path, or a cover if the source states that it is one.

        Raises `InputError` for several paths.
        """
        first, *others = self.read_all()
        if others:
            raise InputError(f"the text holds {len(others) + 1} paths; give one of them")
        return first

    def read_all(self, has_end: bool = False) -> Sequence[PathReading]:
        """Read all paths, or a cover if the source states that it is one.

        Lists of vertices are cycles where the file of the graph asks for one, unless --open or an
        end is given.
        """
        from kt_cp.notation.formats import is_cover, parse_cover

        if isinstance(self.source, str) and is_cover(self.source):
            return [parse_cover(self.source, self.graph)]
        readings = self.parse(self.source, self.options.closed)
        asks_cycle = self.instance is not None and self.instance.closed
        is_told = has_end or self.options.closed is not None
        may_be_cycles = all(
            each.notation is Notation.SQUARES and not (each.closed or each.allows_partial)
            for each in readings
        )
        if not asks_cycle or is_told or not may_be_cycles:
            return readings
        first, *others = self.parse(self.source, True)
        if readings[0].valid and not first.valid:
            note = f"the graph's file asks for a cycle; --open would read: {readings[0].verdict}"
            first = replace(first, notes=(*first.notes, note))
        return [first, *others]

    def parse(self, source: str | Array, closed: bool | None) -> list[Reading]:
        """Read the paths in a text or array, by the options and on the board or graph of --board.

        ``closed`` is their kind, or None to detect it.
        """
        from kt_cp.notation.read import parse_paths

        options = self.options
        return parse_paths(source, self.graph, options.notation, closed, partial=options.partial)
