"""``kt samples``: files to try the commands on."""

from __future__ import annotations

from pathlib import Path

import click

from kt_cp.cli.help import write_table
from kt_cp.cli.output import write_bytes
from kt_cp.errors import InputError

SAMPLES = {
    "board.txt": "a map with holes; try kt solve board.txt --closed",
    "puzzle.txt": "step numbers from which one tour follows; try kt solve puzzle.txt --unique",
    "path.txt": "a closed tour in chess names; try kt draw path.txt --out tour.svg",
    "broken.txt": "a numbered board with mistakes; try kt validate broken.txt --draw faults.svg",
    "heart-board.txt": "a heart; try kt solve heart-board.txt --closed --draw heart.svg",
    "ring.txt": "a ring; try kt solve ring.txt --closed --draw ring.svg",
    "letter.txt": "a letter; try kt solve letter.txt --closed --draw letter.svg",
    "cross.txt": "a board without a tour; try kt solve cross.txt --draw proof.svg",
    "published.txt": "a path printed as a tour, which it is not; try kt validate published.txt",
    "petersen.hcp": "a graph that is no board; try kt solve petersen.hcp --closed",
}
_FOLDER = Path(__file__).parents[1] / "samples"


@click.command()
@click.argument("name", required=False, metavar="[NAME]", type=click.Choice([*SAMPLES]))
@click.option("--out", type=click.Path(file_okay=False), help="Write it, or all, to this folder.")
def samples_command(name: str | None, out: str | None) -> int:
    """List the sample files, print the one with this NAME, or write them to a folder."""
    if out is None and name is None:
        write_table(SAMPLES.items())
    elif out is None:
        write_bytes([(_FOLDER / str(name)).read_bytes()])
    else:
        _write_samples([*SAMPLES] if name is None else [name], out)
    return 0


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
