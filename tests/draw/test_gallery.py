"""The gallery: every picture in the documents exists, and the commands still make it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kt_cp.draw.look import USUAL
from kt_cp.draw.output import picture_of
from kt_cp.draw.picture import svg
from scripts.pictures import IMAGES, PAGES, commands, picture_names, thumbnail
from tests.helpers.command import ROOT
from tests.helpers.pictures import elements, open_tour, segments


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_picture_of_a_page_stands_below_the_command_that_makes_it(page: Path) -> None:
    text = page.read_text("utf-8")
    made = [name for command in commands(text) for name in picture_names(command)]
    assert made == re.findall(r"\]\(\.\./\.images/(\S+\.svg)\)", text)


def test_every_picture_in_the_documents_exists_and_every_picture_is_used() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name
        for page in pages
        for name in re.findall(r"\.images/([\w.-]+)", page.read_text("utf-8"))
    }
    files = {file.name for file in IMAGES.iterdir()}
    # The site shows the dark one of two pictures on a dark page.
    dark = {name for name in files if name.replace("-dark.png", ".png") in shown}
    assert shown | dark == files


def test_a_thumbnail_shows_the_board_without_the_words_beside_it() -> None:
    whole = svg(picture_of(open_tour(), USUAL))
    board = thumbnail(whole)
    assert not elements(board, "text")
    assert segments(board, "move") == segments(whole, "move")
    (root,) = elements(board, "svg")
    assert (root.attrib["width"], root.attrib["height"]) == ("264", "200"), "4 x 3 squares of 64"


@pytest.mark.exhaustive
def test_the_pictures_of_the_gallery_are_up_to_date() -> None:
    subprocess.run([sys.executable, ROOT / "scripts" / "pictures.py", "--check"], check=True)
