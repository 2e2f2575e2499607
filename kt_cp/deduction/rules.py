"""The rules by which a person solves a puzzle; each yields what follows from what is known.

A rule adds what it deduces to the facts, and raises `ContradictionError` where no tour is left.
Rules only add, so that the order in which they are applied does not matter for what is deduced in
the end; therefore symmetries of the board do not matter either.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.deduction.facts import ContradictionError, Deduction, Fact, Facts, pairs_of
from kt_cp.errors import join_words


def two_ways_left(facts: Facts) -> Iterator[Deduction]:
    """A square with two moves left makes both."""
    for node in range(facts.count):
        if len(facts.near[node]) < 2:
            raise ContradictionError(f"{facts.name(node)} has fewer than two ways left")
        if len(facts.near[node]) == 2 and facts.used[node] != facts.near[node]:
            pairs = pairs_of(facts.near[node] - facts.used[node], node)
            for pair in pairs:
                facts.use(*pair)
            text = f"{_listed(facts, pairs)}: {facts.name(node)} has only two ways left"
            yield Deduction(text, tuple(facts.fact(*pair, True) for pair in pairs))


def both_ways_made(facts: Facts) -> Iterator[Deduction]:
    """A square with two moves in use makes no other."""
    for node in range(facts.count):
        if len(facts.used[node]) > 2:
            raise ContradictionError(f"{facts.name(node)} would have three moves")
        if len(facts.used[node]) == 2 and len(facts.near[node]) > 2:
            pairs = pairs_of(facts.near[node] - facts.used[node], node)
            for pair in pairs:
                facts.drop(*pair)
            text = f"not {_listed(facts, pairs)}: {facts.name(node)} has both its moves"
            yield Deduction(text, tuple(facts.fact(*pair, False) for pair in pairs))


def no_early_cycle(facts: Facts) -> Iterator[Deduction]:
    """A move that joins both ends of a path closes a cycle, too early unless it is the tour."""
    depot = len(facts.squares)
    for path in facts.paths():
        one, other = sorted((path[0], path[-1]))
        if other in facts.near[one] - facts.used[one] and len(path) < facts.count:
            facts.drop(one, other)
            text = f"not {facts.pair(one, other)}: it would close a cycle of {len(path)} squares"
            if depot in path:
                text = f"not {facts.pair(one, other)}: the tour would end too early"
            yield Deduction(text, (facts.fact(one, other, False),))


def follow_on(facts: Facts) -> Iterator[Deduction]:
    """Squares with steps that follow each other are joined by a move."""
    at = {place: node for node, place in facts.known.items()}
    for place, node in sorted(at.items()):
        following = at.get((place + 1) % facts.count)
        if following is not None and following not in facts.used[node]:
            if following not in facts.near[node]:
                raise ContradictionError(f"no move from {facts.name(node)} to the next step")
            pair = min(node, following), max(node, following)
            facts.use(*pair)
            steps = sorted(facts.step_of(facts.known[each]) for each in pair)
            text = f"{facts.pair(*pair)}: steps {steps[0]} and {steps[1]} follow each other"
            yield Deduction(text, (facts.fact(*pair, True),))


def count_steps(facts: Facts) -> Iterator[Deduction]:
    """Counting moves between known steps tells where a step, or which step a square, can be."""
    if not facts.counts:
        return
    _narrow(facts)
    free: dict[int, list[int]] = {place: [] for place in range(facts.count)}
    for node, places in enumerate(facts.places):
        if node not in facts.known:
            for place in _bits(places):
                free[place].append(node)
    taken = set(facts.known.values())
    for place, nodes in free.items():
        if place in taken:
            continue
        if not nodes:
            raise ContradictionError(f"no square is left for step {facts.step_of(place)}")
        if len(nodes) == 1 and nodes[0] not in facts.known:
            yield _placed(facts, nodes[0], place, "no other square is left for it, {}")
    for node, places in enumerate(facts.places):
        if node not in facts.known and places.bit_count() == 1:
            place = places.bit_length() - 1
            yield _placed(facts, node, place, "the square can have no other step, {}")
    pairs = [
        (one, other)
        for one, other in facts.open_pairs()
        if not facts.places[one] & _beside(facts, facts.places[other])
    ]
    if pairs:
        for pair in pairs:
            facts.drop(*pair)
        text = f"not {_listed(facts, pairs)}: by their steps these are not neighbors"
        yield Deduction(text, tuple(facts.fact(*pair, False) for pair in pairs))


RULES = (two_ways_left, both_ways_made, no_early_cycle, follow_on, count_steps)


def deduce(facts: Facts) -> Iterator[Deduction]:
    """Yield what the rules deduce, the simplest rule that deduces anything first, until none does.

    Raises `ContradictionError` where no tour is left.
    """
    while True:
        for rule in RULES:
            found = False
            for deduction in rule(facts):
                found = True
                yield deduction
            if found:
                break
        else:
            return


def _placed(facts: Facts, node: int, place: int, why: str) -> Deduction:
    """Add a place that was deduced, and tell from which known steps it was counted."""
    squares = len(facts.squares)
    known = sorted((at, each) for each, at in facts.known.items() if each < squares)
    before = [each for each in known if each[0] < place] or known
    after = [each for each in known if each[0] > place] or known
    around = sorted({before[-1], after[0]}) if known else []
    counted = " and ".join(f"{facts.step_of(at)} on {facts.name(each)}" for at, each in around)
    facts.put(node, place)
    step = facts.step_of(place)
    text = f"{step} is on {facts.name(node)}: {why.format(f'counting from {counted}')}"
    return Deduction(text, (Fact(facts.squares[node], step=step),))


def _narrow(facts: Facts) -> None:
    """Keep only places that a neighbor before and another after can go with."""
    changed = True
    while changed:
        changed = False
        for node, places in enumerate(facts.places):
            used = [facts.places[other] for other in facts.used[node]]
            before = after = 0
            for other in facts.near[node]:
                before |= _turned(facts, facts.places[other], 1)
                after |= _turned(facts, facts.places[other], -1)
            kept = places & before & after
            for each in used:
                kept &= _beside(facts, each)
            if len(used) == 2:
                one, other_ = used
                kept &= (_turned(facts, one, 1) & _turned(facts, other_, -1)) | (
                    _turned(facts, one, -1) & _turned(facts, other_, 1)
                )
            if not kept:
                raise ContradictionError(f"no step is left for {facts.name(node)}")
            if kept != places:
                facts.places[node] = kept
                changed = True


def _turned(facts: Facts, places: int, by: int) -> int:
    """Return places moved on by one, around the circle."""
    top = facts.count - 1
    if by > 0:
        return ((places << 1) & ((1 << facts.count) - 1)) | (places >> top)
    return (places >> 1) | ((places & 1) << top)


def _beside(facts: Facts, places: int) -> int:
    return _turned(facts, places, 1) | _turned(facts, places, -1)


def _bits(places: int) -> Iterator[int]:
    while places:
        low = places & -places
        yield low.bit_length() - 1
        places ^= low


def _listed(facts: Facts, pairs: list[tuple[int, int]]) -> str:
    return join_words([facts.pair(*pair) for pair in pairs])
