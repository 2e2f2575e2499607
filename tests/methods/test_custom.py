"""Whatever a custom method does, its caller is told what is wrong with it, and where."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kt_cp import solve
from kt_cp.compare import RunStatus, compare
from kt_cp.methods.method import (
    Answer,
    Method,
    MethodError,
    UnsupportedError,
    found,
    gave_up,
)
from kt_cp.problem.task import Task
from kt_cp.proof.reasons import ReasonKind
from kt_dfs.backtracking import Status
from tests.helpers.command import kt, python

METHODS = '''
"""Methods of a student, of which most are broken."""
from kt_cp.methods.method import exhausted, found, gave_up
from kt_dfs import Strategy


def forgets(task):
    return {}["memory"]


def misses(task):
    from kt_cp import releaseMemory


def needs_an_answer(task):
    return None


def returns_too_little(task):
    return found([0, 1])


def returns_words(task):
    return found("a1 b3")


def leaves(task):
    raise SystemExit(1)


def never_ends(task):
    while True:
        pass


def runs_out_of_time(task):
    while True:
        task.clock.check()


def says_what_it_does(task):
    print("looking around")
    return gave_up(task.instance, "nothing was found")


def rank(vertex):
    return 1 / 0


ranked = Strategy(rank=rank)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(METHODS)
    return tmp_path


@pytest.mark.parametrize("limit", [[], ["--time-limit", "20"]])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("forgets", "method mine.py:forgets: mine.py, line 8: KeyError: 'memory'"),
        ("misses", "method mine.py:misses: mine.py, line 12: ImportError: cannot import name"),
        ("needs_an_answer", "method mine.py:needs_an_answer returned None: return found(squares)"),
        ("returns_too_little", "not a tour: "),
        ("returns_words", "method mine.py:returns_words returned 'a1 b3': give the ids of a tour"),
        ("ranked", "method mine.py:ranked: mine.py, line 47: ZeroDivisionError: division by zero"),
    ],
)
def test_a_broken_method_is_told_as_the_callers_in_one_line(
    name: str, message: str, limit: list[str], folder: Path
) -> None:
    done = kt("solve", "5x5", "--method", f"mine.py:{name}", *limit, folder=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"kt: {message}")


def test_a_method_that_does_not_stop_is_ended_soon_after_the_limit(folder: Path) -> None:
    for name in ("never_ends", "runs_out_of_time"):
        asked = ("--method", f"mine.py:{name}", "--time-limit", "0.2")
        done = kt("solve", "5x5", *asked, folder=folder)
        assert done.returncode == 3
        assert done.stderr.startswith("unknown: the time limit of 0.2 s was reached\n")


def test_a_method_that_leaves_in_a_worker_is_an_error_of_the_method(folder: Path) -> None:
    done = kt("solve", "5x5", "--method", "mine.py:leaves", "--time-limit", "9", folder=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("kt: method mine.py:leaves: mine.py, line ")
    assert done.stderr.endswith(": SystemExit: 1\n")


def test_what_a_method_prints_under_a_limit_is_seen(folder: Path) -> None:
    method = f"{folder}/mine.py:says_what_it_does"
    done = python("-m", "kt_cp", "solve", "5x5", "--method", method, "--time-limit", "9")
    assert done.stderr.startswith("looking around\nunknown: nothing was found\n")


def never(task: Task) -> Answer:
    """Wait for ever."""
    while True:
        time.sleep(1)


def only_closed(task: Task) -> Answer:
    """Take closed tours only."""
    if not task.instance.closed:
        raise UnsupportedError("only closed tours")
    return gave_up(task.instance, "no idea")


def raising(task: Task) -> Answer:
    """Raise an exception."""
    raise KeyError("memory")


def last_first(graph: Any, path: list[int]) -> list[int]:
    """Take the neighbors backwards."""
    return [each for each in reversed(graph[path[-1]]) if each not in path]


def test_custom_methods_answer_under_a_limit_as_without_one() -> None:
    offset = 3

    def local(task: Task) -> Answer:
        return gave_up(task.instance, f"seed {task.seed + offset}, lost")

    for limit in (None, 20):
        assert solve("5x5", method=local, seed=4, time_limit=limit).reason == "seed 7, lost"
        assert solve("5x5", method=last_first, time_limit=limit).method == "last_first"
        with pytest.raises(UnsupportedError, match="only closed tours"):
            solve("5x5", method=only_closed, time_limit=limit)
        with pytest.raises(MethodError, match=r"raising: test_custom.py, line \d+: KeyError: 'mem"):
            solve("5x5", method=raising, time_limit=limit)
        with pytest.raises(MethodError, match=r"<lambda>: test_custom.py, line \d+: IndexErr"):
            solve("5x5", method=lambda task: [][offset], time_limit=limit)
    result = solve("5x5", method=never, time_limit=0.1)
    assert (result.status, result.reason_kind) == (Status.UNKNOWN, ReasonKind.TIME_LIMIT)


def test_a_row_like_those_of_the_table_is_a_custom_method() -> None:
    row = Method("mine", "a row of the caller", "nowhere", frozenset({"start"}), only_closed)
    with pytest.raises(UnsupportedError, match="method mine does not support an end, only a start"):
        solve("5x5", method=row, end=3)
    assert solve("6x6", closed=True, method=row).reason == "no idea"


@pytest.mark.exhaustive
def test_in_comparisons_a_broken_method_has_failed_and_one_that_loops_is_ended() -> None:
    log = compare(
        boards="5x5", kinds="open", methods=[raising, never, only_closed, "dfs"], time_limit=0.5
    )
    endings = {record.run.method: (record.status, record.reason) for record in log.records}
    assert endings["raising"][0] is RunStatus.ERROR
    assert "test_custom.py, line" in str(endings["raising"][1])
    assert endings["only_closed"] == (RunStatus.UNSUPPORTED, "only closed tours")
    late = "did not stop at the time limit of 0.5 s and was killed"
    assert endings["never"] == (RunStatus.UNKNOWN, late)
    assert endings["dfs"][0] is RunStatus.FOUND


TOUR = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]


@pytest.mark.parametrize("given", [TOUR, np.array(TOUR), np.array(TOUR, float), tuple(TOUR)])
def test_a_tour_is_taken_as_a_list_or_as_any_array(given: Any) -> None:
    assert solve("3x4", method=lambda task: found(given)).status is Status.FOUND


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Answer(Status.FOUND), "contradicts itself"),
        (Answer(Status.IMPOSSIBLE), "contradicts itself"),
        (Answer(Status.UNKNOWN, np.array(TOUR)), "contradicts itself"),
        (found(np.array(TOUR), 3), "contradicts itself"),  # type: ignore[arg-type]
        (found(np.arange(12, dtype=np.int32)), "not a tour: 11 illegal moves"),
        (found(np.array(TOUR) + 2**40), "not a tour: 12 off the board"),
    ],
)
def test_an_answer_without_a_tour_or_a_reason_is_an_error_of_the_method(
    answer: Answer, problem: str
) -> None:
    with pytest.raises(MethodError, match=problem):
        solve("3x4", method=lambda task: answer)
