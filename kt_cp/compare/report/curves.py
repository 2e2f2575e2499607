"""Curves of a comparison: how many runs are solved, by time and by ratio to the best method."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kt_cp.compare.report.figures import Plot, by_method, legend, look, panels_by_kind
from kt_cp.compare.report.statistics import ratios_to_best, steps
from kt_cp.compare.run.log_file import Log


def cactus(log: Log) -> Iterator[Plot]:
    """Solved runs against time.

    M. Brain, J. H. Davenport, A. Griggio, Benchmarking Solvers, SAT-style, SC² 2017.
    """
    from matplotlib.ticker import MaxNLocator

    figure, panels = panels_by_kind(log, "Cactus plot")
    for axes, records in panels:
        for method, members in by_method(log, records):
            times, solved = steps(record.seconds_if_solved for record in members)
            style = {**look(log, method), "markevery": _marks(times)}
            axes.plot(solved, times, label=method, **style)
        axes.set(xlabel="runs solved", ylabel="time for each (seconds)", yscale="log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.axhline(log.settings.time_limit, color="0.5", linewidth=0.8)
    legend(figure)
    yield Plot(
        "cactus",
        figure,
        "Each method's runs, fastest first: how many are solved when each may take so long. Further"
        " right and lower is better; the grey line is the limit.",
    )


def profile(log: Log) -> Iterator[Plot]:
    """The share of instances that a method solves within a factor of the best method's time.

    E. D. Dolan, J. J. Moré, Benchmarking optimization software with performance profiles,
    Mathematical Programming 91 (2002).
    """
    ratios = ratios_to_best(log.records)
    finite = [ratio for ratio in ratios.values() if math.isfinite(ratio)]
    right = 1.5 * max(finite, default=2.0)
    figure, panels = panels_by_kind(log, "Performance profile")
    for axes, records in panels:
        for method, members in by_method(log, records):
            values, solved = steps(ratios.get(record.run, math.inf) for record in members)
            shares = [count / len(members) for count in solved]
            style = {**look(log, method), "markevery": (1, _marks(values))}
            xs, ys = [1.0, *values, right], [0.0, *shares, *(shares[-1:] or [0.0])]
            axes.step(xs, ys, where="post", label=method, **style)
        axes.set(
            xlabel="time / best method's time on the instance",
            ylabel="share of instances solved",
            xscale="log",
            ylim=(-0.03, 1.03),
        )
    legend(figure)
    yield Plot(
        "profile",
        figure,
        "For each factor the share of its instances that a method solves within so many times the"
        " time of the best one (Dolan and Moré 2002): at 1 where it is the best itself, on the"
        " right how many it solves at all.",
    )


def _marks(values: Sequence[float]) -> int:
    """Return the distance of markers, of which there is room for a dozen."""
    return 1 + len(values) // 12
