"""Options on how pictures look: their theme, paper and words.

Their values are kept in the `LookOptions` of click's context, where `look_of` finds them, so that
commands need not pass them on.
"""

from __future__ import annotations

import click
from click.core import ParameterSource

from kt_cp.cli.options import choice_option, combine, picture_option
from kt_cp.cli.output import LookOptions
from kt_cp.draw.palette import Theme
from kt_cp.draw.suffixes import PICTURE_SUFFIXES, TOUR_SUFFIXES
from kt_cp.messages import InputError
from kt_cp.puzzles.words import Language, Words


def _keep_theme(context: click.Context, _: click.Parameter, theme: Theme) -> None:
    """Keep the theme for `look_of`, so that commands need not pass it on."""
    context.ensure_object(LookOptions).theme = theme


theme_option = choice_option(
    "--theme",
    of=Theme,
    default="auto",
    is_eager=True,  # so that --gray is read after it
    help="The colors of pictures; auto follows the reader's screen",
    callback=_keep_theme,
    expose_value=False,
)


def _keep_gray(context: click.Context, _: click.Parameter, is_gray: bool) -> None:
    """Keep the theme of --gray for `look_of`."""
    if is_gray and context.get_parameter_source("theme") is ParameterSource.COMMANDLINE:
        raise InputError("--gray is a theme: leave out --theme")
    if is_gray:
        context.ensure_object(LookOptions).theme = Theme.GRAY


gray_option = click.option(
    "--gray",
    is_flag=True,
    callback=_keep_gray,
    expose_value=False,
    help="Draw in black and white: the same as --theme gray.",
)


def _keep_paper(context: click.Context, _: click.Parameter, paper: str | None) -> None:
    """Keep the paper for `look_of`."""
    if paper is not None:
        from kt_cp.draw.paper import Paper

        context.ensure_object(LookOptions).paper = Paper.parse(paper)


# Eager, so that names of pictures are read after it and can be checked.
paper_option = click.option(
    "--paper",
    metavar="PAPER",
    is_eager=True,
    callback=_keep_paper,
    expose_value=False,
    help="The paper of a .pdf: a4, a5, letter or WxHmm.",
)


def _keep_language(context: click.Context, _: click.Parameter, language: str | None) -> None:
    """Keep the words of a language for `look_of`."""
    if language is not None:
        context.ensure_object(LookOptions).words = Words.of(language)


words_options = choice_option(
    "--language",
    of=Language,
    callback=_keep_language,
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
