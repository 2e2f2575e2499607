"""Tours, and how they are judged and measured. Nothing here knows a solver.

The files, in the order of reading:

- ``validator``: whether a path or moves are a tour, and every fault otherwise.
- ``tour``: the `Tour`, which the validator has accepted, and covers by several paths.
- ``features``: numbers such as turns and crossings.
"""
