"""How tours and reports show themselves in a notebook."""

from __future__ import annotations

import itertools
from html import escape

from kt_cp.draw.faults import report_picture
from kt_cp.draw.sheet import Look
from kt_cp.draw.svg import svg
from kt_cp.draw.tour import tour_picture
from kt_cp.tour.report import Report
from kt_cp.tour.tour import Tour

_MOST_SQUARES = 10_000  # beyond, a picture would make the notebook slow
_MOST_FAULTS = 20


def tour_svg(tour: Tour) -> str | None:
    """Return a tour as SVG; None for a large one, which a notebook shows as text."""
    return svg(tour_picture(tour)) if len(tour) <= _MOST_SQUARES else None


def report_html(report: Report) -> str:
    """Return a report as HTML: the verdict, a picture unless it is large, the first faults."""
    parts = [f"<p><strong>{escape(report.verdict)}</strong></p>"]
    if max(report.board.area, len(report.path)) <= _MOST_SQUARES:
        parts.append(svg(report_picture(report, Look(title=""))))
    faults = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_FAULTS)]
    if faults:
        items = "".join(f"<li>{escape(message)}</li>" for message in faults)
        parts.append(f"<ul>{items}</ul>")
    more = sum(report.counts.values()) - len(faults)
    if more:
        parts.append(f"<p>and {more:,} more</p>")
    return f"<div>{''.join(parts)}</div>"
