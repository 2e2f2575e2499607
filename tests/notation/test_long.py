"""A text too long to be held as a string is read in blocks, and told or not it means the same."""

import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kt_cp import Board, InputError, Notation, Tour, parse_path
from kt_cp.notation import detect, forms, text
from kt_cp.notation.detect import load
from kt_cp.notation.write import tour_bytes
from tests.helpers.command import kt
from tests.helpers.fuzz import Options, check, contents, options
from tests.helpers.strategies import tours

TEXTS = [each for each in Notation if each not in (Notation.HCP, Notation.NPY)]
# No board with a shorter side has a tour of more than one square.
WIDE = tours().filter(lambda tour: min(tour.board.rows, tour.board.columns) >= 3)
NO_MOVES = (Notation.MOVES, Notation.FACTS)


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> Iterator[None]:
    """Let every text be long, and its blocks hold a few squares."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detect, "LONG", 0)
        patch.setattr(text, "BLOCK", 128)
        yield


def written(tour: Tour, notation: Notation) -> bytes:
    return b"".join(tour_bytes(tour, notation))


def outcome(source: object, **told: object) -> object:
    """Return all that a reading says but notes on others, which there are none of, or the error."""
    try:
        reading = parse_path(source, **told)  # type: ignore[arg-type]
    except InputError as error:
        return str(error)
    faults = [fault.message for fault in itertools.islice(reading.iter_faults(), 99)]
    return reading.notation, reading.read_as, reading.verdict, reading.ids.tolist(), faults


@given(st.sampled_from(TEXTS), WIDE)
def test_a_long_text_is_read_as_a_short_one(notation: Notation, tour: Tour) -> None:
    if len(tour) == 1 and notation.base in NO_MOVES:
        return  # there is no move to write
    content = written(tour, notation)
    for board in (None, tour.board):
        long = outcome(load(io.BytesIO(content)), board=board, notation=notation)
        assert long == outcome(content.decode(), board=board, notation=notation)


@given(st.sampled_from(TEXTS), WIDE)
def test_the_notation_of_a_long_text_is_found_out(notation: Notation, tour: Tour) -> None:
    if len(tour) == 1 and notation.base in (*NO_MOVES, Notation.SUCCESSORS):
        return
    if tour.board.holes and notation.base not in (
        Notation.GRID,
        Notation.JSON,
        Notation.SUCCESSORS,
    ):
        return  # where the holes are is lost
    content = written(tour, notation)
    reading = parse_path(load(io.BytesIO(content)))
    assert reading.valid
    assert len(reading.board) == len(tour)


@given(st.data(), st.sampled_from(TEXTS), WIDE.filter(lambda tour: len(tour) > 1))
def test_a_slip_in_a_long_text_is_found_where_it_is(
    data: st.DataObject, notation: Notation, tour: Tour
) -> None:
    content = written(tour, notation)
    place = data.draw(st.integers(0, len(content) - 1))
    slip = data.draw(st.sampled_from([b"?", b"7", b"a", b" ", b"\n", b"-", b",", b"]"]))
    content = content[:place] + slip + content[place + 1 :]
    long = outcome(load(io.BytesIO(content)), board=tour.board, notation=notation)
    if isinstance(long, str):
        named = re.match(r"line (\d+)", long)
        line = content.count(b"\n", 0, place) + 1
        assert named is None or int(named[1]) in (1, line, line + 1)
    else:
        assert long == outcome(content.decode(), board=tour.board, notation=notation)


@pytest.mark.parametrize(
    ("content", "told", "message"),
    [
        ("0\n1\n2 z\n", "ids", "line 3, column 3: 'z' where there should be a whole number"),
        ("0\n" + "9" * 19, "ids", "line 2, column 1: '9999999999999999999' where"),
        ("\ufeff[0\n" + "1\n" * 99 + "]", "ids", "line 1, column 1: '[0' where there should be a"),
        ("1" * 999, "ids", "line 1, column 1: '11111111111111111111' where there should be line"),
        (" " * 999, "ids", "the end of the text where there should be a whole number"),
        ("a3\nc²\n", "squares", "line 2, column 1: 'c²' where there should be a chess name"),
        ("a3-c2\nc2-a1\nb3-d2\n", "moves", "move 3 does not begin where the one before has"),
        ("1 2 3\n4 5\n", "grid", "line 2: 2 cells, where line 1 has 3"),
        ("1 2\n3 4\n", "grid", "line 1, column 1: '1' where there should be a row of"),
        ("1 2 3\n4 5 ?\n", "grid", "line 2, column 5: '?' where there should be a numbered board"),
        ("1 2 3 4", "grid", "a single row of numbers: give the notation if it is a list"),
        ("1 2 3", "tsplib", "a TSPLIB file with a line TOUR_SECTION"),
        ("TOUR_SECTION\n1\n-1\n2\n-1", "tsplib", "one tour: -1 comes once"),
        ("x\nTOUR_SECTION\n1\n", "tsplib", "line 1, column 1: 'x' where there should be a header"),
        ("TOUR_SECTION\n-1\nEOF", "tsplib", "the numbers of the squares"),
        ('{"tour": [0,\n 1,\n x]}', "json", "line 3, column 2: 'x]}' where there should be an id"),
        ('{"tour": [0,\n 1],\n x}', "json", "line 3, column 2: 'x}' where there should be JSON"),
        ('{"tour": [0, 1,]?}', "json", "line 1, column 16: ']?}' where there should be JSON"),
        ('{"tour": [0, 1', "json", "line 1, column 15: the end of the text where there should be"),
        ('{"tour": null}', "json", 'where there should be a JSON object with "tour"'),
        ('{"tour": [0], "closed": 1}', "json", "closed: 1: give true or false"),
        ("0 1 2", "npy", "notation npy: this is text"),
        ("0,0\n(2,1)\n", None, "line 2, column 1: '(2,1)' where there should be a pair"),
        ("by hand\n0\n1\n", None, "it fits no notation; a text of more than 64 MiB"),
        (
            "0\n1\n" * 200 + "?",
            None,
            "line 401, column 1: '?' where there should be a whole number",
        ),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(
    content: str, told: str | None, message: str
) -> None:
    said = outcome(load(io.BytesIO(content.encode())), notation=told)
    assert isinstance(said, str)
    assert message in said


def test_a_long_string_is_read_as_a_long_file(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "0\n6\n8\n1\n7\n9\n2\n4\n10\n3\n5\n11\n"
    expected = outcome(lines)
    monkeypatch.setattr(text, "LONG", 0)
    monkeypatch.setattr(text, "BLOCK", 16)
    assert outcome(lines) == expected
    assert "as kt solve writes it" in str(outcome(f"[{lines}]"))


def test_a_list_in_lines_of_several_is_no_numbered_board() -> None:
    lines = "0 6 8 1 7\n9 2 4 10 3\n5 11\n"
    assert outcome(load(io.BytesIO(lines.encode())), board=Board(3, 4)) == outcome(
        lines, board=Board(3, 4)
    )


def test_too_many_moves_in_no_order_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "_MOST_JOINED", 9)
    said = outcome("6 7 4 5 10 11 8 9 1 2 3 0", notation="successors")
    assert "no tour: 12 moves do not make one in their order, and more than 9 are not" in str(said)


@pytest.mark.exhaustive
def test_the_command_reads_more_than_64_mib_from_a_file_and_a_pipe(tmp_path: Path) -> None:
    tour, text = tmp_path / "tour.npy", tmp_path / "tour.txt"
    assert kt("solve", "3000x3000", "--closed", "--out", str(tour)).returncode == 0
    text.write_text("\n".join(map(str, np.load(tour).tolist())))
    assert text.stat().st_size > 64 * 2**20
    for done in (kt("validate", str(text)), kt("validate", "-", stdin=text.read_bytes())):
        assert done.returncode == 0
        assert done.stdout.startswith("valid closed tour of 3000x3000, 9000000 squares")


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(content=contents(), given_options=options())
def test_any_long_input_ends_in_a_verdict_or_in_one_line(
    content: bytes, given_options: Options
) -> None:
    check(content, given_options)
