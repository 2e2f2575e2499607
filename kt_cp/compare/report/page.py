"""A comparison as one page of HTML that stands alone: tables, plots, settings, how to repeat."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import escape

from kt_cp.compare.report.figures import Plot
from kt_cp.compare.report.plots import all_plots, render
from kt_cp.compare.report.tables import TextTable, all_tables, notes
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import RunStatus
from kt_cp.errors import counted

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; border-bottom: 1px solid #ddd; text-align: right; }
th { border-bottom: 2px solid; vertical-align: bottom; }
.word { text-align: left; }
.wide { overflow-x: auto; }
figure { margin: 2rem 0; }
figure svg { max-width: 100%; height: auto; }
pre { background: #f4f4f4; padding: .7rem; white-space: pre-wrap; }
"""


def write_page(log: Log) -> str:
    """Return the page. Raises `InputError` when matplotlib is not installed."""
    return "\n".join(_lines(log)) + "\n"


def _lines(log: Log) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>Knight's tours compared</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    yield "<h1>Knight's tours: methods compared</h1>"
    for note in notes(log):
        yield f"<p>{escape(note)}</p>"
    for table in all_tables(log):
        yield from _table(table)
    yield "<h2>Plots</h2>"
    for number, plot in enumerate(all_plots(log), start=1):
        yield f"<figure>{_inline_svg(plot, number)}"
        yield f"<figcaption>{escape(plot.caption)}</figcaption></figure>"
    yield from _settings(log)
    yield from _errors(log)
    yield "</body>\n</html>"


def _table(table: TextTable) -> Iterator[str]:
    yield f"<h2>{escape(table.title)}</h2>\n<div class=wide><table>"
    yield f"<thead>{_row(table, table.columns, 'th')}</thead>\n<tbody>"
    for row in table.rows:
        yield _row(table, row, "td")
    yield "</tbody></table></div>"


def _row(table: TextTable, cells: tuple[str, ...], tag: str) -> str:
    words = ["<{} class=word>", "<{}>"]
    opened = [words[place >= table.labels].format(tag) for place in range(len(cells))]
    inner = (f"{open_}{escape(cell)}</{tag}>" for open_, cell in zip(opened, cells, strict=True))
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
            title = f"{name}: {board.title}, {counted(len(board), 'square')}"
            yield f"<p>{escape(title)}</p>\n<pre>{escape(str(board))}</pre>"
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    machines = "; ".join(sorted({record.machine for record in log.records} or {log.machine}))
    yield f"<p>Made with {escape(made_with)}, on {escape(machines)}.</p>"


def _errors(log: Log) -> Iterator[str]:
    """List the runs that crashed and those that a method does not support, with the reason."""
    told = [r for r in log.records if r.status in (RunStatus.ERROR, RunStatus.UNSUPPORTED)]
    if told:
        yield "<h2>Errors and what is not supported</h2>\n<ul>"
    for record in sorted(told, key=lambda record: record.run.describe()):
        run = record.run.describe(log.settings.boards[record.run.board])
        yield f"<li>{escape(run)}: {record.status.value}: {escape(record.reason or '')}</li>"
    if told:
        yield "</ul>"
