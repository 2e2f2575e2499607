"""The site of the documentation: ``sphinx-build -W -b html docs docs/_build/html``."""

import functools
import importlib.metadata
import os
import sys
import sysconfig
from pathlib import Path

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
    "commands",
    "figures",
    "layout",
    "lines",
]
sys.path.insert(0, str(Path(__file__).parent / "_ext"))
exclude_patterns = ["_build", "_ext"]
templates_path = ["_templates"]

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
