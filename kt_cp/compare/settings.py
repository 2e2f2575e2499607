"""The settings of a comparison: methods, boards, kinds, starts, repetitions, limits; its runs."""

from __future__ import annotations

import itertools
import os
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from glob import escape, glob
from pathlib import Path
from typing import Any, NamedTuple

from kt_cp.board import Board
from kt_cp.board.maps import open_size_or_map
from kt_cp.messages import (
    InputError,
    as_items,
    checked_number,
    checked_time_limit,
    malformed_as,
    pluralize,
)
from kt_cp.methods.custom import pickle_with_functions
from kt_cp.methods.method import Answer
from kt_cp.methods.table import METHODS, AnyMethod, Method, load_method, method_of
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Task

KINDS = ("open", "closed")

AnyMethods = Mapping[str, AnyMethod] | Iterable[AnyMethod]
"""Methods by name, or as a list whose names are those of the strategies and functions."""

# At most 9,999 boards: a larger number is a typing error.
_SIZE_RANGE = re.compile(r"(\d{1,4})[xX×](\d{1,4})\.\.(\d{1,4})[xX×](\d{1,4})", re.ASCII)
_RANDOM_BOARDS = re.compile(
    r"random:([\dxX×]+)((?::(?:holes|seed)=\d{1,9}|:count=\d{1,4})*)", re.ASCII
)

# Small boards, where a search is fast, and larger ones with holes, where it is slow. The last one
# has no tour, for no simple reason.
_DEFAULT_BOARDS = ("4x4..6x6", "8x8", "random:8x8:holes=6:seed=13:count=2")
_DEFAULT_METHODS = ("circuit", "dfs", "warnsdorff", "most-available")

_MAX_RUNS = 1_000_000


class Run(NamedTuple):
    """A method applied to an instance, for the n-th time; the key of its record.

    ``board`` is the name of the board in the settings. ``start`` is None if the method chooses it;
    for a closed tour it is the square at which a search begins.
    """

    method: str
    board: str
    kind: str
    start: int | None
    seed: int
    repetition: int

    def describe(self) -> str:
        """Return the run in a few words, such as ``dfs 8x8 open from 0``."""
        start = "" if self.start is None else f" from {self.start}"
        repetition = f" #{self.repetition + 1}" if self.repetition else ""
        return f"{self.method} {self.board} {self.kind}{start}{repetition}"


@dataclass(frozen=True)
class RunRequest:
    """A run with all data that it needs on any machine.

    ``time_limit`` is in seconds, ``memory_limit`` in MiB. The method is pickled with the
    functions of the caller's script.
    """

    run: Run
    instance: Instance
    time_limit: float
    memory_limit: int | None
    pickled_method: bytes


def _not_stored(task: Task) -> Answer:
    """Stand for the function of a custom method that was read from a log."""
    raise NotImplementedError


@dataclass(frozen=True)
class Settings:
    """A comparison as plain data: every method on every board, kind, start and repetition.

    ``boards`` have the names that the records use. ``starts`` are words: ``any`` (the method
    chooses), ``all`` (each square in turn), or a square, which must be on every board. Repetition
    r has the seed ``seed`` + r. ``time_limit`` is in seconds, ``memory_limit`` in MiB. Of a
    custom method, a log stores only its name and whether it can prove impossibility. ``command`` is
    the one that was typed, if any. Raises `InputError` for invalid values. See `settings_of` for a
    shorter way to write it.
    """

    boards: Mapping[str, Board]
    methods: Mapping[str, Method] = field(default_factory=lambda: named_methods(_DEFAULT_METHODS))
    kinds: tuple[str, ...] = KINDS
    starts: tuple[str, ...] = ("any",)
    repeat: int = 1
    seed: int = 0
    time_limit: float = 1.0
    memory_limit: int | None = None
    command: str = ""

    def __post_init__(self) -> None:
        for name in ("kinds", "starts"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        for name in ("boards", "methods", "kinds", "starts"):
            if not getattr(self, name):
                raise InputError(f"{name}: give at least one")
        for kind in self.kinds:
            if kind not in KINDS:
                raise InputError(f"kind {kind!r}: give open, closed or both")
        checked_number("repeat", self.repeat, 1)
        checked_number("seed", self.seed, 0, MAX_SEED - self.repeat + 1)
        checked_time_limit(self.time_limit)
        if self.memory_limit is not None:
            checked_number("memory limit", self.memory_limit, 1)
        starts = sum(map(self._start_count, self.boards))
        runs = starts * self.repeat * len(self.kinds) * len(self.methods)
        if runs > _MAX_RUNS:
            raise InputError(
                f"{runs:,} runs: more than {_MAX_RUNS:,} are refused; "
                "give fewer boards, starts or repetitions"
            )
        for name in self.boards:
            self.start_squares(name)  # raises `InputError`

    def _start_count(self, name: str) -> int:
        """Return the number of `start_squares`, without a list of all squares of a large board."""
        if "all" not in self.starts:
            return len(self.start_squares(name))
        squares = len(self.boards[name])
        return squares + 1 if "any" in self.starts else squares

    def start_squares(self, name: str) -> list[int | None]:
        """Return the starts on the board of that name, each once, None for the method's choice.

        Raises `InputError` for a start that is not a square of the board.
        """
        board = self.boards[name]
        starts: list[int | None] = []
        for word in self.starts:
            if word == "any":
                starts.append(None)
            elif word == "all":
                starts += board.squares.tolist()
            else:
                starts.append(board.vertex(word, f"on {name}: start"))
        return list(dict.fromkeys(starts))

    def runs(self) -> Iterator[Run]:
        """Yield every run once, shuffled so that a busy machine affects all methods alike."""
        runs = [
            Run(method, board, kind, start, self.seed + repetition, repetition)
            for board, repetition in itertools.product(self.boards, range(self.repeat))
            for start in self.start_squares(board)
            for kind in self.kinds
            for method in self.methods
        ]
        random.Random(self.seed).shuffle(runs)
        yield from runs

    def request(self, run: Run) -> RunRequest:
        """Return a run with its instance and limits.

        Raises `InputError` for a custom method that was read from a log.
        """
        method = self.methods[run.method]
        if method.function is _not_stored:
            raise InputError(
                f"method {run.method!r}: a log does not store it; give it again among the methods"
            )
        board = self.boards[run.board]
        instance = Instance.of(board, closed=run.kind == "closed", start=run.start)
        pickled = pickle_with_functions(method)
        return RunRequest(run, instance, self.time_limit, self.memory_limit, pickled)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, as the header of a log holds them."""
        custom = {name: each.proves for name, each in self.methods.items() if name not in METHODS}
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "boards": {name: board.as_dict() for name, board in self.boards.items()},
            "methods": list(self.methods),
            "own": custom,  # whether each custom method proves; the key of format 4
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Return the settings from `as_dict`. Raises `ValueError` for other values.

        >>> settings = settings_of(boards="5x5")
        >>> Settings.from_dict(settings.as_dict()) == settings
        True
        """
        with malformed_as(ValueError("not the values of settings")):
            rest = dict(values)
            boards = {name: Board(**board) for name, board in rest.pop("boards").items()}
            custom = {
                name: Method(name, "", "", frozenset(), _not_stored, bool(proves))
                for name, proves in rest.pop("own").items()
            }
            methods = {name: METHODS.get(name) or custom[name] for name in rest.pop("methods")}
            command = str(rest.pop("command", ""))  # earlier logs have none
            return cls(boards=boards, methods=methods, command=command, **rest)


def settings_of(
    *,
    boards: Mapping[str, Board] | Iterable[Board | str] | Board | str = _DEFAULT_BOARDS,
    piece: str | None = None,
    topology: str | None = None,
    methods: AnyMethods | str = _DEFAULT_METHODS,
    kinds: Iterable[str] | str = KINDS,
    starts: Iterable[str] | str = "any",
    **limits: Any,
) -> Settings:
    """Return settings from values as people type them.

    Strings stand for lists, with commas between the words: ``boards`` as `named_boards` reads them,
    ``methods`` as `named_methods` does (or ``all``), ``kinds`` (or ``both``) and ``starts``. The
    other values are those of `Settings`. Raises `InputError` for invalid values.

    >>> settings = settings_of(boards="5x5..6x6", kinds="both", starts="a1,b1", time_limit=5)
    >>> list(settings.boards), settings.kinds, settings.starts, settings.time_limit
    (['5x5', '6x6'], ('open', 'closed'), ('a1', 'b1'), 5)
    """
    if isinstance(boards, Board):
        boards = [boards]
    if not isinstance(boards, Mapping):
        boards = named_boards(split_words("boards", boards), piece, topology)
    if not isinstance(methods, Mapping):
        methods = split_words("methods", methods)
    return Settings(
        boards,
        named_methods(METHODS if methods == ["all"] else methods),
        tuple(split_words("kinds", KINDS if kinds == "both" else kinds)),
        tuple(split_words("starts", starts)),
        **limits,
    )


def named_boards(
    words: Iterable[Board | str], piece: str | None = None, topology: str | None = None
) -> dict[str, Board]:
    """Return boards by name.

    A word is one that `board_names` reads, ``-`` for standard input, or one for boards with random
    holes, such as ``random:8x8:holes=6:count=20:seed=1``. The name of a `Board` is its title,
    followed by its place in the list if it has holes. Raises `InputError` for anything else.

    >>> list(named_boards(["5x5..6x6", "3x4", "random:4x4:holes=2:count=2"]))
    ['5x5', '6x6', '3x4', 'random:4x4:holes=2:seed=0', 'random:4x4:holes=2:seed=1']
    """
    boards: dict[str, Board] = {}
    for place, word in enumerate(words, start=1):
        if isinstance(word, Board):
            boards[f"{word.title} #{place}" if word.holes else word.title] = word
        elif word.startswith("random:"):
            boards |= _random_boards(word, piece, topology)
        else:
            for name in board_names(word):
                with open_size_or_map(name) as text:
                    boards[name] = Board.parse(text, piece, topology)
    return boards


def _random_boards(word: str, piece: str | None, topology: str | None) -> dict[str, Board]:
    """Return the boards with random holes that a word such as ``random:8x8:holes=6`` asks for."""
    parts = _RANDOM_BOARDS.fullmatch(word)
    if parts is None:
        raise InputError(f"boards {word!r}: give random:8x8:holes=6:count=20:seed=1")
    size = parts[1]
    options = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", parts[2])}
    hole_count = options.get("holes", 0)
    first_seed = options.get("seed", 0)
    whole = Board.parse(size, piece, topology)
    if hole_count >= whole.area:
        raise InputError(f"boards {word!r}: {size} has room for {whole.area - 1} holes")
    boards: dict[str, Board] = {}
    for seed in range(first_seed, first_seed + options.get("count", 1)):
        holes = random.Random(seed).sample(range(whole.area), hole_count)
        boards[f"random:{size}:holes={hole_count}:seed={seed}"] = replace(whole, holes=tuple(holes))
    return boards


def board_label(name: str) -> str:
    """Return the name of a board for readers, who need not know how random boards are asked for.

    >>> board_label("random:8x8:holes=6:seed=1"), board_label("8x8")
    ('8x8 with 6 holes (seed 1)', '8x8')
    """
    parts = re.fullmatch(r"random:([\dxX×]+):holes=(\d+):seed=(\d+)", name)
    if parts is None:
        return name
    return f"{parts[1]} with {pluralize(int(parts[2]), 'hole')} (seed {parts[3]})"


def board_names(word: str) -> list[str]:
    """Return the sizes or files that a word stands for.

    The word is a size (``8x8``), a range of sizes (``5x5..8x8``), a file with a map, a folder of
    such files, or a pattern (``maps/*.txt``). In a range, the sides that differ grow together.
    Raises `InputError` for any other range, and for a pattern that no file matches.
    """
    if ends := _SIZE_RANGE.fullmatch(word):
        rows, columns, last_rows, last_columns = map(int, ends.groups())
        taller, wider = last_rows - rows, last_columns - columns
        length = max(taller, wider)
        if length < 0 or not {taller, wider} <= {0, length}:
            raise InputError(
                f"boards {word!r}: the sides that differ must grow alike, as in 5x5..8x8 or "
                "3x4..3x10"
            )
        return [
            f"{rows + min(step, taller)}x{columns + min(step, wider)}" for step in range(length + 1)
        ]
    pattern = str(Path(escape(word), "*")) if Path(word).is_dir() else word
    if not set(pattern) & {"*", "?", "["}:
        return [word]
    names = sorted(filter(os.path.isfile, glob(pattern, recursive=True)))
    if not names:
        raise InputError(f"boards {word!r}: there is no such file; give maps or sizes such as 8x8")
    return names


def named_methods(methods: AnyMethods) -> dict[str, Method]:
    """Return methods by name.

    The keys of a mapping are the names; otherwise the name is that of the strategy or function.
    Raises `InputError` for two methods of one name.
    """
    named_pairs = (
        methods.items() if isinstance(methods, Mapping) else ((None, each) for each in methods)
    )
    named: dict[str, Method] = {}
    for name, each in named_pairs:
        method = method_of(load_method(each) if isinstance(each, str) else each)
        method = replace(method, name=name or method.name)
        namesake = METHODS.get(method.name) or named.get(method.name)
        if namesake not in (None, method):
            raise InputError(
                f"method {method.name!r}: there are two; give names, as in {{'mine': method}}"
            )
        named[method.name] = method
    return named


def split_words(name: str, words: Any) -> list[Any]:
    """Return the words of a list, which may be typed as one string with commas.

    ``name`` is the name of the option. Raises `InputError` for a value that is not a list.
    """
    if isinstance(words, str):
        return [word.strip() for word in words.split(",") if word.strip()]
    return list(as_items(name, words, "…"))
