"""The site of the documentation: ``sphinx-build -W -b html docs docs/_build/html``."""

import functools
import importlib
import importlib.metadata
import inspect
import os
import re
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    "commands",
    "figures",
    "layout",
    "lines",
]
sys.path.insert(0, str(Path(__file__).parent / "_ext"))
exclude_patterns = ["_build", "_ext"]

html_theme = "furo"
html_title = "Knight's tours"
html_favicon = html_logo = "_static/knight.svg"
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_static_path = ["_static"]
html_css_files = ["site.css", "pictures.css"]
html_js_files = ["site.js"]
html_theme_options = {"light_css_variables": {"color-code-background": "#f2f4f6"}}
html_show_sphinx = False
# With a contrast of 4.5 : 1 and more on the background of code.
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

# Guides are notebooks that the build runs; a cell that fails ends the build.
os.environ["PATH"] = sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"]
nb_execution_mode = "cache"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 600  # seconds for a cell, on a busy machine
# Output that arrives in parts is put together as it was printed; myst-nb would break the lines.
NotebookClient.__init__ = functools.partialmethod(NotebookClient.__init__, coalesce_streams=True)

myst_enable_extensions = ["colon_fence", "deflist", "html_image"]
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


def documented(package: str) -> Iterator[str]:
    """Yield the lines of reStructuredText that document the public names of a package."""
    root = importlib.import_module(package)
    entries = []
    for name in root.__all__:
        value = getattr(root, name)
        module = getattr(value, "__module__", None) or package
        if name.startswith("__") or not (inspect.isclass(value) or inspect.isfunction(value)):
            continue  # constants; a new name of a class stands where the class does
        if value.__name__ == name and module.startswith(package):
            kind = "autofunction" if inspect.isfunction(value) else "autoclass"
            entries.append((kind, f"{module}.{name}"))
    yield from (".. autosummary::", "   :nosignatures:", "")
    yield from (f"   ~{path}" for _, path in entries)
    for kind, path in entries:
        yield from ("", f".. {kind}:: {path}")


def list_public_names(app: Any, page: str, text: list[str]) -> None:
    """Write the documentation of a package in place of its ``{public-names}``."""

    def listed(found: re.Match[str]) -> str:
        return "```{eval-rst}\n" + "\n".join(documented(found[1])) + "\n```"

    text[0] = re.sub(r"^```\{public-names\} (\w+)\n```$", listed, text[0], flags=re.M)


def leave_out_styles(app: Any, page: str, template: str, context: Any, document: Any) -> None:
    """Leave out the style sheet of notebooks on pages without cells."""
    if document is None or "cell_input" not in context.get("body", ""):
        sheets = context["css_files"]
        context["css_files"] = [each for each in sheets if "mystnb" not in str(each.filename)]


def setup(app: Any) -> None:
    """Tell Sphinx to list public names when it reads a page, and what a page does not need."""
    app.connect("source-read", list_public_names)
    app.connect("html-page-context", leave_out_styles, priority=900)
