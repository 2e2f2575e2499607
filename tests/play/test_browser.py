"""The playground in a real browser: by mouse, by touch and by keyboard, wide and narrow."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from urllib.parse import quote, urlsplit

import pytest

pytest.importorskip("nicegui")
pytest.importorskip("selenium")
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import (
    element_to_be_clickable,
    invisibility_of_element_located,
    visibility_of_element_located,
)
from selenium.webdriver.support.wait import WebDriverWait

from kt_cp import Board, solve
from tests.helpers.screens import (
    DESKTOP,
    PATIENCE,
    PHONE,
    are_level,
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

CROSS = "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##"
Opened = Callable[[str], Chrome]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a playground is served, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kt_cp", "play", "--no-browser", "--port", str(port)]
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert server.stderr is not None
    told = server.stderr.readline()
    assert told == f"playing on http://127.0.0.1:{port}/ (Ctrl-C ends it)\n"
    while not accepts_connections(port):
        assert server.poll() is None, "the server has ended"
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/"
    server.terminate()
    server.wait(30)


def accepts_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@pytest.fixture(params=[DESKTOP, pytest.param(PHONE, marks=pytest.mark.exhaustive)])
def opened(browser: Chrome, address: str, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """Open the page; then no message is in the console, and nothing was asked from elsewhere."""
    use_screen(browser, request.param, dark=request.param == PHONE)

    def open_page(query: str) -> Chrome:
        browser.get(address + query)
        until_connected(browser)
        wide = "return document.documentElement.scrollWidth <= innerWidth"
        assert browser.execute_script(wide), "nothing is beyond the edge"
        return browser

    yield open_page
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    log = [json.loads(each["message"])["message"] for each in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    asked = [each["params"].get("request", {}).get("url", "") for each in log]
    hosts = {urlsplit(url).hostname for url in asked if url.startswith(("http", "ws"))}
    assert hosts <= {"127.0.0.1"}
    use_usual_screen(browser)


def until_connected(page: Chrome) -> None:
    """Wait until the page shows squares and its events reach the server."""
    connected = "return window.did_handshake === true"
    WebDriverWait(page, PATIENCE).until(lambda _: page.execute_script(connected) and labels(page))


def until(page: Chrome, pattern: str) -> str:
    """Wait until the status begins as a pattern says, and return it: it may change again."""

    def read(page: Chrome) -> str:
        text = status(page)
        return text if re.match(pattern, text) else ""

    return WebDriverWait(page, PATIENCE).until(read, pattern)


def buttons(page: Chrome, name: str, within: str = "") -> list[WebElement]:
    """Return the buttons that are displayed and have this text."""
    script = """
        const [within, name] = arguments;
        return [...document.querySelectorAll(within)]
          .filter((each) => each.getClientRects().length && each.innerText.trim() === name)"""
    found: list[WebElement] = page.execute_script(script, f"{within} button", name)
    return found


def press(page: Chrome, name: str, within: str = "") -> None:
    """Press a button as soon as it is enabled."""

    def find(page: Chrome) -> WebElement | None:
        found = buttons(page, name, within)
        return found[0] if len(found) == 1 and found[0].is_enabled() else None

    found = WebDriverWait(page, PATIENCE).until(find, name)
    assert found is not None
    found.click()


def until_in_address(page: Chrome, text: str) -> None:
    WebDriverWait(page, PATIENCE).until(lambda page: text in page.current_url, text)


def go_to(page: Chrome, tab: str) -> None:
    [found] = [
        each for each in page.find_elements(By.CSS_SELECTOR, "[role=tab]") if each.text == tab
    ]
    found.click()
    WebDriverWait(page, PATIENCE).until(lambda _: found.get_attribute("aria-selected") == "true")


def choose(page: Chrome, field: str, value: str) -> None:
    page.find_element(By.CSS_SELECTOR, f"[role=combobox][aria-label='{field}']").click()
    option = (By.XPATH, f"//*[@role='option'][normalize-space()='{value}']")
    WebDriverWait(page, PATIENCE).until(element_to_be_clickable(option)).click()
    WebDriverWait(page, PATIENCE).until(invisibility_of_element_located(option))


def test_the_first_screen_has_a_board_a_knight_one_sentence_and_one_filled_button(
    opened: Opened,
) -> None:
    page = opened("?board=6x6")
    assert status(page) == "Open tour of 6 × 6, 36 squares: tap squares to draw it, or press Solve."
    assert page.find_element(By.CSS_SELECTOR, ".picture-of-board").text.count("♞") == 1
    assert [each.text for each in shown(page, ".filled")] == ["Solve"]
    names = [each.text for each in shown(page, "button") if each.text]
    assert len(names) == len(set(names))  # each button is there once
    parts = (".board", ".q-tabs", ".board-controls")
    places = [place(page, each) for each in parts]
    for tab in ("Puzzle", "Race", "Draw"):
        go_to(page, tab)
        assert [place(page, each) for each in parts] == places  # nothing jumps
        assert bool(buttons(page, "Undo")) is (tab == "Draw")  # elsewhere it has nothing to undo
        assert bool(shown(page, ".board-controls .more:last-child")) is (tab == "Draw")
        about = page.find_element(By.CSS_SELECTOR, ".about").text
        assert {"Puzzle": "one solution", "Race": "dfs: depth-first search"}.get(tab, "") in about
    page.find_element(By.CSS_SELECTOR, "[role=combobox][aria-label='Look for']").click()
    features = (By.XPATH, "//*[@role='option'][normalize-space()='all features …']")
    WebDriverWait(page, PATIENCE).until(element_to_be_clickable(features))
    assert len(page.find_elements(By.CSS_SELECTOR, "[role=option]")) == 7
    has_no_violation(page)
    for fold in page.find_elements(By.CSS_SELECTOR, "summary"):
        page.execute_script("arguments[0].click()", fold)
    script = "return performance.getEntriesByType('resource').map((each) => each.name)"
    assert not [name for name in page.execute_script(script) if ".woff" in name]


def test_solving_and_a_reason(opened: Opened) -> None:
    page = opened("?board=6x6&closed=true")
    press(page, "Solve")
    assert "closed tour of 6 × 6, 36 squares" in until(page, "Found in ")
    assert {each.split(", ")[1] for each in labels(page)} == {*map(str, range(1, 37))}
    assert "Crossings: " in page.find_element(By.CSS_SELECTOR, ".beside:not(.about)").text
    page = opened(f"?board={quote(CROSS)}")
    press(page, "Solve")
    assert "14 components" in until(page, "Impossible: ")
    assert label(page, "a7") == "a7, hole"
    has_no_violation(page)


def test_a_proof_by_cases_is_shown_with_the_board_of_each_case(opened: Opened) -> None:
    page = opened("?board=3x8&closed=true")
    press(page, "Solve")
    until(page, "Impossible: Schwenk's theorem")
    [one, other] = page.find_elements(By.CSS_SELECTOR, ":is(.picture-of-board, .legend) .outline")
    sentences = page.find_elements(By.CSS_SELECTOR, ".legend li")[:2]
    for told, case in zip(sentences, ("With", "Without"), strict=True):
        assert f"{case} b3-d2, d2 has fewer than two moves left" in told.text
    box = "const {y, height} = arguments[0].getBoundingClientRect(); return [y, y + height]"
    edges = [page.execute_script(box, each) for each in (one, sentences[0], other, sentences[1])]
    assert edges[0][1] <= edges[1][0] <= edges[1][1] <= edges[2][0]  # each is above its sentence
    assert edges[2][1] < edges[3][1]
    assert is_within_window(page, other)


def shown(page: Chrome, selector: str) -> list[WebElement]:
    return [each for each in page.find_elements(By.CSS_SELECTOR, selector) if each.is_displayed()]


def place(page: Chrome, selector: str) -> tuple[float, ...]:
    """Return the left and top edges and the width of an element."""
    script = "const {x, y, width} = arguments[0].getBoundingClientRect(); return [x, y, width]"
    return tuple(page.execute_script(script, page.find_element(By.CSS_SELECTOR, selector)))


def has_room_for_all(page: Chrome, selector: str) -> bool:
    """Return whether an element shows all that it contains without scrolling."""
    script = "return arguments[0].scrollHeight <= arguments[0].clientHeight"
    return bool(page.execute_script(script, page.find_element(By.CSS_SELECTOR, selector)))


def until_puzzle(page: Chrome) -> list[int]:
    """Wait until the puzzle player is there, and return the solution by step, as ids."""
    cells = (By.CSS_SELECTOR, ".puzzle-board [role=button]")
    WebDriverWait(page, PATIENCE).until(visibility_of_element_located(cells))
    clues = [each.split(", ") for each in labels(page) if ", clue, " in each]
    tour = solve("5x5", givens={name: int(step) for name, _, step, *_ in clues}).tour
    assert tour is not None
    return list(map(int, tour.squares))


def test_a_new_puzzle_is_played_and_its_clues_stay(opened: Opened) -> None:
    page = opened("?board=5x5")
    before = place(page, ".picture-of-board .outline")
    go_to(page, "Puzzle")
    press(page, "New puzzle")
    until_puzzle(page)
    assert place(page, ".puzzle-board .outline") == pytest.approx(before, abs=1)  # nothing jumps
    clues = [each for each in labels(page) if ", clue, " in each]
    for clue in clues:
        square(page, clue.split(",")[0]).click()
    assert [each for each in labels(page) if ", clue, " in each] == clues
    assert not shown(page, ".controls .filled:enabled")  # there is nothing to check yet
    press(page, "Hint")
    said = status(page)
    go_to(page, "Draw")
    go_to(page, "Puzzle")
    assert until(page, ".* is on ") == said
    square(page, said.split(" is on ")[1].split(":")[0]).click()
    assert [each.text for each in shown(page, ".controls .filled:enabled")] == ["Check"]
    outline = "return getComputedStyle(arguments[0]).outlineStyle"
    focused = page.switch_to.active_element
    assert page.execute_script(outline, focused) == "none"  # it would be as wide as three squares
    has_no_violation(page)
    until_in_address(page, "puzzle=1")
    page.refresh()
    until_connected(page)
    go_to(page, "Puzzle")
    until_puzzle(page)
    assert [each for each in labels(page) if ", clue, " in each] == clues


def test_a_race_opens_within_the_window_and_plays(opened: Opened) -> None:
    page = opened("?board=6x6")
    go_to(page, "Race")
    tabs = place(page, ".q-tabs")
    press(page, "Race")
    frame = until_race(page)
    assert is_within_window(page, frame)
    page.switch_to.frame(frame)
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    script = "return Number(document.getElementById('step').value) > 10"
    WebDriverWait(page, PATIENCE).until(lambda page: page.execute_script(script))
    boards = page.find_elements(By.CSS_SELECTOR, "section.run svg[role=img]")
    has_room = page.execute_script("return matchMedia('(width > 40rem)').matches")
    assert are_level(page, boards) is has_room, "they are side by side if there is room"
    for board in boards:
        assert is_within_window(page, board)
    page.switch_to.default_content()
    has_no_violation(page)
    go_to(page, "Draw")
    until_labeled(page, "a1, empty")
    assert place(page, ".q-tabs") == tabs
    assert status(page).startswith("Open tour of 6 × 6, 36 squares")


def until_race(page: Chrome) -> WebElement:
    frame = (By.CSS_SELECTOR, "iframe[title='The race']")
    return WebDriverWait(page, PATIENCE).until(visibility_of_element_located(frame))


def test_a_move_is_required_by_dragging(opened: Opened) -> None:
    page = opened("?board=3x4")
    page.find_element(By.XPATH, "//summary[contains(., 'Other boards')]").click()
    choose(page, "A tap", "requires a move")
    ActionChains(page).drag_and_drop(square(page, "a3"), square(page, "c2")).perform()
    until_labeled(page, "a3, empty, required move to c2")
    until_in_address(page, "require%3A+a3-c2")


def reach(page: Chrome, selector: str, name: str = "") -> None:
    """Press Tab until an element with this text has the focus."""
    script = """
        const [selector, name] = arguments, focused = document.activeElement;
        return focused.matches(selector) && (!name || focused.innerText.trim() === name)"""
    for _ in range(60):
        if page.execute_script(script, selector, name):
            return
        send(page, Keys.TAB)
    raise AssertionError(name or selector)


def open_tab(page: Chrome, *arrows: str) -> None:
    reach(page, "[role=tab]")
    send(page, *arrows, Keys.ENTER)


def test_by_keyboard_alone(address: str, browser: Chrome) -> None:
    use_screen(browser, DESKTOP)
    browser.get(f"{address}?board=5x5")
    until_connected(browser)
    reach(browser, ".squares button")
    send(browser, Keys.ENTER)
    until_labeled(browser, "a5, 1")
    send(browser, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    until_labeled(browser, "b3, 2")
    send(browser, Keys.END, Keys.ARROW_DOWN, "2", "5")
    until_labeled(browser, "e2, clue, 25, end")
    send(browser, Keys.DELETE)
    until_labeled(browser, "e2, empty")
    reach(browser, "button", "Solve")
    send(browser, Keys.ENTER)
    until(browser, "Found in ")
    open_tab(browser, Keys.ARROW_RIGHT)
    reach(browser, "button", "New puzzle")
    send(browser, Keys.ENTER)
    solution = until_puzzle(browser)
    reach(browser, ".puzzle-board [role=button]")
    home = [Keys.ARROW_UP] * 5 + [Keys.HOME]
    for step, at in enumerate(solution, start=1):
        down, right = divmod(at, 5)
        keys = [*home, *[Keys.ARROW_DOWN] * down, *[Keys.ARROW_RIGHT] * right]
        send(browser, *keys, *str(step), Keys.ENTER)
    until(browser, "Solved in ")
    assert has_room_for_all(browser, ".puzzle-card .card")
    has_no_violation(browser)
    open_tab(browser, Keys.ARROW_RIGHT)
    reach(browser, "button", "Race")
    send(browser, Keys.ENTER)
    frame = until_race(browser)
    reach(browser, "iframe")
    send(browser, Keys.TAB, Keys.END)
    until_end_of_race(browser, frame)
    use_usual_screen(browser)


def until_end_of_race(page: Chrome, frame: WebElement) -> None:
    page.switch_to.frame(frame)
    script = "const step = document.getElementById('step'); return step.value === step.max"
    WebDriverWait(page, PATIENCE).until(lambda page: page.execute_script(script))
    page.switch_to.default_content()


def tap(page: Chrome, element: WebElement) -> None:
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    touch(page, element)


def test_by_touch_alone(address: str, browser: Chrome) -> None:
    use_screen(browser, PHONE)
    browser.get(f"{address}?board=5x5")
    until_connected(browser)
    tap(browser, square(browser, "a1"))
    until_labeled(browser, "a1, 1")
    tap(browser, buttons(browser, "Solve")[0])
    until(browser, "Found in ")
    tabs = {each.text: each for each in browser.find_elements(By.CSS_SELECTOR, "[role=tab]")}
    tap(browser, tabs["Puzzle"])
    WebDriverWait(browser, PATIENCE).until(lambda page: buttons(page, "New puzzle"))
    tap(browser, buttons(browser, "New puzzle")[0])
    solution = until_puzzle(browser)
    keys = {each.text: each for each in browser.find_elements(By.CSS_SELECTOR, ".keypad button")}
    for step, at in enumerate(solution, start=1):
        name = Board(5, 5).name(at)
        if ", clue, " not in label(browser, name):
            for control in (square(browser, name), *(keys[each] for each in f"{step}✓")):
                if control.is_displayed():  # after the last number the keys go
                    tap(browser, control)
    until(browser, "Solved in ")
    assert has_room_for_all(browser, ".puzzle-card .card")
    has_no_violation(browser)
    tap(browser, tabs["Race"])
    WebDriverWait(browser, PATIENCE).until(lambda page: buttons(page, "Race"))
    tap(browser, buttons(browser, "Race")[0])
    frame = until_race(browser)
    browser.execute_script("arguments[0].scrollIntoView()", frame)
    [left, top, _] = place(browser, "iframe")
    browser.switch_to.frame(frame)
    for selector in (".more-toggle", "#last"):
        is_shown = visibility_of_element_located((By.CSS_SELECTOR, selector))
        touch(browser, WebDriverWait(browser, PATIENCE).until(is_shown), left, top)
    browser.switch_to.default_content()
    until_end_of_race(browser, frame)
    use_usual_screen(browser)


@pytest.mark.parametrize("header", ["Host", "Origin"])
def test_other_pages_are_refused(address: str, header: str) -> None:
    request = urllib.request.Request(address, headers={header: "http://evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)
    request = urllib.request.Request(address, headers={"Origin": address.rstrip("/")})
    assert urllib.request.urlopen(request).status == 200
