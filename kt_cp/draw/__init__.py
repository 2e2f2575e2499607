"""Pictures of tours, puzzles, proofs and faulty paths, and pages that step through them.

A picture is made once, as elements of SVG; `kt_cp.draw.picture.svg` writes it as text, and
`kt_cp.draw.output` makes PNG, PDF and GIF of that text and writes files.
"""
