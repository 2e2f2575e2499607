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

from tests.helpers.screens import (
    DESKTOP,
    PATIENCE,
    PHONE,
    are_level,
    has_no_serious_violation,
    is_within_window,
    label,
    labels,
    square,
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


@pytest.fixture(params=[DESKTOP, PHONE])
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


def status(page: Chrome) -> str:
    """Return the status that is displayed; all are read at one moment, as one replaces another."""
    script = """
        return [...document.querySelectorAll('[role=status]')]
          .filter((each) => each.getClientRects().length)
          .map((each) => each.innerText)"""
    texts: list[str] = page.execute_script(script)
    return texts[0] if len(texts) == 1 else ""


def until_status(page: Chrome, matches: Callable[[str], bool], wanted: str) -> str:
    """Wait for a status, and return it as it was then: it may have changed again."""

    def read(page: Chrome) -> str:
        text = status(page)
        return text if matches(text) else ""

    return WebDriverWait(page, PATIENCE).until(read, wanted)


def until(page: Chrome, begins: str) -> str:
    """Wait until the status begins with some words, and return the status."""
    return until_status(page, lambda text: text.startswith(begins), begins)


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


def is_enabled(page: Chrome, name: str) -> bool:
    [found] = buttons(page, name)
    return found.is_enabled()


def until_in_address(page: Chrome, text: str) -> None:
    WebDriverWait(page, PATIENCE).until(lambda page: text in page.current_url, text)


def go_to(page: Chrome, tab: str) -> None:
    [found] = [
        each for each in page.find_elements(By.CSS_SELECTOR, "[role=tab]") if each.text == tab
    ]
    found.click()
    WebDriverWait(page, PATIENCE).until(lambda _: found.get_attribute("aria-selected") == "true")


def draw(page: Chrome, *names: str) -> None:
    for step, name in enumerate(names, start=1):
        square(page, name).click()
        until_labeled(page, f"{name}, {step}")


def choose(page: Chrome, field: str, value: str) -> None:
    page.find_element(By.CSS_SELECTOR, f"[role=combobox][aria-label='{field}']").click()
    option = (By.XPATH, f"//*[@role='option'][normalize-space()='{value}']")
    WebDriverWait(page, PATIENCE).until(element_to_be_clickable(option)).click()
    WebDriverWait(page, PATIENCE).until(invisibility_of_element_located(option))


def control(page: Chrome, key: str) -> None:
    ActionChains(page).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()


def test_solving_and_a_reason(opened: Opened) -> None:
    page = opened("?board=6x6&closed=true")
    go_to(page, "Solve")
    press(page, "Solve")
    assert "closed tour of 6x6, 36 squares" in until(page, "found: ")
    assert {each.split(", ")[1] for each in labels(page)} == {*map(str, range(1, 37))}
    assert not is_enabled(page, "Stop")
    assert not is_enabled(page, "Certificate")
    has_no_serious_violation(page)
    page = opened(f"?board={quote(CROSS)}")
    go_to(page, "Solve")
    press(page, "Solve")
    assert "14 components" in until(page, "impossible: ")
    assert label(page, "a7") == "a7, hole"
    assert is_enabled(page, "Certificate")
    has_no_serious_violation(page)


def until_puzzle(page: Chrome) -> None:
    """Wait until the puzzle player is there; before, the board of the page has the clues."""
    shown = (By.CSS_SELECTOR, ".puzzle-board [role=button]")
    WebDriverWait(page, PATIENCE).until(visibility_of_element_located(shown))


def test_a_new_puzzle_is_played_and_its_clues_stay(opened: Opened) -> None:
    page = opened("?board=5x5")
    go_to(page, "Puzzle")
    press(page, "New puzzle")
    until_puzzle(page)
    clues = [each for each in labels(page) if ", clue, " in each]
    for clue in clues:
        square(page, clue.split(",")[0]).click()
    assert [each for each in labels(page) if ", clue, " in each] == clues
    controls = page.find_elements(By.CSS_SELECTOR, ".controls :is(button, input)")
    keypad = page.find_elements(By.CSS_SELECTOR, ".keypad button")
    folded = page.find_elements(By.CSS_SELECTOR, "details button")
    shown = [each for each in controls if each.is_displayed()]
    assert len([each for each in shown if each not in (*keypad, *folded)]) <= 8
    filled = page.find_elements(By.CSS_SELECTOR, ".controls .filled:enabled")
    assert [each.text for each in filled if each.is_displayed()] == ["Check"]
    press(page, "Check", ".puzzle-panel")
    assert status(page).startswith("All right so far")
    press(page, "Hint", ".puzzle-panel")
    told = re.match(r"(\d+) is on (\w+): ", status(page))
    assert told
    square(page, told[2]).click()
    assert label(page, told[2]) == f"{told[2]}, {told[1]}"
    has_no_serious_violation(page)
    control(page, "z")
    assert label(page, told[2]) == f"{told[2]}, empty"
    until_in_address(page, "puzzle=1")
    page.refresh()
    until_connected(page)
    go_to(page, "Puzzle")
    until_puzzle(page)
    assert [each for each in labels(page) if ", clue, " in each] == clues


def test_a_race_opens_within_the_window_and_plays(opened: Opened) -> None:
    page = opened("?board=6x6")
    go_to(page, "Race")
    press(page, "Race")
    frame = (By.CSS_SELECTOR, "iframe[title='The race']")
    WebDriverWait(page, PATIENCE).until(visibility_of_element_located(frame))
    assert is_within_window(page, page.find_element(*frame))
    page.switch_to.frame(page.find_element(*frame))
    script = "return Number(document.getElementById('step').value) > 10"
    WebDriverWait(page, PATIENCE).until(lambda page: page.execute_script(script))
    boards = page.find_elements(By.CSS_SELECTOR, "section.run svg[role=img]")
    has_room = page.execute_script("return matchMedia('(width > 40rem)').matches")
    assert are_level(page, boards) is has_room, "they are side by side if there is room"
    for board in boards:
        assert is_within_window(page, board)
    page.switch_to.default_content()
    has_no_serious_violation(page)
    go_to(page, "Edit")
    until_labeled(page, "a1, empty")
    assert status(page) == "Open tour of 6x6, 36 squares."


def test_the_address_holds_the_path_and_is_opened_elsewhere(opened: Opened) -> None:
    page = opened("?board=5x5")
    draw(page, "a1", "b3", "d4")
    route = page.find_elements(By.CSS_SELECTOR, ".route li")
    assert [each.text for each in route] == ["a1", "b3", "d4"]
    until_in_address(page, "path=a1+b3+d4")
    query = urlsplit(page.current_url).query
    page.get("about:blank")
    page = opened(f"?{query}")
    assert (label(page, "a1"), label(page, "d4")) == ("a1, 1", "d4, 3")


def test_a_move_is_required_by_dragging(opened: Opened) -> None:
    page = opened("?board=3x4")
    choose(page, "A tap", "requires a move")
    ActionChains(page).drag_and_drop(square(page, "a3"), square(page, "c2")).perform()
    until_labeled(page, "a3, empty, required move to c2")
    until_in_address(page, "require%3A+a3-c2")


def test_by_keyboard_alone(opened: Opened) -> None:
    page = opened("?board=3x4")
    page.execute_script("document.querySelector('.squares [tabindex=\"0\"]').focus()")
    ActionChains(page).send_keys(Keys.ENTER).perform()
    until_labeled(page, "a3, 1")
    ActionChains(page).send_keys(
        Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER
    ).perform()
    until_labeled(page, "c2, 2")
    ActionChains(page).send_keys(Keys.END, Keys.ARROW_DOWN, "1", "2").perform()
    until_labeled(page, "d1, clue, 12, end")
    ActionChains(page).send_keys(Keys.DELETE).perform()
    until_labeled(page, "d1, empty")
    [hint] = [each for each in page.find_elements(By.TAG_NAME, "button") if each.text == "Hint"]
    for _ in range(40):
        if page.switch_to.active_element == hint:
            break
        ActionChains(page).send_keys(Keys.TAB).perform()
    ActionChains(page).send_keys(Keys.ENTER).perform()
    until(page, "hint: ")


def test_a_page_that_is_left_for_good_says_so(address: str, browser: Chrome) -> None:
    browser.get(f"{address}?board=3x4")
    until_connected(browser)
    script = """
        const sent = [];
        navigator.sendBeacon = (to) => sent.push(to);
        for (const persisted of [true, false])
          window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted }));
        return [sent, `/leave/${window.clientId}`];"""
    sent, told = browser.execute_script(script)
    assert sent == [told]  # by a page that the browser does not keep
    request = urllib.request.Request(f"{address}leave/nobody", method="POST")
    assert urllib.request.urlopen(request).status == 200


@pytest.mark.parametrize("header", ["Host", "Origin"])
def test_other_pages_are_refused(address: str, header: str) -> None:
    request = urllib.request.Request(address, headers={header: "http://evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)
    request = urllib.request.Request(address, headers={"Origin": address.rstrip("/")})
    assert urllib.request.urlopen(request).status == 200
