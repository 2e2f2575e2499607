"""Hypothesis strategies: boards, instances and paths."""

from functools import cache

from hypothesis import strategies as st

from kt_cp import Board, Tour, solve
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


@st.composite
def tours(draw: st.DrawFn) -> Tour:
    """Tours of whole rectangles, and walks on boards whose other squares are all holes."""
    if draw(st.booleans()):
        return _solved(*draw(st.sampled_from(_WHOLE)))
    rows, columns = draw(st.integers(1, 8)), draw(st.sampled_from([1, 3, 4, 5, 8, 30]))
    rectangle = Board(rows, columns)
    path = [draw(st.integers(0, rectangle.area - 1))]
    for _ in range(draw(st.integers(0, 40))):
        onward = [square for square in rectangle.neighbours(path[-1]) if square not in path]
        if not onward:
            break
        path.append(draw(st.sampled_from(onward)))
    board = Board(rows, columns, set(range(rectangle.area)) - set(path))
    closes = len(path) >= 3 and path[0] in rectangle.neighbours(path[-1])
    return Tour(board, path, closed=closes and draw(st.booleans()))


_WHOLE = [
    *((1, 1, False), (3, 4, False), (4, 3, False), (5, 5, False), (3, 28, False)),
    *((5, 6, True), (6, 6, True), (8, 8, True), (28, 3, True)),
]


@cache
def _solved(rows: int, columns: int, closed: bool) -> Tour:
    tour = solve(Board(rows, columns), closed=closed).tour
    assert tour is not None
    return tour
