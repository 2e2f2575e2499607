"""The log of a script: a stopped script goes on where it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scripts.run_log import append_row, read_rows


@dataclass(frozen=True)
class Row:
    """A run of a script."""

    board: str
    seconds: float


SMALL, LARGE = Row("5x5", 0.5), Row("8x8", 30.0)


def test_what_is_appended_is_read(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert read_rows(log, Row) == []
    append_row(log, SMALL)
    append_row(log, LARGE)
    assert read_rows(log, Row) == [SMALL, LARGE]


def test_a_line_that_was_cut_off_is_left_out_and_spoils_no_other(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    append_row(log, SMALL)
    log.write_text(log.read_text() + '{"board": "6x6", "sec')
    assert read_rows(log, Row) == [SMALL]
    append_row(log, LARGE)
    assert read_rows(log, Row) == [SMALL, LARGE]
