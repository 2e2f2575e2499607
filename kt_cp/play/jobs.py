"""What takes long: solving, hints, puzzles, recording searches, and reading what was pasted.

Each job is a process of its own, with limits of time and memory, which can be canceled. The number
of jobs at a time is limited. A process that crashes, or takes too much, is one message.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any

import psutil

from kt_cp import solving
from kt_cp.draw.look import Look
from kt_cp.draw.page import record, replay_page
from kt_cp.draw.picture import Picture
from kt_cp.draw.proof import reason_picture
from kt_cp.draw.puzzle_player import puzzle_page
from kt_cp.draw.tour import report_picture
from kt_cp.errors import InputError
from kt_cp.notation.detect import parse_path, validate
from kt_cp.play.state import Position
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import Improvement
from kt_cp.puzzles.deduction import explain
from kt_cp.puzzles.facts import ContradictionError, Fact
from kt_cp.puzzles.making import make_puzzle, random_solution
from kt_cp.solving import Result
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind, PathReport, Report
from kt_dfs import Status

Tell = Callable[[str], None]
"""With this a job tells how far it is."""

MOST = max(2, os.cpu_count() or 1)
SECONDS, GRACE = 60.0, 3.0
MEMORY = 2 << 30
"""How many jobs there are at a time, the seconds that one may take, and the bytes of its memory."""

_POLL = 0.03
_STEPS = 20_000  # of each search that is watched
_EXPLAINED = Look(title="")  # a legend, and not the sentence that the page says

if sys.platform == "win32":
    CONTEXT: Any = multiprocessing.get_context("spawn")
else:
    CONTEXT = multiprocessing.get_context("forkserver")  # a fork of a server's threads is unsafe
    CONTEXT.set_forkserver_preload([__name__])

running = 0
"""How many jobs there are now."""


class JobError(Exception):
    """A job has no answer; the message says why, in words for the visitor."""


async def run_job(work: Callable[..., Answer], *arguments: Any, tell: Tell) -> Answer:
    """Return what ``work`` returns, which is called in another process with ``tell`` first.

    When this task is canceled, the process is killed. Raises `JobError` where too many jobs are
    running, and for what the process could not do.
    """
    global running
    if running >= MOST:
        raise JobError(f"busy: {MOST} searches are running here; try again in a moment")
    running += 1
    receiver, sender = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_perform, args=(sender, work, arguments), daemon=True)
    try:
        process.start()
        sender.close()
        deadline = time.monotonic() + SECONDS + GRACE
        while time.monotonic() < deadline:
            if receiver.poll():
                message = receiver.recv()
                if isinstance(message, JobError):
                    raise message
                if isinstance(message, Answer):
                    return message
                tell(message)
            with suppress(psutil.NoSuchProcess):
                if psutil.Process(process.pid).memory_info().rss > MEMORY:
                    raise JobError(f"unknown: it took more than {MEMORY >> 20:,} MiB of memory")
            await asyncio.sleep(_POLL)
        raise JobError(f"unknown: the search did not stop within {SECONDS:g} s")
    except EOFError:
        raise JobError("a bug: the search crashed; please report what you did") from None
    finally:
        running -= 1
        process.kill()
        process.join()  # which is at once, after SIGKILL
        receiver.close()


def _perform(sender: Connection, work: Callable[..., Answer], arguments: tuple[Any, ...]) -> None:
    """Do the work in this process, and send what it tells and returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends this process
    try:
        sender.send(work(sender.send, *arguments))
    except InputError as error:
        sender.send(JobError(f"invalid: {error}"))
    except (MemoryError, OutOfTime) as error:
        what = "memory" if isinstance(error, MemoryError) else f"time, {SECONDS:g} s"
        sender.send(JobError(f"unknown: the search ran out of {what}"))
    except Exception as error:
        shown = f"{type(error).__name__}: {error}"
        sender.send(JobError(f"a bug: {shown}; please report what you did"))


@dataclass(frozen=True)
class Answer:
    """What the page shows of an answer, and files as text; a position replaces the one there."""

    words: str
    tour: Tour | None = None
    picture: Picture | None = None
    certificate: str = ""
    race: str = ""
    puzzle: str = ""
    position: Position | None = None
    lost: tuple[int, ...] = ()


def solve(tell: Tell, position: Position, feature: str = "", sense: str = "") -> Answer:
    """Find a tour, or prove that there is none; with a feature, the best tour."""

    def improved(improvement: Improvement) -> None:
        tell(f"{feature} {improvement.value:g} after {improvement.seconds:.1f} s")

    best: dict[str, Any] = {sense: feature} if feature else {"certificate": True}
    return _answer(solving.solve(position.instance, time_limit=SECONDS, progress=improved, **best))


def another(tell: Tell, position: Position) -> Answer:
    """Find a random tour."""
    instance = position.instance
    squares = random_solution(instance, random.randrange(2**31), Clock(SECONDS))
    if squares is None:
        return solve(tell, position)
    tour = Tour(instance.board, squares, instance.closed)
    return Answer(f"found: {tour.summary}, another one at random", tour)


def outlook(tell: Tell, position: Position) -> Answer:
    """Tell whether the path can be completed, and if not, why."""
    answer = _answer(solving.solve(position.with_path, time_limit=SECONDS))
    if answer.tour is not None:
        return Answer("possible: this path can be completed")
    names = ", ".join(map(position.board.name, position.cut_off))
    more = f"; out of reach: {names}" if names else ""
    return replace(answer, words=answer.words + more, lost=position.cut_off)


def hint(tell: Tell, position: Position) -> Answer:
    """Tell what follows next by the rules that people use, or where to go by Warnsdorff's rule."""
    path, board = position.path, position.board

    def is_news(fact: Fact) -> bool:  # more than the path itself shows
        ends = {fact.square} if fact.step or fact.other is None else {fact.square, fact.other}
        return not ends.intersection(path[:-1]) and not ends <= {*path}

    try:
        for deduction in explain(position.with_path):
            if any(map(is_news, deduction.facts)):
                return Answer(f"hint: {deduction}")
    except ContradictionError as error:
        return Answer(f"impossible: {error}")
    choices = position.next_squares if path else board.squares.tolist()
    if not choices:
        return Answer("hint: the path is at its end")
    ways = {each: len({*board.neighbors(each)}.difference(path)) for each in choices}
    best = min(ways, key=lambda square: ways[square])
    onward = f"{ways[best]} ways onward, the fewest (Warnsdorff's rule)"
    return Answer(f"hint: try {board.name(best)}, which has {onward}")


def puzzle(tell: Tell, position: Position, grade: str) -> Answer:
    """Make a puzzle on a board."""
    bare = replace(position.instance, start=None, end=None, givens=(), require=())
    asked = {name: getattr(bare, name) for name in ("closed", "forbid", "symmetry")}
    asked |= {"difficulty": grade, "time_limit": SECONDS / 2}
    made = make_puzzle(bare.board, seed=random.randrange(2**31), **asked)
    if made is None:
        return solve(tell, Position(bare))
    words = f"puzzle: {made.solution.summary}; {made.grade}, effort {made.effort}"
    return Answer(words, position=Position(made.instance), puzzle=puzzle_page(made))


def race(tell: Tell, position: Position, one: str, other: str) -> Answer:
    """Record two searches from the start, and the circuit's answer beside them."""
    instance = position.instance
    runs = [record(instance, name, _STEPS) for name in (one, other)]
    result = solving.solve(instance, method="circuit", time_limit=SECONDS / 2)
    page = replay_page(instance, runs)
    return replace(_answer(result), race=page)


def check(tell: Tell, position: Position, text: str) -> Answer:
    """Put a path onto the board and tell its faults; of the path there, if nothing was pasted.

    A size or a map, on which not all steps are given, is put onto the board.
    """
    with suppress(InputError):
        given = Position.parse(text)
        if len(given.steps) < len(given.board):
            return Answer(f"board: {given.instance.summary}", position=given)
    report: Report = validate(position.board, position.path, position.instance.closed)
    if text.strip():
        reports: list[Report] = [parse_path(text).report]
        with suppress(InputError):
            reports.insert(0, parse_path(text, position.board).report)
        report = min(reports, key=_count_faults)
    if report.board != position.board:
        position = Position(Instance(report.board, report.closed))
    if {*report.counts} <= {FaultKind.MISSING} and isinstance(report, PathReport):
        position = replace(position, path=tuple(report.path.tolist()))
    picture = report_picture(report, _EXPLAINED)
    words = report.verdict if report.valid else picture.description
    return Answer(words, picture=picture, position=position)


def _count_faults(report: Report) -> tuple[bool, int]:
    missing = report.counts.get(FaultKind.MISSING, 0)
    return not report.valid, sum(report.counts.values()) - missing


def _answer(result: Result) -> Answer:
    reason = result.explanation if result.status is Status.IMPOSSIBLE else None
    picture = reason_picture(reason, _EXPLAINED, result.instance) if reason else None
    proof = "\n".join(result.certificate.lines()) if result.certificate else ""
    return Answer(result.summary, result.tour, picture, proof)
