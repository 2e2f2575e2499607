"""The fewest paths that visit every vertex of a board or graph once, with a proven bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from kt_cp.board import Topology, graph_of
from kt_cp.board.piece import Piece
from kt_cp.errors import checked_number, pluralize
from kt_cp.graph import Graph, GraphLike
from kt_cp.model.parameters import MAX_WORKERS
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import BoundProof, Optimum, Sense
from kt_cp.proof.certificate import Certificate, Claim, Measure
from kt_dfs import Status


@dataclass(frozen=True)
class CoverReport:
    """Whether paths visit every vertex of a graph once; true if and only if they do.

    ``faults`` are sentences that say what is wrong.
    """

    faults: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether the paths are a cover."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True, repr=False)
class CoverResult:
    """The answer of `path_cover`: the best cover found, with a bound on all covers.

    ``paths`` are lists of names in visiting order. ``objective`` has their number, the proven bound
    and whether the two agree. Removing the vertices of ``separator`` leaves ``components``, which
    proves that every cover has ``components - len(separator)`` paths or more, but always one;
    whatever the bound is above that rests on CP-SAT. If a certificate was asked for,
    ``certificate`` proves the bound, or ``no_certificate`` says why none could be made.
    """

    graph: Graph
    status: Status
    paths: list[list[Any]]
    objective: Optimum
    separator: list[Any]
    components: int
    seconds: float
    certificate: Certificate | None = None
    no_certificate: str | None = None

    def __bool__(self) -> bool:
        return self.status is Status.FOUND

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    @property
    def summary(self) -> str:
        """The answer in one line, such as ``found: 2 paths that visit every square of 4x4 …``."""
        words = self.graph.vocabulary
        paths = f"{pluralize(len(self.paths), 'path')} through all {words.vertices}"
        title = f"{self.status.value}: {paths} of {self.graph.title} in {self.seconds:.2f} s"
        return f"{title}; {self._best}"

    @property
    def _best(self) -> str:
        """The number of paths, and what proves the bound."""
        if self.objective.proof is not BoundProof.SEPARATOR:
            return self.objective.summary_with_proof
        words = self.graph.vocabulary
        left = f"the {words.graph} is in {pluralize(self.components, 'component')}"
        if not self.separator:
            return f"{self.objective.summary}: {left}"
        removed = words.count_vertices(len(self.separator))
        return f"{self.objective.summary}: without {removed} {left}"

    def as_dict(self) -> dict[str, object]:
        """Return what ``--format json`` prints: plain values only."""
        ids = [[self.graph.vertex(name) for name in path] for path in self.paths]
        removed = [self.graph.vertex(name) for name in self.separator]
        return {
            "status": self.status.value,
            **self.graph.field,
            "paths": [self.graph.values(path) for path in ids],
            "seconds": round(self.seconds, 6),
            "separator": self.graph.values(removed),
            "components": self.components,
            "objective": self.objective.as_dict(),
        }


def path_cover(
    board: GraphLike,
    *,
    time_limit: float | None = None,
    workers: int = 8,
    seed: int = 0,
    certificate: bool = False,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> CoverResult:
    """Return the fewest paths that together visit every vertex once, with a bound on all covers.

    The board is given as to `solve`. A path may be a single vertex. The ``time_limit`` is in
    seconds; when it is reached, the best cover so far is returned. ``workers`` is the number of
    threads of the solver. With ``certificate`` a proof of the bound is made, which `check` accepts:
    that of a separator or, for two paths, that there is no open tour. It has the same time limit
    once more. Where neither is enough, the bound rests on CP-SAT alone.

    Raises `InputError` for invalid arguments.

    >>> result = path_cover("4x4")
    >>> result.objective.summary, result.separator, result.components
    ('paths 2, optimal', ['b3', 'c3', 'b2', 'c2'], 6)
    >>> path_cover([("hub", 1), ("hub", 2), ("hub", 3)]).objective.value
    2
    """
    graph = graph_of(board, piece, topology)
    checked_number("workers", workers, 1, MAX_WORKERS)
    seed = checked_number("seed", seed, 0, 2**31 - 1)
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        from kt_cp.methods.cover import fewest_paths
        from kt_cp.proof.bounds import separator_of_cover

    separator = separator_of_cover(Instance(graph))
    paths, bound = fewest_paths(graph, separator.fewest_paths, clock, workers, seed)
    named = [[graph.label(vertex) for vertex in path] for path in paths]
    report = validate_cover(graph, named)
    if not report:
        raise AssertionError(f"not a path cover: {report.faults[0]}")
    proof = None
    if bound > 1:
        is_by_separator = bound == separator.fewest_paths
        proof = BoundProof.SEPARATOR if is_by_separator else BoundProof.SOLVER
    is_optimal = len(paths) == bound
    result = CoverResult(
        graph,
        Status.FOUND,
        named,
        Optimum("paths", Sense.MINIMIZE, len(paths), bound, is_optimal, proof=proof),
        [graph.label(vertex) for vertex in separator.removed],
        separator.components,
        clock.seconds,
    )
    return _with_certificate(result, time_limit) if certificate else result


def _with_certificate(result: CoverResult, time_limit: float | None) -> CoverResult:
    """Return a result with a certificate of its bound, or with why none can be made."""
    from kt_cp.proof.bounds import certify_bound, proof_of
    from kt_cp.proof.producer import NoCertificateError

    claim = Claim(Measure.PATHS, round(result.objective.bound or 1))
    try:
        made = certify_bound(Instance(result.graph), claim, Clock(time_limit))
    except NoCertificateError as error:
        return replace(result, no_certificate=str(error))
    objective = replace(result.objective, proof=proof_of(made))
    return replace(result, certificate=made, objective=objective)


def validate_cover(board: GraphLike, paths: Iterable[Iterable[Any]]) -> CoverReport:
    """Return a report on whether paths visit every vertex of a board or graph once, by legal moves.

    Each path is a list of squares, or of the names of vertices. Raises `InputError` for a name that
    stands for none.

    >>> validate_cover("3x3", [[0, 5, 6, 1, 8, 3, 2, 7]]).faults
    ('b2 is not visited',)
    """
    graph = graph_of(board)
    given = [[graph.vertex(name, "path") for name in path] for path in paths]
    arcs = set(map(tuple, graph.arcs.tolist()))
    faults = []
    if not all(given):
        faults.append("a path is empty")
    visits = Counter(vertex for path in given for vertex in path)
    for vertex in graph.vertices.tolist():
        if visits[vertex] == 0:
            faults.append(f"{graph.name(vertex)} is not visited")
        elif visits[vertex] > 1:
            faults.append(f"{graph.name(vertex)} is visited {visits[vertex]} times")
    for path in given:
        for source, target in pairwise(path):
            if (source, target) not in arcs:
                move = f"{graph.name(source)} to {graph.name(target)}"
                faults.append(f"{move} is no {graph.move_name}")
    return CoverReport(tuple(faults))
