"""The player of puzzles, on the page that works offline, in a real browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("selenium")
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import text_to_be_present_in_element
from selenium.webdriver.support.wait import WebDriverWait

from kt_cp import solve
from kt_cp.draw.look import Look
from kt_cp.draw.puzzles import puzzle_data, puzzle_page
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.puzzles.words import ENGLISH, Words
from tests.helpers.command import kt
from tests.helpers.pages import data_of
from tests.helpers.screens import (
    DESKTOP,
    PATIENCE,
    PHONE,
    has_no_violation,
    is_within_window,
    label,
    labels,
    send,
    square,
    status,
    touch,
    until_labeled,
    use_screen,
    use_usual_screen,
)

Opened = Callable[..., Chrome]


# Puzzles of 6x6 with a unique solution, whose squares the tests name.
FROM_4_TO_33 = """\
. . . 12 . .
. 17 . . . .
. 6 . . . .
. . . . . .
. . . . . .
. . 4 33 . .
"""


def made(board: str, **asked: object) -> Puzzle:
    puzzle = make_puzzle(board, **asked)  # type: ignore[arg-type]
    assert puzzle is not None
    return puzzle


@pytest.fixture
def opened(browser: Chrome, tmp_path: Path) -> Iterator[Opened]:
    """Open a page of puzzles on which nothing was written yet; its console must stay empty."""

    def open_page(
        *puzzles: Puzzle,
        width: int = DESKTOP,
        dark: bool = False,
        words: Words = ENGLISH,
    ) -> Chrome:
        (tmp_path / "empty.html").write_text("")
        (tmp_path / "puzzle.html").write_text(puzzle_page(list(puzzles), Look(words=words)))
        use_screen(browser, width, dark)
        browser.get((tmp_path / "empty.html").as_uri())  # on which nothing saves
        browser.execute_script("localStorage.clear()")
        browser.get((tmp_path / "puzzle.html").as_uri())
        return browser

    yield open_page
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    use_usual_screen(browser)


def button(page: Chrome, name: str) -> None:
    for each in page.find_elements(By.TAG_NAME, "button"):
        if name in (each.text, each.get_attribute("aria-label")):
            each.click()
            return
    raise AssertionError(name)


def until_chosen(page: Chrome, number: str) -> None:
    """Wait until a puzzle of the list is open, which is after the address has changed."""
    chosen = (By.CSS_SELECTOR, "nav button[aria-current]")
    WebDriverWait(page, PATIENCE).until(text_to_be_present_in_element(chosen, number))


def answers(puzzle: Puzzle) -> dict[str, int]:
    """Return the numbers of the solution by square, without the clues."""
    givens = {puzzle.instance.board.name(square) for square in puzzle.givens}
    steps = {name: step for step, name in enumerate(puzzle.solution.names, start=1)}
    return {name: step for name, step in steps.items() if name not in givens}


def test_a_puzzle_is_solved_by_taps_alone_from_any_clue(opened: Opened) -> None:
    puzzle = made("6x6", seed=1)
    page = opened(puzzle, width=PHONE, dark=True)
    names = ["", *puzzle.solution.names]
    clues = sorted(puzzle.givens.values())
    middle = clues[len(clues) // 2]

    # Up from a clue in the middle, then down from it; the ring goes on along numbers by itself.
    for beginning, others in ((middle, range(middle + 1, 37)), (middle, range(middle - 1, 0, -1))):
        touch(page, square(page, names[beginning]))
        for step in others:
            if step not in clues:
                touch(page, square(page, names[step]))
                until_labeled(page, f"{names[step]}, {step}")
    WebDriverWait(page, PATIENCE).until(lambda page: status(page).startswith("Solved"))
    assert re.fullmatch(r"Solved in \d+:\d\d without hints\.", status(page))
    has_no_violation(page)
    assert is_within_window(page, page.find_element(By.CSS_SELECTOR, "[role=status]"))


def test_the_solution_is_typed_without_losing_a_number(opened: Opened) -> None:
    puzzle = made("6x6", seed=1)
    page = opened(puzzle)
    missing = answers(puzzle)
    *others, (last, final) = missing.items()
    for name, step in others:
        square(page, name).click()
        send(page, *str(step), Keys.ENTER)
    wanted = {f"{name}, {step}" for name, step in others}
    clues = {f"{puzzle.instance.board.name(at)}, clue, {n}" for at, n in puzzle.givens.items()}
    assert {*labels(page)} == wanted | clues | {f"{last}, empty"}
    square(page, last).click()
    send(page, *str(final), Keys.ENTER)
    assert status(page).startswith("Solved in ")


def test_the_page_of_a_closed_puzzle_in_order_gives_its_discs_in_that_order() -> None:
    puzzle = made("6x6", closed=True, clues="order", seed=1)
    data = puzzle_data(puzzle)
    assert data["order"] == puzzle.instance.order
    assert data["fixedNumbering"]  # the tour begins on the first disc
    assert "Number the squares along it from 1 to 36." in data["rules"]  # type: ignore[operator]


def test_clues_that_no_square_shows_are_told_in_words() -> None:
    asked = {"symmetry": "half-turn", "having": ["turns>=20", "crossings<=99"]}
    rules = puzzle_data(made("5x5", seed=1, **asked))["rules"]
    assert isinstance(rules, list)
    assert "Turns: at least 20." in rules
    assert "Crossings: at most 99." in rules
    assert any("half-turn" in each for each in rules)


def test_numbers_notes_and_undo_stay_across_a_reload(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33), width=PHONE)
    square(page, "b5").click()
    square(page, "d4").click()
    square(page, "a1").click()
    button(page, "Pencil")
    button(page, "5")
    button(page, "enter")
    page.refresh()
    assert (label(page, "d4"), label(page, "a1")) == ("d4, 18", "a1, empty, notes 5")
    button(page, "Undo")
    button(page, "Undo")
    assert label(page, "d4") == "d4, empty"


@pytest.mark.parametrize(("board", "asked"), [("6x6", {"seed": 3}), ("5x6", {"closed": True})])
def test_hints_alone_solve_a_puzzle_and_each_has_a_reason(
    opened: Opened, board: str, asked: dict[str, object]
) -> None:
    puzzle = made(board, **asked)
    page = opened(puzzle, width=PHONE)
    missing = answers(puzzle)
    for number in range(1, len(missing) + 1):
        button(page, "Hint")
        told = re.match(r"(\d+) is on (\w+): .", status(page))
        assert told, status(page)
        assert missing[told[2]] == int(told[1])
        assert is_within_window(page, page.find_element(By.CSS_SELECTOR, "[role=status]"))
        marked = page.find_elements(By.CSS_SELECTOR, ".square.hinted")
        assert [each.get_attribute("aria-label") for each in marked] == [f"{told[2]}, empty"]
        square(page, told[2]).click()
        assert label(page, told[2]) == f"{told[2]}, {told[1]}"
        if number == len(missing):
            assert f" with {number} hints" in status(page)


def test_several_puzzles_on_one_page_have_a_list(opened: Opened) -> None:
    page = opened(*(made("3x4", seed=seed) for seed in range(3)), width=PHONE)
    listed = page.find_elements(By.CSS_SELECTOR, "nav button")
    assert [each.text for each in listed] == ["1", "2", "3"]
    button(page, "Hint")
    name = status(page).split(" is on ")[1].split(":")[0]
    square(page, name).click()
    listed[1].click()
    until_chosen(page, "2")
    page.find_element(By.TAG_NAME, "summary").click()
    button(page, "Show the solution")
    assert not page.find_elements(By.CSS_SELECTOR, ".solved")  # what was shown is not celebrated
    [again] = [each for each in page.find_elements(By.TAG_NAME, "button") if "again" in each.text]
    assert is_within_window(page, again)
    assert page.find_elements(By.CSS_SELECTOR, "nav button")[1].text == "2 –"
    page.find_elements(By.CSS_SELECTOR, "nav button")[0].click()
    until_chosen(page, "1")
    assert not label(page, name).endswith("empty")
    has_no_violation(page)


def test_a_hole_inside_the_board_is_shaded_and_the_heading_is_level_with_the_board(
    opened: Opened,
) -> None:
    page = opened(made("......\n......\n..#...\n......\n.....#\n......\n", seed=1))
    assert not page.find_element(By.XPATH, "//button[.='Check']").is_enabled()  # nothing is written
    [hole] = page.find_elements(By.CSS_SELECTOR, "rect.hole")  # the other one is outside
    color = "return getComputedStyle(arguments[0]).fill"
    light = page.find_element(By.CSS_SELECTOR, "rect.square.light")
    assert page.execute_script(color, hole) != page.execute_script(color, light)
    heading = page.find_element(By.TAG_NAME, "h1")
    assert abs(heading.rect["y"] - page.find_element(By.CSS_SELECTOR, ".outline").rect["y"]) < 4


def test_a_board_that_is_scrolled_on_a_phone_fades_at_its_edges(opened: Opened) -> None:
    page = opened(made("8x12", difficulty="easy", seed=1), width=PHONE)

    def until_faded(right: str, left: str) -> None:
        script = """
            const { style } = document.querySelector(".puzzle");
            return ["right", "left"].map((side) => style.getPropertyValue(`--fade-${side}`))"""
        wanted = [right, left]
        WebDriverWait(page, PATIENCE).until(lambda _: page.execute_script(script) == wanted)

    until_faded("2.5rem", "0px")
    page.execute_script("document.querySelector('.puzzle').scrollLeft = 1000")
    until_faded("0px", "2.5rem")


def test_keys_of_a_phone_are_large_enough_and_need_no_scrolling(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33), width=PHONE, dark=True)
    keys = page.find_elements(By.CSS_SELECTOR, ".keypad button, .tools button")
    shown = [each for each in keys if each.is_displayed()]
    assert len(shown) == 18
    for key in shown:
        assert min(key.size["width"], key.size["height"]) >= 48
        assert is_within_window(page, key)
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    has_no_violation(page)


def test_hints_of_large_boards_have_premises_too() -> None:
    tour = solve("8x13").tour
    assert tour is not None
    givens = {name: step for step, name in enumerate(tour.names, start=1) if step % 10 == 1}
    puzzle = Puzzle(Instance.of("8x13", givens=givens), tour)
    assert puzzle_data(puzzle)["deductions"]


def test_buttons_are_as_wide_as_their_words_in_spanish_on_a_narrow_phone(opened: Opened) -> None:
    page = opened(made("3x4", seed=1), width=320, words=Words.of("es"))
    buttons = page.find_elements(By.CSS_SELECTOR, ".tools button")
    assert [each.text for each in buttons][:2] == ["Pista", "Comprobar"]
    for each in buttons:
        width = "return arguments[0].scrollWidth <= arguments[0].clientWidth"
        assert page.execute_script(width, each), each.text
    assert is_within_window(page, buttons[5])
    root = page.find_element(By.TAG_NAME, "html")
    assert root.get_attribute("lang") == "es"


def test_kt_puzzle_writes_the_page_with_its_title(tmp_path: Path) -> None:
    page = tmp_path / "puzzle.html"
    done = kt("puzzle", "3x4", "--title", "<b>", "--require", "a1>b3", "--draw", page)
    assert done.returncode == 0
    text = page.read_text()
    assert "<title>&lt;b&gt;, " in text
    assert "The tour goes from a1 to b3." in text
    [puzzle] = data_of(text)["puzzles"]
    assert sorted(puzzle["solution"]) == [*range(12)]
    assert kt("puzzle", "3x4", "--count", "2", "--draw", page).returncode == 0
    assert len(data_of(page.read_text())["puzzles"]) == 2
