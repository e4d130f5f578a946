"""The documentation site is complete, builds without warnings, and every example is tested."""

import importlib
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from reference_text import ROOT_PAGES, commands, expanded

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *(DOCS / "reference").glob("*.md")])
LANGUAGES = ("python", "sh")
# Pages whose blocks other tests run, by language.
TESTED_ELSEWHERE = {
    ("docs/exporting.md", "python"): "tests/vectors/test_tools.py",
    ("docs/geometry.md", "python"): "tests/docs/test_geometry_page.py",
    ("docs/pictures.md", "python"): "tests/pictures/test_document.py",
    ("docs/pictures.md", "sh"): "tests/pictures/test_document.py",
    ("docs/scikit-learn.md", "python"): "tests/learn/test_guide.py",
}
# Pages whose blocks no test runs as they are, and why.
NOT_RUN = {
    ("docs/experiments.md", "python"): "trains dozens of models; tests/experiment covers the calls",
    ("docs/scaling.md", "python"): "needs a cluster; tests/training covers the call",
}


def in_toctrees() -> set[str]:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for tree in trees for line in tree.splitlines()]
    entries = [line for line in lines if line and not line.startswith(":")]
    return {re.sub(r"^.* <(.*)>$", r"\1", entry) for entry in entries}


def test_every_page_is_in_a_toctree() -> None:
    notebooks = DOCS.glob("*.ipynb")
    names = {path.relative_to(DOCS).with_suffix("").as_posix() for path in (*PAGES, *notebooks)}
    assert names - {"index"} == in_toctrees()


def test_every_document_of_the_root_has_a_page() -> None:
    assert set(ROOT_PAGES) == {path.name for path in ROOT.glob("*.md")}
    for document, page in ROOT_PAGES.items():
        text = expanded((DOCS / page).read_text(encoding="utf-8"))
        title = (ROOT / document).read_text(encoding="utf-8").splitlines()[0]
        assert text.startswith(title)
        assert "](docs/" not in text


def test_every_public_name_is_in_the_reference() -> None:
    pytest.importorskip("torch")
    text = expanded((DOCS / "reference" / "python.md").read_text(encoding="utf-8"))
    for package in ("", ".learn", ".geometry", ".torch", ".builtin", ".experiment"):
        module = importlib.import_module(f"hyperskip{package}")
        for name in set(module.__all__) - {"__version__"}:
            assert re.search(rf"\bhyperskip{package}\.{name}\b", text), f"{package}.{name}"


def test_every_command_and_option_is_in_the_reference() -> None:
    text = expanded((DOCS / "reference" / "commands.md").read_text(encoding="utf-8"))
    for name, command in commands().items():
        (section,) = re.findall(rf"(?ms)^## {name}$(.*?)(?=^## |\Z)", text)
        for parameter in command.params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                assert all(f"`{option}`" in section for option in parameter.opts), parameter.name


def test_defaults_of_options_have_a_column() -> None:
    text = expanded((DOCS / "reference" / "commands.md").read_text(encoding="utf-8"))
    (section,) = re.findall(r"(?ms)^## train$(.*?)(?=^## )", text)
    assert "| `--epochs` | `N` | 10 | Passes over the text. \\[between 1 and 100000] |" in section
    assert "| `--output`, `-o` | `MODEL` | required |" in section
    assert "[default:" not in text


def test_every_request_is_in_the_reference() -> None:
    from hyperskip.explorer.api.endpoints import ENDPOINTS

    text = expanded((DOCS / "reference" / "http-api.md").read_text(encoding="utf-8"))
    for endpoint in ENDPOINTS:
        assert f"\n## {endpoint.path}\n" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_is_run_or_has_a_reason(language: str) -> None:
    source = (ROOT / "tests" / "test_readme.py").read_text(encoding="utf-8")
    test = {"python": "test_the_python", "sh": "test_the_commands"}[language]
    decorators = source[: source.index(f"def {test}(")].rpartition("\n\n\n")[2]
    run = set(re.findall(r'"((?:docs/[\w-]+|README)\.md)"', decorators))
    listed = {page for page, each in (*TESTED_ELSEWHERE, *NOT_RUN) if each == language}
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "README.md", *PAGES)
        if re.search(rf"^```{language}$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    assert found == run | listed
    assert not run & listed


@pytest.mark.slow
def test_the_site_builds_and_loads_nothing_from_other_sites(tmp_path: Path) -> None:
    if find_spec("sphinx") is None and "CI" not in os.environ:
        pytest.skip("Sphinx is not installed: run `make docs` first")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q"]
    done = subprocess.run(
        [*command, "-d", tmp_path / "trees", DOCS, tmp_path / "html"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    external = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^>]*")
    for page in (tmp_path / "html").rglob("*.html"):
        assert not external.search(page.read_text(encoding="utf-8")), page
    assert (tmp_path / "html" / "searchindex.js").exists()
