"""What is compared: methods, boards, kinds, starts, repetitions and limits; hence the runs."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kt_cp.board import Board
from kt_cp.board.square_names import parse_square
from kt_cp.compare.run.log_format import Run, typed
from kt_cp.errors import InputError, printable
from kt_cp.methods.table import METHODS
from kt_cp.problem.instance import Constraints

KINDS = ("open", "closed")
ANY, ALL, CORNER = "any", "all", "corner"

_MAX_SEED = 2**31 - 1
_MAX_RUNS = 1_000_000


@dataclass(frozen=True)
class Task:
    """A run with everything that it takes, on any machine. Memory is in MiB.

    ``method`` is a pickled method of one's own; None for a method of the table.
    """

    run: Run
    board: Board
    constraints: Constraints
    time_limit: float
    memory_limit: float | None = None
    method: bytes | None = None


def _default_boards() -> dict[str, Board]:
    return {f"{side}x{side}": Board(side, side) for side in (5, 6, 7, 8)}


@dataclass(frozen=True)
class Settings:
    """A comparison as plain data: every method on every board, kind, start and repetition.

    ``boards`` go by the names that the records use. ``starts`` are words: ``any`` (the method
    chooses), ``all`` (each square in turn), ``corner`` (the first square, top left on a board
    without holes), or a square's id or chess name, which must be on every board. Repetition r has
    the seed ``seed`` + r. ``time_limit`` is in seconds, ``memory_limit`` in MiB. Raises
    `InputError` for what makes no sense.

    >>> len(list(Settings().runs()))
    24
    """

    boards: Mapping[str, Board] = field(default_factory=_default_boards)
    methods: tuple[str, ...] = ("circuit", "dfs", "warnsdorff")
    kinds: tuple[str, ...] = KINDS
    starts: tuple[str, ...] = (ANY,)
    repeat: int = 1
    seed: int = 0
    time_limit: float = 1.0
    memory_limit: float | None = None

    def __post_init__(self) -> None:
        """Drop duplicates, and reject what makes no sense before anything runs."""
        boards = {printable(name): board for name, board in self.boards.items()}
        object.__setattr__(self, "boards", boards)
        for name in ("methods", "kinds", "starts"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        for name in ("boards", "methods", "kinds", "starts"):
            if not getattr(self, name):
                raise InputError(f"{name}: give at least one")
        for method in self.methods:
            if method not in METHODS:
                raise InputError(f"method {method!r}: give some of {', '.join(METHODS)}, or all")
        for kind in self.kinds:
            if kind not in KINDS:
                raise InputError(f"kind {kind!r}: give open, closed or both")
        if self.repeat < 1:
            raise InputError(f"repeat {self.repeat}: give at least 1")
        if not 0 <= self.seed <= _MAX_SEED - self.repeat + 1:
            raise InputError(f"seed {self.seed}: give a number from 0, with repeat below 2^31")
        if not 0 < self.time_limit < math.inf:
            raise InputError(f"time limit {self.time_limit}: give a number of seconds above 0")
        if self.memory_limit is not None and not 0 < self.memory_limit < math.inf:
            raise InputError(f"memory limit {self.memory_limit}: give a number of MiB above 0")
        self._check_number_of_runs()
        for name in self.boards:
            self.start_squares(name)

    def _check_number_of_runs(self) -> None:
        every = [len(board) if ALL in self.starts else 1 for board in self.boards.values()]
        runs = sum(every) * self.repeat * len(self.kinds) * len(self.methods)
        if runs > _MAX_RUNS:
            raise InputError(
                f"{runs:,} runs: more than {_MAX_RUNS:,} are refused; give fewer boards, starts or"
                " repetitions"
            )

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
                    starts.append(parse_square(board, word))
                except InputError as error:
                    raise InputError(f"starts on {name}: {error}, or any, all, corner") from None
        return list(dict.fromkeys(starts))

    def runs(self) -> Iterator[Run]:
        """Yield every run once, in an order shuffled by the seed.

        The order is shuffled so that the times at which the machine is cold or busy affect all
        methods alike.
        """
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
        """Return a run with its board and limits."""
        constraints: Constraints = {"closed": run.kind == "closed", "start": run.start}
        board = self.boards[run.board]
        return Task(run, board, constraints, self.time_limit, self.memory_limit)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, as the header of a log holds them."""
        boards = {name: board.as_dict() for name, board in self.boards.items()}
        return {**vars(self), "boards": boards}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Rebuild the settings from `as_dict`. Raises one of `MALFORMED` if it is none.

        >>> Settings.from_dict(Settings().as_dict()) == Settings()
        True
        """
        settings: Settings = typed(cls, values)
        return settings

    def command(self) -> list[str]:
        """Return the command that runs this comparison again, as words."""
        options = {
            "--boards": ",".join(self.boards),
            "--methods": ",".join(self.methods),
            "--kind": "both" if len(self.kinds) == 2 else self.kinds[0],
            "--starts": ",".join(self.starts),
            "--repeat": self.repeat,
            "--seed": self.seed,
            "--time-limit": f"{self.time_limit:g}",
        }
        if self.memory_limit is not None:
            options["--memory-limit"] = f"{self.memory_limit:g}"
        return ["kt", "compare", *map(str, itertools.chain.from_iterable(options.items()))]
