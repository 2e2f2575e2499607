"""Pictures of tours, puzzles and what is wrong with a path, and pages that replay a search.

A picture is described once, as layers (`kt_cp.draw.picture`), and written as SVG by the standard
library or as PNG and GIF by matplotlib. `kt_cp.draw.output` writes pictures to files,
`kt_cp.draw.notebook` shows them in notebooks.
"""
