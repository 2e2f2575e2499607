"""Make the README's pictures of a race in the playground, by a browser that plays it.

``python scripts/playground.py`` starts ``kt play``, lets depth-first search and the circuit race in
headless Chromium, stops after a number of steps, and writes the two boards with their counts:
``.images/playground.png`` and ``.images/playground-dark.png``. It needs the extra ``ci``, and
chromium with chromedriver.
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
THEMES = {"light": "playground.png", "dark": "playground-dark.png"}

BOARD = "6x6"
STEP = 1000
"""The step of the race that the pictures show."""

_WIDTH, _HEIGHT = 690, 900  # of the page, in pixels: just wide enough for boards side by side
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


def photograph(page: Chrome, clip: dict[str, float], theme: str) -> Image.Image:
    """Return a part of the page as a picture, in a theme."""
    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
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
        metrics = {"width": _WIDTH, "height": _HEIGHT, "deviceScaleFactor": _SCALE, "mobile": False}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        clip = open_race(page, address)
        for theme, name in THEMES.items():
            photograph(page, clip, theme).save(IMAGES / name, optimize=True)
            print(f"{name}: {(IMAGES / name).stat().st_size / 1024:.0f} KiB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
