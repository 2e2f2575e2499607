"""Pictures of path covers: each path has a color, and later ones dashes too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.palette import GROUPS, PATHS, Theme
from kt_cp.draw.picture import END_MARK, START_MARK, Mark, Picture, Points, move_mark, polygon_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.graph import Graph
from kt_cp.messages import pluralize
from kt_cp.tour.validator import CoverReport

_MAX_LISTED = 12  # paths in the legend

# The numbers of the colors of paths in order; the fills of the first three differ in gray, too.
_ORDER = (0, 2, 4, 1, 3)
_DASHES = (None, (9.0, 7.0), (1.0, 6.0))  # solid, dashed and dotted, in pixels
_THICKNESS = 1.8

# The tint behind the line in the legend, in radii of its mark.
_TINT = np.array([(-2, -1), (2, -1), (2, 1), (-2, 1)])


class PathSigns(NamedTuple):
    """How a path is drawn: the fill of its squares, its line, and the dashes of that, if any."""

    fill: str
    line: str
    dashes: tuple[float, float] | None

    @classmethod
    def of(cls, number: int, theme: Theme) -> PathSigns:
        """Return the signs of a path by its number, from 0; in gray, dashes tell paths apart."""
        color = _ORDER[number % len(_ORDER)]
        dash_number = number if theme is Theme.GRAY else number // len(_ORDER)
        return cls(GROUPS[color], PATHS[color], _DASHES[dash_number % len(_DASHES)])

    @property
    def mark(self) -> Mark:
        """The mark of the legend: a piece of the line upon the fill."""
        tint = polygon_mark(_TINT, fill=self.fill)
        line = move_mark(self.line, _THICKNESS, self.dashes)

        def draw(points: Points, radius: float) -> str:
            return tint(points, radius) + line(points, radius)

        return draw


def cover_picture(report: CoverReport, look: Look = USUAL) -> Picture:
    """Return the picture of a cover: the squares and the line of each path in its color.

    The caption is the summary of a valid cover, or the verdict. Squares that no path visits are
    marked as missing, and the ends of paths of two or more squares are marked.
    """
    graph = report.graph
    caption = report.summary if report.valid else report.verdict
    sheet = Sheet(graph, caption, look)
    signs = [PathSigns.of(number, look.theme) for number in range(len(report.paths))]
    for path, each in zip(report.paths, signs, strict=True):
        sheet.fill(each.fill, path)
    visited = np.unique([vertex for path in report.paths for vertex in path]).astype(np.int64)
    sheet.fill("missing", np.setdiff1d(graph.vertices, visited), "not visited")
    for path, each in zip(report.paths, signs, strict=True):
        moves = _legal_moves(graph, path)
        sheet.draw_moves(moves, each.line, thickness=_THICKNESS, dashes=each.dashes)
    _explain_paths(sheet, report, signs)
    ends = [(path[0], path[-1]) for path in report.paths if len(path) > 1]
    if ends:
        starts, last_squares = zip(*ends, strict=True)
        sheet.draw_mark(START_MARK, starts, legend="starts")
        sheet.draw_mark(END_MARK, last_squares, legend="ends")
    sheet.explain_joined_sides()
    return sheet.finish()


def _explain_paths(sheet: Sheet, report: CoverReport, signs: Sequence[PathSigns]) -> None:
    """Describe the first paths in the legend, and count the others."""
    for number, (path, each) in enumerate(zip(report.paths, signs, strict=True), start=1):
        if path and number <= _MAX_LISTED:
            text = f"path {number}: {_description(report.graph, path)}"
            sheet.add_legend(text, each.mark)
    if len(report.paths) > _MAX_LISTED:
        sheet.add_legend(f"and {pluralize(len(report.paths) - _MAX_LISTED, 'more path')}")


def _legal_moves(graph: Graph, path: Sequence[int]) -> list[tuple[int, int]]:
    """Return the moves of a path that are legal, as pairs of ids."""
    return [(tail, head) for tail, head in pairwise(path) if head in graph.neighbors(tail)]


def _description(graph: Graph, path: Sequence[int]) -> str:
    """Return the number of squares of a path and its ends, such as ``5 squares, a1 to c3``."""
    count = graph.vocabulary.count_vertices(len(path))
    if len(path) == 1:
        return f"{count}, {graph.name(path[0])}"
    return f"{count}, {graph.name(path[0])} to {graph.name(path[-1])}"
