"""What the page asks for, run by a worker: functions of an address that return the next scene.

Except for `open_address`, the first argument is the address of the position that is shown
(`Position.query`); workers keep no other state. Invalid arguments raise `InputError`.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_cp import solving
from kt_cp.board import Board
from kt_cp.draw.faults import report_picture
from kt_cp.draw.ground import NUMBER_SHARE, legible_cell
from kt_cp.draw.look import Look, glyph
from kt_cp.draw.output import picture_of
from kt_cp.draw.picture import Picture, disc_mark, mark_svg, svg
from kt_cp.draw.puzzles import draw_constraints, puzzle_data, puzzle_page
from kt_cp.draw.replays import endings, record_search, replay_page
from kt_cp.draw.sheet import DISC_RADIUS, DISC_SHARE, Sheet
from kt_cp.graph_files import graph_format
from kt_cp.messages import InputError, describe_seconds, pluralize
from kt_cp.methods.result import Result
from kt_cp.notation.read import parse_path, validate
from kt_cp.notation.write import write_tour
from kt_cp.play.position import MAX_PASTED, NO_GRAPHS, Position, parse_address
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Improvement, OutOfTimeError
from kt_cp.puzzles.boards import random_solution
from kt_cp.puzzles.deduction import next_hint
from kt_cp.puzzles.facts import ContradictionError
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.tour.features import described_features, feature_named
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind, Report
from kt_cp.workers import send_report
from kt_dfs import Status

SEARCH_SECONDS = 60.0
"""The time limit of a search."""

LONGEST = "longest"
"""The goal of a longest path or cycle, which may leave squares out."""

PAGE_LOOK = Look(title="", legend=False)
"""The look of pictures on the page, which has a title and a legend of its own."""

_PUZZLE_SECONDS = SEARCH_SECONDS / 2  # if no puzzle is made in it, the rest is for finding a tour
_OPENING_SECONDS = 5.0  # for the puzzle of an address
_HINT_SECONDS = 5.0  # for finding a tour

_MAX_EVENTS = 30_000  # visits and backtracks of each search in a race
_GLYPH_SHARE = 0.95  # of a square, for the piece
_MAX_LISTED = 20  # lines on faults

_EDGES = re.compile(r"(?:[^\s,;>-]+\s*->?\s*[^\s,;>-]+[\s,;]*)+")  # such as a-b b->c


@dataclass(frozen=True)
class Scene:
    """What the page shows at one time, as plain values: a board with a path, and an answer.

    - ``query``: the address of the position; ``state``: how far the path has come, in one line.
    - ``is_bare``: whether the position has neither a path nor a constraint, except the kind.
    - ``shape``: the rows, the columns, and what else `Position.with_shape` takes.
    - ``labels``: the accessible names of all squares; ``path_names``: those on the path.
    - ``size``: the number of squares.
    - ``svg``: a picture; ``ratio``: its width by its height; ``box``: where the squares are on it:
      left, top, width and height, as shares of its width or height.
    - ``legend``: lines, each a mark as SVG, which may be empty or a further board, and a text.
    - ``unreachable``: the squares that the path can no longer reach; ``hinted``: the one of a hint.
    - ``message``, ``details``: the answer in one line, and further lines.
    - ``certificate``, ``race``: contents of files; ``puzzle``: the data of the puzzle player.
    """

    message: str
    query: str
    state: str
    is_bare: bool
    shape: tuple[int, int, bool, str, str]
    labels: tuple[str, ...]
    size: int
    path_names: tuple[str, ...]
    unreachable: tuple[int, ...]
    svg: str
    ratio: float
    box: tuple[float, float, float, float]
    legend: tuple[tuple[str, str], ...] = ()
    hinted: int | None = None
    details: tuple[str, ...] = ()
    certificate: str = ""
    race: str = ""
    puzzle: dict[str, object] | None = None

    @property
    def address(self) -> str:
        """The query of the address, which tells that there is a puzzle."""
        return self.query if self.puzzle is None else f"{self.query}&puzzle=1"


def scene_of(position: Position, message: str = "", picture: Picture | None = None) -> Scene:
    """Return the scene of a position, whose message is its state unless there is another.

    A ``picture`` of an answer, which has a legend, replaces the picture of the position. Of its
    boards each has its sentence below it, before the legend. The details of a tour are its
    features.
    """
    board = position.board
    closed = position.instance.closed
    entries = [] if picture is None else [(mark_svg(each), each.text) for each in picture.legend]
    drawing, *others = (picture or position_picture(position)).boards  # without words
    lines = [("", drawing.sentence), *((svg(each), each.sentence) for each in others), *entries]
    left, top = drawing.corner
    width, height = board.columns * drawing.cell, board.rows * drawing.cell
    return Scene(
        message=message or position.state,
        query=position.query,
        state=position.state,
        is_bare=position == position.cleared(),
        shape=(board.rows, board.columns, closed, board.piece.name, board.topology.value),
        labels=tuple(position.labels),
        size=len(board),
        path_names=tuple(map(board.name, position.path)),
        unreachable=position.unreachable,
        svg=svg(drawing),
        ratio=drawing.width / drawing.height,
        box=(
            left / drawing.width,
            top / drawing.height,
            width / drawing.width,
            height / drawing.height,
        ),
        legend=tuple(line for line in lines if line[1]),
        details=_feature_lines(position, closed),
    )


def _feature_lines(position: Position, closed: bool, partial: bool = False) -> tuple[str, ...]:
    """Return lines on the features of a path that are defined for every piece.

    There are none if it is no tour, nor on boards with glued edges. A tour that may be ``partial``
    has lines on its measures too.
    """
    with suppress(InputError):
        values = described_features(Tour(position.board, position.path, closed, partial=partial))
        features = map(feature_named, values)
        return tuple(
            f"{each.name}: {values[each.name]}, {each.summary}"
            for each in features
            if each.is_general
        )
    return ()


def position_picture(position: Position) -> Picture:
    """Return the picture of a position: its constraints, its path, and dots where it can go on."""
    instance = position.instance
    board = position.board
    path = position.path
    steps = position.steps
    sheet = Sheet(board, "", PAGE_LOOK, least_cell=legible_cell(len(str(len(board)))), grid=True)
    sheet.fill("dark", np.flatnonzero(board.dark(np.arange(board.area)) & board.mask))
    sheet.fill("hole", board.holes)
    draw_constraints(sheet, instance)
    sheet.fill("visited", list(steps.values()))
    if path:
        sheet.draw_moves(position.moves)
        numbered = path if position.is_complete else path[:-1]
        with sheet.group("steps"):
            sheet.draw_mark(disc_mark("visited"), path, radius=DISC_RADIUS)
            sheet.write_words(numbered, range(1, len(numbered) + 1), share=DISC_SHARE)
        for role, square in (("end", path[-1]), ("start", path[0])):
            sheet.draw_mark(disc_mark(None, role, 0.18), [square], radius=DISC_RADIUS)
    clues = {step: square for step, square in steps.items() if square not in path}
    sheet.write_words([*clues.values()], clues, share=NUMBER_SHARE, fill="ink", bold=True)
    for role, end in (("start", instance.first), ("end", instance.last)):
        if end is not None and end not in path:
            sheet.draw_mark(disc_mark(None, role, 0.12), [end], radius=0.42)
    dotted = [square for square in position.next_squares if square not in steps.values()]
    sheet.draw_mark(disc_mark("start"), dotted, radius=0.09)
    if not position.is_complete and position.piece_square not in clues.values():
        sheet.write_words([position.piece_square], [glyph(board)], share=_GLYPH_SHARE)
    return sheet.finish(f"board {board.title}, {len(path)} squares visited")


def prepare() -> None:
    """Import what the first search would have to wait for, by solving something small."""
    scene_of(Position.from_query(solve("board=6x6&closed=true").query))
    solving.solve("5x5", minimize="turns", time_limit=0.1)


# -- changes of the position


def open_address(fields: Mapping[str, str], default: str) -> Scene:
    """Return the scene that the fields of an address describe; see `parse_address`."""
    position, problem = parse_address(fields, Position.from_query(default))
    if not problem and fields.get("puzzle"):
        try:
            return _puzzle_scene(_completed_puzzle(position.query, _OPENING_SECONDS))
        except (InputError, OutOfTimeError) as error:
            problem = f"the address asks for what cannot be shown: {error}"
    return scene_of(position, problem)


def change(query: str, method: Callable[..., Position], *arguments: Any) -> Scene:
    """Show the position that a method of `Position` returns."""
    return scene_of(method(Position.from_query(query), *arguments))


def show_board(query: str, text: str) -> Scene:
    """Show the board of a size or a map. (``query`` is not used.)"""
    return scene_of(Position.parse(text))


# -- searches


def solve(query: str, goal: str = "") -> Scene:
    """Find a tour that begins with the drawn path, or prove that there is none.

    A complete path is replaced: without a ``goal`` by another tour at random. The goal may be
    `LONGEST`, or a sense and a feature, such as ``minimize turns``: then a scene is sent for each
    improvement.
    """
    position = Position.from_query(query)
    instance = position.instance if position.is_complete else position.instance_with_path
    if position.is_complete and not goal:
        squares = random_solution(instance, random.randrange(2**31), Clock(SEARCH_SECONDS))
        if squares is not None:
            tour = Tour(position.board, squares, instance.closed)
            message = f"found: {tour.summary}, another one at random"
            return scene_of(replace(position, path=tuple(tour)), message)
    measure = goal.partition(" ")[2] or "squares"

    def send_improvement(improvement: Improvement) -> None:
        if improvement.squares is None:
            return
        better = replace(position, path=tuple(map(int, improvement.squares)))
        message = f"{measure} {improvement.value:g} after {improvement.seconds:.1f} s"
        send_report(scene_of(better, message))

    arguments: dict[str, Any] = {"time_limit": SEARCH_SECONDS, "certificate": True}
    if goal == LONGEST:
        result = solving.longest_path(position.instance, progress=send_improvement, **arguments)
    elif goal:
        sense, feature = goal.split()
        arguments |= {sense: feature, "certificate": False}
        result = solving.solve(instance, progress=send_improvement, **arguments)
    else:
        result = solving.solve(instance, **arguments)
    return result_scene(position, result)


def result_scene(position: Position, result: Result) -> Scene:
    """Return the scene of a result: with its tour as the path, or with the reason for none.

    The reason is a sentence, and where there is an explanation also a picture, unless it depends on
    the drawn path, which stays.
    """
    tour = result.tour
    reason = result.explanation and replace(result.explanation, cases=())  # which the picture has
    if tour is not None:
        # A path that is drawn through some squares is not closed, but that of a cycle is.
        picture = picture_of(result, PAGE_LOOK) if tour.closed and tour.is_partial else None
        position = replace(position, path=tuple(tour))
        scene = scene_of(position, _describe_found(result, tour), picture)
    elif result.status is not Status.IMPOSSIBLE:
        scene = scene_of(position, result.summary)
    elif position.path and not position.is_complete:
        message = f"no tour begins with these squares: {reason}. Undo or clear some."
        scene = scene_of(position, message)
    else:
        scene = scene_of(position, f"impossible: {reason}", picture_of(result, PAGE_LOOK))
    if result.certificate is None:
        return scene
    return replace(scene, certificate="\n".join(result.certificate.lines()))


def _describe_found(result: Result, tour: Tour) -> str:
    """Return what was found, in one line without the method, which a visitor has not chosen."""
    summary = f"found in {describe_seconds(result.seconds)}: {tour.summary}"
    if result.objective is None:
        return summary
    if result.objective.feature == "squares":  # the tour's summary has the number of its squares
        return f"{summary}; {result.objective.verdict_with_proof}"
    return f"{summary}; {result.objective.summary}"


def hint(query: str) -> Scene:
    """Suggest the next square of the path.

    That is the one that the rules of `kt_cp.puzzles.rules` determine or, if they determine none,
    the next one of a tour that a solver finds.
    """
    position = Position.from_query(query)
    board = position.board
    path = position.path
    if position.is_complete:
        return scene_of(position, "every square is visited; undo to draw a path of your own")
    suggestion = None
    try:
        suggestion = next_hint(position.instance_with_path)
    except ContradictionError as error:
        if path:  # else the solver says why
            return scene_of(position, f"impossible: {error}; undo a few steps")
    if suggestion is not None and suggestion.step == len(path) + 1:
        square = suggestion.square
        message = f"go to {board.name(square)}: {'; '.join(suggestion.lines())}"
        return replace(scene_of(position, message), hinted=square)
    result = solving.solve(position.instance_with_path, time_limit=_HINT_SECONDS)
    if result.tour is None:
        return result_scene(position, result)
    square = int(result.tour.squares[len(path)])
    onward = pluralize(len(position.with_tap(square).next_squares), "way")
    message = f"go to {board.name(square)}, which has {onward} onward: a tour goes that way"
    return replace(scene_of(position, message), hinted=square)


def race(query: str, first: str, second: str) -> Scene:
    """Record two searches, given by their names, and show them side by side."""
    position = Position.from_query(query)
    runs = [record_search(position.instance, name, _MAX_EVENTS) for name in (first, second)]
    return replace(scene_of(position, endings(runs)), race=replay_page(position.instance, runs))


# -- puzzles


def make_new_puzzle(query: str, level: str) -> Scene:
    """Make a puzzle on the board of a position, with other clues and its other constraints.

    Its ends, given steps and required moves are left out, since they would be clues. If there is no
    puzzle, or none is made in half the time of a search, look for a tour that meets the other
    constraints in the rest: its result says whether there is one at all.
    """
    instance = replace(
        Position.from_query(query).instance, start=None, end=None, givens=(), require=()
    )
    seed = random.randrange(2**31)
    puzzle = None
    with suppress(OutOfTimeError):
        puzzle = make_puzzle(instance, seed=seed, difficulty=level, time_limit=_PUZZLE_SECONDS)
    if puzzle is not None:
        return _puzzle_scene(puzzle)
    limit = SEARCH_SECONDS - _PUZZLE_SECONDS
    result = solving.solve(instance, time_limit=limit, certificate=True)
    scene = result_scene(Position(instance), result)
    if result.status is Status.IMPOSSIBLE:
        return scene
    return replace(scene, message=f"no puzzle was made in time; {scene.message}")


def puzzle_file(query: str) -> str:
    """Return a page on which the puzzle of a position is played offline.

    Raises `InputError` if its clues have no solution.
    """
    return puzzle_page(_completed_puzzle(query, _PUZZLE_SECONDS))


def _completed_puzzle(query: str, time_limit: float) -> Puzzle:
    """Return the puzzle of a position, with clues added until its solution is unique.

    Raises `InputError` if its clues have no solution.
    """
    puzzle = make_puzzle(Position.from_query(query).instance, time_limit=time_limit)
    if puzzle is None:
        raise InputError("these clues have no solution")
    return puzzle


def _puzzle_scene(puzzle: Puzzle) -> Scene:
    """Return the scene on which a puzzle is played."""
    message = f"puzzle: {puzzle.solution.summary}, {puzzle.level}"
    return replace(scene_of(Position(puzzle.instance), message), puzzle=puzzle_data(puzzle))


# -- texts and files of a visitor, and for one


def check(query: str) -> Scene:
    """Tell whether the drawn path is a tour, or can be completed to one, and if not, why."""
    position = Position.from_query(query)
    if position.is_complete:
        report = validate(position.board, position.path, position.instance.closed)
        return _checked_scene(position, report)
    result = solving.solve(position.instance_with_path, time_limit=SEARCH_SECONDS)
    if result.tour is None:
        return result_scene(position, result)
    finding = "this path can be completed" if position.path else "there is a tour"
    return scene_of(position, finding)


def open_text(query: str, text: str) -> Scene:
    """Check a pasted path, and show its part before a fault; or show the board of a map or size.

    The path is read on this board, or on a detected one if it has fewer faults there. A map on
    which some steps are missing replaces the board. Raises `InputError` for other texts.
    """
    position = Position.from_query(query)
    if len(text) > MAX_PASTED:
        raise InputError(f"texts here have at most {MAX_PASTED:,} characters")
    with suppress(InputError):
        pasted = Position.parse(text)
        if len(pasted.steps) < len(pasted.board):
            return scene_of(pasted)
    readings = []
    problems = []
    for board in (position.board, None):
        try:
            readings.append(parse_path(text, board))
        except InputError as error:
            problems.append(error)
    if not readings:
        if _EDGES.fullmatch(text.strip()):
            raise InputError(f"this is {NO_GRAPHS}")
        raise problems[0]
    best = min(readings, key=lambda each: _rank(each.report))  # of equal ones, that on this board
    if not isinstance(best.graph, Board):
        raise InputError(f"this is a path on {NO_GRAPHS}")
    return _checked_scene(position, best.report, best.read_as)


def open_file(query: str, name: str, content: bytes) -> Scene:
    """Check the path in a file, or show the board in it."""
    if graph_format(name) is not None:
        raise InputError(f"{name} holds {NO_GRAPHS}")
    return open_text(query, content.decode("utf-8", errors="replace"))


def path_text(query: str, notation: str) -> str:
    """Return the path in a notation."""
    position = Position.from_query(query)
    tour = Tour(position.board, position.path, position.instance.closed)
    return "\n".join(write_tour(tour, notation))


def board_text(query: str) -> str:
    """Return the map of the board with its constraints."""
    return Position.from_query(query).text


def _rank(report: Report) -> tuple[bool, int]:
    """Return the sort key of a report: tours first, then by faults besides missing squares."""
    missing = report.counts.get(FaultKind.MISSING, 0)
    return not report.valid, sum(report.counts.values()) - missing


def _checked_scene(position: Position, report: Report, read_as: str = "") -> Scene:
    """Return the scene of a checked path; the drawn path becomes its part before a fault.

    ``read_as`` tells how a text was read. The details are the moves, the faults, and the features
    of a tour.
    """
    board = report.graph
    assert isinstance(board, Board)
    picture = None
    if board != position.board:
        position = Position(Instance(board, report.closed))
    if report.steps is not None:
        position = position.with_path([int(square) for square in report.path])
    details = [f"read as {read_as}"] if read_as else []
    details.append(f"{pluralize(len(report.moves), 'move')}, {len(report.legal_moves):,} legal")
    if not report.valid:
        details += [each.message for each in itertools.islice(report.iter_faults(), _MAX_LISTED)]
        more = sum(report.counts.values()) - _MAX_LISTED
        if more > 0:
            details.append(f"{more:,} more")
        if {*report.counts} != {FaultKind.MISSING}:
            picture = report_picture(report, PAGE_LOOK)
    elif report.steps is not None:
        details += _feature_lines(position, report.closed, report.allows_partial)
    return replace(scene_of(position, report.verdict, picture), details=tuple(details))
