"""The settings of a comparison: methods, boards, kinds, starts, repetitions, limits; its runs."""

from __future__ import annotations

import itertools
import os
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from glob import escape, glob
from pathlib import Path
from typing import Any, NamedTuple

import cloudpickle

from kt_cp.board import Board
from kt_cp.errors import InputError, checked_number, listed
from kt_cp.files import open_size_or_map
from kt_cp.methods.table import METHODS, AnyMethod, Method, load_method, method_of
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance

KINDS = ("open", "closed")

# Small boards, where a search is fast; and larger ones with holes, where it gets lost. The last one
# has no tour, and no reason for that which is easy to see.
_DEFAULT_BOARDS = ("4x4..6x6", "8x8", "random:8x8:holes=6:seed=13:count=2")
_DEFAULT_METHODS = ("circuit", "dfs", "warnsdorff", "most-available")

_MAX_SEED = 2**31 - 1
_MAX_RUNS = 1_000_000

# At most 9,999 boards: a larger number is a typing error.
_RANGE = re.compile(r"(\d{1,4})[xX×](\d{1,4})\.\.(\d{1,4})[xX×](\d{1,4})", re.ASCII)
_RANDOM = re.compile(r"random:([\dxX×]+)((?::(?:holes|seed)=\d{1,9}|:count=\d{1,4})*)", re.ASCII)


def named_boards(
    words: Iterable[Board | str], piece: str | None = None, topology: str | None = None
) -> dict[str, Board]:
    """Return boards by name.

    A word is one that `board_names` takes, ``-`` for standard input, or one for boards with random
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
    if not (parts := _RANDOM.fullmatch(word)):
        raise InputError(f"boards {word!r}: give random:8x8:holes=6:count=20:seed=1")
    given = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", parts[2])}
    holes, first, board = given.get("holes", 0), given.get("seed", 0), parts[1]
    whole = Board.parse(board, piece, topology)
    if holes >= whole.area:
        raise InputError(f"boards {word!r}: {board} has room for {whole.area - 1} holes")
    return {
        f"random:{board}:holes={holes}:seed={seed}": replace(
            whole, holes=tuple(random.Random(seed).sample(range(whole.area), holes))
        )
        for seed in range(first, first + given.get("count", 1))
    }


def board_names(word: str) -> list[str]:
    """Return the sizes or files that a word stands for.

    The word is a size (``8x8``), a range of sizes (``5x5..8x8``) whose sides that differ grow
    together, a file with a map, a folder of such files, or a pattern (``maps/*.txt``).
    """
    if ends := _RANGE.fullmatch(word):
        rows, columns, last_rows, last_columns = map(int, ends.groups())
        taller, wider = last_rows - rows, last_columns - columns
        length = max(taller, wider)
        if length < 0 or {taller, wider} - {0, length}:
            alike = "the sides that differ must grow alike, as in 5x5..8x8 or 3x4..3x10"
            raise InputError(f"boards {word!r}: {alike}")
        steps = range(length + 1)
        return [f"{rows + min(step, taller)}x{columns + min(step, wider)}" for step in steps]
    pattern = str(Path(escape(word), "*")) if Path(word).is_dir() else word
    if not any(character in pattern for character in "*?["):
        return [word]
    if not (names := sorted(filter(os.path.isfile, glob(pattern, recursive=True)))):
        raise InputError(f"boards {word!r}: there is no such file; give maps or sizes such as 8x8")
    return names


AnyMethods = Mapping[str, AnyMethod] | Iterable[AnyMethod]


def named_methods(methods: AnyMethods) -> dict[str, Method]:
    """Return methods by name.

    The keys of a mapping are the names; otherwise the name is that of the strategy or function.
    Raises `InputError` for two methods of one name.
    """
    pairs = methods.items() if isinstance(methods, Mapping) else ((None, each) for each in methods)
    named: dict[str, Method] = {}
    for given, method in pairs:
        row = method_of(load_method(method) if isinstance(method, str) else method)
        row = replace(row, name=given or row.name)
        if row != (METHODS.get(row.name) or named.get(row.name, row)):
            wanted = "there are two; give names, as in {'mine': method}"
            raise InputError(f"method {row.name!r}: {wanted}")
        named[row.name] = row
    return named


class Run(NamedTuple):
    """A method applied to an instance, for the n-th time; the key of its record.

    ``board`` is the board's name in the settings. ``start`` is None where the method chooses; in a
    closed tour it is the square at which a search begins.
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
    """A run with everything that it takes, on any machine."""

    run: Run
    instance: Instance
    time_limit: float
    memory_limit: int | None
    method: bytes  # pickled


@dataclass(frozen=True)
class Settings:
    """A comparison as plain data: every method on every board, kind, start and repetition.

    ``boards`` go by the names that the records use. ``starts`` are words: ``any`` (the method
    chooses), ``all`` (each square in turn), or a square, which must be on every board. Repetition
    r has the seed ``seed`` + r. ``time_limit`` is in seconds, ``memory_limit`` in MiB. Of custom
    methods a log tells only whether they can prove that there is no tour. Raises `InputError` for
    invalid values. See `settings_of` for a shorter way to write it.
    """

    boards: Mapping[str, Board]
    methods: Mapping[str, Method] = field(default_factory=lambda: named_methods(_DEFAULT_METHODS))
    kinds: tuple[str, ...] = KINDS
    starts: tuple[str, ...] = ("any",)
    repeat: int = 1
    seed: int = 0
    time_limit: float = 1.0
    memory_limit: int | None = None

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
        checked_number("seed", self.seed, 0, _MAX_SEED - self.repeat + 1)
        Clock(self.time_limit or 0)  # which refuses an invalid limit
        if self.memory_limit is not None:
            checked_number("memory limit", self.memory_limit, 1)
        starts = [len(board) if "all" in self.starts else 1 for board in self.boards.values()]
        runs = sum(starts) * self.repeat * len(self.kinds) * len(self.methods)
        if runs > _MAX_RUNS:
            fewer = "give fewer boards, starts or repetitions"
            raise InputError(f"{runs:,} runs: more than {_MAX_RUNS:,} are refused; {fewer}")
        for name in self.boards:
            self.start_squares(name)

    def start_squares(self, name: str) -> list[int | None]:
        """Return the starts on the board of that name, each once, None for the method's choice."""
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
        """Yield every run once, shuffled by the seed: a cold or busy machine affects all alike."""
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

        Raises `InputError` for a custom method of which only the log is known.
        """
        method, board = self.methods[run.method], self.boards[run.board]
        if not method.function:
            again = "it is in no log: give it again, as methods= or --methods"
            raise InputError(f"method {run.method!r}: {again}")
        instance = Instance.of(board, closed=run.kind == "closed", start=run.start)
        pickled = cloudpickle.dumps(method)
        return RunRequest(run, instance, self.time_limit, self.memory_limit, pickled)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, as the header of a log holds them."""
        boards = {name: board.as_dict() for name, board in self.boards.items()}
        own = {name: row.proves for name, row in self.methods.items() if name not in METHODS}
        return {
            "boards": boards,
            "methods": list(self.methods),
            "kinds": self.kinds,
            "starts": self.starts,
            "repeat": self.repeat,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
            "own": own,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Return the settings from `as_dict`. Other values raise `ValueError` or another exception.

        >>> settings = settings_of(boards="5x5")
        >>> Settings.from_dict(settings.as_dict()) == settings
        True
        """
        own = values["own"]
        boards = {name: Board(**board) for name, board in values["boards"].items()}
        methods = {
            name: METHODS.get(name) or Method(name, "", "", frozenset(), "", bool(own[name]))
            for name in values["methods"]
        }
        others = {
            name: value
            for name, value in values.items()
            if name not in ("boards", "methods", "own")
        }
        return cls(boards=boards, methods=methods, **others)

    def command(self) -> list[str]:
        """Return the command that runs this comparison again, as words."""
        words = ["kt", "compare", f"--boards={','.join(self.boards)}"]
        for name in ("piece", "topology"):
            values = {board.unusual.get(name) for board in self.boards.values()}
            value = values.pop()
            if value and not values:  # the same on all boards
                words.append(f"--{name}={value}")
        for name in ("methods", "kinds", "starts"):
            words.append(f"--{name}={','.join(getattr(self, name))}")
        for name in ("repeat", "seed", "time_limit", "memory_limit"):
            value = getattr(self, name)
            if value is not None:
                words.append(f"--{name.replace('_', '-')}={value}")
        return words


def settings_of(
    *,
    boards: Mapping[str, Board] | Iterable[Board | str] | Board | str | None = None,
    piece: str | None = None,
    topology: str | None = None,
    methods: AnyMethods | str | None = None,
    kinds: Iterable[str] | str | None = None,
    starts: Iterable[str] | str | None = None,
    **others: Any,
) -> Settings:
    """Return settings from values as people type them; None stands for the default.

    Strings stand for lists, with commas between the words: ``boards`` as `named_boards` reads them,
    ``methods`` as `named_methods` does (or ``all``), ``kinds`` (or ``both``) and ``starts``. The
    other values are those of `Settings`. Raises `InputError` for invalid values.

    >>> settings = settings_of(boards="5x5..6x6", kinds="both", starts="a1,b1", time_limit=5)
    >>> list(settings.boards), settings.kinds, settings.starts, settings.time_limit
    (['5x5', '6x6'], ('open', 'closed'), ('a1', 'b1'), 5)
    """
    values = {name: value for name, value in others.items() if value is not None}
    if boards is None or isinstance(boards, Board):
        boards = _DEFAULT_BOARDS if boards is None else [boards]
    if not isinstance(boards, Mapping):
        boards = named_boards(_words("boards", boards), piece, topology)
    values["boards"] = boards
    if methods is not None:
        chosen = methods if isinstance(methods, Mapping) else _words("methods", methods)
        values["methods"] = named_methods(METHODS if chosen == ["all"] else chosen)
    for name, given in (("kinds", KINDS if kinds == "both" else kinds), ("starts", starts)):
        if given is not None:
            values[name] = tuple(_words(name, given))
    return Settings(**values)


def _words(name: str, given: Any) -> list[Any]:
    """Return the words of a list that may be typed as one string."""
    if isinstance(given, str):
        return [word.strip() for word in given.split(",") if word.strip()]
    return list(listed(name, given, "…"))
