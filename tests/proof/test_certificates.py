"""Certificates: made for what has no tour, accepted for nothing else."""

import copy
import itertools
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import FORMAT, Certificate, Claim, Measure, Rule
from kt_cp.proof.checker import check
from kt_cp.proof.producer import NoCertificateError, certify_bound, make_certificate
from kt_cp.solving import longest_path, path_cover
from kt_dfs import Status
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import instances

# Small impossible instances whose certificates use every rule.
IMPOSSIBLE = [
    Instance(Board(3, 8), closed=True),
    Instance(Board(4, 5), closed=True),
    Instance(Board(5, 5), closed=True),
    Instance(Board(4, 4)),
    Instance(Board(3, 3)),
    Instance(Board(3, 6), closed=True),
    Instance.of(Board(3, 4), start=0, end=5, forbid=[(1, 8)]),
    Instance.of(Board(5, 3, [0, 3, 6], "king"), closed=True, require=[(7, 8)]),
    Instance.of(Board(4, 4, [6, 10, 13], "king"), start=7, require=[(5, 9)]),
    Instance.of(Board(3, 4, [0, 1, 2], "king"), closed=True, require=[(9, 5)]),
    Instance.of(Board(4, 4, [6, 9, 10, 11, 15], "king"), start=4, require=[(0, 4)]),
    Instance.of(Board(3, 5, [14]), start=5, require=[(2, 13)]),
    Instance.of(Board(5, 4, [0, 3]), closed=True, require=[(10, 12)]),
    Instance.of(Board(3, 4), require=[(0, 6)], forbid=[(0, 6)]),
]


def undirected(instance: Instance) -> Instance:
    """The instance that a certificate is about, with moves that lead both ways."""
    return Instance.of(
        instance.board,
        closed=instance.closed,
        start=instance.first,
        end=instance.last,
        require=[Move(*move[:2]) for move in instance.require],
        forbid=[Move(*move[:2]) for move in instance.forbid if not move.directed],
    )


def has_tour(instance: Instance) -> bool:
    if len(instance.board) > 16:
        return solve(instance, method="circuit").status is Status.FOUND
    return next(all_tours(instance), None) is not None


@given(instances())
def test_what_has_no_tour_gets_a_certificate_and_what_has_one_does_not(instance: Instance) -> None:
    assume(not instance.board.directed)
    bare = undirected(instance)
    if has_tour(bare):
        with pytest.raises(NoCertificateError):
            make_certificate(bare)
    else:
        assert check(make_certificate(bare))


@pytest.mark.parametrize("instance", IMPOSSIBLE, ids=range(len(IMPOSSIBLE)))
def test_a_certificate_survives_its_file(instance: Instance) -> None:
    certificate = make_certificate(instance)
    text = "\n".join(certificate.lines())
    assert Certificate.parse(text) == certificate
    assert json.loads(text) == certificate.as_dict()
    assert json.loads(text)["format"] == FORMAT
    assert check(Certificate.parse(text))


@cache
def originals() -> list[Certificate]:
    """Certificates that there is no tour, and of bounds on longest paths and on covers."""
    bounds = [
        (Instance.of("4x4"), "squares<=15"),
        (Instance.of("4x4", closed=True), "squares<=14"),
        (Instance.of("3x5", closed=True), "squares<=12"),
        (Instance.of("3x4", closed=True, forbid=["a1-b3"]), "squares<=10"),
        (Instance.of("3x5", start="a1", require=["a1-c2"]), "squares<=14"),
        (Instance.of("4x5", closed=True), "squares<=18"),
        (Instance.of("4x4"), "paths>=2"),
        (Instance.of("2x4"), "paths>=4"),
    ]
    certified = [certify_bound(instance, Claim.parse(claim)) for instance, claim in bounds]
    return [*map(make_certificate, IMPOSSIBLE), *certified]


def mutants(count: int, seed: int) -> Iterator[Certificate]:
    """What is still a certificate after one to three changes, in ``count`` trials."""
    choice = random.Random(seed)
    values_of_originals = [original.as_dict() for original in originals()]
    for _ in range(count):
        values = copy.deepcopy(choice.choice(values_of_originals))
        for _ in range(choice.randint(1, 3)):
            change(values, choice)
        with suppress(InputError):
            yield Certificate.from_dict(values)


def change(values: Any, choice: random.Random) -> None:
    """Change one value in nested dictionaries and lists, or where it stands in a list."""
    places = [*values] if isinstance(values, dict) else [*range(len(values))]
    if not places:
        return
    place = choice.choice(["steps", *places] if "steps" in places else places)
    value = values[place]
    if isinstance(values, list) and choice.random() < 0.2:
        values.insert(choice.choice(places), values.pop(place))
    elif isinstance(values, list) and choice.random() < 0.2:
        del values[place]
    elif isinstance(value, dict | list) and value:
        change(value, choice)
    elif isinstance(value, bool):
        values[place] = not value
    elif isinstance(value, str):
        pieces = ["king", "wazir", "camel"]
        values[place] = choice.choice([f"{value[:9]}{choice.randrange(20)}", *pieces])
    elif isinstance(value, list):
        value.append(choice.randint(-9, 25))
    else:
        values[place] = choice.choice([None, -(value or 0), choice.randint(-9, 25)])


def is_true(certificate: Certificate) -> bool:
    """Whether what a certificate claims is true, by CP-SAT."""
    instance, claim = certificate.instance, certificate.claim
    if claim is None:
        return not has_tour(instance)
    if claim.measure is Measure.PATHS:
        return claim.value <= path_cover(instance.graph, workers=1).objective.value
    asked = {"start": instance.first, "end": instance.last}
    moves = {"require": instance.require, "forbid": instance.forbid}
    limits: Any = {**asked, **moves, "closed": instance.closed, "workers": 1}
    longest = longest_path(instance.graph, **limits).objective
    return claim.value >= (0 if longest is None else longest.value)


@pytest.mark.parametrize(
    ("count", "seed"), [(300, 1), pytest.param(6_000, 2, marks=pytest.mark.exhaustive)]
)
def test_mutants_of_certificates_prove_only_what_is_true(count: int, seed: int) -> None:
    accepted = {
        repr((each.instance, each.claim)): each for each in mutants(count, seed) if check(each)
    }
    assert 10 < len(accepted) < count / 2
    for certificate in accepted.values():
        assert is_true(certificate), certificate


SCHWENK = [
    (rows, columns)
    for rows, columns in itertools.combinations_with_replacement(range(1, 13), 2)
    if (rows * columns % 2 or rows in (1, 2, 4) or (rows == 3 and columns in (4, 6, 8)))
]


@pytest.mark.parametrize(("rows", "columns"), SCHWENK)
def test_every_exception_of_schwenk_has_a_proof_that_cites_no_theorem(
    rows: int, columns: int
) -> None:
    result = solve(Board(rows, columns), closed=True, certificate=True)
    assert result.status is Status.IMPOSSIBLE
    assert result.certificate is not None
    assert check(result.certificate).holds


def test_the_giraffe_on_11_x_11_is_refuted_by_one_cut_of_16_squares() -> None:
    # Waldmann's SAT proof took ten hours and 29.6 GB.
    certificate = make_certificate(Instance(Board(11, 11, piece="giraffe")))
    assert [step.rule for step in certificate.steps] == [Rule.CUT]
    assert len(set(certificate.steps[0].items) - {121}) == 16


@pytest.mark.parametrize(
    ("instance", "reason"),
    [
        (Instance(Board(6, 6), closed=True), "there is a tour$"),
        (Instance(Board(1, 1)), "one square alone is an open tour"),
        (Instance.of(Board(6, 6), closed=True, symmetry="left-right"), "without the symmetry$"),
        (Instance.of("6x6", closed=True, constrain=print), "tour without the added constraints$"),
        (
            Instance.of("6x6", givens={"a1": 1}, symmetry="half-turn", having="turns<=1"),
            "tour without the symmetry, the given steps and the bounds$",
        ),
        (Instance(Board(400, 400, [0])), "up to 100,000 squares"),
    ],
)
def test_where_none_can_be_made_the_reason_is_said(instance: Instance, reason: str) -> None:
    with pytest.raises(NoCertificateError, match=reason):
        make_certificate(instance)


GOOD = make_certificate(Instance(Board(4, 4))).as_dict()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "give a JSON object"),
        ({"format": FORMAT.replace("2", "1")}, "of version 1, which is no longer read: make it"),
        ({"more": 1}, "has the fields"),
        ({"steps": None}, "steps of a certificate: give a value such as"),
        ({"steps": [{"rule": "parts", "squares": []}]}, "step 1: give a rule"),
        ({"steps": [{"rule": "cut", "squares": [True]}]}, "step 1"),
        ({"board": [4, 4]}, 'such as {"rows": 8, "columns": 8, "holes": .27.}'),
        ({"board": {"rows": 10**9, "columns": 9, "holes": []}}, "1 to 100,000 squares"),
        ({"board": {"rows": 4, "columns": 4, "holes": [99]}}, "hole 99"),
        ({"closed": 1}, "closed of a certificate: give a value such as true"),
        ({"piece": "queen"}, "queen"),
        ({"start": "a1"}, "start of a certificate: give a value such as 0"),
        ({"require": ["a1-b3"] * 100_001}, "lists of at most 100,000 moves"),
        (
            {
                "board": {"rows": 300, "columns": 300, "holes": []},
                "piece": "+".join(f"{side},{side}" for side in range(1, 6)),
            },
            "piece '1,1.*': too many jumps for 300x300",
        ),
        ({"forbid": ["a1-a2"]}, "a1"),
    ],
)
def test_what_is_no_certificate_is_refused_in_one_line(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Certificate.from_dict({**GOOD, **changes})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "1" * 5_000, "null", "NaN", '{"a":1}'])
def test_hostile_text_is_no_certificate(text: str) -> None:
    with pytest.raises(InputError, match="no certificate"):
        Certificate.parse(text)


def test_moves_of_a_graph_are_pairs_of_places_and_not_of_names() -> None:
    path = Instance.of([(5, 6), (6, 7)], closed=True)
    values = make_certificate(path).as_dict()
    assert check(Certificate.from_dict({**values, "forbid": [[0, 1, False]]}))
    with pytest.raises(InputError, match=r"move \[5, 6\] of a certificate: the vertices are 0 to"):
        Certificate.from_dict({**values, "forbid": [[5, 6, False]]})
