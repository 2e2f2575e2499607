"""Contracted cycles: other orders of the runs are expanded to cycles through all nodes."""

import itertools
from random import Random

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp.arrays import Ints, Mask
from kt_cp.methods.contraction import ContractedCycle


@st.composite
def cycles_and_regions(draw: st.DrawFn) -> tuple[Ints, Mask]:
    cycle = draw(st.permutations(range(draw(st.integers(3, 15)))))
    inside = draw(st.sets(st.sampled_from(cycle), min_size=3))
    return np.array(cycle), np.isin(np.arange(len(cycle)), [*inside])


def edges_of(cycle: list[int]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in itertools.pairwise([*cycle, cycle[0]])}


@given(cycles_and_regions())
def test_runs_in_their_own_order_are_the_cycle(given_cycle: tuple[Ints, Mask]) -> None:
    contracted = ContractedCycle(*given_cycle)
    order = list(range(len(contracted)))
    for each in (order, order[::-1]):
        assert edges_of(contracted.expand(each).tolist()) == edges_of(given_cycle[0].tolist())


@given(cycles_and_regions(), st.randoms(use_true_random=False))
def test_a_part_reversed_between_links_leaves_the_edges_outside(
    given_cycle: tuple[Ints, Mask], random: Random
) -> None:
    cycle, is_inside = given_cycle
    contracted = ContractedCycle(cycle, is_inside)
    linked = {tail for tail, _ in contracted.links.tolist()}
    cuts = [run for run in range(1, len(contracted)) if run - 1 not in linked]
    assume(len(cuts) >= 2)
    first, last = sorted(random.sample(cuts, 2))
    order = list(range(len(contracted)))
    order[first:last] = reversed(order[first:last])
    changed = contracted.expand(order).tolist()
    assert sorted(changed) == sorted(cycle.tolist())
    outside = {edge for edge in edges_of(cycle.tolist()) if not is_inside[[*edge]].all()}
    assert outside <= edges_of(changed)
