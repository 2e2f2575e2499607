"""Draw every move of a board, and at each square how many moves it has, for the slides.

``python scripts/picture_moves.py`` writes ``.images/moves.svg``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from kt_cp.board import Board
from kt_cp.draw.look import Look
from kt_cp.draw.picture import svg
from kt_cp.draw.sheet import Sheet

IMAGE = Path(__file__).parents[1] / ".images" / "moves.svg"
SIDE = 5


def moves_picture(board: Board) -> str:
    """Return the picture as SVG."""
    title = f"The moves of {board.rows} × {board.columns}"
    sheet = Sheet(board, title, Look(title="", legend=False, coordinates=False))
    squares = board.vertices.tolist()
    tails, heads = board.arcs.T
    sheet.draw_moves(board.arcs[tails < heads], "muted")
    numbers = [len(board.neighbors(square)) for square in squares]
    sheet.write_words(squares, numbers, bold=True, on_disc=True)
    return svg(sheet.finish(f"{title}, with the number of moves at each square"))


def main() -> None:
    """Make the picture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.parse_args()
    IMAGE.write_text(moves_picture(Board(SIDE, SIDE)), encoding="utf-8")


if __name__ == "__main__":
    main()
