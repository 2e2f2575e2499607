"""The page of a comparison on a phone."""

import pytest

pytest.importorskip("selenium")
from kt_cp.compare.report import page_html
from kt_cp.compare.results import Results
from tests.helpers.logs import nasty_log
from tests.helpers.pages import Opener


def test_the_page_is_no_wider_than_a_phone(opened: Opener) -> None:
    page = opened(page_html(Results.of(nasty_log("open"))))
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True},
    )
    for folded in (True, False):
        if not folded:
            page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.execute_script("return document.documentElement.scrollWidth") == 360
