"""Certificates: files that prove that an instance has no tour, checkable without a solver.

They can also prove an upper bound on the squares of a path or cycle, or a lower bound on the number
of paths that visit every square once.

A certificate is about a graph whose vertices are the squares, by id. For an open tour there is one
more vertex, the depot, whose id is the number after the last id. It is joined to every square that
may be an end, so that every tour is a cycle. Edges are numbered from 1 in the order of their
vertices (lower, higher).
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kt_cp.board import Board
from kt_cp.graph import Graph, Pictured
from kt_cp.messages import InputError, pluralize
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import BoundProof

FORMAT = "knight's tour certificate, version 2"
GRAPH_FORMAT = "Hamiltonian cycle certificate, version 2"
_FORMER = (FORMAT.replace("2", "1"), GRAPH_FORMAT.replace("2", "1"))

# Larger boards, graphs and lists of moves are refused before anything is built, and so are pieces
# with more jumps from all squares together.
MAX_SQUARES = 100_000
_MAX_JUMPS = 3 * MAX_SQUARES

# The fields of each format, each with an example by which `_fits` checks types. A list of one entry
# stands for a list of any length with entries of that type, an empty list for any list, and a tuple
# for a list with exactly these types.
_COMMON: dict[str, object] = {"closed": True, "start": 0, "end": 0, "steps": []}
_FIELDS: dict[str, dict[str, object]] = {
    FORMAT: {
        "format": FORMAT,
        "board": {"rows": 8, "columns": 8, "holes": [27]},
        "piece": "knight",
        "topology": "flat",
        "require": ["a1-b3"],
        "forbid": ["a1>b3"],
        **_COMMON,
    },
    GRAPH_FORMAT: {
        "format": GRAPH_FORMAT,
        "graph": {"vertices": [], "edges": [(0, 1)], "directed": False},
        "require": [(0, 1, False)],
        "forbid": [(0, 1, True)],
        **_COMMON,
    },
}


class Rule(StrEnum):
    """The rules of inference; `kt_cp.proof.checker` says what each of them concludes, and why."""

    CUT = "cut"
    TIGHT_CUT = "tight-cut"
    COUNT = "count"
    SET = "set"
    CLAUSE = "clause"
    FRONTIER = "frontier"
    BOUND = "bound"


class Measure(StrEnum):
    """The quantity that a claim bounds: the squares of a path or cycle, or the paths of a cover."""

    SQUARES = "squares"
    PATHS = "paths"


@dataclass(frozen=True)
class Claim:
    """A bound: the most squares of any path or cycle, or the fewest paths of any cover.

    >>> Claim.parse("squares<=15")
    Claim(measure=<Measure.SQUARES: 'squares'>, value=15)
    """

    measure: Measure
    value: int

    def __str__(self) -> str:
        relation = "<=" if self.measure is Measure.SQUARES else ">="
        return f"{self.measure}{relation}{self.value}"

    @classmethod
    def parse(cls, text: str) -> Claim:
        """Return the claim in a text as `str` writes it. Raises `InputError` for other text."""
        bound = re.fullmatch(r"(squares)<=(\d{1,9})|(paths)>=(\d{1,9})", text, re.ASCII)
        if bound is not None:
            measure, value = filter(None, bound.groups())
            return cls(Measure(measure), int(value))
        raise InputError(f"claim {reprlib.repr(text)}: give squares<=N or paths>=N")

    def follows_from(self, proven: int) -> bool:
        """Return whether a proven bound on the same quantity implies this one."""
        return proven <= self.value if self.measure is Measure.SQUARES else proven >= self.value

    def title(self, graph: Graph, closed: bool) -> str:
        """Return the claim about a graph in words."""
        words = graph.vocabulary
        place = graph.title if graph.has_places else graph.summary
        if self.measure is Measure.PATHS:
            paths = pluralize(self.value, "path")
            return f"it takes at least {paths} to visit every {words.vertex} of {place} once"
        tour = words.partial_tour(closed)
        total = words.count_vertices(len(graph))
        return f"no {tour} of {place} visits more than {self.value} of {total}"


@dataclass(frozen=True)
class Step:
    """One step of a proof, not of a tour.

    ``items`` are the ids of vertices or, in a clause, the numbers of edges: positive if used,
    negative if not. ``hints`` are the constraints from which a clause follows, in order: the id of
    a vertex stands for its degree, and -k for the earlier step k (from 1).
    """

    rule: Rule
    items: tuple[int, ...]
    hints: tuple[int, ...] = ()


@dataclass(frozen=True)
class Certificate(Pictured):
    """The claim that an instance has no tour, or a claim of a bound, and the steps of its proof.

    The instance has neither a symmetry nor given steps, which the proof does not need. Raises
    `InputError` for a claim about the paths of a cover under constraints, which covers do not have.
    """

    instance: Instance
    steps: tuple[Step, ...]
    claim: Claim | None = None

    def __post_init__(self) -> None:
        if self.claim is None or self.claim.measure is Measure.SQUARES:
            return
        if self.instance != Instance(self.instance.graph):
            raise InputError(f"claim {self.claim}: is about all open paths, without constraints")

    @property
    def title(self) -> str:
        """The claim in words, such as ``closed 3x8 has no tour``."""
        instance = self.instance
        graph = self.instance.graph
        if self.claim is None:
            claimed = graph.no_tour_claim(instance.closed)
        else:
            claimed = self.claim.title(graph, instance.closed)
        if instance.ends or instance.require or instance.forbid:
            claimed += " under the given constraints"
        return claimed

    @property
    def bound_proof(self) -> BoundProof:
        """The kind of proof of the claimed bound."""
        is_bound = self.steps[0].rule is Rule.BOUND
        return BoundProof.SEPARATOR if is_bound else BoundProof.NO_TOUR

    def as_dict(self) -> dict[str, Any]:
        """Return the certificate as plain values, as in its file."""
        instance = self.instance
        graph = self.instance.graph
        moves = {"require": instance.require, "forbid": instance.forbid}
        values: dict[str, Any] = {
            **({} if self.claim is None else {"claim": str(self.claim)}),
            "closed": instance.closed,
            "start": instance.first,
            "end": instance.last,
            "steps": [
                {"rule": step.rule.value, "edges": list(step.items), "hints": list(step.hints)}
                if step.rule is Rule.CLAUSE
                else {"rule": step.rule.value, graph.vocabulary.vertices: list(step.items)}
                for step in self.steps
            ],
        }
        if not graph.has_places:
            lists = {name: [list(move) for move in each] for name, each in moves.items()}
            return {"format": GRAPH_FORMAT, "graph": graph.as_dict(), **lists, **values}
        board = instance.board
        return {
            "format": FORMAT,
            "board": {"rows": board.rows, "columns": board.columns, "holes": list(board.holes)},
            "piece": board.piece.name,
            "topology": board.topology.value,
            **{name: [move.describe(graph) for move in each] for name, each in moves.items()},
            **values,
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file: JSON with a step on each line."""
        values = self.as_dict()
        steps = map(json.dumps, values.pop("steps"))
        yield json.dumps(values).removesuffix("}") + ', "steps": ['
        yield from ",\n".join(steps).splitlines()
        yield "]}"

    @classmethod
    def from_dict(cls, values: Any) -> Certificate:
        """Return the certificate that `as_dict` describes. Raises `InputError` for other values."""
        if not isinstance(values, dict) or values.get("format") not in list(_FIELDS):
            if isinstance(values, dict) and values.get("format") in _FORMER:
                raise InputError(
                    "a certificate of version 1, which is no longer read: "
                    "make it again with kt solve --certificate"
                )
            formats = " or ".join(f'"{name}"' for name in _FIELDS)
            raise InputError(f'no certificate: give a JSON object with "format": {formats}')
        fields = _FIELDS[values["format"]]
        if values.keys() - {"claim"} != fields.keys():
            raise InputError(f"a certificate has the fields {', '.join(sorted(fields))}")
        for name, example in fields.items():
            is_no_end = name in ("start", "end") and values[name] is None
            if not is_no_end and not _fits(values[name], example):
                raise InputError(
                    f"{name} of a certificate: give a value such as {json.dumps(example)}"
                )
        graph = _board(values) if values["format"] == FORMAT else _graph(values["graph"])
        instance = Instance(
            graph,
            closed=values["closed"],
            start=values["start"],
            end=values["end"],
            require=_moves(graph, values["require"]),
            forbid=_moves(graph, values["forbid"]),
        )
        steps = (_read_step(number, step, graph) for number, step in enumerate(values["steps"], 1))
        claim = Claim.parse(str(values["claim"])) if "claim" in values else None
        return cls(instance, tuple(steps), claim)

    @classmethod
    def parse(cls, text: str) -> Certificate:
        """Read the text of a certificate file. Raises `InputError` for anything else."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):  # digits and brackets have limits, too
            raise InputError(
                "no certificate, as it is not JSON: give a file that kt solve --certificate writes"
            ) from None
        return cls.from_dict(values)


def _fits(value: Any, example: Any) -> bool:
    """Return whether a value has the types of an example, in lists and objects too."""
    if isinstance(example, dict):
        is_object = isinstance(value, dict) and value.keys() == example.keys()
        return is_object and all(_fits(value[name], each) for name, each in example.items())
    if isinstance(example, tuple):
        is_row = isinstance(value, list) and len(value) == len(example)
        return is_row and all(map(_fits, value, example))
    if isinstance(example, list):
        if not example:
            return isinstance(value, list)
        [entry] = example
        return isinstance(value, list) and all(_fits(each, entry) for each in value)
    return type(value) is type(example)


def _moves(graph: Graph, given: list[Any]) -> tuple[Move, ...]:
    """Return moves: those of a board are text, those of a graph (source, target, directed)."""
    if len(given) > MAX_SQUARES:
        raise InputError(f"a certificate has lists of at most {MAX_SQUARES:,} moves")
    moves = [move if isinstance(move, str) else Move(*move) for move in given]
    for move in moves:  # `Move.of` would read a number that is no id as a name
        if isinstance(move, Move) and not (move.source in graph and move.target in graph):
            ends = [move.source, move.target]
            raise InputError(
                f"move {ends} of a certificate: the vertices are 0 to {len(graph) - 1}"
            )
    return tuple(Move.of(graph, move) for move in moves)


def _board(values: dict[str, Any]) -> Board:
    """Return the board of a certificate. Raises `InputError` if it is too large."""
    described = values["board"]
    if not 0 < described["rows"] * described["columns"] <= MAX_SQUARES:
        raise InputError(f"a certificate is about a board of 1 to {MAX_SQUARES:,} squares")
    board = Board(**described, piece=values["piece"], topology=values["topology"])
    if board.area * len(board.piece.sides) > _MAX_JUMPS:
        raise InputError(f"piece {reprlib.repr(board.piece.name)}: too many jumps for {board.size}")
    return board


def _graph(values: dict[str, Any]) -> Graph:
    """Return the graph of a certificate. Raises `InputError` if it is too large or inconsistent."""
    if len(values["vertices"]) > MAX_SQUARES or len(values["edges"]) > 10 * MAX_SQUARES:
        raise InputError(f"a certificate is about a graph of up to {MAX_SQUARES:,} vertices")
    return Graph.from_dict(values)


def _read_step(number: int, values: Any, graph: Graph) -> Step:
    """Return a step of a certificate. Raises `InputError` for anything else."""
    if isinstance(values, dict) and values.get("rule") in list(Rule):
        rule = Rule(values["rule"])
        names = ("edges", "hints") if rule is Rule.CLAUSE else (graph.vocabulary.vertices,)
        if _fits(values, {"rule": "", **{name: [0] for name in names}}):
            return Step(rule, *(tuple(values[name]) for name in names))
    rules = ", ".join(Rule)
    raise InputError(f"step {number}: give a rule ({rules}) with its lists of whole numbers")
