"""Draw the layers that ``kt count --log FILE`` leaves: states and bytes by squares.

python scripts/picture_layers.py layers.csv .images/layers.svg
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from kt_cp.compare.report import PANEL_SIZE, STYLE, line_style, render


def main(log: str, picture: str) -> None:
    """Draw both curves on one page, on logarithmic scales."""
    with Path(log).open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["states"])]
    squares = [int(row["squares"]) for row in rows]
    states = [int(row["states"]) for row in rows]
    sizes = [int(row["bytes"]) for row in rows]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=PANEL_SIZE, layout="constrained")
        axes = figure.subplots()
        axes.semilogy(squares, states, **line_style(0, "states"))
        axes.semilogy(squares, sizes, **line_style(1, "bytes"))
        axes.set_xlabel("squares done")
        axes.legend()
        Path(picture).write_bytes(render(figure))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("log", help="a file that kt count --log wrote")
    parser.add_argument("picture", help="a file to write, such as .images/layers.svg")
    arguments = parser.parse_args()
    main(arguments.log, arguments.picture)
