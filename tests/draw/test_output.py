"""Pictures written to files, by ``kt`` and from Python."""

import re
import signal
import stat
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from kt_cp import solve
from kt_cp.draw.look import Look, Paper, Style, Theme, color
from kt_cp.draw.output import draw, draw_tour, picture_of
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from tests.helpers.command import kt, python
from tests.helpers.pictures import OPEN_3X4, ORDERS, broken, open_tour, segments, words


@pytest.fixture
def path_file(tmp_path: Path) -> str:
    file = tmp_path / "path.txt"
    file.write_text("\n".join(map(str, OPEN_3X4)))
    return str(file)


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("svg", "<svg"),
        ("html", "<!DOCTYPE html>"),
        ("PNG", "\x89PNG"),
        ("pdf", "%PDF"),
        ("gif", "GIF"),
    ],
)
def test_kt_draw_makes_what_the_ending_says_and_control_characters_do_nothing(
    path_file: str, tmp_path: Path, ending: str, start: str
) -> None:
    out = tmp_path / f"tour.{ending}"
    done = kt("draw", path_file, "--out", str(out), "--title", "a\x1b[31m\x01\udc85\nb")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"kt: wrote {out}\nvalid open tour of 3x4, 12 squares\n"
    content = out.read_bytes()
    assert content.startswith(start.encode("latin-1"))
    if ending in ("svg", "html"):
        assert r"a\x1b[31m\x01\udc85 b</title>" in content.decode()
    if ending == "gif":  # the knight walks square by square, again and again
        with Image.open(out) as image:
            assert getattr(image, "n_frames", 1) == 12
            assert image.info["loop"] == 0


def test_legend_coordinates_and_title_can_be_left_out(path_file: str, tmp_path: Path) -> None:
    out = tmp_path / "tour.svg"
    kt("draw", path_file, "--out", str(out))
    assert {"a", "start: a3", "1"} <= set(words(out.read_text("utf-8")))
    options = ("--no-legend", "--no-coordinates", "--title", "")
    for style in ORDERS:
        kt("draw", path_file, "--out", str(out), "--style", style, *options)
        numbers = list(range(1, 13)) if style is Style.NUMBERS else []
        assert sorted(map(int, words(out.read_text("utf-8")))) == numbers


def test_without_a_file_a_tour_is_drawn_as_svg_that_a_notebook_shows() -> None:
    picture = draw_tour(open_tour(), style="arrows", legend=False)
    assert picture is not None
    assert picture._repr_svg_() == picture
    assert segments(picture, "move") == 11
    assert "start: a3" not in words(picture)
    with pytest.raises(InputError, match="style 'dots': give one of lines, numbers, arrows, order"):
        draw_tour(open_tour(), style="dots")
    with pytest.raises(TypeError, match="colour"):
        draw_tour(open_tour(), colour="red")


def test_kt_draw_and_kt_validate_mark_the_faults_of_a_path(path_file: str, tmp_path: Path) -> None:
    out = tmp_path / "faults.svg"
    for command, option in (("draw", "--out"), ("validate", "--draw")):
        out.unlink(missing_ok=True)
        done = kt(command, "-", "--board", "3x4", option, str(out), stdin="0 6 8 2")
        assert done.returncode == 1
        assert "not a tour: " in done.stdout + done.stderr
        assert segments(out.read_text("utf-8"), "fault") == 1
    broken_map = kt("draw", "-", "--out", str(out), stdin="1 4 7 10\n12 9 2 5\n3 6 11 9\n")
    assert (broken_map.returncode, "not a tour: " in broken_map.stderr) == (1, True)
    page = tmp_path / "faults.html"
    kt("validate", "-", "--board", "3x4", "--draw", page, stdin="0 6 8 2")
    links = re.findall('<a href="#(.*?)">(.*?)</a>', page.read_text("utf-8"))
    assert links[0][1] == "Step 3 to 4: a1 to c3 is not a knight&#x27;s move."
    # A page points out the move of the fault, too; a number on the board is a step, and no id.
    spot = re.search(r'<g id="fault-1".*?</g>', page.read_text("utf-8"))
    assert spot is not None
    assert 'class="given"' in spot[0]
    assert all(f'id="{target}"' in page.read_text("utf-8") for target, _ in links)
    assert kt("validate", path_file, "--draw", str(out)).returncode == 0
    assert segments(out.read_text("utf-8"), "move") == 11
    walk = kt("draw", "-", "--board", "3x4", "--out", str(tmp_path / "walk.gif"), stdin="0 6 8 2")
    told = "walk.gif: the name must end in .svg, .png, .pdf or .html; only tours of boards are"
    assert (walk.returncode, told in walk.stderr) == (2, True)


def test_kt_solve_draws_the_tour_it_found(tmp_path: Path) -> None:
    out = tmp_path / "tour.svg"
    done = kt("solve", "6x6", "--closed", "--draw", str(out))
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 6
    assert segments(out.read_text("utf-8"), "move") == 36
    assert "prefers-color-scheme" in out.read_text("utf-8")
    kt("solve", "6x6", "--draw", str(out), "--theme", "wood")
    assert color("line", Theme.WOOD) in out.read_text("utf-8")
    assert "prefers-color-scheme" not in out.read_text("utf-8")


def test_kt_solve_draws_why_there_is_no_tour(tmp_path: Path) -> None:
    out = tmp_path / "cut.svg"
    assert kt("solve", "3x5", "--method", "refute", "--draw", str(out)).returncode == 1
    shown = words(out.read_text("utf-8"))
    assert "A to G: 7 components, 6 allowed" in shown
    assert kt("solve", "5x5", "--start", "b5", "--draw", str(out)).returncode == 1
    shown = words(out.read_text("utf-8"))
    assert "dark: 13 squares" in shown
    page = tmp_path / "cut.html"
    assert kt("solve", "3x5", "--method", "refute", "--draw", str(page)).returncode == 1
    assert "7 components, 6 allowed" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("3x3",), "is not written: a reason is not animated; choose .svg, .png, .pdf or .html\n"),
        (("20x20", "--time-limit", "0.01"), "is not written: there is no answer to draw\n"),
    ],
)
def test_a_picture_that_is_not_written_is_named(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.gif"
    assert f"{out} {message}" in kt("solve", *arguments, "--draw", str(out)).stderr
    assert not out.exists()


def test_a_missing_typst_is_named_with_the_command_that_installs_it() -> None:
    code = (
        "import sys; sys.modules['typst'] = None\n"
        "sys.argv[1:] = ['draw', 'no-such-file', '--out', 'tour.png']\n"
        "from kt_cp.cli import main; main()"
    )
    install = "pip install 'knights-tours[plot]', or choose .svg"
    done = python("-c", code)
    assert done.returncode == 2
    assert done.stderr == f"kt: PNG, PDF, GIF and books need typst: {install}\n"


def test_a_picture_replaces_a_file_whole_and_keeps_links_and_rights_or_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = tmp_path / "real.svg", tmp_path / "link.svg"
    file.write_text("before")
    file.chmod(0o640)
    link.symlink_to(file)
    draw_tour(open_tour(), link)
    assert link.is_symlink()
    assert (before := file.read_text("utf-8")).startswith("<svg")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    monkeypatch.setattr("kt_cp.draw.output.svg", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        draw(broken(), link)
    assert file.read_text("utf-8") == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.svg", "real.svg"]


STOPPED = """
import os, signal, sys, time, weakref
from kt_cp.cli import main
from kt_cp.draw import output

def stop(*_):
    os.kill(os.getpid(), signal.Signals[number])

def swallow():  # Python drops what is raised in such a callback
    weakref.finalize(output.Svg(), stop).atexit = False

def gif(pictures, progress):
    {"stop": stop, "swallow": swallow}[where]()
    time.sleep(60)

output.gif = gif
number, where = sys.argv.pop(1), sys.argv.pop(1)
main()
"""


@pytest.mark.parametrize(
    ("number", "where"),
    [(signal.SIGTERM, "stop"), (signal.SIGINT, "swallow")],
)
def test_a_drawing_that_is_stopped_ends_at_once_and_leaves_no_file(
    path_file: str, tmp_path: Path, number: signal.Signals, where: str
) -> None:
    out = tmp_path / "s.gif"
    done = python("-c", STOPPED, number.name, where, "draw", path_file, "--out", out)
    assert done.returncode == 128 + number
    assert [each.name for each in tmp_path.iterdir()] == ["path.txt"]


def test_a_pdf_takes_the_paper_asked_for_and_other_pictures_refuse_it(
    path_file: str, tmp_path: Path
) -> None:
    out = tmp_path / "tour.pdf"
    assert kt("draw", path_file, "--out", str(out), "--paper", "a5").returncode == 0
    assert re.search(rb"/MediaBox ?\[0 0 419\.5\d+ 595\.2\d+\]", out.read_bytes())
    draw(solve("3x10"), out, Look(paper=Paper.of("a5")))
    assert re.search(rb"/MediaBox ?\[0 0 595\.2\d+ 419\.5\d+\]", out.read_bytes()), "on its side"
    assert Paper.of("A0") == Paper(841, 1189)
    done = kt("draw", path_file, "--out", str(tmp_path / "tour.svg"), "--paper", "a5")
    assert done.returncode == 2
    assert "tour.svg: --paper is for names that end in .pdf" in done.stderr


@pytest.mark.parametrize("paper", ["a3.5", "0x0mm", "210x", "1e9x1mm", "210x297in", "", 7])
def test_other_papers_are_refused(paper: Any) -> None:
    with pytest.raises(InputError, match=r"(?i)paper"):
        Look(paper=paper)


def test_what_has_no_picture_is_named_by_its_class() -> None:
    with pytest.raises(TypeError, match="Instance objects have no picture"):
        picture_of(Instance.of("3x4"))
