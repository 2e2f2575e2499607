"""The page on which a puzzle is played offline, in a real browser."""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("selenium")
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from kt_cp import Puzzle, make_puzzle
from kt_cp.draw.puzzle import puzzle_page
from tests.helpers.command import kt


def opened(browser: Chrome, tmp_path: Path, puzzle: Puzzle | None) -> Chrome:
    assert puzzle is not None
    (tmp_path / "puzzle.html").write_text(puzzle_page(puzzle))
    browser.get((tmp_path / "puzzle.html").as_uri())
    return browser


def press(page: Chrome, name: str) -> str:
    page.find_element(By.ID, name).click()
    return page.find_element(By.ID, "status").text


def square(page: Chrome, name: str) -> WebElement:
    return page.find_element(By.CSS_SELECTOR, f'[role=button][aria-label^="{name},"]')


def label(page: Chrome, name: str) -> str:
    return square(page, name).get_attribute("aria-label") or ""


def test_a_puzzle_is_solved_by_its_hints(browser: Chrome, tmp_path: Path) -> None:
    puzzle = make_puzzle("3x4", difficulty="easy", seed=1)
    page = opened(browser, tmp_path, puzzle)
    assert puzzle is not None
    for square_given, step in puzzle.instance.givens:
        name = puzzle.instance.board.name(square_given)
        assert label(page, name) == f"{name}, step {step}, given"
    for _ in range(12):
        told = re.match(r"(\d+) is on (\w+)", press(page, "hint"))
        if told is None:
            break
        square(page, told[2]).send_keys(told[1])
        assert label(page, told[2]) == f"{told[2]}, step {told[1]}"
    assert press(page, "check") == "Solved: every number is right."
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_wrong_numbers_are_found_and_undone(browser: Chrome, tmp_path: Path) -> None:
    puzzle = make_puzzle("3x4", givens={"a3": 1})
    page = opened(browser, tmp_path, puzzle)
    assert puzzle is not None
    steps = {name: step for step, name in enumerate(puzzle.solution.names, start=1)}
    one, other = [name for name in steps if label(page, name) == f"{name}, empty"][:2]
    square(page, one).send_keys(str(steps[other]))
    square(page, other).send_keys(str(steps[one]))
    assert press(page, "check").startswith("2 wrong: ")
    square(page, one).send_keys(Keys.DELETE, str(steps[one]))
    assert press(page, "check") == f"1 wrong: {other}"
    for _ in range(10):
        press(page, "undo") if page.find_element(By.ID, "undo").is_enabled() else None
    assert label(page, one) == f"{one}, empty"
    square(page, "a3").send_keys(Keys.END, Keys.PAGE_DOWN)
    assert page.switch_to.active_element == square(page, "d1")
    assert press(page, "check").startswith("All right so far, ")
    press(page, "solution")
    assert press(page, "check") == "Solved: every number is right."


def test_a_closed_tour_of_moves_may_be_numbered_from_anywhere(
    browser: Chrome, tmp_path: Path
) -> None:
    puzzle = make_puzzle("5x6", closed=True, clues="moves")
    page = opened(browser, tmp_path, puzzle)
    assert puzzle is not None
    tour = puzzle.solution.names[7::-1] + puzzle.solution.names[:7:-1]
    for step, name in enumerate(tour[:12], start=1):
        square(page, name).click()
        assert label(page, name) == f"{name}, step {step}"
    assert press(page, "check") == "All right so far, 18 to go."


def test_kt_puzzle_writes_the_page_with_its_title(tmp_path: Path) -> None:
    page = tmp_path / "puzzle.html"
    made = kt("puzzle", "3x4", "--title", "<b>", "--require", "a1>b3", "--draw", page)
    assert made.returncode == 0
    text = page.read_text()
    assert "<title>&lt;b&gt;, " in text
    assert "The tour goes from a1 to b3." in text
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert sorted(data["solution"]) == [*range(12)]
    told = "--draw p.gif: the name must end in .svg or .png or .pdf or .html"
    assert told in kt("puzzle", "3x4", "--draw", "p.gif").stderr
