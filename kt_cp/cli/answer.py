"""How searches run and answer: with progress, and as text, JSON, a picture and a certificate."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Any, cast

import click

from kt_cp.board import Board
from kt_cp.cli.output import (
    END_ADVICE,
    Exit,
    check_picture,
    spinner,
    tell,
    wrapped,
    write_bytes,
    write_lines,
    write_picture,
)
from kt_cp.draw.look import Look
from kt_cp.graph import Graph
from kt_cp.methods.result import (
    CoverResult,
    DisjointTours,
    InterruptedWithResultError,
    Result,
)
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import check_length, cover_lines, cover_table, tour_bytes, tour_table
from kt_cp.problem.task import Improvement
from kt_cp.tour.tour import Tour
from kt_dfs import Status

AnyResult = Result | CoverResult | DisjointTours

TABLE = "csv"
"""The value of --format that asks for a table of steps and squares."""


def usual_notation(graph: Graph) -> Notation:
    """Return the notation in which tours of a graph are written by default."""
    return Notation.GRID if isinstance(graph, Board) else Notation.SQUARES


@dataclass(frozen=True)
class AnswerOutput:
    """How and where the answer about a graph is written; an impossible way is refused.

    The fields after the graph are the values of options. ``form`` is a notation or `TABLE`, the
    usual notation by default. ``draw`` and ``certificate`` are the files of a picture and of a
    certificate, if these are wanted.
    """

    graph: Graph
    form: str | None
    out: str | None
    draw: str | None
    look: Look
    certificate: str | None = None

    def __post_init__(self) -> None:
        if self.form is None:
            is_npy = self.out is not None and self.out.endswith(".npy")
            usual = Notation.NPY if is_npy else usual_notation(self.graph)
            object.__setattr__(self, "form", usual)
        check_length(self.graph, self.notation)
        check_picture(self.draw, self.graph)

    @property
    def notation(self) -> Notation:
        """The notation in which squares are named."""
        return Notation.SQUARES if self.form == TABLE else Notation(str(self.form))

    def write(self, result: AnyResult, comments: Iterable[str] = ()) -> None:
        """Write a result as text below comments, or as JSON; the picture, the proof, the summary.

        The comments are computed only if there is a tour to be written below them.
        """
        if self.form == Notation.JSON:
            write_lines([json.dumps(result.as_dict())], self.out)
        elif result:
            write_bytes(self._text(result, comments), self.out)
        if self.draw is not None and result.status is Status.UNKNOWN:
            tell(f"{self.draw} is not written: there is no answer to draw")
        elif self.draw is not None and not result and self.draw.lower().endswith(".gif"):
            tell(
                f"{self.draw} is not written: a reason is not animated; "
                "choose .svg, .png, .pdf or .html"
            )
        else:
            write_picture(result, self.draw, self.look)
        if self.certificate is not None and result.certificate is not None:
            write_lines(result.certificate.lines(), self.certificate)
        tell(result.summary)
        if result.no_certificate is not None:
            tell(f"no certificate was made: {result.no_certificate}")

    def _text(self, result: AnyResult, comments: Iterable[str]) -> Iterator[bytes]:
        """Yield a result as text: a tour, the paths of a cover, or several tours."""
        if isinstance(result, DisjointTours):
            for number, tour in enumerate(result.tours, start=1):
                yield f"; {tour.kind} tour {number} of {len(result.tours)}\n".encode()
                yield from tour_bytes(tour, self.notation)
        elif isinstance(result, CoverResult):
            is_table = self.form == TABLE
            paths = result.paths
            yield from _encoded(cover_table(paths) if is_table else cover_lines(self.graph, paths))
        elif result.tour is not None:
            yield from self._tour_text(result.tour, comments)

    def _tour_text(self, tour: Tour, comments: Iterable[str]) -> Iterator[bytes]:
        """Yield a tour as text below comments, or nothing if it is wider than the terminal."""
        if self.form == TABLE:
            yield from _encoded(tour_table(tour))
            return
        is_shown = self.out is None and sys.stdout.isatty()
        width = get_terminal_size().columns if is_shown else 0
        grid_width = 0
        if self.notation is Notation.GRID and tour.graph.has_places:
            digits = len(str(len(tour.graph)))
            grid_width = tour.board.columns * (digits + 1) - 1
        if width and grid_width > width:
            tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
            return
        for comment in comments:
            yield from _encoded(f"; {row}" for row in wrapped(comment, width - 2, 5).splitlines())
        yield from tour_bytes(tour, self.notation)


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield lines as they are written to a file."""
    return (f"{line}\n".encode() for line in lines)


def search_and_write(
    search: Callable[..., AnyResult],
    given: Mapping[str, Any],
    output: AnswerOutput,
    title: str,
    *,
    measured: str = "",
    comments: Iterable[str] = (),
) -> Exit:
    """Search by the given arguments with a spinner, write the result, and return the exit code.

    If the search improves what is ``measured``, the spinner shows how far. After Ctrl-C the best
    result so far is written, and then `InterruptedWithResultError` is raised.
    """
    advice = END_ADVICE
    method = click.get_current_context().params.get("method")
    if method == "auto":
        advice = f"--workers 8 searches in more threads; {advice}"
    elif method is not None:
        advice = f"without --method the usual methods are tried; {advice}"
    arguments = dict(given)
    if output.certificate is not None:
        arguments["certificate"] = True
    with spinner(title, "log_search_progress" not in given["parameters"], advice) as show:

        def display(improvement: Improvement) -> None:
            bound = "" if improvement.bound is None else f", proven bound {improvement.bound}"
            show(f"{title}: {measured} {improvement.value} so far{bound}")

        if measured:
            arguments["progress"] = display
        interruption: InterruptedWithResultError | None = None
        try:
            result = search(**arguments)
        except InterruptedWithResultError as error:
            result = cast(AnyResult, error.result)
            interruption = error
    output.write(result, comments)
    if interruption is not None:
        raise interruption
    return Exit.of(result.status)
