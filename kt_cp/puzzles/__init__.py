"""Boards that have a tour, puzzles with one solution, and how a person solves them.

A puzzle is an instance with exactly one tour. Clues of a random tour are left out as long as it
stays the only one: a solver decides that, or the rules by which a person finds the tour, whose
difficulty also rates the puzzle and whose sentences explain it.

The files, in the order of reading:

- ``words``: the sentences of puzzles in six languages.
- ``puzzle``: levels, clues, patterns of clues, and the puzzle, which is saved as a map.
- ``boards``: random boards, each with a tour, and random tours of a board.
- ``facts``: what a person knows of the tour: moves, steps, and where steps still can be.
- ``rules``: what a person deduces from the facts, rule by rule, the simplest first.
- ``deduction``: the rules one after the other: explanations, ratings and hints.
- ``uniqueness``: whether there is exactly one tour, by a formula of its steps; why there is none.
- ``making``: `make_puzzle`, which leaves out clues of a random tour.
"""
