"""Split a graph at single vertices, and bound the vertices of a path or cycle by the parts.

A path passes a vertex once. So if it leaves a part of the graph through the vertex at which the
graph was split, it never comes back. Parts and these vertices form a tree, along which the path
goes on, and a cycle never leaves its part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

Neighbors = Mapping[int, Collection[int]]
"""The neighbors of each vertex of a graph."""

Tree = dict[int, list[int]]
"""The neighbors of each node of a tree of parts and cuts."""


def split_at(graph: Neighbors, cuts: Iterable[int]) -> list[set[int]]:
    """Return the parts into which a graph falls when it is split at one vertex after the other.

    Each of these vertices, which are distinct, belongs to all parts that it joins.

    >>> triangle_and_edge = {0: [1, 2, 3], 1: [0], 2: [0, 3], 3: [0, 2]}
    >>> sorted(map(sorted, split_at(triangle_and_edge, [0])))
    [[0, 1], [0, 2, 3]]
    """
    parts = _components(graph, set(graph))
    for cut in cuts:
        [part] = [each for each in parts if cut in each]
        if len(part) > 1:
            parts.remove(part)
            parts += [{cut, *each} for each in _components(graph, part - {cut})]
    return parts


def most_on_path_of_parts(parts: list[set[int]], cuts: Collection[int]) -> int:
    """Return the most vertices of all parts along a path of their tree.

    Each part on the path adds all of its vertices but one, that at which the path enters it.

    >>> most_on_path_of_parts([{0, 1}, {0, 2, 3}, {0, 4}], cuts=[0])
    4
    """
    return 1 + sum(len(part) - 1 for part in parts_on_path(parts, cuts))


def parts_on_path(parts: list[set[int]], cuts: Collection[int]) -> list[set[int]]:
    """Return the parts along that path of their tree which has the most vertices, in its order.

    >>> parts_on_path([{0, 1}, {0, 2, 3}, {3, 4}], cuts=[0, 3])
    [{0, 1}, {0, 2, 3}, {3, 4}]
    """
    tree: Tree = {}
    weights: dict[int, int] = {}
    for number, part in enumerate(parts):
        node = -1 - number  # the nodes of parts are negative, those of cuts are the vertices
        tree[node], weights[node] = list(part.intersection(cuts)), len(part) - 1
        for cut in tree[node]:
            weights[cut] = 0
            tree.setdefault(cut, []).append(node)
    heaviest: list[int] = []
    most = -1
    reached: set[int] = set()
    for node in tree:
        if node not in reached:
            sums = _sums_from(node, tree, weights)
            reached |= sums.keys()
            # One end of a heaviest path in a tree is as far as can be from any node.
            end = max(sums, key=lambda each: sums[each])
            path = _heaviest_to(end, tree, weights)
            weight = sum(weights[each] for each in path)
            if weight > most:
                most, heaviest = weight, path
    return [parts[-1 - node] for node in heaviest if node < 0]


def _heaviest_to(last: int, tree: Tree, weights: Mapping[int, int]) -> list[int]:
    """Return the nodes of a heaviest path that ends at a node of a tree."""
    sums = _sums_from(last, tree, weights)
    # Of the neighbors of a node, the one through which it is reached comes first.
    place = {node: number for number, node in enumerate(sums)}
    node = max(sums, key=lambda each: sums[each])
    path = [node]
    while node != last:
        node = min(tree[node], key=lambda each: place[each])
        path.append(node)
    return path


def _sums_from(first: int, tree: Tree, weights: Mapping[int, int]) -> dict[int, int]:
    """Return for each node that a path reaches the sum of the weights on the way to it."""
    sums = {first: weights[first]}
    waiting = [first]
    while waiting:
        node = waiting.pop()
        for other in tree[node]:
            if other not in sums:
                sums[other] = sums[node] + weights[other]
                waiting.append(other)
    return sums


def _components(graph: Neighbors, vertices: set[int]) -> list[set[int]]:
    """Return the components among some vertices."""
    unreached = set(vertices)
    components = []
    while unreached:
        waiting = [unreached.pop()]
        component = set(waiting)
        while waiting:
            found = unreached.intersection(graph[waiting.pop()])
            unreached -= found
            component |= found
            waiting += found
        components.append(component)
    return components
