"""``kt methods`` and ``kt samples``: what there is to choose from."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

import kt_cp
from kt_cp.cli.options import complete_methods, completing
from kt_cp.cli.output import check_output, write_bytes, write_lines, write_table
from kt_cp.errors import InputError
from kt_cp.methods.table import CONSTRAINTS, METHODS, PEERS, Method, method_of


@click.command()
@click.argument("method", required=False, shell_complete=complete_methods)
def methods_command(method: str | None) -> int:
    """List the methods that solve and compare know, or describe one METHOD.

    The description of auto, the usual method, is its schedule: which methods it asks, and when.
    """
    if method is None:
        write_table((name, f"{row.summary}{_missing(row)}") for name, row in METHODS.items())
        return 0
    write_table(_description(method_of(method)).items())
    if method == "auto":
        from kt_cp.methods.auto import SCHEDULE

        write_lines(["", "The first stage with an answer decides:"], None)
        write_table(
            (f"{number:2}.", stage.method, stage.when)
            for number, stage in enumerate(SCHEDULE, start=1)
        )
    return 0


def _missing(method: Method) -> str:
    if method.package is None or find_spec(method.package):
        return ""
    return f" (not installed: {PEERS})"


def _description(method: Method) -> dict[str, str]:
    known = [words for name, words in CONSTRAINTS.items() if name in method.constraints]
    return {
        "method": method.name,
        "summary": f"{method.summary}{_missing(method)}",
        "proves": "that there is none" if method.proves else "nothing",
        "constraints": "all" if len(known) == len(CONSTRAINTS) else ", ".join(known),
        "source": method.source,
    }


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
_FOLDER = Path(kt_cp.__file__).parent / "samples"


@click.command()
@click.argument("name", required=False, shell_complete=completing(lambda: SAMPLES))
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Write the sample, or all samples, to this folder.",
)
def samples_command(name: str | None, out: str | None) -> int:
    """List the sample files, print the one with this NAME, or write them to a folder.

    Exit code 0: the samples were listed or written; 2: invalid input.
    """
    if name is not None and name not in SAMPLES:
        raise InputError(f"sample {name!r}: give one of {', '.join(SAMPLES)}")
    if out is not None:
        _write([name] if name else [*SAMPLES], Path(out))
    elif name is not None:
        write_bytes([(_FOLDER / name).read_bytes()], None)
    else:
        write_table(SAMPLES.items())
    return 0


def _write(names: list[str], folder: Path) -> None:
    """Write samples to a folder, unless other files of these names are there."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {folder / name: (_FOLDER / name).read_bytes() for name in names}
    for file, content in contents.items():
        check_output(str(file))
        if file.exists() and file.read_bytes() != content:
            raise InputError(f"--out {folder}: another {file.name} is there already")
    for file, content in contents.items():
        write_bytes([content], str(file))
