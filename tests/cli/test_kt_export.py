"""``kt export``: problems for other tools, as files and as text. Their contents: test_export."""

from pathlib import Path

import pytest
from ortools.sat.python import cp_model

from kt_cp.notation.export import ExportFormat
from tests.helpers.command import kt


@pytest.mark.parametrize("form", ExportFormat)
def test_every_format_is_printed_or_written_and_nothing_is_solved(
    form: ExportFormat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("kt_cp.cli.solve.solve")
    printed = kt("export", "6x6", "--closed", "--require", "a1-b3", "--format", form)
    assert (printed.returncode, printed.stderr) == (0, "")
    file = tmp_path / "problem"
    written = kt("export", "6x6", "--closed", "--require", "a1-b3", "--format", form, "--out", file)
    assert (written.returncode, written.stdout) == (0, "")
    assert written.stderr == f"kt: wrote {file}\n"
    assert file.read_text() == printed.stdout


def test_a_name_that_ends_in_pb_gets_the_binary_model(tmp_path: Path) -> None:
    file = tmp_path / "model.pb"
    constraints = ("--closed", "--symmetry", "quarter-turn", "--having", "turns<=34")
    asked = ("export", "6x6", *constraints, "--format", "cp-sat")
    assert kt(*asked, "--out", file).returncode == 0
    text = kt(*asked).stdout
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text)
    assert model.export_to_file(str(tmp_path / "same.pb"))
    assert file.read_bytes() == (tmp_path / "same.pb").read_bytes()
