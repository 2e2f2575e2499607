"""The fewest paths that visit every vertex of a board or graph once, with a proven bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kt_cp.board import Topology, graph_of
from kt_cp.board.pieces import Piece
from kt_cp.certifiable import Certifiable, InterruptedWithResultError
from kt_cp.graph import Graph, GraphLike
from kt_cp.messages import checked_number, describe_seconds, pluralize
from kt_cp.model.parameters import MAX_WORKERS, checked_parameters
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, BoundProof, Clock, Optimum, Sense
from kt_cp.proof.certificate import Claim, Measure
from kt_cp.tour.validator import CoverReport, validate_cover
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.methods.cover import BoundedCover
    from kt_cp.proof.bounds import Separator


@dataclass(frozen=True, repr=False)
class CoverResult(Certifiable):
    """The answer of `path_cover`: the best cover found, with a bound on all covers.

    ``paths`` are lists of names in visiting order, the longest path first. ``objective`` has their
    number, the proven bound and whether the two agree. Removing the vertices of ``separator``
    leaves this number of ``components``, so every cover needs at least ``max(1, components -
    len(separator))`` paths; a larger bound rests on CP-SAT. If a certificate was asked for,
    ``certificate`` proves the bound, or ``no_certificate`` says why none could be made. ``seconds``
    is the time of the search.
    """

    graph: Graph
    status: Status
    paths: list[list[Any]]
    objective: Optimum
    separator: list[Any]
    components: int
    seconds: float

    def __bool__(self) -> bool:
        return self.status is Status.FOUND

    @property
    def report(self) -> CoverReport:
        """The paths as ids, with the verdict of the validator."""
        return validate_cover(self.graph, self.paths)

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    @property
    def summary(self) -> str:
        """The answer in one line, such as ``found: 2 paths through all squares of 4x4 …``."""
        cover = f"{self.status.value}: {self.report.summary}"
        return f"{cover} in {describe_seconds(self.seconds)}; {self._bound_summary}"

    @property
    def _bound_summary(self) -> str:
        """Whether fewer paths are possible, or the bound, and what proves it."""
        if self.objective.proof is not BoundProof.SEPARATOR:
            return self.objective.verdict_with_proof
        words = self.graph.vocabulary
        proof = f"the {words.graph} is in {pluralize(self.components, 'component')}"
        if self.separator:
            proof = f"without {words.count_vertices(len(self.separator))} {proof}"
        return f"{self.objective.verdict}: {proof}"

    def as_dict(self) -> dict[str, object]:
        """Return what ``--format json`` prints: plain values only."""
        removed = [self.graph.vertex(name) for name in self.separator]
        return {
            "status": self.status.value,
            **self.report.as_dict(),
            "seconds": round(self.seconds, 6),
            "separator": self.graph.json_names(removed),
            "components": self.components,
            "objective": self.objective.as_dict(),
        }


class CoverInterruptedError(InterruptedWithResultError):
    """Ctrl-C ended the search for fewer paths; ``result`` holds the best cover so far."""

    result: CoverResult


def path_cover(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    time_limit: float | None = None,
    workers: int = 8,
    seed: int = 0,
    certificate: bool = False,
    parameters: Mapping[str, object] | None = None,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> CoverResult:
    """Return the fewest paths that together visit every vertex once, with a bound on all covers.

    The board is given as to `solve`. A path may be a single vertex. The ``time_limit`` is in
    seconds; when it is reached, the best cover so far is returned. ``workers`` is the number of
    threads of the solver. With ``certificate``, also make a certificate of the bound, which `check`
    accepts, within another ``time_limit``. If neither a separator nor, for two paths, a proof that
    there is no open tour suffices, the bound rests on CP-SAT alone, and ``no_certificate`` says so.
    ``parameters`` are fields of CP-SAT's ``SatParameters``.

    Raises `InputError` for invalid arguments, and `CoverInterruptedError`, which holds the best
    cover so far, for Ctrl-C.

    >>> result = path_cover("4x4")
    >>> result.objective.summary, result.separator, result.components
    ('paths 2, optimal', ['b3', 'c3', 'b2', 'c2'], 6)
    >>> path_cover([("hub", 1), ("hub", 2), ("hub", 3)]).objective.value
    2
    """
    graph = graph_of(board, piece, topology)
    workers = checked_number("workers", workers, 1, MAX_WORKERS)
    seed = checked_number("seed", seed, 0, MAX_SEED)
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        from kt_cp.methods.cover import SearchSettings, fewest_paths
        from kt_cp.proof.bounds import separator_of_cover

    separator = separator_of_cover(Instance(graph), clock)
    settings = SearchSettings(clock, workers, seed, checked_parameters(parameters or {}))
    found = fewest_paths(graph, separator.fewest_paths, settings)
    result = _result_of(graph, found, separator, clock.seconds)
    if found.interrupted:
        raise CoverInterruptedError(result)
    return _with_certificate(result, time_limit) if certificate else result


def _result_of(
    graph: Graph, found: BoundedCover, separator: Separator, seconds: float
) -> CoverResult:
    """Validate the paths that were found, and return the result, with the longest path first."""
    longest_first = sorted(found.paths, key=len, reverse=True)
    paths = [[graph.label(vertex) for vertex in path] for path in longest_first]
    report = validate_cover(graph, paths)
    if not report:
        raise AssertionError(f"not a path cover: {report.faults[0]}")
    objective = Optimum(
        "paths",
        Sense.MINIMIZE,
        value=len(paths),
        bound=found.bound,
        optimal=len(paths) == found.bound,
        proof=_proof_of_bound(found.bound, separator),
    )
    return CoverResult(
        graph,
        Status.FOUND,
        paths,
        objective,
        separator=[graph.label(vertex) for vertex in separator.removed],
        components=separator.components,
        seconds=seconds,
    )


def _proof_of_bound(bound: int, separator: Separator) -> BoundProof | None:
    """Return what a bound on the paths of covers rests on; a single path needs no proof."""
    if bound <= 1:
        return None
    return BoundProof.SEPARATOR if bound == separator.fewest_paths else BoundProof.CP_SAT


def _with_certificate(result: CoverResult, time_limit: float | None) -> CoverResult:
    """Return the result with a certificate of its bound, or with why none can be made."""
    from kt_cp.proof.bounds import certify_bound, proof_of

    instance = Instance(result.graph)
    claim = Claim(Measure.PATHS, round(result.objective.bound or 1))
    certified = result.certified(lambda: certify_bound(instance, claim, Clock(time_limit)))
    if certified.certificate is None:
        return certified
    objective = replace(certified.objective, proof=proof_of(certified.certificate))
    return replace(certified, objective=objective)
