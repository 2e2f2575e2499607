"""Independent judges, as plain as possible, which call no algorithm of the package.

They compute the moves of a board themselves, and take the arcs of any other graph as they are;
only `partial_tours` and `most_squares` ask `Instance.satisfied_by` and `Graph.neighbors`.
"""

import itertools
from collections.abc import Iterator, Sequence, Set
from typing import TypeVar

import numpy as np

from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance

T = TypeVar("T")


def is_move(board: Board, a: int, b: int) -> bool:
    """Return whether the piece of a board jumps from a to b.

    Holes matter only where they block the leg of a horse.
    """
    if a == b:
        return False
    (row_a, column_a), (row_b, column_b) = divmod(a, board.columns), divmod(b, board.columns)
    wraps_rows = board.topology == "torus"
    wraps_columns = board.topology in ("torus", "cylinder")
    for small, large in board.piece.sides:
        for down, right in ((small, large), (large, small)):
            for down_sign, right_sign in itertools.product((-1, 1), repeat=2):
                row, column = row_a + down_sign * down, column_a + right_sign * right
                leg_row = row_a + (down_sign if down == 2 else 0)
                leg_column = column_a + (right_sign if right == 2 else 0)
                if wraps_rows:
                    row, leg_row = row % board.rows, leg_row % board.rows
                if wraps_columns:
                    column, leg_column = column % board.columns, leg_column % board.columns
                if (row, column) != (row_b, column_b):
                    continue
                blocked = leg_row * board.columns + leg_column in board.holes
                if not (board.piece.blockable and blocked):
                    return True
    return False


def moves_along(path: Sequence[T], closed: bool) -> list[tuple[T, T]]:
    """Return the moves from each vertex of a path to the next, and of a closed one to the first."""
    moves = list(itertools.pairwise(path))
    if closed and path:
        moves.append((path[-1], path[0]))
    return moves


def simple_paths(graph: Graph) -> Iterator[list[int]]:
    """Yield every path of a graph that visits no vertex twice, from each vertex on."""
    stack = [[vertex] for vertex in graph.vertices.tolist()]
    while stack:
        path = stack.pop()
        yield path
        stack += [[*path, after] for after in graph.neighbors(path[-1]) if after not in path]


def partial_tours(instance: Instance) -> Iterator[list[int]]:
    """Yield every path of a graph, or cycle of three vertices at least, that an instance allows.

    What it allows is for `Instance.satisfied_by` to say.
    """
    for path in simple_paths(instance.graph):
        is_cycle = len(path) > 2 and path[0] in instance.graph.neighbors(path[-1])
        if (is_cycle or not instance.closed) and instance.satisfied_by(np.array(path)):
            yield path


def most_squares(instance: Instance) -> int:
    """Return the squares of a longest partial tour that an instance allows, or 0."""
    return max(map(len, partial_tours(instance)), default=0)


Fault = tuple[str, int | None, tuple[int, ...]]
"""The kind of a fault, its step and its squares."""


def naive_faults(
    board: Board, path: Sequence[int], closed: bool, steps: Sequence[int] | None = None
) -> list[Fault]:
    """Return every fault of a path, in the order of the path."""
    numbers = [*range(1, len(path) + 1)] if steps is None else [*steps]
    ids = range(board.rows * board.columns)
    faults: list[Fault] = []
    for index, (square, step) in enumerate(zip(path, numbers, strict=True)):
        if square not in ids:
            faults.append(("off-board", step, (square,)))
        elif square in board.holes:
            faults.append(("hole", step, (square,)))
        elif square in path[:index]:
            faults.append(("repeat", step, (square,)))
        before = numbers[index - 1] if index else 0
        if index and step == before:
            faults.append(("same-step", step, (path[index - 1], square)))
        elif step > before + 1:
            faults.append(("no-step", before + 1, ()))
        is_followed = numbers[index + 1 : index + 2] == [step + 1]
        if is_followed and numbers.count(step) == numbers.count(step + 1) == 1:
            move = square, path[index + 1]
            if {*move} <= {*ids} and not is_move(board, *move):
                faults.append(("illegal-move", step, move))
    ends = (path[-1], path[0]) if closed and path else (-1, -1)
    if {*ends} <= {*ids} and (len(path) < 3 or not is_move(board, *ends)):
        faults.append(("not-closed", numbers[-1], ends))
    missing = [square for square in ids if square not in board.holes and square not in path]
    return faults + [("missing", None, (square,)) for square in missing]


def all_tours(instance: Instance) -> Iterator[tuple[int, ...]]:
    """Yield every tour that meets the constraints, by exhaustive search.

    A closed tour comes in both directions, each written from the start or the first square.
    """
    if isinstance(board := instance.graph, Board):
        area = board.rows * board.columns
        squares = [square for square in range(area) if square not in board.holes]
        pairs = {(a, b) for a in squares for b in squares if is_move(board, a, b)}
    else:
        squares = [*range(len(board))]
        pairs = set(map(tuple, board.arcs.tolist()))
    moves = {
        a: [b for b in squares if (a, b) in pairs and _is_allowed(instance, a, b)] for a in squares
    }
    starts = squares if instance.first is None else [instance.first]
    if instance.closed and not instance.givens:
        starts = starts[:1]
    if instance.closed and len(squares) < 3:
        return

    bit = {square: 1 << square for square in squares}

    def extend(path: list[int], unvisited: int) -> Iterator[tuple[int, ...]]:
        """Yield the tours that begin with a path; ``unvisited`` has the bits of other squares."""
        if not unvisited:
            if _is_accepted(instance, moves, path):
                yield tuple(path)
            return
        for square in moves[path[-1]]:
            if unvisited & bit[square]:
                path.append(square)
                yield from extend(path, unvisited ^ bit[square])
                path.pop()

    for start in starts:
        yield from extend([start], sum(bit.values()) ^ bit[start])


def _is_allowed(instance: Instance, a: int, b: int) -> bool:
    """Return whether no forbidden move is the one from a to b."""
    for move in instance.forbid:
        if (a, b) == move[:2] or (not move.directed and (b, a) == move[:2]):
            return False
    return True


def _is_accepted(instance: Instance, moves: dict[int, list[int]], path: list[int]) -> bool:
    """Return whether a path through all squares meets the constraints."""
    if instance.closed and path[0] not in moves[path[-1]]:
        return False
    if instance.last is not None and path[-1] != instance.last:
        return False
    made = set(itertools.pairwise(path))
    if instance.closed:
        made.add((path[-1], path[0]))
    for move in instance.require:
        is_reversed = not move.directed and (move.target, move.source) in made
        if move[:2] not in made and not is_reversed:
            return False
    if any(path[step - 1] != square for square, step in instance.givens):
        return False
    return instance.symmetry is None or looks_symmetric(instance, made, instance.symmetry)


def looks_symmetric(instance: Instance, made: set[tuple[int, int]], symmetry: str) -> bool:
    """Return whether the moves made are the same after the board is turned or reflected."""
    rows, columns = instance.board.rows, instance.board.columns

    def image(square: int) -> int:
        row, column = divmod(square, columns)
        if symmetry == "left-right":
            column = columns - 1 - column
        elif symmetry == "top-bottom":
            row = rows - 1 - row
        elif symmetry == "quarter-turn":
            row, column = column, rows - 1 - row
        else:
            row, column = rows - 1 - row, columns - 1 - column
        return row * columns + column

    if not made:
        [square] = instance.board.squares.tolist()
        return bool(image(square) == square)
    turned = {(image(a), image(b)) for a, b in made}
    reversed_too = {(b, a) for a, b in turned}
    if symmetry == "half-turn-same":
        return turned == made
    if symmetry == "half-turn-reverse":
        return reversed_too == made
    return made in (turned, reversed_too)


def undirected(path: tuple[int, ...]) -> frozenset[frozenset[int]]:
    """Return the edges of a cycle."""
    return frozenset(frozenset(edge) for edge in zip(path, [*path[1:], path[0]], strict=True))


def tours_as_counted(instance: Instance) -> Set[object]:
    """Return the tours by exhaustive search; undirected cycles as their sets of edges."""
    tours = set(all_tours(instance))
    if instance.closed and not instance.direction_matters:
        return {undirected(tour) for tour in tours}
    return tours


def constraints_of(instance: Instance) -> Constraints:
    """Return the constraints of an instance, as keyword arguments of `count_tours`."""
    return {
        "closed": instance.closed,
        "start": instance.first,
        "end": instance.last,
        "require": instance.require,
        "forbid": instance.forbid,
        "symmetry": instance.symmetry,
        "givens": dict(instance.givens),
    }
