"""The playground: a browser interface to the toolkit.

What a visitor sees is a scene: a position, drawn, with an answer. The page keeps scenes and shows
one; whatever is computed, is computed by worker processes from the address of the position, so that
no visitor can stop the server.

The files, in the order of reading:

- ``position``: a board with constraints and a path, what taps do to it, and its address.
- ``work``: what workers do: functions of an address that return the next scene.
- ``jobs``: running that work in processes, with limits of time, memory and number.
- ``view``: the parts of the page: the board, lists, fields and folds.
- ``page``: the page of one visitor: its controls, its history and its search.
- ``server``: the server, which answers its own page only.
- ``play.css``, and ``play.js`` beside the scripts of all pages: the look, the keys and the drag.
"""
