"""What is compared: methods, boards, constraints, repetitions and limits; hence the runs."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import glob
from pathlib import Path
from typing import Any

import cloudpickle

from kt_cp.board import Board
from kt_cp.compare.records import Run
from kt_cp.errors import InputError, checked_number, listed, printable, shown_number
from kt_cp.files import size_or_map
from kt_cp.methods.table import METHODS, AnyMethod, load_method, method_of
from kt_cp.problem.instance import Instance

# Beyond this a range is a slip of the pen.
_MAX_BOARDS = 10_000

_RANGE = re.compile(r"(\d{1,9})[xX×](\d{1,9})\.\.(\d{1,9})[xX×](\d{1,9})", re.ASCII)
_RANDOM = re.compile(r"random:([\dxX×]+)((?::(?:holes|count|seed)=\d{1,9})*)", re.ASCII)


def named_boards(
    words: Iterable[str], piece: str | None = None, topology: str | None = None
) -> dict[str, Board]:
    """Return boards by name.

    A word is a size (``8x8``), a range of sizes (``5x5..8x8``), a file with a map, a folder of such
    files, a pattern (``maps/*.txt``), ``-`` for standard input, or a board with random holes, such
    as ``random:8x8:holes=6:count=20:seed=1``. In a range the sides that differ grow together.
    Raises `InputError` for anything else.

    >>> list(named_boards(["5x5..7x7", "3x4..3x5", "random:4x4:holes=2:count=2"]))
    ['5x5', '6x6', '7x7', '3x4', '3x5', 'random:4x4:holes=2:seed=0', 'random:4x4:holes=2:seed=1']
    """
    names = dict.fromkeys(name for word in words for name in board_names(word))
    return {name: _board(name, piece, topology) for name in names}


def board_names(word: str) -> Sequence[str]:
    """Return the names of the boards that a word stands for."""
    if word.startswith("random:"):
        size, holes, seed, count = _random_options(word)
        _check_number(word, count)
        return [f"random:{size}:holes={holes}:seed={seed + number}" for number in range(count)]
    if ends := _RANGE.fullmatch(word):
        return _sizes(word, *map(int, ends.groups()))
    if Path(word).is_dir():
        files = [path for path in Path(word).iterdir() if path.is_file()]
        names = sorted(str(path) for path in files if not path.name.startswith("."))
    elif any(character in word for character in "*?["):
        names = sorted(name for name in glob(word, recursive=True) if Path(name).is_file())
    else:
        return [word]
    if not names:
        raise InputError(f"boards {word!r}: there is no such file; give maps or sizes such as 8x8")
    return names


def _sizes(word: str, rows: int, columns: int, last_rows: int, last_columns: int) -> list[str]:
    taller, wider = last_rows - rows, last_columns - columns
    length = max(taller, wider)
    if length < 0 or {taller, wider} - {0, length}:
        raise InputError(
            f"boards {word!r}: the sides that differ must grow alike, as in 5x5..8x8 or 3x4..3x10"
        )
    _check_number(word, length + 1)
    return [
        f"{rows + min(step, taller)}x{columns + min(step, wider)}" for step in range(length + 1)
    ]


def _random_options(word: str) -> tuple[str, int, int, int]:
    """Return the size, the number of holes, the first seed and the number of boards."""
    parts = _RANDOM.fullmatch(word)
    if not parts:
        raise InputError(f"boards {word!r}: give random:8x8:holes=6:count=20:seed=1")
    given = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", parts[2])}
    return parts[1], given.get("holes", 0), given.get("seed", 0), given.get("count", 1)


def _check_number(word: str, number: int) -> None:
    if number > _MAX_BOARDS:
        raise InputError(f"boards {word!r}: more than {_MAX_BOARDS:,} boards; give fewer")


def _board(name: str, piece: str | None, topology: str | None) -> Board:
    if name.startswith("random:"):
        size, number, seed, _ = _random_options(name)
        board = Board.parse(size, piece, topology)
        if number >= board.area:
            raise InputError(f"boards {name!r}: {size} has room for {board.area - 1} holes")
        holes = random.Random(seed).sample(range(board.area), number)
        return replace(board, holes=tuple(holes))
    with size_or_map(name) as text:
        board, shown = Board.read(text, piece, topology)
    for constraint in ["steps"] if shown.givens else shown.constraints:
        wanted = "a comparison takes boards and starts only; leave that out"
        raise InputError(f"boards {name!r}: the map has the constraint '{constraint}': {wanted}")
    return board


AnyMethods = Mapping[str, AnyMethod] | Iterable[AnyMethod]


@dataclass(frozen=True)
class OwnMethod:
    """Whether a custom method can prove that there is no tour, and the method, pickled.

    A log holds no pickle: whoever continues it gives the method once more.
    """

    proves: bool
    pickled: bytes = field(default=b"", repr=False, compare=False)


def named_methods(methods: AnyMethods) -> tuple[tuple[str, ...], dict[str, OwnMethod]]:
    """Return the names of methods, and by name the custom ones among them.

    A mapping gives names; without one, a strategy is called by its ``name`` and a function by its
    own. Raises `InputError` for two methods of one name.

    >>> from kt_dfs import Strategy
    >>> named_methods(["circuit", Strategy()])
    (('circuit', 'strategy'), {'strategy': OwnMethod(proves=True)})
    """
    pairs = methods.items() if isinstance(methods, Mapping) else ((None, each) for each in methods)
    names: list[str] = []
    own: dict[str, OwnMethod] = {}
    for given, method in pairs:
        if isinstance(method, str):
            method = load_method(method)
        if isinstance(method, str) and given in (None, method):
            names.append(method)
            continue
        row = method_of(method)
        name = printable(given or row.name)
        if name in METHODS or name in own:
            raise InputError(
                f"method {name!r}: there are two; give names, as in {{'mine': method}}"
            )
        names.append(name)
        own[name] = OwnMethod(row.proves, cloudpickle.dumps(replace(row, name=name)))
    return tuple(names), own


KINDS = ("open", "closed")
ANY, ALL, CORNER = "any", "all", "corner"

DEFAULT_BOARDS = ("4x4..6x6", "8x8", "random:8x8:holes=6:seed=13:count=2")
"""Small boards, where a search is fast; and larger ones with holes, where it gets lost.

The last one has no tour, and no reason for that which is easy to see.
"""

_MAX_SEED = 2**31 - 1
_MAX_RUNS = 1_000_000


@dataclass(frozen=True)
class Task:
    """A run with everything that it takes, on any machine. Memory is in MiB.

    ``method`` is a pickled custom method; None for a method of the table.
    """

    run: Run
    instance: Instance
    time_limit: float
    memory_limit: float | None = None
    method: bytes | None = None


@dataclass(frozen=True)
class Settings:
    """A comparison as plain data: every method on every board, kind, start and repetition.

    ``boards`` go by the names that the records use. ``starts`` are words: ``any`` (the method
    chooses), ``all`` (each square in turn), ``corner`` (the first square, top left on a board
    without holes), or a square, which must be on every board. A run is ``unsupported`` where its
    method rejects an instance. Repetition r has the seed ``seed`` + r.
    ``time_limit`` is in seconds, ``memory_limit`` in MiB.
    Raises `InputError` for invalid values. See `settings_of` for a shorter way to write it.
    """

    boards: Mapping[str, Board]
    methods: tuple[str, ...] = ("circuit", "dfs", "warnsdorff", "most-available")
    own: Mapping[str, OwnMethod] = field(default_factory=dict)
    kinds: tuple[str, ...] = KINDS
    starts: tuple[str, ...] = (ANY,)
    repeat: int = 1
    seed: int = 0
    time_limit: float = 1.0
    memory_limit: float | None = None

    def __post_init__(self) -> None:
        for name in ("boards", "own"):
            values = {printable(key): value for key, value in getattr(self, name).items()}
            object.__setattr__(self, name, values)
        for name in ("methods", "kinds", "starts"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        for name in ("boards", "methods", "kinds", "starts"):
            if not getattr(self, name):
                raise InputError(f"{name}: give at least one")
        for method in self.methods:
            if method not in {*METHODS, *self.own}:
                raise InputError(f"method {method!r}: give some of {', '.join(METHODS)}, or all")
        for kind in self.kinds:
            if kind not in KINDS:
                raise InputError(f"kind {kind!r}: give open, closed or both")
        checked_number("repeat", self.repeat, 1)
        checked_number("seed", self.seed, 0, _MAX_SEED - self.repeat + 1)
        for name, unit in (("time_limit", "seconds"), ("memory_limit", "MiB")):
            limit = getattr(self, name)
            if limit is not None and not (isinstance(limit, int | float) and 0 < limit < math.inf):
                wanted = f"give a number of {unit} above 0"
                raise InputError(f"{name.replace('_', ' ')} {shown_number(limit)}: {wanted}")
        every = [len(board) if ALL in self.starts else 1 for board in self.boards.values()]
        runs = sum(every) * self.repeat * len(self.kinds) * len(self.methods)
        if runs > _MAX_RUNS:
            fewer = "give fewer boards, starts or repetitions"
            raise InputError(f"{runs:,} runs: more than {_MAX_RUNS:,} are refused; {fewer}")
        for name in self.boards:
            try:
                self.start_squares(name)
            except InputError as error:
                raise InputError(f"on {name}: {error}") from None

    def start_squares(self, name: str) -> list[int | None]:
        """Return the starts on the board of that name, each once, None for the method's choice."""
        board = self.boards[name]
        starts: list[int | None] = []
        for word in self.starts:
            if word == ANY:
                starts.append(None)
            elif word == ALL:
                starts += board.squares.tolist()
            elif word == CORNER:
                starts.append(min(set(range(len(board.holes) + 1)) - set(board.holes)))
            else:
                try:
                    starts.append(board.vertex(word, "start"))
                except InputError as error:
                    raise InputError(f"{error}; or any, all, corner") from None
        return list(dict.fromkeys(starts))

    def instance(self, name: str, kind: str, start: int | None) -> Instance:
        """Return the board of that name with what is asked of its tour."""
        return Instance.of(self.boards[name], closed=kind == "closed", start=start)

    def can_prove(self, method: str) -> bool:
        """Return whether a method can prove that there is no tour: a walk, for one, cannot."""
        return (self.own.get(method) or METHODS[method]).proves

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

    def task(self, run: Run) -> Task:
        """Return a run with its instance and limits.

        Raises `InputError` for a custom method of which only the log is known.
        """
        method = self.own[run.method].pickled if run.method in self.own else None
        if method == b"":
            again = "it is in no log: give it again, as methods= or --methods"
            raise InputError(f"method {run.method!r}: {again}")
        instance = self.instance(run.board, run.kind, run.start)
        return Task(run, instance, self.time_limit, self.memory_limit, method)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, as the header of a log holds them."""
        boards = {name: board.as_dict() for name, board in self.boards.items()}
        own = {name: {"proves": method.proves} for name, method in self.own.items()}
        return {**vars(self), "boards": boards, "own": own}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Return the settings from `as_dict`. Raises one of `MALFORMED` for anything else.

        >>> settings = settings_of(boards="5x5")
        >>> Settings.from_dict(settings.as_dict()) == settings
        True
        """
        boards = {name: Board(**board) for name, board in values["boards"].items()}
        own = {name: OwnMethod(each["proves"]) for name, each in values["own"].items()}
        return cls(**{**values, "boards": boards, "own": own})

    def command(self) -> list[str]:
        """Return the command that runs this comparison again, as words."""
        unusual = [
            {name: value for name, value in board.as_dict().items() if isinstance(value, str)}
            for board in self.boards.values()
        ]
        options: dict[str, object] = {
            "boards": ",".join(self.boards),
            **(unusual[0] if unusual.count(unusual[0]) == len(unusual) else {}),
            **{name: ",".join(getattr(self, name)) for name in ("methods", "kinds", "starts")},
        }
        for name in ("repeat", "seed", "time_limit", "memory_limit"):
            options[name.replace("_", "-")] = getattr(self, name)
        words = [f"--{name}={value}" for name, value in options.items() if value is not None]
        return ["kt", "compare", *words]


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
    """Return settings from values as they are typed; those that are None are as by default.

    Strings stand for lists, with commas between the words: ``boards`` as `named_boards` reads them
    (a `Board` is called by its title, with its place in the list if it has holes),
    ``methods`` (or ``all``), ``kinds`` (or ``both``) and ``starts``. ``methods`` may also hold
    custom methods, see `named_methods`. The other values are those of `Settings`. Raises
    `InputError` for invalid values.

    >>> settings = settings_of(boards="5x5..6x6", kinds="both", starts="a1,b1", time_limit=5)
    >>> list(settings.boards), settings.kinds, settings.starts, settings.time_limit
    (['5x5', '6x6'], ('open', 'closed'), ('a1', 'b1'), 5)
    """
    if unknown := others.keys() - Settings.__annotations__:
        known = ", ".join(["piece", "topology", *Settings.__annotations__])
        raise TypeError(f"unknown keyword {min(unknown)!r}: the settings are {known}")
    values = {name: value for name, value in others.items() if value is not None}
    if isinstance(boards, Mapping):
        values["boards"] = boards
    else:
        named: dict[str, Board] = {}
        given = [boards] if isinstance(boards, Board) else boards
        words = _words("boards", DEFAULT_BOARDS if given is None else given)
        for place, word in enumerate(words, start=1):
            if isinstance(word, Board):
                named[f"{word.title} #{place}" if word.holes else word.title] = word
            else:
                named |= named_boards([word], piece, topology)
        values["boards"] = named
    if methods is not None:
        chosen = methods if isinstance(methods, Mapping) else _words("methods", methods)
        values["methods"], values["own"] = named_methods(
            list(METHODS) if chosen == ["all"] else chosen
        )
    if kinds is not None:
        values["kinds"] = KINDS if kinds == "both" else tuple(_words("kinds", kinds))
    if starts is not None:
        values["starts"] = tuple(_words("starts", starts))
    return Settings(**values)


def _words(name: str, given: Any) -> list[Any]:
    """Return the words of a list that may be typed as one string."""
    if isinstance(given, str):
        return [word.strip() for word in given.split(",") if word.strip()]
    return list(listed(name, given, "…"))
