"""The replay pages in a real browser, by mouse and by keyboard alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("selenium")
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.draw.look import Look
from kt_cp.draw.output import page_of
from kt_cp.draw.replays import graph_page, record_search, replay_page, tour_page
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour
from kt_dfs import DFSGraph
from kt_dfs.graph import parse_graph
from tests.helpers.pages import FIGURE, Opener
from tests.helpers.pictures import OPEN_3X4, broken
from tests.helpers.screens import (
    PATIENCE,
    PHONE,
    are_level,
    has_no_violation,
    is_within_window,
    use_screen,
    use_usual_screen,
)

Page = webdriver.Chrome


@pytest.fixture
def opened(browser: Page, tmp_path: Path) -> Iterator[Opener]:
    """Open a page at its first step, where it does not play; the console must stay empty."""

    def open_page(content: str) -> Page:
        (tmp_path / "page.html").write_text(content)
        browser.get("about:blank")
        browser.get((tmp_path / "page.html").as_uri() + "#0")
        return browser

    browser.set_window_size(1280, 900)
    yield open_page
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def searched_graph(text: str) -> DFSGraph[str | int]:
    graph = parse_graph(text)
    graph.dfs()
    return graph


def dfs_page(most: int = 2000, *others: str) -> str:
    instance = Instance(Board(6, 6), start=0)
    return replay_page(instance, [record_search(instance, m, most) for m in ("dfs", *others)])


def status(page: Page) -> str:
    return page.find_element(By.ID, "status").text


def step(page: Page) -> int:
    found = re.match(r"Step ([\d,]+) of [\d,]+: ", status(page))
    assert found
    return int(found[1].replace(",", ""))


def rate(page: Page) -> int:
    return int(page.find_element(By.ID, "rate").text.split()[0])


def press(page: Page, *keys: str) -> None:
    ActionChains(page).send_keys(*keys).perform()


def click(page: Page, name: str) -> None:
    page.find_element(By.ID, name).click()


def scrub(page: Page, to: int) -> None:
    page.execute_script(
        "const slider = document.getElementById('step'); slider.value = arguments[0];"
        "slider.dispatchEvent(new Event('input'))",
        to,
    )


def texts(page: Page, selector: str) -> list[str]:
    """Read many texts in one go: one by one takes seconds."""
    script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"
    found = page.execute_script(script, selector)
    assert isinstance(found, list)
    return found


def facts(page: Page, run: int = 0) -> dict[str, int]:
    names = texts(page, "dl dt")
    values = [int(text.replace(",", "")) for text in texts(page, "dl dd")]
    each = len(names) // count(page, "dl")
    here = slice(run * each, (run + 1) * each)
    return dict(zip(names[here], values[here], strict=True))


def count(page: Page, selector: str) -> int:
    return len(page.find_elements(By.CSS_SELECTOR, selector))


def stack(page: Page) -> list[str]:
    return texts(page, "ol.stack li")


def test_the_page_works_by_keyboard_alone(opened: Opener) -> None:
    page = opened(dfs_page())
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert step(page) == 2
    press(page, Keys.PAGE_DOWN)
    assert step(page) == 22
    press(page, Keys.PAGE_UP, Keys.END)
    assert step(page) == 2000
    press(page, Keys.HOME)
    assert step(page) == 0
    assert not page.find_element(By.ID, "back").is_enabled()
    usual = rate(page)
    press(page, "+")
    assert rate(page) > usual
    press(page, "-", " ")  # at the usual rate it plays long enough to be stopped
    assert rate(page) == usual
    WebDriverWait(page, PATIENCE).until(lambda page: step(page) > 2)
    press(page, " ")
    assert page.find_element(By.ID, "play").text.endswith("play")
    here = step(page)
    press(page, Keys.ARROW_RIGHT)
    assert step(page) == here + 1
    reached = []
    press(page, Keys.HOME)
    for _ in range(8):
        press(page, Keys.TAB)
        focused = page.switch_to.active_element
        reached.append(focused.get_attribute("id") or focused.tag_name)
    assert {"play", "forward", "last", "step", "speed"} <= set(reached)
    page.find_element(By.ID, "forward").send_keys(Keys.SPACE)  # presses it, and does not play
    assert step(page) == 1
    page.find_element(By.ID, "step").send_keys(Keys.ARROW_RIGHT)
    assert step(page) == 2


@pytest.mark.parametrize("width", [PHONE, 1440])
def test_a_race_plays_at_once_with_both_boards_in_sight(
    browser: Page, tmp_path: Path, width: int
) -> None:
    (tmp_path / "page.html").write_text(dfs_page(2000, "circuit"))
    use_screen(browser, width, dark=width == PHONE)
    browser.get((tmp_path / "page.html").as_uri())
    WebDriverWait(browser, PATIENCE).until(lambda page: step(page) > 5)
    boards = browser.find_elements(By.CSS_SELECTOR, "section.run svg[role=img]")
    assert are_level(browser, boards) is (width > PHONE)
    for element in (*boards, browser.find_element(By.ID, "status")):
        assert is_within_window(browser, element)
    if width == PHONE:
        rows = {browser.find_element(By.ID, name).rect["y"] for name in ("back", "play", "forward")}
        assert len(rows) == 1
        assert not browser.find_element(By.ID, "last").is_displayed()
        more, back = (browser.find_element(By.CSS_SELECTOR, s) for s in (".more-toggle", "#back"))
        assert more.rect["height"] == back.rect["height"], "a switch like a button"
        click(browser, "more")
    assert browser.find_element(By.ID, "rate").text == "20 steps a second"
    click(browser, "last")
    [counter] = texts(browser, ".counter")  # a model never backtracks
    assert int(counter.removesuffix(" backtracks").replace(",", "")) > 500
    assert status(browser).startswith("Step 2,000 of 2,000: circuit found a tour, after ")
    assert status(browser).endswith("; dfs had no tour after 2,000 steps.")
    assert texts(browser, ".about")[0].startswith("Depth-first search, squares in ")
    told = "const { scrollHeight, clientHeight } = document.getElementById('status');"
    assert browser.execute_script(f"{told} return scrollHeight <= clientHeight")
    assert count(browser, ".joined.cycle-tour") == 1
    assert status(browser).count(":") == 1
    assert not browser.find_element(By.CSS_SELECTOR, "ol.stack").is_displayed()
    has_no_violation(browser)
    open_stacks = "for (const each of document.querySelectorAll('.run details')) each.open = true;"
    width_of_page = "return document.documentElement.scrollWidth <= innerWidth"
    assert browser.execute_script(open_stacks + width_of_page)
    use_usual_screen(browser)


def test_a_race_pauses_when_the_first_run_ends_and_can_go_on(opened: Opener) -> None:
    page = opened(dfs_page(2000, "warnsdorff"))
    scrub(page, 30)
    click(page, "play")
    until = WebDriverWait(page, PATIENCE).until
    until(lambda page: page.find_element(By.ID, "play").text == "▶ play")
    assert step(page) == 36
    assert status(page).endswith("; warnsdorff found a tour at step 36.")
    click(page, "play")
    until(lambda page: step(page) > 40)
    press(page, Keys.END)
    told = "warnsdorff found a tour at step 36; dfs had no tour after 2,000 steps."
    assert status(page).endswith(told)


@pytest.mark.parametrize("name", ["graph", "tour"])
def test_a_picture_fits_the_window(opened: Opener, name: str) -> None:
    graph = searched_graph(FIGURE)
    page = opened(graph_page(graph) if name == "graph" else tour_page(Tour(Board(3, 4), OPEN_3X4)))
    use_screen(page, 1440)
    [picture, *_] = page.find_elements(By.CSS_SELECTOR, ".picture > svg")
    assert is_within_window(page, picture)
    use_usual_screen(page)


def test_a_walk_speaks_of_squares_and_not_of_a_search(opened: Opener) -> None:
    page = opened(tour_page(Tour(Board(3, 4), OPEN_3X4), Look(first=0)))
    scrub(page, 5)
    assert status(page) == "Step 5 of 12: d2 is visited."
    assert facts(page) == {"visited": 5, "left": 7}
    assert stack(page)[0] == "4. d2"
    assert sorted(texts(page, ".square-step")) == [*[""] * 7, *"01234"]
    scrub(page, 12)
    assert status(page) == "Step 12 of 12: d1 is visited. Every square is visited."
    shown = page.find_element(By.TAG_NAME, "body").text.lower()
    assert not re.search("call|stack|depth|backtrack", shown)


def test_a_graph_is_replayed_with_colors_times_and_kinds_of_edges(opened: Opener) -> None:
    graph = searched_graph(FIGURE)
    page = opened(graph_page(graph))
    assert (count(page, ".vertex.white"), count(page, ".picture > svg .edge.tree")) == (7, 0)
    assert texts(page, ".parentheses") == ["–"]
    press(page, Keys.ARROW_RIGHT)
    assert count(page, ".vertex.gray") == 1
    assert status(page) == "Step 1 of 26: discovers 0 at time 1; it turns gray."
    assert page.find_element(By.CSS_SELECTOR, ".times").text == "1/"
    press(page, Keys.ARROW_RIGHT)
    assert status(page).endswith("examines 0 → 1: a tree edge, because 1 is white.")
    press(page, Keys.END)
    assert count(page, ".vertex.black") == 7
    kinds = [kind.value for kind in graph.edge_kinds().values()]
    for kind in ("tree", "back", "forward", "cross"):
        drawn = page.find_elements(By.CSS_SELECTOR, f".picture > svg .edge.{kind}")
        assert len(drawn) == kinds.count(kind) == facts(page)[kind]
    assert texts(page, ".picture .times") == [
        f"{vertex.discovery}/{vertex.finish}" for vertex in graph
    ]
    written = page.find_element(By.CSS_SELECTOR, ".parentheses").text
    assert written == "(0 (1 (3 (4 4) 3) 1) (2 2) 0) (5 (6 6) 5)"
    assert count(page, ".bar.closed") == 7
    assert texts(page, ".vertex .label") == [str(vertex.key) for vertex in graph]
    press(page, Keys.HOME)
    assert texts(page, ".parentheses") == ["–"]


@pytest.mark.parametrize("width", [PHONE, 1440])
def test_pages_without_scripts_have_no_violation_and_point_out_faults(
    browser: Page, tmp_path: Path, width: int
) -> None:
    use_screen(browser, width, dark=width == PHONE)
    report = broken()
    for value in (report, solve("4x6", closed=True, certificate=True).certificate):
        (tmp_path / "page.html").write_text(page_of(value))
        browser.get((tmp_path / "page.html").as_uri())
        has_no_violation(browser)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        if value is report:
            link = browser.find_elements(By.CSS_SELECTOR, ".faults a")[2]
            link.click()
            [spot] = shown_spots(browser)
            assert str(link.get_attribute("href")).endswith(f"#{spot.get_attribute('id')}")
    use_usual_screen(browser)


def shown_spots(page: Page) -> list[WebElement]:
    return [each for each in page.find_elements(By.CSS_SELECTOR, ".spot") if each.is_displayed()]


def test_a_page_that_fails_says_so_instead_of_staying_blank(browser: Page, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(graph_page(searched_graph("A B,B C")).replace('"from":0', '"from":7'))
    browser.get(file.as_uri())
    assert status(browser).startswith("This page cannot be shown: ")
    assert browser.get_log("browser") != []  # type: ignore[no-untyped-call]
