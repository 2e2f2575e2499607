"""The site of the documentation: ``sphinx-build -W -b html docs docs/_build/html``."""

import functools
import importlib.metadata
import os
import re
import shutil
import sysconfig
from html import unescape
from pathlib import Path
from typing import Any

from docutils import nodes
from nbclient import NotebookClient

project = "Knight's tours"
author = "The knight's tours developers"
copyright = f"2026, {author}"
release = importlib.metadata.version("knights-tours")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build", "notebooks"]
templates_path = ["_templates"]

html_theme = "furo"
html_title = "Knight's tours"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
pygments_style = "friendly"

# Guides are notebooks that the build runs; a cell that fails ends the build.
os.environ["PATH"] = sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"]
nb_execution_mode = "cache"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 600  # seconds for a cell, on a busy machine
# Output that arrives in parts is put together as it was printed; myst-nb would break the lines.
NotebookClient.__init__ = functools.partialmethod(NotebookClient.__init__, coalesce_streams=True)

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# A name in backquotes in a docstring is a link if it is documented, and code otherwise.
default_role = "py:obj"
smartquotes = False  # --closed stays as it is typed
maximum_signature_line_length = 88
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # the types of other packages have no pages here
suppress_warnings = ["ref.python"]  # a signature may name one of the three classes Graph


def describe_pictures(app: Any, document: nodes.document) -> None:
    """Give the pictures that cells show their own description as alternative text."""
    for image in document.findall(nodes.image):
        uri = image["uri"]
        alt = image.get("alt", "")
        if alt and Path(uri).stem not in alt:
            continue
        file = Path(app.srcdir) / uri.lstrip("/")
        file = file if file.exists() else Path(uri)
        text = file.read_text() if file.suffix == ".svg" and file.exists() else ""
        found = re.search(r"<desc>(.*?)</desc>", text, re.S)
        image["alt"] = unescape(found[1]) if found else "plot"


def copy_notebooks(app: Any, error: Exception | None) -> None:
    """Put the notebooks beside the pages that link to them."""
    if error is None:
        shutil.copytree(app.srcdir / "notebooks", app.outdir / "notebooks", dirs_exist_ok=True)


def setup(app: Any) -> None:
    """Tell Sphinx what to do after it has read a page, and when all are written."""
    app.connect("doctree-read", describe_pictures)
    app.connect("build-finished", copy_notebooks)
