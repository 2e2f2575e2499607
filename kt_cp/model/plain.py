"""A knight's tour as a CP-SAT circuit, in the public API of OR-tools: the file to read first.

Every arc, that is a move in one direction, gets a Boolean: does the tour make this move? The
constraint `add_circuit` demands that the arcs in use form one circuit. What surprises people:

- Every node that has an arc is mandatory. Only a self-loop in use would excuse it; we add none.
- A node without arcs is ignored, so squares without moves have to be looked for beforehand.
- There and back is a circuit too, but two squares are no closed tour.
- An open tour is no circuit. It becomes one by a depot, an extra node with arcs to and from every
  square: the arc in use that leaves the depot selects the start, the one that enters it the end.

``python -m kt_cp.model.plain 8`` prints a closed tour of the 8x8 board.
"""

import sys

import numpy as np
from ortools.sat.python import cp_model

from kt_cp.board import Board


def find_tour(squares: list[int], arcs: list[tuple[int, int]], closed: bool) -> list[int] | None:
    """Return the squares in the order of a tour, or None if there is no tour.

    ``arcs`` are pairs of squares (from, to) and may come from any graph, directed or not.

    >>> find_tour([0, 1, 2], [(0, 1), (1, 2), (2, 0)], closed=True)
    [0, 1, 2]
    """
    if closed and (len(squares) < 3 or {source for source, _ in arcs} != set(squares)):
        return None
    depot = max(squares) + 1
    ends = [] if closed else [*((depot, s) for s in squares), *((s, depot) for s in squares)]

    model = cp_model.CpModel()
    used = {(a, b): model.new_bool_var(f"{a}>{b}") for a, b in [*arcs, *ends]}
    model.add_circuit([(a, b, literal) for (a, b), literal in used.items()])

    solver = cp_model.CpSolver()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    follower = dict(arc for arc, literal in used.items() if solver.boolean_value(literal))
    tour = [squares[0] if closed else follower[depot]]
    while len(tour) < len(squares):
        tour.append(follower[tour[-1]])
    return tour


if __name__ == "__main__":
    size = int(sys.argv[1])
    board = Board(size, size)
    moves = [(source, target) for source, target in board.arcs.tolist()]
    tour = find_tour(board.squares.tolist(), moves, closed=True)
    if tour is None:
        sys.exit(f"There is no closed tour of {size}x{size}.")
    for steps in board.grid(np.argsort(tour) + 1):
        print("".join(f"{step:5}" for step in steps))
