"""Pictures of why no tour has a symmetry: the colors of squares, and one orbit."""

from __future__ import annotations

import numpy as np

from kt_cp.board import Board
from kt_cp.board.symmetry import Symmetry, images_under
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import square_mark, svg_path
from kt_cp.draw.sheet import DISC_SHARE, Sheet
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason

_LINK_DASHES = (4.0, 5.0)
_AXIS_DASHES = (14.0, 8.0)


def show_symmetry(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the colors of squares, those that the symmetry keeps in place, and one orbit."""
    sheet.add_sentence(str(reason))
    symmetry, board = instance.symmetry, instance.board
    if symmetry is None:
        return
    images = images_under(board, symmetry)
    dark = board.squares[board.dark(board.squares)]
    sheet.fill(GROUPS[0], dark, "dark")
    sheet.add_count("light", square_mark("light"), len(board) - len(dark))
    kept = board.squares[images[board.squares] == board.squares]
    sheet.hatch(kept, "stays in place")
    sheet.fill("removed", [square for group in reason.squares.values() for square in group])
    _draw_axis(sheet, board, symmetry)
    moved = board.squares[
        board.mask[images[board.squares]] & (images[board.squares] != board.squares)
    ]
    if len(moved):
        corner = int(moved[0])
        _show_orbit(sheet, _orbit(images, corner))
        _compare_colors(sheet, board, corner, int(images[corner]))


def _orbit(images: np.ndarray, square: int) -> list[int]:
    """Return the squares onto which a symmetry maps a square, in order, from itself on."""
    orbit = [square]
    while (image := int(images[orbit[-1]])) != square:
        orbit.append(image)
    return orbit


def _show_orbit(sheet: Sheet, orbit: list[int]) -> None:
    """Join the squares of an orbit by arrows, and number them."""
    links = [*zip(orbit, [*orbit[1:], orbit[0]], strict=True)]
    if len(orbit) == 2:
        links = links[:1]
    text = "mapped onto each other"
    sheet.draw_moves(links, "ink", css_class="link", dashes=_LINK_DASHES, text=text)
    sheet.write_words(orbit, range(1, len(orbit) + 1), share=DISC_SHARE, bold=True, on_disc=True)


def _compare_colors(sheet: Sheet, board: Board, square: int, image: int) -> None:
    """State the colors of a square and of its image."""
    name, image_name = board.name(square), board.name(image)
    is_dark, is_image_dark = board.dark(np.array([square, image])).tolist()
    color = "dark" if is_dark else "light"
    image_color = "dark" if is_image_dark else "light"
    if color == image_color:
        sheet.add_sentence(f"{name} and its image {image_name} are both {color}")
    else:
        sheet.add_sentence(f"{name} is {color}, and its image {image_name} is {image_color}")


def _draw_axis(sheet: Sheet, board: Board, symmetry: Symmetry) -> None:
    """Draw the axis of a reflection."""
    middle_column, middle_row = board.columns / 2, board.rows / 2
    axis: list[tuple[float, float]] = []
    if symmetry is Symmetry.LEFT_RIGHT:
        axis = [(middle_column, 0), (middle_column, board.rows)]
    elif symmetry is Symmetry.TOP_BOTTOM:
        axis = [(0, middle_row), (board.columns, middle_row)]
    if axis:
        line = sheet.frame.pixels([axis])
        sheet.draw(svg_path("axis", line, "muted", 1.2 * sheet.line_width, dashes=_AXIS_DASHES))
