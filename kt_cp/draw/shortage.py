"""Pictures of a shortage: squares need more moves than their neighbors allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.move_lines import directed_moves
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.sheet import DISC_SHARE, Sheet
from kt_cp.messages import pluralize
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason, degrees_of
from kt_cp.proof.separators import free_ends_of


def show_shortage(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that lack moves and those to which they have moves, with their numbers.

    A number is that of the moves which the square needs or, in the others, can allow.
    """
    graph, words = instance.graph, instance.graph.vocabulary
    squares, others = list(reason.groups["squares"]), list(reason.groups["others"])
    edges = instance.edges[np.isin(instance.edges, squares).any(axis=1)]
    needs = _moves_of(instance, squares)
    allowed = np.minimum(_moves_of(instance, others), degrees_of(graph, edges)[others])
    is_dark = bool(graph.dark(np.array(squares[:1]))[0])
    free_ends = free_ends_of(instance, graph.mask & (graph.sides == is_dark))

    need = "needs" if len(squares) == 1 else "need"
    sheet.hatch(squares, f"{need} {words.count_edges(int(needs.sum()) - free_ends)}")
    allow = "allows" if len(others) == 1 else "allow"
    sheet.fill(GROUPS[0], others, f"{allow} only {allowed.sum()}")
    text = f"all {words.edges} between them"
    sheet.draw_moves(directed_moves(instance, edges), "fault", css_class="forced", legend=text)
    for group, numbers in ((squares, needs), (others, allowed)):
        sheet.write_words(group, numbers, share=DISC_SHARE, bold=True, on_disc=True)

    less = _less_for_ends(instance, free_ends, is_dark=is_dark)
    sheet.add_sentence(f"the {sheet.hatched} {words.vertices} need {_sum(needs)}{less}")
    most = "two"
    if not set(others).isdisjoint(instance.ends):
        most = "two or, as an end of the tour, one"
    sheet.add_sentence(
        f"each shaded {words.vertex} allows at most {most} of these {words.edges}, and no more "
        f"than it has to {sheet.hatched} {words.vertices}: {_sum(allowed)}"
    )


def _less_for_ends(instance: Instance, free_ends: int, *, is_dark: bool) -> str:
    """Return a clause on how many moves fewer squares of one color need as ends of the tour."""
    if not free_ends:
        return ""
    words = instance.graph.vocabulary
    color = words.dark if is_dark else words.light
    ends = pluralize(free_ends, "other end" if instance.ends else "end")
    return (
        f", less {free_ends}: all of them are {color}, and since {words.edges} alternate between "
        f"the colors, at most {ends} of the tour can be {color}"
    )


def _moves_of(instance: Instance, squares: Sequence[int]) -> Ints:
    """Return the number of moves of a tour at each square: one at a known end, two elsewhere."""
    return np.where(np.isin(squares, instance.ends), 1, 2)


def _sum(numbers: Ints) -> str:
    """Return a sum of equal terms, such as ``5 · 2 + 1 = 11``, which is not broken into lines."""
    total = str(numbers.sum())
    if len(numbers) < 2:
        return total
    terms: list[str] = []
    for number, count in sorted(Counter(numbers.tolist()).items(), reverse=True):
        terms.append(str(number) if count == 1 else f"{count} · {number}")
    return f"{' + '.join(terms)} = {total}".replace(" ", "\u00a0")
