"""Pictures of tours, in several styles and animated, and of several tours together."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from kt_cp.arrays import Floats, Ints
from kt_cp.board import Board, Topology, as_board
from kt_cp.draw.ground import legible_cell
from kt_cp.draw.look import SHADES, USUAL, Look, Style, Theme, glyph
from kt_cp.draw.picture import (
    END_MARK,
    START_MARK,
    Picture,
    Points,
    disc_mark,
    move_mark,
    scale_mark,
    square_mark,
    svg_path,
)
from kt_cp.draw.sheet import DISC_SHARE, Sheet, joint_picture
from kt_cp.messages import InputError, pluralize
from kt_cp.tour.features import (
    ANGLES,
    MovePairs,
    angle_products,
    cross_product,
    ends_of,
    feature_named,
)
from kt_cp.tour.tour import Tour

BAND_WIDTH = 0.12
"""The width of a band, in squares."""

_GAP = 0.035  # the gap between a band and the one above it, in squares
_NUDGE = 1e-6  # the most by which a square is moved to tell crossings at one point apart

# The least side of a square for lines, arrowheads and woven bands, in pixels.
_LEAST_CELLS = {Style.LINES: 12, Style.ARROWS: 35, Style.WEAVE: 27}

_MAX_FRAMES = 120  # of an animation
_MAX_LARGE_FRAMES = 30  # of an animation of a tour of `_LARGE_TOUR` squares or more
_LARGE_TOUR = 6_000
_GRAPH_LINE = 2.2  # thickness of a tour of a graph, so that it stands out among the other edges
_GRAPH_STYLES = (Style.LINES, Style.NUMBERS, Style.ARROWS, Style.ORDER)
_MAX_PLAIN_GRAPH = 80  # vertices; the tour of a larger graph is colored by its order
_WIDE_BOARD = 12  # squares in a row or column
_CLOSING_DASHES = (6.0, 5.0)
_FIRST_GRAY_WIDTH = 1.75  # of the first move in the theme gray, relative to the usual width
_SCALE_EXTENT = 6.0  # half the length of the scale of colors in the legend, in radii of its marks

_CROSSING = disc_mark("paper", "fault", 0.4)
_CROSSING_RADIUS = 0.08  # in squares
_GLYPH_SHARE = 1.4  # of the side of a square; the sign of a piece is smaller than its font


def tour_picture(tour: Tour, look: Look = USUAL) -> Picture:
    """Return the picture of a tour; the caption is its summary unless the look has a title.

    Where numbers would be smaller than 11 pixels, and on a large board, the line is colored by its
    order. Raises `InputError` for a style that the board does not allow.

    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> tour_picture(tour).description
    'open tour of 3x4, 12 squares, from a3 to d1, drawn as lines'
    """
    if not (isinstance(tour.graph, Board) or look.style in _GRAPH_STYLES):
        graph_styles = ", ".join(_GRAPH_STYLES)
        raise InputError(
            f"style {look.style}: only for boards; of a graph, give one of {graph_styles}"
        )
    sheet = Sheet(tour.graph, tour.summary, look, tour=tour.squares.tolist())
    _draw(sheet, tour)
    start, end = (tour.graph.name(square) for square in tour.squares[[0, -1]])
    ends = f"through {start}" if tour.closed else f"from {start} to {end}"
    return sheet.finish(f"{tour.summary}, {ends}, drawn as {fitting_style(sheet, len(tour))}")


def fitting_style(sheet: Sheet, count: int) -> Style:
    """Return the style in which a tour of ``count`` squares is drawn.

    It is that of the look or, where the squares are too small for it, the order.
    """
    style = sheet.look.style
    if not sheet.is_board:
        fits = len(sheet.graph) <= _MAX_PLAIN_GRAPH
    elif style is Style.NUMBERS:
        fits = sheet.can_write(_number_length(sheet, count))
    else:
        fits = sheet.cell >= _LEAST_CELLS.get(style, 0)
    return style if fits else Style.ORDER


def animation(tour: Tour, look: Look = USUAL) -> Iterator[Picture]:
    """Yield the pictures of an animation in which the piece makes the tour.

    The last one shows the whole tour in its style, those before it show numbers or a line. On a
    large board each picture adds several moves.
    """
    count = len(tour)
    board = tour.board
    most = _MAX_FRAMES if count < _LARGE_TOUR else _MAX_LARGE_FRAMES
    steps = np.unique(np.linspace(1, count, min(count, most)).round().astype(int)).tolist()
    if tour.closed:
        steps.append(count + 1)  # back at the start
    for step in steps:
        sheet = Sheet(board, tour.summary, look)
        if step == steps[-1]:
            _draw(sheet, tour)
        else:
            _draw_first_steps(sheet, tour, step)
        square = int(tour.squares[(step - 1) % count])
        text = f"back to {board.name(square)}"
        if step <= count:
            number = step + look.first - 1
            text = f"step {number:,} of {count:,}: {board.name(square)}"
        if sheet.can_write(1, _GLYPH_SHARE):
            sheet.write_words([square], [glyph(board)], share=_GLYPH_SHARE, on_disc=True)
        else:
            sheet.draw_mark(START_MARK, [square], radius=0.3)
        sheet.legend.clear()
        sheet.add_legend(text)
        yield sheet.finish(text)


def _draw_first_steps(sheet: Sheet, tour: Tour, step: int) -> None:
    """Draw a tour up to a step, as in the last picture of an animation, but without gaps."""
    style = fitting_style(sheet, len(tour))
    if style is Style.WEAVE:
        sheet.hide_checkers()
    else:
        sheet.fill("visited", tour.squares[:step])
    if style is Style.NUMBERS:
        _draw_numbers(sheet, tour, step)
        return
    draw_path(sheet, style, tour.moves[: step - 1], is_closed=tour.closed, total=len(tour.moves))
    sheet.draw_mark(START_MARK, tour.squares[:1])


def _draw(sheet: Sheet, tour: Tour) -> None:
    """Draw a tour in the style of its sheet; crosses mark the squares that it leaves out."""
    if len(tour) < len(tour.graph):
        sheet.fill("visited", tour.squares)
        sheet.mark_left_out(np.setdiff1d(tour.graph.vertices, tour.squares))
    style = fitting_style(sheet, len(tour))
    match style:
        case Style.CROSSINGS:
            _draw_crossings(sheet, tour)
        case Style.ANGLES:
            _draw_angles(sheet, tour)
        case Style.NUMBERS if sheet.is_board:
            _draw_numbers(sheet, tour, len(tour))
        case Style.WEAVE:
            draw_weave(sheet, tour)
        case _:
            if style is Style.FILLED:
                _fill_interior(sheet, tour)
            draw_path(sheet, style, tour.moves, is_closed=tour.closed)
            if style is Style.NUMBERS:  # of a graph
                numbered = enumerate(tour.squares.tolist(), start=sheet.look.first)
                sheet.write_labels({vertex: str(step) for step, vertex in numbered}, "end")
    if style is not Style.WEAVE or sheet.look.legend:  # an ornament has no unexplained mark
        sheet.mark_ends(_ends(tour), around_words=style is Style.NUMBERS)
    sheet.explain_joined_sides()


def _explain_shades(sheet: Sheet, style: Style, scale: str) -> None:
    """Explain the colors of a scale and, if they replace another style, why."""
    text = "first move to last"
    if scale == "cycle":
        text = "first move to last, and back to the first"
    elif _thins(sheet, style):
        text = "first move, thick, to last, thin"
    mark = scale_mark([f"{scale}-{shade}" for shade in range(SHADES)], _SCALE_EXTENT)
    sheet.add_legend(text, mark, _SCALE_EXTENT)
    if style is not sheet.look.style:
        text = "the line is colored by its order"
        if sheet.is_board:
            text = f"Squares are too small for the style {sheet.look.style}: {text}"
        sheet.add_legend(text)


def _thins(sheet: Sheet, style: Style) -> bool:
    """Return whether a line gets thinner, too, as there are too few grays to tell apart."""
    return sheet.look.theme is Theme.GRAY and style is Style.ORDER


def _fill_interior(sheet: Sheet, tour: Tour) -> None:
    """Color the interior of a tour, by the even-odd rule; an open tour is closed for that.

    Raises `InputError` for a board with glued edges.
    """
    if tour.board.topology is not Topology.FLAT:
        raise InputError("style filled: the board has glued edges; choose another style")
    if len(tour) > 2:
        sheet.hide_checkers()
        corners = sheet.pixel_centers(tour.squares)[None]
        interior = svg_path("interior", corners, fill="interior")
        sheet.draw(f'<g fill-rule="evenodd">{interior}</g>')
        text = "inside: the way out crosses the line an odd number of times"
        sheet.add_legend(text, square_mark("interior"))
    if not tour.closed:
        closing = sheet.pixel_centers(tour.squares[[-1, 0]])[None]
        sheet.draw(svg_path("closing", closing, "faint", 1.5, dashes=_CLOSING_DASHES))
        mark = move_mark("faint", 0.75, _CLOSING_DASHES)
        sheet.add_legend("closes the filling, and is no move", mark)


def _ends(tour: Tour) -> list[int]:
    """Return the start and, of an open tour, the end."""
    ends: list[int] = tour.squares[[0, -1]].tolist()
    return ends[:1] if tour.closed else ends


def _number_length(sheet: Sheet, count: int) -> int:
    """Return the length of the longest number of a step."""
    return len(str(sheet.look.first + count - 1))


def _draw_numbers(sheet: Sheet, tour: Tour, count: int) -> None:
    """Write the numbers of the first ``count`` steps, in the size for all of them."""
    steps = range(sheet.look.first, sheet.look.first + count)
    sheet.write_words(tour.squares[:count], steps, word_length=_number_length(sheet, len(tour)))


def draw_path(
    sheet: Sheet, style: Style, moves: Ints, *, is_closed: bool, total: int | None = None
) -> None:
    """Draw moves of a board or graph, with heads or in shades of their order if the style has them.

    Moves are rows of two ids. The shades of a closed tour are cyclic. ``total`` is the number of
    moves of the whole tour, if these are only the first ones.
    """
    if not len(moves):
        return
    if style in (Style.ORDER, Style.WEAVE):
        _draw_shades(sheet, style, moves, is_closed, total or len(moves))
        return
    text = None if sheet.is_board else f"the {'cycle' if is_closed else 'path'}"
    thickness = 1.0 if sheet.is_board else _GRAPH_LINE
    sheet.draw_moves(moves, thickness=thickness, legend=text)
    if style is Style.ARROWS:
        # On a wide board, larger heads on every third move.
        is_wide = sheet.is_board and sheet.centers.max() > _WIDE_BOARD - 1
        sheet.draw_heads(moves[1::3] if is_wide else moves, enlargement=1.6 if is_wide else 1)
        if is_wide:
            sheet.add_legend("arrowheads on every third move")


def _draw_shades(sheet: Sheet, style: Style, moves: Ints, is_closed: bool, total: int) -> None:
    """Draw the first moves of a tour of ``total`` moves, in shades of their order."""
    thickness = _GRAPH_LINE
    if style is Style.WEAVE:
        thickness = BAND_WIDTH * sheet.cell / sheet.line_width
    elif sheet.is_board:
        thickness = 1.6 if sheet.shows_details else 1
    thins = _thins(sheet, style)
    scale = _scale_of(sheet, is_closed)
    shades = np.arange(len(moves)) * SHADES // total
    for shade in np.unique(shades).tolist():
        width = thickness * (_FIRST_GRAY_WIDTH - shade / SHADES) if thins else thickness
        sheet.draw_moves(moves[shades == shade], f"{scale}-{shade}", thickness=width)
    _explain_shades(sheet, style, scale)


def _scale_of(sheet: Sheet, is_closed: bool) -> str:
    """Return the scale of colors; a cyclic one would have each gray twice."""
    return "cycle" if is_closed and sheet.look.theme is not Theme.GRAY else "order"


def _draw_crossings(sheet: Sheet, tour: Tour) -> None:
    """Mark each crossing; moves that no other crosses are thick.

    Raises `InputError` for a board on which crossings are not defined.
    """
    feature_named("crossings").check(tour.board)
    moves = MovePairs(ends_of(tour.board, tour.moves))
    crossed = moves.are_in(moves.crossing)
    ends = sheet.centers[tour.moves]
    shares = _crossing_shares(ends, tour, moves.crossing)
    first = ends[moves.crossing[:, 0]]
    points = first[:, 0] + shares[:, :1] * (first[:, 1] - first[:, 0])
    sheet.draw_moves(tour.moves[crossed])
    sheet.draw_moves(tour.moves[~crossed], "start", thickness=2)
    sheet.draw(_CROSSING(sheet.pixels(points), _CROSSING_RADIUS * sheet.cell))
    sheet.add_legend(pluralize(len(points), "crossing"), _CROSSING)
    if uncrossed := int((~crossed).sum()):
        text = f"{pluralize(uncrossed, 'move')} that no other crosses"
        sheet.add_legend(text, move_mark("start", 2))


def _draw_angles(sheet: Sheet, tour: Tour) -> None:
    """Color each square by the angle between its moves, with the degrees in its corner.

    Raises `InputError` for another piece than a knight.
    """
    feature_named("angle-90").check(tour.board)
    products = angle_products(tour)
    # The angles are those at the squares from the second on; that at the first square comes last.
    squares = np.roll(tour.squares, -1)[: len(products)]
    text = "angle between the two moves at a square; 180° is straight on"
    if not tour.closed:
        text += "; start and end have none"
    sheet.add_legend(text)
    for degrees, product in ANGLES.items():
        sheet.fill(f"angle-{degrees}", squares[products == product], f"{degrees}°")
    draw_path(sheet, Style.ANGLES, tour.moves, is_closed=tour.closed)
    for degrees, product in ANGLES.items():
        sheet.write_in_corners(
            squares[products == product], f"{degrees}°", f"angle-{degrees}", tour.moves
        )


# -- woven bands ---------------------------------------------------------------------------------


def draw_weave(sheet: Sheet, tour: Tour, color: str | None = None) -> None:
    """Draw a tour as bands in one color, or without a color in shades of the order of the tour.

    At each crossing, the upper band is drawn once more, upon a casing in the color of the board or,
    for bands of one color, of the paper. Raises `InputError` on a board with glued edges.
    """
    if tour.board.topology is not Topology.FLAT:
        raise InputError("style weave: only for flat boards; choose another style")
    sheet.hide_checkers()
    width = BAND_WIDTH * sheet.cell
    scale = _scale_of(sheet, tour.closed)
    shades = np.arange(len(tour.moves)) * SHADES // max(1, len(tour.moves))
    roles = np.array([color or f"{scale}-{shade}" for shade in shades.tolist()])
    for role in dict.fromkeys(roles.tolist()):
        sheet.draw(svg_path("band", sheet.segments(tour.moves[roles == role]), role, width))
    upper, bridges = bridges_of(sheet.centers[tour.moves], tour)
    casing = width + 2 * _GAP * sheet.cell
    below = "paper" if color else "light"
    for role, bridge in zip(roles[upper].tolist(), sheet.pixels(bridges)[:, None], strict=True):
        sheet.draw(svg_path("casing", bridge, below, casing, cap="butt"))
        # A little longer than the casing, so that both ends meet the rest of the band.
        longer = 1.1 * bridge - 0.1 * bridge[:, ::-1]
        sheet.draw(svg_path("bridge", longer, role, width, cap="butt"))
    if color is None:
        _explain_shades(sheet, Style.WEAVE, scale)


def bridges_of(ends: Points, tour: Tour) -> tuple[Ints, Points]:
    """Return for each crossing the move that is above, and the piece of it that hides the other.

    Along a closed tour the band passes over and under at every other crossing; that is consistent,
    as any closed curve in the plane meets an even number of crossings between its two visits of
    one. ``ends`` are those of the moves, n x 2 ends x (x, y), in squares, as those of the pieces.
    """
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    shares = _crossing_shares(ends, tour, pairs)
    sides = upper_sides(shares, pairs)
    crossings = np.arange(len(pairs))
    upper, lower = pairs[crossings, sides], pairs[crossings, 1 - sides]
    along, across = (ends[moves, 1] - ends[moves, 0] for moves in (upper, lower))
    middles = ends[upper, 0] + shares[crossings, sides][:, None] * along
    widths = (BAND_WIDTH / 2 + _GAP) * np.linalg.norm(across, axis=1)
    half = (widths / np.abs(cross_product(across.T, along.T)))[:, None] * along
    return upper, np.stack([middles - half, middles + half], axis=1)


def upper_sides(shares: Floats, pairs: Ints) -> Ints:
    """Return for each crossing which of its two moves is above: 0 or 1.

    ``shares`` say where on its moves a crossing is. The band passes over and under in turn, but the
    second visit of a crossing has to be the opposite of the first one.
    """
    visits = np.lexsort((shares.ravel(), pairs.ravel()))  # by move, and by the place on it
    sides = np.full(len(pairs), -1, dtype=np.int64)  # -1 until the first visit of the crossing
    for visit_number, visit in enumerate(visits.tolist()):
        crossing, side = divmod(visit, 2)
        if sides[crossing] == -1:
            sides[crossing] = side if visit_number % 2 == 0 else 1 - side
    return sides


def _crossing_shares(ends: Points, tour: Tour, pairs: Ints) -> Floats:
    """Return where each of two moves crosses the other, as shares of their lengths: pairs x 2.

    Squares are moved so little that no three moves meet.
    """
    nudges = _NUDGE * np.random.default_rng(0).random((tour.board.area, 2))
    nudged = ends + nudges[tour.moves]
    one, other = nudged[pairs[:, 0]], nudged[pairs[:, 1]]
    along, across = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0]
    apart = other[:, 0] - one[:, 0]
    turn = cross_product(along.T, across.T)
    shares = [cross_product(apart.T, across.T) / turn, cross_product(apart.T, along.T) / turn]
    return np.stack(shares, axis=1)


# -- several tours ---------------------------------------------------------------------------------


def difference_picture(one: Tour, other: Tour, squares: Collection[int]) -> Picture:
    """Return the picture of the differences between two tours of a board.

    The ``squares`` at which they differ are colored; the numbers are those of the first tour.

    >>> from kt_cp import enumerate_tours
    >>> one, other, *_ = enumerate_tours("3x4", start="a3")
    >>> difference_picture(one, other, [0]).description
    'two open tours of 3x4, 12 squares, which differ on 1 square'
    """
    board = as_board(one.graph, "the picture of two tours")
    count = board.vocabulary.count_vertices(len(squares))
    title = f"two {one.kind} tours of {board.title}, {len(one)} squares, which differ on {count}"
    sheet = Sheet(board, title, least_cell=legible_cell(len(str(len(one)))), grid=True)
    sheet.fill("missing", squares, "where they differ")
    first, second = (
        {(min(pair), max(pair)) for pair in tour.moves.tolist()} for tour in (one, other)
    )
    sheet.draw_moves(sorted(first & second), "faint", legend="moves of both")
    text = "moves of the first, whose numbers are shown"
    sheet.draw_moves(sorted(first - second), legend=text)
    sheet.draw_moves(
        sorted(second - first),
        "fault",
        thickness=1.6,
        css_class="other",
        dashes=(7, 6),
        legend="moves of the second",
    )
    sheet.write_words(one.squares, range(1, len(one) + 1), share=DISC_SHARE, on_disc=True)
    return sheet.finish(title)


def disjoint_tours_picture(tours: Sequence[Tour], caption: str, look: Look = USUAL) -> Picture:
    """Return the picture of tours without a common move, each in a color and on a board of its own.

    The boards stand in rows, in the order of the tours.
    """
    graph = tours[0].graph
    per_row = math.ceil(math.sqrt(len(tours)))
    places = tours[0].squares.tolist()  # of the vertices of a graph: the same for each tour
    sheets: list[Sheet] = []
    for number, tour in enumerate(tours):
        sheet = Sheet(graph, caption, look, tour=places, per_row=per_row)
        sheet.hide_checkers()
        color = f"{_scale_of(sheet, is_closed=True)}-{number * SHADES // len(tours)}"
        thickness = 1.0 if sheet.is_board else _GRAPH_LINE
        text = f"tour {number + 1}"
        ends = [] if tour.closed else _ends(tour)
        if ends:
            text += f": {' to '.join(map(graph.name, ends))}"
        sheet.draw_moves(tour.moves, color, thickness=thickness, legend=text)
        sheet.draw_mark(START_MARK, ends[:1])
        sheet.draw_mark(END_MARK, ends[1:])
        sheets.append(sheet)
    sheets[-1].explain_joined_sides()
    return joint_picture(sheets, per_row)
