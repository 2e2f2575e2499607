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

import numpy as np

from kt_cp.board import Board
from kt_cp.display import drawn
from kt_cp.errors import InputError
from kt_cp.graph import Graph
from kt_cp.problem.constraints import Move, parse_move
from kt_cp.problem.instance import Instance

FORMAT = "knight's tour certificate, version 1"
GRAPH_FORMAT = "Hamiltonian cycle certificate, version 1"

# Larger boards, longer lists of moves and pieces with more kinds of jumps (on large boards) are
# refused before anything is built.
MOST_SQUARES = 100_000
_MOST_JUMPS = 3 * MOST_SQUARES

_COMMON = {"format", "closed", "start", "end", "require", "forbid", "steps"}
_FIELDS = {
    FORMAT: _COMMON | {"board", "piece", "topology"},
    GRAPH_FORMAT: _COMMON | {"graph"},
}


class Rule(StrEnum):
    """The rules of inference; `kt_cp.proof.checker` says what each of them concludes, and why."""

    CUT = "cut"
    TIGHT_CUT = "tight-cut"
    COUNT = "count"
    SET = "set"
    CLAUSE = "clause"
    FRONTIER = "frontier"


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
        picture: str | None = drawn("output.notebook_svg", self, self.instance.graph)
        return picture

    def as_dict(self) -> dict[str, object]:
        """Return the plain values that the file holds."""
        instance, graph = self.instance, self.instance.graph
        if isinstance(graph, Board):
            sides = {"rows": graph.rows, "columns": graph.columns, "holes": list(graph.holes)}
            about = {"board": sides, "piece": graph.piece.name, "topology": graph.topology.value}
        else:
            about = {"graph": graph.as_dict()}
        moves = {"require": instance.require, "forbid": instance.forbid}
        return {
            "format": FORMAT if isinstance(graph, Board) else GRAPH_FORMAT,
            **about,
            "closed": instance.closed,
            "start": instance.start,
            "end": instance.end,
            **{
                name: [
                    move.describe(graph) if isinstance(graph, Board) else list(move)
                    for move in each
                ]
                for name, each in moves.items()
            },
            "steps": [self._step_as_dict(step) for step in self.steps],
        }

    def _step_as_dict(self, step: Step) -> dict[str, object]:
        if step.rule is Rule.CLAUSE:
            return {"rule": step.rule, "edges": list(step.items), "hints": list(step.hints)}
        return {"rule": step.rule, _items_name(self.instance.graph): list(step.items)}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file: JSON with a step on each line."""
        head = json.dumps({**self.as_dict(), "steps": []})
        steps = [json.dumps(self._step_as_dict(step)) for step in self.steps]
        yield head.removesuffix("]}")
        yield from (f"{step}," for step in steps[:-1])
        yield from steps[-1:]
        yield "]}"

    @classmethod
    def from_dict(cls, values: object) -> Certificate:
        """Read what `as_dict` returns, trusting nothing. Raises `InputError` for anything else."""
        if not isinstance(values, Mapping) or values.get("format") not in list(_FIELDS):
            formats = " or ".join(f'"{name}"' for name in _FIELDS)
            raise InputError(f'no certificate: give a JSON object with "format": {formats}')
        fields = _FIELDS[values["format"]]
        if set(values) != fields:
            raise InputError(f"a certificate has the fields {', '.join(sorted(fields))}")
        if not isinstance(values["steps"], list):
            raise InputError("the steps of a certificate are a list")
        graph = _board(values) if values["format"] == FORMAT else _graph(values["graph"])
        steps = (_step(n, step, graph) for n, step in enumerate(values["steps"], 1))
        return cls(_instance(values, graph), tuple(steps))

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


def _instance(values: Mapping[str, Any], graph: Graph) -> Instance:
    if not isinstance(values["closed"], bool):
        raise InputError("closed is true or false")
    if not all(end is None or _is_number(end) for end in (values["start"], values["end"])):
        raise InputError("start and end are ids, or null")
    moves = [values["require"], values["forbid"]]
    are_moves = _are_texts if isinstance(graph, Board) else _are_pairs
    if not all(map(are_moves, moves)) or max(map(len, moves)) > MOST_SQUARES:
        example = '"a1-b3"' if isinstance(graph, Board) else "[0, 1, false]"
        raise InputError(f"require and forbid are lists of moves such as {example}, not too long")
    required, forbidden = (
        tuple(parse_move(graph, move if isinstance(move, str) else Move(*move)) for move in each)
        for each in moves
    )
    start, end = values["start"], values["end"]
    return Instance(graph, values["closed"], start, end, required, forbidden)


def _board(values: Mapping[str, Any]) -> Board:
    sides = values["board"]
    if not isinstance(sides, Mapping) or set(sides) != {"rows", "columns", "holes"}:
        raise InputError("the board of a certificate has rows, columns and holes")
    rows, columns, holes = sides["rows"], sides["columns"], sides["holes"]
    if not (_is_number(rows) and _is_number(columns) and 0 < rows * columns <= MOST_SQUARES):
        raise InputError(f"a certificate is about a board of 1 to {MOST_SQUARES:,} squares")
    if not _are_numbers(holes):
        raise InputError("holes are a list of ids")
    if not isinstance(values["piece"], str) or not isinstance(values["topology"], str):
        raise InputError("piece and topology are names")
    board = Board(rows, columns, holes, values["piece"], values["topology"])
    if board.area * len(board.piece.sides) > _MOST_JUMPS:
        raise InputError(f"piece {reprlib.repr(board.piece.name)}: too many jumps for {board.size}")
    return board


def _graph(values: object) -> Graph:
    if not isinstance(values, Mapping) or set(values) != {"vertices", "edges", "directed"}:
        raise InputError("the graph of a certificate has vertices, edges and directed")
    names, edges = values["vertices"], values["edges"]
    if not isinstance(names, list) or not all(type(name) in (int, str) for name in names):
        raise InputError("vertices are a list of names: texts or whole numbers")
    if not isinstance(edges, list) or max(len(names), len(edges) / 10) > MOST_SQUARES:
        raise InputError(f"a graph has at most {MOST_SQUARES:,} vertices, and a list of edges")
    count = len(names)
    if not all(_are_numbers(e) and len(e) == 2 and min(e) >= 0 and max(e) < count for e in edges):
        raise InputError(f"edges are pairs of numbers of vertices, from 0 to {count - 1}")
    if not isinstance(values["directed"], bool):
        raise InputError("directed is true or false")
    return Graph(names, np.array(edges, dtype=np.int64), values["directed"])


def _items_name(graph: Graph) -> str:
    return "squares" if isinstance(graph, Board) else "vertices"


def _step(number: int, values: object, graph: Graph) -> Step:
    if isinstance(values, Mapping) and values.get("rule") in list(Rule):
        rule = Rule(values["rule"])
        names = ("edges", "hints") if rule is Rule.CLAUSE else (_items_name(graph),)
        if set(values) == {"rule", *names} and all(_are_numbers(values[name]) for name in names):
            return Step(rule, *(tuple(values[name]) for name in names))
    rules = ", ".join(Rule)
    raise InputError(f"step {number}: give a rule ({rules}) with its lists of whole numbers")


def _are_pairs(values: object) -> bool:
    return isinstance(values, list) and all(
        isinstance(move, list)
        and len(move) == 3
        and _are_numbers(move[:2])
        and isinstance(move[2], bool)
        for move in values
    )


def _is_number(value: object) -> bool:
    return type(value) is int


def _are_numbers(values: object) -> bool:
    return isinstance(values, list) and all(map(_is_number, values))


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
