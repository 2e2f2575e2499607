"""The problem as plain data: a board and the constraints on its tour."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack, cast

import numpy as np

from kt_cp.arrays import Squares, edges_among, unique_rows
from kt_cp.board import Board, OpenOrClosed, Symmetry, as_board, graph_in_text, graph_of
from kt_cp.board.maps import Map, map_lines, note_lines
from kt_cp.board.pieces import has_symmetry
from kt_cp.graph import Graph, GraphLike
from kt_cp.messages import InputError, as_items, as_ordered, checked_choice, checked_flag
from kt_cp.problem.constraints import (
    SHORTHANDS,
    Bound,
    Constraints,
    CustomConstraint,
    Move,
    moves_of,
)
from kt_cp.tour.tour import Tour

# With at most this many crossings, unsatisfiable cores prove more about the longest path than the
# linear relaxation does: on 5x5 with two crossings 13 squares, where the relaxation has 18.
_FEW_CROSSINGS = 5


@dataclass(frozen=True, eq=False)
class Instance(OpenOrClosed):
    """A graph, such as a board, and the constraints on its tour (see `Constraints`).

    The fields hold what was given, as ids, `Move`, `Symmetry` and `Bound`; ``givens`` are pairs
    (square, step), as people give them. What follows from them is derived: the ``first`` and the
    ``last`` square, and all known ``steps``, the reverse of givens, from step to square. Instances
    that state the same problem in different words are equal. If the instance ``allows_partial``
    tours, these may leave squares out, except those in ``visit``; they have neither steps nor an
    order. `Instance.of` reads values as people type them. Raises `InputError` for a constraint that
    is invalid on this graph, and for contradictory steps.

    >>> from dataclasses import replace
    >>> numbered = Instance.of("3x4", givens={"a3": 1, "c2": 2})
    >>> numbered == Instance.of("3x4", start="a3", givens={"c2": 2}), numbered.first
    (True, 0)
    >>> replace(numbered, givens=()).first is None
    True
    """

    graph: Graph
    closed: bool = False
    start: int | None = None
    end: int | None = None
    require: tuple[Move, ...] = ()
    forbid: tuple[Move, ...] = ()
    symmetry: Symmetry | None = None
    givens: tuple[tuple[int, int], ...] = ()
    having: tuple[Bound, ...] = ()
    order: tuple[int, ...] = ()
    constrain: tuple[CustomConstraint, ...] = ()
    allows_partial: bool = False
    visit: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self._check_types()
        graph = self.graph
        order = self.order
        if self.closed and self.end is not None:
            raise InputError("a closed tour has no end: leave out the end, or ask for an open tour")
        if self.symmetry is not None:
            board = as_board(graph, f"symmetry {self.symmetry}")
            if self.symmetry is Symmetry.QUARTER_TURN and board.rows != board.columns:
                raise InputError(f"a quarter-turn needs a square board; this one is {board.title}")
        if self.start is not None and self.start == self.end and len(graph) > 1:
            raise InputError(
                f"start and end are both {graph.name(self.start)}: "
                f"give another {graph.vocabulary.vertex} as the end"
            )
        for move in (*self.require, *self.forbid):
            if not move.is_on(graph):
                raise InputError(f"{tuple(move)} is no {graph.move_name} of {graph.title}")
        for square in (*order, *self.visit):
            if square not in graph:
                raise InputError(f"{square} is no vertex of {graph.title}")
        if self.allows_partial and (self.givens or order):
            what = "given steps" if self.givens else "an order"
            raise InputError(
                f"{what}: only for tours that visit every square; "
                "paths that leave squares out have no steps"
            )
        if twice := [square for index, square in enumerate(order) if square in order[:index]]:
            raise InputError(f"order: {graph.name(twice[0])} is named twice")
        has_step = any(step == 1 for _, step in self.givens) or self.start is not None
        if self.closed and order and self.givens and not has_step:
            raise InputError("order: a closed tour with given steps needs a start; give it, too")
        _ = self._known_squares  # computed now, to reject contradictory steps

    def _check_types(self) -> None:
        """Raise `InputError` for fields that are not canonical values."""
        ends = [end for end in (self.start, self.end) if end is not None]
        typed: list[tuple[Iterable[object], Any]] = [
            ([self.graph], Graph),
            ([self.closed, self.allows_partial], bool),
            ([self.symmetry], Symmetry | None),
            ((*self.require, *self.forbid), Move),
            (self.having, Bound),
        ]
        are_ids = all(type(each) is int for each in (*ends, *self.visit))  # True is no id
        if not are_ids or not all(
            isinstance(each, kind) for values, kind in typed for each in values
        ):
            raise InputError(
                "an Instance holds a graph, ids, Move, Symmetry and Bound; "
                "Instance.of reads what people type"
            )

    @classmethod
    def of(cls, asked: GraphLike, **constraints: Unpack[Constraints]) -> Instance:
        """Return an instance; squares, moves, symmetries and bounds may be given as text.

        The board may be a `Graph`, a value that `Graph.of` reads, a size, a map whose numbers and
        notes are constraints too, or text that lists edges (see `graph_in_text`). An instance is
        returned unchanged. Raises `InputError` for invalid constraints, and `TypeError` for an
        unknown keyword.

        >>> Instance.of("1 . .\\n. # .\\n. . .\\n; kind: closed", require=["c3-a2"]).require
        (Move(source=2, target=3, directed=False),)
        """
        if unknown := set(constraints) - Constraints.__annotations__.keys():
            names = ", ".join(Constraints.__annotations__)
            raise TypeError(f"unknown keyword {min(unknown)!r}: the constraints are {names}")
        if isinstance(asked, Instance):
            if constraints:
                raise InputError("an Instance has its constraints: use dataclasses.replace")
            if asked.allows_partial:
                raise InputError(
                    "the instance asks for tours that leave squares out: "
                    "give the board to longest_path or longest_cycle"
                )
            return asked
        graph, constraints = _graph_and_constraints(asked, constraints)
        givens = constraints.get("givens", {})
        if not isinstance(givens, Mapping):
            raise InputError(f"givens {givens!r}: give the step by square, such as {{'a1': 1}}")
        symmetry = constraints.get("symmetry")
        order = constraints.get("order")
        if order is None or isinstance(order, str):  # text has blanks between the squares
            order = (order or "").split()
        bounds = [*as_items("having", constraints.get("having", ()), "turns<=32")]
        for keyword, bound in SHORTHANDS.items():
            if checked_flag(keyword, constraints.get(keyword, False)):
                bounds.append(bound)
        return cls(
            graph,
            closed=checked_flag("closed", constraints.get("closed", False)),
            start=_end_of(graph, constraints, "start", "source"),
            end=_end_of(graph, constraints, "end", "target"),
            require=moves_of(graph, constraints.get("require", ()), "required move"),
            forbid=moves_of(graph, constraints.get("forbid", ()), "forbidden move"),
            symmetry=None if symmetry is None else checked_choice("symmetry", symmetry, Symmetry),
            givens=tuple((graph.vertex(at, f"step {step}"), step) for at, step in givens.items()),
            order=tuple(
                graph.vertex(square, "order")
                for square in as_ordered("order", order, "give a list, such as ['a1']")
            ),
            having=tuple(Bound.of(graph, bound) for bound in bounds),
            constrain=_functions(constraints.get("constrain")),
        )

    def map_lines(self, **notes: object) -> Iterator[str]:
        """Yield the lines of a map from which the same instance is read, with further notes.

        The ends of an open tour are written as steps; custom constraints are left out.

        >>> print(*Instance.of("2x4", start="a2", require=["b1-d2"]).map_lines(seed=3), sep="\\n")
        1 . . .
        . . . .
        ; kind: open
        ; require: b1-d2
        ; seed: 3
        """
        board = self.board
        steps = np.zeros(board.area, dtype=np.int32)
        steps[list(self.steps.values())] = list(self.steps)
        yield from map_lines(board.grid(board.mask), board.grid(steps))
        stated = {
            "kind": self.kind,
            **board.unusual,
            "order": " ".join(map(board.name, self.order)),
            "start": "" if self.first is None or self.steps else board.name(self.first),
            "require": " ".join(move.describe(board) for move in self.require),
            "forbid": " ".join(move.describe(board) for move in self.forbid),
            "symmetry": self.symmetry or "",
            "having": " ".join(map(str, self.having)),
        }
        yield from note_lines({name: note for name, note in stated.items() if note} | notes)

    @cached_property
    def _problem(self) -> tuple[object, ...]:
        """The problem, in the same words for equal instances."""
        known_squares = (self.first, self.last, *self.steps.items())
        constraints = (self.require, self.forbid, self.symmetry, self.having, self.order)
        kind = (self.graph, self.closed, self.allows_partial, self.visit)
        return (*kind, known_squares, *constraints, self.constrain)

    def __eq__(self, other: object) -> bool:
        return self._problem == other._problem if isinstance(other, Instance) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._problem)

    @property
    def one_way(self) -> bool:
        """Whether some move is allowed or required in one direction only."""
        moves = (*self.require, *self.forbid)
        return self.graph.directed or any(move.directed for move in moves)

    @property
    def direction_matters(self) -> bool:
        """Whether the direction of a closed tour matters to the board or to a constraint."""
        ends = () if self.closed else (1, len(self.graph))
        return bool(self.steps.keys() - ends or self.order or self.constrain) or self.one_way

    @cached_property
    def _known_squares(self) -> dict[int, int]:
        """All known squares by step. Raises `InputError` where these contradict one another."""
        graph = self.graph
        count = len(self.graph)
        square_at: dict[int, int] = {}
        step_of: dict[int, int] = {}
        start = self.start
        if self.closed and self.order and not self.givens and start is None:
            start = self.order[0]
        for square, step in (*self.givens, (start, 1), (self.end, count)):
            if square is None:
                continue
            if square not in graph:
                raise InputError(f"step {step}: {square} is no vertex of {graph.title}")
            name = graph.name(square)
            if not isinstance(step, int | np.integer) or not 1 <= step <= count:
                raise InputError(f"step {step!r} on {name}: steps run from 1 to {count}")
            other = square_at.setdefault(int(step), square)
            if other != square:
                raise InputError(
                    f"step {step} is given twice, on {graph.name(other)} and on {name}"
                )
            before = step_of.setdefault(square, int(step))
            if before != step:
                raise InputError(f"steps {before} and {step} are both given on {name}")
        return square_at

    @cached_property
    def first(self) -> int | None:
        """The first square, if it is known: the start, the given step 1, or the first in order.

        The last of these applies to a closed tour without given steps.
        """
        return self.start if self.allows_partial else self._known_squares.get(1)

    @cached_property
    def last(self) -> int | None:
        """The last square of an open tour, if it is known: the end, or the given last step."""
        if self.allows_partial:
            return self.end
        has_last = not self.closed and len(self.graph) > 1
        return self._known_squares.get(len(self.graph)) if has_last else None

    @cached_property
    def steps(self) -> dict[int, int]:
        """The known squares by step, ascending.

        The first square of a closed tour is among them only with givens or an order. A tour that
        may leave squares out has no known steps.
        """
        if self.allows_partial or (self.closed and not (self.givens or self.order)):
            return {}
        return dict(sorted(self._known_squares.items()))

    @property
    def must_visit(self) -> frozenset[int]:
        """The squares that a partial tour must visit, without the ends of an open one."""
        if self.closed and self.first is not None:
            return frozenset((self.first, *self.visit))
        return frozenset(self.visit)

    @property
    def measures(self) -> dict[str, int]:
        """The value of each measure by name; it is the same for every tour of all squares."""
        squares = len(self.graph)
        moves = squares if self.closed else squares - 1
        return {"squares": squares, "chords": len(Instance(self.graph).edges) - moves}

    def upper_bound(self, feature: str) -> float:
        """Return the largest value of a feature that the bounds allow, infinite without a bound."""
        limits = [bound.limits[1] for bound in self.having if bound.feature == feature]
        return min((limit for limit in limits if limit is not None), default=math.inf)

    def possible_length(self, most: float) -> int:
        """Return ``most``, rounded down to an even number for cycles of a bipartite graph.

        A path or cycle visits a whole number of vertices.

        >>> Instance.of("5x5", closed=True).possible_length(25)
        24
        """
        whole = int(most + 1e-6)  # a solver's bounds are not always exact
        has_even_cycles = self.closed and self.graph.first_part is not None
        return whole - whole % 2 if has_even_cycles else whole

    def has_no(self, feature: str) -> bool:
        """Return whether a bound excludes a feature altogether, such as ``crossings``."""
        return self.upper_bound(feature) == 0

    @property
    def has_few_crossings(self) -> bool:
        """Whether a bound allows a few crossings at most, so that most of them are excluded."""
        return self.upper_bound("crossings") <= _FEW_CROSSINGS

    @property
    def excludes_many_edges(self) -> bool:
        """Whether a bound excludes chords, or all but a few crossings."""
        return self.has_few_crossings or self.has_no("chords")

    @property
    def ends(self) -> tuple[int, ...]:
        """The known ends of an open tour."""
        both_ends = () if self.closed else (self.first, self.last)
        return tuple(square for square in both_ends if square is not None)

    @property
    def free_end_count(self) -> int:
        """The number of unknown ends of an open tour."""
        return 0 if self.closed else 2 - len(self.ends)

    @cached_property
    def forbidden_arcs(self) -> frozenset[tuple[int, int]]:
        """The arcs that the forbidden moves exclude."""
        return frozenset(arc for move in self.forbid for arc in move.arcs())

    @cached_property
    def arcs(self) -> Squares:
        """The arcs of the graph, without the forbidden ones, as rows (from, to)."""
        arcs = self.graph.arcs
        if not self.forbidden_arcs:
            return arcs
        forbidden = np.array(list(self.forbidden_arcs))
        return arcs[~edges_among(arcs, forbidden, self.graph.area)]

    @cached_property
    def edges(self) -> Squares:
        """The pairs of squares that an allowed arc joins, as rows (lower id, higher id)."""
        if not self.graph.directed and not any(move.directed for move in self.forbid):
            return self.arcs[self.arcs[:, 0] < self.arcs[:, 1]]
        edges = unique_rows(np.sort(self.arcs, axis=1), self.graph.area)
        return edges.astype(np.int32)

    def satisfied_by(self, squares: Squares) -> bool:
        """Return whether a tour, as ids in order, meets all constraints but ``constrain``."""
        if self.first not in (None, squares[0]) or self.last not in (None, squares[-1]):
            return False
        if self.allows_partial and not self.must_visit <= set(squares.tolist()):
            return False
        if self.having:
            tour = Tour.from_ids(self.graph, squares, self.closed, self.allows_partial)
            if not all(bound.holds(tour) for bound in self.having):
                return False
        if not (self.require or self.forbid or self.symmetry or self.givens or self.order):
            return True  # to save time on huge boards
        path: list[int] = squares.tolist()
        in_order = set(self.order)
        if tuple(square for square in path if square in in_order) != self.order:
            return False
        used = set(itertools.pairwise([*path, path[0]] if self.closed else path))
        return (
            all(path[step - 1] == square for square, step in self.givens)
            and used.isdisjoint(self.forbidden_arcs)
            and not any(used.isdisjoint(move.arcs()) for move in self.require)
            and (self.symmetry is None or has_symmetry(self.board, path[0], used, self.symmetry))
        )


def _end_of(graph: Graph, constraints: Constraints, name: str, other: str) -> int | None:
    """Return the id of an end, which has two names, or None. Raises `InputError` for both."""
    values = [each for each in map(constraints.get, (name, other)) if each is not None]
    if len(values) > 1:
        raise InputError(f"{other} and {name} mean the same: give only one")
    return graph.vertex(values[0], name) if values else None


def _functions(given: Any) -> tuple[CustomConstraint, ...]:
    """Return custom constraints, given as one function, several or None."""
    if given is None:
        return ()
    functions = [*given] if isinstance(given, Iterable) else [given]
    if not all(map(callable, functions)):
        raise InputError(f"constrain {given!r}: give a function that takes a model, or a list")
    return tuple(functions)


def _graph_and_constraints(asked: GraphLike, constraints: Constraints) -> tuple[Graph, Constraints]:
    """Return the graph that is asked for, and the constraints on it with those of a map."""
    piece, topology = constraints.get("piece"), constraints.get("topology")
    if not isinstance(asked, str):
        return graph_of(asked, piece, topology), constraints
    graph = graph_in_text(asked, piece, topology)
    if graph is not None:
        return graph, constraints
    board, with_those_of_map, _ = parse_map(asked, constraints)
    return board, with_those_of_map


def parse_map(text: str, constraints: Constraints) -> tuple[Board, Constraints, Map]:
    """Return the board of a size or a map, all constraints on it, and the contents of the map.

    The constraints are the given ones and those of the map, without ``piece`` and ``topology``,
    which the board has. Raises `InputError` if the map contradicts a given constraint.

    >>> parse_map("1 . .\\n. # .\\n. . .\\n; kind: closed", {"require": ["c3-a2"]})[1]
    {'require': ['c3-a2'], 'closed': True, 'givens': {0: 1}}
    """
    board, contents = Board.parse_map(text, constraints.get("piece"), constraints.get("topology"))
    merged: dict[str, Any] = {**constraints}
    for field in ("piece", "topology"):
        merged.pop(field, None)
    notes = contents.notes
    if "kind" in notes and _is_closed(notes["kind"], merged):
        merged["closed"] = True
    for field in ("start", "end", "symmetry", "order"):
        if field in notes:
            asked, noted = (
                getattr(Instance.of(board, **cast("Constraints", {field: each.get(field)})), field)
                for each in (merged, notes)
            )
            if asked not in (None, (), noted):
                raise InputError(f"the map has another {field}: {notes[field]}")
            merged[field] = noted
    for field, example in (("require", "a1-c2"), ("forbid", "a1-c2"), ("having", "turns<=32")):
        if field in notes:
            items = as_items(field, merged.get(field, ()), example)
            merged[field] = [*notes[field].split(), *items]
    if contents.givens:
        givens = merged.get("givens", {})
        steps = {board.vertex(square, f"step {step}"): step for square, step in givens.items()}
        for square in steps.keys() & contents.givens.keys():
            if steps[square] != contents.givens[square]:
                raise InputError(
                    f"steps {contents.givens[square]} and {steps[square]} are given on "
                    f"{board.name(square)}"
                )
        merged["givens"] = {**steps, **contents.givens}
    return board, cast("Constraints", merged), contents


def _is_closed(kind: str, constraints: Mapping[str, Any]) -> bool:
    """Return whether a kind in a map is closed. Raises `InputError` for one that does not fit."""
    if kind not in ("open", "closed"):
        raise InputError(
            f"kind {kind!r} in the map: give open or closed; "
            "'kt validate', 'kt describe' and 'kt draw' take a path or a cycle, too"
        )
    if kind == "open" and constraints.get("closed"):
        raise InputError("the map says that the tour is open: leave out closed, or that line")
    return kind == "closed"
