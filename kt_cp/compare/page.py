"""A comparison as one page of HTML that stands alone: findings, tables, plots, how to repeat it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import escape

from kt_cp.compare.log import Log
from kt_cp.compare.plots import Plot, all_plots, render
from kt_cp.compare.records import RunStatus
from kt_cp.compare.tables import TextTable, all_tables, notes, summary
from kt_cp.errors import pluralize

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Knight's tours compared</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; border-bottom: 1px solid #ddd; text-align: right; }
td { white-space: nowrap; }
th { border-bottom: 2px solid; vertical-align: bottom; }
.word { text-align: left; }
.wide { overflow-x: auto; }
.findings { font-size: 1.2rem; }
figure { margin: 2rem 0; }
figure svg { max-width: 100%; height: auto; }
pre { background: #f4f4f4; padding: .7rem; white-space: pre-wrap; }
</style>
</head>
<body>
<h1>Knight's tours: methods compared</h1>"""


def write_page(log: Log) -> str:
    """Return the page. Raises `InputError` when matplotlib is not installed."""
    return "\n".join(_lines(log)) + "\n"


def log_html(log: Log) -> str:
    """Return the findings and the tables, as HTML for a notebook."""
    tables = [line for table in all_tables(log) for line in _table(table)]
    return "\n".join([*_list("findings", summary(log)), *tables, *_list("notes", notes(log))])


def _lines(log: Log) -> Iterator[str]:
    yield _HEAD
    yield from _list("findings", summary(log))
    for table in all_tables(log):
        yield from _table(table)
    yield from _list("notes", notes(log))
    yield "<h2>Plots</h2>"
    for number, plot in enumerate(all_plots(log), start=1):
        yield f"<figure>{_inline_svg(plot, number)}"
        yield f"<figcaption>{escape(plot.caption)}</figcaption></figure>"
    yield from _settings(log)
    yield from _reasons(log)
    yield "</body>\n</html>"


def _list(name: str, lines: list[str]) -> Iterator[str]:
    yield f"<ul class={name}>"
    yield from (f"<li>{escape(line)}</li>" for line in lines)
    yield "</ul>"


def _table(table: TextTable) -> Iterator[str]:
    yield f"<h2>{escape(table.title)}</h2>\n<div class=wide><table>"
    yield f"<thead>{_row(table, table.columns, 'th')}</thead>\n<tbody>"
    yield from (_row(table, row, "td") for row in table.rows)
    yield "</tbody></table></div>"


def _row(table: TextTable, cells: tuple[str, ...], tag: str) -> str:
    tags = [f"{tag} class=word"] * table.labels + [tag] * (len(cells) - table.labels)
    inner = (f"<{opened}>{escape(cell)}</{tag}>" for opened, cell in zip(tags, cells, strict=True))
    return f"<tr>{''.join(inner)}</tr>"


def _inline_svg(plot: Plot, number: int) -> str:
    """Return a plot's SVG element, its ids made different from those of the other plots."""
    svg = render(plot.figure, "svg").decode()
    svg = svg[svg.index("<svg") :]
    for before in (' id="', "url(#", 'href="#'):
        svg = svg.replace(before, f"{before}plot{number}-")
    return re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)


def _settings(log: Log) -> Iterator[str]:
    command = shlex.join([*log.settings.command(), "--out", "runs.jsonl"])
    yield f"<h2>How to repeat it</h2>\n<pre>{escape(command)}</pre>"
    for name, board in log.settings.boards.items():
        if name != board.size:
            title = f"{name}: {board.title}, {pluralize(len(board), 'square')}"
            yield f"<p>{escape(title)}</p>\n<pre>{escape(str(board))}</pre>"
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    machines = "; ".join(sorted({record.machine for record in log.records} or {log.machine}))
    yield f"<p>Made with {escape(made_with)}, on {escape(machines)}.</p>"


def _reasons(log: Log) -> Iterator[str]:
    """Yield the runs that crashed and those that a method does not support, with the reason."""
    told = [r for r in log.records if r.status in (RunStatus.ERROR, RunStatus.UNSUPPORTED)]
    if told:
        lines = [
            f"{record.run.describe(log.settings.boards[record.run.board])}: {record.status.value}:"
            f" {record.reason}"
            for record in told
        ]
        yield "<h2>Errors and what is not supported</h2>"
        yield from _list("reasons", sorted(lines))
