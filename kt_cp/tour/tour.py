"""Tours, which are always valid: the validator has accepted each.

After the `Tour` come comparisons of tours, and covers of a graph by several paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares, coordinates, cycle_arcs
from kt_cp.board import OpenOrClosed, Piece, Topology, graph_of
from kt_cp.board.maps import map_lines
from kt_cp.board.pieces import board_symmetries
from kt_cp.graph import Graph, GraphLike, Pictured
from kt_cp.graph_algorithms import adjacency
from kt_cp.messages import (
    InputError,
    as_ordered,
    checked_class,
    checked_flag,
    escape_unprintable,
    not_a,
    pluralize,
)
from kt_cp.tour.validator import Report, validate_ids, validate_listed


class InvalidTourError(InputError):
    """Raised if a path is not a tour; ``report`` lists every fault."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(f"{report.verdict}; first: {next(report.iter_faults()).message}")


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Tour(OpenOrClosed, Pictured):
    """A Hamiltonian path (open) or cycle (closed) of the board's graph.

    ``squares`` are ids or names in visiting order, as `Board.vertex` reads them, and are stored as
    a read-only int32 array of ids; `kt_cp.parse_path` reads text and other forms. With ``partial``,
    squares may be left out. Raises `InvalidTourError`, with the report, if the path is not a tour.

    >>> from kt_cp.board import Board
    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> print(tour)
     1  4  7 10
     8 11  2  5
     3  6  9 12
    >>> Tour(Board(3, 4), [0, 1])
    Traceback (most recent call last):
        ...
    kt_cp.tour.tour.InvalidTourError: not a tour: 1 illegal move, 10 squares missing; \
first: step 1 to 2: 0 (a3) to 1 (b3) is not a knight's move
    """

    graph: Graph
    squares: Squares
    closed: bool

    def __init__(
        self,
        board: GraphLike,
        squares: Iterable[Any],
        closed: bool = False,
        *,
        partial: bool = False,
        piece: Piece | str | None = None,
        topology: Topology | str | None = None,
    ) -> None:
        graph = graph_of(board, piece, topology)
        closed = checked_flag("closed", closed)
        self._keep(validate_listed(graph, squares, closed, checked_flag("partial", partial)))

    @classmethod
    def from_ids(
        cls,
        graph: Graph,
        ids: Sequence[int] | npt.NDArray[np.integer],
        closed: bool,
        partial: bool = False,
    ) -> Tour:
        """Return the tour of a graph that visits the vertices with these ids in this order.

        Raises `InvalidTourError` if it is not a tour.
        """
        tour = cls.__new__(cls)
        tour._keep(validate_ids(graph, np.asarray(ids), closed, allows_partial=partial))
        return tour

    def _keep(self, report: Report) -> None:
        """Store the tour, in a copy of its ids unless they are a read-only int32 array.

        Raises `InvalidTourError` if it is not a tour.
        """
        if not report.valid:
            raise InvalidTourError(report)
        squares = report.path
        if squares.dtype != np.int32 or squares.flags.writeable or squares.base is not None:
            squares = np.array(squares, dtype=np.int32)
            squares.flags.writeable = False
        # The class is frozen: a plain assignment would raise an error.
        object.__setattr__(self, "graph", report.graph)
        object.__setattr__(self, "squares", squares)
        object.__setattr__(self, "closed", report.closed)

    def __reduce__(self) -> tuple[Callable[..., Tour], tuple[Graph, Squares, bool, bool]]:
        # Copies are validated too, and read-only.
        return Tour.from_ids, (self.graph, self.squares, self.closed, self.is_partial)

    @property
    def is_partial(self) -> bool:
        """Whether squares are left out."""
        return len(self) < len(self.graph)

    @property
    def visit_count(self) -> int:
        """The number of squares that are visited."""
        return len(self)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the ids of the squares of a board, or over the vertices of another graph."""
        return iter(self.squares.tolist() if self.graph.has_places else self.names)

    def __len__(self) -> int:
        return len(self.squares)

    def __getitem__(self, place: int | slice) -> Any:
        return [*self][place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tour):
            return NotImplemented
        same = (self.graph, self.closed) == (other.graph, other.closed)
        return same and np.array_equal(self.squares, other.squares)

    def __hash__(self) -> int:
        return hash((self.graph, self.closed, self.squares.tobytes()))

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    def __str__(self) -> str:
        if not self.graph.has_places:
            names = [escape_unprintable(str(name)) for name in self.names]
            have_spaces = any(len(name.split()) > 1 for name in names)
            return "\n".join(names) if have_spaces else " ".join(names)
        return "\n".join(map_lines(self.board.grid(self.board.mask), self.grid))

    def draw(self, file: str | Path | None = None, **options: Any) -> Any:
        """Draw the tour to a file, or return its picture: see `kt_cp.draw.output.draw_tour`."""
        from kt_cp.draw.output import draw_tour

        return draw_tour(self, file, **options)

    def as_dict(self) -> dict[str, object]:
        """Return the tour as plain values, as in JSON output."""
        values: dict[str, object] = {**self.graph.json_field, "closed": self.closed}
        if self.is_partial:
            values["partial"] = True
        values["tour"] = self.json_names
        return values

    @cached_property
    def grid(self) -> Squares:
        """The steps, from 1, as an array of rows x columns; 0 where there is none. Read-only."""
        steps = np.zeros(self.board.area, dtype=np.int32)
        steps[self.squares] = np.arange(1, len(self) + 1, dtype=np.int32)
        steps.flags.writeable = False
        return self.board.grid(steps)

    @property
    def names(self) -> list[Any]:
        """The chess names of the squares, or the names of the vertices, in visiting order."""
        return [self.graph.label(square) for square in self.squares.tolist()]

    @property
    def json_names(self) -> list[Any]:
        """The ids of the squares, or the names of the vertices, in visiting order, as in JSON."""
        return self.graph.json_names(self.squares.tolist())

    @property
    def coords(self) -> Squares:
        """The squares in visiting order as an array of rows (row, column), both from 0."""
        return coordinates(self.squares, self.board.columns)

    @property
    def moves(self) -> Squares:
        """The moves as rows (from, to) of ids; a closed tour has one back to its start."""
        arcs = cycle_arcs(self.squares)
        return arcs if self.closed else arcs[:-1]

    def reversed(self) -> Tour:
        """Return the tour in the other direction; a closed tour keeps its first square."""
        backwards = self.squares[::-1]
        if self.closed:
            backwards = np.roll(backwards, 1)
        return Tour.from_ids(self.graph, backwards, self.closed, self.is_partial)

    def symmetries_to(self, other: Tour) -> list[str]:
        """Return the names of the rotations and reflections that map this tour to another.

        The direction of the tours and the first square of closed tours do not matter.
        """
        if (self.graph, self.closed) != (other.graph, other.closed):
            return []
        moves = np.sort(other.moves, axis=1)
        return [
            name
            for name, images in board_symmetries(self.board).items()
            if self.board.are_same_pairs(np.sort(images[self.moves], axis=1), moves)
        ]

    def same_up_to_symmetry(self, other: Tour) -> bool:
        """Return whether some symmetry of the board maps one tour to the other."""
        return bool(self.symmetries_to(checked_class(other, Tour, "a Tour to compare with")))


# -- comparing tours -------------------------------------------------------------------------------


def differing_squares(one: Tour, other: Tour, by_steps: bool) -> list[int]:
    """Return the ids, ascending, of the squares that two tours visit at different steps.

    Without ``by_steps``, return those that they leave and enter by different moves, whatever the
    direction. A square that only one of two partial tours visits is among them in both cases.

    >>> from kt_cp import Board
    >>> one = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> differing_squares(one, one, by_steps=True)
    []
    """
    one_by_square, other_by_square = (_by_square(tour, by_steps) for tour in (one, other))
    squares = one_by_square.keys() | other_by_square.keys()
    return sorted(each for each in squares if one_by_square.get(each) != other_by_square.get(each))


def _by_square(tour: Tour, by_steps: bool) -> dict[int, object]:
    """Return for each square that a tour visits its step, or else the squares beside it."""
    if by_steps:
        return {square: step for step, square in enumerate(tour.squares.tolist())}
    return {square: set(others) for square, others in adjacency(tour.moves).items()}


def shared_moves(tours: Iterable[Tour]) -> list[tuple[int, ...]]:
    """Return the moves, as pairs of ids, that several of the tours make."""
    counts = Counter(
        tuple(move if tour.graph.directed else sorted(move))
        for tour in tours
        for move in tour.moves.tolist()
    )
    return sorted(move for move, count in counts.items() if count > 1)


# -- covers by several paths -----------------------------------------------------------------------

# The verdict names at most this many faults.
_MAX_FAULTS = 3

Paths = Sequence[Sequence[int]]
"""The paths of a cover, each as ids in visiting order."""


@dataclass(frozen=True, repr=False)
class CoverReport(Pictured):
    """The verdict on the paths of a cover; true if they visit every vertex of the graph once.

    ``paths`` are ids in visiting order, ``faults`` are sentences that say what is wrong.
    """

    graph: Graph
    paths: Paths
    faults: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the paths are a cover."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<{self.verdict}>"

    @property
    def summary(self) -> str:
        """A few words, such as ``2 paths through all squares of 4x4``."""
        place = self.graph.title if self.graph.has_places else self.graph.summary
        vertices = self.graph.vocabulary.vertices
        return f"{pluralize(len(self.paths), 'path')} through all {vertices} of {place}"

    @property
    def verdict(self) -> str:
        """The verdict in one line, such as ``valid: 2 paths through all squares of 4x4``."""
        if self.valid:
            return f"valid: {self.summary}"
        shown = "; ".join(self.faults[:_MAX_FAULTS])
        more = len(self.faults) - _MAX_FAULTS
        rest = f"; and {pluralize(more, 'more fault')}" if more > 0 else ""
        return f"not a cover by {pluralize(len(self.paths), 'path')}: {shown}{rest}"

    def as_dict(self) -> dict[str, object]:
        """Return the paths as plain values, as in JSON output."""
        paths = [self.graph.json_names(path) for path in self.paths]
        return {**self.graph.json_field, "paths": paths}


def validate_cover(board: GraphLike, paths: Iterable[Iterable[Any]]) -> CoverReport:
    """Return a report on whether paths visit every vertex of a board or graph once, by legal moves.

    Each path is a list of squares, or of the names of vertices. Raises `InputError` for an unknown
    name, and for a path that is not a list.

    >>> report = validate_cover("3x3", [[0, 5, 6, 1, 8, 3, 2, 7]])
    >>> report.faults, bool(report)
    (('b2 is not visited',), False)
    """
    graph = graph_of(board)
    wanted = f"give a list of {graph.vocabulary.vertices} for each path"
    paths_of_ids = tuple(
        tuple(graph.vertex(name, "path") for name in as_ordered("path", path, wanted))
        for path in as_ordered("paths", paths, wanted)
    )
    return CoverReport(graph, paths_of_ids, tuple(_cover_faults(graph, paths_of_ids)))


def _cover_faults(graph: Graph, paths: Paths) -> Iterator[str]:
    """Yield a sentence for each fault of the paths as a cover."""
    if not all(paths):
        yield "a path is empty"
    visits = Counter(vertex for path in paths for vertex in path)
    for vertex in graph.vertices.tolist():
        if visits[vertex] == 0:
            yield f"{graph.name(vertex)} is not visited"
        elif visits[vertex] > 1:
            yield f"{graph.name(vertex)} is visited {visits[vertex]} times"
    for path in paths:
        for source, target in pairwise(path):
            if target not in graph.neighbors(source):
                move = f"{graph.name(source)} to {graph.name(target)}"
                yield not_a(move, graph.move_name)
