"""Features in the model, against the features of all tours."""

import math
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, InputError, Status, count_tours, enumerate_tours, solve
from kt_cp.model.circuit import OwnModel, build_models
from kt_cp.model.custom import CustomModel
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Objective, OutOfTimeError, Sense
from kt_cp.tour.features import FEATURES, features
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
        (Board(2, 4, piece="wazir+threeleaper"), True),
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


@settings(max_examples=25)
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


def test_slopes_and_symmetry_go_together() -> None:
    bound = f"slope+1/2<={min(each['slope+1/2'] for each in all_features('5x6', True))}"
    tours = list(enumerate_tours("5x6", closed=True, having=bound, up_to_symmetry=True))
    met = [each for each in all_features("5x6", True) if each["slope+1/2"] <= int(bound[-1])]
    assert 0 < len(tours) <= len(met)
    assert count_tours("5x6", closed=True, having=bound, up_to_symmetry=True).count == len(tours)


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


def test_own_constraints_hold_for_symmetric_tours() -> None:
    asked: Any = {"constrain": lambda model: model.cp.add_bool_or([model.move("a1", "b3")])}
    tours = list(enumerate_tours("6x6", closed=True, symmetry="half-turn", **asked))
    assert all(tour.names[(tour.names.index("a1") + 1) % 36] == "b3" for tour in tours)
    everything = count_tours("6x6", closed=True, symmetry="half-turn").count
    assert len(tours) == everything  # each has the move in one of its directions


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


def test_variables_of_ones_own_make_no_tour_come_twice() -> None:
    def idle(model: Any) -> None:
        model.cp.new_int_var(0, 2, "idle")

    assert len(list(enumerate_tours("3x4", constrain=idle))) == 16


def test_added_constraints_can_make_it_impossible() -> None:
    result = solve("5x5", constrain=lambda model: model.cp.add_bool_or([]), minimize="turns")
    assert result.status is Status.IMPOSSIBLE
    assert result.reason == "CP-SAT proved that there is none with the constraints added"


def test_reasons_stay_valid_as_constraints_only_remove_tours() -> None:
    asked: Any = {"constrain": lambda model: model.cp.add_bool_or([True]), "having": "turns<=20"}
    result = solve("3x8", closed=True, **asked)
    assert result.reason == solve("3x8", closed=True).reason


def test_the_model_of_functions_keeps_its_former_name() -> None:
    assert OwnModel is CustomModel


@pytest.mark.parametrize("ask", [CustomModel.move, CustomModel.edge])
@pytest.mark.parametrize("ends", [("a1", "b2"), ("a1", "z9"), ("a1", 99)])
def test_a_pair_that_is_no_move_is_bad_input(ask: Any, ends: tuple[Any, Any]) -> None:
    with pytest.raises(InputError, match=r"move .*a1"):
        solve("5x5", constrain=lambda model: ask(model, *ends))


def test_classes_are_refused_with_constraints_of_ones_own() -> None:
    for function in (count_tours, enumerate_tours):
        with pytest.raises(InputError, match="cannot be taken up to symmetry with constrain"):
            function("5x5", constrain=print, up_to_symmetry=True)


def corner(model: Any, factor: float = 1) -> Any:
    return factor * model.edge("a1", "b3") * 10


NOT_ACCEPTED = "CP-SAT does not accept the model: [^{:]+$"


@pytest.mark.parametrize(
    ("role", "function", "fault"),
    [
        ("constrain", lambda model: model.cp.minimize(corner(model)), "the function sets an obj"),
        ("constrain", lambda model: model.cp.minimize(corner(model, 0.5)), "the function sets"),
        ("constrain", lambda model: model.cp.new_int_var(5, 1, "x"), NOT_ACCEPTED),
        ("constrain", lambda model: model.cp.add(corner(model, 10**18) >= 1), NOT_ACCEPTED),
        ("constrain", lambda model: corner(model) == 1, "the function returned .*: add it instead"),
        ("maximize", lambda _: None, "the function returned None"),
        ("maximize", lambda _: "turns", "the function returned 'turns'"),
        ("maximize", lambda _: 2.5, "the function returned 2.5"),
        ("minimize", lambda model: corner(model, 10**18), "Possible integer overflow in obj"),
        ("minimize", lambda model: corner(model, 1e30), "a coefficient is not below 1e[+]20"),
        ("minimize", lambda model: corner(model, math.nan), "a coefficient is not below 1e[+]20"),
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


def test_an_exception_in_constraints_is_bad_input_for_counts_too() -> None:
    for function in (count_tours, lambda *board, **how: list(enumerate_tours(*board, **how))):
        with pytest.raises(InputError, match=r"^constrain: test_objectives\.py, line "):
            function("3x4", constrain=failing)


def test_the_equations_of_angles_are_stated_once_for_all_bounds_and_the_objective() -> None:
    bounds = ["turns>=3", "acute>=2", "crossings>=1"]
    [one] = build_models(Instance.of("5x6", closed=True, having=bounds[:1]))
    [three] = build_models(Instance.of("5x6", closed=True, having=[*bounds, "acute<=20"]))
    stated = [str(each) for each in three.cp.proto.constraints]
    assert len(set(stated)) == len(stated)
    objective = Objective("acute", Sense.MAXIMIZE)
    [best] = build_models(Instance.of("5x6", closed=True, having=bounds[:1]), objective=objective)
    assert list(map(str, best.cp.proto.constraints)) == list(map(str, one.cp.proto.constraints))


def test_graphs_without_places_have_models_without_features() -> None:
    assert len(build_models(Instance.of([(0, 1), (1, 2), (2, 0)], closed=True))) == 1


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
