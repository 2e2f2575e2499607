"""What setters typed, and what came of it."""

import itertools
import re
from pathlib import Path

import pytest

from kt_cp.count.counting import enumerate_tours
from tests.helpers.command import kt


@pytest.mark.parametrize(
    "typed",
    [
        "5x5 --symmetry half-turn --having turns<=20",
        "5x5 --symmetry half-turn --having crossings>=24 --clues moves",
        "3x8 --having turns<=21",
        "3x10 --closed --clues moves --forbid f1>h2 --seed 209",
        "3x10 --closed --clues moves --forbid f1>h2 --having obtuse<=8 --seed 209",
        "3x10 --closed --clues moves --require a1>b3",
        "1x1",
        "1x1 --clues moves --difficulty children",
        "1x2 --piece wazir",
        "1x2 --piece wazir --clues moves --difficulty children",
        "3x4 --clues moves --difficulty easy",
        "6x6 --difficulty medium --givens 15",
        "6x6 --effort 150..250",
    ],
)
def test_a_puzzle_has_exactly_one_solution(typed: str) -> None:
    made = kt("puzzle", *typed.split())
    assert made.returncode == 0, made.stderr
    assert len([*itertools.islice(enumerate_tours(made.stdout), 2)]) == 1
    assert kt("puzzle", "-", "--hint", stdin=made.stdout).returncode in (0, 3)


@pytest.mark.parametrize(
    ("typed", "code", "told"),
    [
        ("1x1 --effort 490..499", 3, "puzzle: open tour of 1x1, 1 square, nothing given; "),
        (
            "8x8 --time-limit 0.01",
            3,
            "unknown: the time limit of 0.01 s was reached before there was a puzzle of 8x8; "
            "give more time",
        ),
        ("4x4 3x4 --time-limit 9", 1, "4x4: impossible: "),
    ],
)
def test_what_cannot_be_made_is_told(typed: str, code: int, told: str, tmp_path: Path) -> None:
    made = kt("puzzle", *typed.split(), folder=tmp_path)
    assert (made.returncode, made.stderr[: len(told)]) == (code, told)
    assert made.stderr.count("\n") == (2 if "4x4" in typed else 1)
    assert bool(made.stdout) == ("8x8" not in typed)


def test_a_book_begins_with_the_least_effort(tmp_path: Path) -> None:
    maps = {"heart": ".#.\n...\n...\n...\n", "cross": ".#.\n...\n.#.\n", "plain": "....\n" * 3}
    for name, text in maps.items():
        (tmp_path / f"{name}.txt").write_text(text)
    files = [tmp_path / f"{name}.txt" for name in maps]
    book, out = tmp_path / "book.pdf", tmp_path / "book.txt"
    made = kt("puzzle", *files, "5x5", "3x4", "--book", book, "--out", out, "--clues", "moves")
    assert made.returncode == 1
    assert f"{files[1]}: impossible: " in made.stderr
    puzzles = out.read_text().split("\n\n")
    efforts = [int(re.findall("; effort: (.*)", puzzle)[0]) for puzzle in puzzles]
    titles = [re.findall("; title: (.*)", puzzle) for puzzle in puzzles]
    assert efforts == sorted(efforts)
    assert sorted(titles) == [[], [], ["Heart"], ["Plain"]]
    assert book.read_bytes().startswith(b"%PDF")
    again = kt("puzzle", "3x4", "4x5", "--title", "One board", "--title", "Other", "--book", book)
    assert re.findall("; title: (.*)", again.stdout) == ["Other", "One board"]


def test_a_saved_puzzle_is_believed_to_be_unique_until_its_clues_change(tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    made = kt("puzzle", "6x6", "--seed", "7", "--solution", "--out", file)
    assert made.returncode == 0
    solution = file.read_text().partition("; solution:\n")[2].replace("; ", "")
    # Where the solution is not believed, no time is left to find it.
    believed = kt("solve", file, "--unique", "--time-limit", "1e-9")
    assert (believed.returncode, believed.stdout) == (0, solution)
    told = "unique: this is the only tour, as was proven when the puzzle was saved\n"
    assert believed.stderr == told
    for changed in (["--start", "a1"], ["--forbid", "a1-b3"]):
        done = kt("solve", file, "--unique", "--time-limit", "1e-9", *changed)
        assert "was saved" not in done.stderr
    edited = re.sub(r"\d+", ".", file.read_text(), count=1)
    assert "was saved" not in kt("solve", "-", "--unique", stdin=edited).stderr


def test_a_saved_puzzle_is_used_again_without_being_made_again(tmp_path: Path) -> None:
    file, book = tmp_path / "p.txt", tmp_path / "book.pdf"
    made = kt("puzzle", "6x6", "--seed", "7", "--out", file)
    again = kt("puzzle", file, "--book", book, "--title", "Seven")
    assert again.stderr.startswith(f"{made.stderr.splitlines()[0]}; read as it was saved")
    assert again.stdout.replace("; title: Seven\n", "") == file.read_text()
    assert book.read_bytes().startswith(b"%PDF")
    other = kt("puzzle", file, "--givens", "20")
    assert "read as it was saved" not in other.stderr, "it shows fewer than 20"


def test_each_puzzle_is_a_picture_and_its_solution_a_text(tmp_path: Path) -> None:
    typed = ("3x4", "4x5", "--clues", "moves", "--title", "First", "--title", "Second")
    pages = tmp_path / "new" / "pages"
    for ending in ("svg", "pdf"):
        made = kt("puzzle", *typed, "--each", pages, "--each-format", ending, "--seed", "1")
        assert made.stderr.endswith(f"kt: wrote 2 pictures and as many solutions to {pages}\n")
    names = ["01.pdf", "01.svg", "01.txt", "02.pdf", "02.svg", "02.txt"]
    assert sorted(file.name for file in pages.iterdir()) == names
    written = re.findall("<text[^>]*>(.*?)</text>", (pages / "01.svg").read_text("utf-8"))
    assert all(word.isdecimal() for word in written), "the layout program sets the words"
    assert (pages / "01.pdf").read_bytes().startswith(b"%PDF")
    efforts = re.findall("; effort: (.*)", made.stdout)
    titles = re.findall("; title: (.*)", made.stdout)
    for number, (effort, title) in enumerate(zip(efforts, titles, strict=True), start=1):
        file = pages / f"0{number}.txt"
        assert f"; title: {title}\n" in file.read_text()
        assert f"; effort: {effort}\n" in file.read_text()
        assert kt("validate", file).returncode == 0


def test_a_file_of_several_puzzles_is_used_again(tmp_path: Path) -> None:
    file, book = tmp_path / "several.txt", tmp_path / "book.pdf"
    asked = ("--count", "2", "--title", "A", "--title", "B", "--out", file)
    made = kt("puzzle", "3x4", "4x5", *asked)
    again = kt("puzzle", file, "--book", book, "--language", "de")
    assert sorted(again.stdout.split("\n\n")) == sorted(file.read_text().split("\n\n"))
    assert again.stderr.count("read as it was saved") == made.stderr.count("puzzle: ") == 4
    titled = kt("puzzle", file, *["--title", "New"] * 4)
    assert titled.stdout.count("; title: New\n") == 4
    kt("puzzle", "3x4", "--solution", "--out", tmp_path / "one.txt")
    joined = 2 * (tmp_path / "one.txt").read_text() + file.read_text()
    assert kt("puzzle", "-", stdin=joined).stderr.count("read as it was saved") == 6
    file.write_text(file.read_text() + "\n\n1 .\n; kind: other\n")
    told = f"kt: {file}: puzzle 5: kind 'other' in the map: give open or closed"
    assert kt("puzzle", file).stderr.startswith(told)


@pytest.mark.exhaustive
def test_the_nearest_puzzle_is_the_nearest_of_all_that_were_made() -> None:
    made = kt("puzzle", "6x6", "--effort", "300..305", "--seed", "3")
    assert made.returncode == 3
    assert 290 < int(re.findall("; effort: (.*)", made.stdout)[0]) < 320


def test_a_set_spreads_the_levels_and_each_puzzle_has_its_own_title(tmp_path: Path) -> None:
    file = tmp_path / "set.txt"
    asked = ("--count", "4", "--difficulty", "children..easy", "--seed", "1", "--out", file)
    assert kt("puzzle", "5x5", *asked).returncode == 0
    text = file.read_text()
    assert re.findall("; level: (.*)", text) == ["children", "children", "easy", "easy"]
    titles = re.findall("; title: (.*)", text)
    assert titles == ["For children 1", "For children 2", "Easy 1", "Easy 2"]
    hints = [kt("puzzle", file, "--hint", "--number", str(number)) for number in (1, 4, 5)]
    assert [hint.returncode for hint in hints] == [0, 0, 2]
    alone = kt("puzzle", "-", "--hint", stdin=text.split("\n\n")[3])
    assert hints[1].stdout == alone.stdout != hints[0].stdout
    assert "give a number from 1 to 4" in hints[2].stderr
    named = kt("puzzle", "3x4", "--count", "2", "--title", "A")
    assert re.findall("; title: (.*)", named.stdout) == ["A 1", "A 2"]
