"""The benchmark of a folder of graphs: its log goes on where it stopped."""

from pathlib import Path

import networkx as nx
import pytest

from scripts.bench_fhcp import (
    Outcome,
    graph_files,
    plot,
    read_log,
    read_published,
    run,
    run_all,
    run_in_subprocess,
    table,
)
from scripts.run_log import append_row


def make_folder(folder: Path) -> None:
    for number, graph in [(9, nx.petersen_graph()), (10, nx.dodecahedral_graph())]:
        edges = [f"e {a + 1} {b + 1}" for a, b in graph.edges]
        head = f"p {len(graph)} {graph.size()}"  # as the challenge set has it, without "edge"
        (folder / f"graph{number}.col").write_text("\n".join([head, *edges]) + "\n")
    (folder / "published.csv").write_text("graph,vertices,edges,other\n9,10,15,TO\n10,20,30,0.5\n")


def test_graphs_of_a_folder_are_answered_once(tmp_path: Path) -> None:
    make_folder(tmp_path)
    files, log = graph_files(tmp_path), tmp_path / "log.jsonl"
    assert [file.name for file in files] == ["graph9.col", "graph10.col"]
    run_all(files[:1], log, limit=20, workers=1, seed=0)
    run_all(files, log, limit=20, workers=1, seed=0)
    outcomes = read_log(log)
    assert len(log.read_text().splitlines()) == 2
    assert [outcomes[file.stem].status for file in files] == ["impossible", "found"]
    published = read_published(tmp_path / "published.csv", ["graph9", "graph10"])
    assert published == {"other": {"graph10": 0.5}}
    lines = table([*outcomes.values()], published, limit=10)
    assert lines[2] == "| auto | 2 | 2 |"
    assert lines[-1] == "| other (published) | 1 | 1 |"
    assert b"<svg" in plot([*outcomes.values()], published)


def test_what_was_not_answered_is_run_again_with_a_higher_limit(tmp_path: Path) -> None:
    make_folder(tmp_path)
    [file, _] = graph_files(tmp_path)
    log = tmp_path / "log.jsonl"
    run_all([file], log, limit=1e-9, workers=1, seed=0)
    run_all([file], log, limit=1e-9, workers=1, seed=0)
    assert len(log.read_text().splitlines()) == 1
    run_all([file], log, limit=20, workers=1, seed=0)
    assert read_log(log)["graph9"].is_answered


def test_a_run_tells_the_size_of_the_graph(tmp_path: Path) -> None:
    make_folder(tmp_path)
    outcome = run(tmp_path / "graph10.col", limit=20)
    assert (outcome.vertices, outcome.edges, outcome.status) == (20, 30, "found")


def test_the_log_tells_the_answer_or_else_the_run_with_the_highest_limit(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    longest = Outcome("graph1", 9, 12, 60.0, "unknown", "cuts", 60.0)
    shorter = Outcome("graph1", 9, 12, 10.0, "unknown", "cuts", 10.0)
    answer = Outcome("graph1", 9, 12, 20.0, "found", "cuts", 15.0)
    append_row(log, longest)
    append_row(log, shorter)
    assert read_log(log) == {"graph1": longest}
    append_row(log, answer)
    append_row(log, longest)
    assert read_log(log) == {"graph1": answer}


def test_the_exit_code_of_a_process_that_crashed_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_in_subprocess(tmp_path / "missing.col", limit=10, workers=1, seed=0)
    assert not outcome.is_answered
    assert "missing.col: the process ended with code 1\n" in capsys.readouterr().err
