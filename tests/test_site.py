"""The site: claims are recomputed, pictures are made by the commands above them, words are text."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kt_cp import solve
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.output import picture_of
from kt_cp.draw.picture import svg
from scripts.pictures import IMAGES, PAGES, commands, picture_names, thumbnail
from scripts.reproduce import DOCUMENT, QUICK, SECTIONS, Section, article_rows
from tests.helpers.command import ROOT
from tests.helpers.pictures import elements, open_tour, segments
from tests.published.claims import Row, markdown


def assert_as_it_should_be(rows: list[Row]) -> None:
    assert [row.claim for row in rows if not row.confirmed] == []
    document = DOCUMENT.read_text(encoding="utf-8").splitlines()
    wrong = [row for row in rows if not row.right]
    assert set(markdown(wrong)) <= set(document), "run python -m scripts.reproduce --write"


@pytest.mark.exhaustive
@pytest.mark.parametrize("section", QUICK)
def test_some_claims_are_recomputed_quickly(section: Section) -> None:
    assert_as_it_should_be(list(section()))


@pytest.mark.exhaustive
def test_the_claims_that_are_wrong_are_documented() -> None:
    rows = [*article_rows(), *(row for section in SECTIONS for row in section())]
    assert not all(row.right for row in rows)
    assert_as_it_should_be(rows)


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


# -- the extensions of Sphinx ---------------------------------------------------------------------


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that returns an extension of Sphinx by its name."""
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    return pytest.importorskip


@pytest.fixture
def figures(extension: Any) -> Any:
    """The extension of Sphinx that makes figures."""
    return extension("figures")


def test_the_words_of_a_picture_are_taken_out_of_it(figures: Any) -> None:
    picture = picture_of(solve("4x4"))
    board, words = figures.parts_of(ElementTree.fromstring(svg(picture)))
    assert words.caption == picture.caption == "No open tour of 4 × 4"
    assert words.sentences[0].startswith("Without the 4 squares ")
    assert [line.text for line in words.legend] == [entry.text for entry in picture.legend]
    left = ElementTree.tostring(board, encoding="unicode")
    assert "words-below" not in left
    assert float(board.attrib["height"]) < picture.height
    assert board.attrib["viewBox"].split()[2:] == [board.attrib["width"], board.attrib["height"]]


def test_the_board_is_cut_below_the_names_of_its_files(figures: Any) -> None:
    board, _ = figures.parts_of(ElementTree.fromstring(svg(picture_of(open_tour()))))
    lowest = max(float(each.attrib["y"]) for each in board.iter() if each.tag.endswith("}text"))
    assert lowest < float(board.attrib["height"])


def test_a_picture_without_words_stays_as_it_is(figures: Any) -> None:
    bare = svg(picture_of(open_tour(), Look(title="", legend=False)))
    assert figures.parts_of(ElementTree.fromstring(bare)) is None


def test_the_caption_in_html_has_each_mark_beside_its_text(figures: Any) -> None:
    root = ElementTree.fromstring(svg(picture_of(open_tour())))
    _, words = figures.parts_of(root)
    html = figures.caption_html(words, "")
    assert html.startswith("<p>Open tour of 3\u00a0×\u00a04, 12 squares</p><ul>")
    items = re.findall(r"<li>(.*?)</li>", html)
    assert [re.sub("<img[^>]*> ", "", item) for item in items] == ["start: a3", "end: d1"]
    assert all(item.startswith('<img alt="" width="') for item in items)


def test_what_a_user_typed_is_escaped(figures: Any) -> None:
    root = ElementTree.fromstring(svg(picture_of(open_tour(), Look(title="<b> & co"))))
    _, words = figures.parts_of(root)
    assert "<p>&lt;b&gt; &amp; co</p>" in figures.caption_html(words, "")


def test_a_figure_replaces_the_paragraph_of_a_picture(figures: Any, tmp_path: Path) -> None:
    (tmp_path / "tour.svg").write_text(svg(picture_of(open_tour())), encoding="utf-8")
    nodes = pytest.importorskip("docutils.nodes")
    document = nodes.document(None, None)
    paragraph = nodes.paragraph()
    paragraph += nodes.image(uri="tour.svg")
    document += paragraph

    class App:
        doctreedir = str(tmp_path / "doctrees")

        class env:  # noqa: N801 (as Sphinx calls it)
            docname = "page"

            @staticmethod
            def doc2path(name: str) -> str:
                return str(tmp_path / f"{name}.md")

    figures.make_figures(App, document)
    first, image, last = document.children
    assert first.astext() == '<figure class="picture">'
    assert last.astext().startswith("<figcaption><p>Open tour of")
    assert (tmp_path / image["uri"]).read_text(encoding="utf-8").startswith("<svg")


def test_cells_for_a_shell_are_shown_as_commands_that_can_be_copied(extension: Any) -> None:
    nodes = pytest.importorskip("docutils.nodes")
    document = nodes.document(None, None)
    document += nodes.literal_block(
        text="!{sys.executable} -m kt_cp solve 8x8\n", language="ipython3"
    )
    document += nodes.literal_block(text=">>> 1\n1\n\n", language="default")
    extension("layout").prepare_blocks(None, document)
    shell, doctest = document.children
    assert (shell["language"], shell.astext()) == ("sh", "kt solve 8x8")
    assert doctest.astext() == ">>> 1\n1"


def test_a_wrapped_line_of_code_is_indented_below_its_first_row(extension: Any) -> None:
    pytest.importorskip("sphinx")
    pygments, lexers = map(pytest.importorskip, ("pygments", "pygments.lexers"))
    formatter = extension("lines").LineFormatter()
    html = pygments.highlight("if a < b:\n    print()\n", lexers.PythonLexer(), formatter)
    assert re.findall(r'style="padding-left:(\d+)ch;text-indent:-(\d+)ch"', html) == [
        ("4", "4"),
        ("8", "8"),
    ]
    assert re.sub("<[^>]*>", "", html).strip() == "if a &lt; b:\n    print()"


def test_the_lines_of_a_map_in_a_script_are_no_comments(extension: Any) -> None:
    pytest.importorskip("sphinx")
    token = pytest.importorskip("pygments.token").Token
    lexer = extension("commands").ScriptLexer()
    script = "cat > ring.txt <<'MAP'\n###\n#.#\nMAP\nkt solve ring.txt  # a comment\n"
    comments = [text for kind, text in lexer.get_tokens(script) if kind in token.Comment]
    assert comments == ["# a comment"]


def test_the_sentence_of_a_case_stays_below_its_board(figures: Any) -> None:
    picture = picture_of(solve("3x8", closed=True))
    board, words = figures.parts_of(ElementTree.fromstring(svg(picture)))
    shown = " ".join(
        text for each in board.findall(".//*[@class='note']") for text in each.itertext()
    )
    assert "With b3-d2" in shown
    assert "Without b3-d2" in shown
    assert words.caption == "No closed tour of 3 × 8"
