"""``kt board`` and ``kt puzzle``: boards that have a tour, and puzzles with one solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from kt_cp.board import Board, as_board
from kt_cp.board.maps import note_lines
from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.arguments import read_instances, take_instance_parameters, with_instance
from kt_cp.cli.options import FILE, OutputFile, choice_option, look_options, picture_option
from kt_cp.cli.output import (
    END_ADVICE,
    Exit,
    check_picture,
    spinner,
    tell,
    write_lines,
    write_picture,
)
from kt_cp.draw.book import (
    MAX_PUZZLES,
    Book,
    SeparateFormat,
    check_book,
    draw_book,
    draw_separately,
    prepare_directory,
)
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES, Look
from kt_cp.draw.output import fonts_for, is_printed
from kt_cp.draw.picture import as_caption
from kt_cp.draw.puzzles import solution_picture
from kt_cp.files import open_input, read_text
from kt_cp.messages import InputError, join_words, pluralize
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError
from kt_cp.puzzles.boards import solve_with_random_holes
from kt_cp.puzzles.deduction import next_hint
from kt_cp.puzzles.facts import ContradictionError
from kt_cp.puzzles.making import (
    CLUE_NAMES,
    effort_range,
    has_effort,
    levels_of,
    make_puzzle,
    reusable_puzzle,
)
from kt_cp.puzzles.puzzle import (
    ClueKind,
    EffortRange,
    Level,
    Pattern,
    PatternName,
    Puzzle,
    clues_of,
)
from kt_cp.puzzles.uniqueness import why_impossible
from kt_cp.puzzles.words import ENGLISH, Words

# -- kt board --------------------------------------------------------------------------------------


@as_subcommand()
@with_instance
@click.option("--holes", type=int, default=0, help="How many squares become holes.")
@click.option("--symmetric", is_flag=True, help="A half-turn maps the holes onto themselves.")
@options.seed_option
@options.time_limit_option
@options.out_option
@options.draw_option(*TOUR_SUFFIXES)
def board_command(
    instance: Instance, out: str | None, draw: str | None, look: Look, **given: Any
) -> int:
    """Make a random board that has a tour, and print its map.

    Holes are added to those of BOARD. The tour meets the constraints, whose squares do not become
    holes; --draw shows it. The map does not say whether the tour is closed: repeat --closed for kt
    puzzle.
    """
    board = as_board(instance.graph, "kt board")
    check_picture(draw, board)
    with spinner(f"making a board of {board.title}", advice=END_ADVICE):
        result = solve_with_random_holes(instance, **given)
    if result.tour is None:
        tell(result.summary)
    else:
        board = result.tour.board
        write_lines([*str(board).splitlines(), *note_lines(board.unusual)], out)
        write_picture(result.tour, draw, look)
        tell(f"board: {board.title}, {pluralize(len(board.holes), 'hole')}; {result.summary}")
    return Exit.of(result.status)


# -- kt puzzle -------------------------------------------------------------------------------------


@as_subcommand()
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
@click.option(
    "--difficulty",
    metavar="LEVEL",
    help=f"How hard it is for a person: {', '.join(Level)}, or a range such as easy..hard, over "
    "which --count spreads the puzzles.",
)
@click.option("--effort", metavar="LOW..HIGH", help="How hard it is, as a range from 0 to 499.")
@click.option("--hint", is_flag=True, help="Name the number of one square, and say why.")
@click.option("--number", type=click.IntRange(1), help="Of several puzzles, that of --hint.")
@click.option("--count", type=click.IntRange(1), help="Make N puzzles, from this seed on.")
@click.option("--seed", type=int, help="Seed of the random choices; that of the map, or 0.")
@options.time_limit_option
@click.option("--solution", is_flag=True, help="Write the solution too, as comments.")
@options.out_option
@picture_option(
    "--draw", *PICTURE_SUFFIXES, help="Draw the puzzle; pages are to play on, and can hold several"
)
@picture_option("--draw-solution", *TOUR_SUFFIXES, help="Draw the solution, as kt solve does")
@click.option("--book", type=OutputFile(".pdf"), help="Write a .pdf with solutions at the end.")
@click.option(
    "--per-page", type=click.IntRange(1, MAX_PUZZLES), help="The puzzles on a page of the book."
)
@click.option("--book-title", help="The title on the cover of the book.")
@click.option(
    "--author", default="", show_default=False, help="The author on the cover of the book."
)
@click.option(
    "--each",
    type=click.Path(),
    metavar="DIRECTORY",
    help="Write a picture of each board, and a text file of its solution, for a layout program.",
)
@choice_option("--each-format", of=SeparateFormat, default="svg", help="The pictures of --each")
@click.option("--title", multiple=True, help="The title, for each board, in place of the file's.")
@look_options("theme", "paper", "words")
def puzzle_command(
    boards: tuple[str, ...], hint: bool, number: int | None, title: tuple[str, ...], **given: Any
) -> int:
    """Make a puzzle: clues that determine one tour.

    Steps on the map, a start, an end and required moves are clues that are kept; the fewest
    additions found complete them to exactly one solution. The puzzle is printed as 'kt solve' reads
    it, with its other constraints in lines that begin with ';'; for --hint, BOARD is such a file.
    A file with several puzzles, as --count writes them, is read as that many boards.

    Each level has a hundred efforts. Puzzles for children need one observation at a time; easy ones
    need moves drawn in the mind, medium ones counting, and hard ones suppositions that fail soon.
    The other puzzles are for masters.

    For several boards, one puzzle each is made. Books and the files of --each (01.svg and so on)
    are sorted by effort, the easiest first. A title is that of the map, the name of its file, or
    what --title gives; those of several puzzles of one board are numbered. The time limit is that
    of each puzzle; the best one found by then is written.
    """
    sources = read_sources(boards, take_instance_parameters(given))
    for source in sources:
        as_board(source.instance.graph, "kt puzzle")
    if hint:
        options.refuse({*given, "title"} - {"out"}, "with --hint, which makes no puzzle")
        return write_hint(sources, number, given["out"], given["look"].words)
    options.refuse(["number"], "without --hint")
    output = options.take_options(PuzzleOutput, given)
    request = options.take_options(PuzzleOptions, given)
    is_text = all(each.isprintable() for each in title)
    title_counts = (0, len(sources), len(sources) * (request.count or 1))
    if not is_text or len(title) not in title_counts:
        raise InputError("--title: give a line of text for each board")
    boards_drawn = [source.instance for source in sources]
    output.prepare(boards_drawn, is_several=request.count is not None or len(sources) > 1)
    puzzles, code = make_puzzles(sources, request, title, output.look.words)
    if puzzles:
        output.write(puzzles)
    return code


# -- what is asked for -----------------------------------------------------------------------------


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
        return as_caption(file.stem.replace("-", " ")) if file.is_file() else None

    def usual_title(self, puzzle: Puzzle, words: Words | None) -> str | None:
        """Return the title of a puzzle from this source or, if ``words`` are given, its level."""
        if self.title is None and words is not None and puzzle.level is not None:
            return words.level(puzzle.level).capitalize()
        return self.title

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
        instances = [*read_instances(name, **constraints)]
        for number, (instance, notes) in enumerate(instances, start=1):
            argument = name if len(instances) == 1 else f"{name}, puzzle {number}"
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
        """The range of efforts that is wanted, if any."""
        return effort_range(self.difficulty, self.effort)

    def of_each(self, seed: int) -> list[PuzzleOptions]:
        """Return the options of each puzzle of a board: its seed, from this one on, and its level.

        Several puzzles are spread over a range of levels, the easiest first.
        """
        count = self.count or 1
        levels = [self.difficulty]
        if self.difficulty is not None and count > 1:
            levels = [*map(str, levels_of(self.difficulty))]
        return [
            replace(self, seed=seed + number, difficulty=levels[number * len(levels) // count])
            for number in range(count)
        ]


# -- making puzzles --------------------------------------------------------------------------------


def make_puzzles(
    sources: list[Source], request: PuzzleOptions, titles: tuple[str, ...], words: Words
) -> tuple[list[Puzzle], Exit]:
    """Make the puzzles of all boards, tell about each, and return them with the worst exit code.

    ``titles`` has a title for each board or for each puzzle, or none for the usual titles, which
    are the levels in a set over several levels. Several puzzles of one title are numbered.
    """
    puzzles: list[Puzzle] = []
    worst = Exit.YES
    count = request.count or 1
    per_board = len(titles) // len(sources)
    is_spread = len({each.difficulty for each in request.of_each(0)}) > 1
    for index, source in enumerate(sources):
        own_titles = titles[index * per_board : (index + 1) * per_board]
        numbers: Counter[str] = Counter()
        for place, (puzzle, code, message) in enumerate(_outcomes(source, request)):
            tell(f"{source.argument}: {message}" if len(sources) > 1 else message)
            worst = max(worst, code)
            if puzzle is None:
                continue
            title = source.usual_title(puzzle, words if is_spread else None)
            if own_titles:
                title = own_titles[min(place, per_board - 1)]
            if title is not None and count > 1 and per_board < count:
                numbers[title] += 1
                title = f"{title} {numbers[title]}"
            puzzles.append(replace(puzzle, title=title))
    return puzzles, worst


class _Outcome(NamedTuple):
    """The puzzle that was made or None, the exit code for it, and a message about it."""

    puzzle: Puzzle | None
    code: Exit
    message: str


def _outcomes(source: Source, request: PuzzleOptions) -> Iterator[_Outcome]:
    """Yield the outcome for each puzzle of a board, up to the first that cannot be made.

    A saved puzzle is reused unless a count or a seed asks for other puzzles.
    """
    seed = source.seed if request.seed is None else request.seed
    if request.count is None and request.seed is None:
        saved = reusable_puzzle(source.instance, source.notes, request.total, request.efforts)
        if saved is not None:
            message = f"{_summary(saved)}; read as it was saved, with its solution"
            yield _Outcome(saved, Exit.YES, message)
            return
    for each in request.of_each(seed):
        outcome = _make(source.instance, each)
        yield outcome
        if outcome.puzzle is None:
            return


def _make(instance: Instance, request: PuzzleOptions) -> _Outcome:
    """Make a puzzle as the options ask or, if none is found, the nearest one."""
    board = instance.board
    with spinner(f"making a puzzle of {board.title}", advice=END_ADVICE) as show:
        try:
            puzzle = make_puzzle(
                instance,
                clues=_read_clues(request.clues, board),
                total=request.total,
                effort=request.efforts,
                seed=request.seed or 0,
                time_limit=request.time_limit,
                progress=lambda left: show(f"removing clues: {left} to try"),
            )
        except OutOfTimeError:
            message = (
                f"unknown: the time limit of {request.time_limit:g} s was reached before there was "
                f"a puzzle of {board.title}; give more time"
            )
            return _Outcome(None, Exit.NO_ANSWER, message)
        if puzzle is None:
            message = f"impossible: {why_impossible(instance, request.time_limit)}"
            return _Outcome(None, Exit.NO, message)
    missed = ""
    if puzzle.off_pattern:
        squares = ", ".join(map(board.name, puzzle.off_pattern))
        missed = (
            "; no tour that was tried has only clues on the pattern; this is the nearest: "
            f"{squares}"
        )
    elif not has_effort(puzzle, request.efforts):
        level = request.difficulty or f"effort {request.effort}"
        missed = f"; no puzzle of {board.title} that was tried is {level}; this is the nearest"
    return _Outcome(puzzle, Exit.NO_ANSWER if missed else Exit.YES, f"{_summary(puzzle)}{missed}")


def _read_clues(clues: str, board: Board) -> str | Pattern:
    """Return the name of a kind or pattern of clues unchanged, or the pattern in a file."""
    if clues in CLUE_NAMES:
        return clues
    expected_text = f"one of {', '.join(CLUE_NAMES)}, or a file with a pattern for --clues"
    with open_input(clues, expected_text) as stream:
        return Pattern.parse(board, read_text(stream, "a pattern has X where clues stand"))


def _summary(puzzle: Puzzle) -> str:
    """Return one line on a puzzle: its tour, its clues and its level."""
    order = puzzle.instance.order
    numbers = puzzle.givens.keys() - set(order)
    counts = [f"{pluralize(len(order), 'square')} in order"] if order else []
    for clues, noun in ((numbers, "number"), (puzzle.moves, "move")):
        if clues:
            counts.append(pluralize(len(clues), noun))
    parts = [f"{puzzle.solution.summary}, {join_words(counts) or 'nothing'} given"]
    if puzzle.level is not None:
        parts.append(f"{puzzle.level}, effort {puzzle.effort}")
    if puzzle.unfinished:
        parts.append("the time limit came first: some clues may be left out")
    return f"puzzle: {'; '.join(parts)}"


# -- writing puzzles -------------------------------------------------------------------------------


@dataclass(frozen=True)
class PuzzleOutput:
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
    look: Look

    @property
    def book_layout(self) -> Book:
        """How the book looks."""
        return Book(self.look, self.per_page, self.book_title, self.author)

    @property
    def is_page(self) -> bool:
        """Whether the picture is a page to play on, which can hold several puzzles."""
        return self.draw is not None and self.draw.lower().endswith(".html")

    def prepare(self, instances: list[Instance], is_several: bool) -> None:
        """Refuse what cannot be written, before any puzzle is made; make the folder of --each.

        ``is_several`` tells whether more than one puzzle is wanted.
        """
        if is_several and (self.draw_solution or (self.draw and not self.is_page)):
            raise InputError(
                "--draw and --draw-solution show one puzzle; --book, --each and a page "
                "(--draw puzzles.html) show several"
            )
        for instance in instances:
            check_picture(self.draw, instance.graph)
            check_picture(self.draw_solution, instance.graph)
        files = filter(None, (self.draw, self.draw_solution, self.book))
        if self.look.words is not ENGLISH and any(map(is_printed, files)):
            fonts_for("".join(self.look.words.texts.values()))
        if self.book is None:
            options.refuse(("per_page", "book_title", "author"), "without --book")
        else:
            check_book(instances, self.book_layout)
        if self.each is None:
            options.refuse(["each_format"], "without --each")
        else:
            prepare_directory(self.each, self.each_format, "--each")

    def write(self, puzzles: list[Puzzle]) -> None:
        """Write puzzles as text and as pictures, the easiest first for --book and --each."""
        if self.book is not None or self.each is not None:
            # Puzzles without an effort are last; of the same effort the smallest is first.
            puzzles = sorted(
                puzzles,
                key=lambda each: (each.effort is None, each.effort or 0, len(each.solution)),
            )
        write_lines(["\n\n".join(map(self._text, puzzles))], self.out)
        write_picture(puzzles if self.is_page else puzzles[0], self.draw, self.look)
        if self.draw_solution is not None:
            is_stepped = self.draw_solution.lower().endswith((".gif", ".html"))
            look = replace(self.look, printed=is_printed(self.draw_solution))
            solved = puzzles[0].solution if is_stepped else solution_picture(puzzles[0], look)
            write_picture(solved, self.draw_solution, look)
        if self.book is not None:
            draw_book(puzzles, self.book, self.book_layout)
            tell(f"kt: wrote {self.book}")
        if self.each is not None:
            draw_separately(puzzles, self.each, self.each_format, self.look.theme, self.look.words)
            pictures = pluralize(len(puzzles), "picture")
            tell(f"kt: wrote {pictures} and as many solutions to {self.each}")

    def _text(self, puzzle: Puzzle) -> str:
        """Return a puzzle as text, with its solution in comments if that is wanted."""
        rows = ["solution:", *str(puzzle.solution).splitlines()] if self.solution else []
        return "\n".join([f"{puzzle}", *(f"; {row}" for row in rows)])


# -- hints -----------------------------------------------------------------------------------------


def write_hint(sources: list[Source], number: int | None, out: str | None, words: Words) -> Exit:
    """Write the number of one square that a person can find, and the deductions behind it.

    Of several puzzles, the one of this ``number``, from 1, is taken.
    """
    if number is None and len(sources) > 1:
        raise InputError(f"--hint: give one puzzle, or its --number from 1 to {len(sources)}")
    if number is not None and number > len(sources):
        raise InputError(f"--number {number}: give a number from 1 to {len(sources)}")
    _, instance, notes = sources[(number or 1) - 1]
    if not notes and not clues_of(instance) and not instance.forbid:
        raise InputError(
            f"--hint: {instance.board.title} has no clue yet; make a puzzle with --out FILE, and "
            "give that file"
        )
    try:
        hint = next_hint(instance)
    except ContradictionError as error:
        tell(f"impossible: {why_impossible(instance) or error}")
        return Exit.NO
    if len(instance.steps) == len(instance.board):
        tell("every number is on the board: nothing is left to find")
        return Exit.YES
    if hint is None:
        tell("unknown: no number follows by the rules; a move must be tried")
        return Exit.NO_ANSWER
    write_lines(hint.lines(words), out)
    return Exit.YES
