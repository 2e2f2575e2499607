"""``kt report``: the tables, plots and page of a comparison again, without running anything."""

from __future__ import annotations

import click

from kt_cp.cli import comparison
from kt_cp.cli.files import check_output, write_lines
from kt_cp.cli.messages import tell
from kt_cp.cli.options import FILE


@click.command()
@click.argument("file", type=FILE)
@click.option("--html", type=FILE, help="Write a self-contained HTML page to this file.")
@click.option("--csv", type=FILE, help="Write the records as a table, for pandas or a spreadsheet.")
@comparison.plot_options
def report_command(
    file: str,
    html: str | None,
    csv: str | None,
    plots: str | None,
    plot_format: comparison.PlotFormat,
) -> int:
    """Show the results of a comparison as tables and, on request, as plots and a page.

    FILE is what kt compare --out wrote. With '--csv -' only the records are written to
    standard output.
    """
    from kt_cp.compare.log import read_log  # the help does without

    check_output(html, "--html")
    check_output(None if csv == "-" else csv, "--csv")
    comparison.check_plots(plots, html)
    log = read_log(file)
    if log.torn:
        tell(f"kt: {file}: the last line is torn and was left out")
    if csv is not None:
        write_lines(log.csv_lines(), None if csv == "-" else csv)
    if csv != "-":
        comparison.print_comparison(log)
    comparison.save_plots(log, plots, plot_format)
    if html is not None:
        from kt_cp.compare.page import write_page

        write_lines(write_page(log).splitlines(), html)
    return 0
