"""``kt board`` and ``kt puzzle``: boards that have a tour, and puzzles with one solution."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from kt_cp.board import as_board
from kt_cp.board.maps import note_lines
from kt_cp.cli import options
from kt_cp.cli.options import instance_parameters, read_instance
from kt_cp.cli.output import (
    Exit,
    check_drawing,
    check_output,
    spinner,
    tell,
    tell_written,
    write_lines,
    write_picture,
)
from kt_cp.draw.output import check_picture, draw_book
from kt_cp.draw.puzzle import solution_picture
from kt_cp.errors import InputError, pluralize
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import refute
from kt_cp.puzzles.boards import random_tour
from kt_cp.puzzles.deduction import ContradictionError, Grade, explain
from kt_cp.puzzles.puzzle import ClueKind, Puzzle, clues_of, conflicting_clues, make_puzzle
from kt_cp.solving import solve
from kt_dfs import Status


@click.command()
@instance_parameters
@click.option("--holes", type=int, default=0, help="How many squares become holes.")
@click.option("--symmetric", is_flag=True, help="A half-turn maps the holes onto themselves.")
@options.seed_option
@options.time_limit_option
@options.out_option
@options.draw_option
def board_command(
    holes: int,
    symmetric: bool,
    seed: int,
    time_limit: float | None,
    out: str | None,
    draw: str | None,
    **asked: Any,
) -> int:
    """Make a random board that has a tour, and print its map.

    Holes are added to those of BOARD. The tour meets the constraints, whose squares do not become
    holes; --draw shows it. The map does not say whether the tour is closed: repeat --closed for kt
    puzzle.

    Exit code 0: here it is; 1: no such board has a tour; 2: invalid input; 3: none was found.
    """
    given, constraints, _ = read_instance(**asked)
    board = as_board(given, "kt board")
    check_text_output(out)
    check_drawing(draw, board)
    with spinner(f"making a board of {board.title}"):
        result = random_tour(
            board, holes, symmetric=symmetric, seed=seed, time_limit=time_limit, **constraints
        )
    if result.tour is None:
        tell(f"{result.status.value}: {result.reason}")
        return Exit.NO if result.status is Status.IMPOSSIBLE else Exit.NO_ANSWER
    board = result.tour.board
    unusual = {name: note for name, note in board.as_dict().items() if isinstance(note, str)}
    write_lines([*str(board).splitlines(), *note_lines(unusual)], out)
    write_picture(result.tour, draw)
    tell(f"board: {board.title}, {pluralize(len(board.holes), 'hole')}; {result.summary}")
    return 0


@click.command()
@click.argument(
    "boards",
    type=options.FILE,
    metavar="BOARD...",
    nargs=-1,
    required=True,
    help=options.BOARD_HELP,
)
@options.constraint_options
@options.choice("--clues", of=ClueKind, help="What is shown")
@click.option("--givens", type=int, metavar="N", help="Show at least N clues.")
@options.choice("--difficulty", of=Grade, help="How hard it is for a person")
@click.option(
    "--hint", is_flag=True, help="Tell in words what follows next in a puzzle that was made."
)
@click.option("--count", type=int, metavar="N", help="Make N puzzles, from this seed on.")
@click.option("--seed", type=int, help="Seed of the random choices; that of the map, or 0.")
@click.option(
    "--time-limit",
    type=float,
    metavar="SECONDS",
    help="Stop after this time for each puzzle, with the best found so far.",
)
@click.option("--solution", is_flag=True, help="Write the solution too, as comments.")
@options.out_option
@click.option(
    "--draw", type=options.FILE, help="Draw the puzzle: .svg, .png, .pdf, or .html to play it."
)
@click.option("--draw-solution", type=options.FILE, help="Draw the solution, as kt solve does.")
@click.option("--book", type=options.FILE, help="Write a .pdf to print, with solutions at the end.")
@click.option(
    "--title",
    multiple=True,
    metavar="TEXT",
    help="The title in place of the file's name. Repeat it for each board.",
)
@options.theme_option
def puzzle_command(
    boards: tuple[str, ...],
    hint: bool,
    out: str | None,
    solution: bool,
    draw: str | None,
    draw_solution: str | None,
    book: str | None,
    title: tuple[str, ...],
    **given: Any,
) -> int:
    """Make a puzzle: clues that one tour fits, none of which can be left out.

    Steps on the map, a start, an end and required moves are clues that are kept; the fewest
    additions found complete them to exactly one solution. A puzzle is easy if simple rules suffice
    to solve it, medium if one supposition at a time is needed too, and hard otherwise. The puzzle
    is printed as 'kt solve' reads it, with its other constraints in lines that begin with ';'; for
    --hint, BOARD is such a file.

    Of several boards a puzzle each is made, and a book begins with the one of the least effort. It
    has the titles of the maps, the names of their files, or those that --title gives.

    Exit code 0: here it is; 1: there is no tour, or the clues contradict each other; 2: invalid
    input; 3: no puzzle of that difficulty was found, or none in time, or there is no hint.
    """
    names = ("clues", "givens", "difficulty", "count", "seed", "time_limit")
    making = {name: given.pop(name) for name in names}
    check_text_output(out)
    asked = [_read(board, given) for board in boards]
    if hint:
        others = {"draw": draw, "draw-solution": draw_solution, "book": book, "solution": solution}
        others |= {name.replace("_", "-"): value for name, value in making.items()}
        if useless := [name for name, value in {**others, "title": title}.items() if value]:
            raise InputError(f"--{useless[0]}: --hint makes no puzzle; leave it out")
        return _hint(asked, out)
    if any(not each.strip() or not each.isprintable() for each in title):
        raise InputError("--title: give a line of text")
    if title and len(title) != len(boards):
        raise InputError(f"--title: give {len(boards)} titles, one for each board, or none")
    for option, file in (("--draw", draw), ("--draw-solution", draw_solution)):
        if file is not None and (making["count"] is not None or len(asked) > 1):
            raise InputError(f"{option}: shows one puzzle; --book shows several")
        check_drawing(file, asked[0].instance.board, option != "--draw", option)
    if book is not None:
        check_picture(book, "--book", fitting=(".pdf",))
    puzzles, code = _make(asked, title, **making)
    if not puzzles:
        return code
    if book is not None:
        puzzles.sort(key=lambda p: (math.inf if p.effort is None else p.effort, len(p.solution)))
    write_lines(_lines(puzzles, solution), out)
    write_picture(puzzles[0], draw)
    is_moving = str(draw_solution).lower().endswith((".gif", ".html"))
    solved = puzzles[0].solution if is_moving else solution_picture(puzzles[0])
    write_picture(solved, draw_solution)
    if book is not None:
        draw_book(puzzles, book)
        tell_written(book)
    return code


class _Asked(NamedTuple):
    """A board argument, the instance it stands for with the options, and the notes of its map."""

    argument: str
    instance: Instance
    notes: dict[str, str]


def _read(argument: str, constraints: Any) -> _Asked:
    board, both, notes = read_instance(argument, **constraints)
    return _Asked(argument, Instance.of(as_board(board, "kt puzzle"), **both), notes)


def check_text_output(out: str | None) -> None:
    """Refuse an output that cannot be written, or whose name is that of a picture."""
    if out is not None and Path(out).suffix.lower() in (".svg", ".png", ".pdf", ".gif", ".html"):
        raise InputError(f"--out {out}: the answer is text; --draw writes a picture")
    check_output(out)


def _make(
    asked: list[_Asked],
    titles: tuple[str, ...],
    count: int | None,
    seed: int | None,
    clues: ClueKind | None,
    givens: int | None,
    **making: Any,
) -> tuple[list[Puzzle], int]:
    """Return the puzzles of all boards, and the exit code; what could not be made is told."""
    if count is not None and count < 1:
        raise InputError(f"--count {count}: give at least 1")
    puzzles, codes = list[Puzzle](), {0}
    for place, each in enumerate(asked):
        file = Path(each.argument)  # a size and standard input have no title
        named = each.notes.get("title") or (file.stem if file.is_file() else None)
        title = titles[place] if titles else named
        if seed is None and not (note := each.notes.get("seed", "0")).isdecimal():
            raise InputError(f"the map has seed {note!r}: give a whole number")
        first = int(note) if seed is None else seed
        for number in range(count or 1):
            making |= {"seed": first + number, "clues": clues or "numbers", "total": givens}
            puzzle = _make_one(each, **making)
            if not isinstance(puzzle, Puzzle):
                tell(f"{each.argument}: {puzzle[1]}" if len(asked) > 1 else puzzle[1])
                codes.add(puzzle[0])
                break
            puzzles.append(replace(puzzle, title=title))
    return puzzles, max(codes)


def _make_one(asked: _Asked, **making: Any) -> Puzzle | tuple[Exit, str]:
    """Return a puzzle, and tell about it, or an exit code and why there is none."""
    board, wanted, limit = asked.instance.board, making["difficulty"], making["time_limit"]
    with spinner(f"making a puzzle of {board.title}") as say:
        making["progress"] = lambda left: say(f"removing clues: {left} to try")
        try:
            puzzle = make_puzzle(asked.instance, **making)
        except OutOfTime:
            late = f"the time limit of {limit:g} s was reached before there was a puzzle"
            return Exit.NO_ANSWER, f"unknown: {late} of {board.title}; give more time"
        if puzzle is None:
            return Exit.NO, f"impossible: {_reason(asked.instance, limit)}"
    if wanted not in (None, puzzle.grade):
        found = "hardest" if list(Grade).index(wanted) > 0 and puzzle.grade != "hard" else "easiest"
        squares = pluralize(len(board), "square")
        text = f"no {wanted} puzzle on {squares} was found; the {found} found is {puzzle.grade}"
        return Exit.NO_ANSWER, f"unknown: {text}"
    numbers, moves = len(puzzle.givens), len(puzzle.moves)
    shown = [pluralize(numbers, "number")] if numbers or not moves else []
    shown += [pluralize(moves, "move")] if moves else []
    about = [f"{puzzle.solution.summary}, {' and '.join(shown)} given"]
    about += [f"{puzzle.grade}, effort {puzzle.effort:,}"] if puzzle.grade else []
    about += ["the time limit came first: some clues may be left out"] if puzzle.unfinished else []
    tell(f"puzzle: {'; '.join(about)}")
    return puzzle


def _hint(asked: list[_Asked], out: str | None) -> int:
    """Write what follows next from a puzzle by the rules, or by a supposition."""
    if len(asked) > 1:
        raise InputError("--hint: give one puzzle")
    [(_, instance, notes)] = asked
    if not notes and not clues_of(instance) and not instance.forbid:
        make = "make a puzzle with --out FILE, and give that file"
        raise InputError(f"--hint: {instance.board.title} has no clue yet; {make}")
    try:
        deduction = next(explain(instance), None)
    except ContradictionError as error:
        tell(f"impossible: {_reason(instance) or error}")
        return Exit.NO
    if deduction is None:
        tell("unknown: nothing follows by the rules; a move must be tried")
        return Exit.NO_ANSWER
    write_lines([str(deduction)], out)
    return 0


def _reason(instance: Instance, time_limit: float | None = None) -> str | None:
    """Say why there is no tour, by clues that contradict each other if any; None if there is."""
    with suppress(OutOfTime):
        if clues := conflicting_clues(instance, time_limit=time_limit):
            why = refute(instance)
            which = "these contradict each other" if len(clues) > 1 else "this clue cannot be met"
            return f"{which}: {', '.join(clues)}{f' ({why})' if why else ''}"
    result = solve(instance, time_limit=time_limit)
    return "there is no tour" if result.status is Status.UNKNOWN else result.reason


def _lines(puzzles: list[Puzzle], solution: bool) -> list[str]:
    """Return the lines of all puzzles, with a blank line between one and the next."""
    lines: list[str] = []
    for puzzle in puzzles:
        lines += ["", *puzzle.lines()] if lines else puzzle.lines()
        if solution:
            lines += ["; solution:", *(f"; {line}" for line in str(puzzle.solution).splitlines())]
    return lines
