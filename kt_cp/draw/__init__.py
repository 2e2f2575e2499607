"""Pictures of tours, puzzles, proofs and faulty paths, and pages that step through them.

A picture is made once, as elements of SVG with colors named by their roles; it is then written as
SVG, printed by typst or put into a page. Nothing here searches, but to record a search.

The files, in the order of reading:

- ``look``: the options of a picture, its typefaces, and the colors of each theme by their roles.
- ``picture``: marks, lines and words as elements of SVG, and a whole picture as text.
- ``layout``: where the vertices of a graph are, and how large.
- ``ground``: a board or graph in a picture, its squares, moves and names.
- ``sheet``: a ground to draw on, with caption and legend; several become one picture.
- ``page``: the template of all HTML pages; their scripts and styles are in ``pages``.
- ``tours``: tours in all styles, animated, and several tours together.
- ``faults``: paths with their faults, and covers by several paths.
- ``puzzles``: boards and puzzles, and the pages on which they are played.
- ``proofs``: why there is no tour, and what pictures claim.
- ``replays``: recorded searches, the pages that replay them, and how they ended.
- ``output``: which picture or page a value has, written to a file in any format.
- ``book``: puzzles in print, as a book or as separate files.

The files in ``pages``:

- ``dom.js``, ``board.js``: elements and words; a board.
- ``runs.js``: the state of a search. ``player.js`` and ``player.html``: the controls of a replay.
- ``replay.js``, ``graph.js``: runs step by step; depth-first search, both with these controls.
- ``puzzle.js``: the player of a puzzle, from ``game.js`` (its state), ``entry.js`` (a number that
  is typed), ``hints.js`` (advice) and ``view.js`` (what is seen).
- ``puzzle-page.js``: the page of puzzles to play. ``play.js``: the board of the playground.
- ``book.typ``: the book.
- ``page.html``, ``static.html``: pages with and without a script; the styles have the same names.
"""
