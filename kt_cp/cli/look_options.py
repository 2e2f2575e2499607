"""Options on how pictures look: their theme, paper and words.

Each keeps its value, if it is given, as a field of `Look` in click's context, of which `look_of`
makes one look.
"""

from __future__ import annotations

from typing import Any

import click

from kt_cp.cli.options import choice_option, combine, picture_option
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES, Paper, Theme
from kt_cp.puzzles.words import Language


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep the value of an option for `look_of`, so that commands need not pass it on."""
    if value is not None:
        field = {"language": "words"}.get(parameter.name or "", parameter.name)
        context.ensure_object(dict)[field] = Paper.of(value) if field == "paper" else value


theme_option = choice_option(
    "--theme",
    of=Theme,
    default="auto",
    help="The colors of pictures; auto follows the reader's screen",
    callback=_keep,
    expose_value=False,
)
# Eager, so that names of pictures are read after it and can be checked.
paper_option = click.option(
    "--paper",
    metavar="PAPER",
    is_eager=True,
    callback=_keep,
    expose_value=False,
    help="The paper of a .pdf: a4, a5, letter or WxHmm.",
)
language_option = choice_option(
    "--language",
    of=Language,
    callback=_keep,
    expose_value=False,
    help="The language of puzzles",
)
draw_option = combine(
    picture_option("--draw", *TOUR_SUFFIXES, help="Also draw a picture to this file"),
    theme_option,
    paper_option,
)
draw_still_option = combine(
    picture_option("--draw", *PICTURE_SUFFIXES, help="Also draw a picture to this file"),
    theme_option,
    paper_option,
)
