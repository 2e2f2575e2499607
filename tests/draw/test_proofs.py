"""Pictures and pages of why there is no tour."""

import re
from typing import Any

import pytest

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.draw.output import page_of, picture_of
from kt_cp.draw.proofs import certificate_picture, reason_picture
from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate, Rule, Step
from kt_cp.proof.producer import make_certificate
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.proof.refutation import refute
from kt_cp.solving import decompose
from tests.helpers.pictures import SVG, corners, elements, parsed, words

PETERSEN = [
    *((i, (i + 1) % 5) for i in range(5)),
    *((i, i + 5) for i in range(5)),
    *((i + 5, (i + 2) % 5 + 5) for i in range(5)),
]

# For each kind of reason, an instance, and what its picture says beside the sentence.
REASONS: list[tuple[ReasonKind, str | Board, dict[str, Any], list[str]]] = [
    (ReasonKind.TOO_SMALL, "1x2", {"closed": True}, []),
    (
        ReasonKind.CONTRADICTION,
        "6x6",
        {"require": ["a1-b3"], "forbid": ["a1-b3"]},
        ["required", "forbidden"],
    ),
    (ReasonKind.COLORS, "5x5", {"closed": True}, ["dark: 13 squares"]),
    (ReasonKind.COLORS, "9x9", {"start": "b9"}, []),
    (ReasonKind.DEAD_END, "3x3", {}, ["where it fails: 1 square"]),
    (
        ReasonKind.SCHWENK,
        "3x8",
        {"closed": True},
        ["moves that are forced here"],
    ),
    (
        ReasonKind.ONE_WAY,
        "6x6",
        {"closed": True, "forbid": ["b4>a6", "c5>a6"]},
        [],
    ),
    (ReasonKind.SCHWENK, "4x8", {"closed": True}, []),
    (ReasonKind.SCHWENK, "3x6", {"closed": True}, ["moves left where it fails"]),
    (
        ReasonKind.SYMMETRY,
        "5x5",
        {"symmetry": "left-right"},
        ["dark: 13 squares"],
    ),
    (ReasonKind.STEPS, "6x6", {"givens": {"a1": 1, "b2": 3}}, []),
    (
        ReasonKind.FORCED_MOVES,
        "6x6",
        {"closed": True, "require": ["a1-b3", "b3-d4", "b3-c5"]},
        ["required", "moves left where it fails"],
    ),
    (ReasonKind.COMPONENTS, "..#..\n" * 4, {"piece": "wazir"}, ["2 components, 1 allowed"]),
    (
        ReasonKind.CUT,
        "3x5",
        {},
        ["the 5 squares that are hatched", "taken away: 5 squares", "7 components, 6 allowed"],
    ),
    (
        ReasonKind.TWO_FACTOR,
        Board(4, 7, holes=[3, 14, 20, 21]),
        {"closed": True},
        ["hatched squares", "shaded squares"],
    ),
]


@pytest.mark.parametrize(("kind", "board", "constraints", "told"), REASONS)
def test_every_kind_of_reason_can_be_seen(
    kind: ReasonKind, board: str | Board, constraints: dict[str, Any], told: list[str]
) -> None:
    instance = Instance.of(board, **constraints)
    result = refute(instance)
    assert result is not None
    assert result.kind is kind
    picture = reason_picture(result, instance=instance)
    shown = " ".join(words(picture))
    assert all(text in shown for text in told)
    assert str(result) in picture.description


@pytest.mark.parametrize(
    ("board", "constraints", "kind", "told"),
    [
        (
            "3x3",
            {"start": "a1", "end": "c3", "givens": {"a3": 3}},
            ReasonKind.DEAD_END,
            ["start: a1", "end: c3", "step 3: a3"],
        ),
        (
            "3x5",
            {"start": "a1", "givens": {"c3": 5}},
            ReasonKind.CUT,
            ["start: a1", "step 5: c3"],
        ),
    ],
)
def test_every_picture_of_a_reason_shows_the_ends_and_the_given_steps(
    board: str, constraints: dict[str, Any], kind: ReasonKind, told: list[str]
) -> None:
    instance = Instance.of(board, **constraints)
    reason = refute(instance)
    assert reason is not None
    assert reason.kind is kind
    shown = words(reason_picture(reason, instance=instance))
    assert {*told} <= {*shown}


@pytest.mark.parametrize(
    ("board", "constraints", "decisive"),
    [
        ("3x3", {}, "2 components, 1 allowed"),
        ("4x6", {"closed": True}, "2 components, 1 allowed"),
        ("3x8", {"closed": True}, "would have to be used by a tour"),
        ("3x6", {}, "components, "),
    ],
)
def test_what_decides_a_certificate_can_be_seen(
    board: str, constraints: dict[str, Any], decisive: str
) -> None:
    picture = certificate_picture(make_certificate(Instance.of(board, **constraints)))
    assert decisive in " ".join(words(picture))


def test_a_page_shows_the_steps_of_a_certificate_as_a_list_of_pictures() -> None:
    certificate = make_certificate(Instance.of("3x8", closed=True))
    page = page_of(certificate)
    assert page.count("</figcaption><svg") == len(certificate.steps)
    sentences = re.findall("<figcaption>(.*?)</figcaption>", page)
    for step, sentence in zip(certificate.steps, sentences, strict=True):
        if step.rule is Rule.CLAUSE and len(step.items) == 1:
            assert sentence.endswith("the contrary leads to a contradiction.")
    assert sentences[0] == "At least two moves of any tour leave the 18 squares that are shaded."
    assert sentences[-1].startswith("The moves that must be used and those")
    assert page.count("may be used<") == 1, "what steps have in common is explained once"
    assert "<h1>No closed tour of 3 × 8</h1>" in page


@pytest.mark.parametrize("rule", [Rule.CUT, Rule.TIGHT_CUT, Rule.COUNT, Rule.SET])
def test_no_page_speaks_of_the_depot(rule: Rule) -> None:
    page = page_of(Certificate(Instance.of("3x4"), (Step(rule, (1, 12)), Step(rule, (1, 12)))))
    assert "depot" not in page


@pytest.mark.parametrize("count", [1, 201])
def test_a_page_shows_one_picture_of_one_step_and_of_too_many(count: int) -> None:
    steps = (Step(Rule.SET, (0,)),) * count
    assert page_of(Certificate(Instance.of("5x5"), steps)).count("<figure") == 1


def test_a_tight_cut_settles_the_moves_inside_it() -> None:
    certificate = make_certificate(Instance.of("4x6", closed=True))
    first, _ = re.findall("<figcaption>(.*?)</figcaption>", page_of(certificate))
    assert first.endswith("so it joins no two of the 12 squares.")
    assert "a tour joins no two of these squares" in words(certificate_picture(certificate))


def test_the_picture_of_a_wrong_certificate_says_that_its_claim_is_not_proven() -> None:
    wrong = Certificate(Instance.of("5x6", closed=True), (Step(Rule.CLAUSE, ()),))
    picture = certificate_picture(wrong)
    assert picture.caption == "Not proven: no closed tour of 5 × 6"
    shown = " ".join(words(picture))
    assert "Does not hold: step 1" in shown


@pytest.mark.parametrize(
    ("edges", "told"),
    [
        (["ha", "hb", "hc"], "black: 1 vertex"),
        (["ab", "bc", "ca", "ad", "be", "cf"], "d, e and f have only one edge"),
    ],
)
def test_a_reason_about_a_graph_is_drawn_in_its_words(edges: list[str], told: str) -> None:
    pytest.importorskip("scipy")
    graph = [tuple(edge) for edge in edges]
    shown = " ".join(words(picture_of(solve(graph))))
    assert told in shown
    assert "square" not in shown
    certificate = solve(graph, certificate=True).certificate
    assert certificate is not None
    assert "holds: " in picture_of(certificate).description
    assert "<svg" in page_of(certificate)


def test_the_components_of_a_graph_have_letters_beside_their_vertices() -> None:
    pytest.importorskip("scipy")
    edges = [(removed, kept) for removed in "pqrs" for kept in "12345"]
    edges += [("5", "6"), ("6", "p")]  # an odd cycle, so that the colors do not decide
    problem = Instance(Graph.of(edges), closed=True)
    reason = refute(problem)
    assert reason is not None
    picture = reason_picture(reason, instance=problem)
    for letter in "ABCDE":
        assert f">{letter}</text>" in "".join(picture.elements)
    assert "A to E: 5 components, 4 allowed" in picture.description


@pytest.mark.parametrize(
    ("board", "constraints", "claim"),
    [
        ("6x6", {"uncrossed": True}, "No open tour of 6 × 6 without crossings"),
        (
            "8x8",
            {"closed": True, "having": "turns<=20"},
            "No closed tour of 8 × 8 with turns at most 20",
        ),
        (
            "8x8",
            {"closed": True, "symmetry": "quarter-turn"},
            "No closed tour of 8 × 8, symmetric by quarter-turn",
        ),
        (
            "5x5",
            {"start": "a1", "end": "b1", "forbid": ["c3-e4"]},
            "No open tour of 5 × 5 from a1 to b1 without c3-e4",
        ),
    ],
)
def test_a_picture_claims_no_more_than_was_refuted(
    board: str, constraints: dict[str, Any], claim: str
) -> None:
    instance = Instance.of(board, **constraints)
    reason = Reason(ReasonKind.EXHAUSTED, instance.graph, "a search found none")
    picture = reason_picture(reason, instance=instance)
    assert picture.caption == claim
    assert "A search found none." in words(picture)


def test_no_picture_says_impossible_for_unknown_or_for_fewer_tours_than_asked_for() -> None:
    unknown = picture_of(solve("20x20", time_limit=1e-6))
    assert unknown.caption == "Open tour of 20 × 20: not known"
    many = picture_of(decompose("8x8", count=2))
    assert many.caption == "Not so many tours of 8 × 8 without a common move"


def test_a_proof_by_cases_has_a_board_for_each_with_its_contradiction() -> None:
    pytest.importorskip("scipy")
    result = solve(PETERSEN, closed=True)
    picture = picture_of(result)
    shown = " ".join(words(picture))
    assert "Symmetries map any edge to any other" in shown
    assert words(picture).count("0") == 2, "the graph is drawn twice"
    for part, word in zip(picture.boards, ("With", "Without"), strict=True):
        assert part.sentence.startswith(f"{word} ")
        assert elements(part, "path", **{"class": "contradiction"})
    page = page_of(result)
    places = [page.index(part) for part in ("<h1>", "<p>", "<figure>", '<ul class="legend">')]
    assert places == sorted(places)
    assert page.count("<figcaption>With") == 2
    # Each sentence is below its own board, and above the next one.
    bottom = 0.0
    for element in parsed(picture):
        shift = re.fullmatch(r"translate\(0 ([\d.]+)\)", element.get("transform", ""))
        down = float(shift[1]) if shift else 0.0
        for path in element.iter(f"{SVG}path"):
            if path.get("class") == "contradiction":
                assert min(y for _, y in corners(path)) + down > bottom
        for text in element.iter(f"{SVG}text"):
            if (text.text or "").startswith("With"):
                y = float(text.attrib["y"]) + down
                assert y > bottom
                bottom = y
