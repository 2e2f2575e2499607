"""Make the pictures of the pages and of the README, or check that none is stale.

``python -m scripts.pictures`` makes the pictures of the pages and the moving picture.
``--playground`` photographs the playground instead. ``--check`` compares the structure of what the
commands on the pages draw now with the files, and exits with 1 where one differs.

The parts of this file, each of which writes into ``.images``:

- the pictures of the pages, by the commands that stand there, and thumbnails for the README
- ``hero.svg``, the moving picture at the top of the README: a search and a model on the same board
- ``playground*.png``, by headless Chromium: it needs the extra ``ci``, and chromium with
  chromedriver
"""

from __future__ import annotations

import argparse
import base64
import io
import itertools
import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode
from xml.etree import ElementTree

import numpy as np

from kt_cp.draw.look import GROUPS, Look, glyph
from kt_cp.draw.picture import HIDEABLE_GROUPS, START_MARK, Picture, move_mark, svg
from kt_cp.draw.replays import Lines, record_model, record_visits
from kt_cp.draw.sheet import BOARD_GAP, Sheet, joint_picture
from kt_cp.problem.instance import Instance

if TYPE_CHECKING:
    from PIL.Image import Image
    from selenium.webdriver import Chrome

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / ".images"

# -- the pictures of the pages ---------------------------------------------------------------------

PAGES = [ROOT / "docs" / f"{name}.md" for name in ("puzzles", "teaching", "longest", "modeling")]

THUMBNAILS = ("heart", "symmetric", "proof", "puzzle", "ring", "torus")
"""The pictures of which the README and the first page of the site show the board alone."""

_SVG = "http://www.w3.org/2000/svg"
_MARGIN = 4.0  # pixels around the board of a thumbnail

Part = tuple[str | None, ...]


def commands(text: str) -> list[str]:
    """Return the command lines of a page.

    >>> commands("$ kt solve 6x6 | kt draw - --out a.svg")
    ['kt solve 6x6 | kt draw - --out a.svg']
    """
    return re.findall(r"^\$ (kt .*)$", text, re.M)


def all_commands() -> list[str]:
    """Return the command lines of the pages."""
    return [command for page in PAGES for command in commands(page.read_text("utf-8"))]


def picture_names(command: str) -> list[str]:
    """Return the names of the pictures that a command writes."""
    return re.findall(r"--(?:out|draw|draw-solution) (\S+\.svg)", command)


def thumbnail(text: str) -> str:
    """Return a picture in SVG cropped to its first board, without paper and words around it."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(text)
    paper = root.find(f"{{{_SVG}}}rect")
    assert paper is not None, "the first rectangle is the paper, and the page shows through instead"
    root.remove(paper)
    for name in HIDEABLE_GROUPS:
        for group in root.findall(f"{{{_SVG}}}g[@class='{name}']"):
            root.remove(group)
    sides = [root.find(f"{{{_SVG}}}path[@class='{name}']") for name in ("outline", "joined")]
    outlines = " ".join(path.attrib["d"] for path in sides if path is not None)
    numbers = [float(number) for number in re.findall(r"[\d.]+", outlines)]
    across, down = numbers[::2], numbers[1::2]
    left, top = min(across) - _MARGIN, min(down) - _MARGIN
    width, height = max(across) + _MARGIN - left, max(down) + _MARGIN - top
    root.set("viewBox", f"{left:g} {top:g} {width:g} {height:g}")
    root.set("width", f"{width:g}")
    root.set("height", f"{height:g}")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def structure(text: str) -> tuple[float, float, set[Part]]:
    """Return the size of a picture, and the kinds of its elements, whatever the tour is."""
    root = ElementTree.fromstring(text)
    names = ("class", "fill", "stroke")
    parts = {(each.tag, *(each.get(name) for name in names)) for each in root.iter()}
    return float(root.attrib["width"]), float(root.attrib["height"]), parts


def make_pictures(folder: Path) -> list[str]:
    """Run the commands of the pages in a folder, and return the names of the pictures there."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    for command in ["kt samples --out .", *all_commands()]:
        print(command, file=sys.stderr)
        shell = ["bash", "-o", "pipefail", "-c", command]
        done = subprocess.run(
            shell, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, check=False
        )
        if done.returncode not in (0, 1):  # 1: there is no tour, which is what the picture shows
            raise SystemExit(f"{command}: {done.stderr.decode()}")
    for name in THUMBNAILS:
        text = (folder / f"{name}.svg").read_text()
        (folder / f"{name}-thumbnail.svg").write_text(thumbnail(text))
    names = [name for each in all_commands() for name in picture_names(each)]
    return [*names, *(f"{name}-thumbnail.svg" for name in THUMBNAILS)]


# -- the moving picture ----------------------------------------------------------------------------

# The board, its start, and how many visits and backtracks of the search are shown.
HERO = Instance.of("8x8", closed=True, start="a1")
HERO_STEPS = 50_000

_FRAMES = 29
_LONG = 200  # characters of an element that is worth a reference
_SECONDS_EACH = 0.4  # for which a frame is shown, before the last one stays

_CAPTION = "Depth-first search beside the circuit model"  # for screen readers

# The frames follow one another once, and the last one stays. It is also all that is seen by a
# reader who wants less motion, and in programs that move nothing. The last line, about the model,
# stands below its board. The words are larger where the picture is shown on a phone.
_STYLE = """<style>
.frame{{visibility:hidden;animation:frame {share:g}s}}
@keyframes frame{{0%,100%{{visibility:visible}}}}
.frame:last-of-type{{visibility:visible;animation:last {total:g}s step-end}}
@keyframes last{{0%{{visibility:hidden}}100%{{visibility:visible}}}}
.words-below .entry:last-of-type{{transform:translate({right:g}px,{up:g}px)}}
@media (prefers-reduced-motion:reduce){{
.frame{{animation:none}}
}}
@media (max-width:500px){{
.words-below g{{font-size:38.1px}}
}}
</style>"""

# The sheet below the boards, which is left out: the page on which the picture stands shows through.
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="#ffffff"/>\n?')


def search_states() -> list[tuple[list[int], int]]:
    """Return the path of the search and its number of backtracks, at ever larger intervals."""
    shown_steps = set(np.geomspace(1, HERO_STEPS, 3 * _FRAMES).round().astype(int).tolist())
    path: list[int] = []
    backtracks = 0
    states: list[tuple[list[int], int]] = []
    for step, event in enumerate(record_visits(HERO, "dfs", HERO_STEPS).events, start=1):
        if event < 0:
            path.pop()
            backtracks += 1
        else:
            path.append(event)
        if step in shown_steps:
            states.append(([*path], backtracks))
    indices = np.linspace(0, len(states) - 1, _FRAMES).round().astype(int)
    return [states[index] for index in indices]


def frames_of_race() -> Iterator[Picture]:
    """Yield the pictures of the race, one after the other."""
    frames = record_model(HERO).frames
    states = search_states()
    for number, (path, backtracks) in enumerate(states):
        # The model is twice as fast as the search, and rests when it is done.
        index = min(2 * number * len(frames) // len(states), len(frames) - 1)
        yield frame_of_race(path, backtracks, frames[index])


def frame_of_race(path: list[int], backtracks: int, cycles: Lines) -> Picture:
    """Return one picture: the path of the search beside the cycles of the model."""
    board = HERO.board
    sheet, model = (
        Sheet(board, _CAPTION, Look(coordinates=False, title=""), per_row=2) for _ in range(2)
    )
    sheet.fill("visited", path)
    sheet.draw_moves([*itertools.pairwise(path)], "line", thickness=1.6)
    sheet.draw_mark(START_MARK, path[:1], radius=0.2)
    sheet.write_words(path[-1:], glyph(board), share=1.6, on_disc=True)
    largest_first = sorted(cycles, key=len, reverse=True)
    for cycle, role in zip(largest_first, itertools.cycle(GROUPS), strict=False):
        if len(cycles) > 1:
            model.fill(role, cycle)
        model.draw_moves([*itertools.pairwise(cycle)], "start", thickness=1.8)
    sheet.add_legend(f"Search: {len(path)} of {len(board)} squares,", move_mark("line"))
    sheet.add_legend(f"{backtracks:,} backtracks")
    result = "a closed tour" if len(cycles) == 1 else f"{len(cycles)} cycles to join"
    sheet.add_legend(f"Model: {result}", move_mark("start"))
    return joint_picture([sheet, model], 2, _CAPTION)


def shared(frames: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield definitions of the long elements that several frames have, then each frame as SVG."""
    counts = Counter(element for elements in frames for element in elements)
    repeated = [each for each, count in counts.items() if count > 1 and len(each) > _LONG]
    names = {element: f"part-{number}" for number, element in enumerate(repeated)}
    # Rules on colors, which begin with .kt, see nothing around a part that is used.
    parts = (f'<g id="{name}" class="kt">{element}</g>' for element, name in names.items())
    yield f"<defs>{''.join(parts)}</defs>"
    uses = {element: f'<use href="#{name}"/>' for element, name in names.items()}
    for elements in frames:
        yield "".join(uses.get(each, each) for each in elements)


def moving_picture() -> str:
    """Return the race as SVG: its pictures, one after the other, of which the last one stays."""
    frames = [*frames_of_race()]
    definitions, *others, last = shared([(*frame.elements, *frame.words) for frame in frames])
    first_line, *_, last_line = map(float, re.findall(r'<text x="[\d.]+" y="([\d.]+)"', last)[-3:])
    lines = last_line - first_line
    right = 64 * (HERO.board.columns + BOARD_GAP)  # a square has 64 pixels
    total = len(others) * _SECONDS_EACH
    groups = [_STYLE.format(total=total, share=_SECONDS_EACH, right=right, up=-lines), definitions]
    for number, elements in enumerate(others):
        begin = number * _SECONDS_EACH
        groups.append(f'<g class="frame" style="animation-delay:{begin:g}s">{elements}</g>')
    groups.append(f'<g class="frame">{last}</g>')
    height = frames[-1].height - lines / 2  # of the line that the model does not need
    moving = replace(frames[-1], caption=_CAPTION, height=height, elements=tuple(groups), words=())
    return _PAPER.sub("", svg(moving), count=1)


# -- the playground --------------------------------------------------------------------------------

THEMES = {"light": "", "dark": "-dark"}
"""The themes, and what they add to the names of pictures."""

RACE = "6x6"
RACE_STEP = 1000
"""The step of the race that the pictures show."""

SOLVED = """\
; kind: closed
..####..
........
........
........
........
........
........
........
"""
"""The board that is solved."""

_RACE_WINDOW = (690, 900)  # in pixels of the page: just wide enough for boards side by side
_PAGE_WINDOW = (1120, 640)
_PAGE_SHOWN = 630  # of its height, below which nothing is shown
_SCALE = 2  # pixels of the picture for each pixel of the page
_SPACE = 4  # pixels beside and below the boards
_COLORS = 64  # of the picture, which has few
_PATIENCE = 90  # seconds to wait for a state of the page

_SHOW_STEP = """
const play = document.getElementById("play");
if (play.textContent.includes("pause")) play.click();
const slider = document.getElementById("step");
slider.value = arguments[0];
slider.dispatchEvent(new Event("input"));
document.getElementById("controls").style.border = "none";  // which would be just above the picture
"""
_BOX = """
const shown = [...document.querySelectorAll(".run h2, .run svg[role=img]")];
const boxes = shown.map((each) => each.getBoundingClientRect());
const left = Math.min(...boxes.map((box) => box.left));
const top = Math.min(...boxes.map((box) => box.top));
const right = Math.max(...boxes.map((box) => box.right));
const bottom = Math.max(...boxes.map((box) => box.bottom));
return [left, top, right - left, bottom - top];
"""


class Clip(NamedTuple):
    """A part of a page, in pixels of the page."""

    x: float
    y: float
    width: float
    height: float


@contextmanager
def playground() -> Iterator[str]:
    """Serve a playground while the context lasts, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kt_cp", "play", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        server.stderr.readline()  # it is told once the server listens
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()


@contextmanager
def browser() -> Iterator[Chrome]:
    """Start a browser without a window, and end it with the context."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(flag)
    page = Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield page
    finally:
        page.quit()


def open_race(page: Chrome, address: str) -> Clip:
    """Run the race in the playground, and return where its boards and counts are on the page."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support import expected_conditions as expected
    from selenium.webdriver.support.wait import WebDriverWait

    wait = WebDriverWait(page, _PATIENCE)
    page.get(f"{address}?board={RACE}")
    for control in ("//*[@role='tab'][contains(., 'Race')]", "//button[contains(., 'Race')]"):
        wait.until(expected.element_to_be_clickable((By.XPATH, control))).click()
    frame = (By.CSS_SELECTOR, "iframe[title='The race']")
    wait.until(lambda page: page.find_element(*frame).rect["width"] > _RACE_WINDOW[0] / 2)
    wait.until(expected.frame_to_be_available_and_switch_to_it(frame))
    wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, ".run svg[role=img]"))
    page.execute_script(_SHOW_STEP, RACE_STEP)
    left, top, width, height = page.execute_script(_BOX)
    page.switch_to.default_content()
    corner = page.find_element(*frame).rect
    x, y = corner["x"] + left - _SPACE, corner["y"] + top
    return Clip(x, y, width + 2 * _SPACE, height + _SPACE)


def open_solution(page: Chrome, address: str) -> Clip:
    """Solve a board in the playground, and return the place of the page."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support import expected_conditions as expected
    from selenium.webdriver.support.wait import WebDriverWait

    wait = WebDriverWait(page, _PATIENCE)
    page.get(f"{address}?{urlencode({'board': SOLVED})}")
    button = (By.XPATH, "//button[contains(., 'Solve')]")
    wait.until(expected.element_to_be_clickable(button)).click()
    is_solved = "return document.body.textContent.includes('Found in ')"
    wait.until(lambda page: page.execute_script(is_solved))
    return Clip(0, 0, _PAGE_WINDOW[0], _PAGE_SHOWN)


def photograph(page: Chrome, clip: Clip, theme: str) -> Image:
    """Return a part of the page as a picture, in a theme."""
    from PIL import Image
    from selenium.webdriver.support.wait import WebDriverWait

    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    is_still = "return document.getAnimations().length === 0"
    WebDriverWait(page, _PATIENCE).until(lambda page: page.execute_script(is_still))
    settings = {"clip": {**clip._asdict(), "scale": 1}}
    png = base64.b64decode(page.execute_cdp_cmd("Page.captureScreenshot", settings)["data"])
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLORS)
    # The page on which the picture stands shows through its ground, which is at its corner.
    picture.info["transparency"] = picture.getpixel((0, 0))
    return picture


def photograph_playground() -> None:
    """Write the pictures of the playground, each in every theme."""
    with playground() as address, browser() as page:
        for name, (width, height), open_part in (
            ("playground", _RACE_WINDOW, open_race),
            ("playground-page", _PAGE_WINDOW, open_solution),
        ):
            window = {"width": width, "height": height, "mobile": False}
            window["deviceScaleFactor"] = _SCALE
            page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
            clip = open_part(page, address)
            for theme, suffix in THEMES.items():
                file = IMAGES / f"{name}{suffix}.png"
                photograph(page, clip, theme).save(file, optimize=True)
                print(f"{file.name}: {file.stat().st_size / 1024:.0f} KiB", file=sys.stderr)


# -- all of them -----------------------------------------------------------------------------------


def main() -> int:
    """Make the pictures, or check them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--playground", action="store_true", help="photograph the playground")
    arguments = parser.parse_args()
    if arguments.playground:
        photograph_playground()
        return 0
    with tempfile.TemporaryDirectory() as folder:
        pictures = {name: Path(folder, name).read_text() for name in make_pictures(Path(folder))}
    if not arguments.check:
        for name, picture in {**pictures, "hero.svg": moving_picture()}.items():
            (IMAGES / name).write_text(picture)
        return 0
    stale = [
        name
        for name, picture in pictures.items()
        if not (IMAGES / name).exists()
        or structure(picture) != structure((IMAGES / name).read_text())
    ]
    for name in stale:
        print(f"{name}: out of date; run python -m scripts.pictures", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
