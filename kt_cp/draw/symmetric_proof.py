"""Pictures of why no tour has a symmetry: the colors of squares, and one orbit."""

from __future__ import annotations

import numpy as np

from kt_cp.board import Board
from kt_cp.board.symmetry import Symmetry, images_under
from kt_cp.draw.picture import disc_mark, move_mark, svg_path
from kt_cp.draw.sheet import DISC_RADIUS, DISC_SHARE, Sheet
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason

_LINK_DASHES = (4.0, 5.0)
_AXIS_DASHES = (14.0, 8.0)

# The disc below a number, which is seen on squares of both colors, and the center of a turn.
_DISC = disc_mark("light", "ink", 0.08)
_CENTER = disc_mark("paper", "ink", 0.35)
_CENTER_RADIUS = 0.14  # in squares

_TURNS = (
    Symmetry.HALF_TURN,
    Symmetry.HALF_TURN_SAME,
    Symmetry.HALF_TURN_REVERSE,
    Symmetry.QUARTER_TURN,
)


def show_symmetry(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the colors of squares, those that the symmetry keeps in place, and one orbit."""
    sheet.add_sentence(str(reason))
    symmetry, board = instance.symmetry, instance.board
    if symmetry is None:
        return
    images = images_under(board, symmetry)
    sheet.show_colors()
    kept = board.squares[images[board.squares] == board.squares]
    sheet.hatch(kept, "stays in place")
    sheet.fill("removed", [square for group in reason.groups.values() for square in group])
    _draw_axis_or_center(sheet, board, symmetry)
    moved = board.squares[
        board.mask[images[board.squares]] & (images[board.squares] != board.squares)
    ]
    if len(moved):
        orbit = _orbit(images, int(moved[0]))
        _show_orbit(sheet, orbit)
        may_run_the_same_way = symmetry is not Symmetry.HALF_TURN_REVERSE
        if instance.closed and may_run_the_same_way and not len(kept):
            _compare_colors(sheet, board, orbit)
    if symmetry is Symmetry.QUARTER_TURN:
        sheet.add_sentence(
            "it never runs a tour backwards: twice backwards, every square would be in its place, "
            "but two quarter-turns are a half-turn"
        )


def _orbit(images: np.ndarray, square: int) -> list[int]:
    """Return the squares onto which a symmetry maps a square, in order, from itself on."""
    orbit = [square]
    while (image := int(images[orbit[-1]])) != square:
        orbit.append(image)
    return orbit


def _show_orbit(sheet: Sheet, orbit: list[int]) -> None:
    """Join the squares of an orbit by arrows, and number them."""
    links = [*zip(orbit, [*orbit[1:], orbit[0]], strict=True)]
    text = "a square and its images"
    if len(orbit) == 2:
        links, text = links[:1], "a square and its image"
    sheet.draw_moves(links, "ink", css_class="link", dashes=_LINK_DASHES, legend=text)
    if len(orbit) > 2:
        sheet.draw_chevrons(links, "ink")
    sheet.draw_mark(_DISC, orbit, radius=DISC_RADIUS)
    sheet.write_words(orbit, range(1, len(orbit) + 1), share=DISC_SHARE, bold=True)


def _compare_colors(sheet: Sheet, board: Board, orbit: list[int]) -> None:
    """State the colors of the first two squares of an orbit, and their steps in a closed tour."""
    name, image_name = map(board.name, orbit[:2])
    is_dark, is_image_dark = board.dark(np.array(orbit[:2])).tolist()
    color = "dark" if is_dark else "light"
    image_color = "dark" if is_image_dark else "light"
    sheet.add_sentence(
        f"run the same way, if {name} is at step n, its image {image_name} is at step "
        f"n + {len(board) // len(orbit)}; {name} is {color}, and {image_name} is {image_color}"
    )


def _draw_axis_or_center(sheet: Sheet, board: Board, symmetry: Symmetry) -> None:
    """Draw the axis of a reflection, or the center of a turn."""
    middle_column, middle_row = board.columns / 2, board.rows / 2
    if symmetry in _TURNS:
        center = sheet.frame.pixels([(middle_column, middle_row)])
        sheet.draw(_CENTER(center, _CENTER_RADIUS * sheet.frame.cell))
        sheet.add_legend("center of the turn", _CENTER)
        return
    axis: list[tuple[float, float]] = [(middle_column, 0), (middle_column, board.rows)]
    if symmetry is Symmetry.TOP_BOTTOM:
        axis = [(0, middle_row), (board.columns, middle_row)]
    line = sheet.frame.pixels([axis])
    sheet.draw(svg_path("axis", line, "muted", 1.2 * sheet.line_width, dashes=_AXIS_DASHES))
    sheet.add_legend("axis of the reflection", move_mark("muted", 1.2, (7.0, 4.0)))
