"""Separators and counts: vertices without which too many components or too few moves are left."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kt_cp.board import Mask, Squares
from kt_cp.errors import pluralize
from kt_cp.graph import adjacency, articulation_components, component_labels
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.sat.edges import edge_graph
from kt_cp.sat.two_factors import flow_between, maximum_flow

# Beyond this, looking for them costs more than a quick reason may (about a second).
_MAX_SQUARES = 20_000


def separator(instance: Instance) -> Reason | None:
    """Find k squares whose removal leaves more components than a tour can connect.

    Every visit of one of the k squares joins two components at most: a closed tour connects k, an
    open one k + 1, less one for each of its ends among the k (Chvátal 1973, toughness).
    """
    board = instance.graph
    if not 3 <= len(board) <= _MAX_SQUARES:
        return None
    candidates = candidate_separators(instance.edges, board.mask, board.sides, instance.ends)
    for cut in filter(None, candidates):
        kept = np.array(board.mask)
        kept[cut] = False
        edges = instance.edges[kept[instance.edges].all(axis=1)]
        labels = component_labels(board.area, edges)
        left = np.unique(labels[kept]).tolist()
        most = len(cut) if instance.closed else len(cut) + 1 - len({*cut} & {*instance.ends})
        if len(left) > most:
            squares = pluralize(len(cut), "square")
            ends = "" if instance.closed or not instance.ends else " with these ends"
            text = (
                f"without the {squares} {{cut}} the board is in {len(left)} components, "
                f"of which the {instance.kind} tour{ends} can connect only {most}"
            )
            groups = component_groups(kept, labels)
            return Reason.about(ReasonKind.CUT, board, text, cut=cut, **groups)
    return None


def component_groups(kept: Mask, labels: npt.NDArray[np.int64]) -> dict[str, list[int]]:
    """Return the squares of each component by its name in a picture; single squares together.

    >>> component_groups(np.array([True, True, False, True]), np.array([0, 0, 2, 3]))
    {'component 1': [0, 1], 'components of one square': [3]}
    """
    firsts, sizes = np.unique(labels[kept], return_counts=True)
    groups = {
        f"component {number}": np.flatnonzero(kept & (labels == first)).tolist()
        for number, first in enumerate(firsts[sizes > 1], start=1)
    }
    alone = firsts[sizes == 1].tolist()
    return {**groups, "components of one square": alone} if alone else groups


def candidate_separators(
    edges: Squares, squares: Mask, sides: Mask | None, ends: tuple[int, ...]
) -> Iterator[list[int]]:
    """Yield sets of squares worth removing: single ones, and those that keep many others apart.

    ``edges`` are those that a tour may still use, as rows of two squares; ``sides`` tell for each
    id on which of two sides it is, if all edges run between these; ``ends`` are those of the tour.
    """
    graph = adjacency(edges)
    articulation = articulation_components(graph)
    if articulation:
        yield [max(articulation, key=articulation.__getitem__)]
    for end in ends:
        yield [end]
    for degree in (2, 3, 4):
        lonely = [square for square, others in graph.items() if len(others) <= degree]
        yield sorted({other for square in lonely for other in graph[square]})
    if sides is None:
        return
    yield _matched_apart(edges, sides, squares)
    for left in (sides, ~sides):
        # What one end makes impossible may not show beside the other.
        for some in dict.fromkeys([ends, *((end,) for end in ends)]):
            yield _crowded_neighborhood(edges, left & squares, squares, some)


def _crowded_neighborhood(
    edges: Squares, left: Mask, squares: Mask, ends: tuple[int, ...]
) -> list[int]:
    """Return the neighbors of those squares of one colour that most outnumber their neighbors.

    Hall's condition for a tour: every square of the colour needs two moves (an end: one), and every
    neighbor can give as many. The minimum cut of that flow holds the worst offenders.
    """
    room = 2 * squares
    room[list(ends)] = 1
    arcs = np.where(left[edges[:, :1]], edges, edges[:, ::-1])
    _, _, side = flow_between(arcs, left, room, most=2)
    neighborhood: list[int] = np.flatnonzero(side & ~left).tolist()
    return neighborhood


def _matched_apart(edges: Squares, dark: Mask, squares: Mask) -> list[int]:
    """Return squares whose removal leaves as many squares alone, if there are such.

    Some dark squares with just as many neighbors, and the light squares that are no neighbors of
    theirs, are left alone by removing the others. With a perfect matching such dark squares are
    those that one of them reaches over an edge to a light square and from there over the matching
    (Dulmage and Mendelsohn 1958); where each reaches all others, there are none.
    """
    edges = np.where(dark[edges[:, :1]], edges, edges[:, ::-1])
    darks = np.flatnonzero(dark & squares)
    size, flows, _ = flow_between(edges, dark, squares.astype(np.int64))
    if not 2 * size == 2 * len(darks) == np.count_nonzero(squares):
        return []
    matched = edges[flows == 1]
    partner = dict(matched[:, ::-1].tolist())
    steps = np.array([(here, partner[there]) for here, there in edges.tolist()], dtype=np.int32)
    first = int(darks[0])
    all_reached = set(darks.tolist())
    reached = _reached(first, steps)
    if reached == all_reached:
        reaching = _reached(first, steps[:, ::-1])
        if reaching == all_reached:
            return []
        reached = _reached(min(all_reached - reaching), steps)
    light_of = dict(matched.tolist())
    return sorted({light_of[each] for each in reached} | (all_reached - reached))


def _reached(first: int, steps: Squares) -> set[int]:
    """Return what can be reached from a square by directed steps."""
    onward: dict[int, list[int]] = {}
    for here, there in steps.tolist():
        onward.setdefault(here, []).append(there)
    reached, stack = {first}, [first]
    while stack:
        fresh = set(onward.get(stack.pop(), ())) - reached
        reached |= fresh
        stack += fresh
    return reached


# How many of the squares are ends of the tour.
_ENDS = ("", ", {} one of them is an end of the tour", ", {} two of them are the ends of the tour")


def too_few_moves(instance: Instance) -> Reason | None:
    """Find squares of one colour that need more moves than the squares next to them allow.

    Every square needs two moves, and an end of the tour one. A square next to some others allows
    two moves to them, or one where it has no more or is an end. If all squares can have what they
    need, cycles cover the board (a 2-factor); if not, a minimum cut tells which squares cannot.

    >>> from kt_cp.board import Board
    >>> board = Board(4, 7, holes=[3, 14, 20, 21])
    >>> print(too_few_moves(Instance(board, closed=True)))
    b4, f4, c1 and g1 need 8 moves, but b3, d3, f3, c2 and e2 allow only 7
    """
    graph = edge_graph(instance, split=False)
    flow = maximum_flow(graph)
    if flow is None or flow.complete:
        return None
    arcs = flow.arcs[flow.short[flow.arcs[:, 0]]]
    count, depot = len(flow.need), graph.depot
    needed = np.where(flow.short, flow.need, 0)
    allowed = np.minimum(flow.need, np.bincount(arcs[:, 1], minlength=count))
    allowed[depot + 1] = 0
    # Of the components that lack moves the smallest is told.
    labels = component_labels(count, arcs)
    lack = np.bincount(labels, needed - allowed, count)
    sizes = np.bincount(labels[arcs[:, 0]], minlength=count)
    lacking = np.flatnonzero((lack > 0) & (sizes > 0))
    if not len(lacking):
        return None
    chosen = labels == lacking[sizes[lacking].argmin()]
    ends, other_ends = (chosen * allowed)[depot], (chosen * needed)[depot + 1]
    nodes = np.flatnonzero(chosen[:depot])
    is_short = flow.short[nodes]
    need = pluralize(int(needed[nodes].sum() - ends), "move")
    if chosen[graph.edges[graph.required & (graph.edges[:, 1] < depot)]].any():
        need += " beside the required ones"
    text = f"{{squares}} need {need}{_ENDS[ends].format('even if')}, but {{others}} allow only "
    text += f"{allowed[nodes].sum() - other_ends}{_ENDS[other_ends].format('as')}"
    ids = instance.graph.vertices[nodes]
    return Reason.about(
        ReasonKind.TWO_FACTOR, instance.graph, text, squares=ids[is_short], others=ids[~is_short]
    )
