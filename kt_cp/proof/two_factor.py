"""Too few moves: squares of one colour that need more moves than the squares next to them allow."""

from __future__ import annotations

import numpy as np

from kt_cp.errors import counted
from kt_cp.model.edges import edge_graph
from kt_cp.model.two_factors import maximum_flow
from kt_cp.problem.connectivity import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason, ReasonKind

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
    need = counted(int(needed[nodes].sum() - ends), "move")
    if chosen[graph.edges[graph.required & (graph.edges[:, 1] < depot)]].any():
        need += " beside the required ones"
    text = f"{{squares}} need {need}{_ENDS[ends].format('even if')}, but {{others}} allow only "
    text += f"{allowed[nodes].sum() - other_ends}{_ENDS[other_ends].format('as')}"
    ids = instance.board.squares[nodes]
    return Reason.about(
        ReasonKind.TWO_FACTOR, instance.board, text, squares=ids[is_short], others=ids[~is_short]
    )
