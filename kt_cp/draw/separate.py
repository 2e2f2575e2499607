"""Puzzles as separate files for a layout program: the board as a picture, its solution as text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from kt_cp.draw.look import bare_look
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import svg
from kt_cp.draw.puzzle import board_alone, instance_picture, rule_sentences
from kt_cp.draw.typesetting import pdf, require_typst
from kt_cp.files import write_atomically
from kt_cp.messages import InputError, checked_choice
from kt_cp.puzzles.words import ENGLISH, Words

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle


class SeparateFormat(StrEnum):
    """The format of the pictures."""

    SVG = "svg"
    PDF = "pdf"


def prepare_directory(
    directory: str | Path, format: SeparateFormat, role: str = "directory"
) -> None:
    """Make a directory for pictures, and check that their format can be written.

    Raises `InputError`, which names the ``role``, if the directory cannot be made, and if typst is
    missing for PDF.
    """
    if not str(directory):
        raise InputError(f"{role}: its name is empty")
    if format is SeparateFormat.PDF:
        require_typst()
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{role} {directory}: is a file; give a directory") from None
    except OSError as error:
        raise InputError(f"{role} {directory}: {error.strerror}; give another directory") from None


def draw_separately(
    puzzles: Sequence[Puzzle],
    directory: str | Path,
    format: SeparateFormat | str = SeparateFormat.SVG,
    theme: Theme = Theme.LIGHT,
    words: Words = ENGLISH,
) -> None:
    """Write for each puzzle a picture ``01.svg`` and a text ``01.txt`` to a directory.

    The picture is the board without any words. The text has the solution as a numbered board, and
    above it the title, the level, the effort and the rules in lines that begin with ``;``. An old
    file is replaced once the new one is complete. Raises `InputError` as `prepare_directory` does.
    """
    chosen = checked_choice("format", format, SeparateFormat)
    prepare_directory(directory, chosen)
    digits = max(2, len(str(len(puzzles))))
    look = bare_look(theme, words)
    for number, puzzle in enumerate(puzzles, start=1):
        stem = Path(directory, f"{number:0{digits}}")
        picture = instance_picture(puzzle.instance, look)
        alone = board_alone(picture, puzzle.instance.board)
        content = pdf(alone) if chosen is SeparateFormat.PDF else svg(alone, printed=True).encode()
        with write_atomically(stem.with_suffix(f".{chosen}")) as stream:
            stream.write(content)
        with write_atomically(stem.with_suffix(".txt")) as stream:
            stream.write(_solution_text(puzzle, look.words).encode())


def _solution_text(puzzle: Puzzle, words: Words) -> str:
    """Return the solution of a puzzle as text, below its title, level, effort and rules."""
    notes = {"title": puzzle.title, "level": puzzle.level, "effort": puzzle.effort}
    lines = [f"; {name}: {note}" for name, note in notes.items() if note is not None]
    lines += [f"; {rule}" for rule in rule_sentences(puzzle.instance, words)]
    return "\n".join([*lines, str(puzzle.solution)]) + "\n"
