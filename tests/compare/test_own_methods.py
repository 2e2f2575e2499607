"""Custom methods: strategies and functions with a name."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kt_cp import solve
from kt_cp.compare import RunStatus, Settings, compare, settings_of
from kt_cp.compare.settings import named_methods
from kt_cp.messages import InputError
from kt_cp.methods.method import Answer, found, gave_up
from kt_cp.problem.task import Task
from kt_dfs import Strategy
from kt_dfs.backtracking import Status
from tests.helpers.command import python

CORNER_FIRST = Strategy(rank=lambda vertex: -vertex.key, backtracks=False)


def by_heart(task: Task) -> Answer:
    """Know one tour, and no other."""
    instance = task.instance
    if instance.board.size == "3x4":
        return found(np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11], dtype=np.int32))
    return gave_up(instance, "only 3x4 is known")


def by_error(task: Task) -> Answer:
    """Answer with squares that are no tour."""
    return found(np.arange(len(task.instance.board), dtype=np.int32))


def test_strategies_and_functions_are_compared_with_the_methods_of_the_table() -> None:
    methods = ["warnsdorff", CORNER_FIRST, by_heart, by_error]
    log = compare(boards="3x4,5x5", kinds="open", methods=methods)
    answers = {(r.run.method, r.run.board): (r.status.value, r.reason) for r in log.records}
    assert answers["warnsdorff", "5x5"] == ("found", None)
    assert answers["by_heart", "3x4"] == ("found", None)
    assert answers["by_heart", "5x5"] == ("unknown", "only 3x4 is known")
    assert answers["strategy", "5x5"][0] in ("found", "unknown")
    status, reason = answers["by_error", "5x5"]
    assert status == "error"
    assert re.search("not a tour.* a bug in method by_error$", str(reason))
    assert not log.settings.methods["strategy"].proves
    assert log.settings.methods["by_heart"].proves


def test_a_function_solves_as_it_is_compared() -> None:
    result = solve("3x4", method=by_heart)
    assert (result.status, result.method) == (Status.FOUND, "by_heart")
    assert solve("5x5", method=by_heart).reason == "only 3x4 is known"
    with pytest.raises(InputError, match="method by_heart cannot minimize"):
        solve("3x4", method=by_heart, minimize="turns")


def test_a_function_of_another_number_of_arguments_is_refused() -> None:
    def three(instance: Any, clock: Any, seed: int) -> Answer:
        return gave_up(instance, "never called")

    wanted = "method three: give a function of one argument, a Task, or of two, graph and path"
    with pytest.raises(InputError, match=wanted):
        solve("3x4", method=three)  # type: ignore[arg-type]


def test_a_function_that_returns_no_answer_is_told_what_to_return() -> None:
    def nothing(*asked: Any) -> None:
        """Forget to answer."""

    wanted = r"method nothing returned None: return found\(squares\) or gave_up\(instance, why\)"
    with pytest.raises(InputError, match=wanted):
        solve("3x4", method=nothing)  # type: ignore[arg-type]
    [record] = compare(boards="3x4", kinds="open", methods=[nothing]).records
    assert record.status is RunStatus.ERROR
    assert re.search(wanted, str(record.reason))


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ([CORNER_FIRST, CORNER_FIRST], "method 'strategy': there are two; give names"),
        ({"dfs": CORNER_FIRST}, "method 'dfs': there are two"),
        ([7], "method 7: give a name"),
    ],
)
def test_what_is_no_method_of_its_own_is_refused(methods: Any, message: str) -> None:
    with pytest.raises((InputError, TypeError), match=message):
        named_methods(methods)


def test_a_log_names_own_methods_which_are_to_be_given_again() -> None:
    settings = settings_of(boards="3x4", kinds="open", methods=[by_heart])
    read = Settings.from_dict(json.loads(json.dumps(settings.as_dict())))
    assert read.methods["by_heart"].proves
    with pytest.raises(
        InputError, match="method 'by_heart': a log does not store it; give it again"
    ):
        read.request(next(read.runs()))


@pytest.mark.exhaustive
def test_a_script_needs_no_guard_and_may_define_methods_itself_or_import_them(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.py").write_text(
        "from kt_cp.methods.method import gave_up\n"
        "def imported(task):\n"
        "    return gave_up(task.instance, 'no idea')\n"
    )
    script = tmp_path / "script.py"
    script.write_text(
        "from kt_cp.compare import compare\n"
        "from mine import imported\n"
        "def defined(*asked):\n"
        "    return imported(*asked)\n"
        "log = compare(boards='3x4', kinds='open', methods=[imported, defined])\n"
        "print(sorted((r.run.method, r.reason) for r in log.records))\n"
    )
    assert python(script).stdout == "[('defined', 'no idea'), ('imported', 'no idea')]\n"
