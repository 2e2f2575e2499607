"""Peals of Stedman Triples: the hardest graphs of gadgets of the FHCP challenge set.

Seven bells ring all their 5,040 orders, the rows. Six rows that differ in the first three bells
alone, but for how the others are paired, are rung together: a six. It can begin with any of its
three even rows, and is rung quick or slow in turns, which makes six passages. After a six comes one
of two changes, plain or bob. A peal in twenty parts repeats one part with other bells, if the end
of the part leads to the next one.

M. Haythorpe and A. Johnson, Change ringing and Hamiltonian cycles: the search for Erin and Stedman
triples, 2019.
"""

from itertools import pairwise, permutations

import numpy as np

from kt_cp.problem.task import Clock
from kt_cp.sat.gadgets import PassageGraph
from kt_cp.sat.passages import PassageSolver

Row = tuple[int, ...]

# The places from which a change takes the bells of a row.
FIRST_STAYS = (0, 2, 1, 4, 3, 6, 5)
THIRD_STAYS = (1, 0, 2, 4, 3, 6, 5)
PLAIN = (1, 0, 3, 2, 5, 4, 6)
BOB = (1, 0, 3, 2, 4, 6, 5)

QUICK = (FIRST_STAYS, THIRD_STAYS, FIRST_STAYS, THIRD_STAYS, FIRST_STAYS)
SLOW = (THIRD_STAYS, FIRST_STAYS, THIRD_STAYS, FIRST_STAYS, THIRD_STAYS)

# Generators of the group of twenty permutations of the bells that lead from part to part.
PART_GENERATORS = ((1, 2, 3, 4, 0, 5, 6), (0, 2, 4, 1, 3, 6, 5))


def ring(row: Row, *changes: Row) -> Row:
    """Return the row after some changes."""
    for change in changes:
        row = tuple(row[place] for place in change)
    return row


def is_even(row: Row) -> bool:
    """Return whether an even number of exchanges of two bells leads to a row."""
    return sum(a > b for n, a in enumerate(row) for b in row[n + 1 :]) % 2 == 0


def parts() -> list[Row]:
    """Return the permutations of the bells that lead from one part to the others."""
    found: list[Row] = [tuple(range(7))]
    for permutation in found:  # which grows meanwhile
        for generator in PART_GENERATORS:
            other = tuple(generator[bell] for bell in permutation)
            if other not in found:
                found.append(other)
    return found


def twenty_part_stedman() -> PassageGraph:
    """Return the passages of the sixes of a part: which six may follow which, rung how."""
    group = parts()

    def in_first_part(row: Row) -> Row:
        """Return the least of the rows that stand for the same row in some part."""
        return min(tuple(part[bell] for bell in row) for part in group)

    beginnings = sorted({in_first_part(row) for row in permutations(range(7)) if is_even(row)})
    passages = [(row, rung) for row in beginnings for rung in (QUICK, SLOW)]
    number = {passage: n for n, passage in enumerate(passages)}
    sixes = [
        min(in_first_part(ring(row, *QUICK[:changes])) for changes in (0, 2, 4))
        for row, _ in passages
    ]
    _, gadget_of = np.unique(sixes, axis=0, return_inverse=True)
    arcs = set[tuple[int, int]]()
    for passage, (row, rung) in enumerate(passages):
        for change in (PLAIN, BOB):
            following = in_first_part(ring(row, *rung, change))
            after = number[following, SLOW if rung == QUICK else QUICK]
            if gadget_of[after] != gadget_of[passage]:
                arcs.add((passage, after))
    paths = [[passage] for passage in range(len(passages))]
    return PassageGraph(int(gadget_of.max()) + 1, paths, gadget_of.ravel(), np.array(sorted(arcs)))


def test_a_part_of_a_twenty_part_peal_has_42_sixes_of_six_passages() -> None:
    graph = twenty_part_stedman()
    assert len(parts()) == 20
    assert graph.gadgets == 5_040 // 6 // 20
    assert set(np.bincount(graph.gadget_of).tolist()) == {6}


def test_a_part_that_rings_every_six_once_is_found() -> None:
    graph = twenty_part_stedman()
    cycle = PassageSolver(graph, Clock(), seed=0).search(1e8)
    assert cycle is not None
    assert sorted(graph.gadget_of[cycle].tolist()) == list(range(42))
    assert set(pairwise([*cycle, cycle[0]])) <= set(map(tuple, graph.arcs.tolist()))
