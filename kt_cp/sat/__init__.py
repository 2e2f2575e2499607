"""Tours by SAT, below the methods that use them: cycles first, and then a single one.

A tour is a 2-factor, a set of edges with two at every node, that consists of one cycle. Where a
solver finds several cycles, they are joined, or a clause excludes them.

The files, in the order of reading:

- `formula`: clauses, counters and parities in a SAT solver that keeps to the clock.
- `edges`: the graph of the edges that a tour may use, and solvers that choose edges or arcs.
- `two_factors`: 2-factors by maximum flow, without a solver, and exchanges that join their cycles.
- `partial`: uncrossed and induced tours, which leave squares out.
"""
