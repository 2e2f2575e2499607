"""One self-contained HTML page: template, style, scripts and data, put together when written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template


def page(title: str, summary: str, scripts: Sequence[str], data: object) -> str:
    """Return a page that needs nothing else: no network, no other file.

    ``scripts`` are names of files beside the template; the last one finds ``data`` in the page.
    """
    return Template(_asset("page.html")).substitute(
        title=escape(title),
        summary=escape(summary),
        style=_asset("page.css"),
        data=_embedded(data),
        script="\n".join(map(_asset, scripts)),
    )


def _asset(name: str) -> str:
    return files("kt_cp.draw").joinpath("pages", name).read_text(encoding="utf-8").strip()


def _embedded(data: object) -> str:
    r"""Write JSON that no text in it can end early: in a script, ``<`` alone could.

    >>> _embedded("</script>")
    '"\\u003c/script>"'
    """
    return json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")
