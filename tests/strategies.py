"""Hypothesis strategies: boards, instances and paths."""

from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.instance import Instance, Move


@st.composite
def boards(draw: st.DrawFn, max_side: int = 6, max_squares: int = 20) -> Board:
    """Rectangles with random holes, at most ``max_squares`` squares left."""
    rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    area = rows * columns
    fewest = max(0, area - max_squares)
    most = min(area - 1, fewest + draw(st.sampled_from([0, 1, 3, 6])))
    holes = draw(
        st.lists(st.integers(0, area - 1), min_size=fewest, max_size=max(fewest, most), unique=True)
    )
    return Board(rows, columns, holes)


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    """Small boards with random wishes, directed and not; many are impossible, many are not."""
    board = draw(boards(max_side=5))
    squares = st.sampled_from(board.squares.tolist())
    closed = draw(st.booleans())
    start = draw(st.none() | squares)
    end = None if closed else draw(st.none() | squares)
    if start == end and len(board) > 1:
        end = None
    require: list[Move] = []
    forbid: list[Move] = []
    if len(board.arcs):
        moves = st.builds(
            lambda arc, directed: Move(arc[0], arc[1], directed),
            st.sampled_from(board.arcs.tolist()),
            st.booleans(),
        )
        require = draw(st.lists(moves, max_size=2))
        forbid = draw(st.lists(moves, max_size=3))
    return Instance(board, closed=closed, start=start, end=end, require=require, forbid=forbid)
