"""The playground in a real browser: by mouse and by keyboard alone, wide and narrow."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from importlib.resources import files
from urllib.parse import quote, urlsplit

import pytest

pytest.importorskip("nicegui")
pytest.importorskip("selenium")
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

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
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/"
    server.terminate()
    server.wait(30)


@pytest.fixture(params=[1440, 360])
def opened(browser: Chrome, address: str, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """Open the page; then no message is in the console, and nothing was asked from elsewhere."""
    width = request.param
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    theme = {"name": "prefers-color-scheme", "value": "dark" if width < 500 else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [theme]})

    def open_page(query: str) -> Chrome:
        browser.get(address + query)
        squares = (By.CSS_SELECTOR, ".squares button")
        WebDriverWait(browser, 30).until(lambda page: page.find_elements(*squares))
        wide = "return document.documentElement.scrollWidth <= innerWidth"
        assert browser.execute_script(wide), "nothing is beyond the edge"
        return browser

    yield open_page
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    log = [json.loads(each["message"])["message"] for each in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    asked = [each["params"].get("request", {}).get("url", "") for each in log]
    hosts = {urlsplit(url).hostname for url in asked if url.startswith(("http", "ws"))}
    assert hosts <= {"127.0.0.1"}


def until(page: Chrome, begins: str) -> str:
    status = page.find_element(By.CSS_SELECTOR, "[role=status]")
    WebDriverWait(page, 60).until(lambda _: status.text.startswith(begins), begins)
    return status.text


def press(page: Chrome, name: str) -> None:
    [button] = page.find_elements(By.XPATH, f"//button[normalize-space()='{name}']")
    button.click()


def square(page: Chrome, name: str) -> WebElement:
    return page.find_element(By.CSS_SELECTOR, f'.squares button[aria-label^="{name},"]')


def is_labeled(page: Chrome, label: str) -> None:
    squares = (By.CSS_SELECTOR, f'.squares button[aria-label="{label}"]')
    WebDriverWait(page, 20).until(lambda page: page.find_elements(*squares), label)


def has_no_serious_violation(page: Chrome) -> None:
    pytest.importorskip("axe_core_python")
    page.execute_script(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    assert [each["help"] for each in found["violations"] if each["impact"] != "moderate"] == []


def test_solving_and_a_reason(opened: Opened) -> None:
    page = opened("?board=6x6&closed=true")
    press(page, "Solve")
    assert "closed tour of 6x6, 36 squares" in until(page, "found: ")
    has_no_serious_violation(page)
    page = opened(f"?board={quote(CROSS)}")
    press(page, "Solve")
    assert "14 components" in until(page, "impossible: ")
    is_labeled(page, "a7, hole")
    has_no_serious_violation(page)


def test_playing_checking_and_watching(opened: Opened) -> None:
    page = opened("?board=3x4")
    for step, name in enumerate(["a3", "c2", "a1"], start=1):
        square(page, name).click()
        is_labeled(page, f"{name}, step {step}")
    press(page, "Still possible?")
    until(page, "possible: ")
    page.find_element(By.CSS_SELECTOR, "textarea[aria-label=Path]").send_keys("a1 b3 c2")
    press(page, "Check")
    until(page, "not a tour: ")
    press(page, "Watch")
    until(page, "found: open tour of 3x4")
    frame = page.find_element(By.CSS_SELECTOR, "iframe[title='Two searches']")
    page.switch_to.frame(frame)
    page.find_element(By.ID, "forward").click()
    assert page.find_element(By.ID, "status").text.startswith("Step 1 of ")
    page.switch_to.default_content()
    has_no_serious_violation(page)


def test_names_that_scripts_rely_on_and_addresses_that_are_refused(opened: Opened) -> None:
    page = opened(f"?board={quote('<b>bold</b>')}")
    assert until(page, "board '<b>bold</b>': give both sides")
    assert not page.find_elements(By.XPATH, "//b[text()='bold']")
    opened(f"?board={quote('/etc/passwd')}")
    until(page, "board '/etc/passwd': give both sides")
    opened("?board=400x400")
    until(page, "a board here has at most 20 rows and columns")
    controls = "button, input, textarea, [role=checkbox]"
    names = {each.accessible_name for each in page.find_elements(By.CSS_SELECTOR, controls)}
    wanted = "Solve Stop Another Undo Redo Check Hint Watch Rows Columns Closed Path"
    assert names >= {*wanted.split(), "a6, empty"}
    assert len(page.find_elements(By.CSS_SELECTOR, "[role=status]")) == 1


def test_a_move_is_required_by_dragging(opened: Opened) -> None:
    page = opened("?board=3x4")
    page.find_element(By.XPATH, "//*[@role='radio'][@aria-label='Require a move']").click()
    ActionChains(page).drag_and_drop(square(page, "a3"), square(page, "c2")).perform()
    is_labeled(page, "a3, required move to c2")
    assert "require%3A+a3-c2" in page.current_url


def test_by_keyboard_alone(opened: Opened) -> None:
    page = opened("?board=3x4")
    page.execute_script("document.querySelector('.squares [tabindex=\"0\"]').focus()")
    keys = ActionChains(page)
    keys.send_keys(Keys.ENTER).pause(0.5)  # a3
    keys.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER).pause(0.5)  # c2
    keys.send_keys(Keys.END, Keys.ARROW_DOWN, "1", "2").perform()  # d1
    is_labeled(page, "c2, step 2")
    is_labeled(page, "d1, step 12, end")
    ActionChains(page).send_keys(Keys.DELETE).perform()
    is_labeled(page, "d1, empty")
    [solve] = page.find_elements(By.XPATH, "//button[normalize-space()='Solve']")
    for _ in range(40):
        if page.switch_to.active_element == solve:
            break
        ActionChains(page).send_keys(Keys.TAB).perform()
    ActionChains(page).send_keys(Keys.ENTER).perform()
    until(page, "found: ")


@pytest.mark.parametrize("header", ["Host", "Origin"])
def test_other_pages_are_refused(address: str, header: str) -> None:
    request = urllib.request.Request(address, headers={header: "http://evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)
    request = urllib.request.Request(address, headers={"Origin": address.rstrip("/")})
    assert urllib.request.urlopen(request).status == 200
