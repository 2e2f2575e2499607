"""Make the puzzles that ``kt puzzle`` is asked for, and report on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from kt_cp.board import Board
from kt_cp.cli.options import read_map_instances
from kt_cp.cli.output import Exit, look_of, spinner, tell
from kt_cp.draw.picture import as_caption
from kt_cp.files import open_input, read_text
from kt_cp.messages import InputError, join_words, pluralize
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError
from kt_cp.puzzles.clues import Pattern
from kt_cp.puzzles.making import (
    CLUE_NAMES,
    effort_range,
    has_effort,
    levels_of,
    make_puzzle,
    reusable_puzzle,
)
from kt_cp.puzzles.puzzle import EffortRange, Puzzle
from kt_cp.puzzles.uniqueness import why_impossible


class Source(NamedTuple):
    """A board argument, the instance that it and the options describe, and the notes of its map."""

    argument: str
    instance: Instance
    notes: dict[str, str]

    @property
    def title(self) -> str | None:
        """The title of a map or the name of its file; a size and standard input have none."""
        if self.notes.get("title"):
            return self.notes["title"]
        file = Path(self.argument)
        return as_caption(file.stem) if file.is_file() else None

    @property
    def seed(self) -> int:
        """The seed that the notes give, or 0. Raises `InputError` unless it is a number."""
        seed = self.notes.get("seed", "0")
        if not seed.isdecimal():
            raise InputError(f"the map has seed {seed!r}: give a whole number")
        return int(seed)


def read_sources(boards: tuple[str, ...], constraints: dict[str, Any]) -> list[Source]:
    """Return a source for each argument, or several for a file that holds several puzzles."""
    sources: list[Source] = []
    for name in boards:
        found = read_map_instances(name, **constraints)
        for number, (instance, notes) in enumerate(found, start=1):
            argument = name if len(found) == 1 else f"{name}, puzzle {number}"
            sources.append(Source(argument, instance, notes))
    return sources


@dataclass(frozen=True)
class PuzzleOptions:
    """Which puzzles are wanted, and how many: the values of the options of those names.

    ``total`` is the least number of clues, and ``time_limit`` is in seconds for each puzzle.
    """

    clues: str
    total: int | None
    difficulty: str | None
    effort: str | None
    count: int | None
    seed: int | None
    time_limit: float | None

    @property
    def efforts(self) -> EffortRange | None:
        """The wanted efforts, or None if any will do."""
        return effort_range(self.difficulty, self.effort)


class _Outcome(NamedTuple):
    """A puzzle, or None if there is none; the exit code, and a message about it."""

    puzzle: Puzzle | None
    code: Exit
    message: str


def make_puzzles(
    sources: list[Source], wanted: PuzzleOptions, titles: tuple[str, ...]
) -> tuple[list[Puzzle], int]:
    """Make the puzzles of all boards, tell about each, and return them with the worst exit code.

    ``titles`` are those of the boards or of all puzzles, or empty for their usual titles. Several
    puzzles of one title, or of one level in a set over several levels, are numbered.
    """
    puzzles: list[Puzzle] = []
    worst, count = Exit.YES, wanted.count or 1
    spreads = wanted.difficulty is not None and len(levels_of(wanted.difficulty)) > 1 < count
    for index, source in enumerate(sources):
        numbers: Counter[str] = Counter()
        for number, outcome in enumerate(_outcomes(source, wanted)):
            message = outcome.message
            tell(f"{source.argument}: {message}" if len(sources) > 1 else message)
            worst = max(worst, outcome.code)
            if outcome.puzzle is None:
                continue
            title = titles[index] if titles else source.title
            if title is None and spreads and outcome.puzzle.level is not None:
                title = look_of().words.level(outcome.puzzle.level).capitalize()
            if count > 1 and len(titles) == len(sources) * count:
                title = titles[index * count + number]
            elif count > 1 and title is not None:
                numbers[title] += 1
                title = f"{title} {numbers[title]}"
            puzzles.append(replace(outcome.puzzle, title=title))
    return puzzles, worst


def _outcomes(source: Source, wanted: PuzzleOptions) -> Iterator[_Outcome]:
    """Yield the outcomes for the puzzles that are wanted of a board, until one has no puzzle.

    A saved puzzle is reused unless a count or a seed asks for other puzzles.
    """
    instance = source.instance
    first_seed = source.seed if wanted.seed is None else wanted.seed
    if wanted.count is None and wanted.seed is None:
        saved = reusable_puzzle(instance, source.notes, wanted.total, wanted.efforts)
        if saved is not None:
            message = f"{_summary(saved)}; read as it was saved, with its solution"
            yield _Outcome(saved, Exit.YES, message)
            return
    count = wanted.count or 1
    levels = [wanted.difficulty]
    if wanted.difficulty is not None and count > 1:  # spread over the levels, the easiest first
        levels = [*map(str, levels_of(wanted.difficulty))]
    for number in range(count):
        of_level = replace(wanted, difficulty=levels[number * len(levels) // count])
        outcome = _new_outcome(instance, of_level, first_seed + number)
        yield outcome
        if outcome.puzzle is None:
            return


def _new_outcome(instance: Instance, wanted: PuzzleOptions, seed: int) -> _Outcome:
    """Make a puzzle as the options ask or, if none is found, the nearest one."""
    board = instance.board
    clues = _read_clues(wanted.clues, board)
    with spinner(f"making a puzzle of {board.title}") as show:
        try:
            puzzle = make_puzzle(
                instance,
                clues=clues,
                total=wanted.total,
                effort=wanted.efforts,
                seed=seed,
                time_limit=wanted.time_limit,
                progress=lambda left: show(f"removing clues: {left} to try"),
            )
        except OutOfTimeError:
            limit = f"the time limit of {wanted.time_limit:g} s was reached"
            message = f"unknown: {limit} before there was a puzzle of {board.title}; give more time"
            return _Outcome(None, Exit.NO_ANSWER, message)
        if puzzle is None:
            reason = why_impossible(instance, wanted.time_limit)
            return _Outcome(None, Exit.NO, f"impossible: {reason}")
    return _rated_outcome(puzzle, wanted)


def _rated_outcome(puzzle: Puzzle, wanted: PuzzleOptions) -> _Outcome:
    """Return the outcome for a puzzle: YES if it is as asked, else NO_ANSWER with the reason."""
    board = puzzle.instance.board
    summary = _summary(puzzle)
    if puzzle.off_pattern:
        off = ", ".join(board.name(square) for square in puzzle.off_pattern)
        missed = f"no tour that was tried has only clues on the pattern; this is the nearest: {off}"
        return _Outcome(puzzle, Exit.NO_ANSWER, f"{summary}; {missed}")
    if not has_effort(puzzle, wanted.efforts):
        level = wanted.difficulty or f"effort {wanted.effort}"
        missed = f"no puzzle of {board.title} that was tried is {level}; this is the nearest"
        return _Outcome(puzzle, Exit.NO_ANSWER, f"{summary}; {missed}")
    return _Outcome(puzzle, Exit.YES, summary)


def _read_clues(clues: str, board: Board) -> str | Pattern:
    """Return the name of a kind or pattern of clues unchanged, or the pattern in a file."""
    if clues in CLUE_NAMES:
        return clues
    wanted = f"one of {', '.join(CLUE_NAMES)}, or a file with a pattern for --clues"
    with open_input(clues, wanted) as stream:
        return Pattern.parse(board, read_text(stream, "a pattern has X where clues stand"))


def _summary(puzzle: Puzzle) -> str:
    """Return one line on a puzzle: its tour, its clues and its level."""
    order = puzzle.instance.order
    numbers = puzzle.givens.keys() - set(order)
    shown: list[str] = []
    if order:
        shown.append(f"{pluralize(len(order), 'square')} in order")
    if numbers:
        shown.append(pluralize(len(numbers), "number"))
    if puzzle.moves:
        shown.append(pluralize(len(puzzle.moves), "move"))
    parts = [f"{puzzle.solution.summary}, {join_words(shown) or 'nothing'} given"]
    if puzzle.level is not None:
        parts.append(f"{puzzle.level}, effort {puzzle.effort}")
    if puzzle.unfinished:
        parts.append("the time limit came first: some clues may be left out")
    return f"puzzle: {'; '.join(parts)}"
