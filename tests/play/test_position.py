"""Positions of the playground: whatever is tapped, they stay valid and have an address."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, Certificate, InputError, Instance, Tour, check, longest_path, solve
from kt_cp.arrays import Squares
from kt_cp.draw.look import color
from kt_cp.draw.puzzles import fact_sentences
from kt_cp.play import work
from kt_cp.play.position import Position, parse_address
from kt_cp.play.work import Scene, scene_of
from kt_cp.problem.task import OutOfTimeError

SQUARES = st.integers(0, 35) | st.just(30)  # which is the start on one of the boards
ACTIONS = st.one_of(
    st.tuples(
        st.just("with_shape"),
        st.integers(1, 6),
        st.integers(1, 6),
        st.booleans(),
        st.sampled_from(["knight", "zebra", "king"]),
        st.sampled_from(["flat", "torus"]),
    ),
    st.tuples(st.just("toggled_hole"), SQUARES),
    st.tuples(st.just("toggled_end"), st.sampled_from(["start", "end"]), SQUARES),
    st.tuples(st.just("with_step"), SQUARES, st.none() | st.integers(0, 40)),
    st.tuples(st.just("toggled_move"), st.sampled_from(["require", "forbid"]), SQUARES, SQUARES),
    st.tuples(st.just("with_tap"), SQUARES),
    st.tuples(st.just("with_drag"), SQUARES, SQUARES),
)


@settings(max_examples=50)
@given(
    st.sampled_from(
        [
            "6x6",
            "3x4",
            "1 . #\n. . .\n. 8 .\n; kind: closed",
            "......\n" * 5 + "1..4..\n; kind: closed\n; order: a1 c3 b6",
            "......\n" * 6 + "; order: a1 c3 b6",
        ]
    ),
    st.lists(ACTIONS, max_size=40),
)
def test_any_sequence_of_clicks_keeps_the_position_valid_and_its_address_holds_it(
    text: str, clicks: list[tuple[Any, ...]]
) -> None:
    now = Position.parse(text)
    for name, *arguments in clicks:
        squares = arguments[:1] if name == "with_step" else arguments[-2:]
        numbers = [each for each in squares if isinstance(each, int)]
        if name != "with_shape" and max(numbers) >= now.board.area:
            continue
        told = ""
        try:
            now = getattr(now, str(name))(*arguments)
        except InputError as error:
            told = str(error)
        assert not told.startswith("order:")  # no tap asks for an order
        assert Position.from_query(now.query) == now
        assert parse_address(dict(parse_qsl(now.query)), Position.parse("6x6")) == (now, "")
        assert len({*now.path}) == len(now.path)
        assert {each.split(",")[0] for each in now.labels} == {
            now.board.name(s) for s in range(now.board.area)
        }


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("closed=maybe", "the address has closed=maybe: give closed=true"),
        ("board=/etc/passwd", "the address has what is no board: board '/etc/passwd': give both"),
        ("board=99x99", "boards here have at most 20 rows and columns"),
        ("bord=6x6", "the address has 'bord', which is none of board, closed, path, puzzle"),
        ("graph=a-b b-c", "the address has a graph, which has no squares: kt solve"),
        ("board=3x4&path=a3 c2 d4", "a path that ends at c2: square 'd4' is off the board"),
        ("board=3x4&path=a3 b3", "the address has a path that ends at a3: a3 to b3 is no knight"),
        ("board=3x4&path=a3 c2 a3", "ends at c2: a3 is visited twice"),
        ("board=3x4&path=%3Cb%3E", "the address has a path that is left out: "),
    ],
)
def test_a_wrong_address_says_what_is_wrong(query: str, told: str) -> None:
    position, line = parse_address(dict(parse_qsl(query)), Position.parse("6x6"))
    assert told in line
    assert position.board == (Board(3, 4) if "path" in query else Board(6, 6))


@pytest.mark.parametrize(
    ("tap", "kept_order"),
    [
        (("toggled_hole", "a1"), ["d4", "e5"]),
        (("with_step", "a1", 9), []),
        (("with_step", "a1", None), ["a1", "d4", "e5"]),
        (("toggled_end", "start", "a1"), ["a1", "d4", "e5"]),
    ],
)
def test_a_closed_tour_without_its_start_begins_at_the_first_square_of_the_order(
    tap: tuple[Any, ...], kept_order: list[str]
) -> None:
    position = Position.parse(
        ".....\n.....\n..7..\n.....\n.....\n; kind: closed\n; start: a1\n; order: a1 d4 e5"
    )
    name, *arguments = tap
    a1 = position.board.vertex("a1")
    changed = getattr(position, name)(*(a1 if each == "a1" else each for each in arguments))
    assert [*map(position.board.name, changed.instance.order)] == kept_order
    assert changed.instance.first == (changed.instance.order[0] if kept_order else None)


def test_a_drag_draws_the_move_from_where_it_began() -> None:
    def dragged(position: Position, source: str, target: str) -> Position:
        return position.with_drag(*map(position.board.vertex, (source, target)))

    def names(position: Position) -> list[str]:
        return [*map(position.board.name, position.path)]

    drawn = dragged(Position.parse("5x5"), "a1", "b3")
    assert names(drawn) == ["a1", "b3"]
    assert names(dragged(drawn, "b3", "c5")) == ["a1", "b3", "c5"]
    assert names(dragged(drawn, "c5", "e4")) == ["a1", "b3", "c5", "e4"]
    assert names(dragged(drawn, "a1", "c2")) == ["a1", "c2"]
    with pytest.raises(InputError, match="b3 to e4 is no knight's move"):
        dragged(drawn, "e4", "c5")


# What workers answer: states, searches, checks, hints and puzzles

BOARD = Position.parse("6x6").query

CONSTRAINED = [
    Instance.of("5x5", forbid=[("c3", "d5"), ("e1", "d3")], require=[("b1", "a3")]),
    Instance.of("5x5", order=["a1", "c3", "e5"], having=["straight>=2"]),
    Instance.of("6x6", closed=True, order=["c3", "a1", "f6"], symmetry="half-turn"),
]


def constraints_of(instance: Instance) -> tuple[object, ...]:
    """Return the constraints of an instance that are not clues of a new puzzle."""
    fields = (instance.closed, instance.forbid, instance.symmetry, instance.having, instance.order)
    return (instance.board, *fields)


def solution_of(scene: Scene) -> Squares:
    """Return the solution of the puzzle of a scene, as ids in order."""
    assert scene.puzzle is not None, scene.message
    return np.array(scene.puzzle["solution"])


@pytest.mark.parametrize(
    "instance", [*CONSTRAINED[:2], pytest.param(CONSTRAINED[2], marks=pytest.mark.exhaustive)]
)
def test_puzzles_of_a_position_keep_its_constraints(instance: Instance) -> None:
    query = Position(instance).query
    completed = work.open_address({**dict(parse_qsl(query)), "puzzle": "1"}, BOARD)
    for scene in (completed, work.make_new_puzzle(query, "children")):
        shown = Position.from_query(scene.query).instance
        assert constraints_of(shown) == constraints_of(instance)
        assert shown.satisfied_by(solution_of(scene))
    assert {*instance.require} <= {*Position.from_query(completed.query).instance.require}
    assert instance.satisfied_by(solution_of(completed))


def test_the_file_of_a_puzzle_tells_the_constraints_of_the_position() -> None:
    instance = Instance.of("5x5", order=["a1", "c3", "e5"], having=["straight>=2"])
    page = work.puzzle_file(Position(instance).query)
    sentences = list(fact_sentences(instance))
    assert len(sentences) >= 2  # of the order, and of the bound
    assert all(sentence in page for sentence in sentences)


def test_the_board_has_the_pattern_of_a_chessboard_and_its_holes_differ() -> None:
    picture = scene_of(Position.parse(". .\n# .")).svg
    assert all(color(role) in picture for role in ("light", "dark", "hole"))


def complete(position: Position) -> Position:
    """Return the position with a tour of its bare board as the path."""
    tour = solve(position.cleared().instance).tour
    assert tour is not None
    return replace(position, path=tuple(tour))


def test_a_tour_that_violates_constraints_is_told_which() -> None:
    solved = complete(Position.parse("3x4"))
    _, second, third = solved.path[:3]
    assert scene_of(solved).message == "solved: valid open tour of 3x4, 12 squares"
    wrong = replace(
        solved.toggled_end("start", second).toggled_move("forbid", second, third), path=solved.path
    )
    assert scene_of(wrong).message == (
        "every square is visited, but the tour violates the given steps and the forbidden moves"
    )
    ordered = Position.parse("......\n" * 6 + "; kind: closed\n; order: a1 b1 c2 f6")
    assert scene_of(complete(ordered)).message.endswith("the order of squares")
    opened = complete(Position.parse("3x4"))
    told = scene_of(opened.with_shape(3, 4, True, "knight", "flat")).message
    assert told == "every square is visited, but this is not a tour: does not close"


def test_the_drawn_squares_are_the_start_of_the_tour_that_is_found() -> None:
    drawn = Position.parse("6x6").with_path([0, 8])
    found = work.solve(drawn.query)
    assert found.message.startswith("found in ")
    assert found.path_names[:2] == ("a6", "c5")
    assert len(found.path_names) == 36
    assert "another one at random" in work.solve(found.query).message


def test_where_no_tour_begins_with_the_drawn_squares_they_stay_and_it_is_said() -> None:
    board = Position.parse("5x5")
    drawn = board.with_path([board.board.vertex("b1")])  # of the color with fewer squares
    scene = work.solve(drawn.query)
    assert scene.message.startswith("no tour begins with these squares: ")
    assert scene.path_names == ("b1",)


def test_a_hint_that_no_rule_gives_is_the_next_square_of_a_tour() -> None:
    position = Position.parse("8x8").with_tap(0)
    scene = work.hint(position.query)
    assert scene.message.endswith(" onward: a tour goes that way")
    assert scene.hinted in position.next_squares


@pytest.mark.parametrize("query", ["board=3x8&closed=true", "board=3x8&closed=true&path=a1+b3"])
def test_solve_hint_and_check_tell_alike_that_there_is_no_tour(query: str) -> None:
    solved = work.solve(query)
    assert "Schwenk" in solved.message
    assert "a few" not in solved.message
    for task in (work.hint, work.check):
        assert replace(task(query), certificate=solved.certificate) == solved


def test_where_no_puzzle_is_made_in_time_the_rest_is_for_a_tour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def make(*_: object, **__: object) -> None:
        raise OutOfTimeError

    monkeypatch.setattr(work, "make_puzzle", make)
    found = work.make_new_puzzle(Position.parse("5x5").query, "easy")
    assert re.match("no puzzle was made in time; found in .*: open tour of 5x5", found.message)
    assert len(found.path_names) == 25
    none = work.make_new_puzzle(Position.parse("4x4").query, "easy")
    assert none.message.startswith("impossible: ")


# Checks of what is pasted


def test_a_longest_path_is_put_onto_its_board() -> None:
    found = longest_path("4x4").tour
    assert isinstance(found, Tour)
    scene = work.open_text(BOARD, f"{found}\n; kind: path")
    assert scene.message == "valid path through 15 of 16 squares of 4x4"
    assert scene.size == 16
    assert "squares: 15, squares that it visits" in scene.details


def test_a_path_of_legal_moves_is_no_tour_yet() -> None:
    scene = work.open_text(BOARD, "a1 b3 c5")
    assert scene.message == "not a tour: all 2 moves are legal; 33 squares are missing"
    assert scene.path_names == ("a1", "b3", "c5")
    assert work.check(scene.query).message == "this path can be completed"


def test_the_part_before_a_fault_is_kept_and_the_fault_is_listed() -> None:
    scene = work.open_text(BOARD, "a1 b3 c5 d3 d4")
    assert scene.message == "not a tour: 1 illegal move, 31 squares missing"
    assert "step 4 to 5: d3 to d4 is not a knight's move" in scene.details
    assert scene.path_names == ("a1", "b3", "c5", "d3")


@pytest.mark.parametrize("text", ["a-b b-c c-a", "a->b b->c", "x - y, y - z"])
def test_a_pasted_graph_gets_one_line_that_names_kt_solve(text: str) -> None:
    with pytest.raises(InputError, match="a graph, which has no squares: kt solve and kt draw"):
        work.open_text(BOARD, text)
    with pytest.raises(InputError, match="kt solve"):
        work.open_file(BOARD, "g.col", b"p edge 1 1")


@pytest.mark.parametrize(
    ("closed", "answer"),
    [(False, "path through 15 of 16 squares"), (True, "cycle through 14 of 16 squares")],
)
def test_a_longest_path_or_cycle_is_found_and_its_bound_certified(
    closed: bool, answer: str
) -> None:
    position = Position.parse("4x4", closed=closed)
    scene = work.solve(position.query, work.LONGEST)
    assert re.match(f"found in .*: {answer} of 4x4; ", scene.message)
    assert scene.message.endswith("optimal by a separator")
    assert check(Certificate.parse(scene.certificate))
