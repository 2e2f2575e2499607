"""Check a certificate: plain Python that knows the board, the constraints and no solver.

Every tour is a cycle through all vertices, and uses exactly two edges at each of them. Each step of
a proof concludes something that holds for every tour, or that there is no tour:

- ``cut``: Removing a set S of vertices splits a tour into at most as many paths as S has vertices,
  one less for each edge of the tour inside S. If it splits the graph into more components, there is
  no tour. If S is empty, a tour needs the graph to be one component. (Chvátal 1973, toughness.)
- ``tight-cut``: If S splits the graph into exactly that many components, the tour uses no further
  edge inside S.
- ``count``: Let A be a set of vertices without edges between them. Each vertex of A needs two
  edges, and a vertex outside A gives at most two of these. If that is too few, there is no tour.
- ``set``: At least two edges of a tour leave a set of vertices that is neither empty nor all.
- ``clause``: At least one of some literals (an edge is used, an edge is not used) is true, since
  assuming that all are false leads to a contradiction when the hints are followed in order. The
  empty clause is a contradiction.
- ``frontier``: Take the vertices in order and choose two edges for each, in every possible way. For
  the rest only the ends of the paths among the vertices still to come matter, and which two belong
  to one path. If no way closes a single cycle through all vertices, there is no tour. (Held and
  Karp 1962; Knuth's simpath, The Art of Computer Programming 4A, 7.1.4.)

An edge is settled if it is known whether tours use it: by the required and forbidden moves, by the
given ends, by a tight cut, or by a clause of one literal. All later steps use that.

A certificate may claim a bound instead, on the squares of a path or cycle that leaves squares out,
or on the paths of a cover. It follows from the lack of a tour if the bound is one square less than
all, or two paths, and otherwise from one more rule, which must be the only step:

- ``bound``: Removing a set S splits a path or cycle into at most as many paths as in ``cut``, each
  in one component. So it visits at most S and that many of the largest components. Likewise the p
  paths of a cover are split into at most ``p + |S|`` paths, which must reach all components.

A cycle in a bipartite graph visits equally many vertices of both colors.
"""

from __future__ import annotations

import itertools
from collections import ChainMap, Counter
from collections.abc import Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass

from kt_cp.messages import checked_class, pluralize
from kt_cp.problem.constraints import Edge
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate, Claim, Measure, Rule, Step

# The limit on the edges that all steps together look at, which takes some ten seconds.
MOST_WORK = 3 * 10**7

# In the rule frontier, the mate of a vertex that has both of its edges and so ends no path.
_FULL = -1

Values = MutableMapping[int, bool]
"""Whether tours use an edge, by its number, for the edges of which that is known."""

Settled = Mapping[Edge, bool]
"""Whether tours use an edge, by its two vertices, for the edges of which that is known."""


@dataclass(frozen=True)
class Verdict:
    """The result of `check`: whether the certificate holds and, if not, the first bad step.

    ``squares`` are those of the cut, count or bound that ends the proof, if one of these does.
    """

    holds: bool
    message: str
    step: int | None = None
    squares: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True)
class Constraint:
    """A constraint on the number of true literals: at least ``least`` and at most ``most``.

    A literal is the number of an edge (it is used), or the negative number (it is not used).
    """

    literals: tuple[int, ...]
    least: int
    most: int

    def propagate(self, values: Values) -> bool:
        """Settle the literals that follow from ``values``; return whether these contradict this."""
        true = [each for each in self.literals if values.get(abs(each)) is (each > 0)]
        unknown = [each for each in self.literals if abs(each) not in values]
        possible = len(true) + len(unknown)
        if len(true) > self.most or possible < self.least:
            return True
        if possible == self.least:
            for literal in unknown:
                values[abs(literal)] = literal > 0
        elif len(true) == self.most:
            for literal in unknown:
                values[abs(literal)] = literal < 0
        return False


class _BadStepError(Exception):
    """A step does not follow."""


def check(
    certificate: Certificate, note: Callable[[Settled, Settled], None] | None = None
) -> Verdict:
    """Return the verdict on whether a certificate proves what it claims.

    ``note`` is called after each step with the edges settled so far, and with the edges that are
    settled under the assumption that the step's clause is false. Raises `InputError` for a value
    that is not a certificate.

    >>> from kt_cp.board import Board
    >>> ring = Instance.of(Board(3, 3, [4]), closed=True, forbid=[(0, 5)])
    >>> print(check(Certificate(ring, (Step(Rule.CLAUSE, (), (0,)),))).message)
    holds: closed 3x3 with 1 hole has no tour under the given constraints (the moves that are left \
contradict one another)
    """
    expected = "a certificate, such as solve('3x8', certificate=True).certificate"
    certificate = checked_class(certificate, Certificate, expected)
    if len(certificate.instance.graph) == 1 and not certificate.instance.closed:
        return Verdict(False, "does not hold: one square alone is an open tour")
    proof = _ProofState(certificate.instance, certificate.claim)
    for number, step in enumerate(certificate.steps, start=1):
        try:
            conclusion = proof.take(number, step)
        except _BadStepError as error:
            return Verdict(False, f"does not hold: step {number}, {step.rule}: {error}", number)
        finally:
            if note is not None:
                note(proof.by_vertices(proof.settled), proof.by_vertices(proof.trial))
        if conclusion and number < len(certificate.steps):
            return Verdict(False, f"does not hold: steps after the end, step {number}", number)
        if conclusion:
            message = f"holds: {certificate.title} ({conclusion})"
            return Verdict(True, message, squares=proof.decisive_squares(step))
    return Verdict(False, "does not hold: no step concludes that there is no tour")


def _edges_of_tours(instance: Instance) -> tuple[set[Edge], set[Edge]]:
    """Return the edges that a tour may use, and those that it has to use, by the constraints.

    Those of the depot are among them: a tour may use one to every square that may be an end.
    """
    graph = instance.graph
    ends = set(instance.ends)
    arcs = {(source, target) for source, target in graph.arcs.tolist()}
    edges = {(min(arc), max(arc)) for arc in arcs - instance.forbidden_arcs}
    moves = [(move.source, move.target) for move in instance.require]
    used = {(min(move), max(move)) for move in moves} | {(end, graph.area) for end in ends}
    if not instance.closed:
        possible = graph.vertices.tolist() if instance.free_end_count else ends
        edges |= {(end, graph.area) for end in possible}
    return edges, used


class _ProofState:
    """The graph of an instance, and the conclusions of the steps taken so far.

    Directions of moves are ignored. The depot of an open tour has the number after the last id.

    - ``claim``: the bound that is to be proven, if any.
    - ``words``: the vocabulary of the graph, for messages.
    - ``number``: the number of each edge, from 1 in the order of their vertices.
    - ``edge_to``: for each vertex the number of the edge to each of its neighbors.
    - ``settled``: for each settled edge, by number, whether tours use it.
    - ``trial``: the same for the edges that are settled if the present clause is false.
    - ``constraints``: the constraints that hints can name: the degree of a vertex by its id, and
      the conclusion of an earlier step by its negative number.
    - ``is_contradictory``: whether a required edge is none that a tour may use.
    - ``tight``: the squares of the last tight cut.
    - ``work``: the work done so far, of which at most `MOST_WORK` is allowed.
    """

    def __init__(self, instance: Instance, claim: Claim | None) -> None:
        self.graph = graph = instance.graph
        self.closed = instance.closed
        self.claim = claim
        self.words = graph.vocabulary
        edges, used = _edges_of_tours(instance)
        depot = () if instance.closed else (graph.area,)
        self.edge_to: dict[int, dict[int, int]] = {
            vertex: {} for vertex in (*graph.vertices.tolist(), *depot)
        }
        self.number = {edge: number for number, edge in enumerate(sorted(edges), start=1)}
        for (low, high), number in self.number.items():
            self.edge_to[low][high] = self.edge_to[high][low] = number
        self.is_contradictory = not used <= edges
        self.settled: Values = {self.number[edge]: True for edge in used & edges}
        self.trial: Values = {}
        self.constraints = {
            vertex: Constraint(tuple(neighbors.values()), 2, 2)
            for vertex, neighbors in self.edge_to.items()
        }
        self.tight: list[int] = []
        self.work = len(graph.arcs)

    def by_vertices(self, values: Values) -> Settled:
        """Return the values of edges, with each edge given by its vertices."""
        return {edge: values[number] for edge, number in self.number.items() if number in values}

    def decisive_squares(self, step: Step) -> tuple[int, ...]:
        """Return the squares of the step that ends the proof or, if it has none, of a tight cut."""
        if step.rule is Rule.CLAUSE:
            return ()
        return step.items or tuple(self.tight)

    def take(self, number: int, step: Step) -> str | None:
        """Draw the conclusion of a step; return why the certificate holds if the step proves that.

        Raises `_BadStepError` if the step does not follow.
        """
        self.trial = {}
        self._spend(len(step.items))
        if step.rule is Rule.BOUND:
            return self._bound(number, self._distinct_vertices(step))
        contradiction = self._conclude(number, step)
        if contradiction is None or self.claim is None:
            return contradiction
        proven = 2 if self.claim.measure is Measure.PATHS else len(self.graph) - 1
        return contradiction + self._support(self.claim, proven)

    def _conclude(self, number: int, step: Step) -> str | None:
        """Draw the conclusion of a step; return why there is no tour if it is a contradiction."""
        if step.rule is Rule.CLAUSE:
            self.constraints[-number] = self._clause(step)
            if step.items:
                return None
            return f"the {self.words.edges} that are left contradict one another"
        vertices = self._distinct_vertices(step)
        match step.rule:
            case Rule.CUT:
                return self._cut(vertices)
            case Rule.COUNT:
                return self._count(vertices)
            case Rule.FRONTIER:
                return self._frontier(step.items)
            case Rule.TIGHT_CUT:
                self._tight_cut(vertices)
            case _:  # Rule.SET
                self.constraints[-number] = self._leaving(vertices)
        return None

    def _distinct_vertices(self, step: Step) -> frozenset[int]:
        """Return the vertices of a step. Raises `_BadStepError` unless they are distinct."""
        self._spend(len(self.number))
        vertices = frozenset(step.items)
        if not vertices <= self.edge_to.keys() or len(vertices) < len(step.items):
            raise _BadStepError("does not list distinct vertices of the graph")
        return vertices

    def _spend(self, work: int) -> None:
        """Count work. Raises `_BadStepError` if it exceeds `MOST_WORK` in all."""
        self.work += work
        if self.work > MOST_WORK:
            raise _BadStepError("takes more work than a certificate may")

    def _is_left(self, edge: int) -> bool:
        """Return whether an edge is not settled as unused."""
        return self.settled.get(edge) is not False

    # -- the rules cut and tight-cut --------------------------------------------------------------

    def _cut(self, removed: frozenset[int]) -> str:
        """Return why there is no tour: more components are left than a tour connects."""
        count = len(self._components(removed))
        connected = self._most_connected(removed)
        if count <= connected:
            raise _BadStepError(_few_components(count, connected))
        tight = f"a tour joins no two of {self._names(self.tight)}, so " if self.tight else ""
        components = self._components_clause(removed, count)
        return f"{tight}{components}, of which a tour connects {connected}"

    def _tight_cut(self, removed: frozenset[int]) -> None:
        """Settle that no further edge between removed vertices is used.

        A tour needs all of their edges to connect the components that are left.
        """
        count = len(self._components(removed))
        connected = self._most_connected(removed)
        if count != connected or not removed:
            raise _BadStepError(_few_components(count, connected))
        for edge in self._inside(removed):
            self.settled.setdefault(edge, False)
        self.tight = self._ids(removed)

    def _components(self, removed: frozenset[int]) -> list[list[int]]:
        """Return the components that are left without some vertices."""
        unreached = self.edge_to.keys() - removed
        components = []
        while unreached:
            component = [unreached.pop()]
            for vertex in component:  # the list grows meanwhile
                for other, edge in self.edge_to[vertex].items():
                    if other in unreached and self._is_left(edge):
                        unreached.remove(other)
                        component.append(other)
            components.append(component)
        return components

    def _most_connected(self, removed: frozenset[int]) -> int:
        """Return the most components that a tour connects once some vertices are removed."""
        if not removed:
            return 1
        used = [edge for edge in self._inside(removed) if self.settled.get(edge)]
        return len(removed) - len(used)

    def _inside(self, vertices: frozenset[int]) -> list[int]:
        """Return the edges between some vertices."""
        return [
            edge
            for vertex in vertices
            for other, edge in self.edge_to[vertex].items()
            if vertex < other and other in vertices
        ]

    def _components_clause(self, removed: frozenset[int], count: int) -> str:
        """Return a clause on how many components are left without some vertices."""
        without = f"without {self._names(removed)}, " if self._ids(removed) else ""
        verb = "is" if count == 1 else "are"
        return f"{without}{pluralize(count, 'component')} {verb} left"

    # -- the rule count ---------------------------------------------------------------------------

    def _count(self, vertices: frozenset[int]) -> str:
        """Return why there is no tour: some vertices need more edges than the others give."""
        shares: Counter[int] = Counter()  # for each neighbor, how many of the vertices it joins
        for vertex in vertices:
            for other, edge in self.edge_to[vertex].items():
                if self._is_left(edge):
                    shares[other] += 1
        if not shares.keys().isdisjoint(vertices):
            raise _BadStepError(f"there are edges between the {self.words.vertices}")
        allowed = sum(min(2, share) for share in shares.values())
        needed = f"{2 * len(vertices)} {self.words.edges}"
        if allowed >= 2 * len(vertices):
            raise _BadStepError(
                f"the {self.words.vertices} need {needed}, and have at most {allowed}"
            )
        if len(vertices) == 1:
            return f"{self._names(vertices)} needs {needed}, and has at most {allowed}"
        return f"{self._names(vertices)} need {needed}, and have at most {allowed}"

    # -- the rules set and clause -----------------------------------------------------------------

    def _leaving(self, vertices: frozenset[int]) -> Constraint:
        """Return the constraint that at least two edges leave a set of vertices."""
        if not 0 < len(vertices) < len(self.edge_to):
            raise _BadStepError("the set is empty, or holds all vertices")
        leaving = [
            edge
            for vertex in vertices
            for other, edge in self.edge_to[vertex].items()
            if other not in vertices
        ]
        return Constraint(tuple(leaving), 2, len(leaving))

    def _clause(self, step: Step) -> Constraint:
        """Return the clause of a step, if its negation leads to a contradiction."""
        if not all(1 <= abs(literal) <= len(self.number) for literal in step.items):
            raise _BadStepError(f"edges have the numbers 1 to {len(self.number)}")
        values: Values = ChainMap(self.trial, self.settled)
        size = len(step.items)
        negation = Constraint(tuple(-literal for literal in step.items), size, size)
        if not self.is_contradictory and not negation.propagate(values):
            self._follow(step.hints, values)
        if size == 1:
            literal = step.items[0]
            self.settled.setdefault(abs(literal), literal > 0)
        return Constraint(step.items, 1, size)

    def _follow(self, hints: tuple[int, ...], values: Values) -> None:
        """Propagate the hints in order. Raises `_BadStepError` unless a contradiction follows."""
        for hint in hints:
            if hint not in self.constraints:
                raise _BadStepError(f"hint {hint} names neither a vertex nor an earlier step")
            self._spend(len(self.constraints[hint].literals))
            if self.constraints[hint].propagate(values):
                return
        raise _BadStepError("its hints lead to no contradiction")

    # -- the rule frontier ------------------------------------------------------------------------

    def _frontier(self, order: tuple[int, ...]) -> str:
        """Return why there is no tour: no way to give every vertex two edges makes one cycle.

        A state stands for all ways to choose the edges of the vertices so far that leave the same
        mates: for each later vertex that has edges, the other end of its path.
        """
        if len(order) < len(self.edge_to):
            raise _BadStepError("the order leaves out vertices")
        place_of = {vertex: place for place, vertex in enumerate(order)}
        used = [ends for ends, edge in self.number.items() if self.settled.get(edge)]
        # A cycle that is closed before this place leaves out an edge that is used.
        last_used_place = max((min(place_of[a], place_of[b]) for a, b in used), default=-1)
        states: set[tuple[tuple[int, int], ...]] = {()}
        for place, vertex in enumerate(order):
            later = {
                other: edge
                for other, edge in self.edge_to[vertex].items()
                if place_of[other] > place and self._is_left(edge)
            }
            forced = {other for other, edge in later.items() if self.settled.get(edge)}
            following = set()
            for state in states:
                mates = dict(state)
                needed = 2
                if vertex in mates:  # it has an edge, and as a full one it has both
                    needed = 0 if mates[vertex] == _FULL else 1
                free = [other for other in later if mates.get(other) != _FULL]
                for chosen in itertools.combinations(free, needed):
                    self._spend(len(state) + 5)
                    if not forced.issubset(chosen):
                        continue
                    joined = {**mates}
                    closes_cycle = [_join(joined, vertex, other) for other in chosen]
                    if not any(closes_cycle):
                        del joined[vertex]
                        following.add(tuple(sorted(joined.items())))
                    elif place >= last_used_place and all(
                        joined.get(other) == _FULL for other in order[place:]
                    ):
                        raise _BadStepError("there is a tour")
            states = following
        return "no way to give every vertex two edges closes a single cycle"

    # -- the rule bound, and claims ---------------------------------------------------------------

    def _bound(self, number: int, removed: frozenset[int]) -> str:
        """Return why the claim holds: paths connect too few of the components that are left."""
        if self.claim is None or number > 1:
            raise _BadStepError("is for a claim about squares or paths, and then the only step")
        squares = len(self._ids(removed))
        if self.claim.measure is Measure.PATHS:
            count = len(self._components(removed | {self.graph.area}))
            parity = self._support(self.claim, count - squares)
            visits = f"p paths visit at most {f'p + {squares}' if squares else 'p'}"
        else:
            components = self._components(removed)
            count = len(components)
            visited = max(1, self._most_connected(removed))
            sizes = sorted((len(self._ids(each)) for each in components), reverse=True)
            parity = self._support(self.claim, squares + sum(sizes[:visited]))
            visits = f"a {self.words.partial_tour(self.closed)} visits at most {visited}"
        return f"{self._components_clause(removed, count)}, of which {visits}{parity}"

    def _support(self, claim: Claim, proven: int) -> str:
        """Return a clause on parity if a claim needs that to follow from a proven bound.

        Raises `_BadStepError` if it does not follow.
        """
        if claim.follows_from(proven):
            return ""
        has_even_cycles = self.closed and self.graph.first_part is not None
        if has_even_cycles and claim.follows_from(proven - proven % 2):
            colors = f"{self.words.dark} as {self.words.light} {self.words.vertices}"
            return f", and it visits as many {colors}"
        raise _BadStepError(f"proves no more than {Claim(claim.measure, proven)}")

    # -- names ------------------------------------------------------------------------------------

    def _ids(self, vertices: Collection[int]) -> list[int]:
        """Return some vertices without the depot, ascending."""
        return sorted(vertex for vertex in vertices if vertex in self.graph)

    def _names(self, vertices: Collection[int]) -> str:
        """Return a noun and the names of some vertices, without the depot."""
        ids = self._ids(vertices)
        if len(ids) == 1:
            return f"the {self.words.vertex} {self.graph.list_names(ids)}"
        return f"the {self.words.count_vertices(len(ids))} {self.graph.list_names(ids)}"


def _few_components(count: int, connected: int) -> str:
    """Return how many components there are, and how many a tour connects."""
    return f"{pluralize(count, 'component')}, of which a tour connects {connected}"


def _join(mates: dict[int, int], one: int, other: int) -> bool:
    """Add an edge between the ends of two paths, and return whether it closes a cycle.

    The two become inner vertices of the joined path, unless they had no edges.
    """
    start, end = mates.get(one, one), mates.get(other, other)
    mates[one] = mates[other] = _FULL
    if start == other:
        return True
    mates[start], mates[end] = end, start
    return False
