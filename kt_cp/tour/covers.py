"""The validator of path covers: paths that together visit every vertex once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kt_cp.board import graph_of
from kt_cp.graph import Graph, GraphLike, Pictured
from kt_cp.messages import as_ordered, not_a, pluralize
from kt_cp.tour.tour import Tour

# The verdict names at most this many faults.
_MAX_FAULTS = 3

Paths = Sequence[Sequence[int]]
"""The paths of a cover, each as ids in visiting order."""


@dataclass(frozen=True, repr=False)
class CoverReport(Pictured):
    """The verdict on the paths of a cover; true if they visit every vertex of the graph once.

    ``paths`` are ids in visiting order, ``faults`` are sentences that say what is wrong.
    """

    graph: Graph
    paths: Paths
    faults: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the paths are a cover."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<{self.verdict}>"

    @property
    def summary(self) -> str:
        """A few words, such as ``2 paths through all squares of 4x4``."""
        place = self.graph.title if self.graph.has_places else self.graph.summary
        return f"{self._count} through all {self.graph.vocabulary.vertices} of {place}"

    @property
    def _count(self) -> str:
        """The number of paths in words."""
        return pluralize(len(self.paths), "path")

    @property
    def verdict(self) -> str:
        """The verdict in one line, such as ``valid: 2 paths through all squares of 4x4``."""
        if self.valid:
            return f"valid: {self.summary}"
        shown = "; ".join(self.faults[:_MAX_FAULTS])
        more = len(self.faults) - _MAX_FAULTS
        rest = f"; and {pluralize(more, 'more fault')}" if more > 0 else ""
        return f"not a cover by {self._count}: {shown}{rest}"

    def tours(self) -> Iterator[Tour]:
        """Yield the paths of a valid cover, each as an open tour of its vertices."""
        for path in self.paths:
            yield Tour.from_ids(self.graph, path, closed=False, partial=True)

    def as_dict(self) -> dict[str, object]:
        """Return the paths as plain values, as in JSON output."""
        paths = [self.graph.json_names(path) for path in self.paths]
        return {**self.graph.json_field, "paths": paths}


def validate_cover(board: GraphLike, paths: Iterable[Iterable[Any]]) -> CoverReport:
    """Return a report on whether paths visit every vertex of a board or graph once, by legal moves.

    Each path is a list of squares, or of the names of vertices. Raises `InputError` for an unknown
    name, and for a path that is not a list.

    >>> report = validate_cover("3x3", [[0, 5, 6, 1, 8, 3, 2, 7]])
    >>> report.faults, bool(report)
    (('b2 is not visited',), False)
    """
    graph = graph_of(board)
    wanted = f"give a list of {graph.vocabulary.vertices} for each path"
    given = tuple(
        tuple(graph.vertex(name, "path") for name in as_ordered("path", path, wanted))
        for path in as_ordered("paths", paths, wanted)
    )
    return CoverReport(graph, given, tuple(_faults(graph, given)))


def _faults(graph: Graph, paths: Paths) -> Iterator[str]:
    """Yield a sentence for each fault of the paths as a cover."""
    if not all(paths):
        yield "a path is empty"
    visits = Counter(vertex for path in paths for vertex in path)
    for vertex in graph.vertices.tolist():
        if visits[vertex] == 0:
            yield f"{graph.name(vertex)} is not visited"
        elif visits[vertex] > 1:
            yield f"{graph.name(vertex)} is visited {visits[vertex]} times"
    for path in paths:
        for source, target in pairwise(path):
            if target not in graph.neighbors(source):
                move = f"{graph.name(source)} to {graph.name(target)}"
                yield not_a(move, graph.move_name)
