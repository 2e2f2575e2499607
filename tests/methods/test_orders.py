"""The textbook's form of a strategy, order(graph, path): from Python, and typed as FILE.py:NAME."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.compare import compare, read_log
from kt_cp.draw.replays import record_visits
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_dfs import Strategy, search
from kt_dfs.backtracking import Status
from kt_dfs.graph import knight_graph
from kt_dfs.textbook import fewest_onward_moves, unvisited
from tests.helpers.command import kt

Squares = list[int]
Moves = dict[int, Squares]

MINE = '''
"""Strategies of a student."""
from helper import near_the_edge
from kt_dfs import Strategy


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
def mine(tmp_path: Path) -> Path:
    """A folder with a student's file, which imports another one."""
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "helper.py").write_text("def near_the_edge(graph, s):\n    return len(graph[s])\n")
    (tmp_path / "odd.py").write_text("def order(graph, path:\n")
    return tmp_path


def test_an_order_is_a_method_of_solve_compare_and_replay() -> None:
    result = solve("6x6", method=fewest_onward_moves)
    assert (result.status, result.method) == (Status.FOUND, "fewest_onward_moves")
    assert solve("4x4", method=unvisited).status is Status.IMPOSSIBLE
    log = compare(boards="5x5", kinds="open", methods=[fewest_onward_moves, "dfs"])
    assert [each.validated for each in log.records] == [True, True]
    run = record_visits(Instance.of("5x5", start=0), fewest_onward_moves, 100)
    assert (run.name, run.found) == ("fewest_onward_moves", True)


@given(st.sets(st.integers(0, 15)), st.integers(0, 15))
def test_an_order_that_leaves_out_moves_proves_nothing(dropped: set[int], start: int) -> None:
    left_out = set()

    def some(graph: Moves, path: Squares) -> Squares:
        free = unvisited(graph, path)
        left_out.update(dropped.intersection(free))
        return [square for square in free if square not in dropped]

    outcome = search(knight_graph(4), start, Strategy(order=some))  # which has no tour
    assert outcome.status.value == ("unknown" if left_out else "impossible")


def test_a_strategy_is_replayed_from_a_file(mine: Path) -> None:
    done = kt(
        "replay", "6x6", "--method", "mine.py:edge_first", "--versus", "warnsdorff", folder=mine
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "replay.html" in done.stderr
    assert (
        "the page shows mine.py:edge_first: a tour was found after 1,523 calls; wa" in done.stderr
    )
    assert "mine.py:edge_first" in (mine / "replay.html").read_text()


@pytest.mark.exhaustive
def test_a_strategy_is_compared_from_a_file_and_its_log_resumes(mine: Path) -> None:
    path = mine / "runs.jsonl"
    done = kt("compare", "--boards", "5x5", "--kind", "open", "--methods",
              "mine.py:edge_first,mine.py:corner,dfs", "--out", path, folder=mine)  # fmt: skip
    assert done.returncode == 0
    methods = {each.run.method: each.validated for each in read_log(path).records}
    assert methods == {"mine.py:edge_first": True, "mine.py:corner": True, "dfs": True}
    path.write_bytes(path.read_bytes()[:-30])
    own = "mine.py:edge_first,mine.py:corner"
    assert kt("compare", "--resume", path, "--methods", own, folder=mine).returncode == 0
    assert not read_log(path).missing


@pytest.mark.parametrize(
    ("word", "code", "message"),
    [
        ("mine.py:edge_first", 0, "found: open tour of 5x5, 25 squares, by mine.py:edge_first in"),
        ("mine.py:first_only", 3, "unknown: exhausted in "),
        (
            "mine.py:broken",
            2,
            "kt: mine.py:broken: mine.py, line 13: ZeroDivisionError: division by zero",
        ),
        ("mine.py:elsewhere", 2, "kt: mine.py:elsewhere returned 99 after 0: return unvisited"),
        ("mine.py:nothing", 2, "kt: mine.py:nothing returned None after 0: return unvisited"),
        (
            "mine.py:number",
            2,
            "kt: method mine.py:number: this is neither a function nor a strategy",
        ),
        ("mine.py:other", 2, "kt: method mine.py:other: mine.py has near_the_edge, edge_first,"),
        ("odd.py:order", 2, "kt: method odd.py:order: odd.py, line 1: SyntaxError: "),
        ("none.py:order", 2, "kt: method none.py:order: none.py: No such file or directory"),
        ("mine:edge_first", 2, "kt: method 'mine:edge_first': give one of auto"),
    ],
)
def test_what_a_file_holds_is_a_method_or_one_line(
    word: str, code: int, message: str, mine: Path
) -> None:
    done = kt("solve", "5x5", "--start", "0", "--method", word, folder=mine)
    [answer, *hints] = done.stderr.splitlines()
    assert (done.returncode, answer.startswith(message)) == (code, True)
    assert hints == (["the usual methods: kt solve 5x5 --start 0"] if code == 3 else [])


def test_a_replay_of_a_method_that_is_no_search_is_refused() -> None:
    def own(task: object) -> None:
        """Answer in a way that cannot be watched."""

    with pytest.raises(InputError, match=r"method own: give a strategy, or order\(graph, path\)"):
        record_visits(Instance.of("5x5"), own, 100)  # type: ignore[arg-type]
