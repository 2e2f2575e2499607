"""Ways to answer: each is a function from a `Task` to an `Answer`, and a row of the table.

Read `method` first (what a method and its answer are), then `table` (all of them, with their
sources), `auto` (in which order they are tried) and `circuit` (the CP-SAT model, which is the heart
of the package). The others stand alone:

- `cuts`: 2-factors by SAT and clauses that join their cycles, and `regions`: parts of a graph with
  small borders, which help it
- `patch` and `compose`: large boards, by windows or by tiles
- `givens`: tours with given steps
- `optimize`: the best tour by an objective, with `annealing`; `longest`: the longest path or cycle;
  both with `incumbent`, the best so far and the bound
- `covers`: several tours or paths at once
- `rotations`: changes of a tour, which annealing, longest paths and puzzles use
- `peers`: the searches of `kt_dfs`, clingo and Choco; `custom`: methods of the caller
- `result`: what `kt_cp.solving` returns
"""
