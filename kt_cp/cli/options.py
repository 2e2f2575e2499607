"""The options of the subcommands: those that several share, and how one is declared."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from kt_cp.board import Symmetry, Topology
from kt_cp.cli.app import completing
from kt_cp.draw.look import TOUR_SUFFIXES, Look, Theme
from kt_cp.files import check_writable
from kt_cp.graph_files import GraphFormat
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.puzzles.words import Language

Decorator = Callable[[Any], Any]
T = TypeVar("T")

# -- how an option is declared ---------------------------------------------------------------------

FILE = click.Path(allow_dash=True)  # any name, which shells complete
FOLDER = click.Path(file_okay=False)


class OutputFile(click.Path):
    """A file to write; one that cannot be written is refused before any work is done.

    Standard output, ``-``, is refused: without the option, the answer goes there.
    With ``endings`` the file is a picture, and its name must have one of them.
    """

    def __init__(self, *endings: str) -> None:
        super().__init__()
        self.endings = endings

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Return the name of the file unchanged, or raise `InputError`."""
        file = str(value)
        option = param.opts[0]
        if self.endings:
            from kt_cp.draw.output import check_picture_file

            check_picture_file(file, option, suffixes=self.endings)
        elif file == "-":
            alternative = ", or leave --out away for standard output" if option == "--out" else ""
            raise InputError(f"{option} -: give the name of a file{alternative}")
        elif option == "--out" and Path(file).suffix.lower() in TOUR_SUFFIXES:
            raise InputError(f"--out {file}: the answer is text; --draw and kt draw make pictures")
        check_writable(file, option)
        return file


class _ByValue(click.Choice[str]):
    """A choice among the values of an enumeration; click's own takes the names of its members."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return super().normalize_choice(str(choice), ctx)


def choice_option(
    option: str, *name: str, of: Iterable[str], help: str, **settings: Any
) -> Decorator:
    """Return an option that takes one of some values, which its help lists.

    ``name`` is the parameter of the command, if it is named unlike the option; ``settings`` are
    passed to `click.option`.
    """
    choice = _ByValue(of)
    metavar = option.strip("-").upper()
    help = f"{help}: {', '.join(choice.choices)}."
    return click.option(option, *name, type=choice, metavar=metavar, help=help, **settings)


def format_option(*others: str) -> Decorator:
    """Return an option that asks for text, JSON or another format."""
    forms = ("text", "json", *others)
    return choice_option(
        "--format", "form", of=forms, default="text", help="How the answer is written"
    )


def notation_option(option: str, *name: str, help: str, extra: Iterable[str] = ()) -> Decorator:
    """Return an option that takes a notation of tours, or one of the ``extra`` values."""
    return choice_option(option, *name, of=[*Notation, *extra], help=help)


def repeated_option(option: str, metavar: str, help: str, **settings: Any) -> Decorator:
    """Return an option that may be repeated."""
    help = f"{help} May be repeated."
    return click.option(option, metavar=metavar, multiple=True, help=help, **settings)


def picture_option(option: str, *endings: str, help: str, **settings: Any) -> Decorator:
    """Return an option for the file of a picture; its help lists the endings."""
    help = f"{help}: {', '.join(endings)}."
    return click.option(option, type=OutputFile(*endings), help=help, **settings)


def combine(*decorators: Decorator) -> Decorator:
    """Return one decorator that adds several parameters, in this order."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def gather_options(
    argument: str, take: Callable[[dict[str, Any]], object], *options: Decorator
) -> Decorator:
    """Return a decorator that adds options to a command, which gets one argument for some of them.

    ``take`` gets the values of all options, removes some of them, and returns the argument's value.
    """

    def decorate(command: Callable[..., int]) -> Any:
        @wraps(command)
        def run(**given: Any) -> int:
            value = take(given)
            return command(**{argument: value}, **given)

        return combine(*options)(run)

    return decorate


def hide_option(option: str) -> Decorator:
    """Return a decorator that leaves an option out of the help of a command, which refuses it."""

    def hide(command: Any) -> Any:
        for parameter in command.__click_params__:
            if option in parameter.opts:
                parameter.hidden = True
        return command

    return hide


# -- options that several commands share -----------------------------------------------------------

complete_methods = completing(lambda: import_module("kt_cp.methods.table").METHODS)
complete_features = completing(lambda: import_module("kt_cp.tour.features").FEATURES)
complete_searches = completing(lambda: [*import_module("kt_dfs").METHODS, "circuit"])

BOARD_HELP = "A size such as 8x8 (rows x columns), a file with a map, or - for standard input."
piece_options = combine(
    click.option("--piece", help="A name such as zebra, or jumps: 2,3 or 3,4+0,5; usually knight."),
    choice_option(
        "--topology",
        of=Topology,
        help="How opposite edges are joined, flat unless the map states another way",
    ),
)
closed_option = click.option("--closed", is_flag=True, help="The tour returns to its first square.")
start_option = click.option(
    "--start", metavar="SQUARE", help="The first square: a8, 0 (its id) or 0,0 (row,column)."
)
up_to_symmetry_option = click.option(
    "--up-to-symmetry", is_flag=True, help="Take tours that symmetries map onto each other as one."
)
time_limit_option = click.option(
    "--time-limit", type=float, metavar="SECONDS", help="Stop after this time."
)
seed_option = click.option("--seed", type=int, default=0, help="Seed of the random choices.")
bound_certificate_option = click.option(
    "--certificate", type=OutputFile(), help="Write the proof of the bound, if one is found."
)
out_option = click.option("--out", type=OutputFile(), help="Write the answer to this file.")


order_option = click.option(
    "--order", metavar="SQUARES", help="Squares visited in this order: 'a1 c3 h8'."
)
end_option = click.option("--end", metavar="SQUARE", help="The last square of an open tour.")
constraint_options = combine(
    click.option(
        "--closed/--open",
        default=None,
        help="The tour returns to its first square, or not (usual but for .hcp files and"
        " decompose).",
    ),
    start_option,
    end_option,
    order_option,
    repeated_option("--require", "MOVE", "A move of the tour: a1-c2, or a1>c2 in that direction."),
    repeated_option("--forbid", "MOVE", "A move that the tour does not make."),
    choice_option("--symmetry", of=Symmetry, help="A symmetry that maps the tour onto itself"),
    repeated_option(
        "--having",
        "BOUND",
        "A bound on what 'kt describe' prints: 'turns<=32', >= or =.",
        shell_complete=complete_features,
    ),
    click.option("--uncrossed", is_flag=True, help="No two moves cross."),
    click.option(
        "--induced", is_flag=True, help="No move joins two squares of the tour but those along it."
    ),
    piece_options,
)
graph_options = combine(
    choice_option(
        "--graph", of=GraphFormat, help="The board is a graph in this format, if not by its name"
    ),
    choice_option(
        "--head",
        of=("yes", "no"),
        help="The first line of a list of edges has the numbers of vertices and edges, or not",
        callback=lambda context, parameter, value: None if value is None else value == "yes",
    ),
)
_OPTION_OF_LOOK = {
    "theme": choice_option(
        "--theme",
        of=Theme,
        default="auto",
        help="The colors of pictures; auto follows the reader's screen",
    ),
    "paper": click.option(
        "--paper", metavar="PAPER", help="The paper of a .pdf: a0 to a5, letter or WxHmm."
    ),
    "words": choice_option("--language", "words", of=Language, help="The language of puzzles"),
}


def look_options(*names: str) -> Decorator:
    """Return a decorator that adds the options for these fields of a `Look` to a command.

    The command gets the look as its argument ``look``. A paper is refused unless all pictures of
    the command are .pdf files.
    """

    def take_look(given: dict[str, Any]) -> Look:
        look_values = {name: given.pop(name) for name in names}
        if look_values.get("paper") is not None:
            context = click.get_current_context()
            for parameter in context.command.params:
                file = context.params.get(parameter.name or "")
                is_picture = isinstance(parameter.type, OutputFile) and parameter.type.endings
                if file is not None and is_picture and Path(file).suffix.lower() != ".pdf":
                    raise InputError(
                        f"{parameter.opts[0]} {file}: --paper is for names that end in .pdf"
                    )
        return Look(**{name: value for name, value in look_values.items() if value is not None})

    return gather_options("look", take_look, *(_OPTION_OF_LOOK[name] for name in names))


def draw_option(*endings: str) -> Decorator:
    """Return a decorator that adds --draw, for files of these endings, and the look of pictures."""
    return combine(
        picture_option("--draw", *endings, help="Also draw a picture to this file"),
        look_options("theme", "paper"),
    )


def search_options(workers: int | None, workers_help: str = "") -> Decorator:
    """Return a decorator that adds the options of every search to a command.

    The command gets --log and --parameter as its argument ``parameters``, the fields of
    ``SatParameters``. The number of workers is usually ``workers``.
    """

    def take_parameters(given: dict[str, Any]) -> dict[str, object]:
        parameters: dict[str, object] = {}
        if given.pop("log"):
            parameters["log_search_progress"] = True
        for assignment in given.pop("parameter"):
            name, _, value = assignment.partition("=")
            if not (name and value):
                raise InputError(f"--parameter {assignment}: give NAME=VALUE")
            parameters[name] = value
        return parameters

    help = f"Number of threads of the solver{workers_help}."
    return gather_options(
        "parameters",
        take_parameters,
        time_limit_option,
        click.option("--workers", type=int, default=workers, help=help),
        seed_option,
        click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error."),
        repeated_option("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters."),
    )


# -- what was typed --------------------------------------------------------------------------------

_TYPED = ParameterSource.COMMANDLINE


def typed_command(subcommand: str, names: Collection[str]) -> str:
    """Return a command with the arguments and options of these names that were typed."""
    context = click.get_current_context()
    words = ["kt", subcommand]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = context.params.get(name)
        if name not in names or context.get_parameter_source(name) is not _TYPED:
            continue
        if isinstance(value, bool):
            words.append(parameter.opts[0] if value else parameter.secondary_opts[0])
            continue
        for each in value if isinstance(value, tuple) else [value]:
            is_option = isinstance(parameter, click.Option)
            words += [parameter.opts[0], str(each)] if is_option else [str(each)]
    return shlex.join(words)


def take_options(options_class: Callable[..., T], given: dict[str, Any], **others: Any) -> T:
    """Pop the options named by the fields of a dataclass, and return them as an instance of it.

    The fields in ``others`` are no options.
    """
    names = [field.name for field in fields(options_class)]  # type: ignore[arg-type]
    return options_class(**others, **{name: given.pop(name) for name in names if name in given})


def refuse(names: Collection[str], where: str) -> None:
    """Raise `InputError` if one of the named parameters was given on the command line.

    The message says ``where`` it cannot be used, such as "with --hint".
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        is_typed = context.get_parameter_source(parameter.name or "") is _TYPED
        if is_typed and parameter.name in names:
            raise InputError(f"{parameter.opts[0]} cannot be used {where}")
