"""A comparison as one page of HTML that stands alone: findings, plots, tables, how to repeat it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from html import escape
from importlib.util import find_spec

from kt_cp.compare.log import Log
from kt_cp.compare.plots import Plot, all_plots, render
from kt_cp.compare.records import RunStatus
from kt_cp.compare.tables import TextTable, aligned, all_tables, notes, summary
from kt_cp.errors import pluralize

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Knight's tours: methods compared</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; border-bottom: 1px solid #8886; text-align: right; }
td { white-space: pre; overflow-wrap: normal; }
th { border-bottom: 2px solid; vertical-align: bottom; overflow-wrap: normal; }
.word { text-align: left; }
.wide { overflow-x: auto; }
.findings { font-size: 1.2rem; padding-left: 1.2rem; }
summary { font-size: 1.2rem; font-weight: bold; margin: .5rem 0; cursor: pointer; }
figure { margin: 2rem 0; }
figure svg { display: block; min-width: 34rem; max-width: 100%; height: auto; background: #fff; }
pre { background: #8882; padding: .7rem; white-space: pre-wrap; }
</style>
</head>
<body>
<h1>Knight's tours: methods compared</h1>"""

# As wide as a point and as a digit; they are kept where a browser drops other blanks.
_POINT, _DIGIT = "\u2008", "\u2007"


class _Html(str):
    """Text that is HTML already; all other text is escaped by `_tag`."""


def _tag(name: str, *inner: str, **attributes: str) -> _Html:
    opened = name + "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    content = (each if isinstance(each, _Html) else escape(each) for each in inner)
    return _Html(f"<{opened}>{''.join(content)}</{name}>")


def write_page(log: Log) -> str:
    """Return the page; without matplotlib, one line stands in place of the plots."""
    return "\n".join([_HEAD, *_lines(log), "</body>\n</html>\n"])


def log_html(log: Log) -> str:
    """Return the findings and the tables, as HTML for a notebook."""
    return "\n".join([_list("findings", summary(log)), *_tables(log), _list("notes", notes(log))])


def _lines(log: Log) -> Iterator[str]:
    yield _list("findings", summary(log))
    if find_spec("matplotlib"):
        yield from (_figure(plot, number) for number, plot in enumerate(all_plots(log), start=1))
    else:
        yield _tag("p", "The plots need matplotlib: pip install 'knights-tours[plot]'")
    yield from _tables(log)
    yield _tag("h2", "How to read this") + _list("notes", notes(log))
    yield from _settings(log)
    yield from _reasons(log)


def _list(name: str, lines: Iterable[str]) -> _Html:
    return _tag("ul", *(_tag("li", line) for line in lines), **{"class": name})


def _tables(log: Log) -> Iterator[_Html]:
    """Yield the tables, folded."""
    for table in all_tables(log):
        yield _tag("details", _tag("summary", table.title), _table(table))


def _table(table: TextTable) -> _Html:
    columns = [
        cells if place < table.labels else aligned(cells, _POINT, _DIGIT)
        for place, cells in enumerate(zip(*table.rows, strict=True))
    ]
    head = _row(table, table.columns, "th")
    body = (_row(table, cells, "td") for cells in zip(*columns, strict=True))
    inner = _tag("table", _tag("thead", head), _tag("tbody", *body))
    return _tag("div", inner, **{"class": "wide"})


def _row(table: TextTable, cells: Iterable[str], tag: str) -> _Html:
    words = {"class": "word"}
    return _tag(
        "tr",
        *(
            _tag(tag, cell, **words if place < table.labels else {})
            for place, cell in enumerate(cells)
        ),
    )


def _figure(plot: Plot, number: int) -> _Html:
    """Return a plot as an SVG element, its ids made different from those of the other plots."""
    svg = render(plot.figure, "svg").decode()
    svg = svg[svg.index("<svg") :]
    for before in (' id="', "url(#", 'href="#'):
        svg = svg.replace(before, f"{before}plot{number}-")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    wide = _tag("div", _Html(svg), **{"class": "wide"})
    return _tag("figure", wide, _tag("figcaption", plot.caption))


def _settings(log: Log) -> Iterator[_Html]:
    command = shlex.join([*log.settings.command(), "--out", "runs.jsonl"])
    yield _tag("h2", "How to repeat it")
    yield _tag("pre", command)
    for name, board in log.settings.boards.items():
        if name != board.size:
            yield _tag("p", f"{name}: {board.title}, {pluralize(len(board), 'square')}")
            yield _tag("pre", str(board))
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    machines = "; ".join(sorted({record.machine for record in log.records} or {log.machine}))
    yield _tag("p", f"Made with {made_with}, on {machines}.")


def _reasons(log: Log) -> Iterator[_Html]:
    """Yield the runs that crashed and those that a method does not support, with the reason."""
    told = sorted(
        f"{r.run.describe(log.settings.boards[r.run.board])}: {r.status.value}: {r.reason}"
        for r in log.records
        if r.status in (RunStatus.ERROR, RunStatus.UNSUPPORTED)
    )
    if told:
        yield _tag("h2", "Errors and what is not supported")
        yield _list("reasons", told)
