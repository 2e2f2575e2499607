"""The textbook's two searches for a knight's tour, on one page.

Both extend a path square by square and backtrack where it cannot be extended. They differ only
in the order in which they try the next squares: as the moves are listed, or by Warnsdorff's rule
(1823), fewest onward moves first. `kt_dfs.search` is the same search with counters and limits.
After Miller and Ranum, *Problem Solving with Algorithms and Data Structures using Python*.
"""

from collections.abc import Callable

MOVES = ((-1, -2), (-1, 2), (-2, -1), (-2, 1), (1, -2), (1, 2), (2, -1), (2, 1))

Graph = dict[int, list[int]]
Order = Callable[[Graph, list[int]], list[int]]


def knight_moves(size: int) -> Graph:
    """Map each square, row * size + column, to the squares a knight's move away."""
    return {
        row * size + column: [
            (row + down) * size + column + right
            for down, right in MOVES
            if row + down in range(size) and column + right in range(size)
        ]
        for row in range(size)
        for column in range(size)
    }


def extend(graph: Graph, path: list[int], order: Order) -> bool:
    """Extend the path to a tour and return True, or return False if there is none."""
    if len(path) == len(graph):
        return True
    for square in order(graph, path):
        path.append(square)
        if extend(graph, path, order):
            return True
        path.pop()  # backtrack
    return False


def unvisited(graph: Graph, path: list[int]) -> list[int]:
    """Return the squares that the path can go to next, as the moves are listed."""
    return [square for square in graph[path[-1]] if square not in path]


def fewest_onward_moves(graph: Graph, path: list[int]) -> list[int]:
    """Return the same squares in the order of Warnsdorff's rule; ties stay as they are."""
    return sorted(unvisited(graph, path), key=lambda square: len(unvisited(graph, [*path, square])))


if __name__ == "__main__":
    tour = [0]
    extend(knight_moves(8), tour, fewest_onward_moves)
    for row in range(8):
        print(*(f"{tour.index(row * 8 + column) + 1:2}" for column in range(8)))
