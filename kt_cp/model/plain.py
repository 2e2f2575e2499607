"""A knight's tour as a CP-SAT circuit, in the public API of OR-tools: the file to read first.

Every arc, that is a move in one direction, gets a Boolean: does the tour make this move? The
constraint `add_circuit` demands that the arcs in use form one circuit. What surprises people:

- Every node that has an arc is mandatory. Only a self-loop in use would excuse it; we add none.
- A node without arcs is ignored, so vertices without arcs have to be looked for beforehand.
- There and back is a circuit too, but two squares are no closed tour.
- An open tour is no circuit. It becomes one by a depot, an extra node with arcs to and from every
  vertex: the arc in use that leaves the depot selects the start, the one that enters it the end.
"""

import sys
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from ortools.sat.python import cp_model

from kt_cp.board import Board

V = TypeVar("V", bound=Hashable)


def find_tour(vertices: Sequence[V], arcs: Iterable[tuple[V, V]], closed: bool) -> list[V] | None:
    """Return the vertices in the order of a tour, or None if there is no tour.

    >>> find_tour("abc", [("a", "b"), ("b", "c"), ("c", "a")], closed=True)
    ['a', 'b', 'c']
    """
    count = depot = len(vertices)  # the depot is the node after those of the vertices
    number = {vertex: node for node, vertex in enumerate(vertices)}
    pairs = [(number[source], number[target]) for source, target in arcs]
    if closed and (count < 3 or len({source for source, _ in pairs}) < count):
        return None
    ends = [] if closed else [pair for v in range(count) for pair in ((depot, v), (v, depot))]

    model = cp_model.CpModel()
    used = {(a, b): model.new_bool_var(f"{a}>{b}") for a, b in pairs + ends}
    model.add_circuit([(a, b, literal) for (a, b), literal in used.items()])
    solver = cp_model.CpSolver()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    follower = dict(arc for arc, literal in used.items() if solver.boolean_value(literal))
    tour = [0 if closed else follower[depot]]
    while len(tour) < count:
        tour.append(follower[tour[-1]])
    return [vertices[node] for node in tour]


if __name__ == "__main__":
    side = " ".join(sys.argv[1:]) or "8"
    if not (side.isdecimal() and int(side)):
        print("usage: python -m kt_cp.model.plain [SIDE]    (8: a closed tour of 8x8)")
        sys.exit(0 if side in ("-h", "--help") else 2)
    board = Board(int(side), int(side))
    tour = find_tour(board.squares.tolist(), map(tuple, board.arcs.tolist()), closed=True)
    if tour is None:
        sys.exit(f"There is no closed tour of {board.size}.")
    for row in range(board.rows):
        print("".join(f"{1 + tour.index(row * board.columns + c):5}" for c in range(board.columns)))
