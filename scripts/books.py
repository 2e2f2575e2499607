"""Make three books of puzzles as a setter would send them to print.

    python -m scripts.books [--out DIRECTORY] [--picture FILE]

The books are ``mixed.pdf`` (A5, German, twelve boards of many shapes from easy to hard),
``large.pdf`` (A4, English, 10x10 and 12x12) and ``children.pdf`` (A5, English, black and white).
They take some minutes. The picture shows a spread of each, for the guide to puzzles.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from kt_cp import Puzzle, make_puzzle
from kt_cp.draw.book import Book, draw_book, typeset_book
from kt_cp.draw.look import Theme
from kt_cp.draw.look import Paper
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.words import Words

HEART = """
.##..##.
........
........
........
#......#
##....##
###..###
"""
CROSS = """
##....##
##....##
........
........
........
........
##....##
##....##
"""
HOUSE = """
###..###
##....##
#......#
........
#......#
#......#
#..##..#
#..##..#
"""
DIAMOND = """
###..###
##....##
#......#
........
........
#......#
##....##
###..###
"""
STAIRS = """
....####
....####
......##
......##
........
........
"""
WINDOW = """
........
........
..#..#..
........
........
..#..#..
........
........
"""
STAR = """
###..###
###..###
........
#......#
#......#
........
###..###
###..###
"""
CROWN = """
.#...#.
.#...#.
.......
.......
.......
.......
"""
LETTER = """
...##...
...##...
........
........
...##...
...##...
"""
BUTTERFLY = """
...##...
........
........
#......#
........
........
...##...
"""


@dataclass(frozen=True)
class Order:
    """What puzzle to make: its board, level, title and constraints."""

    board: str
    level: Level
    title: str | None = None
    constraints: dict[str, Any] = field(default_factory=dict)

    def make(self, seed: int) -> Puzzle:
        """Make the puzzle with a seed."""
        puzzle = make_puzzle(self.board, difficulty=self.level, seed=seed, **self.constraints)
        assert puzzle is not None, f"there is no tour of {self.title or self.board}"
        return replace(puzzle, title=self.title)


CLOSED = {"closed": True}

MIXED = [
    Order("5x6", Level.EASY, "Zum Warmwerden"),
    Order(STAIRS, Level.EASY, "Treppe"),
    Order(CROWN, Level.EASY, "Krone"),
    Order(HEART, Level.EASY, "Herz"),
    Order("6x6", Level.MEDIUM, "Rundreise", CLOSED),
    Order(LETTER, Level.MEDIUM, "Buchstabe"),
    Order(HOUSE, Level.MEDIUM, "Haus"),
    Order(CROSS, Level.MEDIUM, "Kreuz"),
    Order(STAR, Level.HARD, "Stern"),
    Order(DIAMOND, Level.HARD, "Raute"),
    Order(BUTTERFLY, Level.HARD, "Schmetterling"),
    Order(WINDOW, Level.HARD, "Fenster"),
]
LARGE = [
    Order("10x10", Level.EASY),
    Order("10x10", Level.MEDIUM),
    Order("10x10", Level.HARD, None, CLOSED),
    Order("12x12", Level.EASY),
    Order("12x12", Level.MEDIUM, None, {"clues": "symmetric"}),
    Order("12x12", Level.HARD),
]
CHILDREN = [
    Order("3x4", Level.CHILDREN, "Tiny"),
    Order("4x5", Level.CHILDREN, "Small"),
    Order("5x5", Level.CHILDREN, "Square"),
    Order("5x5", Level.CHILDREN, "Another square"),
    Order(CROWN, Level.CHILDREN, "Crown"),
    Order("5x6", Level.CHILDREN, "Round trip", CLOSED),
    Order(HEART, Level.CHILDREN, "Heart"),
    Order("6x6", Level.CHILDREN, "Large"),
]


def books() -> dict[str, tuple[Book, list[Order]]]:
    """Return how each book looks and what is in it, by the name of its file."""
    a4, a5 = Paper.parse("a4"), Paper.parse("a5")
    german = Words.of("de")
    mixed = Book(a5, title="Springerwege", author="Zwölf Bretter", words=german)
    large = Book(a4, title="Large Knight's Tours", author="The Puzzle Desk")
    children = Book(a5, title="My First Knight's Tours", theme=Theme.GRAY)
    return {"mixed": (mixed, MIXED), "large": (large, LARGE), "children": (children, CHILDREN)}


def effort(puzzle: Puzzle) -> int:
    """Return the effort of a puzzle, by which a book is sorted."""
    return puzzle.effort or 0


def spread(pages: Sequence[bytes], shown: Sequence[int]) -> Image.Image:
    """Return some pages side by side; they are counted from 1, as in the book."""
    images = [Image.open(BytesIO(pages[number - 1])).convert("RGB") for number in shown]
    width, height = images[0].size
    joined = Image.new("RGB", (len(images) * (width + 8) + 8, height + 16), "#848b95")
    for index, image in enumerate(images):
        joined.paste(image, (8 + index * (width + 8), 8))
    return joined


def main() -> int:
    """Make the books, and the picture on request."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("books"))
    parser.add_argument("--picture", type=Path, help="a PNG of pages 1, 3 and 4 of the first book")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, (book, orders) in books().items():
        puzzles = sorted((order.make(seed) for seed, order in enumerate(orders)), key=effort)
        texts = "\n\n".join(map(str, puzzles))
        (arguments.out / f"{name}.txt").write_text(texts + "\n", encoding="utf-8")
        draw_book(puzzles, arguments.out / f"{name}.pdf", book)
        print(f"{name}: {', '.join(f'{puzzle.level} {puzzle.effort}' for puzzle in puzzles)}")
        if name == "mixed" and arguments.picture is not None:
            pages = typeset_book(puzzles, book, format="png", ppi=55)
            spread(pages, (1, 3, 4)).quantize(32).save(arguments.picture, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
