"""Count how many of a folder's graphs ``kt solve`` answers, and within how many seconds.

    python -m scripts.bench_fhcp FOLDER --limit 30

The folder holds graphs in files that ``kt solve`` reads, such as those of the Flinders Hamiltonian
Cycle Project (http://fhcp.edu.au/fhcpcs). A file ``published.csv`` beside them may hold other
solvers' seconds: a column ``graph`` with what follows ``graph`` in the names of the files, and one
for each solver. Each graph has a process of its own, one after the other. Seconds are those of the
processor, the start of Python included; the limit is by the clock. FOLDER/log.jsonl has a line for
each run: what it answers is not run again, so that a stopped script goes on where it was.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from pathlib import Path
from typing import Any

from scripts.bench_startup import KT, measure, origin

COLUMNS = (1, 3, 10, 20, 30, 60, 300)
"""The seconds that are columns of the table."""

ENDINGS = {".col", ".hcp", ".g6", ".s6", ".edgelist", ".gml", ".graphml", ".dimacs"}


def run(file: Path, limit: float, seed: int) -> dict[str, Any]:
    """Look for a cycle in the graph of a file, and return a line of the log."""
    options = ("--closed", "--format", "json", "--workers", "1", "--seed", str(seed))
    command = [*KT, "solve", str(file), *options, "--time-limit", str(limit)]
    usage = measure(command, limit=3 * limit)
    answer = json.loads(usage.output) if usage.output else {"status": f"exit code {usage.code}"}
    return {
        "graph": file.stem,
        "status": answer["status"],
        "method": answer.get("method"),
        "limit": limit,
        "seconds": round(usage.processor, 2),
        "elapsed": round(usage.wall, 2),
    }


def number_in(file: Path) -> tuple[int, str]:
    """Return a sort key by which ``graph9.col`` comes before ``graph10.col``."""
    return int(re.sub(r"\D", "", file.stem) or 0), file.name


def run_all(folder: Path, limit: float, seed: int) -> list[dict[str, Any]]:
    """Run what the log does not answer yet; return the last run of each graph."""
    log = folder / "log.jsonl"
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    row_by_graph = {row["graph"]: row for row in map(json.loads, lines)}
    files = sorted((each for each in folder.iterdir() if each.suffix in ENDINGS), key=number_in)
    for file in files:
        row = row_by_graph.get(file.stem)
        if row and (row["status"] in ("found", "impossible") or row["limit"] >= limit):
            continue
        row_by_graph[file.stem] = row = run(file, limit, seed)
        with log.open("a", encoding="utf-8") as lines_file:
            lines_file.write(json.dumps(row) + "\n")
        print(f"{row['graph']}: {row['status']} by {row['method']}, {row['seconds']} s", flush=True)
    return [row_by_graph[file.stem] for file in files]


def published_seconds(file: Path, names: set[str]) -> dict[str, list[float]]:
    """Return for each other solver its seconds on our graphs, as far as it solved them."""
    solvers: dict[str, list[float]] = {}
    if file.exists():
        with file.open(encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table):
                for solver in row.keys() - {"graph", "vertices", "edges"}:
                    times = solvers.setdefault(f"{solver} (published)", [])
                    if f"graph{row['graph']}" in names and row[solver] != "TO":
                        times.append(float(row[solver]))
    return dict(sorted(solvers.items()))


def main() -> None:
    """Run the graphs and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of the graphs")
    parser.add_argument("--limit", type=float, default=30, help="seconds for each graph (30)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rows = run_all(arguments.folder, arguments.limit, arguments.seed)
    answered = [row for row in rows if row["status"] in ("found", "impossible")]
    times = {"kt": [row["seconds"] for row in answered]}
    times |= published_seconds(arguments.folder / "published.csv", {row["graph"] for row in rows})
    columns = [column for column in COLUMNS if column <= arguments.limit]
    print(f"| of {len(rows)} graphs within | {' | '.join(f'{each} s' for each in columns)} |")
    print("|---" + "|--:" * len(columns) + "|")
    for solver, seconds in times.items():
        counts = [str(sum(each <= column for each in seconds)) for column in columns]
        print(f"| {solver} | {' | '.join(counts)} |")
    unanswered = [row["graph"] for row in rows if row not in answered]
    print(f"\nNot answered: {', '.join(unanswered) or 'none'}.")
    print(
        origin(f"scripts.bench_fhcp FOLDER --limit {arguments.limit:g}", ["ortools", "python-sat"])
    )


if __name__ == "__main__":
    main()
