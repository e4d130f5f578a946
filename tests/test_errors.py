"""Warnings point at the line that called hyperskip."""

import inspect
import types
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from hyperskip.errors import HyperskipWarning, warn

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
