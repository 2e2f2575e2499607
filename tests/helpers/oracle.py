"""Independent judges, as plain as possible, which call no algorithm of the package.

They compute the moves of a board themselves, and take the arcs of any other graph as they are.
"""

import itertools
from collections.abc import Iterator, Sequence

from kt_cp.board import Board
from kt_cp.problem.instance import Instance


def is_move(board: Board, a: int, b: int) -> bool:
    """Whether the piece of a board jumps from a to b, holes looked at for the horse's leg only."""
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


Fault = tuple[str, int | None, tuple[int, ...]]
"""The kind of a fault, its step and its squares."""


def naive_faults(
    board: Board, path: Sequence[int], closed: bool, steps: Sequence[int] | None = None
) -> list[Fault]:
    """Every fault of a path, in the order of the path."""
    numbers = range(1, len(path) + 1) if steps is None else steps
    faults: list[Fault] = []
    for place in range(len(path)):
        faults += _square_faults(board, path, numbers, place)
        faults += _step_faults(path, numbers, place)
        faults += _move_faults(board, path, numbers, place)
    faults += _closing_faults(board, path, closed, numbers)
    on_board = range(board.rows * board.columns)
    missing = [square for square in on_board if square not in board.holes and square not in path]
    return faults + [("missing", None, (square,)) for square in missing]


def _square_faults(
    board: Board, path: Sequence[int], numbers: Sequence[int], place: int
) -> list[Fault]:
    square, step = path[place], numbers[place]
    if square not in range(board.rows * board.columns):
        return [("off-board", step, (square,))]
    if square in board.holes:
        return [("hole", step, (square,))]
    if square in path[:place]:
        return [("repeat", step, (square,))]
    return []


def _step_faults(path: Sequence[int], numbers: Sequence[int], place: int) -> list[Fault]:
    before, step = numbers[place - 1] if place > 0 else 0, numbers[place]
    if place > 0 and step == before:
        return [("same-step", step, (path[place - 1], path[place]))]
    if step > before + 1:
        return [("no-step", before + 1, ())]
    return []


def _move_faults(
    board: Board, path: Sequence[int], numbers: Sequence[int], place: int
) -> list[Fault]:
    if place + 1 == len(path) or numbers[place + 1] != numbers[place] + 1:
        return []
    if numbers.count(numbers[place]) > 1 or numbers.count(numbers[place + 1]) > 1:
        return []
    ends = path[place], path[place + 1]
    inside = all(square in range(board.rows * board.columns) for square in ends)
    if inside and not is_move(board, *ends):
        return [("illegal-move", numbers[place], ends)]
    return []


def _closing_faults(
    board: Board, path: Sequence[int], closed: bool, numbers: Sequence[int]
) -> list[Fault]:
    if not (closed and path):
        return []
    last, first = path[-1], path[0]
    inside = all(square in range(board.rows * board.columns) for square in (last, first))
    if inside and (len(path) < 3 or not is_move(board, last, first)):
        return [("not-closed", numbers[-1], (last, first))]
    return []


def all_tours(instance: Instance) -> Iterator[tuple[int, ...]]:
    """Every tour that meets the constraints, by exhaustive search.

    A closed tour comes in both directions, each written from the start or the first square.
    """
    if isinstance(board := instance.graph, Board):
        area = board.rows * board.columns
        squares = [square for square in range(area) if square not in board.holes]
        pairs = {(a, b) for a in squares for b in squares if is_move(board, a, b)}
    else:
        squares, pairs = [*range(len(board))], set(map(tuple, board.arcs.tolist()))
    moves = {
        a: [b for b in squares if (a, b) in pairs and _allowed(instance, a, b)] for a in squares
    }
    starts = squares if instance.start is None else [instance.start]
    if instance.closed and not instance.givens:
        starts = starts[:1]
    if instance.closed and len(squares) < 3:
        return

    bit = {square: 1 << square for square in squares}

    def extend(path: list[int], left: int) -> Iterator[tuple[int, ...]]:
        if not left:
            if _accepted(instance, moves, path):
                yield tuple(path)
            return
        for square in moves[path[-1]]:
            if left & bit[square]:
                path.append(square)
                yield from extend(path, left ^ bit[square])
                path.pop()

    for start in starts:
        yield from extend([start], sum(bit.values()) ^ bit[start])


def _allowed(instance: Instance, a: int, b: int) -> bool:
    return not any(
        (a, b) == move[:2] or (not move.directed and (b, a) == move[:2]) for move in instance.forbid
    )


def _accepted(instance: Instance, moves: dict[int, list[int]], path: list[int]) -> bool:
    if instance.closed and path[0] not in moves[path[-1]]:
        return False
    if instance.end is not None and path[-1] != instance.end:
        return False
    made = set(itertools.pairwise([*path, *path[: instance.closed]]))
    return (
        all(
            move[:2] in made or (not move.directed and (move.target, move.source) in made)
            for move in instance.require
        )
        and all(path[step - 1] == square for square, step in instance.givens)
        and (instance.symmetry is None or looks_symmetric(instance, made, instance.symmetry))
    )


def looks_symmetric(instance: Instance, made: set[tuple[int, int]], symmetry: str) -> bool:
    """Whether the moves made are the same after the board is turned or reflected."""
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
