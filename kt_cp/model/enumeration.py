"""The solutions of a CP-SAT model as a lazy iterator."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from kt_cp.model.backend import STOP_AGAIN, Model, SolutionCallback, Solver
from kt_cp.model.circuit import CircuitModel
from kt_cp.model.parameters import ENUMERATION
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.symmetry import TourMap, edge_order

Batch = list[list[int]]

# Solutions travel in batches, as there may be thousands a second; none waits long (seconds).
_BATCH = 64
_PATIENCE = 0.02
_WAITING_BATCHES = 16


class _Collector(SolutionCallback):
    """Puts solutions into a queue, and stops the search when nobody wants them any more."""

    def __init__(self, variables: int) -> None:
        super().__init__()
        self.variables = variables
        self.batches: queue.Queue[Batch | None] = queue.Queue(_WAITING_BATCHES)
        self.unwanted = threading.Event()
        self.batch: Batch = []
        self.flushed = 0.0

    def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
        response: Any = self.Response()  # type: ignore[no-untyped-call]
        self.batch.append(list(itertools.islice(response.solution, self.variables)))
        if len(self.batch) == _BATCH or time.monotonic() > self.flushed + _PATIENCE:
            self.flush()
        if self.unwanted.is_set():
            self.StopSearch()

    def flush(self) -> None:
        batch, self.batch = self.batch, []
        self.flushed = time.monotonic()
        if batch:
            self.offer(batch)

    def offer(self, batch: Batch | None) -> None:
        """Wait for room in the queue, unless nobody wants the batch any more."""
        while not self.unwanted.is_set():
            try:
                return self.batches.put(batch, timeout=0.1)
            except queue.Full:
                continue


def solutions(model: Model, variables: int, clock: Clock) -> Iterator[Batch]:
    """Yield the solutions of a model, each as the values of its first variables, in batches.

    The solver works in a thread of its own, at most some thousand solutions ahead, and is stopped
    when the iterator is closed. Raises `OutOfTime` when the clock's limit is reached.
    """
    collector, solver = _Collector(variables), Solver(ENUMERATION, clock)

    def work() -> None:
        try:
            solver.search(model, collector)
            collector.flush()
        finally:
            collector.offer(None)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (batch := collector.batches.get()) is not None:
            yield batch
    finally:
        collector.unwanted.set()
        while thread.is_alive():
            solver.stop()
            thread.join(STOP_AGAIN)
    if not solver.exhausted:
        raise OutOfTime


# How many edges are compared. More leave fewer tours and cost more each: on 6x6, whose 9,862
# closed tours are 1,245 up to symmetry, 16 leave about 1,300.
_COMPARED = 16

Edge = tuple[int, int]


def break_symmetry(model: CircuitModel, maps: list[TourMap]) -> None:
    """Of all that the maps make of a tour keep those whose edges come first (lex-leader).

    Crawford, Ginsberg, Luks and Roy (1996): as 0/1 vectors over the edges, in a fixed order, the
    tour kept is no smaller than any of its images. Only the first edges that differ are compared,
    so more than one may be left; one always is.
    """
    edges = _EdgeLiterals(model)
    for tour_map in maps:
        if tour_map.is_identity_on_squares:
            if tour_map.reverse and not model.instance.closed:
                _start_below_end(model)
        else:
            _compare(model.cp, edges, list(itertools.islice(_pairs(model, tour_map), _COMPARED)))


def _start_below_end(model: CircuitModel) -> None:
    """Of an open tour and its reverse keep the one whose start has the lower id."""
    nodes = np.arange(model.depot)
    depot = np.full_like(nodes, model.depot)
    starts = model.arcs.literals_of(np.stack([depot, nodes], axis=1))
    ends = model.arcs.literals_of(np.stack([nodes, depot], axis=1))
    model.cp.add_linear([*starts, *ends], [*nodes, *-nodes], -model.depot, 0)


def _pairs(model: CircuitModel, tour_map: TourMap) -> Iterator[tuple[Edge, Edge]]:
    """Yield edges with their images; a pair that comes again, turned round, decides nothing."""
    board = model.instance.graph
    edges = np.stack(np.divmod(edge_order(board), board.area), axis=1)
    pairs = np.stack([edges, tour_map.images[edges]], axis=1)
    seen: set[tuple[Edge, Edge]] = set()
    for one, other in model.nodes(pairs).tolist():
        edge, image = _edge(*one), _edge(*other)
        if image != edge and (image, edge) not in seen:
            seen.add((edge, image))
            yield edge, image


def _compare(cp: Model, edges: _EdgeLiterals, pairs: list[tuple[Edge, Edge]]) -> None:
    """As long as the edges before are used alike, an edge is used if its image is."""
    alike: list[int] = []
    for edge, image in pairs:
        one, other, still = edges[edge], edges[image], cp.new_literal()
        differ_before = [~before for before in alike]
        cp.add_clause([*differ_before, one, ~other])
        # ``still``: alike before, and here too; told both ways, so that it adds no solutions
        cp.add_clause([*differ_before, ~one, other, ~still])
        cp.add_clause([*differ_before, one, still])
        cp.add_clause([*differ_before, ~other, still])
        for before in alike:
            cp.add_clause([~still, before])
        alike = [still]


class _EdgeLiterals:
    """The literal of an edge, true when one of its two arcs is used; made when first asked for."""

    def __init__(self, model: CircuitModel) -> None:
        self._model = model
        self._literals: dict[Edge, int] = {}

    def __getitem__(self, edge: Edge) -> int:
        if edge not in self._literals:
            arcs, cp = self._model.arcs, self._model.cp
            both = [arcs[arc] for arc in (edge, edge[::-1]) if arc in arcs]
            self._literals[edge] = used = cp.new_literal()
            cp.add_clause([*both, ~used])
            for literal in both:
                cp.add_clause([~literal, used])
        return self._literals[edge]


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)
