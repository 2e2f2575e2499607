"""Settings of Hypothesis (few examples by default), a clean environment, and a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.helpers.pages import Opener

# What the commands look at: a developer's terminal and debugging change no test.
for _name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "KT_DEBUG", "_KT_COMPLETE"):
    os.environ.pop(_name, None)

# The same commit gives the same answer: only the profile ``fresh`` draws new examples at each run.
settings.register_profile("quick", max_examples=8, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=60, deadline=None, derandomize=True)
settings.register_profile("fresh", max_examples=200, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Headless Chromium, which reaches nothing but this machine."""
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        reason = "needs Chromium and its driver: apt-get install chromium chromium-driver"
        if os.environ.get("KT_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.chrome.service.Service(driver)
    page = webdriver.Chrome(options=options, service=service)
    yield page
    page.quit()


@pytest.fixture
def opened(browser: Chrome, tmp_path: Path) -> Iterator[Opener]:
    """Open a page; whatever the test does to it, the console must stay empty."""

    def open_page(content: str) -> Chrome:
        file = tmp_path / "page.html"
        file.write_text(content, "utf-8")
        browser.get(file.as_uri())
        return browser

    browser.set_window_size(1280, 900)
    yield open_page
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
