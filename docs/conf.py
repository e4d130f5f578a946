"""Settings of the documentation site, which `make docs` builds."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

from hyperskip.version import VERSION

project = "hyperskip"
author = "the authors of hyperskip"
release = version = VERSION

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "generated_pages"]
exclude_patterns = ["_build", "_extensions", "_geometry"]

html_theme = "furo"
html_title = f"hyperskip {VERSION}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False

myst_heading_anchors = 6  # links name headings as they do in the repository
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # nothing is loaded from other sites

smartquotes = False  # two hyphens begin an option
default_role = "code"  # docstrings write code between single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes of dataclasses are not targets of links
# Signatures name types of other packages and of private modules, which have no pages here.
nitpick_ignore_regex = [("py:.*", ".*")]
suppress_warnings = ["ref.python"]  # a word of a docstring that two classes have as an attribute
