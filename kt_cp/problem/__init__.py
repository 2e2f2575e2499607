"""The problem: what is asked of a tour, as plain data that every way to answer it shares.

An instance is a graph with constraints. Solvers, proofs, counts and pictures see it as a graph with
one more node, the depot, in which every tour, open or closed, is a cycle.

In the order in which to read them:

- `constraints`: `Move`, `Bound`, and the keyword arguments that `kt_cp.solve` and others share.
- `instance`: the `Instance`, also as people type it or as a map states it.
- `symmetry`: the maps that take tours to tours, and the orbits of tours under them.
- `tour_graph`: the `TourGraph` of an instance, and the steps at which vertices can be visited.
- `task`: the `Task`, which is what a method is given: an instance with a `Clock`, an `Objective`
  and settings; and the `Optimum`, which is what an objective is answered by.
"""
