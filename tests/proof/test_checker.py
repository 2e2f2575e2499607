"""The checker alone, on proofs written by hand: no solver and no maker of certificates runs here.

These tests cover every branch of `kt_cp/proof/checker.py` and kill each of its mutants; see
`scripts/mutate_checker.py`.
"""

import itertools
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate, Claim, Rule, Step
from kt_cp.proof.checker import Settled, Verdict, check

CONTRARY = "the moves that are left contradict one another"

# Eight squares in one cycle, 0 5 6 1 8 3 2 7: it has a tour. Its edges are 1: 0-5, 2: 0-7, 3: 1-6,
# 4: 1-8, 5: 2-3, 6: 2-7, 7: 3-8 and 8: 5-6.
RING = Instance(Board(3, 3, [4]), closed=True)
# Without 0-5 the others have the numbers 1 to 7, in the same order.
BROKEN = Instance.of(RING.board, closed=True, forbid=[(0, 5)])
# The ways along two rows of kings: 1: 0-1, 2: 0-3, 3: 0-4, 4: 1-2, 5: 1-3, 6: 1-4, 7: 1-5, 8: 2-4,
# 9: 2-5, 10: 3-4 and 11: 4-5.
KINGS = Board(2, 3, piece="king")


def proof(text: str) -> tuple[Step, ...]:
    """Steps as text: each a rule, its items and, after a bar, its hints."""
    steps = []
    for rule, items, hints in re.findall(r"([a-z-]*[a-z])([-\d ]*)\|?([-\d ]*);?", text):
        steps.append(
            Step(Rule(rule), tuple(map(int, items.split())), tuple(map(int, hints.split())))
        )
    return tuple(steps)


def listed(rule: str, items: Iterable[int]) -> str:
    return f"{rule} {' '.join(map(str, items))}"


def verdict_on(instance: Instance, steps: str, claim: str | None = None) -> Verdict:
    made = proof(steps)
    return check(Certificate(instance, made, Claim.parse(claim) if claim else None))


@pytest.mark.parametrize(
    ("instance", "steps", "message", "squares"),
    [
        (
            Instance(Board(3, 4), closed=True),
            "tight-cut 1 2 5 6 9 10; cut",
            "closed 3x4 has no tour (a tour joins no two of the 6 squares b3, c3, b2, c2, b1 and "
            "c1, so 2 components are left, of which a tour connects 1)",
            (1, 2, 5, 6, 9, 10),
        ),
        (
            Instance(Board(4, 4)),  # the depot has the id 16
            "cut 5 6 9 10 16",
            "open 4x4 has no tour (without the 4 squares b3, c3, b2 and c2,"
            " 6 components are left, of which a tour connects 5)",
            (5, 6, 9, 10, 16),
        ),
        (
            BROKEN,
            "tight-cut 6 1; clause | 0",
            f"closed 3x3 with 1 hole has no tour under the given constraints ({CONTRARY})",
            (),
        ),
        (
            Instance(Board(5, 5), closed=True),
            listed("count", range(24, -1, -2)),
            "closed 5x5 has no tour (the 13 squares a5, c5, e5, b4, d4, a3, c3, e3, b2, d2, a1, c1"
            " and 1 more need 26 moves, and have at most 24)",
            tuple(range(24, -1, -2)),
        ),
        (
            Instance.of(KINGS, closed=True, require=[(0, 1), (0, 4)]),
            # 3 has two edges left, and 1 and 4 have one used each: 1-3-4-0-1 would close early.
            "tight-cut 1 4; cut 1 4 0",
            "closed 2x3 (king) has no tour under the given constraints (a tour joins no two of the"
            " 2 squares b2 and b1, so without the 3 squares a2, b2 and b1, 2 components are left,"
            " of which a tour connects 1)",
            (1, 4, 0),
        ),
        (
            # 1 has both of its moves, so 2 goes to 4 and 5, 4 has both, and 5 has one only.
            Instance.of(KINGS, closed=True, require=[(0, 1), (1, 4)]),
            "clause | 1 2 4 5",
            f"closed 2x3 (king) has no tour under the given constraints ({CONTRARY})",
            (),
        ),
        (
            BROKEN,
            "clause | 0",
            f"closed 3x3 with 1 hole has no tour under the given constraints ({CONTRARY})",
            (),
        ),
    ],
)
def test_a_proof_that_holds_says_why(
    instance: Instance, steps: str, message: str, squares: tuple[int, ...]
) -> None:
    assert verdict_on(instance, steps) == Verdict(True, f"holds: {message}", None, squares)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("cut 0 0", "step 1, cut: does not list distinct vertices of the graph"),
        ("cut 4", "step 1, cut: does not list distinct vertices of the graph"),
        ("cut 9", "step 1, cut: does not list distinct vertices of the graph"),
        ("cut", "step 1, cut: 1 component, of which a tour connects 1"),
        ("cut 0 6", "step 1, cut: 2 components, of which a tour connects 2"),
        ("tight-cut", "step 1, tight-cut: 1 component, of which a tour connects 1"),
        ("tight-cut 0 5", "step 1, tight-cut: 1 component, of which a tour connects 2"),
        ("count", "step 1, count: the squares need 0 moves, and have at most 0"),
        ("count 0 5", "step 1, count: there are edges between the squares"),
        ("count 0 2", "step 1, count: the squares need 4 moves, and have at most 4"),
        ("set", "step 1, set: the set is empty, or holds all vertices"),
        (
            "set 0 1 2 3 5 6 7 8",
            "step 1, set: the set is empty, or holds all vertices",
        ),
        ("clause 9", "step 1, clause: edges have the numbers 1 to 8"),
        ("clause -9", "step 1, clause: edges have the numbers 1 to 8"),
        ("clause 1 0", "step 1, clause: edges have the numbers 1 to 8"),
        ("clause -8 | 5; cut", "step 1, clause: its hints lead to no"),
        (
            "clause | 4",
            "step 1, clause: hint 4 names neither a vertex nor an earlier step",
        ),
        (
            "clause | -1",
            "step 1, clause: hint -1 names neither a vertex nor an earlier step",
        ),
        (
            "clause | 0 1 2 3",
            "step 1, clause: its hints lead to no contradiction",
        ),
        (
            "set 0 5; clause -1 | 0 -1",
            "step 2, clause: its hints lead to no contradiction",
        ),
    ],
)
def test_a_bad_step_is_named(steps: str, message: str) -> None:
    verdict = verdict_on(RING, steps)
    assert not verdict
    assert verdict.message.startswith(f"does not hold: {message}")
    assert message.startswith(f"step {verdict.step}, ")
    assert verdict.squares == ()


def test_the_last_step_concludes_that_there_is_no_tour() -> None:
    end, more = "clause | 0", "set 0"
    message = "does not hold: no step concludes that there is no tour"
    for steps in ("", more, "clause 1 | 0"):
        assert verdict_on(RING, steps) == Verdict(False, message)
    message = "does not hold: steps after the end, step 2"
    assert verdict_on(BROKEN, f"{more}; {end}; {more}") == Verdict(False, message, 2)
    assert verdict_on(BROKEN, f"{more}; {more}; {end}")
    one = "does not hold: one square alone is an open tour"
    assert verdict_on(Instance(Board(1, 1)), end) == Verdict(False, one)
    assert verdict_on(Instance(Board(1, 1), closed=True), end)
    assert verdict_on(Instance(Board(1, 2)), end)


def test_something_else_than_a_certificate_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        check("no.json")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "'no.json' is not a Certificate: give a certificate, such as "
        "solve('3x8', certificate=True).certificate"
    )


def accepted(instance: Instance, rule: str) -> list[tuple[int, ...]]:
    """The sets of vertices with which one step of a rule is taken, in the checker's order."""
    vertices = [*instance.board.squares.tolist(), *([] if instance.closed else [9])]
    taken = []
    for size in range(len(vertices) + 1):
        for chosen in itertools.combinations(vertices, size):
            if verdict_on(instance, listed(rule, chosen)).step is None:
                taken.append(chosen)
    return taken


@pytest.mark.parametrize("instance", [RING, Instance(RING.board), Instance(RING.board, start=0)])
@pytest.mark.parametrize("rule", ["cut", "count"])
def test_no_set_of_squares_refutes_a_board_that_has_a_tour(instance: Instance, rule: str) -> None:
    assert accepted(instance, rule) == []


def test_a_cut_is_tight_where_a_tour_connects_what_is_left() -> None:
    order = [0, 5, 6, 1, 8, 3, 2, 7]

    def runs(chosen: Sequence[int]) -> int:
        """How many paths are left of the ring without some of its squares."""
        left = [square not in chosen for square in order]
        return sum(here and not left[place - 1] for place, here in enumerate(left))

    expected = [
        chosen
        for size in range(1, 9)
        for chosen in itertools.combinations(sorted(order), size)
        if runs(chosen) == size
    ]
    assert accepted(RING, "tight-cut") == expected


KINGS_01 = Instance.of(KINGS, closed=True, require=[(0, 1)])


@pytest.mark.parametrize(
    ("steps", "is_taken"),
    [
        ("clause 5 1", True),  # 1 is used from the start
        ("clause -1", False),
        ("clause 5 -1", False),
        ("clause 2 3 | 0", True),  # 0 has a second move
        ("clause -2 -3 | 0", True),  # and no third one
        ("clause 2 -3 | 0", False),
        ("clause 2 3 | 1", False),
        ("clause 2 3 | 0; clause 2 3 | -1", True),
        ("clause 2 3 | 0; clause 3 2 7 | -1", True),
        ("clause 2 3 | 0; clause 2 | -1", False),
        ("clause 2 3 | 0; clause 2 | -1 0", False),
        ("clause 2 3 | 0; clause 2 3 | -2", False),
        # Of the moves that leave 0 and 3 two are used: 0-1 and one of three.
        ("set 0 3; clause 3 5 10 | -1", True),
        ("set 0 3; clause 3 5 | -1", False),
        ("set 0 3; clause -3 -5 | -1", False),
        ("set 0 3; clause -3 -5 -10 | -1", False),
        ("set 0 3; clause 3 5 | -1 3", False),
        # 0-3 and 0-4 close a cycle with 0-1, as do others; this takes the set and two vertices.
        ("set 0 1 3; clause -2 -5 | 0 1 3 -1", True),
        ("set 0 1 3; clause -2 -5 | 0 1 3", False),
        ("set 0 1 3; clause -2 -5 | -1 0 1 3", False),
    ],
)
def test_clauses_follow_by_unit_propagation(steps: str, is_taken: bool) -> None:
    verdict = verdict_on(KINGS_01, steps)
    assert verdict.step == (None if is_taken else len(proof(steps)))


def test_only_a_clause_of_one_literal_settles_an_edge() -> None:
    both = Instance.of(KINGS, closed=True, require=[(0, 1), (1, 4)])
    unused = "clause -4 | 1; clause -5 | 1"
    assert verdict_on(both, f"{unused}; clause -7 | 1; cut 4")
    assert verdict_on(both, f"{unused}; clause -7 | 1; count 1 3 5")
    assert verdict_on(both, f"{unused}; cut 4").step == 3
    more = "clause -4 9 | 1; clause -5 9 | 1; clause -7 9 | 1; cut 4"
    assert verdict_on(both, more).step == 4


def test_required_moves_contradict_only_where_one_is_missing() -> None:
    everything = Instance.of(RING.board, closed=True, require=RING.edges.tolist())
    assert verdict_on(everything, "clause").step == 1


def test_the_depot_is_no_square_that_is_named() -> None:
    board, cut = Instance(Board(4, 4)), "cut 5 6 9 10 16"
    assert verdict_on(board, f"tight-cut 16; {cut}") == verdict_on(board, cut)
    assert verdict_on(Instance(Board(1, 3, piece="wazir"), start=0, end=1), "cut 1")


def test_what_is_settled_stays_settled() -> None:
    # 1 has one edge only, so that everything follows, even that the required 0-5 is not used.
    used = Instance.of(RING.board, closed=True, require=[(0, 5)], forbid=[(1, 8)])
    steps = "clause -1 | 1; set 0; clause -1 2"
    assert verdict_on(used, steps).step == 3


@pytest.mark.parametrize(
    "steps",
    [
        "set 0 5 6",
        "set 0; set 0 5",
        "clause 1 2 3 | 8 0",
        "set 0 5; clause 2 | -1",
        "tight-cut 0 6",
    ],
)
def test_a_certificate_that_takes_too_much_work_is_refused(
    steps: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def message_within(work: int) -> str:
        monkeypatch.setattr("kt_cp.proof.checker.MOST_WORK", work)
        return verdict_on(RING, steps).message

    enough = "does not hold: no step concludes that there is no tour"
    least = next(work for work in range(1_000) if message_within(work) == enough)
    assert least > 0
    place = f"step {len(proof(steps))}, {proof(steps)[-1].rule}"
    too_much = f"does not hold: {place}: takes more work than a certificate may"
    assert message_within(least - 1) == too_much


TRIANGLES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]  # joined at vertex 2


def graph_of(count: int, edges: Sequence[tuple[int, int]]) -> Graph:
    return Graph("abcdefgh"[:count], np.array(edges))


def sweep(instance: Instance, facts: str = "") -> Verdict:
    """Take the vertices in their order, after other steps, and last the depot of an open tour."""
    nodes = len(instance.graph) if instance.closed else len(instance.graph) + 1
    return verdict_on(instance, f"{facts}; {listed('frontier', range(nodes))}")


def tours(instance: Instance) -> list[tuple[int, ...]]:
    """All tours, from the first vertex if they are closed, by trying every order."""
    graph = instance.graph
    found = []
    for path in itertools.permutations(range(len(graph))):
        pairs = list(itertools.pairwise(path))
        if instance.closed:
            pairs.append((path[-1], path[0]))
        is_tour = all(b in graph.neighbors(a) for a, b in pairs)
        fits = instance.first in (None, path[0]) or instance.closed
        fits = fits and instance.last in (None, path[-1])
        made = {*pairs, *((b, a) for a, b in pairs)}
        fits = fits and all(made & {*move.arcs()} for move in instance.require)
        if is_tour and fits and not made & instance.forbidden_arcs:
            found.append(path)
    return found


def test_a_frontier_tells_what_it_followed() -> None:
    knot = Instance(graph_of(5, TRIANGLES), closed=True)
    message = (
        "holds: a graph of 5 vertices and 6 edges has no Hamiltonian cycle "
        "(no way to give every vertex two edges closes a single cycle)"
    )
    order = (4, 3, 2, 1, 0)
    assert verdict_on(knot, listed("frontier", order)) == Verdict(True, message, None, order)
    bad = "does not hold: step 1, frontier: "
    assert verdict_on(RING, "frontier 0 1 2 3 5 6 7").message == (
        f"{bad}the order leaves out vertices"
    )
    assert verdict_on(RING, "frontier 0 1 2 3 5 6 7 8").message == (f"{bad}there is a tour")
    assert verdict_on(knot, "frontier 0 1 2 3 3").message == (
        f"{bad}does not list distinct vertices of the graph"
    )


@pytest.mark.parametrize("seed", range(150))
def test_a_frontier_proves_just_what_is_true(seed: int) -> None:
    choice = random.Random(seed)
    count, closed = choice.randint(3, 5), choice.random() < 0.5
    pairs = itertools.combinations(range(count), 2)
    graph = graph_of(count, [pair for pair in pairs if choice.random() < 0.7])
    arcs = [Move(a, b) for a, b in graph.arcs.tolist()]
    ends = choice.sample(range(count), 2)
    instance = Instance(
        graph,
        closed,
        ends[0] if seed % 4 > 1 else None,
        ends[1] if seed % 4 == 2 and not closed else None,
        require=tuple(arcs and choice.sample(arcs, seed % 3 == 0)),
        forbid=tuple(arcs and choice.sample(arcs, seed % 5 == 0)),
    )
    if {*instance.require} & {*instance.forbid}:
        assert verdict_on(instance, "clause").holds
    else:
        assert sweep(instance).holds is (not tours(instance))


def test_settled_edges_hold_for_a_frontier() -> None:
    square = graph_of(4, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)])  # edges 1 to 6
    # Both diagonals, 2 (0-2) and 5 (1-3), and the sides 1 (0-1) and 6 (2-3) are one of its cycles.
    crossed = Instance(square, True, require=(Move(0, 2), Move(1, 3)))
    assert sweep(crossed).message == "does not hold: step 1, frontier: there is a tour"
    without = Instance(square, True, require=crossed.require, forbid=(Move(0, 1), Move(0, 3)))
    assert sweep(without)
    star = Instance(graph_of(4, [(0, 1), (0, 2), (0, 3)]), closed=True)
    assert sweep(star, "clause 1 | 0").message.startswith("does not hold: step 1")


def test_directions_of_edges_are_left_aside() -> None:
    fork = Instance(Graph("abc", np.array([(0, 2), (1, 2), (2, 0)]), directed=True), closed=True)
    assert verdict_on(fork, "cut 2").message == (
        "holds: a directed graph of 3 vertices and 3 arcs has no Hamiltonian cycle "
        "(without the vertex c, 2 components are left, of which a tour connects 1)"
    )
    ends = Instance(Graph("abc", np.array([(0, 1), (0, 2)]), directed=True), start=0)
    assert verdict_on(ends, "cut 0 3")
    both = Instance(Graph("abc", np.array([(0, 1), (0, 2), (1, 2)]), directed=True), closed=True)
    assert not sweep(both)


# Two sets of four vertices, each joined to all others of its set, that share vertex 0.
TWO_FOURS = [
    pair for four in ((0, 1, 2, 3), (0, 4, 5, 6)) for pair in itertools.combinations(four, 2)
]


def test_a_frontier_may_take_only_so_much_work_and_takes_less_if_more_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def least_work(require: tuple[Move, ...], facts: str = "") -> int:
        """Return the smallest limit with which the frontier is accepted."""
        knot = Instance(graph_of(7, TWO_FOURS), closed=True, require=require)
        for most in range(2_000):
            monkeypatch.setattr("kt_cp.proof.checker.MOST_WORK", most)
            if sweep(knot, facts):
                return most
        raise AssertionError("not accepted with any limit")

    required = Move(0, 1), Move(0, 4)
    with_fact = least_work(required, "clause -2 | 0")
    assert 0 < with_fact < least_work(required) < least_work(())


def test_what_each_step_has_settled_is_noted() -> None:
    notes: list[tuple[Settled, Settled]] = []
    steps = proof("clause 1 | 0; clause | 0")
    check(Certificate(BROKEN, steps), lambda values, trial: notes.append((values, trial)))
    assert notes == [({(0, 7): True}, {(0, 7): False}), ({(0, 7): True}, {})]


def test_one_square_needs_two_moves_too() -> None:
    row = Instance(Board(1, 3, piece="wazir"), closed=True)
    message = "the square a1 needs 2 moves, and has at most 1"
    assert (
        verdict_on(row, "count 0").message == f"holds: closed 1x3 (wazir) has no tour ({message})"
    )


def test_a_tight_cut_leaves_edges_in_use_as_they_are() -> None:
    used = Instance.of(RING.board, closed=True, require=[(0, 5)])
    verdict = verdict_on(used, "tight-cut 0 5; clause 1 |")
    assert verdict.message == "does not hold: no step concludes that there is no tour"


def test_an_edge_that_hints_rule_out_makes_a_literal_true() -> None:
    board = Instance(KINGS, closed=True)
    assert verdict_on(board, "clause -1 -2 -3 | 0; clause -1 -2 | 0 -1").step == 2


def test_a_graph_that_falls_apart_needs_no_square_to_say_so() -> None:
    apart = Instance(Board(1, 5, [2], piece="wazir"), closed=True)
    verdict = verdict_on(apart, "cut")
    assert verdict
    assert verdict.squares == ()


def test_no_vertex_gets_a_third_edge_along_the_frontier() -> None:
    edges = [(0, other) for other in range(1, 7)]
    edges += [(1, 2), (1, 4), (2, 4), (3, 5), (4, 6)]
    graph = Instance(Graph(range(7), np.array(edges)), closed=True)
    assert verdict_on(graph, "frontier 6 1 3 4 5 2 0")


STAR = graph_of(5, [(0, 1), (0, 2), (0, 3), (0, 4)])
CYCLE = "it visits as many dark as light squares"


@pytest.mark.parametrize(
    ("instance", "claim", "step", "message"),
    [
        (
            Instance(Board(4, 4)),
            "squares<=15",
            "bound 5 6 9 10 16",
            "no path of 4x4 visits more than 15 of 16 squares (without the 4 squares b3, c3, b2"
            " and c2, 6 components are left, of which a path visits at most 5)",
        ),
        (
            Instance(Board(4, 4)),
            "paths>=2",
            "bound 5 6 9 10 16",
            "it takes at least 2 paths to visit every square of 4x4 once (without the 4 squares"
            " b3, c3, b2 and c2, 6 components are left, of which p paths visit at most p + 4)",
        ),
        (
            Instance(Board(3, 3)),
            "paths>=2",
            "bound",
            "it takes at least 2 paths to visit every square of 3x3 once (2 components are left,"
            " of which p paths visit at most p)",
        ),
        (
            RING,
            "squares<=8",
            "bound",
            "no cycle of 3x3 visits more than 8 of 8 squares (1 component is left, of which a"
            " cycle visits at most 1)",
        ),
        (
            Instance(Board(5, 5), closed=True),
            "squares<=24",
            "bound",
            "no cycle of 5x5 visits more than 24 of 25 squares (1 component is left, of which a"
            f" cycle visits at most 1, and {CYCLE})",
        ),
        (
            Instance(STAR),
            "squares<=3",
            "bound 0 5",
            "no path of a graph of 5 vertices and 4 edges visits more than 3 of 5 vertices"
            " (without the vertex a, 4 components are left, of which a path visits at most 2)",
        ),
    ],
)
def test_a_bound_says_why_it_holds(instance: Instance, claim: str, step: str, message: str) -> None:
    verdict = Verdict(True, f"holds: {message}", None, proof(step)[0].items)
    assert verdict_on(instance, step, claim) == verdict


@pytest.mark.parametrize(
    ("instance", "claim", "steps", "message"),
    [
        (Instance(Board(4, 4)), "squares<=14", "bound 5 6 9 10 16", "squares<=15"),
        (Instance(Board(4, 4)), "paths>=3", "bound 5 6 9 10 16", "paths>=2"),
        (Instance(Board(4, 4)), "squares<=15", "bound 5 6 9 10", "squares<=16"),
        # The number of squares on a cycle is even, that on a path need not be.
        (
            Instance(Board(3, 5), closed=True),
            "squares<=11",
            "bound 1 3 7 11 13",
            "squares<=13",
        ),
        (Instance(Board(5, 5)), "squares<=24", "bound 25", "squares<=25"),
        (RING, "squares<=7", "bound", "squares<=8"),
        (Instance(KINGS, closed=True), "squares<=5", "bound", "squares<=6"),
    ],
)
def test_a_bound_proves_no_more_than_it_does(
    instance: Instance, claim: str, steps: str, message: str
) -> None:
    told = f"does not hold: step 1, bound: proves no more than {message}"
    assert verdict_on(instance, steps, claim) == Verdict(False, told, 1)


def test_a_bound_is_the_only_step_and_needs_a_claim() -> None:
    board, bound = Instance(Board(4, 4)), "bound 5 6 9 10 16"
    alone = "bound: is for a claim about squares or paths, and then the only step"
    assert verdict_on(board, bound).message == f"does not hold: step 1, {alone}"
    after = verdict_on(board, f"set 0; {bound}", "squares<=15")
    assert after == Verdict(False, f"does not hold: step 2, {alone}", 2)
    twice = verdict_on(board, f"{bound}; {bound}", "squares<=15")
    assert twice.message == "does not hold: steps after the end, step 1"
    repeated = verdict_on(board, "bound 5 5", "squares<=15")
    assert "does not list distinct vertices" in repeated.message


def test_without_a_tour_one_square_is_left_out_and_a_cover_takes_two_paths() -> None:
    cut = "cut 5 6 9 10 16"
    open_board, ring = Instance(Board(4, 4)), "clause | 0"
    assert verdict_on(open_board, cut, "squares<=15")
    two_paths = verdict_on(open_board, cut, "paths>=2")
    assert two_paths.message.endswith("6 components are left, of which a tour connects 5)")
    message = "does not hold: step 1, cut: proves no more than"
    assert verdict_on(open_board, cut, "squares<=14").message == f"{message} squares<=15"
    assert verdict_on(open_board, cut, "paths>=3").message == f"{message} paths>=2"
    # The eight squares of the broken ring can leave out one, but cycles have even lengths.
    verdict = verdict_on(BROKEN, ring, "squares<=6")
    assert verdict.message.endswith(f"({CONTRARY}, and {CYCLE})")
    assert not verdict_on(BROKEN, ring, "squares<=5")
    assert not verdict_on(open_board, "set 0", "squares<=15")


def longest(instance: Instance) -> int:
    """The squares of a longest path or cycle under the constraints, by trying every path."""
    graph, most = instance.graph, 0
    partial = replace(instance, allows_partial=True)
    stack = [[vertex] for vertex in graph.vertices.tolist()]
    while stack:
        path = stack.pop()
        is_cycle = len(path) > 2 and path[0] in graph.neighbors(path[-1])
        if (is_cycle or not instance.closed) and partial.satisfied_by(np.array(path)):
            most = max(most, len(path))
        stack += [[*path, after] for after in graph.neighbors(path[-1]) if after not in path]
    return most


@pytest.mark.parametrize(
    "instance",
    [
        Instance(STAR),
        Instance(STAR, start=0),
        Instance(graph_of(5, TRIANGLES)),
        Instance(graph_of(5, TRIANGLES), closed=True),
        Instance.of(graph_of(5, TRIANGLES), closed=True, require=[("c", "d")]),
        Instance.of(graph_of(5, TRIANGLES), start="c", end="d"),
        Instance.of(graph_of(5, TRIANGLES), require=[("c", "d"), ("c", "a")]),
        Instance.of(KINGS, forbid=[(0, 1), (0, 3), (1, 4)], start=2),
    ],
)
def test_no_set_of_vertices_proves_a_bound_that_a_path_exceeds(instance: Instance) -> None:
    vertices = instance.graph.vertices.tolist()
    if not instance.closed:
        vertices.append(instance.graph.area)
    reachable = longest(instance)
    proven = len(vertices)
    for size in range(len(vertices) + 1):
        for chosen in itertools.combinations(vertices, size):
            while verdict_on(instance, listed("bound", chosen), f"squares<={proven - 1}"):
                proven -= 1
    assert proven == reachable
