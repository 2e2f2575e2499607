"""Lines of code that are wrapped on a narrow page keep their indentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

from pygments.formatters import HtmlFormatter
from sphinx.highlighting import PygmentsBridge

_FURTHER = 4  # characters by which the second row of a line is indented further than the first
_BEGIN = re.compile(r"(?:>>> |\.\.\. |\$ )? *")  # the prompt and the indentation of a line
_TAG = re.compile(r"<[^>]*>")

_Lines = Iterable[tuple[int, str]]  # 1 and a line of code, or 0 and what is around the lines


class LineFormatter(HtmlFormatter[str]):
    """Makes an element of each line, whose rows are indented further below the first."""

    def wrap(self, source: _Lines) -> Iterator[tuple[int, str]]:
        """Yield the lines, each within its element, and what is around them."""
        return super().wrap(_hanging(source))  # type: ignore[no-any-return, no-untyped-call]


def _hanging(source: _Lines) -> Iterator[tuple[int, str]]:
    for is_code, line in source:
        if not is_code:
            yield is_code, line
            continue
        begin = _BEGIN.match(unescape(_TAG.sub("", line)))
        assert begin is not None  # it matches the empty text
        style = f"padding-left:{begin.end() + _FURTHER}ch;text-indent:-{begin.end() + _FURTHER}ch"
        yield is_code, f'<span class="line" style="{style}">{line}</span>'


def setup(app: Any) -> dict[str, bool]:
    """Let Sphinx highlight code with these lines."""
    PygmentsBridge.html_formatter = LineFormatter
    return {"parallel_read_safe": True, "parallel_write_safe": True}
