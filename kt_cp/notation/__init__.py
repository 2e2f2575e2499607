"""Reading and writing tours in the notations people use.

What each notation looks like, and what is lost in it:

=========== ====================================== ===========================================
notation    example                                is lost
=========== ====================================== ===========================================
grid        ``1 4 7 10`` in rows, holes as ``#``   whether it is closed
ids         ``4 7 0 11``                           the board's shape and holes
squares     ``a1 b3 c5``                           holes; empty rows above, columns to the right
coords      ``0,0 2,1``                            holes; empty rows below, columns to the right;
                                                   row or column first, where the board is square
moves       ``a1-b3 b3-c5``                        as squares; if not in order, the steps, the
                                                   direction, and the start of a closed tour;
                                                   a tour of one square
facts       ``move(1,1,2,3).``                     as coords and as moves
successors  ``10 17 8 …``, for each id the next    the board's shape, the steps, and the start
                                                   of a closed tour
tsplib      a ``.tour`` file                       the board's shape and holes
json        ``{"board": …, "tour": [0, 10, …]}``   nothing
npy         a ``.npy`` file: ids, or a grid        as ids or as grid; holes; the piece
=========== ====================================== ===========================================

A numbered board with rows and columns exchanged is a tour of the transposed board. A path is closed
if a move leads back to its first square, unless it is said to be open.
"""
