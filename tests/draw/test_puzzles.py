"""Pictures of puzzles, and books of them."""

import re
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, settings

from kt_cp.board import Board
from kt_cp.draw import book
from kt_cp.draw.book import Book, draw_book, draw_separately
from kt_cp.draw.look import Look, Paper
from kt_cp.draw.output import draw, picture_of
from kt_cp.draw.puzzles import instance_picture, map_picture
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.puzzles.words import Words
from tests.helpers.command import kt
from tests.helpers.pictures import covered, elements, open_tour, parsed, segments, words
from tests.helpers.strategies import instances

MAP = """
1 . . .
. . 3 .
. . . .
; kind: open
; require: b2>d3
; forbid: b3-d2 a2-c1
; having: turns>=2
; level: hard
"""


def some_puzzle() -> Puzzle:
    return Puzzle(Instance.of("3x4", givens={"a3": 1, "a1": 3}), open_tour(), effort=150)


def test_a_puzzle_shows_its_numbers_its_grade_the_rule_and_nothing_else() -> None:
    shown = words(picture_of(some_puzzle()))
    text = "Puzzle: open tour of 3 × 4, 12 squares, easy Write 1 to 12 so that each number is one"
    assert " ".join(word for word in shown if " " in word) == f"{text} knight's move from the next."
    assert sorted(word for word in shown if " " not in word) == sorted("13abcd321")


def test_moves_of_a_puzzle_end_on_discs_to_write_into_and_excluded_ones_are_dashed() -> None:
    picture = map_picture(MAP)
    assert picture is not None
    assert picture.description == "puzzle: open tour of 3x4, 12 squares, 2 numbers, 1 move"
    shown = " ".join(words(picture))
    for text in ("in this direction", "not a move of the tour", "Turns: at least 2."):
        assert text in shown


def test_the_caption_of_a_puzzle_is_its_title() -> None:
    puzzle = replace(some_puzzle(), title="dot & dash")
    assert picture_of(puzzle).caption == "dot & dash, easy"
    assert picture_of(puzzle, Look(title="Mine")).caption == "Mine"
    drawn = map_picture(f"{MAP}; title: Hard nut\n")
    assert drawn is not None
    assert drawn.caption == "Hard nut, hard"
    assert "open tour of 3x4" in drawn.description


def test_where_no_number_is_given_a_line_is_to_be_drawn() -> None:
    shown = words(instance_picture(Instance.of("6x6", closed=True, require=["a1-c2"])))
    rule = "Draw one closed line of knight's moves that visits every square once."
    assert rule in " ".join(shown)


@given(instances())
@settings(max_examples=15)
def test_whatever_is_asked_is_drawn_as_the_map_that_it_prints(instance: Instance) -> None:
    picture = instance_picture(instance)
    parsed(picture)
    again = map_picture("\n".join(instance.map_lines()))
    assert again is None or again.description == picture.description


def test_every_square_of_a_puzzle_is_light_and_holes_are_not() -> None:
    picture = instance_picture(Instance.of(Board(3, 4, holes=[0, 5])))
    assert covered(picture, "light") == [*range(1, 5), *range(6, 12)]


def test_numbers_of_a_large_puzzle_stay_legible_or_it_is_refused() -> None:
    picture = instance_picture(Instance.of("100x100", givens={"a1": 10_000}))
    assert "10000" in words(picture)
    ordered = instance_picture(Instance.of("25x25", order=[0, 17, 40]), Look(coordinates=False))
    assert {"1", "2", "3"} <= set(words(ordered))
    with pytest.raises(InputError, match="board 1000x1000: the numbers of so large a puzzle are"):
        instance_picture(Instance.of("1000x1000", givens={"a1": 7}))
    with pytest.raises(InputError, match="board 4x1000: the numbers of so large a puzzle are"):
        instance_picture(Instance.of("4x1000", order=[0, 17, 40]))


def test_kt_draw_recognizes_puzzles_and_boards(tmp_path: Path) -> None:
    out = tmp_path / "puzzle.svg"
    for text, options, told in (
        (MAP, (), "puzzle: open tour of 3x4, 12 squares, 2 numbers, 1 move\n"),
        ("...\n.#.\n...\n", (), "board 3x3, 1 hole\n"),
        (
            "1 . .\n. # .\n. . .\n",
            ("--closed",),
            "puzzle: closed tour of 3x3, 8 squares, 1 number\n",
        ),
        ("1 . .\n. . .\n2 . .\n", ("--board", "3x3"), "not a tour: "),
    ):
        done = kt("draw", "-", "--out", out, *options, stdin=text)
        assert f"kt: wrote {out}\n{told}" in done.stderr
        assert done.returncode == told.startswith("not")
    for text, message in (
        ("1 1\n. .\n", "kt: standard input: step 1 "),
        ("1 . .\n. . .\n; require: a1-b1", "kt: standard input: required move 'a1-b1': a1-b1 is"),
    ):
        assert kt("draw", "-", "--out", out, stdin=text).stderr.startswith(message)


def pages_of(file: Path) -> int:
    return len(re.findall(rb"/Type ?/Page\b", file.read_bytes()))


def test_a_book_has_a_cover_a_page_on_solving_puzzles_and_solutions(tmp_path: Path) -> None:
    file = tmp_path / "book.pdf"
    a5 = Look(paper=Paper.of("a5"))
    for per_page, pages in ((1, 2 + 5 + 1), (5, 2 + 1 + 1)):
        draw_book([some_puzzle()] * 5, file, Book(a5, per_page, title="Tours", author="Anna"))
        assert pages_of(file) == pages


def test_a_book_tells_a_common_task_once_and_shows_each_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = Mock(return_value=[b"%PDF"])
    monkeypatch.setattr(book, "compile_pages", compiled)
    puzzles = [some_puzzle(), *filter(None, [make_puzzle("5x6", seed=3)])]
    draw_book(puzzles, tmp_path / "book.pdf")
    pictures, source, title, count = compiled.call_args.args
    assert (title, count) == ("Knight's tour puzzles", "2 puzzles")
    ornament, moves, *boards = pictures
    assert len(boards) == 2 + 2 * len(puzzles), "an example before the puzzles"
    assert elements(ornament, "path", **{"class": "band"})
    assert covered(ornament) == []
    assert segments(moves, "move") == 8
    assert source.count("Write 1 to the last number so that") == 1


def test_a_puzzle_that_is_alone_on_its_page_is_twice_as_large() -> None:
    instances = [Instance.of("6x6")] * 2
    alone, usual = (
        book._grid(instances, each, each.layout(None)).cell for each in (Book(per_page=1), Book())
    )
    assert alone >= 2 * usual - 1


def test_numbers_of_a_book_have_7_points_or_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="per_page 12: the squares would have"):
        draw_book([some_puzzle()] * 12, tmp_path / "book.pdf", Book(Look(paper=Paper(60, 60)), 12))
    with pytest.raises(InputError, match=r"book x.svg: the name must end in .pdf"):
        draw_book([some_puzzle()], "x.svg")
    with pytest.raises(InputError, match=r"p.gif: the name must end in .svg, .png, .pdf or"):
        draw(some_puzzle(), tmp_path / "p.gif")


@pytest.mark.parametrize("language", ["zh", "ja"])
def test_lines_of_a_legend_without_blanks_fit_and_do_not_begin_with_punctuation(
    language: str,
) -> None:
    instance = Instance.of("5x6", closed=True, givens={0: 1})
    picture = instance_picture(instance, Look(words=Words.of(language)))
    lines = [line for line in words(picture) if max(line) >= "\u3000"]
    assert len(lines) >= 3
    assert all(len(line) * 13 <= picture.width for line in lines)
    assert not [line for line in lines if line[0] in "\u3001\u3002\uff0c\uff1a"]


def test_puzzles_are_written_separately_in_one_of_two_formats(tmp_path: Path) -> None:
    draw_separately([some_puzzle()], tmp_path, "pdf", words=Words.of("de"))
    assert (tmp_path / "01.pdf").read_bytes().startswith(b"%PDF")
    assert "; Tragen Sie die Zahlen von 1 bis 12" in (tmp_path / "01.txt").read_text("utf-8")
    with pytest.raises(InputError, match="format 'png': give one of svg, pdf"):
        draw_separately([some_puzzle()], tmp_path, "png")
