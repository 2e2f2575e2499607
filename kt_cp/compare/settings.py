"""The settings of a comparison: methods, boards, kinds, starts, repetitions, limits; its runs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kt_cp.board import Board
from kt_cp.compare.reading import (
    AnyMethods,
    is_name_of,
    named_boards,
    named_methods,
    split_words,
)
from kt_cp.messages import InputError, checked_number, checked_time_limit, malformed_as
from kt_cp.methods.custom import pickle_with_functions
from kt_cp.methods.method import Answer
from kt_cp.methods.table import METHODS, Method
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Task

KINDS = ("open", "closed")

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

    ``boards`` go by the names that the records use. ``starts`` are words: ``any`` (the method
    chooses), ``all`` (each square in turn), or a square, which must be on every board. Repetition
    r has the seed ``seed`` + r. ``time_limit`` is in seconds, ``memory_limit`` in MiB. Of a
    custom method, a log stores only its name and whether it can prove impossibility. Raises
    `InputError` for invalid values. See `settings_of` for a shorter way to write it.
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
        self._check_numbers()
        self._check_runs()

    def _check_numbers(self) -> None:
        """Raise `InputError` for invalid repetitions, seeds and limits."""
        checked_number("repeat", self.repeat, 1)
        checked_number("seed", self.seed, 0, MAX_SEED - self.repeat + 1)
        checked_time_limit(self.time_limit)
        if self.memory_limit is not None:
            checked_number("memory limit", self.memory_limit, 1)

    def _check_runs(self) -> None:
        """Raise `InputError` for too many runs, and for starts that are not on a square."""
        starts = [len(board) if "all" in self.starts else 1 for board in self.boards.values()]
        runs = sum(starts) * self.repeat * len(self.kinds) * len(self.methods)
        if runs > _MAX_RUNS:
            fewer = "give fewer boards, starts or repetitions"
            raise InputError(f"{runs:,} runs: more than {_MAX_RUNS:,} are refused; {fewer}")
        for name in self.boards:
            self.start_squares(name)  # raises `InputError`

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
            again = "a log does not store it; give it again among the methods"
            raise InputError(f"method {run.method!r}: {again}")
        board = self.boards[run.board]
        instance = Instance.of(board, closed=run.kind == "closed", start=run.start)
        pickled = pickle_with_functions(method)
        return RunRequest(run, instance, self.time_limit, self.memory_limit, pickled)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, as the header of a log holds them."""
        boards = {name: board.as_dict() for name, board in self.boards.items()}
        custom = {
            name: method.proves for name, method in self.methods.items() if name not in METHODS
        }
        return {
            "boards": boards,
            "methods": list(self.methods),
            "kinds": self.kinds,
            "starts": self.starts,
            "repeat": self.repeat,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
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
            return cls(boards=boards, methods=methods, **rest)

    def command(self) -> list[str] | None:
        """Return the words of the command that repeats this comparison.

        Return None for custom methods, and for boards that are not given by a size, random holes or
        an existing file.
        """
        piece, topology = self._common_option("piece"), self._common_option("topology")
        if not all(name in METHODS for name in self.methods):
            return None
        if not all(is_name_of(name, board, piece, topology) for name, board in self.boards.items()):
            return None
        options = {
            "boards": ",".join(self.boards),
            "piece": piece,
            "topology": topology,
            "methods": ",".join(self.methods),
            "kinds": ",".join(self.kinds),
            "starts": ",".join(self.starts),
            "repeat": self.repeat,
            "seed": self.seed,
            "time-limit": f"{self.time_limit:g}",
            "memory-limit": self.memory_limit,
        }
        words = [f"--{name}={value}" for name, value in options.items() if value is not None]
        return ["kt", "compare", *words]

    def _common_option(self, name: str) -> str | None:
        """Return the unusual piece or topology that all boards have in common, or None."""
        values = {board.unusual.get(name) for board in self.boards.values()}
        return values.pop() if len(values) == 1 else None


def settings_of(  # noqa: PLR0913 (public)
    *,
    boards: Mapping[str, Board] | Iterable[Board | str] | Board | str | None = None,
    piece: str | None = None,
    topology: str | None = None,
    methods: AnyMethods | str | None = None,
    kinds: Iterable[str] | str | None = None,
    starts: Iterable[str] | str | None = None,
    repeat: int | None = None,
    seed: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Settings:
    """Return settings from values as people type them; None stands for the default.

    Strings stand for lists, with commas between the words: ``boards`` as `named_boards` reads them,
    ``methods`` as `named_methods` does (or ``all``), ``kinds`` (or ``both``) and ``starts``. The
    other values are those of `Settings`. Raises `InputError` for invalid values.

    >>> settings = settings_of(boards="5x5..6x6", kinds="both", starts="a1,b1", time_limit=5)
    >>> list(settings.boards), settings.kinds, settings.starts, settings.time_limit
    (['5x5', '6x6'], ('open', 'closed'), ('a1', 'b1'), 5)
    """
    if boards is None:
        boards = _DEFAULT_BOARDS
    if isinstance(boards, Board):
        boards = [boards]
    if not isinstance(boards, Mapping):
        boards = named_boards(split_words("boards", boards), piece, topology)
    values: dict[str, Any] = {
        "repeat": repeat,
        "seed": seed,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
    }
    if methods is not None:
        chosen = methods if isinstance(methods, Mapping) else split_words("methods", methods)
        values["methods"] = named_methods(METHODS if chosen == ["all"] else chosen)
    if kinds == "both":
        kinds = KINDS
    if kinds is not None:
        values["kinds"] = tuple(split_words("kinds", kinds))
    if starts is not None:
        values["starts"] = tuple(split_words("starts", starts))
    return Settings(boards, **{name: each for name, each in values.items() if each is not None})
