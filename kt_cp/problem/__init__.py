"""The problem: what is asked of a tour, as plain data that every way to answer it shares.

An instance is a graph with constraints. Solvers, proofs, counts and pictures see it as a graph with
one more node, the depot, in which every tour, open or closed, is a cycle.

The files, in the order of reading:

- `constraints`: `Move`, `Bound`, and the keyword arguments that `kt_cp.solve` and others share.
- `instance`: the `Instance`, also as people type it or as a map states it.
- `symmetry`: the maps that take tours to tours, and the orbits of tours under them.
- `tour_graph`: the `TourGraph` of an instance, and the steps at which vertices can be visited.
- `task`: the `Task`, which is what a method is given: an instance with a `Clock`, an `Objective`
  and settings; and the `Optimum`, which is what an objective is answered by.

The words for what a tour visits and uses:

- An *id* is the number of a vertex in its graph, and a *node* its number in a tour graph, where
  numbers have no gaps and the depot comes last. A *square* is any vertex.
- `Graph` is what was asked, `TourGraph` adds the depot, and `SplitGraph` directions;
  `kt_cp.sat.edges.EdgeGraph` keeps the edges that are still possible, and
  `kt_cp.proof.separators.ProofGraph` those that are settled.
- A *step* is a place on a tour, from 1. Steps of a certificate, of a count and of the method
  ``auto`` are said to be such.
"""
