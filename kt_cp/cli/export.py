"""``kt export``: state the problem for other tools."""

from __future__ import annotations

from kt_cp.cli import options
from kt_cp.cli.output import Exit, write_bytes, write_lines
from kt_cp.cli.subcommand import as_subcommand
from kt_cp.export import ExportFormat, export_lines, model_bytes
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
    asp       facts and rules for clingo
    mps       an integer program, for SCIP, HiGHS, Gurobi and others

    Constraints that a format cannot hold are refused.
    """
    if form is ExportFormat.CP_SAT and str(out).endswith(".pb"):
        write_bytes([model_bytes(instance)], out)
    else:
        write_lines(export_lines(instance, form), out)
    return Exit.YES
