"""The board: squares and holes, their names, and the moves of a piece between squares."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares, edge_keys, edges_among
from kt_cp.board.maps import CONSTRAINT_NOTES, Map, SquareLike, file_letters, read_square
from kt_cp.board.pieces import KNIGHT, Jump, Piece, Topology
from kt_cp.graph import Graph, GraphLike, Pictured
from kt_cp.graph_input import edges_in_text
from kt_cp.messages import BOARD_WORDS, InputError, Vocabulary, as_items, checked_choice, pluralize

T = TypeVar("T", bound=np.generic)
Coordinate = TypeVar("Coordinate", int, npt.NDArray[np.int32], Ints)

# Larger boards are refused before memory is spent: a tour of this many squares takes 800 MB.
MAX_AREA = 2 * 10**8

# Longer lists of moves are refused: this many, those of a knight on 4096x4096, take 1 GB.
MAX_MOVES = 2**27


@dataclass(frozen=True)
class Board(Graph, Pictured):
    """A rectangle of squares with any set of holes, and the moves of a piece on it.

    A square is the id ``row * columns + column``, from 0; row 0 is the top row as printed.
    ``holes`` may be ids, chess names or (row, column) pairs; ``piece`` and ``topology`` may be
    names. Raises `InputError` for a side below 1, a hole outside the rectangle, or a board without
    squares, and `TypeError` for sides that are not integers.

    A board is a `Graph` that stores these five values alone: ``Graph.__init__``, which takes names
    and edges, is not called. Squares, moves and colors are computed from them on first use, names
    each time. What a board does not define here, such as ``list_names``, is that of a graph.

    >>> board = Board(3, 4, holes=[5])
    >>> str(board).splitlines()
    ['....', '.#..', '....']
    >>> len(board), board.neighbors(0)
    (11, (6, 9))
    """

    rows: int
    columns: int
    holes: tuple[int, ...] = ()
    piece: Piece = KNIGHT
    topology: Topology = Topology.FLAT

    vocabulary: ClassVar[Vocabulary] = BOARD_WORDS
    has_places: ClassVar[bool] = True

    def __init__(
        self,
        rows: int,
        columns: int,
        holes: Iterable[SquareLike] = (),
        piece: Piece | str = KNIGHT,
        topology: Topology | str = Topology.FLAT,
    ) -> None:
        rows, columns = _checked_sides(rows, columns)
        # The class is frozen: a plain assignment would raise an error.
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "piece", _piece_of(piece))
        object.__setattr__(self, "topology", _topology_of(topology))
        object.__setattr__(self, "holes", self._read_holes(holes))
        if len(self) == 0:
            raise InputError(f"board {self.size}: there are only holes; leave at least one square")

    def _read_holes(self, holes: Iterable[SquareLike]) -> tuple[int, ...]:
        """Return the ids of holes, ascending."""
        ids = set()
        for hole in as_items("holes", holes, "a1"):
            square = self.locate(hole, "hole")
            if square is None:
                raise InputError(f"hole {hole!r} is off the board: {self.extent}")
            ids.add(square)
        return tuple(sorted(ids))

    @classmethod
    def parse(
        cls,
        text: str,
        piece: Piece | str | None = None,
        topology: Topology | str | None = None,
    ) -> Board:
        """Read a size such as ``8x8`` (rows x columns), or a map as `Map.parse` does.

        Raises `InputError` for any other text, and for constraints, which `Instance` reads.

        >>> Board.parse("3x10")
        Board(rows=3, columns=10, holes=())
        >>> Board.parse("..#\\n...").holes
        (2,)
        """
        board, drawn_map = cls.parse_map(text, piece, topology)
        for square, step in drawn_map.givens.items():
            place = f"row {square // board.columns + 1}, column {square % board.columns + 1}"
            raise InputError(f"{place}: {step} is a step number; a board has only '.' and '#'")
        for name in drawn_map.notes:
            if name in CONSTRAINT_NOTES:
                raise InputError(f"the map has a constraint, {name}; leave out its line")
        return board

    @classmethod
    def parse_map(
        cls,
        text: str,
        piece: Piece | str | None = None,
        topology: Topology | str | None = None,
    ) -> tuple[Board, Map]:
        """Return the board of a size or a map, and the map, which may also have constraints.

        Raises `InputError` for a piece or a topology that contradicts the map.
        """
        drawn_map = Map.of(text)
        notes = drawn_map.notes
        board = cls(
            drawn_map.rows,
            drawn_map.columns,
            drawn_map.holes,
            notes.get("piece") or piece or KNIGHT,
            notes.get("topology") or topology or Topology.FLAT,
        )
        if piece and _piece_of(piece) != board.piece:
            raise InputError(f"piece {piece}: the map says {notes['piece']}")
        if topology and _topology_of(topology) != board.topology:
            raise InputError(f"topology {topology}: the map says {notes['topology']}")
        return board, drawn_map

    def __reduce__(self) -> tuple[type[Board], tuple[object, ...]]:
        return Board, (self.rows, self.columns, self.holes, self.piece, self.topology)

    def __repr__(self) -> str:
        values = {**self.as_dict(), "holes": self.holes}
        return f"Board({', '.join(f'{name}={value!r}' for name, value in values.items())})"

    def __str__(self) -> str:
        return "\n".join("".join(row) for row in np.where(self.grid(self.mask), ".", "#"))

    def as_dict(self) -> dict[str, object]:
        """Return the board as plain values, as in JSON output."""
        sides = {"rows": self.rows, "columns": self.columns, "holes": list(self.holes)}
        return {**sides, **self.unusual}

    @property
    def unusual(self) -> dict[str, str]:
        """The names of the piece and the topology, without those of the knight and a flat board."""
        values: dict[str, str] = {}
        if self.piece != KNIGHT:
            values["piece"] = self.piece.name
        if self.topology is not Topology.FLAT:
            values["topology"] = self.topology.value
        return values

    # -- squares and holes ------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.area - len(self.holes)

    @property
    def area(self) -> int:
        """The number of ids, holes included."""
        return self.rows * self.columns

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return self.rows, self.columns

    @cached_property
    def mask(self) -> Mask:
        """For each id, whether it is a square and not a hole. Read-only."""
        mask = np.ones(self.area, dtype=np.bool_)
        mask[list(self.holes)] = False
        mask.flags.writeable = False
        return mask

    @property
    def squares(self) -> Squares:
        """The ids of the squares, ascending, without the holes. Read-only."""
        return self.vertices

    def grid(self, values: npt.NDArray[T]) -> npt.NDArray[T]:
        """Return values, one for each id, as an array of rows x columns."""
        return values.reshape(self.rows, self.columns)

    # -- moves ------------------------------------------------------------------------------------

    @cached_property
    def arcs(self) -> Squares:
        """The legal moves as rows (from, to), ordered by from, then by jump. Read-only.

        Raises `InputError` for a board with more moves than `MAX_MOVES`. Tours of full rectangles
        of such sizes can be composed and validated nevertheless.
        """
        jumps = np.array(self.piece.jumps, dtype=np.int32)
        if self.area * len(jumps) > MAX_MOVES:
            most = MAX_MOVES // len(jumps)
            raise InputError(
                f"board {self.title}: its moves are listed only up to {most:,} squares"
            )
        targets = self._landings(self.squares, jumps)
        legal = (targets >= 0) & (targets != self.squares) & self.mask[targets]
        if self.piece.blockable:  # by a hole one square along the long side of the jump
            legal &= self.mask[self._landings(self.squares, (jumps / 2).astype(np.int32))]
        sources = np.repeat(self.squares, np.count_nonzero(legal, axis=0))
        arcs = np.stack([sources, targets.T[legal.T]], axis=1)
        if self.topology is not Topology.FLAT:  # several jumps may lead to the same square
            _, first = np.unique(edge_keys(arcs, self.area), return_index=True)
            arcs = arcs[np.sort(first)]
        arcs.flags.writeable = False
        return arcs

    @cached_property
    def directed(self) -> bool:
        """Whether some move has no reverse, as for a horse beside holes."""
        can_block = self.piece.blockable and bool(self.holes)
        return can_block and not self.are_same_pairs(self.arcs, self.arcs[:, ::-1])

    def neighbors(self, vertex: SquareLike) -> tuple[int, ...]:
        """Return the squares that one move reaches from a square, in the order of the jumps."""
        return super().neighbors(self.vertex(vertex))

    def are_moves(self, sources: Ints, targets: Ints) -> Mask:
        """Return for each pair of ids, which may be holes, whether a jump leads to the target.

        A horse has no move from or to a hole.
        """
        if self.piece.blockable:
            return edges_among(np.stack([sources, targets], axis=1), self.arcs, self.area)
        sources, targets = (ids.astype(np.int32, copy=False) for ids in (sources, targets))
        # Not by divmod, which takes five times as long.
        down = targets // self.columns - sources // self.columns
        right = (targets - sources) - down * self.columns
        down, right = self._wrapped(down, right)
        moves = np.zeros(len(sources), dtype=np.bool_)
        for shift_down, shift_right in self._shifts:
            moves |= (down == shift_down) & (right == shift_right)
        moves &= sources != targets
        return moves

    @cached_property
    def _shifts(self) -> set[Jump]:
        """The jumps, modulo the sides of the board where edges are glued together."""
        return {self._wrapped(*jump) for jump in self.piece.jumps}

    def _landings(self, sources: Squares, jumps: Squares) -> Squares:
        """Return for each jump a row of the ids to which it leads, or -1 if off the board."""
        rows, columns = np.divmod(sources, np.int32(self.columns))
        rows, columns = self._wrapped(rows + jumps[:, :1], columns + jumps[:, 1:])
        inside = (rows >= 0) & (rows < self.rows) & (columns >= 0) & (columns < self.columns)
        return np.where(inside, rows * self.columns + columns, np.int32(-1))

    def _wrapped(self, rows: Coordinate, columns: Coordinate) -> tuple[Coordinate, Coordinate]:
        """Return rows and columns modulo the sides of the board where edges are glued together."""
        if self.topology is Topology.TORUS:
            rows = rows % self.rows
        if self.topology is not Topology.FLAT:
            columns = columns % self.columns
        return rows, columns

    # -- colors -----------------------------------------------------------------------------------

    @cached_property
    def _color_changes(self) -> set[int]:
        """1 if some move changes the color of the square, 0 if some move keeps it, or both."""
        glued = {Topology.TORUS: self.shape, Topology.CYLINDER: (self.columns,)}
        if any(side % 2 for side in glued.get(self.topology, ())):
            return {0, 1}
        return {sum(jump) % 2 for jump in self.piece.jumps}

    @property
    def keeps_color(self) -> bool:
        """Whether every move leads to a square of the same color, as a camel's."""
        return self._color_changes == {0}

    @cached_property
    def first_part(self) -> Mask | None:
        """For each id, whether it is dark; None unless every move changes the color."""
        return self.dark(np.arange(self.area)) if self._color_changes == {1} else None

    def dark(self, vertices: Ints) -> Mask:
        """Return for each id whether it is dark, as a1 is."""
        rows, columns = np.divmod(vertices, self.columns)
        return np.asarray((self.rows - 1 - rows + columns) % 2 == 0, dtype=np.bool_)

    # -- names of squares -------------------------------------------------------------------------

    def name(self, vertex: int) -> str:
        """Return the chess name of a square: the file a, b, … z, aa, …, and the rank from below."""
        row, column = divmod(int(vertex), self.columns)
        return f"{file_letters(column)}{self.rows - row}"

    label = name

    def describe(self, vertex: int) -> str:
        """Return the id and the chess name of a square."""
        return f"{vertex} ({self.name(vertex)})"

    def json_names(self, vertices: Iterable[int]) -> list[int | str]:
        """Return the names of squares in JSON output: their ids."""
        return list(map(int, vertices))

    def vertex(self, given: SquareLike, role: str = "") -> int:
        """Return the id of a square given as id, chess name, ``row,column`` or (row, column).

        Raises `InputError` if it is none of these, off the board, or a hole; the message begins
        with its ``role``, such as ``start``.

        >>> [Board(8, 8).vertex(name) for name in (0, "0", "a8", "0,0", (0, 0), "h1")]
        [0, 0, 0, 0, 0, 63]
        """
        square = self.locate(given, role)
        if square is not None and square in self:
            return square
        place = f"{role}: square {given!r}" if role else f"square {given!r}"
        wrong = f"off the board: {self.extent}" if square is None else "a hole of the board"
        raise InputError(f"{place} is {wrong}")

    def locate(self, given: SquareLike, role: str = "") -> int | None:
        """Return the id of a square or hole, or None if it is off the board.

        Raises `InputError` if it is not written as `vertex` reads it.
        """
        if type(given) is int:  # the usual case, and there may be a million
            return given if 0 <= given < self.area else None
        place = read_square(given, self.rows, self.columns)
        if place is None:
            shown = reprlib.repr(given)
            what = f"{role}: {shown} is not a square" if role else f"square {shown}"
            raise InputError(
                f"{what}: give an id (0), a chess name (a1) or row,column from 0 (0,0)"
            )
        row, column = place
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if inside else None

    # -- words for messages -----------------------------------------------------------------------

    @property
    def size(self) -> str:
        """The sides, such as ``8x8``."""
        return f"{self.rows}x{self.columns}"

    @property
    def title(self) -> str:
        """The size, with the names of an unusual piece and topology in parentheses."""
        unusual = ", ".join(self.unusual.values())
        return f"{self.size} ({unusual})" if unusual else self.size

    @property
    def title_with_holes(self) -> str:
        """The title and the number of holes, if there are any, as ``7x7 with 16 holes``."""
        if not self.holes:
            return self.title
        return f"{self.title} with {pluralize(len(self.holes), 'hole')}"

    @property
    def summary(self) -> str:
        """The title with the number of squares, such as ``8x8, 64 squares``."""
        return f"{self.title}, {pluralize(len(self), 'square')}"

    @property
    def extent(self) -> str:
        """The ranges of ids, files and ranks, as a clause for messages."""
        files = f"files a to {file_letters(self.columns - 1)}"
        return f"{self.size} has ids 0 to {self.area - 1}, {files} and ranks 1 to {self.rows}"

    @property
    def move_name(self) -> str:
        """The name of its piece's move, such as ``knight's move``."""
        return self.piece.move_name

    def no_tour_claim(self, closed: bool) -> str:
        """Return the claim that there is no tour, such as ``closed 3x8 has no tour``."""
        return f"{'closed' if closed else 'open'} {self.title_with_holes} has no tour"


def _checked_sides(rows: Any, columns: Any) -> tuple[int, int]:
    """Return the sides of a board as integers.

    Raises `TypeError` for values that are not integers, and `InputError` for sides below 1 and for
    boards of more than `MAX_AREA` squares.
    """
    try:
        rows, columns = index(rows), index(columns)
    except TypeError:
        raise TypeError(
            f"sides {rows!r} and {columns!r} of a board: give whole numbers;"
            " Board.parse reads text such as '8x8'"
        ) from None
    if rows < 1 or columns < 1:
        raise InputError(f"board {rows}x{columns}: each side must be at least 1")
    if rows * columns > MAX_AREA:
        raise InputError(f"board: more than {MAX_AREA:,} squares are refused")
    return rows, columns


def _piece_of(value: Piece | str) -> Piece:
    """Return the piece that a value names. Raises `InputError` for an unknown name."""
    return value if isinstance(value, Piece) else Piece.parse(value)


def _topology_of(value: Topology | str) -> Topology:
    """Return the topology that a value names. Raises `InputError` for an unknown name."""
    return checked_choice("topology", value, Topology)


def graph_of(
    board: GraphLike, piece: Piece | str | None = None, topology: Topology | str | None = None
) -> Graph:
    """Return a board from text, and a graph from anything else.

    Text that lists edges is a graph, too (see `graph_in_text`). Raises `InputError` for a piece or
    topology of anything but text.
    """
    if isinstance(board, str):
        graph = graph_in_text(board, piece, topology)
        return Board.parse(board, piece, topology) if graph is None else graph
    sides = [board, board] if isinstance(board, int) else board
    if isinstance(sides, list | tuple) and [type(side) for side in sides] == [int, int]:
        rows, columns = sides
        raise InputError(
            f"board {board!r}: give '{rows}x{columns}' or Board({rows}, {columns});"
            " a graph is a list of edges"
        )
    for name, value in (("piece", piece), ("topology", topology)):
        if value is not None:
            raise InputError(f"{name}: is only for a board given as text, such as 8x8")
    return Graph.of(board)


def graph_in_text(
    text: str, piece: Piece | str | None = None, topology: Topology | str | None = None
) -> Graph | None:
    """Return the graph whose edges a text lists as two numbers a line, or None for a board.

    The names of the vertices are these numbers as text. With a piece or a topology the text is a
    board. Raises `InputError` as `edges_in_text`.

    >>> graph_in_text("1 2\\n2 3\\n3 1")
    <graph of 3 vertices and 3 edges>
    """
    if piece is not None or topology is not None:
        return None
    edge_list = edges_in_text(text)
    return None if edge_list is None else Graph.from_edges(*edge_list, directed=False)


def as_board(graph: Graph, what: str = "this") -> Board:
    """Return the graph if it is a board. Raises `InputError` otherwise.

    The message says that ``what`` is for boards only.
    """
    if not isinstance(graph, Board):
        raise InputError(f"{what} is for boards only, and this is a {graph.title}")
    return graph


class OpenOrClosed:
    """Mixin: a graph, the kind of tour, and how many of the vertices are visited."""

    graph: Graph
    closed: bool

    @property
    def board(self) -> Board:
        """The graph, if it is a board. Raises `InputError` for any other graph."""
        return as_board(self.graph)

    @property
    def kind(self) -> str:
        """``open`` or ``closed``."""
        return "closed" if self.closed else "open"

    @property
    def visit_count(self) -> int:
        """The number of vertices that are visited."""
        return len(self.graph)

    @property
    def summary(self) -> str:
        """A few words, such as ``closed tour of 8x8, 64 squares``."""
        words = self.graph.vocabulary
        count = self.visit_count
        if count == len(self.graph):
            return f"{words.tour(self.closed)} of {self.graph.summary}"
        place = f" of {self.graph.title}" if self.graph.has_places else ""
        total = words.count_vertices(len(self.graph))
        return f"{words.partial_tour(self.closed)} through {count:,} of {total}{place}"
