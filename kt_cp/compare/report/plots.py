"""The plots of a comparison, as matplotlib figures; matplotlib comes with the extra ``plot``."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kt_cp.compare.report.curves import cactus, profile
from kt_cp.compare.report.figures import STYLE, Plot
from kt_cp.compare.report.heat_maps import heat_maps
from kt_cp.compare.report.sizes import effort_by_size, time_by_size
from kt_cp.compare.run.log_file import Log
from kt_cp.files import require_matplotlib, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    """Write every plot to a folder, which is made if need be, as SVG or PNG files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for plot in all_plots(log):
        path = folder / f"{plot.name}.{suffix}"
        with whole_file(path) as file:
            file.write(render(plot.figure, suffix))
        paths.append(path)
    return paths


def render(figure: Figure, suffix: str) -> bytes:
    """Return a figure as the content of an SVG or PNG file."""
    import matplotlib

    buffer = io.BytesIO()
    metadata = {"Date": None} if suffix == "svg" else None
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format=suffix, dpi=150, metadata=metadata)
    return buffer.getvalue()
