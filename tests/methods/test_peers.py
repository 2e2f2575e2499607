"""Clingo and Choco agree with exhaustive search, keep to limits, and can be done without."""

import math
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import ReasonKind
from kt_dfs import Status
from tests.helpers.command import kt, python
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import instances

pytest.importorskip("clingo")
pytest.importorskip("pychoco")

PEERS = ("clingo", "choco")

# Neither has an answer within minutes.
ENDLESS = {"clingo": Board(11, 11), "choco": Board(4, 20)}


@settings(max_examples=30, deadline=None)
@given(instances())
def test_peers_find_a_tour_where_exhaustive_search_finds_one(instance: Instance) -> None:
    instance = replace(instance, symmetry=None, givens=())
    tours = set(all_tours(instance))
    for method in PEERS:
        result = solve(instance, method=method)
        assert result.status is (Status.FOUND if tours else Status.IMPOSSIBLE)
        if result.tour:
            path = [*result.tour]
            if instance.closed and instance.first is None:
                first = path.index(int(instance.board.squares[0]))
                path = path[first:] + path[:first]
            assert tuple(path) in tours


@pytest.mark.parametrize("method", PEERS)
def test_a_time_limit_ends_the_search_and_nothing_is_claimed(method: str) -> None:
    assert solve("6x6", closed=True, method=method, time_limit=math.inf)
    result = solve(ENDLESS[method], closed=True, method=method, time_limit=0.2)
    assert (result.status, result.reason_kind) == (Status.UNKNOWN, ReasonKind.TIME_LIMIT)


@pytest.fixture
def interrupted() -> Iterator[None]:
    """A signal as sudden as Ctrl-C, soon."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize("method", PEERS)
def test_ctrl_c_ends_the_search(method: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        solve(ENDLESS[method], closed=True, method=method, time_limit=10)


@pytest.mark.parametrize("method", PEERS)
def test_what_a_peer_does_not_take_is_refused_in_one_line(method: str) -> None:
    with pytest.raises(InputError, match=f"method {method} does not support a symmetry, only"):
        solve("6x6", closed=True, symmetry="half-turn", method=method)
    with pytest.raises(InputError, match=f"method {method} takes boards with at most 30,000 moves"):
        solve("100x100", method=method)


@pytest.mark.parametrize(("method", "package"), [("clingo", "clingo"), ("choco", "pychoco")])
def test_without_its_package_a_peer_names_what_to_install(
    method: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    done = kt("solve", "8x8", "--method", method)
    install = "pip install 'knights-tours[peers]'"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"kt: answers by {method} need {package}: {install}\n"
    assert " ".join(kt("methods", method).stdout.split()).count(f"(not installed: {install})") == 1


def test_a_peer_without_memory_for_its_machine_is_no_proof_that_there_is_no_tour() -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (12_288_000_000,) * 2)

    asked = ("solve", "6x6", "--closed", "--method", "choco")
    done = python("-m", "kt_cp", *asked, preexec_fn=limit)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "unknown: the process of method choco ran out of memory "
        "(exit code 1): graal_create_isolate error\n"
        "the usual methods: kt solve 6x6 --closed\n"
    )


@pytest.mark.parametrize(
    ("death", "message"),
    [
        ("signal.raise_signal(11)", "crashed (killed by SIGSEGV)"),
        ("print('out of luck'); os._exit(1)", "crashed (exit code 1): out of luck"),
    ],
)
def test_a_peer_that_crashes_is_a_bug_and_no_proof(
    death: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "fragile.py").write_text(f"import os, signal\ndef answer(*_):\n    {death}\n")
    code = (
        "from dataclasses import replace\n"
        "from kt_cp.cli import run; from kt_cp.methods import table\n"
        "row = table.METHODS['choco']\n"
        "import fragile\n"
        "row = replace(row, function=fragile.answer, package='fragile')\n"
        "table.METHODS = {**table.METHODS, 'choco': row}\n"
        "raise SystemExit(run(['solve', '6x6', '--method', 'choco']))"
    )
    done = python("-c", code, folders=[tmp_path])
    assert (done.returncode, done.stdout) == (4, "")
    assert f"the process of method choco {message}" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("method", PEERS)
def test_a_limit_shorter_than_a_millisecond_is_reached_and_nothing_crashes(method: str) -> None:
    done = kt("solve", "6x6", "--method", method, "--time-limit", "0.0001")
    assert (done.returncode, done.stdout) == (3, "")
    [answer, hint] = done.stderr.splitlines()
    assert answer == "unknown: the time limit of 0.0001 s was reached"
    assert hint == "the usual methods: kt solve 6x6"
