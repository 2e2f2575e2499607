"""Pictures of the rule ``parts``: where a graph is split, and the parts that one path passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kt_cp.draw.move_lines import directed_moves
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import square_mark
from kt_cp.draw.separator import letter_of, range_of_letters
from kt_cp.draw.sheet import Sheet
from kt_cp.graph_algorithms import adjacency
from kt_cp.messages import with_article
from kt_cp.problem.instance import Instance
from kt_cp.proof.parts import parts_on_path, split_at

_MAX_EXPLAINED = 6  # parts whose shares the legend lists one by one


def show_parts(sheet: Sheet, instance: Instance, cuts: Sequence[int]) -> None:
    """Hatch the squares at which the graph is split, and color and letter the parts.

    The letters follow the path that visits the most squares, or begin with the largest part, in
    which a cycle stays. The legend states the share of each part in the bound: a path enters a part
    at a square that the part before has counted.
    """
    words = instance.graph.vocabulary
    parts = split_at(_neighbors(instance), cuts)
    marked = f"{with_article(sheet.hatched)} {words.vertex}"
    kind = words.partial_tour(instance.closed)
    limit = "cannot leave a part and return" if instance.closed else "never returns to a part"
    sheet.add_sentence(f"a {kind} visits {marked} only once, so it {limit}")
    passed = [max(parts, key=len)] if instance.closed else parts_on_path(parts, cuts)
    others = [part for part in parts if part not in passed]
    sheet.hatch(cuts, f"where the {words.graph} is split")
    at_cuts = np.isin(instance.edges, cuts).any(axis=1)
    sheet.draw_moves(
        directed_moves(instance, instance.edges[at_cuts]),
        "muted",
        css_class="link",
        legend=f"{words.edges} from there",
    )
    for number, part in enumerate([*passed, *others]):
        inner = sorted(part.difference(cuts))
        if number < len(passed):
            sheet.fill(_role(number), inner)
        sheet.write_label(inner, letter_of(number))
    _explain_shares(sheet, instance, passed)
    if others:
        letters = range_of_letters(len(passed), len(others))
        sheet.add_legend(f"{letters}: not on the same {kind}", square_mark("light"))


def _neighbors(instance: Instance) -> dict[int, list[int]]:
    """Return the neighbors of every vertex along the edges that an instance allows."""
    alone: dict[int, list[int]] = {vertex: [] for vertex in instance.graph.vertices.tolist()}
    return alone | adjacency(instance.edges)


def _role(number: int) -> str:
    """Return the fill of a part by its number, from 0."""
    return GROUPS[number % len(GROUPS)]


def _explain_shares(sheet: Sheet, instance: Instance, passed: Sequence[set[int]]) -> None:
    """Explain how many squares each part adds to the bound, and the sum."""
    words = instance.graph.vocabulary
    first, *further = (len(part) for part in passed)
    shares = [first, *(size - 1 for size in further)]
    if len(passed) <= _MAX_EXPLAINED:
        for number, share in enumerate(shares):
            count = words.count_vertices(share) if number == 0 else f"{share:,} more"
            sheet.add_legend(f"{letter_of(number)}: {count}", square_mark(_role(number)))
    kind, most = words.partial_tour(instance.closed), words.count_vertices(sum(shares))
    if instance.closed:
        sheet.add_legend(f"a {kind} stays in one part, so it visits {most} at most")
        return
    letters = range_of_letters(0, len(passed))
    terms = ""
    if 1 < len(passed) <= _MAX_EXPLAINED:
        terms = " + ".join(map(str, shares)) + " = "
    sheet.add_legend(f"a {kind} that passes {letters} visits {terms}{most} at most")
