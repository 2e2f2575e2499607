"""Pictures of a shortage: squares need more moves than their neighbors allow."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.sheet import DISC_SHARE, Sheet
from kt_cp.phrases import pluralize
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason, degrees_of

_MAX_TERMS = 12  # of a sum that is written out


def show_shortage(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that lack moves and those to which they have moves, with their numbers.

    A number is that of the moves which the square needs or, in the others, can allow.
    """
    words = instance.graph.vocabulary
    squares, others = list(reason.squares["squares"]), list(reason.squares["others"])
    demand, _, supply = reason.text.partition(", but {others} ")
    demand, _, _ = demand.removeprefix("{squares} ").partition(",")
    sheet.hatch(squares, demand)  # such as "need 11 moves"
    sheet.fill(GROUPS[0], others, supply)  # such as "allow only 10"
    edges = instance.edges[np.isin(instance.edges, squares).any(axis=1)]
    sheet.draw_moves(edges, "fault", css_class="forced", text=f"all {words.edges} between them")
    needs = _moves_of(instance, squares)
    allowed = np.minimum(_moves_of(instance, others), degrees_of(instance.graph, edges)[others])
    for group, numbers in ((squares, needs), (others, allowed)):
        sheet.write_words(group, numbers, share=DISC_SHARE, bold=True, on_disc=True)
    need = _sum(needs)
    free_ends = int(needs.sum()) - int(re.sub(r"\D", "", demand))
    need = _sum(needs)
    if free_ends:
        color = words.dark if instance.graph.dark(np.array(squares[:1]))[0] else words.light
        ends = pluralize(free_ends, "other end" if instance.ends else "end")
        need = (
            f"{need}, less {free_ends}: all of them are {color}, and since {words.edges} alternate "
            f"between the colors, at most {ends} of the tour can be {color}"
        )
    hatched = sheet.hatched
    sheet.add_sentence(f"the {hatched} {words.vertices} need {need}")
    sheet.add_sentence(
        f"each shaded {words.vertex} allows at most two of these {words.edges}, and no more than "
        f"it has to {hatched} {words.vertices}: {_sum(allowed)}"
    )


def _moves_of(instance: Instance, squares: Sequence[int]) -> Ints:
    """Return the number of moves of a tour at each square: one at a known end, two elsewhere."""
    return np.where(np.isin(squares, instance.ends), 1, 2)


def _sum(numbers: Ints) -> str:
    """Return a sum with its terms, such as ``1 + 2 = 3``; of many terms, only their sum."""
    total = str(numbers.sum())
    if not 1 < len(numbers) <= _MAX_TERMS:
        return total
    return f"{' + '.join(map(str, numbers))} = {total}"
