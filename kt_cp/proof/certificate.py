"""Certificates: files that prove that an instance has no tour, checkable without a solver.

A certificate speaks of a graph whose vertices are the squares, by id. For an open tour one vertex
more, the depot, has the id after the last; it is joined to every square that may be an end, so that
every tour is a cycle. The edges are numbered from 1 in the order of their vertices (lower, higher).
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kt_cp.board import Board
from kt_cp.display import drawn
from kt_cp.errors import InputError
from kt_cp.problem.constraints import parse_move
from kt_cp.problem.instance import Instance

FORMAT = "knight's tour certificate, version 1"

# Larger boards, longer lists of moves and pieces with more kinds of jumps (on large boards) are
# refused before anything is built.
MOST_SQUARES = 100_000
_MOST_JUMPS = 3 * MOST_SQUARES

_FIELDS = {"format", "board", "piece", "topology", "closed", "start", "end", "require", "forbid"}


class Rule(StrEnum):
    """The rules of inference; `kt_cp.proof.checker` says what each of them concludes, and why."""

    CUT = "cut"
    TIGHT_CUT = "tight-cut"
    COUNT = "count"
    SET = "set"
    CLAUSE = "clause"


@dataclass(frozen=True)
class Step:
    """One step of a proof.

    ``items`` are the ids of vertices or, in a clause, the numbers of edges: positive if used,
    negative if not. ``hints`` name what a clause follows from, in order: the degree of a vertex by
    its id, and an earlier step k (from 1) by -k.
    """

    rule: Rule
    items: tuple[int, ...]
    hints: tuple[int, ...] = ()


@dataclass(frozen=True)
class Certificate:
    """A claim that an instance has no tour, and the steps of its proof.

    The instance has neither a symmetry nor given steps: without them it has no tour either.
    """

    instance: Instance
    steps: tuple[Step, ...]

    def _repr_svg_(self) -> str | None:
        """Return a picture of the decisive squares, and whether the proof holds, for a notebook."""
        picture: str | None = drawn("notebook.certificate_svg", self)
        return picture

    def as_dict(self) -> dict[str, object]:
        """Return the plain values that the file holds."""
        instance, board = self.instance, self.instance.board
        return {
            "format": FORMAT,
            "board": {"rows": board.rows, "columns": board.columns, "holes": list(board.holes)},
            "piece": board.piece.name,
            "topology": board.topology.value,
            "closed": instance.closed,
            "start": instance.start,
            "end": instance.end,
            "require": [move.describe(board) for move in instance.require],
            "forbid": [move.describe(board) for move in instance.forbid],
            "steps": [_step_as_dict(step) for step in self.steps],
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file: JSON with a step on each line."""
        head = json.dumps({**self.as_dict(), "steps": []})
        steps = [json.dumps(_step_as_dict(step)) for step in self.steps]
        yield head.removesuffix("]}")
        yield from (f"{step}," for step in steps[:-1])
        yield from steps[-1:]
        yield "]}"

    @classmethod
    def from_dict(cls, values: object) -> Certificate:
        """Read what `as_dict` returns, trusting nothing. Raises `InputError` for anything else."""
        if not isinstance(values, Mapping) or values.get("format") != FORMAT:
            raise InputError(f'no certificate: give a JSON object with "format": "{FORMAT}"')
        if set(values) != _FIELDS | {"steps"}:
            raise InputError(f"a certificate has the fields {', '.join(sorted(_FIELDS))} and steps")
        steps = values["steps"]
        if not isinstance(steps, list):
            raise InputError("the steps of a certificate are a list")
        return cls(_instance(values), tuple(_step(n, step) for n, step in enumerate(steps, 1)))

    @classmethod
    def parse(cls, text: str) -> Certificate:
        """Read the text of a certificate file. Raises `InputError` for anything else."""
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            raise InputError(f"no certificate: {place} is not JSON") from None
        except (ValueError, RecursionError):  # too many digits, or brackets
            raise InputError(
                "no certificate: its numbers are too long, or its lists too deep"
            ) from None
        return cls.from_dict(values)


def _instance(values: Mapping[str, Any]) -> Instance:
    sides = values["board"]
    if not isinstance(sides, Mapping) or set(sides) != {"rows", "columns", "holes"}:
        raise InputError("the board of a certificate has rows, columns and holes")
    rows, columns, holes = sides["rows"], sides["columns"], sides["holes"]
    if not (_is_number(rows) and _is_number(columns) and 0 < rows * columns <= MOST_SQUARES):
        raise InputError(f"a certificate is about a board of 1 to {MOST_SQUARES:,} squares")
    if not _are_numbers(holes) or not isinstance(values["closed"], bool):
        raise InputError("holes are a list of ids, and closed is true or false")
    if not isinstance(values["piece"], str) or not isinstance(values["topology"], str):
        raise InputError("piece and topology are names")
    ends = (values["start"], values["end"])
    if not all(end is None or _is_number(end) for end in ends):
        raise InputError("start and end are ids, or null")
    moves = [values["require"], values["forbid"]]
    if not all(map(_are_texts, moves)) or max(map(len, moves)) > MOST_SQUARES:
        raise InputError('require and forbid are lists of moves such as "a1-b3", not too long')
    board = Board(rows, columns, holes, values["piece"], values["topology"])
    if board.area * len(board.piece.sides) > _MOST_JUMPS:
        raise InputError(f"piece {reprlib.repr(board.piece.name)}: too many jumps for {board.size}")
    return Instance(
        board,
        closed=values["closed"],
        start=values["start"],
        end=values["end"],
        require=tuple(parse_move(board, move) for move in values["require"]),
        forbid=tuple(parse_move(board, move) for move in values["forbid"]),
    )


def _step_as_dict(step: Step) -> dict[str, object]:
    if step.rule is Rule.CLAUSE:
        return {"rule": step.rule, "edges": list(step.items), "hints": list(step.hints)}
    return {"rule": step.rule, "squares": list(step.items)}


def _step(number: int, values: object) -> Step:
    if isinstance(values, Mapping) and values.get("rule") in list(Rule):
        rule = Rule(values["rule"])
        names = ("edges", "hints") if rule is Rule.CLAUSE else ("squares",)
        if set(values) == {"rule", *names} and all(_are_numbers(values[name]) for name in names):
            return Step(rule, *(tuple(values[name]) for name in names))
    rules = ", ".join(Rule)
    raise InputError(f"step {number}: give a rule ({rules}) with its lists of whole numbers")


def _is_number(value: object) -> bool:
    return type(value) is int


def _are_numbers(values: object) -> bool:
    return isinstance(values, list) and all(map(_is_number, values))


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
