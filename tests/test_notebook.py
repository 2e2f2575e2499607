"""Values show themselves in a notebook, tried in one that is really run."""

import pytest

pytest.importorskip("ipykernel")
nbformat = pytest.importorskip("nbformat")
NotebookClient = pytest.importorskip("nbclient").NotebookClient

CELLS = {
    "from kt_cp import *; Board(3, 4, holes=['a1'])": "<svg",
    "solve('3x4')": "title>Open tour of 3 × 4, 12 squares",
    "solve('3x3')": "b2 has no move",
    "solve('300x300').tour": "<open tour of 300x300, 90,000 squares>",
    "make_puzzle('5x5', seed=1)": "Puzzle: open tour of 5 × 5",
    "validate('2x2', [[1, 2], [4, 3]])": "note: read as",
    "parse_path('a1 b3 c5')": "read as: chess names",
    "solve('4x4', certificate=True).certificate": "holds: open 4x4 has no tour",
    "solve('3x4').tour.draw(style='order')": "<svg",
}


@pytest.fixture(scope="module")
def outputs() -> dict[str, str]:
    """What each cell shows: its richest form."""
    cells = [nbformat.v4.new_code_cell(code) for code in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    shown = {}
    for cell in notebook.cells:
        (data,) = [output.data for output in cell.outputs if output.output_type == "execute_result"]
        kinds = ("text/html", "image/svg+xml", "text/plain")
        shown[cell.source] = next(data[kind] for kind in kinds if kind in data)
    return shown


@pytest.mark.parametrize("code", CELLS)
def test_a_value_shows_itself_in_a_notebook(code: str, outputs: dict[str, str]) -> None:
    assert CELLS[code] in outputs[code]
