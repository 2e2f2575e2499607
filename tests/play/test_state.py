"""The state of the playground: clicks keep it valid, and all of them can be undone."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import InputError
from kt_cp.play.state import Position, State

SQUARES = st.integers(0, 35)
ACTIONS = st.one_of(
    st.tuples(st.just("resized"), st.integers(1, 6), st.integers(1, 6)),
    st.tuples(st.just("toggled_hole"), SQUARES),
    st.tuples(
        st.just("with_moves"),
        st.sampled_from(["knight", "zebra", "king"]),
        st.sampled_from(["flat", "torus"]),
    ),
    st.tuples(st.just("with_closed"), st.booleans()),
    st.tuples(st.just("with_end"), st.sampled_from(["start", "end"]), SQUARES),
    st.tuples(st.just("with_step"), SQUARES, st.none() | st.integers(0, 40)),
    st.tuples(st.just("with_move"), st.sampled_from(["require", "forbid"]), SQUARES, SQUARES),
    st.tuples(st.just("visited"), SQUARES),
    st.tuples(st.sampled_from(["undo", "redo"])),
)


@settings(max_examples=150)
@given(
    st.sampled_from(["6x6", "3x4", "1 . #\n. . .\n. 8 .\n; kind: closed"]),
    st.lists(ACTIONS, max_size=40),
)
def test_any_sequence_of_clicks_keeps_the_state_valid_and_can_be_undone(
    text: str, actions: list[tuple[Any, ...]]
) -> None:
    state = beginning = State(Position.parse(text))
    for name, *arguments in actions:
        if name in ("undo", "redo"):
            state = getattr(state, str(name))()
            continue
        if any(
            isinstance(each, int) and each >= state.now.board.area for each in arguments[-2:]
        ) and name not in ("resized", "with_step"):
            continue
        if name == "with_step" and arguments[0] >= state.now.board.area:
            continue
        try:
            state = state.do(getattr(state.now, str(name))(*arguments))
        except InputError:
            continue
        now = state.now
        assert Position.parse(now.text).text == now.text
        assert len({*now.path}) == len(now.path)
        assert {now.label(s).split(",")[0] for s in range(now.board.area)} == {
            now.name(s) for s in range(now.board.area)
        }
        assert not state.past or state.undo().redo() == state
    while state.past:
        state = state.undo()
    assert state.now == beginning.now
    while state.future:
        state = state.redo()
