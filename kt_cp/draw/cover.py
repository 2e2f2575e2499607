"""Pictures of path covers: each path in a color of its own."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import END_MARK, START_MARK, Picture, square_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.phrases import pluralize
from kt_cp.tour.covers import CoverReport

# The most paths that the legend lists.
_MOST_LISTED = 12


def cover_picture(report: CoverReport, look: Look = USUAL) -> Picture:
    """Return the picture of a cover: the squares of each path in its color, its ends marked.

    The caption is the summary of a valid cover, or the verdict. Squares that no path visits are
    marked as missing.
    """
    graph = report.graph
    caption = report.summary if report.valid else report.verdict
    sheet = Sheet(graph, caption, look)
    legal_moves = [_legal_moves(report, number) for number in range(len(report.paths))]
    for number, path in enumerate(report.paths):
        role = GROUPS[number % len(GROUPS)]
        sheet.fill(role, path)
        if number < _MOST_LISTED and path:
            sheet.add_legend(
                f"path {number + 1}: {_description(report, number)}", square_mark(role)
            )
    if len(report.paths) > _MOST_LISTED:
        sheet.add_legend(f"and {pluralize(len(report.paths) - _MOST_LISTED, 'more path')}")
    visited = np.unique([vertex for path in report.paths for vertex in path]).astype(np.int64)
    sheet.fill("missing", np.setdiff1d(graph.vertices, visited), "not visited")
    for moves in legal_moves:
        sheet.draw_moves(moves, thickness=1.5)
    sheet.draw_mark(START_MARK, [path[0] for path in report.paths if path], text="starts")
    sheet.draw_mark(END_MARK, [path[-1] for path in report.paths if len(path) > 1], text="ends")
    return sheet.finish()


def _legal_moves(report: CoverReport, number: int) -> list[tuple[int, int]]:
    """Return the moves of a path that are legal."""
    path = report.paths[number]
    graph = report.graph
    return [
        (source, target) for source, target in pairwise(path) if target in graph.neighbors(source)
    ]


def _description(report: CoverReport, number: int) -> str:
    """Return how many squares a path visits, and its ends."""
    graph, path = report.graph, report.paths[number]
    count = graph.vocabulary.count_vertices(len(path))
    if len(path) == 1:
        return f"{count}, {graph.name(path[0])}"
    return f"{count}, {graph.name(path[0])} to {graph.name(path[-1])}"
