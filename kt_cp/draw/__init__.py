"""Pictures of tours, puzzles, proofs and faulty paths, and pages that step through them.

A picture is made once, as elements of SVG (`kt_cp.draw.picture`), and `kt_cp.draw.output`
writes it as SVG; `kt_cp.draw.output` makes PNG, PDF and GIF of that.
"""
