"""The state of the playground: clicks keep it valid, and all of them can be undone."""

import pickle
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.arrays import Squares
from kt_cp.board.board import Board
from kt_cp.draw.picture import svg
from kt_cp.draw.puzzles import fact_sentences
from kt_cp.messages import InputError
from kt_cp.notation.graphs import GraphFormat
from kt_cp.play import actions, puzzle_actions, search_actions
from kt_cp.play.address import parse_address
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.history import History
from kt_cp.play.jobs import JobError
from kt_cp.play.pictures import position_picture
from kt_cp.play.position import MAX_TEXT
from kt_cp.play.scene import Scene, open_board_position, scene_of
from kt_cp.problem.instance import Instance
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
    st.tuples(st.just("go"), st.sampled_from([-1, 1])),
)


@settings(max_examples=150)
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
def test_any_sequence_of_clicks_keeps_the_state_valid_and_can_be_undone(
    text: str, clicks: list[tuple[Any, ...]]
) -> None:
    history = beginning = History((BoardPosition.parse(text),))
    for name, *arguments in clicks:
        if name == "go":
            history = history.undo() if arguments == [-1] else history.redo()
            continue
        squares = arguments[:1] if name == "with_step" else arguments[-2:]
        numbers = [each for each in squares if isinstance(each, int)]
        if name != "with_shape" and max(numbers) >= history.now.board.area:
            continue
        told = ""
        try:
            history = history.add(getattr(history.now, str(name))(*arguments))
        except InputError as error:
            told = str(error)
        assert not told.startswith("order:")  # no tap asks for an order
        if told:
            continue
        now = history.now
        assert BoardPosition.parse(now.text).text == now.text
        assert parse_address(dict(parse_qsl(now.query)), beginning.now) == (now, "")
        assert len({*now.path}) == len(now.path)
        assert {each.split(",")[0] for each in now.labels} == {
            now.board.name(s) for s in range(now.board.area)
        }
        assert history.undo().redo() == history
    for _ in clicks:
        history = history.undo()
    assert history.now == beginning.now


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("closed=maybe", "the address has closed=maybe: give closed=true"),
        ("board=<script>", "the address has the board '<script>': give a size such as 8x8"),
        ("board=/etc/passwd", "the address has the board '/etc/passwd': give a size such as 8x8"),
        ("board=99x99", "a board here has at most 20 rows and columns"),
        ("bord=6x6", "the address has 'bord', which is none of board, graph, closed, path, puzzle"),
        ("board=3x4&path=a3 c2 d4", "the address has a path that ends at c2: d4 is off the board"),
        ("board=3x4&path=a3 b3", "the address has a path that ends at a3: a3 to b3 is no knight"),
        ("board=3x4&path=a3 c2 a3", "ends at c2: a3 is visited twice"),
        ("board=3x4&path=%3Cb%3E", "the address has a path that is left out: "),
    ],
)
def test_a_wrong_address_says_what_is_wrong(query: str, told: str) -> None:
    position, line = parse_address(dict(parse_qsl(query)), BoardPosition.parse("6x6"))
    assert told in line
    assert "read_text" not in line
    assert position.graph == (Board(3, 4) if "path" in query else Board(6, 6))


NAMES = st.text(st.characters(exclude_characters=",;>-", exclude_categories=["Z", "C"]), min_size=1)


def named_edges(position: GraphPosition) -> set[tuple[str, str]]:
    return {
        (position.graph.name(tail), position.graph.name(head)) for tail, head in position.graph.arcs
    }


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=30), st.booleans(), st.booleans())
def test_an_address_holds_any_graph_with_its_path(
    edges: list[tuple[str, str]], directed: bool, closed: bool
) -> None:
    edges = [*{frozenset(edge): edge for edge in edges if edge[0] != edge[1]}.values()]
    link = "->" if directed else "-"
    text = ", ".join(f"{tail}{link}{head}" for tail, head in [("x", "y"), *edges])
    position = GraphPosition.parse(text, closed)
    position = position.with_tap(position.graph.vertex("x")).with_tap(position.graph.vertex("y"))
    read, told = parse_address(dict(parse_qsl(position.query)), BoardPosition.parse("6x6"))
    assert told == ""
    assert isinstance(read, GraphPosition)
    assert {*read.labels} == {*position.labels}
    assert named_edges(read) == named_edges(position)
    assert (read.instance.closed, read.path_names) == (closed, position.path_names)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a-b b", "edges with 'b', which is not an edge: write edges such as a-b b-c"),
        ("a-b b->c", "edges with and without a direction: write either a-b or a->b"),
        ("  ", "no edges: write edges such as a-b b-c"),
        (" ".join(f"{i}-{i + 1}" for i in range(300)), "at most 200 vertices"),
        ("a-b " * 3000, "too many edges: a text here has at most 8,000 characters"),
    ],
)
def test_what_is_no_graph_is_refused_in_words(text: str, told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        GraphPosition.parse(text)


@pytest.mark.parametrize(
    ("form", "content", "told"),
    [
        (GraphFormat.G6, "Bw\nBw\n", "the file holds several graphs"),
        (GraphFormat.COL, "p edge 3 1\ne 1 2\n", "vertex 3 has no edges"),
        (GraphFormat.EDGELIST, "a b\na b c\n", "line 2"),
    ],
)
def test_a_file_whose_graph_cannot_be_shown_is_refused(
    form: GraphFormat, content: str, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        GraphPosition.from_file(content.encode(), form)


def test_a_graph_is_read_from_a_file() -> None:
    position = GraphPosition.from_file(b"x y\ny a-b\n", GraphFormat.EDGELIST)
    assert position.text == "x-y y-a_b"


def test_a_cycle_is_laid_out_as_a_circle() -> None:
    position = GraphPosition.parse("a-c c-e e-b b-d d-a a-b b-c c-d d-e")
    around = [position.graph.vertex(name) for name in "acebd"]
    points = np.array(replace(position, path=tuple(around)).points())
    assert np.allclose(np.hypot(*(points - 0.5).T), 0.5)
    steps = np.diff(points[[*around, around[0]]], axis=0)
    assert np.allclose(np.hypot(*steps.T), np.hypot(*steps[0]))  # neighbors beside each other
    assert len(position.points()) == 5


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


@pytest.mark.parametrize("instance", CONSTRAINED, ids=["moves", "order and bound", "symmetry"])
def test_puzzles_of_a_position_keep_its_constraints(instance: Instance) -> None:
    position = BoardPosition(instance)
    completed = puzzle_actions.complete_puzzle(position)
    new = puzzle_actions.make_new_puzzle(pickle.dumps(position), "children")
    for scene in (completed, new):
        shown = open_board_position(scene.position).instance
        assert constraints_of(shown) == constraints_of(instance)
        assert shown.satisfied_by(solution_of(scene))
    assert {*instance.require} <= {*open_board_position(completed.position).instance.require}
    assert instance.satisfied_by(solution_of(completed))


def test_the_file_of_a_puzzle_tells_the_constraints_of_the_position() -> None:
    instance = Instance.of("5x5", order=["a1", "c3", "e5"], having=["straight>=2"])
    page = puzzle_actions.puzzle_file(pickle.dumps(BoardPosition(instance)))
    sentences = list(fact_sentences(instance))
    assert len(sentences) >= 2  # of the order, and of the bound
    assert all(sentence in page for sentence in sentences)


def complete(position: BoardPosition) -> BoardPosition:
    """Return the position with a tour of its bare board as the path."""
    tour = solve(position.cleared().instance).tour
    assert tour is not None
    return replace(position, path=tuple(tour))


def test_a_tour_that_violates_constraints_is_told_which() -> None:
    solved = complete(BoardPosition.parse("3x4"))
    _, second, third = solved.path[:3]
    assert actions.state_scene(solved).message == "Solved: valid open tour of 3x4, 12 squares."
    wrong = replace(
        solved.toggled_end("start", second).toggled_move("forbid", second, third), path=solved.path
    )
    assert actions.state_scene(wrong).message == (
        "Every square is visited, but the tour violates the given steps and the forbidden moves."
    )
    ordered = BoardPosition.parse("......\n" * 6 + "; kind: closed\n; order: a1 b1 c2 f6")
    assert actions.state_scene(complete(ordered)).message.endswith("the order of squares.")
    opened = complete(BoardPosition.parse("3x4"))
    told = actions.state_scene(opened.with_shape(3, 4, True, "knight", "flat")).message
    assert told == "Every square is visited, but this is not a tour: does not close."


@pytest.mark.parametrize(
    ("text", "is_bare"),
    [
        ("5x5", True),
        ("#....\n" + ".....\n" * 4 + "; kind: closed\n; topology: torus", True),
        ("......\n" * 6 + "; symmetry: half-turn", False),
        (".....\n" * 5 + "; order: a1 c3 e5", False),
        (".....\n" * 5 + "; having: turns<=20", False),
        ("1....\n" + ".....\n" * 4, False),
    ],
)
def test_a_board_is_bare_without_a_path_and_constraints(text: str, is_bare: bool) -> None:
    position = BoardPosition.parse(text)
    assert scene_of(position).is_bare == is_bare
    assert not scene_of(position.with_tap(12)).is_bare


def test_a_hole_on_a_square_of_the_order_is_taken_out_of_the_order() -> None:
    position = BoardPosition.parse(".....\n" * 5 + "; order: a1 c3 e5")
    assert position.toggled_hole(12).instance.order == (20, 4)


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
    position = BoardPosition.parse(
        ".....\n.....\n..7..\n.....\n.....\n; kind: closed\n; start: a1\n; order: a1 d4 e5"
    )
    name, *arguments = tap
    a1 = position.board.vertex("a1")
    changed = getattr(position, name)(*(a1 if each == "a1" else each for each in arguments))
    assert [*map(position.board.name, changed.instance.order)] == kept_order
    assert changed.instance.first == (changed.instance.order[0] if kept_order else None)


def test_an_order_is_dropped_where_its_first_square_cannot_be_the_start() -> None:
    text = "5....\n" + ".....\n" * 4 + "; order: a5 c3 e5"
    closed = BoardPosition.parse(text).with_shape(5, 5, True, "knight", "flat")
    assert (closed.instance.order, closed.steps) == ((), {5: 0})


def test_a_drag_draws_the_move_from_where_it_began() -> None:
    position = BoardPosition.parse("5x5")
    board = position.board
    a1, b3, c5, e4 = (board.vertex(name) for name in ("a1", "b3", "c5", "e4"))
    drawn = position.with_drag(a1, b3)
    assert drawn.path == (a1, b3)
    assert drawn.with_drag(b3, c5).path == (a1, b3, c5)
    assert drawn.with_drag(c5, e4).path == (a1, b3, c5, e4)
    assert drawn.with_drag(a1, board.vertex("c2")).path == (a1, board.vertex("c2"))
    with pytest.raises(InputError, match="b3 to e4 is no knight's move"):
        drawn.with_drag(e4, c5)


def test_the_numbers_of_a_path_are_a_group_that_a_small_screen_can_hide() -> None:
    picture = svg(position_picture(BoardPosition.parse("3x4").with_tap(0).with_tap(6)))
    [steps] = re.findall('<g class="steps">(.*?</g>.*?</g>)</g>', picture)
    assert re.findall("<text[^>]*>([^<]*)</text>", steps) == ["1", "2"]
    assert steps.count("<circle") == 2


def test_a_hint_says_which_squares_it_compares() -> None:
    position = BoardPosition.parse("3x4").with_tap(4).toggled_end("end", 0)
    told = search_actions.hint(pickle.dumps(position)).message
    wanted = "2 ways onward, the fewest of those that are not impossible (Warnsdorff's rule)"
    assert wanted in told, told


def test_where_no_puzzle_is_made_in_time_the_rest_is_for_a_tour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def make(*_: object, **__: object) -> None:
        raise OutOfTimeError

    monkeypatch.setattr(puzzle_actions, "make_puzzle", make)
    found = puzzle_actions.make_new_puzzle(pickle.dumps(BoardPosition.parse("5x5")), "easy")
    assert found.message.startswith("no puzzle was made in time; found: open tour of 5x5")
    assert len(found.path_names) == 25
    none = puzzle_actions.make_new_puzzle(pickle.dumps(BoardPosition.parse("4x4")), "easy")
    assert none.message.startswith("impossible: ")


def test_a_graph_from_a_file_has_an_address_that_can_be_opened() -> None:
    names = [f"vertex-of-{number}" for number in range(200)]
    edges = [(names[i], names[(i + jump) % 200]) for i in range(200) for jump in range(1, 6)]
    content = "\n".join(f"{tail} {head}" for tail, head in edges)
    position = GraphPosition.from_file(content.encode(), GraphFormat.EDGELIST)
    assert len(position.text) <= MAX_TEXT
    read, told = parse_address(dict(parse_qsl(position.query)), BoardPosition.parse("6x6"))
    assert isinstance(read, GraphPosition)
    assert (named_edges(read), told) == (named_edges(position), "")


def test_vertices_that_only_a_separator_tells_apart_are_numbered() -> None:
    position = GraphPosition.from_file(b"a-b a_b\na_b c\n", GraphFormat.EDGELIST)
    assert position.text == "1-2 2-3"


def test_what_is_no_search_says_why_it_failed_without_a_verdict() -> None:
    assert JobError("invalid: no such board").reason == "no such board"
    assert JobError("unknown: it took more than 10 s").reason == "unknown: it took more than 10 s"
