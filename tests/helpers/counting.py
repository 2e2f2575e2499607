"""What tests of counting share."""

from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance


def undirected(path: tuple[int, ...]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(edge) for edge in zip(path, [*path[1:], path[0]], strict=True))


def constraints_of(instance: Instance) -> Constraints:
    return {
        "closed": instance.closed,
        "start": instance.start,
        "end": instance.end,
        "require": instance.require,
        "forbid": instance.forbid,
        "symmetry": instance.symmetry,
        "givens": dict(instance.givens),
    }
