"""What the package needs of each package it stands on, tried with every version that is allowed.

CI runs these, ``-m dependencies``, with the newest and with the lowest versions as well. The
marker names the packages that a test tries.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from pathlib import Path

import pytest

from kt_cp import solve
from kt_cp.compare import compare
from kt_cp.solving import hamiltonian_cycle
from kt_dfs import Status, Strategy
from tests.helpers.command import kt

ROOT = Path(__file__).parents[1]


def extras(*names: str) -> list[str]:
    """Return the requirements of the package and of some of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(each for name in names for each in optional[name])]


def test_every_dependency_of_the_package_is_tried() -> None:
    needed = {re.split(r"[\[<>=]", each)[0] for each in extras("plot", "play", "peers", "graphs")}
    marks = [
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for mark in re.findall(r"mark\.dependencies\(([^)]*)\)", file.read_text("utf-8"))
        for name in re.findall(r"\"([\w-]+)\"", mark)
    ]
    assert needed <= set(marks)


@pytest.mark.dependencies("ortools", "python-sat", "clingo", "pychoco")
@pytest.mark.parametrize(
    ("package", "method"),
    [("ortools", "circuit"), ("pysat", "cuts"), ("clingo", "clingo"), ("pychoco", "choco")],
)
def test_a_solver_finds_a_tour_and_proves_that_there_is_none(package: str, method: str) -> None:
    pytest.importorskip(package)
    assert solve("6x6", closed=True, method=method).status is Status.FOUND
    assert solve("4x5", closed=True, method=method).status is Status.IMPOSSIBLE


@pytest.mark.dependencies("ortools")
def test_cp_sat_proves_an_optimum_and_takes_parameters() -> None:
    result = solve("5x6", closed=True, minimize="turns", parameters={"num_workers": 1})
    assert result.objective is not None
    assert result.objective.optimal


@pytest.mark.dependencies("cloudpickle", "psutil")
def test_a_method_without_a_file_runs_in_a_worker_under_a_limit() -> None:
    def unvisited(graph: dict[int, list[int]], path: list[int]) -> list[int]:
        return [square for square in graph[path[-1]] if square not in path]

    strategy = Strategy(order=unvisited, name="mine")
    log = compare(
        boards="5x5", methods={"mine": strategy}, kinds="open", time_limit=60, memory_limit=1000
    )
    assert [record.status for record in log.records] == ["found"]


@pytest.mark.dependencies("networkx", "scipy")
def test_graphs_of_networkx_and_matrices_of_scipy_are_read() -> None:
    nx = pytest.importorskip("networkx")
    sparse = pytest.importorskip("scipy.sparse")
    assert hamiltonian_cycle(nx.petersen_graph()) is None
    assert hamiltonian_cycle(nx.cubical_graph())
    assert solve(sparse.csr_array(nx.to_numpy_array(nx.cubical_graph())), closed=True)


@pytest.mark.dependencies("typst", "pillow", "matplotlib")
@pytest.mark.parametrize("name", ["tour.png", "tour.pdf", "tour.gif"])
def test_pictures_are_written(name: str, tmp_path: Path) -> None:
    assert kt("solve", "5x5", "--draw", tmp_path / name).returncode == 0
    assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.dependencies("rich", "matplotlib")
def test_a_comparison_is_printed_and_plotted(tmp_path: Path) -> None:
    runs = tmp_path / "runs.jsonl"
    options = ("--methods", "warnsdorff,circuit", "--plots", tmp_path, "--out", runs)
    assert "circuit" in kt("compare", "5x5", *options).stdout
    assert list(tmp_path.glob("*.svg"))


@pytest.mark.dependencies("nicegui")
def test_the_playground_serves_a_board() -> None:
    pytest.importorskip("nicegui")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kt_cp", "play", "5x6", "--no-browser", "--port", str(port)]
    # NiceGUI behaves differently where it finds that pytest is running.
    environment = {name: each for name, each in os.environ.items() if not name.startswith("PYTEST")}
    with subprocess.Popen(command, cwd=ROOT, env=environment) as server:
        try:
            page = opened(f"http://127.0.0.1:{port}/", seconds=60)
        finally:
            server.send_signal(signal.SIGTERM)
    assert "svg" in page  # its content is escaped


def opened(address: str, seconds: float) -> str:
    """Return a page as soon as its server is up."""
    last = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address) as answer:
                return str(answer.read(), "utf-8")
        except OSError:
            if time.monotonic() > last:
                raise
            time.sleep(0.1)
