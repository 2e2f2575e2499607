"""Benchmark `auto` on a folder of graphs: how many it answers within some seconds, by which method.

    pip install -e '.[bench]'
    python scripts/bench_fhcp.py FOLDER --limit 60            # a table, and a log in FOLDER
    python scripts/bench_fhcp.py FOLDER --limit 60 --write    # into docs/benchmarks.md, with a plot

The folder holds graphs in files that `kt solve` reads, such as those of the Flinders Hamiltonian
Cycle Project (http://fhcp.edu.au/fhcpcs; as .col files in the repository TakehideSoh/
SAT-based-CEGAR). A file ``published.csv`` beside them may hold other solvers' seconds: a column
``graph`` with what follows ``graph`` in the names of the files, and one for each solver.

Each graph has a process of its own, one after the other. Seconds, and the limit, are those of its
processor, from the graph in memory to a validated cycle, so that other work on the machine counts
little. The log has a line for each run. Graphs that it answers are not run again: a stopped script
goes on where it was, and a higher limit runs only the graphs that are left.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Instance, Status, Tour
from kt_cp.methods import auto
from kt_cp.methods.answers import Answer
from kt_cp.notation.graphs import GraphFormat, read_graph_file
from kt_cp.problem.clock import Clock
from kt_cp.problem.task import Task
from scripts.document import origin, write_section
from scripts.run_log import append_row, read_rows

TIME_COLUMNS = (1, 10, 20, 30, 60, 300, 600, 1800)
"""The seconds that are columns of the table."""

PICTURE = Path(__file__).parent.parent / ".images" / "fhcp.svg"

# By the clock, a run may take this many times its processor time, as others use the machine.
_WALL_PER_PROCESSOR_SECOND = 10


@dataclass(frozen=True)
class Outcome:
    """The answer for a graph, and how long it took.

    ``limit`` and ``seconds`` are of processor time; ``elapsed`` is by the clock, and larger where
    other work used the machine.
    """

    graph: str
    vertices: int
    edges: int
    limit: float
    status: str
    method: str
    seconds: float
    elapsed: float = 0.0

    @property
    def is_answered(self) -> bool:
        """Whether there is a cycle, or a proof that there is none."""
        return self.status in (Status.FOUND.value, Status.IMPOSSIBLE.value)


@dataclass
class ProcessorClock(Clock):
    """A clock of the seconds that this process has used its processor."""

    started: float = field(default_factory=time.process_time)

    @property
    def seconds(self) -> float:
        """The processor time since it was made."""
        return time.process_time() - self.started

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock inside a ``with`` block."""
        began = time.process_time()
        try:
            yield
        finally:
            self.started += time.process_time() - began


def graph_files(folder: Path) -> list[Path]:
    """Return the files of graphs in a folder, ``graph9.col`` before ``graph10.col``."""
    endings = {f".{form}" for form in GraphFormat}

    def key(file: Path) -> tuple[int, str]:
        digits = re.sub(r"\D", "", file.stem)
        return int(digits or 0), file.name

    return sorted((file for file in folder.iterdir() if file.suffix in endings), key=key)


def run(file: Path, limit: float, workers: int = 1, seed: int = 0) -> Outcome:
    """Look for a cycle in the graph of a file, in this process."""
    graph = read_graph_file(str(file), GraphFormat(file.suffix[1:])).graph
    instance = Instance.of(graph, closed=True)
    clock, began = ProcessorClock(limit), time.perf_counter()
    answer: Answer = auto.answer(Task(instance, clock, workers, seed))
    if answer.squares is not None:
        Tour.from_ids(graph, answer.squares, closed=True)  # which validates it
    edges = len(graph.arcs) if graph.directed else len(graph.arcs) // 2
    method = answer.method or "auto"
    return Outcome(
        file.stem,
        len(graph),
        edges,
        limit,
        answer.status.value,
        method,
        seconds=round(clock.seconds, 3),
        elapsed=round(time.perf_counter() - began, 3),
    )


def _send_outcome(file: Path, limit: float, workers: int, seed: int, pipe: Connection) -> None:
    """Look for a cycle in the graph of a file, and send the outcome."""
    pipe.send(run(file, limit, workers, seed))


def run_in_subprocess(file: Path, limit: float, workers: int, seed: int) -> Outcome:
    """Look for a cycle in a process of its own, which is ended if it hangs.

    The outcome of a process that hangs or crashes is that there is no answer.
    """
    outcome = Outcome(file.stem, 0, 0, limit, Status.UNKNOWN.value, "none", limit)
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(
        target=_send_outcome, args=(file, limit, workers, seed, theirs)
    )
    process.start()
    theirs.close()
    with ours:
        try:
            if ours.poll(_WALL_PER_PROCESSOR_SECOND * limit + 60):
                outcome = ours.recv()
        except EOFError:  # it crashed, for instance for lack of memory
            process.join(timeout=1)  # until then it has no exit code
            print(f"{file.name}: the process ended with code {process.exitcode}", file=sys.stderr)
    process.kill()  # a second worker notices that, and ends by itself
    process.join()
    return outcome


def read_log(log: Path) -> dict[str, Outcome]:
    """Return for each graph the answer in a log, or else the run with the highest limit."""
    outcomes: dict[str, Outcome] = {}
    for outcome in read_rows(log, Outcome):
        before = outcomes.get(outcome.graph)
        if before is None or _says_more(outcome, before):
            outcomes[outcome.graph] = outcome
    return outcomes


def _says_more(outcome: Outcome, before: Outcome) -> bool:
    """Return whether an outcome is the answer to a graph without one, or had a higher limit."""
    if before.is_answered:
        return False
    return outcome.is_answered or outcome.limit > before.limit


def run_all(files: Sequence[Path], log: Path, limit: float, workers: int, seed: int) -> None:
    """Run what the log does not answer, and note each outcome at once."""
    known = read_log(log)
    for file in files:
        before = known.get(file.stem)
        if before is not None and (before.is_answered or before.limit >= limit):
            continue
        outcome = run_in_subprocess(file, limit, workers, seed)
        append_row(log, outcome)
        print(
            f"{outcome.graph}: {outcome.status} by {outcome.method}, {outcome.seconds:.2f} s",
            flush=True,
        )


def read_published(file: Path, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return for each other solver its seconds for each of the graphs that it solved."""
    solvers: dict[str, dict[str, float]] = {}
    if not file.exists():
        return solvers
    with file.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            name = f"graph{row['graph']}"
            for solver in row.keys() - {"graph", "vertices", "edges"}:
                times = solvers.setdefault(solver.replace("_", " "), {})
                if name in names and row[solver] != "TO":
                    times[name] = float(row[solver])
    return dict(sorted(solvers.items()))


def table(
    outcomes: Sequence[Outcome], published: dict[str, dict[str, float]], limit: float
) -> list[str]:
    """Return the lines of the table: how many graphs each solver answers within how many seconds.

    >>> ours = [Outcome("graph1", 9, 12, 20, "found", "cuts", 0.5)]
    >>> ours.append(Outcome("graph2", 9, 12, 20, "unknown", "cuts", 20.0))
    >>> print(*table(ours, {"clingo": {"graph1": 3.0}}, 20), sep="\\n")
    | of 2 graphs within | 1 s | 10 s | 20 s |
    |---|--:|--:|--:|
    | auto | 1 | 1 | 1 |
    | by cuts | 1 | 1 | 1 |
    | clingo (published) | 0 | 1 | 1 |
    """
    columns = [seconds for seconds in TIME_COLUMNS if seconds <= limit]
    answered = [each for each in outcomes if each.is_answered]
    times = {"auto": [each.seconds for each in answered]}
    by_method: dict[str, list[float]] = defaultdict(list)
    for each in answered:
        by_method[each.method].append(each.seconds)
    for method in sorted(by_method, key=lambda method: -len(by_method[method])):
        times[f"by {method}"] = by_method[method]
    for solver, by_graph in published.items():
        times[f"{solver} (published)"] = list(by_graph.values())
    head = " | ".join(f"{column:,} s" for column in columns)
    lines = [f"| of {len(outcomes):,} graphs within | {head} |"]
    lines.append("|---" + "|--:" * len(columns) + "|")
    for name, seconds in times.items():
        counts = [sum(1 for each in seconds if each <= column) for column in columns]
        lines.append(f"| {name} | " + " | ".join(map(str, counts)) + " |")
    return lines


def plot(outcomes: Sequence[Outcome], published: dict[str, dict[str, float]]) -> bytes:
    """Return the cactus plot, as SVG: the graphs answered over the time for each."""
    import matplotlib
    from matplotlib.figure import Figure

    from kt_cp.compare.report import PANEL_SIZE, STYLE, line_style, render

    curves = {"kt_cp, auto": [each.seconds for each in outcomes if each.is_answered]}
    curves |= {solver: list(times.values()) for solver, times in published.items()}
    with matplotlib.rc_context(STYLE):
        width, height = PANEL_SIZE
        figure = Figure((width, height + 0.7), layout="constrained")
        axes = figure.subplots()
        for number, (name, seconds) in enumerate(curves.items()):
            counts = range(1, len(seconds) + 1)
            axes.plot(counts, sorted(seconds), markevery=8, **line_style(number, name))
        axes.set(xlabel="graphs answered", ylabel="processor seconds for each")
        axes.set_yscale("log")
        figure.legend(loc="outside lower center", ncols=2)
        return render(figure)


def main() -> None:
    """Run the graphs, print the table, and write it into the document if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of the graphs")
    parser.add_argument("--limit", type=float, default=10, help="processor seconds for each graph")
    parser.add_argument(
        "--workers", type=int, default=1, help="a second process is not counted in the seconds"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path, help="instead of FOLDER/log.jsonl")
    parser.add_argument("--published", type=Path, help="instead of FOLDER/published.csv")
    parser.add_argument("--write", action="store_true", help="write into docs/benchmarks.md")
    arguments = parser.parse_args()
    files = graph_files(arguments.folder)
    log = arguments.log or arguments.folder / "log.jsonl"
    run_all(files, log, arguments.limit, arguments.workers, arguments.seed)
    known = read_log(log)
    outcomes = [known[file.stem] for file in files]
    names = [file.stem for file in files]
    published = read_published(arguments.published or arguments.folder / "published.csv", names)
    lines = table(outcomes, published, arguments.limit)
    left = [each.graph for each in outcomes if not each.is_answered]
    lines += ["", f"Not answered: {', '.join(left) or 'none'}."]
    print(*lines, sep="\n")
    if arguments.write:
        PICTURE.write_bytes(plot(outcomes, published))
        command = f"scripts/bench_fhcp.py FOLDER --limit {arguments.limit:g}"
        write_section("bench_fhcp", [*lines, "", origin(command, ["python-sat"])])


if __name__ == "__main__":
    main()
