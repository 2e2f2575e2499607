"""``kt board`` and ``kt puzzle``: boards that have a tour, and puzzles with one solution."""

from __future__ import annotations

from typing import Unpack

import click

from kt_cp.board.maps import note_lines
from kt_cp.cli import options
from kt_cp.cli.options import Asked, instance_parameters, read_instance, read_noted_instance
from kt_cp.cli.output import check_output, spinner, write_lines
from kt_cp.cli.process import Exit, tell
from kt_cp.draw.output import check_picture, draw_picture, draw_tour
from kt_cp.draw.puzzle import Paper, check_book, draw_book, puzzle_picture
from kt_cp.errors import InputError, pluralize
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import refute
from kt_cp.puzzles.boards import random_tour
from kt_cp.puzzles.deduction import ContradictionError, Grade, explain
from kt_cp.puzzles.puzzle import ClueKind, Puzzle, make_puzzle
from kt_cp.puzzles.uniqueness import clues_of, conflicting_clues
from kt_cp.solving import solve_instance
from kt_dfs import Status


@click.command()
@instance_parameters
@click.option("--holes", type=int, default=0, help="How many squares become holes.")
@click.option("--symmetric", is_flag=True, help="A half-turn maps the holes onto themselves.")
@options.seed_option
@options.out_option
@options.draw_option
def board_command(
    holes: int,
    symmetric: bool,
    seed: int,
    out: str | None,
    draw: str | None,
    **asked: Unpack[Asked],
) -> int:
    """Make a random board that has a tour, and print its map.

    BOARD is a size such as 8x8 (rows x columns), a file with a map to which holes are added, or -
    for standard input. The tour meets the constraints, whose squares do not become holes; --draw
    shows it. The map does not say whether the tour is closed: repeat --closed for kt puzzle.

    Exit code 0: here it is; 1: no such board has a tour; 2: the input makes no sense; 3: none was
    found.
    """
    board, constraints = read_instance(**asked)
    check_output(out)
    if draw is not None:
        from kt_cp.draw.output import check_picture

        check_picture(draw, board=board)
    with spinner(f"making a board of {board.title}"):
        result = random_tour(board, holes, symmetric=symmetric, seed=seed, **constraints)
    if result.tour is None:
        tell(f"{result.status.value}: {result.reason}")
        return Exit.NO if result.status is Status.IMPOSSIBLE else Exit.NO_ANSWER
    board = result.tour.board
    unusual = {name: note for name, note in board.as_dict().items() if isinstance(note, str)}
    write_lines([*str(board).splitlines(), *note_lines(unusual)], out)
    if draw is not None:
        from kt_cp.draw.output import draw_tour

        draw_tour(result.tour, draw)
    tell(f"board: {board.title}, {pluralize(len(board.holes), 'hole')}; {result.summary}")
    return 0


@click.command()
@instance_parameters
@options.choice("--clues", of=ClueKind, help="What is shown")
@click.option("--givens", "total", type=int, metavar="N", help="Show at least N clues.")
@options.choice("--difficulty", of=Grade, help="How hard it is for a person")
@click.option(
    "--hint", is_flag=True, help="Tell in words what follows next in a puzzle that was made."
)
@click.option("--count", type=int, metavar="N", help="Make N puzzles, from this seed on.")
@click.option("--seed", type=int, help="Seed of the random choices; that of the map, or 0.")
@click.option("--solution", is_flag=True, help="Write the solution too, as comments.")
@options.out_option
@click.option("--draw", type=options.FILE, help="Draw the puzzle: .svg, .png or .pdf.")
@click.option("--draw-solution", type=options.FILE, help="Draw the solution, as kt solve does.")
@click.option("--book", type=options.FILE, help="Write a .pdf to print, with solutions at the end.")
@options.choice("--paper", of=Paper, help="The pages of the book")
def puzzle_command(
    clues: ClueKind | None,
    total: int | None,
    difficulty: Grade | None,
    hint: bool,
    count: int | None,
    seed: int | None,
    solution: bool,
    out: str | None,
    draw: str | None,
    draw_solution: str | None,
    book: str | None,
    paper: Paper | None,
    **asked: Unpack[Asked],
) -> int:
    """Make a puzzle: clues from which one tour follows, none of which can be left out.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input. Steps
    on the map, a start, an end and required moves are clues that are kept; the fewest additions
    found complete them to exactly one solution. A puzzle is easy if simple rules suffice to solve
    it, medium if one supposition at a time is needed too, and hard otherwise. The puzzle is printed
    as 'kt solve' reads it, with its other constraints in lines that begin with ';'; for --hint,
    BOARD is such a file.

    Exit code 0: here it is; 1: there is no tour, or the clues contradict each other; 2: the input
    makes no sense; 3: no puzzle of that difficulty was found, or there is no hint.
    """
    board, constraints, notes = read_noted_instance(**asked)
    instance = Instance.of(board, **constraints)
    check_output(out)
    if hint:
        making = {
            "--clues": clues,
            "--givens": total,
            "--difficulty": difficulty,
            "--count": count,
            "--seed": seed,
            "--solution": solution or None,
            "--draw": draw,
            "--draw-solution": draw_solution,
            "--book": book,
            "--paper": paper,
        }
        if useless := [option for option, value in making.items() if value is not None]:
            raise InputError(f"{useless[0]}: --hint makes no puzzle; leave it out")
        if not notes and not clues_of(instance) and not instance.forbid:
            make = "make a puzzle with --out FILE, and give that file"
            raise InputError(f"--hint: {board.title} has no clue yet; {make}")
        return _hint(instance, out)
    if paper is not None and book is None:
        raise InputError(f"--paper {paper}: give --book too")
    if count is not None and count < 1:
        raise InputError(f"--count {count}: give at least 1")
    for option, picture in (("--draw", draw), ("--draw-solution", draw_solution)):
        if picture is not None:
            check_picture(picture, option, board)
            if count is not None:
                raise InputError(f"{option}: shows one puzzle; --book shows several")
    if draw is not None and draw.endswith((".gif", ".html")):
        raise InputError(f"--draw {draw}: a puzzle is drawn as .svg, .png or .pdf")
    if book is not None:
        check_book(book)
    first = _seed(notes.get("seed", "0")) if seed is None else seed
    puzzles = []
    for number in range(count or 1):
        with spinner(f"making a puzzle of {board.title}") as say:
            puzzle = make_puzzle(
                board,
                clues=clues or ClueKind.NUMBERS,
                total=total,
                difficulty=difficulty,
                seed=first + number,
                progress=lambda left: say(f"removing clues: {left} to try"),
                **constraints,
            )
        if puzzle is None:
            if (reason := _reason(instance)) is None:
                tell(f"unknown: no {difficulty} puzzle of {board.title} was found")
                return Exit.NO_ANSWER
            tell(f"impossible: {reason}")
            return Exit.NO
        grade = f"; {puzzle.grade}" if puzzle.grade else ""
        tell(f"puzzle: {puzzle.solution.summary}, {_shown(puzzle)}{grade}")
        puzzles.append(puzzle)
    write_lines(_lines(puzzles, solution), out)
    if draw is not None:
        draw_picture(puzzle_picture(puzzles[0]), draw)
    if draw_solution is not None:
        draw_tour(puzzles[0].solution, draw_solution)
    if book is not None:
        draw_book(puzzles, book, paper or Paper.A4)
    return 0


def _seed(note: str) -> int:
    if not note.isdecimal():
        raise InputError(f"the map has seed {note!r}: give a whole number")
    return int(note)


def _shown(puzzle: Puzzle) -> str:
    """Return in words what a puzzle shows."""
    numbers, moves = len(puzzle.givens), len(puzzle.moves)
    parts = [pluralize(numbers, "number")] if numbers or not moves else []
    parts += [pluralize(moves, "move")] if moves else []
    return f"{' and '.join(parts)} given"


def _hint(instance: Instance, out: str | None) -> int:
    """Write what follows next from a puzzle by the rules, or by a supposition."""
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


def _reason(instance: Instance) -> str | None:
    """Say why there is no tour, by clues that contradict each other if any; None if there is."""
    if clues := conflicting_clues(instance):
        why = refute(instance)
        which = "these contradict each other" if len(clues) > 1 else "this clue cannot be met"
        return f"{which}: {', '.join(clues)}{f' ({why})' if why else ''}"
    return solve_instance(instance).reason


def _lines(puzzles: list[Puzzle], solution: bool) -> list[str]:
    """Return the lines of all puzzles, with a blank line between one and the next."""
    lines: list[str] = []
    for puzzle in puzzles:
        lines += ["", *puzzle.lines()] if lines else puzzle.lines()
        if solution:
            lines += ["; solution:", *(f"; {line}" for line in puzzle.solution.grid_lines())]
    return lines
