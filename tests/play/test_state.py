"""The state of the playground: clicks keep it valid, and all of them can be undone."""

from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import InputError
from kt_cp.play.state import History, Position, parse_address

SQUARES = st.integers(0, 35)
ACTIONS = st.one_of(
    st.tuples(
        st.just("shaped"),
        st.integers(1, 6),
        st.integers(1, 6),
        st.booleans(),
        st.sampled_from(["knight", "zebra", "king"]),
        st.sampled_from(["flat", "torus"]),
    ),
    st.tuples(st.just("toggled_hole"), SQUARES),
    st.tuples(st.just("with_end"), st.sampled_from(["start", "end"]), SQUARES),
    st.tuples(st.just("with_step"), SQUARES, st.none() | st.integers(0, 40)),
    st.tuples(st.just("with_move"), st.sampled_from(["require", "forbid"]), SQUARES, SQUARES),
    st.tuples(st.just("visited"), SQUARES),
    st.tuples(st.just("go"), st.sampled_from([-1, 1])),
)


@settings(max_examples=150)
@given(
    st.sampled_from(["6x6", "3x4", "1 . #\n. . .\n. 8 .\n; kind: closed"]),
    st.lists(ACTIONS, max_size=40),
)
def test_any_sequence_of_clicks_keeps_the_state_valid_and_can_be_undone(
    text: str, actions: list[tuple[Any, ...]]
) -> None:
    history = beginning = History((Position.parse(text),))
    for name, *arguments in actions:
        if name == "go":
            history = history.undo() if arguments == [-1] else history.redo()
            continue
        squares = arguments[:1] if name == "with_step" else arguments[-2:]
        numbers = [each for each in squares if isinstance(each, int)]
        if name != "shaped" and max(numbers) >= history.now.board.area:
            continue
        try:
            history = history.add(getattr(history.now, str(name))(*arguments))
        except InputError:
            continue
        now = history.now
        assert Position.parse(now.text).text == now.text
        assert parse_address(dict(parse_qsl(now.query)), beginning.now) == (now, "")
        assert len({*now.path}) == len(now.path)
        assert {each.split(",")[0] for each in now.labels} == {
            now.board.name(s) for s in range(now.board.area)
        }
        assert history.undo().redo() == history
    for _ in actions:
        history = history.undo()
    assert history.now == beginning.now


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("closed=maybe", "the address has closed=maybe: give closed=true"),
        ("board=<script>", "the address has the board '<script>': give a size such as 8x8"),
        ("board=/etc/passwd", "the address has the board '/etc/passwd': give a size such as 8x8"),
        ("board=99x99", "a board here has at most 20 rows and columns"),
        ("bord=6x6", "the address has 'bord', which is none of board, closed, path, puzzle"),
        ("board=3x4&path=a3 c2 d4", "the address has a path that ends at c2: d4 is off the board"),
        ("board=3x4&path=a3 b3", "the address has a path that ends at a3: a3 to b3 is no knight"),
        ("board=3x4&path=a3 c2 a3", "ends at c2: a3 is visited twice"),
        ("board=3x4&path=%3Cb%3E", "the address has a path that is left out: "),
    ],
)
def test_a_wrong_address_says_what_is_wrong(query: str, told: str) -> None:
    position, line = parse_address(dict(parse_qsl(query)), Position.parse("6x6"))
    assert told in line
    assert "read_text" not in line
    assert position.board.size == ("3x4" if "path" in query else "6x6")
