"""Arguments and options that several commands share, and the boards and graphs that they name."""

from __future__ import annotations

import dataclasses
import itertools
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import click
from click.core import ParameterSource

from kt_cp.board import Board, Symmetry, Topology, graph_of
from kt_cp.board.maps import SQUARE, Map, open_size_or_map, split_maps
from kt_cp.cli.app import completing
from kt_cp.cli.output import Exit, tell
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES, Paper, Theme
from kt_cp.files import (
    check_writable,
    load_from_script,
    names_script_object,
    script_errors,
)
from kt_cp.graph import Graph
from kt_cp.graph_files import (
    GraphFile,
    GraphFormat,
    graph_file_in_text,
    graph_format,
    read_graph_files,
)
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.notations import Notation
from kt_cp.problem.constraints import Constraints, CustomConstraint
from kt_cp.problem.instance import Instance, parse_map
from kt_cp.puzzles.words import Language
from kt_dfs import Status

Decorator = Callable[[Any], Any]
T = TypeVar("T")

_TYPED = ParameterSource.COMMANDLINE

EXIT_CODE_OF = {Status.FOUND: Exit.YES, Status.IMPOSSIBLE: Exit.NO, Status.UNKNOWN: Exit.NO_ANSWER}

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
        file, option = str(value), param.opts[0]
        if self.endings:
            from kt_cp.draw.output import check_picture_file

            check_picture_file(file, option, suffixes=self.endings)
            has_paper = ctx is not None and "paper" in ctx.meta.setdefault("kt.look", {})
            if has_paper and Path(file).suffix.lower() != ".pdf":
                raise InputError(f"{option} {file}: --paper is for names that end in .pdf")
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

    ``name`` is the parameter of the command, if not that of the option; ``settings`` are those of
    `click.option`.
    """
    choice = _ByValue(of)
    metavar = option.strip("-").upper()
    help = f"{help}: {', '.join(choice.choices)}."
    return click.option(option, *name, type=choice, metavar=metavar, help=help, **settings)


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


def functions_in_files(
    _: click.Context, parameter: click.Parameter, words: tuple[str, ...]
) -> list[CustomConstraint] | None:
    """Return the functions that words ``FILE.py:NAME`` name, or None without any word.

    What they raise becomes an `InputError`.
    """
    option = parameter.opts[0]

    def guarded(word: str) -> CustomConstraint:
        if not names_script_object(word):
            raise InputError(f"{option} {word}: give FILE.py:NAME, a function in a file")
        function = load_from_script(word, option)
        if not callable(function):
            raise InputError(f"{option} {word}: this is not a function")

        @wraps(function)
        def run(model: Any) -> Any:
            with script_errors(word, option):
                return function(model)

        return run

    return [*map(guarded, words)] or None


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


def format_option(*others: str) -> Decorator:
    """Return an option that asks for text, JSON or another format."""
    forms = ("text", "json", *others)
    return choice_option(
        "--format", "form", of=forms, default="text", help="How the answer is written"
    )


kind_option = click.option(
    "--closed/--open",
    default=None,
    help="The tour returns to its first square, or not (usual but for .hcp files and decompose).",
)
order_option = click.option(
    "--order", metavar="SQUARES", help="Squares visited in this order: 'a1 c3 h8'."
)
end_option = click.option("--end", metavar="SQUARE", help="The last square of an open tour.")
constraint_options = combine(
    kind_option,
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
instance_parameters = combine(
    click.argument("board", type=FILE, help=BOARD_HELP),
    graph_options,
    constraint_options,
    repeated_option(
        "--constrain",
        "FILE.py:NAME",
        "A function of yours that adds constraints to the CP-SAT model.",
        callback=functions_in_files,
    ),
)


INSTANCE_NAMES = ("board", "graph", "head", *Constraints.__annotations__)
"""The parameters that describe an instance."""


def take_instance_parameters(given: dict[str, Any]) -> dict[str, Any]:
    """Remove the parameters that describe an instance from all given ones, and return them."""
    return {name: given.pop(name) for name in INSTANCE_NAMES if name in given}


def typed_command(subcommand: str, names: Collection[str]) -> str:
    """Return a command with the arguments and options of these names that were typed."""
    context, words = click.get_current_context(), ["kt", subcommand]
    for parameter in context.command.params:
        name, value = str(parameter.name), context.params.get(str(parameter.name))
        if name not in names or context.get_parameter_source(name) is not _TYPED:
            continue
        if isinstance(value, bool):
            words.append(parameter.opts[0] if value else parameter.secondary_opts[0])
            continue
        for each in value if isinstance(value, tuple) else [value]:
            is_option = isinstance(parameter, click.Option)
            words += [parameter.opts[0], str(each)] if is_option else [str(each)]
    return shlex.join(words)


def take_options(options_class: type[T], given: dict[str, Any]) -> T:
    """Pop the options named by the fields of a dataclass, and return them as an instance of it."""
    names = [field.name for field in dataclasses.fields(cast(Any, options_class))]
    return options_class(**{name: given.pop(name) for name in names})


def hide_option(option: str) -> Decorator:
    """Return a decorator that leaves an option out of the help of a command, which refuses it."""

    def hide(command: Any) -> Any:
        for parameter in command.__click_params__:
            if option in parameter.opts:
                parameter.hidden = True
        return command

    return hide


def with_instance(command: Callable[..., int]) -> Callable[..., int]:
    """Add the parameters of an instance to a command, whose first argument is the instance."""

    @wraps(command)
    def run(**given: Any) -> int:
        return command(read_instance(**take_instance_parameters(given)).instance, **given)

    return instance_parameters(run)  # type: ignore[no-any-return]


def with_instances(command: Callable[..., int]) -> Callable[..., int]:
    """Add the parameters of an instance to a command, whose first argument yields instances.

    Each comes with the notes of its map. There are several where a file holds several graphs.
    """

    @wraps(command)
    def run(**given: Any) -> int:
        return command(read_instances(**take_instance_parameters(given)), **given)

    return instance_parameters(run)  # type: ignore[no-any-return]


class InstanceWithNotes(NamedTuple):
    """An instance, and the notes of its map."""

    instance: Instance
    notes: dict[str, str]


def read_instances(
    board: str, graph: GraphFormat | None = None, head: bool | None = None, **constraints: Any
) -> Iterator[InstanceWithNotes]:
    """Yield the instances that an argument describes, under a map's constraints too.

    There are several in a file of several graphs, or of several puzzles, as kt puzzle saves them.
    The constraints are those of `Constraints`; ``closed`` is None where neither --closed nor --open
    was given. Raises `InputError`, which names the file and, of several, the puzzle.
    """
    maps: list[_ParsedMap] = []
    graph_files: Iterable[GraphFile] = ()
    if file_format := graph or graph_format(board):
        graph_files = read_graph_files(board, file_format, head)
    else:
        with open_size_or_map(board) as text:
            kinds = constraints.get("piece"), constraints.get("topology")
            if listed := graph_file_in_text(text, *kinds, head):
                graph_files, texts = [listed], []
                vertices = pluralize(len(listed.graph), "vertex", "vertices")
                tell(f"read as the edges of a graph of {vertices}, and not as a board")
            else:
                texts = split_maps(text)
            for number, each in enumerate(texts, start=1):
                try:
                    maps.append(_parse_map(board, each, constraints))
                except InputError as error:
                    place = f"puzzle {number}: " if len(texts) > 1 else ""
                    raise InputError(f"{place}{error}") from None
    yield from (_instance_of_map(*each, constraints) for each in maps)
    for graph_file in graph_files:
        yield InstanceWithNotes(_instance_in(graph_file, board, constraints), {})


def read_instance(board: str, **given: Any) -> InstanceWithNotes:
    """Return the instance of a board or graph, as `read_instances` yields it, and its notes.

    Raises `InputError` for a file with several graphs or puzzles.
    """
    first, *others = itertools.islice(read_instances(board, **given), 2)
    if others:
        several = "there are several graphs or puzzles, which only kt solve and kt puzzle take"
        raise InputError(f"{board}: {several}: give one")
    return first


def _instance_in(graph_file: GraphFile, name: str, constraints: dict[str, Any]) -> Instance:
    """Return the instance of a graph in a file, whose fixed edges are required.

    If the file is about a cycle, the tour is closed, unless --open or an end is given.
    """
    if graph_file.ignored is not None:
        tell(f"{name}: {graph_file.ignored}")
    merged = {**constraints, "require": [*constraints.get("require", ()), *graph_file.require]}
    if merged.get("closed") is None:
        merged["closed"] = graph_file.closed and merged.get("end") is None
    graph = graph_of(graph_file.graph, merged.pop("piece", None), merged.pop("topology", None))
    return Instance.of(graph, **merged)


_ParsedMap = tuple[Board, Constraints, Map]
"""The board of a map, the constraints of the map and the options, and the map's contents."""


def _parse_map(argument: str, text: str, constraints: dict[str, Any]) -> _ParsedMap:
    """Return a map under the constraints of the options.

    Raises `InputError` as `parse_map` does; it says so if the text is a path.
    """
    with_kind = {**constraints, "closed": bool(constraints.get("closed"))}
    try:
        return parse_map(text, cast(Constraints, with_kind))
    except InputError as error:
        if SQUARE in text or text.strip().isdecimal():  # a map with a mistake, or one side
            raise
        from kt_cp.notation.read import parse_path

        try:
            read_as = parse_path(text).read_as
        except InputError:
            raise error from None
        advice = f"'kt validate {argument}' tells whether it is a tour"
        raise InputError(f"this is a path ({read_as}) and not a board; {advice}") from None


def _instance_of_map(
    board: Board, merged: Constraints, contents: Map, constraints: dict[str, Any]
) -> InstanceWithNotes:
    """Return the instance of a map and its notes.

    A message reports the reading of a map drawn with unusual characters.
    """
    if contents.explanation:
        size = f"{board.size} with {pluralize(len(board.holes), 'hole')}"
        tell(f"map of {size}: {contents.explanation}")
    if constraints.get("closed") is False and merged.get("closed"):
        raise InputError("the map says that the tour is closed: leave out --open, or that line")
    return InstanceWithNotes(Instance.of(board, **merged), contents.notes)


def read_bare_instance(board: str, **given: Any) -> Instance:
    """Return the instance of a board or graph, as `read_instance` does, without its notes.

    Raises `InputError` for a map with constraints, for commands that do not take them.
    """
    instance = read_instance(board, **given).instance
    if isinstance(instance.graph, Board) and instance != Instance(instance.graph):
        name = "standard input" if board == "-" else board
        raise InputError(f"{name}: the map has steps or other constraints; give the board alone")
    return instance


def usual_notation(graph: Graph) -> Notation:
    """Return the notation in which tours of a graph are written by default."""
    return Notation.GRID if isinstance(graph, Board) else Notation.SQUARES


def refuse(names: Collection[str], where: str) -> None:
    """Raise `InputError` if one of the named parameters was given on the command line.

    The message says ``where`` it cannot be used, such as "with --hint".
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        is_typed = context.get_parameter_source(parameter.name or "") is _TYPED
        if is_typed and parameter.name in names:
            raise InputError(f"{parameter.opts[0]} cannot be used {where}")


def check_drawable(file: str | None, graph: Graph) -> None:
    """Raise `InputError`, before the work is done, for a picture of too large a graph."""
    if file is not None:
        from kt_cp.draw.output import check_picture_file

        check_picture_file(file, "--draw", graph)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep the value of an option for `look_of`, so that commands need not pass it on."""
    if value is not None:
        field = {"language": "words"}.get(parameter.name or "", parameter.name)
        context.meta.setdefault("kt.look", {})[field] = (
            Paper.of(value) if field == "paper" else value
        )


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
    help="The paper of a .pdf: a0 to a5, letter or WxHmm.",
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
