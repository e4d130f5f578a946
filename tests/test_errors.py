"""Errors name the page that explains them; warnings point at the line that called hyperskip."""

import ast
import inspect
import re
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from program import Program
from reference_text import ROOT_PAGES, expanded
from test_prose import anchors

import hyperskip
from hyperskip import errors
from hyperskip.cli.main import PAGES, app
from hyperskip.documentation import DOCUMENTATION
from hyperskip.errors import HyperskipWarning, warn

PACKAGE = Path(hyperskip.__file__).parent
DOCS = Path(__file__).parent.parent / "docs"

WARNS = "def warns():\n    warn('poor', HyperskipWarning)\n"
CALLS = "def calls(inner):\n    inner()\n"


def compiled(source: str, function: str, **names: Any) -> Callable[..., None]:
    """A function of a module with these names, such as its `__name__`."""
    module = {"warn": warn, "HyperskipWarning": HyperskipWarning, **names}
    exec(compile(source, f"<{names.get('__name__')}>", "exec"), module)
    return module[function]  # type: ignore[no-any-return]


def warned_at(call: Callable[[], None]) -> tuple[str, int]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    (warning,) = caught
    assert warning.category is HyperskipWarning
    return warning.filename, warning.lineno


def here() -> int:
    frame = inspect.currentframe()
    assert isinstance(frame, types.FrameType)
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_a_warning_points_at_the_caller_of_the_outermost_function() -> None:
    inner = compiled(WARNS, "warns", __name__="hyperskip.inner")
    between = compiled(CALLS, "calls", __name__="contextlib")
    outer = compiled(CALLS, "calls", __name__="hyperskip.outer")
    lines = []

    def user() -> None:
        lines.append(here() + 1)
        outer(lambda: between(inner))

    assert warned_at(user) == (__file__, lines[0])


def test_a_warning_of_an_estimator_points_at_the_line_that_called_scikit_learn() -> None:
    inner = compiled(WARNS, "warns", __name__="hyperskip.learn")
    scikit_learn = compiled(CALLS, "calls", __name__="sklearn.pipeline")
    lines = []

    def user() -> None:
        lines.append(here() + 1)
        scikit_learn(inner)

    assert warned_at(user) == (__file__, lines[0])


def test_a_warning_inside_of_a_context_manager_points_at_the_caller() -> None:
    source = "def enters(manager):\n    with manager():\n        pass\n"
    enters = compiled(source, "enters", __name__="hyperskip.enters")
    manager = compiled(
        "@contextmanager\ndef manager():\n    warn('poor', HyperskipWarning)\n    yield\n",
        "manager",
        __name__="hyperskip.manager",
        contextmanager=contextmanager,
    )
    lines = []

    def user() -> None:
        lines.append(here() + 1)
        enters(manager)

    assert warned_at(user) == (__file__, lines[0])


def test_a_caller_without_a_module_name_gets_the_warning() -> None:
    inner = compiled(WARNS, "warns", __name__="hyperskip.inner")
    module: dict[str, Any] = {"inner": inner, "__builtins__": {}}
    code = compile("inner()", "<nameless>", "exec")
    assert warned_at(lambda: exec(code, module)) == ("<nameless>", 1)


def pages_in(tree: ast.AST) -> Iterator[str]:
    """The pages that calls and classes name."""
    for node in ast.walk(tree):
        named: list[ast.expr] = []
        if isinstance(node, ast.Call):
            named = [keyword.value for keyword in node.keywords if keyword.arg == "page"]
        elif isinstance(node, ast.Assign):
            names_page = re.fullmatch(r"explained_on|\w+_PAGE", ast.unparse(node.targets[0]))
            named = [node.value] if names_page else []
        for value in named:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value


def all_pages() -> list[str]:
    sources = (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    named = {page for source in sources for page in pages_in(ast.parse(source))}
    assert len(named) > 10
    return sorted(named | set(PAGES.values()))


@pytest.mark.parametrize("page", all_pages())
def test_every_page_that_is_named_exists(page: str) -> None:
    name, _, anchor = page.partition("#")
    assert name.endswith(".html")
    page_file = f"{name.removesuffix('.html')}.md"
    roots = {shown: DOCS.parent / document for document, shown in ROOT_PAGES.items()}
    document = roots.get(page_file, DOCS / page_file)
    assert document.is_file()
    assert not anchor or anchor in anchors(document) | sections_of_reference(document)


def sections_of_reference(document: Path) -> set[str]:
    """The anchors of the sections of a page that is generated, such as those of commands."""
    return set(re.findall(r"(?m)^## ([\w-]+)$", expanded(document.read_text(encoding="utf-8"))))


def test_every_command_has_a_page() -> None:
    names = (
        each.name or getattr(each.callback, "__name__", "") for each in app.registered_commands
    )
    assert set(PAGES) == {name.replace("_", "-") for name in names}


def test_an_error_has_the_address_of_the_page() -> None:
    assert errors.HyperskipError("a message").page is None
    error = errors.GraphError("a message", hint="a hint")
    assert error.page == f"{DOCUMENTATION}graphs.html"
    assert str(error) == "a message\nhint: a hint"
    shown = "".join(traceback.format_exception(error))
    assert shown.endswith(f"a message\nhint: a hint\nsee: {error.page}\n")
    other = errors.GraphError("a message", page="training.html#input")
    assert other.page == f"{DOCUMENTATION}training.html#input"


def test_the_command_line_shows_the_page(program: Program, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("a text")
    model, none = tmp_path / "model.safetensors", tmp_path / "none"
    pages = {
        ("neighbors", none, "dog"): "using.html",
        ("neighbors", "smal", "dog"): "pretrained.html",
        ("graph", none, "-o", model): "graphs.html#what-can-be-read",
        ("evaluate", "small", "--edges", none): "graphs.html#what-can-be-read",
        ("train", none, "-o", model): "training.html#input",
        # Errors without a page of their own have that of the command.
        ("train", tmp_path / "corpus.txt", "-o", model, "--dimension", 0): (
            "reference/commands.html#train"
        ),
    }
    for arguments, page in pages.items():
        *_, hint, last = program(*arguments).err.splitlines()
        assert hint.startswith("hint: ")
        assert last == f"see: {DOCUMENTATION}{page}"


def test_wrong_lines_link_to_the_reference(program: Program) -> None:
    reference = f"see: {DOCUMENTATION}reference/commands.html"
    for line, anchor in (
        (["train", "corpus.txt"], "#train"),  # without --output
        (["is-a", "small"], "#is-a"),
        (["train", "corpus.txt", "--nothing"], "#train"),
        (["trian"], ""),
        (["--nothing"], ""),
    ):
        result = program(*line)
        assert result.code == 2
        assert result.err.splitlines()[-1] == reference + anchor
    assert "see:" not in program("train", "--help").err
