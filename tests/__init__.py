"""Tests. Read `test_properties` first.

Each folder tests the package of its name (``dfs``: `kt_dfs`), each file beside this one the root
module or the topic in its name. Two folders hold no tests:

- ``helpers``: the command, judges, strategies, graphs, pictures and pages, for all tests.
- ``published``: claims as data, recomputed here and by `scripts.reproduce`.

Markers: ``exhaustive``, ``dependencies``.
"""
