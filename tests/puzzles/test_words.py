"""The tables of words: no text is missing in any language, and no value gets lost."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import kt_cp
from kt_cp.board import Piece, Symmetry, Topology
from kt_cp.draw.look import Look
from kt_cp.messages import InputError
from kt_cp.puzzles.puzzle import Level
from kt_cp.puzzles.words import ENGLISH, Language, Words
from kt_cp.tour.features import FEATURES
from tests.helpers.command import kt

PACKAGE = Path(kt_cp.__file__).parent
PIECES = "knight horse wazir ferz king dabbaba alfil threeleaper camel zebra giraffe antelope"


@pytest.mark.parametrize("language", Language)
def test_a_language_has_every_text_with_its_values(language: Language) -> None:
    words = Words.of(language)
    assert words.language == language
    assert words.texts.keys() == ENGLISH.texts.keys()
    for key, text in words.texts.items():
        assert {*re.findall(r"{.*?}", text)} == {*re.findall(r"{.*?}", ENGLISH.texts[key])}


def test_every_piece_topology_symmetry_feature_and_level_has_its_text() -> None:
    for name in [*PIECES.split(), "2,3", "7,8"]:
        assert ENGLISH.moves(Piece.parse(name))
    for name in FEATURES:
        assert ENGLISH(f"feature {name}")
    unusual = [f"kind {topology}" for topology in Topology if topology is not Topology.FLAT]
    assert {*unusual, *Symmetry, *(f"level {level}" for level in Level)} <= ENGLISH.texts.keys()


def test_every_key_in_the_sources_has_a_text() -> None:
    pages = [file for end in ("js", "typ") for file in PACKAGE.glob(f"draw/pages/*.{end}")]
    files = [*PACKAGE.glob("puzzles/*.py"), *PACKAGE.glob("draw/*.py"), *pages]
    sources = "".join(file.read_text(encoding="utf-8") for file in files)
    calls = r'(?:Phrase|ContradictionError|[wW]ord|words|counted)\("([^"{]+)"'
    assert set(re.findall(calls, sources)) <= ENGLISH.texts.keys()


def test_hints_are_told_in_the_language(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("; kind: open\n" + "1 . . .\n. . 2 .\n. . . 12\n")
    told = kt("puzzle", str(file), "--hint", "--language", "ja").stdout
    assert told == "a1は3\uff1ac2の2から1回で進める空きマスはここだけ\n"
    assert kt("puzzle", str(file), "--hint", "--language", "fr").stdout == (
        "3 est en a1\u00a0: c'est la seule case libre à un saut de 2 en c2\n"
    )


def test_pictures_of_a_saved_puzzle_speak_the_language(tmp_path: Path) -> None:
    puzzle = str(tmp_path / "a.txt")
    kt("puzzle", "3x4", "--difficulty", "easy", "--out", puzzle)
    kt("draw", puzzle, "--language", "de", "--out", f"{tmp_path}/a.svg")
    lines = re.findall(r"<text[^>]*>([^<]*)", (tmp_path / "a.svg").read_text(encoding="utf-8"))
    drawn = " ".join(lines)
    assert "Rätsel: offene Tour auf 3 × 4, 12 Felder, leicht" in drawn
    assert "Tragen Sie die Zahlen von 1 bis 12 so ein" in drawn


def test_a_look_takes_the_code_of_a_language() -> None:
    look: dict[str, Any] = {"words": "fr"}
    assert Look(**look).words is Words.of("fr")
    look = {"words": "xx"}
    with pytest.raises(InputError, match="language 'xx': give one of en, de, fr, es, zh, ja"):
        Look(**look)
