"""The player of puzzles, on the page that works offline, in a real browser."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("selenium")
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import text_to_be_present_in_element
from selenium.webdriver.support.wait import WebDriverWait

from kt_cp import Instance, Puzzle, make_puzzle, solve
from kt_cp.draw.look import Look
from kt_cp.draw.puzzles import puzzle_data, puzzle_page
from kt_cp.puzzles.words import ENGLISH, Words
from tests.draw.test_palette import contrast
from tests.helpers.command import kt
from tests.helpers.screens import (
    DESKTOP,
    PATIENCE,
    PHONE,
    has_no_serious_violation,
    is_within_window,
    label,
    labels,
    square,
    touch,
    until_labeled,
    use_screen,
    use_usual_screen,
    wait_for_digits,
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
FROM_9_TO_36 = """\
. . . . . .
. . . . . .
. . . . . 9
. . . . . .
36 . 20 31 . 15
. . . . . .
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
        wait_for_digits(browser)
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


def status(page: Chrome) -> str:
    return page.find_element(By.CSS_SELECTOR, "[role=status]").text


def press(page: Chrome, *keys: str) -> None:
    ActionChains(page).send_keys(*keys).perform()


def press_with_control(page: Chrome, key: str) -> None:
    ActionChains(page).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()


def until_chosen(page: Chrome, number: str) -> None:
    """Wait until a puzzle of the list is open, which is after the address has changed."""
    chosen = (By.CSS_SELECTOR, "nav button[aria-current]")
    WebDriverWait(page, PATIENCE).until(text_to_be_present_in_element(chosen, number))


def dots(page: Chrome) -> int:
    return len(page.find_elements(By.CSS_SELECTOR, ".dots circle"))


def least_contrast_of_numbers(page: Chrome) -> float:
    """Return the least contrast of a number and the disc below it."""
    script = """
        const fill = (element) => getComputedStyle(element).fill;
        const discs = [...document.querySelectorAll('.disc')];
        return [...document.querySelectorAll('.entry')]
          .map((text, i) => [fill(text), fill(discs[i])])
          .filter(([, disc]) => disc !== 'none')"""
    hexadecimal = (
        ["#" + bytes(map(int, re.findall(r"\d+", color))).hex() for color in pair]
        for pair in page.execute_script(script)
    )
    return min(contrast(*pair) for pair in hexadecimal)


def answers(puzzle: Puzzle) -> dict[str, int]:
    """Return the numbers of the solution by square, without the clues."""
    givens = {puzzle.instance.board.name(square) for square in puzzle.givens}
    steps = {name: step for step, name in enumerate(puzzle.solution.names, start=1)}
    return {name: step for name, step in steps.items() if name not in givens}


@pytest.mark.parametrize(("width", "dark"), [(PHONE, True), (DESKTOP, False)])
def test_a_puzzle_is_solved_by_taps_alone_from_any_clue(
    opened: Opened, width: int, dark: bool
) -> None:
    puzzle = made("6x6", seed=1)
    page = opened(puzzle, width=width, dark=dark)
    names = ["", *puzzle.solution.names]
    clues = sorted(puzzle.givens.values())
    middle = clues[len(clues) // 2]

    def tap(step: int) -> None:
        if width == PHONE:
            touch(page, square(page, names[step]))
        else:
            square(page, names[step]).click()

    # Up from a clue in the middle, then down from it; the ring goes on along numbers by itself.
    for beginning, others in ((middle, range(middle + 1, 37)), (middle, range(middle - 1, 0, -1))):
        tap(beginning)
        for step in others:
            if step not in clues:
                tap(step)
                until_labeled(page, f"{names[step]}, {step}")
    WebDriverWait(page, PATIENCE).until(lambda page: status(page).startswith("Solved"))
    assert re.fullmatch(r"Solved in \d+:\d\d, [\w ]+, no hints\.", status(page))
    has_no_serious_violation(page)
    assert is_within_window(page, page.find_element(By.CSS_SELECTOR, "[role=status]"))


def test_a_clue_cannot_be_changed_by_taps_or_keys(opened: Opened) -> None:
    puzzle = made("6x6", seed=1)
    page = opened(puzzle)
    before = [each for each in labels(page) if ", clue, " in each]
    assert len(before) == len(puzzle.givens)
    for clue in [each.split(",")[0] for each in before]:
        square(page, clue).click()
        square(page, clue).click()
        press(page, "1", "7", Keys.DELETE, Keys.BACKSPACE, "3")
    assert [each for each in labels(page) if ", clue, " in each] == before
    assert "which stays" in status(page)


def test_the_solution_is_typed_without_losing_a_number(opened: Opened) -> None:
    puzzle = made("6x6", seed=1)
    page = opened(puzzle)
    missing = answers(puzzle)
    *others, (last, final) = missing.items()
    for name, step in others:
        square(page, name).click()
        press(page, *str(step), Keys.ENTER)
    wanted = {f"{name}, {step}" for name, step in others}
    clues = {f"{puzzle.instance.board.name(at)}, clue, {n}" for at, n in puzzle.givens.items()}
    assert {*labels(page)} == wanted | clues | {f"{last}, empty"}
    square(page, last).click()
    press(page, *str(final), Keys.ENTER)
    assert status(page).startswith("Solved in ")


def test_a_number_of_two_digits_is_written_when_it_is_complete(opened: Opened) -> None:
    puzzle = made("6x6", seed=1)
    page = opened(puzzle)
    ones = [each for each in labels(page) if each.endswith(" 1")]
    [name] = [name for name, step in answers(puzzle).items() if step == 17] or ["a1"]
    square(page, name).click()
    press(page, "1")
    assert label(page, name) == f"{name}, empty"
    press(page, "7")
    assert label(page, name) == f"{name}, 17"
    assert [each for each in labels(page) if each.endswith(" 1")] == ones
    press(page, Keys.DELETE, "1", Keys.ARROW_RIGHT)  # one digit is complete when one goes on
    assert label(page, name).startswith(f"{name}, 1")


def test_a_digit_that_comes_late_continues_its_number_and_takes_nothing_else_back(
    opened: Opened,
) -> None:
    page = opened(made("6x6", seed=1))
    one, other = [each.split(",")[0] for each in labels(page) if each.endswith(", empty")][:2]
    for name, number in ((one, "1"), (other, "5"), (one, "1")):
        square(page, name).click()
        press(page, number)
        page.execute_script("player.entry.finish()")  # as time does
    press(page, "7")
    assert label(page, one).startswith(f"{one}, 17")
    assert label(page, other).startswith(f"{other}, 5")
    square(page, one).click()
    press(page, Keys.DELETE, "1")
    page.execute_script("player.entry.finish()")
    press(page, "8")
    assert label(page, one).startswith(f"{one}, 18")
    button(page, "Undo")
    assert label(page, one) == f"{one}, empty"


def test_a_tap_on_a_number_shows_the_squares_one_move_away(opened: Opened) -> None:
    page = opened(made("3x4", givens={"a3": 1}, seed=1))
    square(page, "a3").click()
    assert dots(page) == 2  # b1 and c2
    assert square(page, "a3").get_attribute("aria-pressed") == "true"
    square(page, "b1").click()
    assert label(page, "b1") == "b1, 2"
    square(page, "d1").click()  # no move away: it is only chosen
    assert label(page, "d1") == "d1, empty"
    assert dots(page) == 0


def test_taps_count_down_where_the_switch_says_so(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33))
    square(page, "b5").click()  # clue 17
    assert "The next tap writes 18." in status(page)
    button(page, "Counting up")
    square(page, "b5").click()
    assert "The next tap writes 16." in status(page)
    square(page, "d4").click()
    assert label(page, "d4") == "d4, 16"


def test_conflicts_are_marked_as_they_arise(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33))  # 17 on b5, 12 on d6
    square(page, "a1").click()
    press(page, "1", "7", Keys.ENTER)
    assert label(page, "a1") == "a1, 17, in conflict"
    assert label(page, "b5") == "b5, clue, 17, in conflict"
    assert "17 is on b5 and on a1" in status(page)
    press(page, Keys.DELETE, "1", "6", Keys.ENTER)
    assert "are not one knight's move apart" in status(page)
    assert label(page, "a1") == "a1, 16, in conflict"


def test_squares_in_order_are_discs_with_their_positions(opened: Opened) -> None:
    puzzle = made("5x5", clues="order", seed=1)
    page = opened(puzzle)
    discs = page.find_elements(By.CSS_SELECTOR, ".position")
    assert [each.text for each in discs] == ["1", "2", "3", "4", "5", "6", "7"]
    assert len(page.find_elements(By.CSS_SELECTOR, ".disc.in-order")) == 7
    names = [puzzle.instance.board.name(each) for each in puzzle.instance.order]
    assert names == ["a1", "a4", "b5", "d5", "d4", "c2", "e1"]
    assert label(page, "a1") == "a1, disc 1, clue, 1"
    assert label(page, "a4") == "a4, disc 2, empty"
    for name, number in (("b5", "8"), ("a4", "14")):  # the other way round in the order
        square(page, name).click()
        press(page, number, Keys.ENTER)
    assert "the tour visits a4 before b5" in status(page)
    assert label(page, "a4") == "a4, disc 2, 14, in conflict"
    assert label(page, "b5") == "b5, disc 3, 8, in conflict"
    button(page, "Undo")
    button(page, "Undo")
    page.execute_script("""
        while (!player.progress.finished) {
          player.showHint();
          player.tap(player.advice.hint.square);
        }""")
    assert status(page).startswith("Solved")


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


def test_notes_in_pencil_are_no_numbers(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33))
    square(page, "a1").click()
    press(page, "p", "2", "2", "2", "0")
    assert label(page, "a1") == "a1, empty, notes 20 22"
    press(page, "2", "2")
    assert label(page, "a1") == "a1, empty, notes 20"
    press(page, "p", "2", "2")
    assert label(page, "a1") == "a1, 22"
    press_with_control(page, "z")
    assert label(page, "a1") == "a1, empty, notes 20"


def test_undo_and_redo_by_buttons_and_keys(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33))
    assert not page.find_element(By.XPATH, "//button[.='Undo']").is_enabled()
    square(page, "b5").click()
    square(page, "d4").click()
    square(page, "b3").click()
    assert label(page, "b3") == "b3, 19"
    press_with_control(page, "z")
    assert (label(page, "d4"), label(page, "b3")) == ("d4, 18", "b3, empty")
    button(page, "Undo")
    assert label(page, "d4") == "d4, empty"
    press_with_control(page, "y")
    button(page, "Redo")
    assert label(page, "b3") == "b3, 19"
    assert not page.find_element(By.XPATH, "//button[.='Redo']").is_enabled()


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


def test_numbers_are_saved_where_the_browser_has_no_room_for_the_history(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33))
    saved, saved_when_full, written = page.execute_script("""
        const { puzzle, game } = player;
        const cell = puzzle.solution.find((each) => game.isEmpty(each));
        for (let change = 0; change < 200; change++) game.toggleNote(cell, 5);
        player.save();
        const saved = readSaved(puzzle).game;

        const { setItem } = Storage.prototype;
        const room = JSON.stringify(saved).length / 2;
        Storage.prototype.setItem = function (key, text) {
          if (text.length > room) throw new DOMException("full", "QuotaExceededError");
          setItem.call(this, key, text);
        };
        player.write(cell, 7);
        const savedWhenFull = readSaved(puzzle).game;
        Storage.prototype.setItem = setItem;
        return [saved, savedWhenFull, [cell, 7]]""")
    assert len(saved["past"]) == 50
    assert written in saved_when_full["state"][0]
    assert saved_when_full["past"] == []


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
@pytest.mark.parametrize(("board", "asked"), [("6x6", {"seed": 3}), ("5x6", {"closed": True})])
def test_hints_alone_solve_a_puzzle_and_each_has_a_reason(
    opened: Opened, board: str, asked: dict[str, object], width: int
) -> None:
    puzzle = made(board, **asked)
    page = opened(puzzle, width=width)
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
            assert f", {number} hints" in status(page)


def test_a_hint_shows_the_forced_moves_on_which_it_rests(opened: Opened) -> None:
    puzzle = made(FROM_4_TO_33)
    page = opened(puzzle)
    button(page, "Hint")
    assert status(page).endswith(", since")
    premises = page.find_elements(By.CSS_SELECTOR, ".premises li")
    assert premises
    assert all(":" in each.text for each in premises)
    lines = page.find_elements(By.CSS_SELECTOR, ".edge.premise, g .edge.unused")
    assert lines


def test_where_rules_do_not_help_a_hint_says_why_every_other_choice_fails(
    opened: Opened,
) -> None:
    puzzle = made(FROM_9_TO_36)
    page = opened(puzzle)
    page.execute_script("""
        const { advice } = player;
        const isTrial = () => advice.hint.premises.some(({ moves }) => moves.length === 0);
        for (player.showHint(); !isTrial(); player.showHint()) player.tap(advice.hint.square)""")
    told = re.match(r"(\d+) is on (\w+): the other .* fail, since", status(page))
    assert told, status(page)
    assert puzzle.solution.names[int(told[1]) - 1] == told[2]
    premises = [each.text for each in page.find_elements(By.CSS_SELECTOR, ".premises li")]
    failure = r"(\d+) on (\w+) leaves no (number|square) for \w+"
    failures = [re.fullmatch(failure, each) for each in premises]
    assert failures
    for each in failures:
        assert each
        assert (each[1], each[2]) != (told[1], told[2])
        assert each[1] == told[1] or each[2] == told[2]


def test_a_hint_without_a_reason_names_the_square_that_a_required_move_joins(
    opened: Opened,
) -> None:
    tour = solve("5x5").tour
    assert tour is not None
    first, second, third = tour.names[:3]
    page = opened(Puzzle(Instance.of("5x5", givens={first: 1, third: 3}), tour))
    script = """
        const [required] = arguments;
        const { puzzle, advice } = player;
        puzzle.deductions = [{ moves: [required], used: true, why: "" }];
        return advice.finder.hintFromSolution().why"""
    second_id = tour.board.vertex(second)
    for name, step in ((first, 1), (third, 3)):
        why = page.execute_script(script, [second_id, tour.board.vertex(name)])
        assert why == f"a move that must be made joins it with {step} on {name}"


def test_a_trial_has_few_numbers_or_squares_to_try(opened: Opened) -> None:
    tour = solve("5x5").tour
    assert tour is not None
    middle = tour.names.index("c3") + 1  # eight squares are a move away
    page = opened(Puzzle(Instance.of("5x5", givens={"c3": middle}), tour))
    sizes = page.execute_script("""
        const { puzzle, shape, game, word } = player;
        const finder = new TrialFinder(puzzle, shape, game, word);
        return finder.trials().map(({ pairs }) => pairs.length)""")
    assert all(size <= 6 for size in sizes)


def test_wrong_numbers_are_found_by_check_and_by_hint(opened: Opened) -> None:
    puzzle = made(FROM_4_TO_33)
    page = opened(puzzle, dark=True)
    (one, first), (other, second), *_ = answers(puzzle).items()
    for name, number in ((one, second), (other, first)):
        square(page, name).click()
        press(page, *str(number), Keys.ENTER)
    button(page, "Check")
    assert status(page).startswith("2 wrong: ")
    button(page, "Hint")
    assert "is wrong: erase it first" in status(page)
    assert least_contrast_of_numbers(page) >= 4.5
    for name in (one, other):
        square(page, name).click()
        press(page, Keys.DELETE)
    for name in (one, other):  # a tap on what the hint told to erase writes nothing
        square(page, name).click()
        assert label(page, name) == f"{name}, empty"
    button(page, "Check")
    assert status(page) == f"All right so far, {len(answers(puzzle))} to go."


def test_a_solution_that_was_shown_is_not_called_solved(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33))
    button(page, "Show the solution")
    assert status(page) == "The solution is shown."
    assert not page.find_element(By.CSS_SELECTOR, "button.share").is_displayed()
    button(page, "Begin again")
    assert label(page, "a1") == "a1, empty"
    press(page, Keys.CONTROL + "z")  # which does not bring the solution back
    assert label(page, "a1") == "a1, empty"


def test_a_solved_puzzle_is_not_solved_again_by_undoing_its_beginning(opened: Opened) -> None:
    page = opened(made("3x4", seed=1))
    page.execute_script("""
        while (!player.progress.finished) {
          player.showHint();
          player.tap(player.advice.hint.square);
        }
        player.restart();
        player.undo();""")
    assert status(page) == "Begun again."
    assert any(each.endswith(", empty") for each in labels(page))


def test_the_result_is_shared(opened: Opened) -> None:
    puzzle = made("3x4", difficulty="easy", seed=1)
    page = opened(puzzle)
    while not status(page).startswith("Solved"):
        button(page, "Hint")
        name = status(page).split(" is on ")[1].split(":")[0]
        square(page, name).click()
    assert re.fullmatch(r"Solved in \d+:\d\d, easy, \d+ hints?\.", status(page))
    page.refresh()  # the result stays
    assert re.fullmatch(r"Solved in \d+:\d\d, easy, \d+ hints?\.", status(page))
    button(page, "Share")
    WebDriverWait(page, PATIENCE).until(lambda page: "Cop" in status(page))
    assert re.search(r"Open tour of 3 × 4, .* easy: Solved in \d+:\d\d, easy", status(page))


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
    assert page.find_elements(By.CSS_SELECTOR, "nav button")[1].text == "2 ✓"
    page.find_elements(By.CSS_SELECTOR, "nav button")[0].click()
    until_chosen(page, "1")
    assert not label(page, name).endswith("empty")
    has_no_serious_violation(page)


def test_keys_of_a_phone_are_large_enough_and_need_no_scrolling(opened: Opened) -> None:
    page = opened(made(FROM_4_TO_33), width=PHONE, dark=True)
    keys = page.find_elements(By.CSS_SELECTOR, ".keypad button, .tools button")
    shown = [each for each in keys if each.is_displayed()]
    assert len(shown) == 18
    for key in shown:
        assert min(key.size["width"], key.size["height"]) >= 48
        assert is_within_window(page, key)
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    has_no_serious_violation(page)


def test_the_squares_of_a_large_board_are_large_enough_on_a_phone(opened: Opened) -> None:
    page = opened(made("3x14", seed=1), width=PHONE)
    size = square(page, "a1").size
    assert min(size["width"], size["height"]) >= 32
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    for _ in range(5):
        button(page, "Hint")
        name = status(page).split(" is on ")[1].split(":")[0]
        assert is_within_window(page, square(page, name))  # the board has been scrolled to it
        square(page, name).click()


def test_no_line_crosses_a_number(opened: Opened) -> None:
    page = opened(made("3x4", seed=1))
    button(page, "Show the solution")
    script = """
        const discs = [...document.querySelectorAll('.disc:not(.empty)')];
        const path = document.querySelector('.puzzle .path');
        const follows = Node.DOCUMENT_POSITION_FOLLOWING;
        return discs.filter((each) => path.compareDocumentPosition(each) & follows).length"""
    assert page.execute_script(script) == 12


def test_the_switch_of_the_direction_names_the_next_number(opened: Opened) -> None:
    page = opened(made("3x4", givens={"a3": 1, "c2": 2}, seed=1))
    square(page, "c2").click()
    switch = page.find_element(By.CSS_SELECTOR, ".tools button:last-child")
    assert switch.text == "2 → 3"
    switch.click()
    assert switch.text == "2 → 1"


def test_hints_of_large_boards_have_premises_too() -> None:
    tour = solve("8x13").tour
    assert tour is not None
    givens = {name: step for step, name in enumerate(tour.names, start=1) if step % 10 == 1}
    puzzle = Puzzle(Instance.of("8x13", givens=givens), tour)
    assert puzzle_data(puzzle)["deductions"]


def test_the_arrows_go_from_square_to_square(opened: Opened) -> None:
    page = opened(made("3x4", givens={"a3": 1}))
    square(page, "a3").send_keys(Keys.END, Keys.PAGE_DOWN)
    assert page.switch_to.active_element == square(page, "d1")


def test_a_closed_tour_of_moves_may_be_numbered_from_anywhere(opened: Opened) -> None:
    puzzle = made("5x6", closed=True, clues="moves")
    page = opened(puzzle)
    tour = puzzle.solution.names[7::-1] + puzzle.solution.names[:7:-1]
    square(page, tour[0]).click()
    press(page, "1", Keys.ENTER)
    for step, name in enumerate(tour[1:12], start=2):
        square(page, name).click()
        assert label(page, name) == f"{name}, {step}"
    button(page, "Check")
    assert status(page) == "All right so far, 18 to go."
    button(page, "Hint")
    assert re.match(r"\d+ is on \w+: ", status(page))


def test_the_player_speaks_the_words_that_it_is_given(opened: Opened) -> None:
    page = opened(made("3x4", seed=1), words=Words({key: f"‹{key}›" for key in ENGLISH.texts}))
    texts = [each.text for each in page.find_elements(By.CSS_SELECTOR, ".tools button")]
    assert texts[:5] == ["‹hint›", "‹check›", "‹undo›", "‹redo›", "‹pencil›"]
    button(page, "‹hint›")
    assert status(page).startswith("‹is on")
    names = [
        each.get_attribute("aria-label")
        for each in page.find_elements(By.CSS_SELECTOR, "g, svg, rect, button")
    ]
    assert not [name for name in names if name and re.search("[a-z]{3}", re.sub("‹.*?›", "", name))]


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
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    [puzzle] = data["puzzles"]
    assert sorted(puzzle["solution"]) == [*range(12)]
    told = "--draw p.gif: the name must end in .svg, .png, .pdf or .html"
    assert told in kt("puzzle", "3x4", "--draw", "p.gif").stderr


def test_kt_puzzle_draws_several_puzzles_on_one_page_but_not_in_one_picture(
    tmp_path: Path,
) -> None:
    page = tmp_path / "puzzles.html"
    assert kt("puzzle", "3x4", "--count", "2", "--draw", page).returncode == 0
    data = json.loads(page.read_text().partition('id="data">')[2].partition("</script>")[0])
    assert len(data["puzzles"]) == 2
    refused = kt("puzzle", "3x4", "--count", "2", "--draw", tmp_path / "puzzles.svg")
    assert refused.returncode == 2
    assert "several" in refused.stderr
