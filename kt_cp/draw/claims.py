"""The claims of pictures: a tour, the best or none at all, with every condition on it."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.board import Board
from kt_cp.board.symmetry import Symmetry
from kt_cp.graph import Graph
from kt_cp.messages import Vocabulary, join_words
from kt_cp.problem.constraints import Bound, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Optimum
from kt_cp.tour.tour import Tour

_MAX_NAMED = 3  # moves or squares of a condition that are named rather than counted

_MAP_OF_SYMMETRY = {
    Symmetry.HALF_TURN: "a half-turn maps onto itself",
    Symmetry.HALF_TURN_SAME: "a half-turn maps onto itself, run the same way",
    Symmetry.HALF_TURN_REVERSE: "a half-turn maps onto itself, run backwards",
    Symmetry.QUARTER_TURN: "a quarter-turn maps onto itself",
    Symmetry.LEFT_RIGHT: "the reflection from left to right maps onto itself",
    Symmetry.TOP_BOTTOM: "the reflection from top to bottom maps onto itself",
}

# The features whose names are plural nouns, with their nouns in the singular.
_NOUNS = {"crossings": "crossing", "turns": "turn", "chords": "chord"}
_LIMITS = {"<=": "at most", ">=": "at least", "=": "exactly"}


def no_tour_claim(instance: Instance) -> str:
    """Return the claim that an instance has no tour, with every constraint.

    >>> no_tour_claim(Instance.of("3x6")), no_tour_claim(Instance.of("6x6", uncrossed=True))
    ('no open tour of 3x6', 'no open tour of 6x6 without crossings')
    """
    return f"no {describe_tours(instance)}"


def best_tour_claim(instance: Instance, tour: Tour, objective: Optimum) -> str:
    """Return the claim that a tour is the best of an instance, or what is known about better ones.

    >>> from kt_cp import longest_path
    >>> result = longest_path("5x5", closed=True, induced=True)
    >>> best_tour_claim(result.instance, result.tour, result.objective)
    'longest cycle of 5x5 without chords: 16 of 25 squares'
    """
    described = describe_tours(instance)
    if objective.feature != "squares":
        return f"{described}: {objective.summary}"  # such as "turns 32, optimal"
    visited = f"{len(tour)} of {instance.graph.vocabulary.count_vertices(len(instance.graph))}"
    if objective.optimal:
        return f"longest {described}: {visited}"
    known = "nothing is proven"
    if objective.bound is not None:
        known = f"none visits more than {objective.bound:,.0f}"
    return f"{described}: {visited}; {known}"


def describe_tours(instance: Instance) -> str:
    """Return what an instance asks for, with every constraint.

    >>> describe_tours(Instance.of("8x8", closed=True, having="turns<=20", symmetry="left-right"))
    'closed tour of 8x8 with at most 20 turns that the reflection from left to right maps onto \
itself'
    """
    graph, words = instance.graph, instance.graph.vocabulary
    tour = words.tour(instance.closed)
    if instance.allows_partial:
        tour = words.partial_tour(instance.closed)
    parts = [f"{tour} {_place(graph)}", *_ends(instance)]
    if conditions := _conditions(instance):
        parts.append(join_words(conditions))
    if instance.symmetry is not None:
        parts.append(f"that {_MAP_OF_SYMMETRY[instance.symmetry]}")
    if instance.order:
        order = _named_or_counted(graph, instance.order, words.vertices)
        parts.append(f"that visits {order} in the given order")
    return " ".join(parts)


def is_constrained(instance: Instance) -> bool:
    """Return whether there are constraints on the tours of an instance.

    >>> is_constrained(Instance.of("6x6")), is_constrained(Instance.of("6x6", uncrossed=True))
    (False, True)
    """
    plain = Instance(instance.graph, closed=instance.closed, allows_partial=instance.allows_partial)
    return describe_tours(instance) != describe_tours(plain)


def _place(graph: Graph) -> str:
    """Return the phrase that names a board, with the number of its holes, or a graph."""
    if not isinstance(graph, Board):
        return f"in {graph.summary}"
    return f"of {graph.title_with_holes}"


def _ends(instance: Instance) -> list[str]:
    """Return the phrases on the ends of an open tour, such as ``from a1``."""
    if instance.closed:
        return []
    name = instance.graph.name
    phrases: list[str] = []
    if instance.first is not None:
        phrases.append(f"from {name(instance.first)}")
    if instance.last is not None:
        phrases.append(f"to {name(instance.last)}")
    return phrases


def _conditions(instance: Instance) -> list[str]:
    """Return the other constraints as phrases that begin with "with" or "without"."""
    words = instance.graph.vocabulary
    phrases: list[str] = []
    if instance.require:
        phrases.append(f"with {_moves(instance.graph, instance.require)}")
    if instance.forbid:
        phrases.append(f"without {_moves(instance.graph, instance.forbid)}")
    phrases += [_bound(bound, words) for bound in instance.having]
    ends = (instance.first, instance.last)
    steps = [step for square, step in instance.givens if instance.closed or square not in ends]
    if steps:
        phrases.append("with the given step" if len(steps) == 1 else "with the given steps")
    if instance.constrain:
        phrases.append("with the custom constraints")
    if instance.visit:
        phrases.append(f"with the required {words.vertices}")
    return phrases


def _moves(graph: Graph, moves: Sequence[Move]) -> str:
    """Return a few moves by their names, or the number of many."""
    words = graph.vocabulary
    if len(moves) > _MAX_NAMED:
        return words.count_edges(len(moves))
    return join_words([move.describe(graph) for move in moves])


def _named_or_counted(graph: Graph, vertices: Sequence[int], noun: str) -> str:
    """Return a few vertices by their names, or the number of many."""
    if len(vertices) > _MAX_NAMED:
        return f"{len(vertices):,} {noun}"
    return graph.list_names(vertices)


def _bound(bound: Bound, words: Vocabulary) -> str:
    """Return a bound as a phrase, such as ``with at most 20 turns``."""
    limit = _LIMITS[bound.relation]
    if bound.feature == "squares":
        return f"with {limit} {words.count_vertices(bound.value)}"
    noun = _NOUNS.get(bound.feature)
    if noun is None:
        return f"with {bound.feature} {limit} {bound.value:,}"
    if bound.limits[1] == 0:
        return f"without {bound.feature}"
    return f"with {limit} {bound.value:,} {noun if bound.value == 1 else bound.feature}"
