"""Draw the layers that ``kt count --log FILE`` leaves: states and bytes by squares.

python scripts/picture_layers.py layers.csv .images/layers.svg
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import matplotlib.pyplot as plt


def main(log: str, picture: str) -> None:
    """Draw both curves on one page, on logarithmic scales."""
    with Path(log).open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["states"])]
    plt.rcParams["svg.hashsalt"] = "layers"
    figure, axes = plt.subplots(figsize=(7, 3.6))
    squares = [int(row["squares"]) for row in rows]
    axes.semilogy(
        squares, [int(row["states"]) for row in rows], "o-", color="#1f2937", label="states"
    )
    axes.semilogy(
        squares, [int(row["bytes"]) for row in rows], "s--", color="#b45309", label="bytes"
    )
    axes.set_xlabel("squares done")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("log", help="a file that kt count --log wrote")
    parser.add_argument("picture", help="a file to write, such as .images/layers.svg")
    asked = parser.parse_args()
    main(asked.log, asked.picture)
