"""Helpers of tests of pages: the data in a page, and the type of what opens one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

Opener = Callable[[str], "Chrome"]

# The graph of the textbook's figure of depth-first search, as `kt replay --graph` takes it.
FIGURE = "7,0 1,0 2,1 3,3 0,3 4,1 4,2 4,5 6,6 5,5 2,0 4,6 6"


def data_of(page: str) -> dict[str, Any]:
    """Return the JSON object in a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    content = json.loads(found[1])
    assert isinstance(content, dict)
    return content
