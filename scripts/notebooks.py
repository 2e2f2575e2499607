"""Make the notebooks of the guides, with their outputs, or check that none is out of date.

``python scripts/notebooks.py`` runs every guide whose notebook is out of date and writes it to
``docs/notebooks``, where a browser or Jupyter opens it without a build of the site. With
``--check`` it compares the cells of the guides with those of the stored notebooks, and exits with 1
where they differ; nothing is run then, as outputs hold times.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from myst_nb.core.read import read_myst_markdown_notebook
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
GUIDES = ROOT / "docs"
NOTEBOOKS = GUIDES / "notebooks"

# The guides that a reader may want to run and change.
NAMES = ("lesson", "teaching", "exercises", "solutions", "modeling", "puzzles", "research")

# Seconds for a cell, on a busy machine.
_LONGEST_CELL = 600


def notebook_of(text: str) -> Any:
    """Return the notebook that a guide is, without outputs.

    Links lead from the folder of the notebooks, and the sentence that names the notebook is left
    out. Cells are numbered, so that the same guide gives the same notebook.

    >>> page = "---\\nfile_format: mystnb\\n---\\n# Title\\n\\nSee [this](a.md).\\n"
    >>> notebook_of(page).cells[0].source
    '# Title\\n\\nSee [this](../a.md).'
    """
    notebook = read_myst_markdown_notebook(text)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "markdown":
            source = re.sub(r"The page is a notebook:\s<a [^>]*>[^<]*</a>\.\s*", "", cell.source)
            cell.source = re.sub(r"\]\((?!https?:|#)([^)]*)\)", r"](../\1)", source)
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
    }
    return notebook


def run(notebook: Any) -> None:
    """Run the cells of a notebook in a folder of its own, in which they leave their files."""
    scripts = sysconfig.get_path("scripts")
    os.environ["PATH"] = os.pathsep.join([scripts, os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(
            notebook, timeout=_LONGEST_CELL, resources=resources, coalesce_streams=True
        )
        client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it was run
    notebook.metadata.pop("language_info", None)  # of the Python that ran it


def is_current(notebook: Any, stored: Path) -> bool:
    """Return whether a stored notebook has the same cells, whatever their outputs are."""
    if not stored.exists():
        return False
    kept = nbformat.read(stored, as_version=4)
    return [(cell.cell_type, cell.source) for cell in kept.cells] == [
        (cell.cell_type, cell.source) for cell in notebook.cells
    ]


def main() -> int:
    """Make the notebooks that are out of date, or name them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="run and write nothing")
    parser.add_argument("--all", action="store_true", help="also make those that are up to date")
    arguments = parser.parse_args()
    NOTEBOOKS.mkdir(exist_ok=True)
    stale = False
    for name in NAMES:
        notebook = notebook_of((GUIDES / f"{name}.md").read_text(encoding="utf-8"))
        stored = NOTEBOOKS / f"{name}.ipynb"
        if not arguments.all and is_current(notebook, stored):
            continue
        stale = True
        if arguments.check:
            wanted = "out of date; run scripts/notebooks.py"
            print(f"docs/notebooks/{name}.ipynb: {wanted}", file=sys.stderr)
        else:
            print(name, file=sys.stderr)
            run(notebook)
            nbformat.write(notebook, stored)
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
