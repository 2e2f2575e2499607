"""The plots and the page: what is on them, and that user text does no harm."""

import html
import re
from pathlib import Path

from kt_cp.compare import Log, settings_of
from kt_cp.compare.plots import all_plots, write_plots
from kt_cp.compare.report import page_html
from kt_cp.compare.results import Results, supported_records
from tests.helpers.logs import METHODS, NASTY, made_up_log, nasty_log


def test_plots_tell_the_runs_and_limit_have_labels_and_a_line_for_each_method() -> None:
    log = nasty_log("open", "closed")
    supported = len(supported_records(log.records))
    for plot in all_plots(Results.of(log)):
        titles = " ".join(axes.get_title() for axes in plot.figure.axes)
        assert sum(map(int, re.findall(r"(\d+) runs", titles))) == supported
        notes = [note.get_text() for axes in plot.figure.axes for note in axes.texts]
        assert notes == ["limit\n1 s"] * 2
        least = min(record.seconds for record in supported_records(log.records))
        for axes in plot.figure.axes:
            bottom, _ = axes.get_ylim()
            assert bottom <= least < 10 * bottom  # a power of ten, which has a label
        assert plot.figure.axes[-1].get_xlabel()  # of the panels above it, too
        assert all(axes.get_ylabel() for axes in plot.figure.axes)
        looks = {
            (line.get_linestyle(), line.get_marker())
            for line in plot.figure.axes[0].get_lines()
            if line.get_label() in METHODS
        }
        assert len(looks) == len(METHODS) or plot.name == "time"


def test_only_several_runs_of_a_size_have_quartiles() -> None:
    for repeat, bars in ((1, 0), (4, 1)):
        settings = settings_of(boards="5x5", methods="circuit", kinds="open", repeat=repeat)
        *_, plot = all_plots(Results.of(made_up_log(settings)))
        [axes] = plot.figure.axes
        assert len(axes.containers) == bars


def test_plots_are_written_the_same_for_the_same_records(tmp_path: Path) -> None:
    log = made_up_log(settings_of(boards="5x5", methods="circuit,dfs", kinds="open", repeat=4))
    paths = write_plots(Results.of(log), tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["cactus.svg", "time.svg"]
    assert all(path.read_bytes().startswith(b"<?xml") for path in paths)
    again = write_plots(Results.of(log), tmp_path / "again")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in paths]


def test_the_page_stands_alone_and_user_text_does_no_harm() -> None:
    page = page_html(Results.of(nasty_log("open")))
    assert "<script" not in page
    links = re.findall(r'(?:src|href)="([^",]*)', page)
    assert links == ["data:image/svg+xml;base64"] * 2
    shown = html.unescape(page)
    assert f"{NASTY}: 4x4, 15 squares" in shown
    assert "failed in" in shown
    assert "<b>why</b>" in shown
    assert "No single command repeats it" in shown
    assert "ortools 9" in shown


def test_the_page_tells_the_command_that_repeats_the_comparison(tmp_path: Path) -> None:
    file = tmp_path / "<b> & co.txt"
    file.write_text("..#\n...\n...\n")
    log = made_up_log(settings_of(boards=str(file), methods="circuit,dfs", kinds="open"))
    command = f"kt compare '--boards={file}' --methods=circuit,dfs --kinds=open"
    page = html.unescape(page_html(Results.of(log)))
    assert command in page.replace("\\\n  ", "")  # an option on each line


def test_a_comparison_without_records_has_a_page_too() -> None:
    settings = settings_of(boards="5x5..8x8", methods="circuit,dfs,warnsdorff")
    page = page_html(Results.of(Log(settings, {}, "abacus", ())))
    assert "Still to be done: 24 runs of these settings" in page
