"""Make the pictures of the playground for the README and its guide, by a browser that plays it.

``python scripts/playground.py`` starts ``kt play`` in headless Chromium. It lets depth-first search
and the circuit race, stops after a number of steps, and writes the two boards with their counts:
``.images/playground.png`` and ``.images/playground-dark.png``. Then it solves a board with holes
and writes the whole page: ``.images/playground-page.png`` and ``.images/playground-page-dark.png``.
It needs the extra ``ci``, and chromium with chromedriver.
"""

from __future__ import annotations

import argparse
import base64
import io
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import (
    element_to_be_clickable,
    frame_to_be_available_and_switch_to_it,
)
from selenium.webdriver.support.wait import WebDriverWait

IMAGES = Path(__file__).parents[1] / ".images"
THEMES = {"light": "", "dark": "-dark"}
"""The themes, and what they add to the names of pictures."""

BOARD = "6x6"
STEP = 1000
"""The step of the race that the pictures show."""

MAP = """\
; kind: closed
..####..
........
........
........
........
........
........
........
"""
"""The board that is solved."""

_WIDTH, _HEIGHT = 690, 900  # of the page, in pixels: just wide enough for boards side by side
_PAGE_WIDTH, _PAGE_HEIGHT = 1120, 640  # of the page with a solved board
_PAGE_SHOWN = 550  # of its height, below which nothing is shown
_SCALE = 2  # pixels of the picture for each pixel of the page
_MARGIN = 4  # pixels beside and below the boards
_COLORS = 32  # of the picture, which has few
_PATIENCE = 90  # seconds to wait for a state of the page

_SHOW_STEP = """
const play = document.getElementById("play");
if (play.textContent.includes("pause")) play.click();
const slider = document.getElementById("step");
slider.value = arguments[0];
slider.dispatchEvent(new Event("input"));
document.getElementById("controls").style.border = "none";  // which would be just above the picture
"""
_BOX = """
const shown = [...document.querySelectorAll(".run h2, .run svg[role=img]")];
const boxes = shown.map((each) => each.getBoundingClientRect());
const left = Math.min(...boxes.map((box) => box.left));
const top = Math.min(...boxes.map((box) => box.top));
const right = Math.max(...boxes.map((box) => box.right));
const bottom = Math.max(...boxes.map((box) => box.bottom));
return [left, top, right - left, bottom - top];
"""


@contextmanager
def playground() -> Iterator[str]:
    """Serve a playground while the context lasts, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kt_cp", "play", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        server.stderr.readline()  # it is told once the server listens
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()


@contextmanager
def browser() -> Iterator[Chrome]:
    """Start a browser without a window, and end it with the context."""
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(flag)
    page = Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield page
    finally:
        page.quit()


def open_race(page: Chrome, address: str) -> dict[str, float]:
    """Run the race in the playground, and return where its boards and counts are on the page."""
    wait = WebDriverWait(page, _PATIENCE)
    page.get(f"{address}?board={BOARD}")
    for control in ("//*[@role='tab'][contains(., 'Race')]", "//button[contains(., 'Race')]"):
        wait.until(element_to_be_clickable((By.XPATH, control))).click()
    frame = (By.CSS_SELECTOR, "iframe[title='The race']")
    wait.until(lambda page: page.find_element(*frame).rect["width"] > _WIDTH / 2)
    wait.until(frame_to_be_available_and_switch_to_it(frame))
    wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, ".run svg[role=img]"))
    page.execute_script(_SHOW_STEP, STEP)
    left, top, width, height = page.execute_script(_BOX)
    page.switch_to.default_content()
    corner = page.find_element(*frame).rect
    return {
        "x": corner["x"] + left - _MARGIN,
        "y": corner["y"] + top,
        "width": width + 2 * _MARGIN,
        "height": height + _MARGIN,
        "scale": 1,
    }


def open_solution(page: Chrome, address: str) -> dict[str, float]:
    """Solve a board in the playground, open the tab for edits, and return the place of the page."""
    wait = WebDriverWait(page, _PATIENCE)
    page.get(f"{address}?{urlencode({'board': MAP})}")
    for control in ("//*[@role='tab'][contains(., 'Solve')]", "//button[contains(., 'Solve')]"):
        wait.until(element_to_be_clickable((By.XPATH, control))).click()
    found = "return document.body.textContent.includes('found: closed tour')"
    wait.until(lambda page: page.execute_script(found))
    edit = (By.XPATH, "//*[@role='tab'][contains(., 'Edit')]")
    wait.until(element_to_be_clickable(edit)).click()
    return {"x": 0, "y": 0, "width": _PAGE_WIDTH, "height": _PAGE_SHOWN, "scale": 1}


def use_window(page: Chrome, width: int, height: int) -> None:
    """Show the page in a window of this size, in pixels of the page."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": _SCALE, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def write_pictures(page: Chrome, clip: dict[str, float], name: str) -> None:
    """Write a part of the page as a picture in each theme."""
    for theme, suffix in THEMES.items():
        file = IMAGES / f"{name}{suffix}.png"
        photograph(page, clip, theme).save(file, optimize=True)
        print(f"{file.name}: {file.stat().st_size / 1024:.0f} KiB", file=sys.stderr)


def photograph(page: Chrome, clip: dict[str, float], theme: str) -> Image.Image:
    """Return a part of the page as a picture, in a theme."""
    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    still = "return document.getAnimations().length === 0"
    WebDriverWait(page, _PATIENCE).until(lambda page: page.execute_script(still))
    answer = page.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
    png = base64.b64decode(answer["data"])
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLORS)
    # The page on which the picture stands shows through its ground, which is at its corner.
    picture.info["transparency"] = picture.getpixel((0, 0))
    return picture


def main() -> int:
    """Make the pictures."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    with playground() as address, browser() as page:
        use_window(page, _WIDTH, _HEIGHT)
        write_pictures(page, open_race(page, address), "playground")
        use_window(page, _PAGE_WIDTH, _PAGE_HEIGHT)
        write_pictures(page, open_solution(page, address), "playground-page")
    return 0


if __name__ == "__main__":
    sys.exit(main())
