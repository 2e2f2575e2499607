"""The results of `kt_cp.solving`: what was found, why nothing was, and bounds with their proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from kt_cp.graph import Graph, Pictured
from kt_cp.messages import describe_seconds, pluralize
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import BoundProof, Optimum, OutOfTimeError
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.tour.tour import Tour
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.proof.certificate import Certificate
    from kt_cp.tour.tour import CoverReport


@dataclass(frozen=True, repr=False, kw_only=True)
class Certifiable(Pictured):
    """Base class of results: what was found, and the certificate that was asked for.

    If a certificate was asked for, ``certificate`` holds it, or ``no_certificate`` says why none
    could be made. ``objective`` is the value of the best answer, with the proven bound on all.
    ``seconds`` count from the moment the packages are loaded.
    """

    status: Status
    seconds: float
    objective: Optimum | None = None
    certificate: Certificate | None = None
    no_certificate: str | None = None

    def __bool__(self) -> bool:
        return self.status is Status.FOUND

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    @property
    def summary(self) -> str:
        """The answer in one line."""
        raise NotImplementedError

    def certified(self, make: Callable[[], Certificate], of_bound: bool = False) -> Self:
        """Return the result with a certificate, or with the reason why there is none.

        The function returns the certificate, and raises `NoCertificateError` if it cannot. That of
        a bound is noted in the objective, too.
        """
        from kt_cp.proof.producer import NoCertificateError

        try:
            certificate = make()
        except NoCertificateError as error:
            return replace(self, no_certificate=str(error))
        objective = self.objective
        if of_bound and objective is not None:
            objective = replace(objective, proof=certificate.bound_proof)
        return replace(self, certificate=certificate, objective=objective)


class InterruptedWithResultError(KeyboardInterrupt):
    """Base class: Ctrl-C ended a search; ``result`` holds the best answer so far."""

    def __init__(self, result: Certifiable) -> None:
        super().__init__()
        self.result = result


@dataclass(frozen=True, repr=False, kw_only=True)
class Explained(Certifiable):
    """Base class of the answers to an instance: with an explanation unless a tour was found.

    ``explanation`` says why there is none, or no answer.
    """

    instance: Instance
    explanation: Reason | None

    @property
    def reason(self) -> str | None:
        """One sentence on why there is no tour, or no answer; None when one was found."""
        return None if self.explanation is None else str(self.explanation)


@dataclass(frozen=True, repr=False, kw_only=True)
class Result(Explained):
    """The answer of `solve` to an instance; true if and only if a tour was found.

    ``method`` is the name of the method that answered, and ``counters`` are its own.
    """

    tour: Tour | None
    method: str
    counters: Mapping[str, float] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The answer in one line, such as ``found: closed tour of 6x6, 36 squares, by cuts …``."""
        if self.tour is None:
            return f"{self.status.value}: {self.reason}"
        how = f"by {self.method} in {describe_seconds(self.seconds)}"
        tour = f"{self.status.value}: {self.tour.summary}, {how}"
        if self.objective is None:
            return tour
        if self.objective.feature == "squares":  # the tour's summary has the number of its squares
            return f"{tour}; {self.objective.verdict_with_proof}"
        return f"{tour}; {self.objective.summary}"

    @property
    def reason_kind(self) -> ReasonKind | None:
        """The category of the reason."""
        return None if self.explanation is None else self.explanation.kind

    def as_dict(self) -> dict[str, object]:
        """Return what ``--format json`` prints: plain values only."""
        partial_field = {"partial": True} if self.instance.allows_partial else {}
        return {
            "status": self.status.value,
            **self.instance.graph.json_field,
            "closed": self.instance.closed,
            **partial_field,
            "tour": None if self.tour is None else self.tour.json_names,
            "method": self.method,
            "seconds": round(self.seconds, 6),
            "reason": None if self.explanation is None else self.explanation.full,
            "reason_kind": None if self.reason_kind is None else self.reason_kind.value,
            "counters": dict(self.counters),
            "objective": None if self.objective is None else self.objective.as_dict(),
        }


@dataclass(frozen=True, repr=False, kw_only=True)
class CoverResult(Certifiable):
    """The answer of `path_cover`: the best cover found, with a bound on all covers.

    ``paths`` are lists of names in visiting order, the longest path first. ``objective`` has their
    number, the proven bound and whether the two agree. Removing the vertices of ``separator``
    leaves this number of ``components``, so every cover needs at least ``max(1, components -
    len(separator))`` paths; a larger bound rests on CP-SAT.
    """

    graph: Graph
    paths: list[list[Any]]
    objective: Optimum
    separator: list[Any]
    components: int

    @property
    def report(self) -> CoverReport:
        """The paths as ids, with the verdict of the validator."""
        from kt_cp.tour.tour import validate_cover

        return validate_cover(self.graph, self.paths)

    @property
    def summary(self) -> str:
        """The answer in one line, such as ``found: 2 paths through all squares of 4x4 …``."""
        cover = f"{self.status.value}: {self.report.summary} in {describe_seconds(self.seconds)}"
        if self.objective.proof is not BoundProof.SEPARATOR:
            return f"{cover}; {self.objective.verdict_with_proof}"
        words = self.graph.vocabulary
        proof = f"the {words.graph} is in {pluralize(self.components, 'component')}"
        if self.separator:
            proof = f"without {words.count_vertices(len(self.separator))} {proof}"
        return f"{cover}; {self.objective.verdict}: {proof}"

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


@dataclass(frozen=True, repr=False, kw_only=True)
class DisjointTours(Explained):
    """The answer of `decompose`: tours of which no two share a move; true if they were found."""

    tours: list[Tour]

    @property
    def title(self) -> str:
        """What was found, such as ``4 closed tours of 5x5 (torus) without a common move``."""
        tours = pluralize(len(self.tours), f"{self.instance.kind} tour")
        return f"{tours} of {self.instance.graph.title} without a common move"

    @property
    def summary(self) -> str:
        """The answer in one line, such as ``found: 2 closed tours of 5x6 without a common …``."""
        answer = self.reason or f"{self.title} in {describe_seconds(self.seconds)}"
        return f"{self.status.value}: {answer}"

    def as_dict(self) -> dict[str, object]:
        """Return what ``--format json`` prints: plain values only."""
        return {
            "status": self.status.value,
            **self.instance.graph.json_field,
            "closed": self.instance.closed,
            "tours": [tour.json_names for tour in self.tours],
            "seconds": round(self.seconds, 6),
            "reason": None if self.explanation is None else self.explanation.full,
        }


class SearchInterruptedError(InterruptedWithResultError):
    """Ctrl-C ended the search for a better tour; ``result`` holds the best one so far."""

    result: Result


class CoverInterruptedError(InterruptedWithResultError):
    """Ctrl-C ended the search for fewer paths; ``result`` holds the best cover so far."""

    result: CoverResult


class NoAnswerError(OutOfTimeError):
    """Neither a tour nor a proof that there is none was found; ``result`` says why."""

    def __init__(self, result: Certifiable) -> None:
        super().__init__(result.summary)
        self.result = result
