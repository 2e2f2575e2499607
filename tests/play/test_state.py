"""The state of the playground: clicks keep it valid, and all of them can be undone."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import InputError
from kt_cp.play.state import Position, State

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
    state = beginning = State((Position.parse(text),))
    for name, *arguments in actions:
        if name == "go":
            state = state.go(*arguments)
            continue
        squares = arguments[:1] if name == "with_step" else arguments[-2:]
        numbers = [each for each in squares if isinstance(each, int)]
        if name != "shaped" and max(numbers) >= state.now.board.area:
            continue
        try:
            state = state.do(getattr(state.now, str(name))(*arguments))
        except InputError:
            continue
        now = state.now
        assert Position.parse(now.text).text == now.text
        assert len({*now.path}) == len(now.path)
        assert {each.split(",")[0] for each in now.labels} == {
            now.board.name(s) for s in range(now.board.area)
        }
        assert state.place == 0 or state.go(-1).go(1) == state
    assert state.go(-len(actions)).now == beginning.now
