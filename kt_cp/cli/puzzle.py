"""``kt board`` and ``kt puzzle``: boards that have a tour, and puzzles with one solution."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from kt_cp.board import Board, as_board
from kt_cp.board.maps import note_lines
from kt_cp.cli import options
from kt_cp.cli.options import ANIMATED, FILE, STILL, OutputFile, check_drawable, choice, picture
from kt_cp.cli.output import Exit, look_of, spinner, tell, write_lines, write_picture
from kt_cp.cli.reading import read_map_instances
from kt_cp.draw.book import Book, check_book, draw_book
from kt_cp.draw.puzzle import solution_picture
from kt_cp.draw.separate import SeparateFormat, draw_separately, make_directory
from kt_cp.draw.typesetting import check_fonts
from kt_cp.draw.wording import as_caption
from kt_cp.errors import InputError
from kt_cp.files import open_input, read_text
from kt_cp.phrases import join_words, pluralize
from kt_cp.problem.clock import OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.boards import solve_with_random_holes
from kt_cp.puzzles.clues import ClueKind, clues_of
from kt_cp.puzzles.conclusions import ContradictionError
from kt_cp.puzzles.conflicts import why_impossible
from kt_cp.puzzles.hints import next_hint
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.making import (
    CLUE_NAMES,
    effort_range,
    has_effort,
    make_puzzle,
    reusable_puzzle,
)
from kt_cp.puzzles.patterns import Pattern, PatternName
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.puzzles.words import ENGLISH


class _Source(NamedTuple):
    """A board argument, the instance that it and the options describe, and the notes of its map."""

    argument: str
    instance: Instance
    notes: dict[str, str]


@dataclass(frozen=True)
class _Wishes:
    """What a puzzle should be like: the values of the options of those names."""

    clues: str
    total: int | None
    difficulty: Level | None
    effort: str | None
    time_limit: float | None

    @property
    def efforts(self) -> EffortRange | None:
        """The wanted efforts, or None if any will do."""
        return effort_range(self.difficulty, self.effort)


class _Made(NamedTuple):
    """A puzzle, or None if there is none; the exit code, and a message about it."""

    puzzle: Puzzle | None
    code: Exit
    message: str


@dataclass(frozen=True)
class _PuzzleOutput:
    """Where and how puzzles are written: the values of the options of those names."""

    out: str | None
    solution: bool
    draw: str | None
    draw_solution: str | None
    book: str | None
    per_page: int | None
    book_title: str | None
    author: str
    each: str | None
    each_format: SeparateFormat

    @property
    def is_typeset(self) -> bool:
        """Whether a file needs fonts that have all letters of the language."""
        files = (self.book, self.draw, self.draw_solution)
        return any(file is not None and file.lower().endswith((".pdf", ".png")) for file in files)

    @property
    def is_page(self) -> bool:
        """Whether the picture is a page to play on, which can hold several puzzles."""
        return self.draw is not None and self.draw.lower().endswith(".html")


@click.command()
@options.with_instance
@click.option("--holes", type=int, default=0, help="How many squares become holes.")
@click.option("--symmetric", is_flag=True, help="A half-turn maps the holes onto themselves.")
@options.seed_option
@options.time_limit_option
@options.out_option
@options.draw_option
def board_command(instance: Instance, out: str | None, draw: str | None, **how: Any) -> int:
    """Make a random board that has a tour, and print its map.

    Holes are added to those of BOARD. The tour meets the constraints, whose squares do not become
    holes; --draw shows it. The map does not say whether the tour is closed: repeat --closed for kt
    puzzle.
    """
    board = as_board(instance.graph, "kt board")
    check_drawable(draw, board)
    with spinner(f"making a board of {board.title}"):
        result = solve_with_random_holes(instance, **how)
    if result.tour is None:
        tell(result.summary)
    else:
        board = result.tour.board
        write_lines([*str(board).splitlines(), *note_lines(board.unusual)], out)
        write_picture(result.tour, draw)
        tell(f"board: {board.title}, {pluralize(len(board.holes), 'hole')}; {result.summary}")
    return options.EXIT_CODE_OF[result.status]


@click.command()
@click.argument(
    "boards", type=FILE, metavar="BOARD...", nargs=-1, required=True, help=options.BOARD_HELP
)
@options.constraint_options
@click.option(
    "--clues",
    type=FILE,
    default="numbers",
    metavar="CLUES",
    help=f"What is shown: {', '.join(ClueKind)}; or where numbers stand: "
    f"{', '.join(PatternName)}, or a file that marks their squares with X.",
)
@click.option("--givens", "total", type=int, metavar="N", help="Show at least N clues.")
@choice("--difficulty", of=Level, help="How hard it is for a person")
@click.option("--effort", metavar="LOW..HIGH", help="How hard it is, as a range from 0 to 499.")
@click.option("--hint", is_flag=True, help="Name the number of one square, and say why.")
@click.option("--count", type=click.IntRange(1), help="Make N puzzles, from this seed on.")
@click.option("--seed", type=int, help="Seed of the random choices; that of the map, or 0.")
@options.time_limit_option
@click.option("--solution", is_flag=True, help="Write the solution too, as comments.")
@options.out_option
@picture("--draw", *STILL, help="Draw the puzzle; pages are to play on, and can hold several")
@picture("--draw-solution", *ANIMATED, help="Draw the solution, as kt solve does")
@click.option("--book", type=OutputFile(".pdf"), help="Write a .pdf with solutions at the end.")
@click.option("--per-page", type=click.IntRange(1, 12), help="The puzzles on a page of the book.")
@click.option("--book-title", help="The title on the cover of the book.")
@click.option("--author", default="", help="The author on the cover of the book.")
@options.paper_option
@click.option(
    "--each",
    type=click.Path(),
    metavar="DIRECTORY",
    help="Write a picture of each board, and a text file of its solution, for a layout program.",
)
@choice("--each-format", of=SeparateFormat, default="svg", help="The pictures of --each")
@options.words_options
@click.option("--title", multiple=True, help="The title, for each board, in place of the file's.")
@options.theme_option
@options.gray_option
def puzzle_command(boards: tuple[str, ...], hint: bool, **given: Any) -> int:
    """Make a puzzle: clues that determine one tour.

    Steps on the map, a start, an end and required moves are clues that are kept; the fewest
    additions found complete them to exactly one solution. The puzzle is printed as 'kt solve' reads
    it, with its other constraints in lines that begin with ';'; for --hint, BOARD is such a file.
    A file with several puzzles, as --count writes them, is read as that many boards.

    Each level has a hundred efforts. A puzzle for children is solved by one look at a time; an easy
    one needs moves that are drawn in mind, a medium one counting, and a hard one suppositions that
    fail soon. The other puzzles are for masters.

    Of several boards a puzzle each is made. Books and the files of --each, 01.svg and so on, begin
    with the one of the least effort. Titles are those of the maps, the names of their files, or
    those that --title gives. The time limit is that of each puzzle; the best one found by then is
    written.
    """
    constraints = options.take_instance_parameters(given)
    sources = _sources(boards, constraints)
    for source in sources:
        as_board(source.instance.graph, "kt puzzle")
    if hint:
        options.refuse(given.keys() - {"out"}, "with --hint, which makes no puzzle")
        return _hint(sources, given["out"])
    output = options.take(_PuzzleOutput, given)
    wishes = options.take(_Wishes, given)
    titles = given.pop("title")
    is_text = all(title.isprintable() for title in titles)
    if titles and not (is_text and len(titles) == len(sources)):
        raise InputError("--title: give a line of text for each board")
    _check_pictures(output, sources, is_several=given["count"] is not None or len(sources) > 1)
    puzzles, code = _make(sources, wishes, titles, **given)
    if puzzles:
        _write(puzzles, output)
    return code


def _sources(boards: tuple[str, ...], constraints: dict[str, Any]) -> list[_Source]:
    """Return a source for each argument, or several for a file that holds several puzzles."""
    sources: list[_Source] = []
    for name in boards:
        found = read_map_instances(name, **constraints)
        for number, (instance, notes) in enumerate(found, start=1):
            argument = name if len(found) == 1 else f"{name}, puzzle {number}"
            sources.append(_Source(argument, instance, notes))
    return sources


def _check_pictures(output: _PuzzleOutput, sources: list[_Source], is_several: bool) -> None:
    """Refuse pictures that cannot be drawn, and options without one, before any puzzle is made."""
    if output.book is None:
        options.refuse(("per_page", "book_title", "author"), "without --book")
    else:
        check_book([source.instance for source in sources], _book(output))
    if output.each is None:
        options.refuse(["each_format"], "without --each")
    else:
        make_directory(output.each, output.each_format, "--each")
    if is_several and (output.draw_solution or (output.draw and not output.is_page)):
        several = "--book, --each and a page (--draw puzzles.html) show several"
        raise InputError(f"--draw and --draw-solution show one puzzle; {several}")
    first = sources[0].instance.graph
    check_drawable(output.draw, first)
    check_drawable(output.draw_solution, first)
    words = look_of().words
    if output.is_typeset and words is not ENGLISH:
        check_fonts(words)


def _write(puzzles: list[Puzzle], output: _PuzzleOutput) -> None:
    """Write puzzles as text and as pictures; a book and separate files begin with the easiest."""
    if output.book is not None or output.each is not None:
        puzzles.sort(key=_book_order)
    texts = [_text(puzzle, output.solution) for puzzle in puzzles]
    write_lines(["\n\n".join(texts)], output.out)
    write_picture(puzzles if output.is_page else puzzles[0], output.draw)
    if output.draw_solution is not None:
        is_moving = output.draw_solution.lower().endswith((".gif", ".html"))
        solved = puzzles[0].solution if is_moving else solution_picture(puzzles[0], look_of())
        write_picture(solved, output.draw_solution)
    if output.book is not None:
        draw_book(puzzles, output.book, _book(output))
        tell(f"kt: wrote {output.book}")
    if output.each is not None:
        look = look_of()
        draw_separately(puzzles, output.each, output.each_format, look.theme, look.words)
        written = pluralize(len(puzzles), "picture")
        tell(f"kt: wrote {written} and as many solutions to {output.each}")


def _book(output: _PuzzleOutput) -> Book:
    """Return how the book looks by the options, and by --paper and --theme."""
    look, usual = look_of(), Book()
    return Book(
        look.paper or usual.paper,
        output.per_page,
        output.book_title,
        output.author,
        look.theme,
        look.words,
    )


def _book_order(puzzle: Puzzle) -> tuple[float, int]:
    """Return the key that sorts puzzles: by effort, those without one last, and then by size."""
    effort = math.inf if puzzle.effort is None else puzzle.effort
    return effort, len(puzzle.solution)


def _make(
    sources: list[_Source],
    wishes: _Wishes,
    titles: tuple[str, ...],
    count: int | None,
    seed: int | None,
) -> tuple[list[Puzzle], int]:
    """Make the puzzles of all boards, tell about each, and return them with the worst exit code.

    A saved puzzle is reused unless a ``count`` or a ``seed`` asks for other puzzles.
    """
    puzzles, code = list[Puzzle](), 0
    for index, (argument, instance, notes) in enumerate(sources):
        title = titles[index] if titles else _usual_title(argument, notes)
        first_seed = _noted_seed(notes) if seed is None else seed
        saved = None
        if count is None and seed is None:
            saved = reusable_puzzle(instance, notes, wishes.total, wishes.efforts)
        for number in range(count or 1):
            made = _reused(saved) if saved else _make_one(instance, wishes, first_seed + number)
            tell(f"{argument}: {made.message}" if len(sources) > 1 else made.message)
            code = max(code, made.code)
            if made.puzzle is None:
                break
            puzzles.append(replace(made.puzzle, title=title))
    return puzzles, code


def _usual_title(argument: str, notes: dict[str, str]) -> str | None:
    """Return the title of a map or the name of its file; a size and standard input have none."""
    if notes.get("title"):
        return notes["title"]
    file = Path(argument)
    return as_caption(file.stem) if file.is_file() else None


def _noted_seed(notes: dict[str, str]) -> int:
    """Return the seed that the notes of a map give, or 0. Raises `InputError` for other text."""
    seed = notes.get("seed", "0")
    if not seed.isdecimal():
        raise InputError(f"the map has seed {seed!r}: give a whole number")
    return int(seed)


def _reused(saved: Puzzle) -> _Made:
    """Return a saved puzzle as the one that is made."""
    message = f"{_summary(saved)}; read as it was saved, with its solution"
    return _Made(saved, Exit.YES, message)


def _make_one(instance: Instance, wishes: _Wishes, seed: int) -> _Made:
    """Make a puzzle as asked for; if none is found, the nearest one."""
    board = instance.board
    clues = _read_clues(wishes.clues, board)
    with spinner(f"making a puzzle of {board.title}") as say:
        try:
            puzzle = make_puzzle(
                instance,
                clues=clues,
                total=wishes.total,
                effort=wishes.efforts,
                seed=seed,
                time_limit=wishes.time_limit,
                progress=lambda left: say(f"removing clues: {left} to try"),
            )
        except OutOfTimeError:
            limit = f"the time limit of {wishes.time_limit:g} s was reached"
            message = f"unknown: {limit} before there was a puzzle of {board.title}; give more time"
            return _Made(None, Exit.NO_ANSWER, message)
        if puzzle is None:
            reason = why_impossible(instance, wishes.time_limit)
            return _Made(None, Exit.NO, f"impossible: {reason}")
    return _judged(puzzle, wishes)


def _judged(puzzle: Puzzle, wishes: _Wishes) -> _Made:
    """Return the outcome for a puzzle: whether it is as asked for, and if not, why."""
    board = puzzle.instance.board
    summary = _summary(puzzle)
    if puzzle.off_pattern:
        off = ", ".join(board.name(square) for square in puzzle.off_pattern)
        missed = f"no tour that was tried has only clues on the pattern; this is the nearest: {off}"
        return _Made(puzzle, Exit.NO_ANSWER, f"{summary}; {missed}")
    if not has_effort(puzzle, wishes.efforts):
        wanted = wishes.difficulty or f"effort {wishes.effort}"
        missed = f"no puzzle of {board.title} that was tried is {wanted}; this is the nearest"
        return _Made(puzzle, Exit.NO_ANSWER, f"{summary}; {missed}")
    return _Made(puzzle, Exit.YES, summary)


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
    clues = {"number": len(numbers), "move": len(puzzle.moves)}
    shown = [pluralize(count, name) for name, count in clues.items() if count]
    if order:
        shown = [f"{pluralize(len(order), 'square')} in order", *shown]
    parts = [f"{puzzle.solution.summary}, {join_words(shown) or 'nothing'} given"]
    if puzzle.level is not None:
        parts.append(f"{puzzle.level}, effort {puzzle.effort}")
    if puzzle.unfinished:
        parts.append("the time limit came first: some clues may be left out")
    return f"puzzle: {'; '.join(parts)}"


def _hint(sources: list[_Source], out: str | None) -> int:
    """Write the number of one square that a person can find, and the deductions behind it."""
    if len(sources) > 1:
        raise InputError("--hint: give one puzzle")
    [(_, instance, notes)] = sources
    if not notes and not clues_of(instance) and not instance.forbid:
        make = "make a puzzle with --out FILE, and give that file"
        raise InputError(f"--hint: {instance.board.title} has no clue yet; {make}")
    try:
        found = next_hint(instance)
    except ContradictionError as error:
        tell(f"impossible: {why_impossible(instance) or error}")
        return Exit.NO
    if len(instance.steps) == len(instance.board):
        tell("every number is on the board: nothing is left to find")
        return Exit.YES
    if found is None:
        tell("unknown: no number follows by the rules; a move must be tried")
        return Exit.NO_ANSWER
    write_lines(found.lines(look_of().words), out)
    return Exit.YES


def _text(puzzle: Puzzle, solution: bool) -> str:
    """Return a puzzle as text, on request with the solution in comments."""
    lines = [str(puzzle)]
    if solution:
        lines.append("; solution:")
        lines += [f"; {line}" for line in str(puzzle.solution).splitlines()]
    return "\n".join(lines)
