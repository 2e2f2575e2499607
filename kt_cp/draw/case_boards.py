"""Pictures of proofs by cases: a board for each case, with the moves that follow in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kt_cp.arrays import Ints
from kt_cp.draw.move_lines import directed_moves
from kt_cp.draw.picture import disc_mark, move_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason

# The ring around a square at which moves contradict one another, and its radius in squares.
_RING = disc_mark(None, "fault", 0.14)
_RING_RADIUS = 0.38

_GAP = 1.2  # between two boards, in squares
_PLACES = ("at the top", "below it", "at the bottom")  # of the boards of cases
_DASHES = (7.0, 6.0)  # of moves that are not made
_WRONG = 3.0  # thickness of the double lines of moves that contradict one another


def show_cases(sheet: Sheet, instance: Instance, proof: Reason, described: str) -> None:
    """Show a board or graph for each case, below one another, with the contradiction in it.

    ``described`` is what screen readers are told in place of the first sentence.
    """
    cases = proof.cases or (proof,)
    whole = replace(proof, cases=())
    if "omitted" in proof.moves or len(cases) > 1:
        for clause in str(whole).split("; "):
            sheet.add_sentence(clause, described)
    if len(cases) == 1:
        sheet.add_sentence(str(cases[0]), described)
    for number, case in enumerate(cases):
        part = sheet if number == 0 else sheet.again(number, _GAP)
        _show_case(part, instance, proof, case)
        if len(cases) > 1:
            sheet.add_sentence(f"{_PLACES[number]}, {case}")
    _explain_lines(sheet, proof, cases)


def _explain_lines(sheet: Sheet, proof: Reason, cases: Sequence[Reason]) -> None:
    """Explain the lines in the legend."""
    words = proof.graph.vocabulary
    edges = words.edges
    if len(cases) > 1:
        text = f"with this {words.edge}, or dashed: without it"
        sheet.add_legend(text, move_mark("given", 2.4))
    if proof.cases and "forced" in proof.moves:
        sheet.add_legend(f"{edges} that are forced in any case", move_mark("muted", 0.8))
    if any("forced" in case.moves for case in cases):
        sheet.add_legend(f"{edges} that are forced then, in order", move_mark("line", 1.2))
    if any("square" in case.groups for case in cases):
        text = f"double: {edges} at the {words.vertex} in the ring; dashed: excluded there"
        sheet.add_legend(text, move_mark("fault", _WRONG, is_double=True))
    if any("squares" in case.groups for case in cases):
        mark = move_mark("fault", _WRONG, is_double=True)
        sheet.add_legend("double: a cycle that closes too early", mark)


def _show_case(sheet: Sheet, instance: Instance, proof: Reason, case: Reason) -> None:
    """Show the assumptions, the moves that follow from them, and the contradiction of a case."""
    named = {name: list(edges) for name, edges in case.moves.items()}
    wrong, following = named.get("contradiction", []), named.get("forced", [])
    common = proof.moves.get("forced", ()) if proof.cases else ()
    omitted = list(proof.moves.get("omitted", ()))

    def moves(edges: Iterable[tuple[int, int]]) -> Ints:
        return directed_moves(instance, [edge for edge in edges if edge not in wrong])

    thickness = 0.8 if sheet.is_board else 1.6
    sheet.draw_moves(moves(sorted(common)), "muted", thickness=thickness, css_class="forced")
    sheet.draw_moves(moves(following), thickness=1.2, css_class="forced")
    sheet.draw_moves(
        directed_moves(instance, wrong),
        "fault",
        thickness=_WRONG,
        css_class="forced",
        is_double=True,
    )
    excluded = named.get("excluded", [])
    sheet.draw_moves(moves(excluded), "fault", thickness=1.2, dashes=_DASHES)
    assumed, barred = named.get("with", []), [*named.get("without", []), *omitted]
    sheet.draw_moves(directed_moves(instance, assumed), "given", thickness=2.4)
    sheet.draw_moves(moves(barred), "given", thickness=2, dashes=_DASHES)
    sheet.write_on_moves(following, range(1, len(following) + 1))
    crowded = case.groups.get("square", ())
    sheet.draw_mark(_RING, crowded, radius=_RING_RADIUS)
