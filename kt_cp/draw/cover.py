"""Pictures of path covers: each path has a color."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import END_MARK, START_MARK, Picture, square_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.graph import Graph
from kt_cp.phrases import pluralize
from kt_cp.tour.covers import CoverReport

_MAX_LISTED = 12  # paths in the legend

# The colors of paths; the first three differ in gray print, too.
_ROLES = (GROUPS[0], GROUPS[2], GROUPS[4], GROUPS[1], GROUPS[3])


def cover_picture(report: CoverReport, look: Look = USUAL) -> Picture:
    """Return the picture of a cover: the squares of each path in its color, its ends marked.

    The caption is the summary of a valid cover, or the verdict. Squares that no path visits are
    marked as missing.
    """
    graph = report.graph
    caption = report.summary if report.valid else report.verdict
    sheet = Sheet(graph, caption, look)
    for number, path in enumerate(report.paths, start=1):
        role = _ROLES[(number - 1) % len(_ROLES)]
        sheet.fill(role, path)
        if number <= _MAX_LISTED and path:
            sheet.add_legend(f"path {number}: {_description(graph, path)}", square_mark(role))
    if len(report.paths) > _MAX_LISTED:
        sheet.add_legend(f"and {pluralize(len(report.paths) - _MAX_LISTED, 'more path')}")
    visited = np.unique([vertex for path in report.paths for vertex in path]).astype(np.int64)
    sheet.fill("missing", np.setdiff1d(graph.vertices, visited), "not visited")
    for path in report.paths:
        sheet.draw_moves(_legal_moves(graph, path), thickness=1.5)
    sheet.draw_mark(START_MARK, [path[0] for path in report.paths if path], text="starts")
    sheet.draw_mark(END_MARK, [path[-1] for path in report.paths if len(path) > 1], text="ends")
    return sheet.finish()


def _legal_moves(graph: Graph, path: Sequence[int]) -> list[tuple[int, int]]:
    """Return the moves of a path that are legal, as pairs of ids."""
    return [(tail, head) for tail, head in pairwise(path) if head in graph.neighbors(tail)]


def _description(graph: Graph, path: Sequence[int]) -> str:
    """Return the number of squares of a path and its ends, such as ``5 squares, a1 to c3``."""
    count = graph.vocabulary.count_vertices(len(path))
    if len(path) == 1:
        return f"{count}, {graph.name(path[0])}"
    return f"{count}, {graph.name(path[0])} to {graph.name(path[-1])}"
