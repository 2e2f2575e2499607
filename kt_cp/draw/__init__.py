"""Pictures of tours, puzzles, proofs and faulty paths, and pages that step through them.

A picture is described once, as layers of shapes in the roles of a palette (`kt_cp.draw.picture`),
and written as SVG by the standard library, or from that as PNG, PDF and GIF by typst and Pillow:
`kt_cp.draw.output` finds the picture of a value, writes it to a file or shows it in a notebook.
"""
