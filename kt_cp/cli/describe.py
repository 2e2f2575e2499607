"""``kt describe``: the features of a tour."""

from __future__ import annotations

import json
from typing import Unpack

import click

from kt_cp.cli.files import write_lines
from kt_cp.cli.messages import tell
from kt_cp.cli.options import AnswerFormat, format_option
from kt_cp.cli.path import PathAsked, path_parameters, read_path
from kt_cp.tour.feature_table import FEATURES, features, standings, symmetries


@click.command()
@path_parameters
@format_option
def describe_command(answer_format: AnswerFormat, **asked: Unpack[PathAsked]) -> int:
    """Print the features of a tour: its turns and angles, crossings, slopes and symmetry.

    PATH is a file, which may be a NumPy file (.npy), or - for standard input. For a closed 8x8
    tour, the least and the most of all such tours are shown too, where they are published, and for
    a closed 6x6 tour, how it compares with all 9,862.

    Exit code 0: the path is a tour; 1: it is not; 2: the input makes no sense.
    """
    reading = read_path(**asked)
    if not reading.valid:
        tell(reading.verdict)
        return 1
    tour = reading.tour
    found, kinds = features(tour), symmetries(tour)
    if answer_format is AnswerFormat.JSON:
        write_lines([json.dumps({"features": found, "symmetry": kinds})], None)
        return 0
    known = {name: f" ({standing})" for name, standing in standings(tour, found).items()}
    lines = [
        f"{name:11}{count:>6}  {FEATURES[name].summary}{known.get(name, '')}"
        for name, count in found.items()
    ]
    write_lines([tour.summary, *lines, f"{'symmetry':11}{', '.join(kinds) or 'none':>6}"], None)
    return 0
