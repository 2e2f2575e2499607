"""A run and what came of it, as plain data."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from kt_cp.board import Board
from kt_cp.board.square_names import chess_name


class RunStatus(StrEnum):
    """How a run ended: the three answers of `solve`, or none of them.

    ``unsupported``: the method does not take such an instance, and says so. ``error``: the run
    crashed, or was ended because it took too much memory.
    """

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"
    ERROR = "error"


SOLVED = frozenset({RunStatus.FOUND, RunStatus.IMPOSSIBLE})


class Run(NamedTuple):
    """What is run, and the key of its record: a method on an instance, the how manyth time.

    ``board`` is the board's name in the settings. ``start`` None: the method chooses; of a closed
    tour it is the square a search begins from.
    """

    method: str
    board: str
    kind: str
    start: int | None
    seed: int
    repetition: int

    @property
    def instance(self) -> tuple[object, ...]:
        """What has to be equal for two methods to be compared."""
        return self[1:]

    def describe(self, board: Board | None = None) -> str:
        """Write the run in a few words, such as ``dfs 8x8 open from 0``."""
        words = [self.method, self.board, self.kind]
        if self.start is not None:
            words.append(f"from {chess_name(board, self.start) if board else self.start}")
        if self.repetition:
            words.append(f"#{self.repetition + 1}")
        return " ".join(words)


@dataclass(frozen=True)
class Task:
    """A run with all it takes to do it, on whatever machine. Memory in MiB."""

    run: Run
    board: Board
    time_limit: float
    memory_limit: float | None


@dataclass(frozen=True)
class Record:
    """One run and what came of it.

    ``seconds`` cover `solve` from the call to the answer, ``startup`` everything before: the
    process, the imports, a warm-up. ``timed_out``: the time limit ended the run. ``counters`` are
    the method's own. ``memory`` is the peak resident memory of the process in MiB, interpreter and
    libraries included (None: the system does not tell). ``validated``: the tour passed `validate`
    once more, in the run's own process (None: there is no tour).
    """

    run: Run
    squares: int
    status: RunStatus
    seconds: float
    startup: float | None
    timed_out: bool = False
    validated: bool | None = None
    reason: str | None = None
    counters: Mapping[str, float] = field(default_factory=dict)
    memory: float | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: str = ""

    @property
    def solved(self) -> bool:
        """Whether the question was answered: a tour, or a proof that there is none."""
        return self.status in SOLVED

    @property
    def seconds_if_solved(self) -> float:
        """The seconds it took, infinite when it was not solved."""
        return self.seconds if self.solved else math.inf

    @property
    def gave_up(self) -> bool:
        """Whether the method ended of its own accord without an answer."""
        return self.status is RunStatus.UNKNOWN and not self.timed_out

    @property
    def effort(self) -> tuple[str, float] | None:
        """The method's own unit of effort and how many it took: calls, or branches."""
        for unit in ("calls", "branches"):
            if unit in self.counters:
                return unit, self.counters[unit]
        return None

    def as_dict(self) -> dict[str, object]:
        """Return the record as plain values, one level deep but for counters and versions."""
        values = {name: value for name, value in asdict(self).items() if name != "run"}
        return {**self.run._asdict(), **values}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Record:
        """Rebuild a record from `as_dict`. Raises KeyError, TypeError or ValueError if it is none.

        >>> run = Run("dfs", "5x5", "open", 0, seed=0, repetition=0)
        >>> record = Record(run, 25, RunStatus.FOUND, seconds=0.25, startup=0.5)
        >>> Record.from_dict(record.as_dict()) == record
        True
        """
        run = Run(**{name: values[name] for name in Run._fields})
        return cls(run, **{name: make(values[name]) for name, make in _FIELDS.items()})


def _number_or_none(value: Any) -> float | None:
    return None if value is None else float(value)


_FIELDS: dict[str, Callable[[Any], Any]] = {
    "squares": operator.index,
    "status": RunStatus,
    "seconds": float,
    "startup": _number_or_none,
    "timed_out": bool,
    "validated": lambda value: None if value is None else bool(value),
    "reason": lambda value: None if value is None else str(value),
    "counters": lambda value: {str(unit): float(count) for unit, count in value.items()},
    "memory": _number_or_none,
    "versions": lambda value: {str(name): str(number) for name, number in value.items()},
    "machine": str,
}
"""How each field of a record is read again; what is of another kind is refused."""
