"""Check a certificate: plain Python that knows the board, the constraints and no solver.

A tour is a cycle through all vertices, so each step concludes something that holds for every tour,
or that there is none:

- ``cut``: without a set S of vertices the cycle falls into at most as many paths as S has vertices,
  one less for each of its edges inside S; where the graph falls into more components there is no
  tour. Without removing any vertex, one component is all. (Chvátal 1973, toughness.)
- ``tight-cut``: where the components are just as many, no further edge inside S is used.
- ``count``: of a set A of vertices without edges between them every one needs two edges, and a
  vertex outside can take at most two of these; where that is too few, there is no tour.
- ``set``: at least two edges leave a set of vertices that is neither empty nor all.
- ``clause``: one of some edges is used, or one of some others is not, because the contrary leads to
  a contradiction when the hints are followed in order; an empty clause is one itself.
- ``frontier``: take the vertices one after the other, each with two edges, in every way; of what is
  chosen, only the ends of the paths among the vertices still to come, and which two belong
  together, matter for what follows. Where no way closes one cycle through all, there is no tour.
  (Held and Karp 1962; Knuth's simpath, The Art of Computer Programming 4A, 7.1.4.)

Every vertex has just two edges. An edge that a clause or a tight cut settles alone is taken as
settled by every later step; so are the required and forbidden moves and the given ends.
"""

from __future__ import annotations

import itertools
from collections import ChainMap, Counter
from collections.abc import Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass

from kt_cp.errors import checked_kind, pluralize
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate, Rule, Step

# The most edges that all steps together may look at: some ten seconds.
MOST_WORK = 3 * 10**7

# What a vertex that has two edges is told in place of the other end of a path.
_FULL = -1

Values = MutableMapping[int, bool]
State = Mapping[tuple[int, ...], bool]  # by edge, as its two vertices, whether a tour uses it


@dataclass(frozen=True)
class Verdict:
    """What `check` found: whether the certificate holds and, if not, the first bad step.

    ``squares`` are those of the decisive cut or count, if that is what ends the proof.
    """

    holds: bool
    message: str
    step: int | None = None
    squares: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True)
class _Constraint:
    """Of some literals at least ``least`` are true, and at most ``most``."""

    literals: tuple[int, ...]
    least: int
    most: int

    def propagate(self, values: Values) -> bool:
        """Settle what follows from the values known; tell whether they contradict this."""
        true = [each for each in self.literals if values.get(abs(each)) is (each > 0)]
        unknown = [each for each in self.literals if abs(each) not in values]
        if len(true) > self.most or len(true) + len(unknown) < self.least:
            return True
        if len(true) + len(unknown) == self.least:
            values.update((abs(each), each > 0) for each in unknown)
        elif len(true) == self.most:
            values.update((abs(each), each < 0) for each in unknown)
        return False


class _BadStepError(Exception):
    """A step does not follow."""


def check(certificate: Certificate, note: Callable[[State, State], None] | None = None) -> Verdict:
    """Check that a certificate proves what it claims.

    ``note`` is called after each step with the edges settled so far, and with what a clause's
    contrary and its hints have led to.

    >>> from kt_cp.board import Board
    >>> ring = Instance.of(Board(3, 3, [4]), closed=True, forbid=[(0, 5)])
    >>> print(check(Certificate(ring, (Step(Rule.CLAUSE, (), (0,)),))).message)
    holds: closed 3x3 has no tour (the moves that are left contradict one another)
    """
    wanted = "a certificate, such as solve('3x8', certificate=True).certificate"
    certificate = checked_kind(certificate, Certificate, wanted)
    if len(certificate.instance.graph) == 1 and not certificate.instance.closed:
        return Verdict(False, "does not hold: one square alone is an open tour")
    proof = _Proof(certificate.instance)
    for number, step in enumerate(certificate.steps, start=1):
        try:
            conclusion = proof.take(number, step)
        except _BadStepError as error:
            return Verdict(False, f"does not hold: step {number}, {step.rule}: {error}", number)
        finally:
            if note is not None:
                note(proof.state(proof.values), proof.state(proof.trial))
        if conclusion and number < len(certificate.steps):
            return Verdict(False, f"does not hold: steps after the end, step {number}", number)
        if conclusion:
            claim = certificate.instance.graph.no_tour(certificate.instance.closed)
            squares = () if step.rule is Rule.CLAUSE else step.items or tuple(proof.tight)
            return Verdict(True, f"holds: {claim} ({conclusion})", squares=squares)
    return Verdict(False, "does not hold: no step concludes that there is no tour")


class _Proof:
    """The graph of an instance, and what the steps taken so far have concluded.

    Directions of moves are left aside. The depot of an open tour has the id after the last.
    ``values`` tells of settled edges whether they are used, ``constraints`` what hints can name.
    """

    def __init__(self, instance: Instance) -> None:
        graph = self.graph = instance.graph
        self.words = graph.vocabulary
        vertices, depot = graph.vertices.tolist(), graph.area
        arcs = ((vertex, other) for vertex in vertices for other in graph.neighbors(vertex))
        pairs = {tuple(sorted(arc)) for arc in arcs if arc not in instance.forbidden_arcs}
        used = {tuple(sorted(move[:2])) for move in instance.require}
        if not instance.closed:
            pairs |= {(end, depot) for end in (vertices if instance.free_ends else instance.ends)}
            used |= {(end, depot) for end in instance.ends}
            vertices.append(depot)
        self.number = {pair: number for number, pair in enumerate(sorted(pairs), start=1)}
        self.around: dict[int, dict[int, int]] = {vertex: {} for vertex in vertices}
        for (low, high), number in self.number.items():
            self.around[low][high] = self.around[high][low] = number
        self.is_contradictory = not used <= pairs
        self.values: dict[int, bool] = {self.number[pair]: True for pair in used & pairs}
        self.constraints = {
            v: _Constraint(tuple(edges.values()), 2, 2) for v, edges in self.around.items()
        }
        self.tight: list[int] = []
        self.work = len(graph.arcs)

    def state(self, values: Values) -> State:
        """Return what is known of the edges, by their vertices."""
        return {pair: values[number] for pair, number in self.number.items() if number in values}

    def take(self, number: int, step: Step) -> str | None:
        """Conclude what a step says; return why there is no tour if that follows.

        Raises `_BadStepError` if the step does not follow.
        """
        self.trial: Values = {}
        self._spend(len(step.items))
        if step.rule is Rule.CLAUSE:
            self.constraints[-number] = self._clause(step)
            over = f"the {self.words.edges} that are left contradict one another"
            return None if step.items else over
        self._spend(len(self.number))
        squares = frozenset(step.items)
        if not self.around.keys() >= squares or len(squares) < len(step.items):
            raise _BadStepError("gives something else than different vertices")
        if step.rule is Rule.SET:
            self.constraints[-number] = self._leaving(squares)
            return None
        if step.rule is Rule.COUNT:
            return self._count(squares)
        if step.rule is Rule.FRONTIER:
            return self._sweep(step.items)
        return self._cut(squares, is_tight=step.rule is Rule.TIGHT_CUT)

    def _spend(self, work: int) -> None:
        self.work += work
        if self.work > MOST_WORK:
            raise _BadStepError("takes more work than a certificate may")

    def _is_left(self, edge: int) -> bool:
        return self.values.get(edge) is not False

    def _cut(self, removed: frozenset[int], is_tight: bool) -> str | None:
        around = ((vertex, self.around[vertex].items()) for vertex in removed)
        inside = [e for v, edges in around for other, e in edges if v < other and other in removed]
        used = [edge for edge in inside if self.values.get(edge)]
        most = len(removed) - len(used) if removed else 1
        count = self._components(removed)
        if is_tight and removed and count == most:
            self.values.update((edge, False) for edge in inside if edge not in used)
            self.tight = self._ids(removed)
            return None
        if is_tight or count <= most:
            raise _BadStepError(f"{pluralize(count, 'component')}, of which a tour connects {most}")
        because = f"a tour joins no two of {self._names(self.tight)}, so " if self.tight else ""
        without = f"without {self._names(removed)}, " if self._ids(removed) else ""
        return f"{because}{without}{count} components are left, of which a tour connects {most}"

    def _components(self, removed: frozenset[int]) -> int:
        waiting = self.around.keys() - removed
        count = 0
        while waiting:
            count += 1
            stack = [waiting.pop()]
            while stack:
                edges = self.around[stack.pop()].items()
                near = {other for other, edge in edges if self._is_left(edge)} & waiting
                waiting -= near
                stack += near
        return count

    def _count(self, squares: Collection[int]) -> str:
        around = (self.around[vertex].items() for vertex in squares)
        taken = Counter(other for edges in around for other, e in edges if self._is_left(e))
        if not taken.keys().isdisjoint(squares):
            raise _BadStepError(f"there are edges between the {self.words.vertices}")
        most = sum(min(2, count) for count in taken.values())
        needed = f"{2 * len(squares)} {self.words.edges}"
        if most >= 2 * len(squares):
            who = f"the {self.words.vertices} need"
            raise _BadStepError(f"{who} {needed}, and have at most {most}")
        if len(squares) == 1:
            return f"{self._names(squares)} needs {needed}, and has at most {most}"
        return f"{self._names(squares)} need {needed}, and have at most {most}"

    def _sweep(self, order: tuple[int, ...]) -> str:
        """Take the vertices in order, and follow every way to give each of them two edges.

        A state holds for vertices to come the other end of the path that ends there, or `_FULL` if
        it has two edges; a vertex without edges is its own other end, and is left out.
        """
        if len(order) < len(self.around):
            raise _BadStepError("the order leaves out vertices")
        position = {vertex: place for place, vertex in enumerate(order)}
        used = (pair for pair, edge in self.number.items() if self.values.get(edge))
        settled = max((min(position[low], position[high]) for low, high in used), default=-1)
        states: set[tuple[tuple[int, int], ...]] = {()}
        for place, vertex in enumerate(order):
            edges = self.around[vertex].items()
            later = [v for v, e in edges if position[v] > place and self._is_left(e)]
            forced = {v for v in later if self.values.get(self.around[vertex][v])}
            following = set()
            for state in states:
                mates = dict(state)
                mate = mates.pop(vertex, vertex)
                need = 0 if mate == _FULL else 2 if mate == vertex else 1
                free = [other for other in later if mates.get(other) != _FULL]
                for chosen in itertools.combinations(free, need):
                    self._spend(len(state) + 5)
                    if forced.issubset(chosen):
                        joined = _joined(mates, vertex, mate, chosen)
                        if joined is not None:
                            following.add(tuple(sorted(joined.items())))
                        elif settled <= place and all(
                            mates.get(v) == _FULL or v in chosen for v in order[place + 1 :]
                        ):
                            raise _BadStepError("there is a tour")
            states = following
        return "no way to give every vertex two edges closes a single cycle"

    def _leaving(self, squares: Collection[int]) -> _Constraint:
        if not 0 < len(squares) < len(self.around):
            raise _BadStepError("the set is empty, or holds all vertices")
        around = (self.around[vertex].items() for vertex in squares)
        leaving = tuple(e for edges in around for other, e in edges if other not in squares)
        return _Constraint(leaving, 2, len(leaving))

    def _clause(self, step: Step) -> _Constraint:
        if not all(1 <= abs(literal) <= len(self.number) for literal in step.items):
            raise _BadStepError(f"edges have the numbers 1 to {len(self.number)}")
        values: Values = ChainMap(self.trial, self.values)
        size = len(step.items)
        contrary = _Constraint(tuple(-literal for literal in step.items), size, size)
        if not (self.is_contradictory or contrary.propagate(values)):
            self._follow(step.hints, values)
        if size == 1:
            self.values.setdefault(abs(step.items[0]), step.items[0] > 0)
        return _Constraint(step.items, 1, size)

    def _follow(self, hints: tuple[int, ...], values: Values) -> None:
        """Follow the hints to a contradiction."""
        for hint in hints:
            if hint not in self.constraints:
                raise _BadStepError(f"hint {hint} names neither a vertex nor an earlier step")
            self._spend(len(self.constraints[hint].literals))
            if self.constraints[hint].propagate(values):
                return
        raise _BadStepError("its hints lead to no contradiction")

    def _ids(self, vertices: Collection[int]) -> list[int]:
        """Return those of some vertices that are squares, ascending."""
        return sorted(vertex for vertex in vertices if vertex in self.graph)

    def _names(self, vertices: Collection[int]) -> str:
        ids = self._ids(vertices)
        if len(ids) == 1:
            return f"the {self.words.vertex} {self.graph.list_names(ids)}"
        return f"the {self.words.count_vertices(len(ids))} {self.graph.list_names(ids)}"


def _joined(
    mates: dict[int, int], vertex: int, mate: int, chosen: tuple[int, ...]
) -> dict[int, int] | None:
    """Return the ends of paths after edges from a vertex, or None where they close a cycle.

    ``mate`` is the other end of the path that ends at the vertex: itself, if it has no edges.
    """
    if not chosen:
        return mates
    ends = [mates.get(other, other) for other in chosen]
    if ends[0] == (vertex if len(chosen) == 1 else chosen[1]):
        return None
    first, last = (mate, *ends)[-2:]
    return {**mates, **dict.fromkeys(chosen, _FULL), first: last, last: first}
