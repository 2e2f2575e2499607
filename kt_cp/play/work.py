"""What the playground's processes do: solve, hint, make puzzles, and record two searches."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any

from kt_cp import solving
from kt_cp.board import Board
from kt_cp.draw.faults import report_picture
from kt_cp.draw.picture import Picture
from kt_cp.draw.proof import reason_picture
from kt_cp.draw.replay import record, replay_page
from kt_cp.draw.sheet import Look
from kt_cp.errors import InputError
from kt_cp.notation.detect import parse_path, validate
from kt_cp.play.jobs import SECONDS, Tell
from kt_cp.play.state import MAX_SIDE, Position
from kt_cp.problem.clock import Clock
from kt_cp.problem.objective import Improvement
from kt_cp.proof.certificate import Certificate
from kt_cp.puzzles.deduction import ContradictionError, Fact, explain
from kt_cp.puzzles.puzzle import Puzzle, make_puzzle, random_solution
from kt_cp.solving import Result
from kt_cp.tour.tour import Tour
from kt_dfs import Status

MAX_STEPS = 20_000
"""Of each search that is watched."""

EXPLAINED = Look(title="")
"""A picture with a legend, and without the sentence that the page says."""

_SHOWN = 4  # faults of a path


@dataclass(frozen=True)
class Answer:
    """What the page shows of an answer."""

    words: str
    tour: Tour | None = None
    picture: Picture | None = None
    certificate: Certificate | None = None
    page: str | None = None
    board: Board | None = None


def solve(tell: Tell, position: Position, feature: str | None, sense: str | None) -> Answer:
    """Find a tour, or prove that there is none; with a feature, the best tour."""

    def improved(improvement: Improvement) -> None:
        tell(f"{feature} {improvement.value:g} after {improvement.seconds:.1f} s")

    best: Any = {sense: feature} if feature and sense else {}
    result = solving.solve(
        position.instance,
        time_limit=SECONDS,
        certificate=not best,
        progress=improved,
        **best,
    )
    return _answer(result)


def another(tell: Tell, position: Position, seed: int) -> Answer:
    """Find a random tour."""
    instance = position.instance
    squares = random_solution(instance, seed, Clock(SECONDS))
    if squares is None:
        return solve(tell, position, None, None)
    tour = Tour(instance.board, squares, instance.closed)
    return Answer(f"found: {tour.summary}, another one at random", tour)


def outlook(tell: Tell, position: Position) -> Answer:
    """Tell whether the path can be completed, and if not, why."""
    result = solving.solve(position.with_path, time_limit=SECONDS)
    if result.tour is not None:
        return Answer("possible: this path can be completed")
    answer = _answer(result)
    cut_off = [position.name(square) for square in position.cut_off]
    more = f"; out of reach: {', '.join(cut_off)}" if cut_off else ""
    return replace(answer, words=answer.words + more)


def hint(tell: Tell, position: Position) -> Answer:
    """Tell what follows next by the rules that people use, or where to go by Warnsdorff's rule."""
    instance, board = position.with_path, position.board

    def is_news(fact: Fact) -> bool:
        """Return whether more is said than the path itself shows."""
        ends = {fact.square} if fact.step or fact.other is None else {fact.square, fact.other}
        return not ends.intersection(position.path[:-1]) and not ends <= {*position.path}

    try:
        news = (each for each in explain(instance) if any(map(is_news, each.facts)))
        deduction = next(news, None)
    except ContradictionError as error:
        return Answer(f"impossible: {error}")
    if deduction is not None:
        return Answer(f"hint: {deduction}")
    ways = {
        square: sum(other not in position.path for other in board.neighbors(square))
        for square in position.next_squares
    }
    if not ways:
        return Answer("hint: the path is at its end")
    fewest = min(ways, key=ways.__getitem__)
    onward = f"{ways[fewest]} ways onward, the fewest (Warnsdorff's rule)"
    return Answer(f"hint: try {position.name(fewest)}, which has {onward}")


def puzzle(tell: Tell, position: Position, grade: str, seed: int) -> Puzzle | None:
    """Make a puzzle on a board."""
    bare = replace(position.instance, givens=(), start=None, end=None, require=())
    constraints = {name: getattr(bare, name) for name in ("closed", "forbid", "symmetry")}
    return make_puzzle(
        bare.board, difficulty=grade, seed=seed, time_limit=SECONDS / 2, **constraints
    )


def race(tell: Tell, position: Position, one: str, other: str) -> Answer:
    """Record two searches from the start, and the circuit's answer beside them."""
    instance = position.instance
    runs = [record(instance, name, MAX_STEPS) for name in (one, other)]
    result = solving.solve(instance, method="circuit", time_limit=SECONDS / 2)
    title = f"{one} and {other} on {instance.board.title}"
    words = f"{result.summary}; watched beside it: {one} and {other}"
    return replace(_answer(result), words=words, page=replay_page(instance, runs, title))


def check(tell: Tell, position: Position, text: str) -> Answer:
    """Read a path that was pasted, or take the one on the board, and tell where it goes wrong."""
    if not text.strip():
        instance = position.instance
        report = validate(position.board, position.path, instance.closed)
    else:
        try:
            report = parse_path(text, position.board)
        except InputError:
            report = parse_path(text)
    faults = [fault.message for fault in itertools.islice(report.iter_faults(), _SHOWN)]
    words = "; ".join([report.verdict, *faults])
    if max(report.board.rows, report.board.columns) > MAX_SIDE:
        return Answer(f"{words} (too large to be shown here)")
    return Answer(words, picture=report_picture(report, EXPLAINED), board=report.board)


def _answer(result: Result) -> Answer:
    reason = result.explanation if result.status is Status.IMPOSSIBLE else None
    picture = reason_picture(reason, EXPLAINED, result.instance) if reason else None
    return Answer(result.summary, result.tour, picture, result.certificate)
