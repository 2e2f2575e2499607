"""The captions of proofs, which refer to marked squares by their marks, not by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.proof.reason import Reason, ReasonKind

_MIN_MARKED = 4  # fewer squares than these keep their names


@dataclass(frozen=True)
class MarkedSquares:
    """Squares with a mark in a picture, and the adjective for it, such as ``hatched``."""

    adjective: str
    squares: Sequence[int]


def with_marks(text: str, graph: Graph, marked: Sequence[MarkedSquares]) -> str:
    """Return a text in which marked squares are counted rather than listed by their names.

    The names remain where there are few, and for the vertices of a graph, which have their names in
    the picture.

    >>> squares = MarkedSquares("hatched", (0, 1, 2, 3))
    >>> with_marks("without the 4 squares a8, b8, c8 and d8 …", Board(8, 8), [squares])
    'without the 4 hatched squares …'
    """
    if not isinstance(graph, Board):
        return text
    words = graph.vocabulary
    for group in marked:
        count = len(group.squares)
        if count < _MIN_MARKED:
            continue
        names = graph.list_names(group.squares)
        described = f"the {count} {group.adjective} {words.vertices}"
        text = text.replace(f"the {words.count_vertices(count)} {names}", described)
        text = text.replace(names, described)
    return text


def reason_caption(reason: Reason) -> str:
    """Return the sentence of a reason for its picture, where marks show which squares it means."""
    text = str(reason)
    match reason.kind:
        case ReasonKind.CUT:
            marked = [MarkedSquares("hatched", reason.groups["cut"])]
        case ReasonKind.TWO_FACTOR:
            marked = [
                MarkedSquares("hatched", reason.groups["squares"]),
                MarkedSquares("shaded", reason.groups["others"]),
            ]
        case ReasonKind.COLORS if not isinstance(reason.graph, Board):
            return str(_with_shades(reason))
        case ReasonKind.EXHAUSTED:
            proof, _, _ = text.partition(":")  # the claim follows, which is the caption
            if "frontier" in proof:
                proof = frontier_sentence(reason.graph)
            return f"{proof}; no short reason was found"
        case _:
            return text
    return with_marks(text, reason.graph, marked)


def frontier_sentence(graph: Graph) -> str:
    """Return the sentence on how counting by frontier proves that there is no tour."""
    words = graph.vocabulary
    return (
        f"a search by frontier goes from {words.vertex} to {words.vertex} through all ways to "
        f"choose {words.edges} there, and none makes a tour"
    )


def _with_shades(reason: Reason) -> Reason:
    """Return a reason that calls the two parts of a bipartite graph as its picture shows them.

    Vertices of one part are shaded there, in light colors on a light page.
    """
    words = reason.graph.vocabulary
    text = reason.template
    for part, shade in ((words.dark, "shaded"), (words.light, "unshaded")):
        text = text.replace(f" on {part}", f" on {shade} {words.vertices}")
        text = text.replace(part, shade)
    return replace(reason, template=text)
