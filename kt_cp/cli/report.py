"""``kt report``: the tables, plots and page of a comparison again, without running anything."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kt_cp.cli.comparison import PlotFormat, check_plots, print_comparison, save_plots
from kt_cp.cli.files import check_output, write_lines


def report_command(
    file: Annotated[str, typer.Argument(help="the file that kt compare --out wrote")],
    html: Annotated[str | None, typer.Option(help="write one page that stands alone")] = None,
    plots: Annotated[str | None, typer.Option(help="folder to write the plots to")] = None,
    plot_format: Annotated[PlotFormat, typer.Option(help="of --plots")] = PlotFormat.SVG,
) -> int:
    """Show what a comparison found: tables, and if wanted plots and a page."""
    from kt_cp.compare.run.log_file import read_log  # the other commands do without

    check_output(html, "--html")
    check_plots(plots, html)
    log = read_log(file)
    if log.torn:
        print(f"kt: {file}: the last line is torn and was left out", file=sys.stderr)
    print_comparison(log)
    save_plots(log, plots, plot_format)
    if html is not None:
        from kt_cp.compare.report.page import write_page

        write_lines(write_page(log).splitlines(), html)
    return 0
