"""Ways to answer: each is a function from a `Task` to an `Answer`, and a row of the table.

Read `method` first (what a method and its answer are), then `table` (all of them, with their
sources), `auto` (in which order they are tried) and `circuit` (the CP-SAT model, which is the heart
of the package). The others, which use `method` and a few of one another:

- `regions`: parts of a graph with small borders.
- `cuts`: 2-factors by SAT, and clauses that join their cycles.
- `patch` and `compose`: large boards, by windows or by tiles.
- `givens`: tours with given steps.
- `rotations`: changes of a tour, which annealing, longest paths and puzzles use.
- `incumbent`: the best tour so far and the bound, for the next three.
- `annealing`: a good tour by an objective, from changes at random.
- `optimize`: the best tour by an objective.
- `longest`: the longest path or cycle.
- `covers`: several tours or paths at once.
- `peers`: the searches of `kt_dfs`, clingo and Choco.
- `custom`: methods of the caller.

`result` is no method: it has what `kt_cp.solving` returns.
"""
