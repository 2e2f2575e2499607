"""Features in the model, against the features of all tours."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.count.counting import count_tours, enumerate_tours
from kt_cp.messages import InputError
from kt_cp.model.circuit import build_models
from kt_cp.model.custom import CustomModel
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.tour.features import FEATURES, features
from kt_dfs import Status
from tests.helpers.strategies import boards, symmetries


@cache
def all_features(board: str | Board, closed: bool) -> list[dict[str, int]]:
    return [features(tour) for tour in enumerate_tours(board, closed=closed)]


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
@pytest.mark.parametrize(
    ("board", "closed"),
    [
        ("5x6", True),
        (Board(3, 3, piece="king"), True),
        (Board(1, 4, piece="0,1+0,2"), True),
        pytest.param("5x5", False, marks=pytest.mark.exhaustive),
        pytest.param("6x6", True, marks=pytest.mark.exhaustive),
    ],
)
def test_the_best_is_the_extreme_of_all_tours(
    board: str | Board, closed: bool, sense: str, name: str
) -> None:
    tours, asked = all_features(board, closed), dict[str, Any]({sense: name})
    if name not in tours[0]:
        with pytest.raises(InputError, match="only for knights"):
            solve(board, closed=closed, **asked)
        return
    values = [each[name] for each in tours]
    result = solve(board, closed=closed, **asked)
    assert result.objective is not None
    assert result.tour is not None
    assert result.objective.optimal
    extreme = min(values) if sense == "minimize" else max(values)
    assert result.objective.value == features(result.tour)[name] == extreme
    assert result.objective.bound == extreme


@pytest.mark.parametrize("name", FEATURES)
def test_bounds_leave_just_the_tours_that_meet_them(name: str) -> None:
    leaps = Board(2, 4, piece="wazir+threeleaper")
    for size, closed in (("5x6", True), ("3x4", False), (leaps, True)):
        if name not in all_features(size, closed)[0]:
            continue
        values = [each[name] for each in all_features(size, closed)]
        middle = sorted(values)[len(values) // 2]
        for relation, meets in (("=", middle.__eq__), ("<=", middle.__ge__), (">=", middle.__le__)):
            met = sum(map(meets, values))
            assert count_tours(size, closed=closed, having=f"{name}{relation}{middle}").count == met


@settings(max_examples=12)
@given(st.data())
def test_bounds_hold_on_boards_with_holes_and_for_symmetric_tours(data: st.DataObject) -> None:
    board = data.draw(boards(max_side=6, max_squares=14))
    closed = data.draw(st.booleans())
    symmetry = data.draw(st.none() | symmetries(board))
    name = data.draw(st.sampled_from([*FEATURES]))
    tours = list(enumerate_tours(board, closed=closed, symmetry=symmetry))
    values = [features(tour)[name] for tour in tours]
    limit = data.draw(st.sampled_from(values or [0]))
    bounds = [f"{name}={limit}"]
    asked: dict[str, Any] = {"closed": closed, "symmetry": symmetry}
    assert len(list(enumerate_tours(board, having=bounds, **asked))) == values.count(limit)
    if values:
        result = solve(board, maximize=name, **asked)
        assert result.objective is not None
        assert (result.objective.value, result.objective.optimal) == (max(values), True)


@pytest.mark.parametrize("closed", [True, False])
def test_own_constraints_do_what_bounds_do(closed: bool) -> None:
    size = "5x6" if closed else "3x4"
    columns = int(size[2])
    rising = [(a, b) for a, b in Board.parse(size).arcs.tolist() if b - a == 2 - columns]

    def few(model: Any) -> None:
        model.cp.add(sum(model.edge(a, b) for a, b in rising) <= 4)

    one = [*map(edges, enumerate_tours(size, closed=closed, constrain=few))]
    other = [*map(edges, enumerate_tours(size, closed=closed, having="slope+1/2<=4"))]
    assert {*one} == {*other}
    assert len(one) == (2 if closed else 1) * len(other)


def edges(tour: Any) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(move) for move in tour.moves.tolist())


def test_the_best_tour_by_a_function_of_ones_own() -> None:
    def steep(model: Any) -> Any:
        return sum(model.edge(a, b) for a, b in Board(5, 6).arcs.tolist() if b - a in (11, 13))

    result = solve("5x6", closed=True, maximize=steep)
    expected = max(each["slope+2"] + each["slope-2"] for each in all_features("5x6", True))
    assert result.objective is not None
    assert result.objective.feature == "steep"
    assert (result.objective.value, result.objective.optimal) == (expected, True)
    unnamed = solve("3x4", minimize=lambda model: model.edge("a1", "b3")).objective
    assert unnamed is not None
    assert unnamed.summary == "custom objective 0, optimal"


def corner(model: Any, factor: float = 1) -> Any:
    return factor * model.edge("a1", "b3") * 10


NOT_ACCEPTED = "CP-SAT does not accept the model: [^{:]+$"


@pytest.mark.parametrize(
    ("role", "function", "fault"),
    [
        ("constrain", lambda model: model.cp.minimize(corner(model)), "the function sets an obj"),
        ("constrain", lambda model: model.cp.new_int_var(5, 1, "x"), NOT_ACCEPTED),
        ("constrain", lambda model: corner(model) == 1, "the function returned .*: add it instead"),
        ("maximize", lambda _: None, "the function returned None"),
        ("minimize", lambda model: corner(model, 10**18), "Possible integer overflow in obj"),
        ("minimize", lambda model: corner(model, 1e30), "a coefficient is not below 1e[+]20"),
    ],
)
def test_a_function_that_cannot_be_used_is_bad_input(role: str, function: Any, fault: str) -> None:
    own = "" if role == "constrain" else " custom objective"
    for ask in (solve, count_tours) if role == "constrain" else (solve,):
        with pytest.raises(InputError, match=f"^{role}{own}: .*{fault}"):
            ask("5x6", closed=True, **{role: function})


def failing(model: Any) -> Any:
    return model.edge("a1", {"b3": "c5"}["c2"])


@pytest.mark.parametrize(
    ("role", "name"), [("constrain", ""), ("minimize", " failing"), ("maximize", " failing")]
)
@pytest.mark.parametrize("having", [[], ["turns>=1"]])
def test_an_exception_in_a_function_is_bad_input_with_file_and_line(
    role: str, name: str, having: list[str]
) -> None:
    line = failing.__code__.co_firstlineno + 1
    told = f"^{role}{name}: test_objectives.py, line {line}: KeyError: 'c2'$"
    arguments: Any = {role: failing, "having": having}
    with pytest.raises(InputError, match=told) as raised:
        solve("6x6", closed=True, **arguments)
    assert isinstance(raised.value.__cause__, KeyError)


def test_a_pair_that_is_no_move_is_told_with_file_and_line() -> None:
    def wrong(model: CustomModel) -> None:
        model.edge("a1", "a2")

    line = wrong.__code__.co_firstlineno + 1
    told = f"^constrain: test_objectives.py, line {line}: move .* a1-a2 is not a knight's move$"
    with pytest.raises(InputError, match=told):
        solve("6x6", closed=True, constrain=wrong)


@pytest.mark.parametrize("feature", ["turns", "crossings", "uncrossed", "slope+2"])
def test_bounds_on_a_board_too_large_for_the_time_are_not_stated(feature: str) -> None:
    instance = Instance.of("200x200", closed=True, having=f"{feature}>=3")
    with pytest.raises(OutOfTimeError):
        build_models(instance, Clock(1))


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"having": "turns<=1"}, "no closed tour has turns<=1"),
        ({"uncrossed": True}, "no closed tour is uncrossed"),
        ({"having": "chords<=0"}, "no closed tour is induced"),
        (
            {"having": ["turns<=1", "acute>=9"]},
            "no closed tour meets turns<=1, even without the other constraints",
        ),
        (
            {"having": "turns<=27", "start": "a1"},
            "no closed tour meets turns<=27, even without the other constraints",
        ),
    ],
)
def test_the_reason_names_the_bounds(asked: Any, reason: str) -> None:
    result = solve("5x6", closed=True, **asked)
    assert result.reason == f"CP-SAT proved that there is none: {reason}"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"start": "b4"},
        {"end": "b4"},
        {"givens": {"c2": 9}},
        {"closed": True},
        {"closed": True, "start": "d3"},
        {"closed": True, "givens": {"d3": 15}},
    ],
)
def test_steps_of_squares_take_part_in_constraints_and_objectives(asked: dict[str, Any]) -> None:
    def last_among_ten(model: Any) -> None:
        model.cp.add(model.step("a1") <= 10)

    result = solve("5x6", constrain=last_among_ten, maximize=lambda m: m.step("a1"), **asked)
    assert result.tour is not None
    assert result.objective is not None
    step = 1 + list(result.tour).index(result.tour.board.vertex("a1"))
    assert step == result.objective.value <= 10


def far_apart(model: CustomModel) -> None:
    model.cp.add(model.step("a1") == 10)
    model.cp.add(model.step("b1") == 12)


def corners_at_odd_steps(model: CustomModel) -> None:
    for corner in ("a1", "a8", "h1", "h8"):
        half = model.cp.new_int_var(0, 31, "")
        model.cp.add(model.step(corner) == 2 * half + 1)


@pytest.mark.parametrize(
    ("size", "closed", "function"),
    [
        ("6x6", False, far_apart),
        ("8x8", False, corners_at_odd_steps),
        ("8x8", True, corners_at_odd_steps),
    ],
)
def test_steps_of_one_color_are_all_even_or_all_odd(size: str, closed: bool, function: Any) -> None:
    result = solve(size, closed=closed, constrain=function, time_limit=60)
    assert result.status is Status.IMPOSSIBLE


def test_a_closed_tour_without_a_start_counts_from_the_first_square_and_says_so() -> None:
    def at_a1(model: CustomModel) -> None:
        model.cp.add(model.step("a1") == 1)

    without = solve("6x6", closed=True, constrain=at_a1)
    assert without.status is Status.IMPOSSIBLE
    assert str(without.reason).endswith("; steps count from a6: a start names another square")
    tour = solve("6x6", closed=True, constrain=at_a1, start="a1").tour
    assert tour is not None
    assert tour.names[0] == "a1"


@pytest.mark.parametrize("asked", [{}, {"closed": True}, {"start": "b1"}, {"givens": {"c3": 4}}])
def test_steps_that_meet_the_colors_are_found(asked: dict[str, Any]) -> None:
    def two_apart(model: CustomModel) -> None:
        model.cp.add(model.step("a1") + 2 == model.step("c1"))

    tour = solve("6x6", constrain=two_apart, time_limit=60, **asked).tour
    assert tour is not None
    names = tour.names
    assert names.index("a1") + 2 == names.index("c1")
