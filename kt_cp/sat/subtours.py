"""Connect a set of edges by a SAT solver: degrees first, and cuts for what falls apart.

Every open edge has a 0/1 variable, and clauses say how many edges a node has. Where a solution
falls into several components, a clause for each of them says that some edge leaves it, and the
solver goes on (Dantzig, Fulkerson and Johnson 1954, Solution of a large-scale traveling-salesman
problem). CaDiCaL is interrupted after some conflicts, to look at the clock.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from threading import Thread
from typing import Any

import numpy as np
from pysat.solvers import Cadical195

from kt_cp.board import Mask
from kt_cp.board.symmetry import Ints
from kt_cp.graph import component_labels
from kt_cp.problem.clock import Clock, OutOfTime

# Nodes with more edges than this get an encoding with additional variables.
_MANY = 12

# Conflicts between two looks at the clock.
_SLICE = 1000


def solve_slice(solver: Any, assumptions: Sequence[int] = ()) -> bool | None:
    """Solve within the solver's budget; return None when that is used up.

    The solver runs in a thread of its own: Ctrl-C would otherwise jump out of its middle.
    """
    answers: list[bool | None] = []
    thread = Thread(target=lambda: answers.append(solver.solve_limited(assumptions=assumptions)))
    thread.start()
    try:
        thread.join()
    except BaseException:
        thread.join()
        raise
    return answers[0]


class EdgeSolver:
    """Chooses edges so that with the ``links`` each node has two, and all nodes are connected.

    ``edges`` and ``links`` are rows of two nodes; links are in use anyway. Edges of the same group
    are used together. ``variables`` holds the variable of each edge, ``cuts`` counts the sets of
    nodes that were found apart.
    """

    def __init__(
        self,
        nodes: int,
        edges: Ints,
        links: Ints,
        clock: Clock,
        groups: Ints | None = None,
        seed: int = 0,
    ) -> None:
        """State the degrees. Another seed numbers the variables from another edge on.

        Neighboring edges keep neighboring numbers; with random ones the search takes ten times
        as long. Raises `OutOfTime`, as the other methods do, when the clock's limit is reached.
        """
        self.nodes, self.edges, self.links, self.clock = nodes, edges, links, clock
        groups = np.arange(len(edges)) if groups is None else groups
        count = int(groups.max(initial=-1)) + 1
        first = Random(seed).randrange(max(count, 1))
        self.variables = 1 + (groups + first) % max(count, 1)
        self._top = count
        self._solver = Cadical195()
        self.cuts = self.conflicts = 0
        wanted = 2 - np.bincount(links.ravel(), minlength=nodes)
        variables = np.concatenate([self.variables, self.variables])
        for number, literals in zip(
            wanted.tolist(), _sorted(variables, edges.T.ravel(), nodes), strict=True
        ):
            clock.check()
            self.exactly(number, literals)

    def new_variables(self, count: int) -> Ints:
        """Return so many variables more, for clauses of one's own."""
        self._top += count
        return np.arange(self._top - count + 1, self._top + 1)

    def add_clause(self, literals: list[int]) -> None:
        """Add the constraint that one of the literals is true."""
        self._solver.add_clause(literals)

    def solve(self, most: float = np.inf) -> Mask | None:
        """Return which edges are used, or None where no choice connects all nodes.

        Raises `OutOfTime` when the clock's limit is reached, or after so many conflicts at most.
        """
        while True:
            used = self.choose(most)
            if used is None:
                return None
            labels = component_labels(self.nodes, np.concatenate([self.edges[used], self.links]))
            if not labels.any():
                return used
            self._cut(labels)

    def choose(self, most: float = np.inf) -> Mask | None:
        """Do what `solve` does, but without a look at what is connected."""
        found = None
        while found is None:
            self.clock.check()
            if self.conflicts >= most:
                raise OutOfTime
            self._solver.conf_budget(int(min(_SLICE, most - self.conflicts)))
            found = solve_slice(self._solver)
            self.conflicts = self._solver.accum_stats()["conflicts"]
        if not found:
            return None
        values = np.array(self._solver.get_model()) > 0
        return np.asarray(values[self.variables - 1])

    def _cut(self, labels: Ints) -> None:
        """Add for each set of nodes with the same label the clause that some edge leaves it."""
        names, sets = np.unique(labels, return_inverse=True)
        ends = sets[self.edges.T]
        across = ends[0] != ends[1]
        variables = np.concatenate([self.variables[across]] * 2)
        for leaving in _sorted(variables, ends[:, across].ravel(), len(names)):
            self.clock.check()
            self._solver.add_clause(sorted({*leaving}))
            self.cuts += 1

    def exactly(self, number: int, literals: list[int]) -> None:
        """Add clauses: so many of the literals are true, one that occurs twice counting twice."""
        count = len(literals)
        if not 0 <= number <= count:
            self._solver.add_clause([])
        elif count <= _MANY:
            unused = [-literal for literal in literals]
            for some in itertools.combinations(literals, count - number + 1):
                self._solver.add_clause(some)
            for some in itertools.combinations(unused, number + 1):
                self._solver.add_clause(some)
        else:
            from pysat.card import CardEnc, EncType  # which few boards need

            counter = CardEnc.equals(literals, number, self._top, encoding=EncType.seqcounter)
            self._top = max(self._top, counter.nv)
            self._solver.append_formula(counter.clauses)


def _sorted(variables: Ints, nodes: Ints, count: int) -> Iterator[list[int]]:
    """Yield for each of so many nodes its variables, where each variable comes with a node."""
    order = np.argsort(nodes, kind="stable")
    firsts = np.searchsorted(nodes[order], np.arange(count + 1)).tolist()
    variables = variables[order]
    return (variables[first:last].tolist() for first, last in itertools.pairwise(firsts))
