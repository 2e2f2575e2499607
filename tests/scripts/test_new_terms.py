"""Terms that no table has: proven as published ones are, by two SAT solvers."""

from __future__ import annotations

import itertools

import pytest

from kt_cp import validate
from scripts.longest_tables import DOCUMENT
from scripts.new_terms import SOLVERS, TERMS, Row, Term, prove, table
from scripts.run_log import read_rows

LOG = DOCUMENT.with_name("new_terms.jsonl")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    "published",
    [
        Term("A357500", closed=False, board="6x6", squares=21),
        Term("A165143", closed=True, board="8x8", squares=32),
    ],
    ids=str,
)
def test_every_solver_proves_the_published_terms(published: Term, solver: str) -> None:
    row = prove(published, solver)
    assert len(row.tour) == published.squares
    assert validate(published.board, row.tour, published.closed, partial=True)


@pytest.mark.parametrize("squares", [18, 22])
def test_another_number_is_no_term(squares: int) -> None:
    with pytest.raises(RuntimeError, match="tour"):
        prove(Term("A165143", closed=True, board="6x6", squares=squares), SOLVERS[0])


@pytest.mark.exhaustive
def test_the_first_new_term_is_proven() -> None:
    term = TERMS[0]
    assert len(prove(term, SOLVERS[0]).tour) == term.squares


def test_the_log_has_a_proof_of_every_term() -> None:
    logged = {(row.sequence, row.board, row.squares) for row in read_rows(LOG, Row)}
    assert logged == {(term.sequence, term.board, term.squares) for term in TERMS}


@pytest.mark.parametrize("row", read_rows(LOG, Row), ids=lambda row: f"{row.board}-{row.solver}")
def test_every_tour_of_the_log_is_induced(row: Row) -> None:
    closed = row.sequence == "A165143"
    assert len(row.tour) == row.squares
    assert validate(row.board, row.tour, closed, partial=True)
    squares = [(ord(name[0]), int(name[1:])) for name in row.tour]
    moves = sum(
        {abs(one[0] - other[0]), abs(one[1] - other[1])} == {1, 2}
        for one, other in itertools.combinations(squares, 2)
    )
    assert moves == (row.squares if closed else row.squares - 1)


ROW = Row(
    "A165143",
    "3x3",
    8,
    "Glucose42",
    seconds_to_find=0.1,
    seconds_to_prove=0.2,
    conflicts=1234,
    cuts=0,
    tour=["a1", "c2", "a3", "b1", "c3", "a2", "c1", "b3"],
)


def test_a_row_of_the_table_has_its_tour_below() -> None:
    lines = list(table([ROW]))
    assert lines[2].endswith("| 8 | Glucose42 | 0.1 | 0.2 | 1,234 | 0 |")
    assert "a1 c2 a3 b1 c3 a2 c1 b3" in lines


def test_the_document_lists_every_term_and_its_tour() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert "<!-- begin new_terms -->" in document
    for term in TERMS:
        assert f"{term.sequence}: {term.squares} squares of" in document
