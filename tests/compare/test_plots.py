"""The plots and the page: what is on them, and that user text does no harm."""

import math
import re
import zlib
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from kt_cp import Board
from kt_cp.compare import Log, Record, Run, RunStatus, Settings, settings_of
from kt_cp.compare.report import Plot, all_plots, render, time_by_size, write_page, write_plots

NASTY = "<script>$x_y & co.txt"
METHODS = ("circuit", "dfs", "auto")


def made_up(run: Run) -> Record:
    """Some record, with every way to end among them."""
    place = zlib.crc32(repr(run).encode()) % 7
    status = list(RunStatus)[place % 5]
    unit = {"circuit": "branches", "auto": "nothing"}.get(run.method, "calls")
    counters = {unit: float(10**place - 1)}
    squares = {NASTY: 15}.get(run.board, 25)
    return Record(
        run,
        squares,
        status,
        seconds=10.0**-place,
        cpu_seconds=10.0**-place,
        startup=0.3,
        memory=30.0,
        startup_memory=25.0,
        timed_out=status is RunStatus.UNKNOWN,
        validated=status is RunStatus.FOUND or None,
        reason="<b>why</b>",
        counters=counters,
    )


def made_up_log(settings: Settings) -> Log:
    return Log(settings, {"ortools": "9"}, "abacus", tuple(map(made_up, settings.runs())))


def nasty_log(*kinds: str) -> Log:
    boards = {NASTY: Board(4, 4, holes=[5])}
    starts = ("a1", "b1", "c1", "corner")
    return made_up_log(Settings(boards, METHODS, kinds=kinds, starts=starts, repeat=2))


@pytest.fixture(scope="module")
def log() -> Log:
    return nasty_log("open", "closed")


@pytest.fixture(scope="module")
def plots(log: Log) -> list[Plot]:
    return list(all_plots(log))


def test_every_plot_tells_the_limit_and_the_number_of_runs(log: Log, plots: list[Plot]) -> None:
    for plot in plots:
        title = plot.figure.get_suptitle()
        assert title.endswith(f": {len(log.records)} runs, limit 1 s each")


def test_axes_have_labels_and_methods_lines_of_their_own(plots: list[Plot]) -> None:
    for plot in plots:
        for axes in plot.figure.axes:
            assert axes.get_xlabel()
            assert axes.get_ylabel()
        looks = {
            (line.get_linestyle(), line.get_marker())
            for line in plot.figure.axes[0].get_lines()
            if line.get_label() in METHODS
        }
        assert len(looks) == len(METHODS) or plot.name == "time"


def test_labels_of_sizes_stand_apart() -> None:
    sides = (8, 12, 16, 20, 24, 32, 40, 60, 100)
    settings = settings_of(boards=[f"{n}x{n}" for n in sides], methods="circuit", kinds="open")
    found = [
        Record(run, len(settings.boards[run.board]), RunStatus.FOUND, 1.0, 1.0)
        for run in settings.runs()
    ]
    axes = time_by_size(Log(settings, {}, "abacus", tuple(found))).figure.axes[0]
    labels = [float(size) for size in axes.get_xticks()]
    assert labels[0] == 64
    assert all(math.log(b / a) >= 0.999 * math.log(10_000 / 64) / 8 for a, b in pairwise(labels))


def test_plots_are_written_the_same_for_the_same_records(tmp_path: Path) -> None:
    log = made_up_log(settings_of(boards="5x5", methods="circuit,dfs", kinds="open", repeat=4))
    paths = write_plots(log, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["cactus.svg", "time.svg"]
    assert all(path.read_bytes().startswith(b"<?xml") for path in paths)
    assert render(next(all_plots(log)).figure) == paths[0].read_bytes()


class Page(HTMLParser):
    """What a page refers to, and its ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            value = value or ""
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "xlink:href", "src"):
                self.links.append(value)
            self.links += [f"#{target}" for target in re.findall(r"url\(#([^)]*)\)", value)]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_stands_alone_and_user_text_does_no_harm() -> None:
    page = Page(write_page(nasty_log("open")))
    assert "script" not in page.tags
    assert page.tags.count("svg") == 2
    for link in set(page.links):
        assert link.startswith("data:image/png;base64,") or page.ids.count(link[1:]) == 1
    shown = "".join(page.text)
    assert NASTY in shown
    assert "<b>why</b>" in shown
    assert "'--boards=<script>$x_y & co.txt' --methods=circuit,dfs" in shown
    assert "ortools 9" in shown


def test_a_comparison_without_records_has_a_page_too() -> None:
    settings = settings_of(boards="5x5..8x8", methods="circuit,dfs,warnsdorff")
    assert "Still to be done: 24 runs of these settings" in write_page(
        Log(settings, {}, "abacus", ())
    )
