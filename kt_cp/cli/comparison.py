"""What ``kt compare`` and ``kt report`` have in common: showing a comparison."""

from __future__ import annotations

import os
import shutil
import textwrap
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kt_cp.cli.messages import tell
from kt_cp.cli.options import FILE, choice, together
from kt_cp.errors import InputError
from kt_cp.files import require_matplotlib

if TYPE_CHECKING:  # the other commands do without
    from kt_cp.compare.log import Log

# Where the output is no terminal, tables are not broken to fit one.
_UNLIMITED = 10_000


class PlotFormat(StrEnum):
    """The formats of plots."""

    SVG = "svg"
    PNG = "png"


plot_options = together(
    click.option("--plots", type=FILE, metavar="FOLDER", help="Write plots to this folder."),
    choice("--plot-format", of=PlotFormat, default="svg", help="The format of the plots"),
)


def print_comparison(log: Log) -> None:
    """Print the tables, the notes and the findings to standard output, as wide as the terminal."""
    from kt_cp.compare.tables import all_tables, notes, summary, table_lines

    width = shutil.get_terminal_size((_UNLIMITED, 0)).columns
    for table in all_tables(log):
        print(*table_lines(table, width), sep="\n")
    for sentences in filter(None, (notes(log), summary(log))):
        print(*(textwrap.fill(sentence, width) for sentence in sentences), "", sep="\n")


def check_plots(folder: str | None, page: str | None = None) -> None:
    """Make the folder of the plots, and refuse plots that cannot be drawn or written."""
    if folder is not None or page is not None:
        require_matplotlib("plots")
    if folder is None:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--plots {folder}: {error.strerror}; give a folder") from None
    if not os.access(folder, os.W_OK):
        raise InputError(f"--plots {folder}: may not be written")


def save_plots(log: Log, folder: str | None, suffix: PlotFormat) -> None:
    """Write the plots to a folder, if one is given, and tell their paths."""
    if folder is None:
        return
    from kt_cp.compare.plots import write_plots

    for path in write_plots(log, folder, suffix.value):
        tell(f"kt: wrote {path}")
