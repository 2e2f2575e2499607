"""The costs, in seconds, of operations that cannot be interrupted.

An operation is begun only if more time is left than its cost times its size:
``clock.check(ADD_ARC * len(arcs))``. The comments say what was measured: processor time on one core
of a server for the named instance, and the largest time if instances differ. The constants are
rounded up, so that a busy or slower machine keeps a time limit too.
"""

from __future__ import annotations

# -- problem and model ----------------------------------------------------------------------------

# An arc of the circuit model: closed 200x200, 315,216 arcs, 0.5 µs. The constant leaves room for a
# machine that is eight times slower.
ADD_ARC = 4e-6

# The edges of a feature, by arc: closed 60x60, 4.2 µs.
FEATURE_EDGE = 5e-6

# The uninterruptible part of stating the pairs of edges that a feature counts, by arc. The turns of
# closed 60x60 take 50 µs in all, most of which can be interrupted.
FEATURE_PAIR = 2e-5

# A pair of a square and a step in the formula of positions: closed 14x14, 22 µs.
ADD_POSITION = 4e-5

# -- edges and flows ------------------------------------------------------------------------------

# A vertex of an edge graph, with its propagation: closed 200x200, 0.4 µs, and 2.1 µs for 150x150
# with 1,200 holes.
EDGE_GRAPH_VERTEX = 2e-6

# An edge in a maximum flow, or in the strong components of its residual graph: closed 200x200, and
# 150x150 with 1,200 holes, 0.4 µs for the flow.
FLOW_EDGE = 2e-6

# A node in a round of exchanges that join cycles: closed 200x200, 0.8 µs.
EXCHANGE_NODE = 1e-6

# -- methods --------------------------------------------------------------------------------------

# A vertex of the graph of `kt_dfs`: 200x200, 6.4 µs.
REFERENCE_VERTEX = 1.5e-5

# A square of a composed tour, with its validation: 1000x1000, 4 ns to write and 47 ns to validate.
COMPOSED_SQUARE = 1e-7

# A square of a composed tour that is given other ends: 2001x2001, 20 ns for each attempt.
MOVED_SQUARE = 2e-8

# A node whose part in the energy of a tour is computed, or that is patched to be straight.
BADNESS_NODE = 5e-6

# -- reasons --------------------------------------------------------------------------------------

# A vertex, for the slowest reason of each kind, on closed 100x100: a scan (0.6 µs), separators
# (9 µs; 10 µs with 589 holes), and a maximum flow (1.5 µs; 2.6 µs with the holes).
SCAN_VERTEX = 1e-6
SEPARATOR_VERTEX = 1e-5
FLOW_VERTEX = 1e-5

# A vertex that a greedy search for separators takes up: closed 100x100, 30 µs.
GREEDY_VERTEX = 3e-5

# A proof by a few cases, of a graph of at most 80 edges: 0.16 s, as its edges are alike.
FEW_CASES = 0.3

# -- counting -------------------------------------------------------------------------------------

# A vertex of the frontier, in a step of the plan: closed 12x40, 1.5 µs for all its parts.
FRONTIER_VERTEX = 2e-6

# An expected state of a count in one process: 12 ns closed 7x8, 17 ns open 7x7, 25 ns open 8x6; in
# files 20 ns closed 8x8.
FRONTIER_STATE = 2e-8

# A table over the sets of 20 vertices: 0.3 s for closed tours of the complete digraph, 0.8 s for
# open ones.
SUBSETS = 1.0
