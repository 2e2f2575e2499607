"""The longest path or cycle as a CP-SAT circuit: the sibling of `kt_cp.model.plain`.

A circuit may leave out a node whose self-loop is in use. So every vertex gets one more Boolean, its
loop: is it left out? As few loops as possible are used. The differences to a tour of all vertices:

- A vertex without arcs is no longer in the way: its loop is used.
- Without the bound below, there and back would be a cycle of two squares, and the empty circuit
  a cycle of none.
- The depot has no loop, so a path starts and ends somewhere, if only at one and the same vertex.
- The search ends with the longest path, and with the proof that none is longer.
"""

import sys
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from ortools.sat.python import cp_model

from kt_cp.board import Board

V = TypeVar("V", bound=Hashable)


def find_longest(vertices: Sequence[V], arcs: Iterable[tuple[V, V]], closed: bool) -> list[V]:
    """Return the vertices in the order of a longest path, or cycle; none if there is no cycle.

    >>> find_longest("abcd", [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")], closed=True)
    ['a', 'b', 'c']
    """
    count = depot = len(vertices)  # the depot is the node after those of the vertices
    number = {vertex: node for node, vertex in enumerate(vertices)}
    pairs = [(number[source], number[target]) for source, target in arcs]
    ends = [] if closed else [pair for v in range(count) for pair in ((depot, v), (v, depot))]
    loops = [(v, v) for v in range(count)]

    model = cp_model.CpModel()
    used = {(a, b): model.new_bool_var(f"{a}>{b}") for a, b in pairs + ends + loops}
    model.add_circuit([(a, b, literal) for (a, b), literal in used.items()])
    left_out = sum(used[loop] for loop in loops)
    model.add(left_out <= count - (3 if closed else 1))
    model.minimize(left_out)
    solver = cp_model.CpSolver()
    if solver.solve(model) != cp_model.OPTIMAL:
        return []
    follower = dict(arc for arc, literal in used.items() if solver.boolean_value(literal))
    first = next(a for a, b in follower.items() if a != b) if closed else follower[depot]
    path = [first]
    while (after := follower[path[-1]]) not in (first, depot):
        path.append(after)
    return [vertices[node] for node in path]


if __name__ == "__main__":
    side = " ".join(sys.argv[1:]) or "4"
    if not (side.isdecimal() and int(side)):
        print("usage: python -m kt_cp.model.plain_longest [SIDE]    (4: the longest path of 4x4)")
        sys.exit(0 if side in ("-h", "--help") else 2)
    board = Board(int(side), int(side))
    path = find_longest(board.squares.tolist(), map(tuple, board.arcs.tolist()), closed=False)
    print(f"{len(path)} of {len(board)} squares:", *map(board.name, path))
