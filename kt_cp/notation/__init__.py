"""Read and write tours in the notations that people use.

Text is read by one idea: a sequence that visits every square of a board once by legal moves is no
coincidence. So the reader does not look for the print of one program or another, but tries the few
things that the numbers and names of a text may mean, and takes what is a tour.

From the text to the verdict there are five words:

- *token*: a number, a name, a mark or a word, as it stands in the text;
- *entry*: a token that stands for a square, a step, or an end of a move;
- *notation*: how squares and their order are written, as ids, chess names, a numbered board;
- *form*: a path as the text may write it, in a notation, before the board is known;
- *reading*: a form on a board, with the report of the validator. Of several readings one is chosen.

The files, in the order of reading:

- ``notations``: the notations and how each names squares; what a form and a reading are.
- ``tokens``: text without its typography and markup, and the tokens of it.
- ``write``: a tour or a cover as text in a notation.
- ``forms``: the forms of arrays of numbers, and those that the tokens of a text may have.
- ``choice``: on which boards a form may be, and which of all readings is meant.
- ``values``: the forms of Python values and JSON documents; paths in files.
- ``formats``: the forms of text with a grammar, such as TSPLIB and the answers of solvers; covers.
- ``read``: `validate`, `parse_path` and `parse_paths`, which put all this together.
"""
