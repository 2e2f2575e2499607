"""Make the pictures of some pages by the commands there, or check that none is stale.

``python scripts/pictures.py`` writes ``.images/*.svg``, and the thumbnails of the README, which
show the board of a picture without the words beside it. With ``--check`` it compares the structure
of what the commands draw now with these files, and exits with 1 where one differs.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from kt_cp.draw.picture import WORDS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("gallery", "posters", "solutions", "longest")]
IMAGES = ROOT / ".images"

THUMBNAILS = ("heart", "symmetric", "proof", "puzzle", "ring", "torus")
"""The pictures of which the README and the first page of the site show the board alone."""

_SVG = "http://www.w3.org/2000/svg"
_MARGIN = 4.0  # pixels around the board of a thumbnail

Part = tuple[str | None, ...]


def commands(text: str) -> list[str]:
    """Return the command lines of a gallery.

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
    for name in WORDS:
        for group in root.findall(f"{{{_SVG}}}g[@class='{name}']"):
            root.remove(group)
    sides = [root.find(f"{{{_SVG}}}path[@class='{name}']") for name in ("outline", "joined")]
    drawn = " ".join(path.attrib["d"] for path in sides if path is not None)
    numbers = [float(number) for number in re.findall(r"[\d.]+", drawn)]
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
    made = [name for each in all_commands() for name in picture_names(each)]
    return [*made, *(f"{name}-thumbnail.svg" for name in THUMBNAILS)]


def main() -> int:
    """Make the pictures, or check them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    stale: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in make_pictures(Path(folder)):
            made = (Path(folder) / name).read_text()
            stored = IMAGES / name
            if not is_check:
                stored.write_text(made)
            elif not stored.exists() or structure(made) != structure(stored.read_text()):
                stale.append(name)
    for name in stale:
        print(f"{name}: out of date; run scripts/pictures.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
