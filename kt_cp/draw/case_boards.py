"""Pictures of proofs by cases: a board for each case, with the moves that follow in it."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.arrays import Ints
from kt_cp.draw.cases import Case, CaseProof, assumption_of
from kt_cp.draw.move_lines import directed_moves
from kt_cp.draw.picture import disc_mark, move_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.messages import Vocabulary
from kt_cp.problem.instance import Instance

# The ring around a square at which moves contradict one another, and its radius in squares.
_RING = disc_mark(None, "fault", 0.14)
_RING_RADIUS = 0.38

_GAP = 1.2  # between two boards, in squares
_PLACES = ("at the top", "below it", "at the bottom")  # of the boards of cases
_DASHES = (7.0, 6.0)  # of moves that are not made
_WRONG = 3.0  # thickness of the double lines of moves that contradict one another


def show_cases(sheet: Sheet, instance: Instance, proof: CaseProof, described: str) -> None:
    """Show a board or graph for each case, below one another, with the contradiction in it.

    ``described`` is what screen readers are told in place of the first sentence.
    """
    graph, words = instance.graph, instance.graph.vocabulary
    names = [graph.name(vertex) if vertex in graph else "" for vertex in range(graph.area)]
    if proof.omitted is not None:
        low, high = proof.omitted
        sheet.add_sentence(
            f"symmetries map any {words.edge} to any other, and a cycle omits some "
            f"{words.edge}: let it omit {names[low]}-{names[high]}",
            described,
        )
    if len(proof.cases) == 1:
        sheet.add_sentence(_contradiction(proof.cases[0], names, words), described)
    else:
        count = len(proof.cases)
        sheet.add_sentence(
            f"in each of {count} cases, forced {words.edges} end in a contradiction", described
        )
    for number, case in enumerate(proof.cases):
        part = sheet if number == 0 else sheet.again(number, _GAP)
        _show_case(part, instance, proof, case)
        if len(proof.cases) > 1:
            assumption = assumption_of(proof, case, names)
            why = _contradiction(case, names, words)
            sheet.add_sentence(f"{_PLACES[number]}, {assumption}: {why}")
    _explain_lines(sheet, proof, words)


def _explain_lines(sheet: Sheet, proof: CaseProof, words: Vocabulary) -> None:
    """Explain the lines in the legend."""
    edges = words.edges
    if len(proof.cases) > 1:
        text = f"with this {words.edge}, or dashed: without it"
        sheet.add_legend(text, move_mark("given", 2.4))
    if proof.common:
        sheet.add_legend(f"{edges} that are forced in any case", move_mark("muted", 0.8))
    if any(_following(proof, case) for case in proof.cases):
        sheet.add_legend(f"{edges} that are forced then, in order", move_mark("line", 1.2))
    if any(case.crowded is not None for case in proof.cases):
        text = f"double: {edges} at the {words.vertex} in the ring; dashed: excluded there"
        sheet.add_legend(text, move_mark("fault", _WRONG, is_double=True))
    if any(case.cycle for case in proof.cases):
        mark = move_mark("fault", _WRONG, is_double=True)
        sheet.add_legend("double: a cycle that closes too early", mark)


def _following(proof: CaseProof, case: Case) -> list[tuple[int, int]]:
    """Return the moves that follow from the assumptions of a case, in order."""
    assumed = {edge for edge, _ in case.assumed}
    return [edge for edge in case.used if edge not in proof.common and edge not in assumed]


def _show_case(sheet: Sheet, instance: Instance, proof: CaseProof, case: Case) -> None:
    """Show the assumptions, the moves that follow from them, and the contradiction of a case."""
    assumed = [edge for edge, is_used in case.assumed if is_used]
    barred = [edge for edge, is_used in case.assumed if not is_used]
    at_crowded: list[tuple[int, int]] = []
    if case.crowded is not None:
        at_crowded = [
            (low, high) for low, high in instance.edges.tolist() if case.crowded in (low, high)
        ]
    wrong = [edge for edge in at_crowded if edge not in case.excluded] + case.cycle
    lost = [edge for edge in at_crowded if edge in case.excluded]
    following = _following(proof, case)
    common = sorted(proof.common.difference(wrong))
    plain = [edge for edge in following if edge not in wrong]

    def moves(edges: Sequence[tuple[int, int]]) -> Ints:
        return directed_moves(instance, edges)

    thickness = 0.8 if sheet.is_board else 1.6
    sheet.draw_moves(moves(common), "muted", thickness=thickness, css_class="forced")
    sheet.draw_moves(moves(plain), thickness=1.2, css_class="forced")
    sheet.draw_moves(moves(wrong), "fault", thickness=_WRONG, css_class="forced", is_double=True)
    sheet.draw_moves(moves(lost), "fault", thickness=1.2, dashes=_DASHES)
    sheet.draw_moves(moves(assumed), "given", thickness=2.4)
    sheet.draw_moves(moves(barred), "given", thickness=2, dashes=_DASHES)
    sheet.write_on_moves(following, range(1, len(following) + 1))
    if case.crowded is not None:
        sheet.draw_mark(_RING, [case.crowded], radius=_RING_RADIUS)


def _contradiction(case: Case, names: Sequence[str], words: Vocabulary) -> str:
    """Return in words why a case is impossible."""
    if case.crowded is None:
        return f"forced {words.edges} close a cycle before every {words.vertex} is visited"
    name = names[case.crowded]
    used = sum(case.crowded in edge for edge in case.used)
    if used > 2:
        return f"{name} would have {used} {words.edges}, and a tour uses two"
    return (
        f"{name} has fewer than two {words.edges} left, as its others lead to {words.vertices} "
        "that have two, or close a cycle too early"
    )
