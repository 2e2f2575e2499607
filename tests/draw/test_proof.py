"""Pictures and pages of why there is no tour."""

import re
from typing import Any

import numpy as np
import pytest

from kt_cp import Board, Instance, longest_cycle, longest_path, solve
from kt_cp.draw.look import color
from kt_cp.draw.output import page_of, picture_of
from kt_cp.draw.proofs import certificate_picture, proof_page, reason_picture, show_forced
from kt_cp.draw.sheet import Sheet
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.problem.task import BoundProof
from kt_cp.proof.certificate import Certificate, Rule, Step
from kt_cp.proof.checker import check
from kt_cp.proof.producer import make_certificate
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.reasons import refute
from tests.helpers.graphs import flower_snark
from tests.helpers.pages import data_of
from tests.helpers.pictures import elements, segments, words

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
    (ReasonKind.DEAD_END, "3x3", {}, []),
    (
        ReasonKind.ONE_WAY,
        "6x6",
        {"closed": True, "forbid": ["b4>a6", "c5>a6"]},
        [],
    ),
    (ReasonKind.SCHWENK, "4x8", {"closed": True}, ["would be dotted, or none"]),
    (ReasonKind.SCHWENK, "3x6", {"closed": True}, ["forced moves"]),
    (
        ReasonKind.SYMMETRY,
        "5x5",
        {"symmetry": "left-right"},
        ["stays in place: 5 squares", "a square and its image"],
    ),
    (ReasonKind.STEPS, "6x6", {"givens": {"a1": 1, "b2": 3}}, []),
    (
        ReasonKind.FORCED_MOVES,
        "6x6",
        {"closed": True, "require": ["a1-b3", "b3-d4", "b3-c5"]},
        ["required"],
    ),
    (ReasonKind.COMPONENTS, "..#..\n" * 4, {"piece": "wazir"}, ["2 components, 1 allowed"]),
    (ReasonKind.CUT, "3x5", {}, ["separator: 5 squares", "7 components, 6 allowed"]),
    (
        ReasonKind.TWO_FACTOR,
        Board(4, 7, holes=[3, 14, 20, 21]),
        {"closed": True},
        [],
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
        ("3x3", {"start": "a1", "symmetry": "half-turn"}, ReasonKind.DEAD_END, ["start: a1"]),
        (
            "3x3",
            {"start": "a1", "end": "c3", "givens": {"a3": 3}},
            ReasonKind.DEAD_END,
            ["start: a1", "end: c3", "3"],
        ),
        (
            "4x8",
            {"closed": True, "givens": {"a1": 1, "b2": 7}},
            ReasonKind.SCHWENK,
            ["start: a1", "7"],
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
    for each in told:
        # The ranks of a board beside it are digits, too.
        assert shown.count(each) == (2 if each == "3" else 1)


def test_the_picture_of_a_certificate_shows_the_ends() -> None:
    instance = Instance.of("3x5", start="a1", end="c3")
    shown = words(certificate_picture(make_certificate(instance)))
    assert "start: a1" in shown
    assert "end: c3" in shown


def test_a_search_is_shown_too_where_constraints_allow_no_path_that_leaves_squares_out() -> None:
    instance = Instance.of("3x4", givens={"a3": 1})
    searched = Reason.about(ReasonKind.EXHAUSTED, instance.graph, "a search found no tour")
    assert not segments(reason_picture(searched, instance=instance), "move")


def test_components_are_pulled_apart_each_with_its_letter() -> None:
    picture = picture_of(solve("3x5"))
    assert segments(picture, "link") == 4
    letters = [word for word in words(picture) if re.fullmatch("[A-Z]", word)]
    # On both boards, where the largest component has four squares, and in the row of components.
    assert sorted(letters) == sorted(2 * "AAAABCDEFG" + "ABCDEFG")
    # The separator, as a whole and between the components of the row, and in the legend.
    assert segments(picture, "hatch") == 7 * (5 + 5 + 1)
    assert any(word.startswith("A to G: 7 components") for word in words(picture))


def test_forced_moves_that_close_a_cycle_too_early_stand_out() -> None:
    picture = picture_of(solve("3x6", closed=True))
    forced = elements(picture, "path", **{"class": "forced", "stroke": color("fault")})
    assert [each.attrib["d"].count("L") for each in forced] == [8]  # two cycles of four moves


@pytest.mark.parametrize(
    ("board", "constraints", "decisive"),
    [
        ("3x3", {}, "2 components, 1 allowed"),
        ("4x6", {"closed": True}, "2 components, 1 allowed"),
        ("3x8", {"closed": True}, "In each of 2 cases, forced moves end in a contradiction."),
        ("3x6", {}, "components, "),
    ],
)
def test_what_decides_a_certificate_can_be_seen(
    board: str, constraints: dict[str, Any], decisive: str
) -> None:
    picture = certificate_picture(make_certificate(Instance.of(board, **constraints)))
    assert decisive in " ".join(words(picture))


@pytest.mark.parametrize("board", ["3x3", "4x4", "3x5"])
def test_the_legend_of_a_cut_states_the_limit_that_the_checker_finds(board: str) -> None:
    certificate = make_certificate(Instance.of(board))
    most = re.search(r"of which a tour connects (\d+)", check(certificate).message)
    assert most is not None
    shown = " ".join(words(certificate_picture(certificate)))
    assert f"components, {most[1]} allowed" in shown


def test_a_page_steps_through_a_certificate() -> None:
    certificate = make_certificate(Instance.of("3x8", closed=True))
    data = data_of(proof_page(certificate))
    assert len(data["steps"]) == len(certificate.steps) + 1
    for step, told, before in zip(
        certificate.steps, data["steps"][1:], data["steps"], strict=False
    ):
        if step.rule is Rule.CLAUSE and len(step.items) == 1:
            edge = abs(step.items[0]) - 1
            assert (before["settled"][edge], told["settled"][edge]) in {(".", "+"), (".", "-")}
            assert told["text"].endswith("the contrary leads to a contradiction.")
    assert data["steps"][-1]["text"].startswith("the moves that must be used and those")


@pytest.mark.parametrize(
    ("board", "closed", "claim", "reason"),
    [
        (
            "4x6",
            True,
            "No closed tour of 4 × 6",
            "A tour joins no two of the 12 ringed squares, so 2 components are left, of which a "
            "tour connects 1.",
        ),
        (
            "4x4",
            False,
            "No open tour of 4 × 4",
            "Without the 4 hatched squares, 6 components are left, of which a tour connects 5.",
        ),
    ],
)
def test_a_reason_counts_the_squares_that_have_a_mark(
    board: str, closed: bool, claim: str, reason: str
) -> None:
    certificate = make_certificate(Instance.of(board, closed=closed))
    picture = certificate_picture(certificate)
    assert picture.caption == claim
    assert reason in " ".join(words(picture))
    assert check(certificate).message in picture.description, "which names the squares"


def test_a_shortage_of_moves_is_counted_in_the_reason_and_in_the_legend() -> None:
    picture = picture_of(solve("3x6"))
    assert (
        "The 6 hatched squares need 11 moves, even as ends of the tour, "
        "but the 7 shaded squares allow only 10."
    ) in " ".join(words(picture))
    assert {"need 11 moves: 6 squares", "allow only 10: 7 squares"} <= set(words(picture))


def test_a_tight_cut_settles_the_moves_inside_it() -> None:
    certificate = make_certificate(Instance.of("4x6", closed=True))
    first = data_of(proof_page(certificate))["steps"][1]
    assert len(first["groups"][0]) == 12 == len(first["marked"])
    assert {*first["settled"]} == {".", "-"}


def test_the_picture_of_a_wrong_certificate_says_that_its_claim_is_not_proven() -> None:
    wrong = Certificate(Instance.of("5x6", closed=True), (Step(Rule.CLAUSE, ()),))
    picture = certificate_picture(wrong)
    assert picture.caption == "Not proven: no closed tour of 5 × 6"
    shown = " ".join(words(picture))
    assert "Does not hold: step 1" in shown
    assert "The steps of the proof settle" not in shown


def test_a_page_of_too_many_steps_is_refused() -> None:
    steps = (Step(Rule.SET, (0,)),) * 2001
    with pytest.raises(InputError, match="2,001 steps: a page shows at most 2,000"):
        proof_page(Certificate(Instance.of("5x5"), steps))


@pytest.mark.parametrize(
    ("edges", "told"),
    [
        (["ha", "hb", "hc"], "shaded: 1 vertex"),
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


def test_forced_moves_contradict_only_if_their_cycle_leaves_squares_out() -> None:
    ring = Board(3, 3, holes=["b2"])  # whose moves form one cycle through all squares
    whole = Sheet(ring, "")
    show_forced(whole, ring.arcs[ring.arcs[:, 0] < ring.arcs[:, 1]])
    part = Sheet(Board(3, 4), "")
    ids = [part.graph.vertex(name) for name in ["a1", "b3", "c1", "a2", "c3", "b1", "a3", "c2"]]
    show_forced(part, np.stack([ids, np.roll(ids, -1)], axis=1))
    assert [entry.text for entry in whole.drawing.legend] == ["forced moves"]
    assert [entry.text for entry in part.drawing.legend] == [
        "forced moves that close a cycle before every square is visited"
    ]


@pytest.mark.parametrize(
    ("board", "constraints", "claim"),
    [
        ("6x6", {"uncrossed": True}, "No open tour of 6 × 6 without crossings"),
        (
            "8x8",
            {"closed": True, "having": "turns<=20"},
            "No closed tour of 8 × 8 with at most 20 turns",
        ),
        (
            "8x8",
            {"closed": True, "symmetry": "quarter-turn"},
            "No closed tour of 8 × 8 that a quarter-turn maps onto itself",
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
    reason = Reason.about(ReasonKind.EXHAUSTED, instance.graph, "a search found none: nowhere")
    picture = reason_picture(reason, instance=instance)
    assert picture.caption == claim
    shown = " ".join(words(picture))
    assert "A search found none; no short reason was found." in shown


def test_the_longest_path_in_place_of_a_tour_is_one_with_the_same_constraints() -> None:
    instance = Instance.of("4x4", uncrossed=True)
    reason = Reason.about(ReasonKind.EXHAUSTED, instance.graph, "a search found none: nowhere")
    longest = longest_path("4x4", uncrossed=True, workers=1)
    shown = " ".join(words(reason_picture(reason, instance=instance, longest=longest)))
    assert "the longest such path visits only 6 of 16 squares" in shown


def test_closed_3x8_is_shown_as_two_cases_each_with_its_contradiction() -> None:
    shown = " ".join(words(picture_of(solve("3x8", closed=True))))
    assert "In each of 2 cases, forced moves end in a contradiction." in shown
    assert shown.count("d2 has fewer than two moves left") == 2


def test_a_cycle_that_may_leave_vertices_out_has_no_proof_by_cases() -> None:
    pytest.importorskip("scipy")
    triangles = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "d")]
    result = longest_cycle([*triangles, ("f", "g")], at_least=4, workers=1)
    assert "visits only" not in picture_of(result).description
    through_both = longest_path([("a", "b"), ("c", "d")], visit=["a", "c"], workers=1)
    assert "visits only" not in picture_of(through_both).description


def test_a_shortage_shows_the_numbers_that_it_adds() -> None:
    shown = words(picture_of(solve("3x6")))
    assert shown.count("2") == 6 + 3 + 1, "hatched squares, shaded ones, and the name of a rank"
    assert "squares need 6\u00a0·\u00a02\u00a0=\u00a012, less 1" in " ".join(shown)


def test_components_that_a_tour_connects_are_in_a_row_and_one_is_left_over() -> None:
    picture = picture_of(solve("4x4"))
    assert "left over: F" in picture.description
    assert "4 of these connect at most 5" in " ".join(words(picture))


def test_the_picture_of_a_certificate_marks_what_contradicts() -> None:
    pytest.importorskip("scipy")
    snark = Instance.of(flower_snark(3), closed=True)
    picture = certificate_picture(make_certificate(snark))
    shown = " ".join(words(picture))
    assert "steps exclude combinations of used and unused edges" in shown
    assert "they close a cycle before every vertex is visited" in shown
    assert elements(picture, "g", stroke=color("end"))


# Three triangles in a chain of seven vertices, and an eighth vertex that hangs on the middle one.
TRIANGLES_AND_A_LEAF = [
    (0, 1),
    (1, 2),
    (2, 0),
    (0, 3),
    (3, 4),
    (4, 0),
    (1, 5),
    (5, 6),
    (6, 1),
    (2, 7),
]


def test_a_certificate_by_blocks_tells_the_bound_and_the_share_of_each_part() -> None:
    pytest.importorskip("scipy")
    result = longest_path(TRIANGLES_AND_A_LEAF, certificate=True, workers=1)
    assert result.objective is not None
    assert result.objective.proof is BoundProof.BLOCKS
    description = picture_of(result.certificate).description
    assert "of at most 7 vertices" in description
    assert "where the graph is split: 3 vertices" in description
    assert "A: 3 vertices; B: 2 more; C: 2 more" in description
    assert "a path visits a square vertex only once, so it never returns" in description
    assert "a path that passes A to C visits 3 + 2 + 2 = 7 vertices at most" in description
    assert "D: not on the same path" in description
    assert "separator" not in description


def test_a_cycle_stays_in_the_largest_part() -> None:
    pytest.importorskip("scipy")
    result = longest_cycle(TRIANGLES_AND_A_LEAF, certificate=True, workers=1)
    description = picture_of(result.certificate).description
    assert "a cycle stays in one part, so it visits 3 vertices at most" in description
    assert "B to D: not on the same cycle" in description


def test_holes_are_told_from_squares_in_the_picture_of_a_proof() -> None:
    ring = Instance.of("...\n.#.\n...", start="a1", end="c3")
    assert 'fill="$hole"' in "".join(picture_of(solve(ring)).elements)


def test_the_contradiction_of_a_case_is_a_double_line_unlike_forced_moves() -> None:
    reason = refute(Instance.of("3x8", closed=True))
    assert reason is not None
    picture = reason_picture(reason, instance=Instance.of("3x8", closed=True))
    wrong = elements(picture, "path", **{"class": "forced", "stroke": color("fault")})
    cores = elements(picture, "path", **{"class": "core"})
    assert [core.get("d") for core in cores] == [line.get("d") for line in wrong]


def test_the_verdict_on_a_map_states_its_holes_as_the_picture_does() -> None:
    cross = "..#..\n..#..\n#####\n..#..\n..#.."
    certificate = make_certificate(Instance.of(cross))
    assert check(certificate).message.startswith("holds: open 5x5 with 9 holes has no tour")
    assert certificate_picture(certificate).description.startswith("no open tour of 5x5 with 9")
