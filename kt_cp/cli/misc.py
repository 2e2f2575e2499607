"""``kt export``, ``kt methods`` and ``kt samples``."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.output import Exit, tell, write_bytes, write_lines, write_table
from kt_cp.export import ExportFormat, export_lines, model_bytes
from kt_cp.messages import InputError, join_words
from kt_cp.methods.table import CONSTRAINTS, INSTALL_PEERS, METHODS, Method, load_method, method_of
from kt_cp.problem.instance import Instance


@as_subcommand()
@options.with_instance
@options.choice_option("--format", "form", of=ExportFormat, required=True, help="For which tools")
@options.out_option
def export_command(instance: Instance, form: ExportFormat, out: str | None) -> int:
    """State a problem for other tools; nothing is solved.

    \b
    cp-sat    the model of CP-SAT: text, or binary with --out FILE.pb
    dimacs    a formula for SAT solvers, of which every model is a tour
    minizinc  a model with the constraint circuit
    hcp       a graph in the format of TSPLIB, for LKH and others
    tsp       the same as distances, for Concorde and others
    asp       facts and rules for clingo
    mps       an integer program, for SCIP, HiGHS, Gurobi and others

    Constraints that a format cannot hold are refused; weights of edges are left out, with a note.
    """
    if form is ExportFormat.CP_SAT and str(out).endswith(".pb"):
        write_bytes([model_bytes(instance)], out)
    else:
        write_lines(export_lines(instance, form), out)
    graph = instance.graph
    if graph.attributes:
        left_out = f"the {join_words([*graph.attributes])} of edges is left out"
        tell(f"note: {left_out}: the file asks for any {graph.vocabulary.tour(instance.closed)}")
    return Exit.YES


@as_subcommand()
@click.argument("method", required=False, shell_complete=options.complete_methods)
@click.option("--all", "lists_all", is_flag=True, help="List the others too.")
def methods_command(method: str | None, lists_all: bool) -> int:
    """List the methods that one compares first, with --all every method, or describe one METHOD.

    The description of auto, the usual method, has its steps for boards and for other graphs.
    """
    if method is None:
        shown = METHODS if lists_all else _COMPARED_FIRST
        write_table((name, _summary(METHODS[name])) for name in shown)
        if not lists_all:
            tell(f"{len(METHODS) - len(shown)} more: kt methods --all")
        return 0
    described = method_of(load_method(method))
    constraints = [words for name, words in CONSTRAINTS.items() if name in described.constraints]
    takes_all = len(constraints) == len(CONSTRAINTS)
    properties = {
        "method": method,
        "summary": _summary(described),
        "proves": "that there is none" if described.proves else "nothing",
        "constraints": "all" if takes_all else ", ".join(constraints),
        "source": described.source,
    }
    write_table((name, words) for name, words in properties.items() if words)
    if method == "auto":
        from kt_cp.methods.auto import STEPS

        for kind, steps in STEPS.items():
            write_lines(["", f"On {kind} the first of these steps with an answer decides:"])
            rows = ((step.__name__.replace("_", " "), step.__doc__ or "") for step in steps)
            write_table(
                (f"{number}.  {name}", words) for number, (name, words) in enumerate(rows, 1)
            )
    return 0


# The methods that a newcomer compares first: the model beside the search.
_COMPARED_FIRST = ("auto", "circuit", "cuts", "dfs", "warnsdorff", "greedy")


def _summary(method: Method) -> str:
    """Return what a method does, and whether a package that it needs is missing."""
    if method.package is None or find_spec(method.package):
        return method.summary
    return f"{method.summary} (not installed: {INSTALL_PEERS})"


# For each sample file what it holds, and a command to try on it.
SAMPLES = {
    "board.txt": ("a map with holes", "kt solve board.txt --closed"),
    "puzzle.txt": ("step numbers from which one tour follows", "kt solve puzzle.txt --unique"),
    "path.txt": ("a closed tour in chess names", "kt draw path.txt --out tour.svg"),
    "broken.txt": ("a numbered board with mistakes", "kt validate broken.txt --draw faults.svg"),
    "heart-board.txt": ("a heart", "kt solve heart-board.txt --closed --draw heart.svg"),
    "ring.txt": ("a ring", "kt solve ring.txt --closed --draw ring.svg"),
    "letter.txt": ("a letter", "kt solve letter.txt --closed --draw letter.svg"),
    "cross.txt": ("a board without a tour", "kt solve cross.txt --draw proof.svg"),
    "published.txt": ("a path printed as a tour, which it is not", "kt validate published.txt"),
    "cube.gml": ("a directed graph of three cycles", "kt decompose cube.gml"),
    "petersen.hcp": ("a graph that is no board", "kt solve petersen.hcp --closed"),
    "towns.tsp": ("places and their distances", "kt solve towns.tsp --minimize weight"),
}
_FOLDER = Path(__file__).parents[1] / "samples"


@as_subcommand()
@click.argument("name", required=False, metavar="[NAME]", type=click.Choice([*SAMPLES]))
@click.option("--out", type=options.FOLDER, help="Write it, or all, to this folder.")
def samples_command(name: str | None, out: str | None) -> int:
    """List the sample files, print the one with this NAME, or write them to a folder."""
    if out is None and name is None:
        width = max(map(len, SAMPLES))
        for file, (contents, command) in SAMPLES.items():  # the command can be copied whole
            write_lines([f"{file:{width}}  {contents}", f"{'':{width}}  {command}"])
        return 0
    wanted = {each: (_FOLDER / each).read_bytes() for each in ([name] if name else SAMPLES)}
    if out is None:
        write_bytes(wanted.values())
        return 0
    for each, content in wanted.items():
        there = Path(out, each)
        if there.exists() and there.read_bytes() != content:
            raise InputError(f"--out {out}: another {each} is there already; name another folder")
    Path(out).mkdir(parents=True, exist_ok=True)
    for each, content in wanted.items():
        write_bytes([content], Path(out, each))
    return 0
