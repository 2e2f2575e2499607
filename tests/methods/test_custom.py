"""Methods of the caller: what they answer is taken, and what is wrong with them is told."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.compare import RunStatus, compare, read_log
from kt_cp.draw.replays import record_visits
from kt_cp.messages import InputError
from kt_cp.methods.method import (
    Answer,
    Method,
    MethodError,
    UnsupportedError,
    found,
    gave_up,
)
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.proof.reasons import ReasonKind
from kt_dfs import Status, Strategy, search
from kt_dfs.graph import knight_graph
from kt_dfs.textbook import fewest_onward_moves, unvisited
from tests.helpers.command import kt, python

METHODS = '''
"""Methods of a student, of which most are broken."""
from helper import near_the_edge
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


def edge_first(graph, path):
    free = [square for square in graph[path[-1]] if square not in path]
    return sorted(free, key=lambda square: near_the_edge(graph, square))


def broken(graph, path):
    return [1 / 0]


def elsewhere(graph, path):
    return [99]


def nothing(graph, path):
    return None


def first_only(graph, path):
    return [square for square in graph[path[-1]] if square not in path][:1]


corner = Strategy(rank=lambda vertex: -vertex.key)
number = 7
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a student's file, which imports another one."""
    (tmp_path / "mine.py").write_text(METHODS)
    (tmp_path / "helper.py").write_text("def near_the_edge(graph, s):\n    return len(graph[s])\n")
    (tmp_path / "odd.py").write_text("def order(graph, path:\n")
    return tmp_path


@pytest.mark.parametrize("limit", [[], ["--time-limit", "20"]])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("forgets", "method mine.py:forgets: mine.py, line 9: KeyError: 'memory'"),
        ("misses", "method mine.py:misses: mine.py, line 13: ImportError: cannot import name"),
        ("needs_an_answer", "method mine.py:needs_an_answer returned None: return found(squares)"),
        ("returns_too_little", "not a tour: "),
        ("returns_words", "method mine.py:returns_words returned 'a1 b3': give the ids of a tour"),
        ("ranked", "method mine.py:ranked: mine.py, line 48: ZeroDivisionError: division by zero"),
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


# -- orders of neighbors, the textbook's form of a strategy ----------------------------------------

Squares = list[int]
Moves = dict[int, Squares]


def test_an_order_is_a_method_of_solve_compare_and_replay() -> None:
    result = solve("6x6", method=fewest_onward_moves)
    assert (result.status, result.method) == (Status.FOUND, "fewest_onward_moves")
    assert solve("4x4", method=unvisited).status is Status.IMPOSSIBLE
    log = compare(boards="5x5", kinds="open", methods=[fewest_onward_moves, "dfs"])
    assert [each.validated for each in log.records] == [True, True]
    run = record_visits(Instance.of("5x5", start=0), fewest_onward_moves, 100)
    assert (run.name, run.found) == ("fewest_onward_moves", True)


@drawn(st.sets(st.integers(0, 15)), st.integers(0, 15))
def test_an_order_that_leaves_out_moves_proves_nothing(dropped: set[int], start: int) -> None:
    left_out = set()

    def some(graph: Moves, path: Squares) -> Squares:
        free = unvisited(graph, path)
        left_out.update(dropped.intersection(free))
        return [square for square in free if square not in dropped]

    outcome = search(knight_graph(4), start, Strategy(order=some))  # which has no tour
    assert outcome.status.value == ("unknown" if left_out else "impossible")


def test_a_strategy_is_replayed_from_a_file(folder: Path) -> None:
    done = kt(
        "replay", "6x6", "--method", "mine.py:edge_first", "--versus", "warnsdorff", folder=folder
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "replay.html" in done.stderr
    assert (
        "the page shows mine.py:edge_first: a tour was found after 1,523 calls; wa" in done.stderr
    )
    assert "mine.py:edge_first" in (folder / "replay.html").read_text()


@pytest.mark.exhaustive
def test_a_strategy_is_compared_from_a_file_and_its_log_resumes(folder: Path) -> None:
    path = folder / "runs.jsonl"
    done = kt("compare", "--boards", "5x5", "--kind", "open", "--methods",
              "mine.py:edge_first,mine.py:corner,dfs", "--out", path, folder=folder)  # fmt: skip
    assert done.returncode == 0
    methods = {each.run.method: each.validated for each in read_log(path).records}
    assert methods == {"mine.py:edge_first": True, "mine.py:corner": True, "dfs": True}
    path.write_bytes(path.read_bytes()[:-30])
    own = "mine.py:edge_first,mine.py:corner"
    assert kt("compare", "--resume", path, "--methods", own, folder=folder).returncode == 0
    assert not read_log(path).missing


@pytest.mark.parametrize(
    ("word", "code", "message"),
    [
        ("mine.py:edge_first", 0, "found: open tour of 5x5, 25 squares, by mine.py:edge_first in"),
        ("mine.py:first_only", 3, "unknown: exhausted in "),
        ("mine.py:broken", 2, "kt: mine.py:broken: mine.py, line 60: ZeroDivisionError: division"),
        ("mine.py:elsewhere", 2, "kt: mine.py:elsewhere returned 99 after 0: return unvisited"),
        ("mine.py:nothing", 2, "kt: mine.py:nothing returned None after 0: return unvisited"),
        ("mine.py:number", 2, "kt: method mine.py:number: this is neither a function nor"),
        ("mine.py:other", 2, "kt: method mine.py:other: mine.py has near_the_edge, exhausted,"),
        ("odd.py:order", 2, "kt: method odd.py:order: odd.py, line 1: SyntaxError: "),
        ("none.py:order", 2, "kt: method none.py:order: none.py: No such file or directory"),
        ("mine:edge_first", 2, "kt: method 'mine:edge_first': give one of auto"),
    ],
)
def test_what_a_file_holds_is_a_method_or_one_line(
    word: str, code: int, message: str, folder: Path
) -> None:
    done = kt("solve", "5x5", "--start", "0", "--method", word, folder=folder)
    [answer, *hints] = done.stderr.splitlines()
    assert (done.returncode, answer.startswith(message)) == (code, True)
    assert hints == (["the usual methods: kt solve 5x5 --start 0"] if code == 3 else [])


def test_a_replay_of_a_method_that_is_no_search_is_refused() -> None:
    def own(task: object) -> None:
        """Answer in a way that cannot be watched."""

    with pytest.raises(InputError, match=r"method own: give a strategy, or order\(graph, path\)"):
        record_visits(Instance.of("5x5"), own, 100)  # type: ignore[arg-type]
