"""Comparisons on a Dask cluster of this machine."""

import os
import signal
from pathlib import Path

import psutil
import pytest

pytest.importorskip("distributed")
from distributed import Client, LocalCluster

from kt_cp.compare import Progress, compare, read_log, settings_of
from tests.helpers.command import kt


@pytest.mark.parametrize("address", ["nonsense://1", "tls://127.0.0.1:1"])
def test_an_address_without_a_scheduler_is_refused_in_one_line(address: str) -> None:
    done = kt("compare", "--dask", address)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"kt: Dask {address}: no scheduler answers")


@pytest.mark.exhaustive
def test_a_cluster_loses_no_record_when_a_worker_dies(tmp_path: Path) -> None:
    settings = settings_of(boards="3x4,4x4", methods="dfs,greedy", starts="0", time_limit=20)
    here = {record.run: record.status for record in compare(settings, jobs=2).records}
    path = tmp_path / "runs.jsonl"
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        done = kt("compare", "--boards", "3x4,4x4", "--methods", "dfs,greedy", "--starts",
                  "0", "--time-limit", "20", "--out", path,
                  "--dask", cluster.scheduler_address)  # fmt: skip
        assert done.returncode == 0
        assert {record.run: record.status for record in read_log(path).records} == here
        victim = next(iter(client.run(os.getpid).values()))

        def kill_a_worker(progress: Progress) -> None:
            if progress.done >= 3 and psutil.pid_exists(victim):
                os.kill(victim, signal.SIGKILL)

        log = compare(settings, executor=client.get_executor(), observer=kill_a_worker)
    assert len(log.records) == len(here)
    assert {record.run: record.status for record in log.records} == here
