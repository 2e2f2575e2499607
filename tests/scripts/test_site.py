"""The site shows the board of a picture alone, and its words as text of the page."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kt_cp import solve
from kt_cp.draw.look import Look
from kt_cp.draw.output import picture_of
from kt_cp.draw.picture import svg
from tests.helpers.command import ROOT
from tests.helpers.pictures import open_tour

nodes = pytest.importorskip("docutils.nodes")


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The extension of Sphinx that makes figures."""
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    return pytest.importorskip("figures")


@pytest.fixture
def layout(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The extension of Sphinx for the layout of pages."""
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    return pytest.importorskip("layout")


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
    document, paragraph = nodes.document(None, None), nodes.paragraph()
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


def test_cells_for_a_shell_are_shown_as_commands_that_can_be_copied(layout: Any) -> None:
    document = nodes.document(None, None)
    document += nodes.literal_block(
        text="!{sys.executable} -m kt_cp solve 8x8\n", language="ipython3"
    )
    document += nodes.literal_block(text=">>> 1\n1\n\n", language="default")
    layout.prepare_blocks(None, document)
    shell, doctest = document.children
    assert (shell["language"], shell.astext()) == ("sh", "kt solve 8x8")
    assert doctest.astext() == ">>> 1\n1"


def test_a_wrapped_line_of_code_is_indented_below_its_first_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("sphinx")
    pygments = pytest.importorskip("pygments")
    lexers = pytest.importorskip("pygments.lexers")
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    formatter = pytest.importorskip("lines").LineFormatter()
    html = pygments.highlight("if a < b:\n    print()\n", lexers.PythonLexer(), formatter)
    assert re.findall(r'style="padding-left:(\d+)ch;text-indent:-(\d+)ch"', html) == [
        ("4", "4"),
        ("8", "8"),
    ]
    assert re.sub("<[^>]*>", "", html).strip() == "if a &lt; b:\n    print()"


def test_the_lines_of_a_map_in_a_script_are_no_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx")
    token = pytest.importorskip("pygments.token").Token
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    lexer = pytest.importorskip("commands").ScriptLexer()
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
