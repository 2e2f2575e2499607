"""The page of a comparison: findings, plots, notes, tables, and how to repeat it."""

from __future__ import annotations

import base64
import itertools
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from string import Template

from kt_cp.compare.findings import definitions, list_findings, remarks, warnings
from kt_cp.compare.log import Log
from kt_cp.compare.plots import all_plots, render
from kt_cp.compare.results import Results
from kt_cp.compare.tables import QUARTILES, Table, tables_by_kind
from kt_cp.count.cost import describe_duration
from kt_cp.messages import pluralize


def page_html(results: Results) -> str:
    """Return the page as HTML; without matplotlib, a line of text replaces the plots."""
    page = Template(files("kt_cp.compare").joinpath("page.html").read_text("utf-8"))
    parts = [
        f'<p class="origin">{escape(_when_and_where(results))}</p>',
        _findings_html(results),
        *_plots_html(results),
        f"<h2>How to read this</h2>{_definitions_html(definitions(results))}",
        _html_list("notes", remarks(results)),
        *_tables_html(results),
        "<h2>How to repeat it</h2>",
        _how_to_repeat(results),
        *_boards_html(results),
        _origin_html(results),
    ]
    return page.substitute(body="\n".join(parts))


def _findings_html(results: Results) -> str:
    """Return the findings as a list in HTML, and below it the warnings."""
    items = [f"<li>{_with_code(results, line)}</li>" for line in list_findings(results)]
    cautions = [f'<p class="warning">{_with_code(results, line)}</p>' for line in warnings(results)]
    return f'<ul class="findings">{"".join(items)}</ul>{"".join(cautions)}'


def _with_code(results: Results, line: str) -> str:
    """Return a sentence as HTML, with the names of methods as code."""
    methods = "|".join(map(re.escape, results.settings.methods))
    name = re.compile(rf"(?<![\w-])({methods})(?![\w-])")
    parts = map(escape, name.split(line))  # every second part is a name
    marked = (f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))
    return "".join(marked)


def _plots_html(results: Results) -> Iterator[str]:
    """Yield the plots as HTML, or one line if matplotlib is missing."""
    if not find_spec("matplotlib"):
        yield "<p>The plots need matplotlib: pip install 'knights-tours[plot]'</p>"
        return
    yield '<div class="plots">'
    for plot in all_plots(results):
        source = "data:image/svg+xml;base64," + base64.b64encode(render(plot.figure)).decode()
        title = escape(plot.figure.get_suptitle())
        picture = f'<img src="{source}" alt="{title}">'
        yield f"<figure>{picture}<figcaption>{escape(plot.caption)}</figcaption></figure>"
    yield "</div>"


def _how_to_repeat(results: Results) -> str:
    """Return the command that repeats a comparison, or a sentence if there is none, as HTML."""
    words = results.settings.command()
    if words is None:
        return (
            "<p>No single command repeats it: give the boards below as files, and custom methods as"
            " FILE.py:NAME.</p>"
        )
    kt, compare, *options = words
    lines = [f"{kt} {compare}", *map(shlex.quote, [*options, "--out=runs.jsonl"])]
    text = " \\\n  ".join(lines)
    return f"<pre>{escape(text)}</pre>"


def _boards_html(results: Results) -> Iterator[str]:
    """Yield as HTML the boards that are not described by their names alone."""
    for name, board in results.settings.boards.items():
        if name != board.size:
            about = f"{name}: {board.title}, {pluralize(len(board), 'square')}"
            yield f"<p>{escape(about)}</p><pre>{escape(str(board))}</pre>"


def _origin_html(results: Results) -> str:
    """Return as HTML the versions with which the runs were done, and the machines."""
    log = results.log
    made_with = ", ".join(f"{name} {value}" for name, value in log.versions.items())
    return f"<p>{escape(f'Made with {made_with}, on {_machines(log)}.')}</p>"


def _machines(log: Log) -> str:
    """Return the machines on which the runs were done."""
    return "; ".join(sorted({record.machine for record in log.records} or {log.machine}))


def _when_and_where(results: Results) -> str:
    """Return the date, the number of runs, their time together, and the machines, as a line."""
    log = results.log
    seconds = sum(record.seconds + (record.startup or 0) for record in log.records)
    facts = [
        pluralize(len(log.records), "run"),
        f"limit {results.settings.time_limit:g} s each",
        f"{describe_duration(seconds)} in all",
        _machines(log),
    ]
    if log.date is not None:
        facts.insert(0, f"{log.date.day} {log.date:%B %Y}")
    return " · ".join(facts)


def _tables_html(results: Results) -> Iterator[str]:
    """Yield the tables as HTML: a section for each kind of tour, side by side on a wide page."""
    yield '<div class="kinds">'
    for tables in tables_by_kind(results):
        yield f"<section>{''.join(map(_table_html, tables))}</section>"
    yield "</div>"


def _table_html(table: Table) -> str:
    """Return a table below its title as HTML; columns of numbers align at the right."""
    classes = ["label" if place < table.labels else "number" for place in range(len(table.heads))]
    for place, head in enumerate(table.heads):
        if head in QUARTILES:
            classes[place] += " quartile"
    head = _html_row("th", table.heads, classes)
    body = "".join(_rows_html(table, classes))
    inner = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    title = escape(table.title)
    return f'<details open><summary>{title}</summary><div class="wide">{inner}</div></details>'


def _rows_html(table: Table, classes: Sequence[str]) -> Iterator[str]:
    """Yield the rows of a table as HTML; rows with the same first label share one cell for it."""
    for _, group in itertools.groupby(enumerate(table.rows), key=lambda numbered: numbered[1][0]):
        rows = list(group)
        for place, (number, row) in enumerate(rows):
            row_classes = _classes_of_row(table, number, classes)
            if place == 0:
                yield _html_row("td", row, row_classes, first_span=len(rows))
            else:
                yield _html_row("td", row[1:], row_classes[1:])


def _classes_of_row(table: Table, row: int, classes: Sequence[str]) -> list[str]:
    """Return the classes of the cells of a row: those of the columns, and the cell's tone."""
    tones = (table.tones.get((row, column)) for column in range(len(classes)))
    return [
        f"{name} {tone.name.lower()}" if tone else name
        for name, tone in zip(classes, tones, strict=True)
    ]


def _html_row(tag: str, cells: Iterable[str], classes: Iterable[str], first_span: int = 1) -> str:
    """Return a row of a table as HTML, with classes for each cell, which may break after colons.

    The first cell spans ``first_span`` rows.
    """
    inner = ""
    for place, (cell, name) in enumerate(zip(cells, classes, strict=True)):
        span = f' rowspan="{first_span}"' if place == 0 and first_span > 1 else ""
        inner += f'<{tag} class="{name}"{span}>{escape(cell).replace(":", ":<wbr>")}</{tag}>'
    return f"<tr>{inner}</tr>"


def _definitions_html(meanings: Mapping[str, str]) -> str:
    """Return words with their meanings as a list of definitions in HTML."""
    items = (f"<dt>{escape(word)}</dt><dd>{escape(text)}</dd>" for word, text in meanings.items())
    return f"<dl>{''.join(items)}</dl>"


def _html_list(name: str, lines: Iterable[str]) -> str:
    """Return lines as a list in HTML, of the class ``name``."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="{name}">{items}</ul>'
