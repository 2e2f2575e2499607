"""Helpers of tests of counting: tours as they are counted, and constraints as keywords."""

from collections.abc import Set

from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from tests.helpers.oracle import all_tours


def undirected(path: tuple[int, ...]) -> frozenset[frozenset[int]]:
    """Return the edges of a cycle."""
    return frozenset(frozenset(edge) for edge in zip(path, [*path[1:], path[0]], strict=True))


def tours_as_counted(instance: Instance) -> Set[object]:
    """Return the tours by exhaustive search; undirected cycles as their sets of edges."""
    tours = set(all_tours(instance))
    if instance.closed and not instance.direction_matters:
        return {undirected(tour) for tour in tours}
    return tours


def constraints_of(instance: Instance) -> Constraints:
    """Return the constraints of an instance, as keyword arguments of `count_tours`."""
    return {
        "closed": instance.closed,
        "start": instance.first,
        "end": instance.last,
        "require": instance.require,
        "forbid": instance.forbid,
        "symmetry": instance.symmetry,
        "givens": dict(instance.givens),
    }
