"""The tables of words: no text is missing in any language, and no value gets lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kt_cp.board import Topology
from kt_cp.board.piece import Piece
from kt_cp.board.symmetry import Symmetry
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.words import ENGLISH, Language, Words
from tests.helpers.command import kt

PIECES = "knight horse wazir ferz king dabbaba alfil threeleaper camel zebra giraffe antelope"


@pytest.mark.parametrize("language", Language)
def test_a_language_has_every_text_with_its_values(language: Language) -> None:
    words = Words.of(language)
    assert words.language == language
    assert Words.parse(json.dumps(dict(words.texts))).texts == words.texts


def test_every_piece_topology_symmetry_and_level_has_its_text() -> None:
    for name in [*PIECES.split(), "2,3", "7,8"]:
        assert ENGLISH.moves(Piece.parse(name))
    unusual = [f"board {topology}" for topology in Topology if topology is not Topology.FLAT]
    assert {*unusual, *Symmetry, *(f"level {level}" for level in Level)} <= ENGLISH.texts.keys()


def english(**changed: object) -> str:
    return json.dumps({**ENGLISH.texts, **changed})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (english(hints="many"), "'hints': write {count}, as in '{count} hints'"),
        (english(hints="{count} of {all}"), "'hints': write {count}, as in '{count} hints'"),
        (english(hint="{"), "'hint': write no braces, as in 'Hint'"),
        (english(hint=3), "'hint': give a text, such as 'Hint'"),
        (english(hnit="Hint"), "unknown: 'hnit'; leave it out"),
        ('{"hint": "a", "hint": "b"}', "'hint' stands there twice"),
        ('{"language": "pl"}', "no text for 'needs script', 'knight move', 'knight moves' and "),
        ('{"hint":\n "a"', "line 2: this is not JSON: "),
        ("[]", "give a JSON object, with a text for each key"),
    ],
)
def test_a_table_of_ones_own_has_the_same_keys_and_values(
    text: str, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "words.json"
    file.write_text(text)
    answer = kt("puzzle", "3x4", "--words", str(file), "--draw", f"{tmp_path}/a.svg")
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"kt: {file}: {told}")
    assert not (tmp_path / "a.svg").exists()


def test_a_picture_has_the_words_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text(english(**{"open tour": "open walk"}))
    kt("puzzle", "3x4", "--words", str(file), "--draw", f"{tmp_path}/a.svg")
    assert "open walk of 3" in (tmp_path / "a.svg").read_text()


def test_pictures_of_a_saved_puzzle_speak_the_language(tmp_path: Path) -> None:
    puzzle = str(tmp_path / "a.txt")
    kt("puzzle", "3x4", "--difficulty", "easy", "--out", puzzle)
    kt("draw", puzzle, "--language", "de", "--out", f"{tmp_path}/a.svg")
    drawn = (tmp_path / "a.svg").read_text()
    assert "Rätsel: offener Weg auf 3 × 4, 12 Felder, leicht" in drawn
    assert "Tragen Sie die Zahlen von 1 bis 12 so ein" in drawn


def test_a_language_and_a_file_exclude_each_other(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text(english())
    answer = kt("puzzle", "3x4", "--words", str(file), "--language", "de")
    assert answer.returncode == 2
    assert "--language and --words: give one of them" in answer.stderr
