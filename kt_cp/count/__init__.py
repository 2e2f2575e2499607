"""Enumerate, count and sample tours.

Tours are enumerated by CP-SAT, one after the other. They are counted without listing any, by
dynamic programming: squares are decided in a fixed order, and of the partial tours that lead to the
same *state* of the frontier, the squares between decided ones and others, only the number is kept.

The files, in the order of reading (for the method, first the docstring of `frontier`):

- `cost`: the time and memory expected and allowed, and how far a count has come.
- `plan`: the order of the squares, and the choices at each of them.
- `tables`: the states as rows and columns of tables, faster where most of them occur.
- `frontier`: the method, the states one by one, and the sweep over all squares.
- `disk`: a count with its states in files, shared by processes and resumed after a crash.
- `counting`: `enumerate_tours` and `count_tours`, classes up to symmetry, the choice of a method.
- `sampling`: tours drawn at random, backwards through the states of a count.
- `sequences`: boards that grow, counted in one sweep, and the recurrences of their numbers.
"""
