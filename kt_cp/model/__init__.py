"""The circuit model for CP-SAT: the heart of the package.

Every arc has a Boolean that tells whether the tour uses it, and the arcs in use form one circuit
through all nodes. The first two files say it in public OR-tools, and can be run; the others state
the same model with all constraints, without importing pandas.

The files, in the order of reading:

- `plain`: the tour of a graph, on one page.
- `plain_longest`: the longest path or cycle of a graph, on one page.
- `parameters`: the settings of CP-SAT, each with its reason, and a check of those that users give.
- `backend`: `Model` and `Solver`: CP-SAT by its compiled module.
- `variables`: the `CircuitModel`: a literal for each arc, and variables of edges and positions.
- `objectives`: features of a tour as sums of variables, to be bounded or optimized.
- `circuit`: one function per constraint, hints, and tours from solutions.
- `partial`: the same for tours that may leave squares out.
- `custom`: functions of the user that add constraints and objectives.
"""
