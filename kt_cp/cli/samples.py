"""``kt samples``: files to try the commands on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from kt_cp.cli.app import as_subcommand
from kt_cp.cli.output import write_bytes, write_lines
from kt_cp.messages import InputError


class Sample(NamedTuple):
    """What a sample file holds, and a command to try on it."""

    contents: str
    command: str


SAMPLES = {
    "board.txt": Sample("a map with holes", "kt solve board.txt --closed"),
    "puzzle.txt": Sample(
        "step numbers from which one tour follows", "kt solve puzzle.txt --unique"
    ),
    "path.txt": Sample("a closed tour in chess names", "kt draw path.txt --out tour.svg"),
    "broken.txt": Sample(
        "a numbered board with mistakes", "kt validate broken.txt --draw faults.svg"
    ),
    "heart-board.txt": Sample("a heart", "kt solve heart-board.txt --closed --draw heart.svg"),
    "ring.txt": Sample("a ring", "kt solve ring.txt --closed --draw ring.svg"),
    "letter.txt": Sample("a letter", "kt solve letter.txt --closed --draw letter.svg"),
    "cross.txt": Sample("a board without a tour", "kt solve cross.txt --draw proof.svg"),
    "published.txt": Sample(
        "a path printed as a tour, which it is not", "kt validate published.txt"
    ),
    "petersen.hcp": Sample("a graph that is no board", "kt solve petersen.hcp --closed"),
}
_FOLDER = Path(__file__).parents[1] / "samples"


@as_subcommand()
@click.argument("name", required=False, metavar="[NAME]", type=click.Choice([*SAMPLES]))
@click.option("--out", type=click.Path(file_okay=False), help="Write it, or all, to this folder.")
def samples_command(name: str | None, out: str | None) -> int:
    """List the sample files, print the one with this NAME, or write them to a folder."""
    if out is None and name is None:
        write_lines(_list_of_samples())
    elif out is None:
        write_bytes([(_FOLDER / str(name)).read_bytes()])
    else:
        _write_samples([*SAMPLES] if name is None else [name], out)
    return 0


def _list_of_samples() -> Iterator[str]:
    """Yield two lines for each sample: what it holds, and a command, which can be copied whole."""
    width = max(map(len, SAMPLES))
    for name, sample in SAMPLES.items():
        yield f"{name:{width}}  {sample.contents}"
        yield f"{'':{width}}  {sample.command}"


def _write_samples(names: list[str], folder: str) -> None:
    """Write samples to a folder. Raises `InputError` if it has other files of these names."""
    contents = {each: (_FOLDER / each).read_bytes() for each in names}
    for each, content in contents.items():
        file = Path(folder, each)
        if file.exists() and file.read_bytes() != content:
            raise InputError(
                f"--out {folder}: another {each} is there already; name another folder"
            )
    Path(folder).mkdir(parents=True, exist_ok=True)
    for each, content in contents.items():
        write_bytes([content], Path(folder, each))
