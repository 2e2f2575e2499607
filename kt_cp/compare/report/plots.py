"""The plots of a comparison, as matplotlib figures; matplotlib comes with the extra ``plot``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kt_cp.compare.report.curves import cactus, effort_by_size, profile, time_by_size
from kt_cp.compare.report.figures import STYLE, Plot, render
from kt_cp.compare.report.start_heat_maps import heat_maps
from kt_cp.compare.run.log_file import Log
from kt_cp.files import require_matplotlib, whole_file


def all_plots(log: Log) -> Iterator[Plot]:
    """Yield the plots that the records allow, one after the other.

    Raises `InputError` when matplotlib is not installed.
    """
    require_matplotlib("plots")
    import matplotlib

    for make in (cactus, profile, time_by_size, effort_by_size, heat_maps):
        with matplotlib.rc_context(STYLE):
            plots = list(make(log))
        yield from plots


def write_plots(log: Log, folder: str | Path, suffix: str = "svg") -> list[Path]:
    """Write every plot to a folder, as SVG or PNG files, and return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for plot in all_plots(log):
        path = folder / f"{plot.name}.{suffix}"
        if path in paths:  # of boards whose names differ in signs that file names do without
            path = folder / f"{plot.name}-{len(paths)}.{suffix}"
        with whole_file(path) as file:
            file.write(render(plot.figure, suffix))
        paths.append(path)
    return paths
