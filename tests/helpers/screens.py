"""What tests of pages in a browser share: screens, squares by their names, and what axe finds."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

PHONE, DESKTOP = 390, 1440

PATIENCE = 90
"""The seconds to wait for a state of a page on the slowest machine; what never comes fails."""


def use_screen(page: Chrome, width: int, dark: bool = False) -> None:
    """Show pages as on a screen of this width; a narrow one is touched."""
    is_phone = width < 500
    metrics = {
        "width": width,
        "height": 844 if is_phone else 900,
        "deviceScaleFactor": 1,
        "mobile": is_phone,
    }
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_phone})
    theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [theme]})


def use_usual_screen(page: Chrome) -> None:
    """Undo `use_screen`."""
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def square(page: Chrome, name: str) -> WebElement:
    """Return the control whose accessible name begins with the name of a square."""
    script = (
        "return [...document.querySelectorAll(arguments[0])]"
        ".filter((each) => each.getClientRects().length)"
    )
    controls = f':is(button, [role=button])[aria-label^="{name},"]'
    [found] = page.execute_script(script, controls)
    assert isinstance(found, WebElement)
    return found


def touch(page: Chrome, element: WebElement, left: float = 0, top: float = 0) -> None:
    """Tap the middle of an element with a finger.

    In a frame, whose own page measures the element, ``left`` and ``top`` are the frame's place.
    """
    script = (
        "const {x, y, width, height} = arguments[0].getBoundingClientRect();"
        "return {x: x + width / 2 + arguments[1], y: y + height / 2 + arguments[2]}"
    )
    finger = page.execute_script(script, element, left, top)
    for kind, points in (("touchStart", [finger]), ("touchEnd", [])):
        event = {"type": kind, "touchPoints": points}
        page.execute_cdp_cmd("Input.dispatchTouchEvent", event)


def send(page: Chrome, *keys: str) -> None:
    """Press keys of the keyboard."""
    ActionChains(page).send_keys(*keys).perform()


def status(page: Chrome) -> str:
    """Return the status that is displayed; all are read at one moment, as one replaces another."""
    script = """
        return [...document.querySelectorAll('[role=status]')]
          .filter((each) => each.getClientRects().length)
          .map((each) => each.innerText)"""
    texts: list[str] = page.execute_script(script)
    return texts[0] if len(texts) == 1 else ""


def label(page: Chrome, name: str) -> str:
    """Return the accessible name of a square."""
    return square(page, name).get_attribute("aria-label") or ""


def labels(page: Chrome) -> list[str]:
    """Return the accessible names of all squares."""
    script = (
        "return [...document.querySelectorAll(':is(button, [role=button])[aria-label]')]"
        ".filter((each) => each.getClientRects().length)"
        ".map((each) => each.getAttribute('aria-label'))"
        ".filter((name) => /^[a-z]+[0-9]+, /.test(name))"
    )
    return [str(name) for name in page.execute_script(script)]


def until_labeled(page: Chrome, wanted: str) -> None:
    """Wait until a square has this accessible name."""
    WebDriverWait(page, PATIENCE).until(lambda page: wanted in labels(page), wanted)


def are_level(page: Chrome, elements: Sequence[WebElement]) -> bool:
    """Return whether the top edges of elements are at one height.

    They are measured in one script, since a page that plays moves between two questions.
    """
    script = "return arguments[0].map((element) => element.getBoundingClientRect().top)"
    heights: list[float] = page.execute_script(script, list(elements))
    return max(heights) - min(heights) < 0.5


def is_within_window(page: Chrome, element: WebElement) -> bool:
    """Return whether the whole of an element is seen without scrolling."""
    script = (
        "const box = arguments[0].getBoundingClientRect();"
        "return box.top >= 0 && box.bottom <= innerHeight"
        " && box.left >= 0 && box.right <= innerWidth"
    )
    return bool(page.execute_script(script, element))


def has_no_violation(page: Chrome, allowed: str = "") -> None:
    """Fail if axe finds anything on the page but of a level that is allowed."""
    pytest.importorskip("axe_core_python")
    page.execute_script(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
    still = "return document.getAnimations().length === 0"
    WebDriverWait(page, PATIENCE).until(lambda page: page.execute_script(still))
    page.set_script_timeout(PATIENCE)
    found = page.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    serious = [each for each in found["violations"] if each["impact"] != allowed]
    told = [(each["help"], [node["html"] for node in each["nodes"]][:3]) for each in serious]
    assert told == [], told
