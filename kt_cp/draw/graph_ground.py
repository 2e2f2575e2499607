"""The ground of a picture of a graph: its edges, its vertices, and their names."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kt_cp.draw.clearance import least_clearance
from kt_cp.draw.frame import BoardFrame, zoom_for
from kt_cp.draw.move_lines import MoveLines
from kt_cp.draw.picture import Points, svg_path, svg_texts
from kt_cp.draw.wording import text_width

# The radius of a vertex with its name inside, in pixels.
_MIN_RADIUS, _MAX_RADIUS = 9.0, 22.0
_RADIUS_SHARE = 0.33  # that radius, relative to the least distance between two vertices
_CLEARANCE_SHARE = 0.7  # the same, relative to the least distance to an edge that passes a vertex
_MAX_MEASURED = 200  # vertices whose distances are computed; those of larger graphs are small
_MAX_PAIRS = 100_000  # of a vertex and an edge whose distances are computed

_MIN_DOT, _MAX_DOT = 2.5, 5.0  # radius of a vertex with its name beside it, in pixels

# The size of the font of a name inside a vertex, in radii, for the length of the longest name.
_FONT_IN_RADIUS = {1: 1.3, 2: 1.2, 3: 0.95}
_MAX_NAME_INSIDE = 3  # characters

# The size of the font of names beside vertices, in pixels, and the least one among many vertices.
_NAME_SIZE, _SMALL_NAME_SIZE = 14.0, 11.0
_MAX_LARGE_NAMES = 40
_MAX_NAMES = 80
_NAME_SHARE = 0.8  # of the least distance between two of many vertices, for a name
_FILLED_DOT = 8.0  # radius of a colored vertex with its name beside it, in pixels
_FILLED_GAP = 6.0  # between such a vertex and its name, in pixels; marks are in it
_NAME_GAP = 7.0  # between a vertex and its name, in pixels; marks of vertices are in it
_MEAN_WIDTH = 0.6  # of a letter, relative to the size of its font

_HEAD_GAP = 2.0  # between the head of an arc and the vertex, in pixels
_SMALL_HEAD, _LARGE_HEAD = 8.0, 16.0  # lengths of the heads of arcs, and of thick ones
_MAX_USUAL_EDGES = 60  # edges; those of larger graphs are fainter


@dataclass(frozen=True)
class VertexSigns:
    """How the vertices of a graph are drawn: as discs of a radius in pixels, with or without names.

    ``font_size`` is that of their names, which are inside or beside the discs; 0 means no names.
    ``name_gap`` is the distance of names beside them, in pixels.
    """

    radius: float
    names: tuple[str, ...]
    are_inside: bool
    font_size: float
    name_gap: float = 0.0
    zoom: float = 1.0

    @property
    def filled_radius(self) -> float:
        """The radius of a colored vertex, in pixels: if names are beside it, a letter fits in."""
        return self.radius if self.are_inside else max(self.radius, _FILLED_DOT * self.zoom)

    def name_distance(self, has_fills: bool) -> float:
        """Return the distance of names beside vertices from their centers, in pixels."""
        distance = self.radius + self.name_gap
        if has_fills:
            distance = max(distance, self.filled_radius + _FILLED_GAP * self.zoom)
        return distance

    @classmethod
    def of(cls, frame: BoardFrame) -> VertexSigns:
        """Return discs as large as the distances between vertices and edges allow."""
        graph = frame.graph
        names = tuple(graph.name(vertex) for vertex in graph.vertices.tolist())
        room = _room(frame)
        longest = max(map(len, names))
        zoom = zoom_for(frame.left + frame.lower_right[0])
        if longest <= _MAX_NAME_INSIDE and room >= _MIN_RADIUS * zoom:
            radius = min(_MAX_RADIUS, room)
            return cls(radius, names, True, _FONT_IN_RADIUS[longest] * radius)
        size = 0.0
        if len(names) <= _MAX_NAMES:
            size = _NAME_SIZE * zoom
        if _MAX_LARGE_NAMES < len(names) <= _MAX_NAMES:
            legible = _NAME_SHARE * _least_distance(frame) / (longest * _MEAN_WIDTH)
            size = min(size, max(_SMALL_NAME_SIZE, legible))
        radius = min(_MAX_DOT, max(_MIN_DOT, room))
        return cls(radius, names, False, size, _NAME_GAP * zoom, zoom)

    def head_length(self, thickness: float) -> float:
        """Return the length of the head of an arc of a relative thickness, in pixels."""
        return _LARGE_HEAD if thickness > 1 else _SMALL_HEAD

    @property
    def head_gap(self) -> float:
        """The distance of the tip of an arc's head from the center of a vertex, in pixels."""
        return self.radius + _HEAD_GAP


def _room(frame: BoardFrame) -> float:
    """Return the radius of discs that keep clear of one another and of edges, in pixels."""
    points, arcs = frame.pixels(frame.centers), frame.graph.arcs
    if len(points) == 1:
        return _MAX_RADIUS
    if len(points) > _MAX_MEASURED:
        return _MIN_DOT
    room = _RADIUS_SHARE * _least_distance(frame)
    if len(points) * len(arcs) <= _MAX_PAIRS:
        room = min(room, _CLEARANCE_SHARE * least_clearance(points, arcs))
    return room


def _least_distance(frame: BoardFrame) -> float:
    """Return the least distance between two vertices, in pixels."""
    points = frame.pixels(frame.centers)
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(distances, np.inf)
    return float(distances.min())


def edge_elements(frame: BoardFrame, signs: VertexSigns) -> Iterator[str]:
    """Yield the edges of a graph as thin lines, with heads if the graph is directed."""
    arcs, lines = frame.graph.arcs, MoveLines(frame)
    if not frame.graph.directed:
        arcs = arcs[arcs[:, 0] < arcs[:, 1]]
    if not len(arcs):
        return
    width = 0.8 if len(arcs) <= _MAX_USUAL_EDGES else 0.6
    yield svg_path("edge", lines.lines(arcs), "faint", width)
    if frame.graph.directed:
        heads = lines.heads(arcs, signs.head_gap, signs.head_length(1))
        yield svg_path("head", heads, fill="faint", fill_rule="nonzero")


def name_elements(frame: BoardFrame, signs: VertexSigns, *, has_fills: bool) -> Iterator[str]:
    """Yield the names of vertices, inside the discs or beside them.

    Colored vertices, if there are any, are larger, so that names beside them are further away.
    """
    if not signs.font_size:
        return
    points = frame.pixel_centers(frame.graph.vertices)
    if signs.are_inside:
        yield svg_texts(points, signs.names, signs.font_size, "ink")
        return
    distance = signs.name_distance(has_fills)
    beside = label_points(frame, signs.names, distance, signs.font_size)
    yield svg_texts(beside, signs.names, signs.font_size, "ink", halo=True)


def label_points(
    frame: BoardFrame, labels: tuple[str, ...], distance: float, size: float
) -> Points:
    """Return the center of a label beside each vertex, in the widest angle between two edges.

    ``distance`` is that of the label from the center of the vertex, and ``size`` that of its font,
    both in pixels. The points are n x (x, y).
    """
    graph, points = frame.graph, frame.pixels(frame.centers)
    neighbors: dict[int, list[int]] = {vertex: [] for vertex in graph.vertices.tolist()}
    for tail, head in graph.arcs.tolist():
        neighbors[tail].append(head)
        neighbors[head].append(tail)
    middle = points.mean(axis=0)
    right = frame.lower_right[0] + frame.left
    placed: list[Points] = []
    for vertex, label in zip(graph.vertices.tolist(), labels, strict=True):
        angle = _free_direction(points[vertex], points[neighbors[vertex]], middle)
        half_width = text_width(label, _MEAN_WIDTH) * size / 2
        place = points[vertex] + _offset(angle, distance, half_width, size / 2)
        if not half_width < place[0] < right - half_width:
            # Above or below the vertex there is more room.
            upright = math.copysign(math.pi / 2, math.sin(angle))
            place = points[vertex] + _offset(upright, distance, half_width, size / 2)
            place[0] = np.clip(place[0], half_width, max(half_width, right - half_width))
        placed.append(place)
    return np.array(placed)


def _offset(angle: float, distance: float, half_width: float, half_height: float) -> Points:
    """Return the way from a vertex to the center of its label in a direction: (x, y)."""
    direction = np.array([math.cos(angle), math.sin(angle)])
    extent = abs(direction[0]) * half_width + abs(direction[1]) * half_height
    return np.asarray((distance + extent) * direction)


def _free_direction(point: Points, others: Points, middle: Points) -> float:
    """Return the direction in the middle of the widest angle between lines to other points.

    Of equal angles, the one away from the middle of the picture is taken, as it is without lines.
    """
    outward = point - middle
    outward_angle = math.atan2(outward[1], outward[0])
    lines = others - point
    angles = np.unique(np.round(np.arctan2(lines[:, 1], lines[:, 0]), 6))
    if not len(angles):
        return outward_angle
    widths = np.diff(angles, append=angles[0] + 2 * math.pi)
    directions = angles + widths / 2
    scores = widths + 0.1 * np.cos(directions - outward_angle)
    return float(directions[scores.argmax()])
