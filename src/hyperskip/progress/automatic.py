"""Progress that `train` and `encode` show by themselves, where there is somebody to see it.

There is a terminal or a notebook. Worker processes, logs and pipes get nothing, unless the caller
asks for it. rich is imported only if there is something to show.
"""

import multiprocessing
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hyperskip.progress.output import Lines, Output

if TYPE_CHECKING:
    from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder

Report = Callable[[Any], None]

_TO_RESUME = "to resume, call hyperskip.train with the same arguments and `resume=True`"


@contextmanager
def progress_shown(
    progress: bool | None, report: Report | None, checkpoints: "CheckpointFolder | None" = None
) -> Iterator[Report | None]:
    """Show progress in the block.

    Args:
        progress: Whether to show it; None: if there is a terminal or a notebook, and no `report`.
        report: Also called with each event.
        checkpoints: The folder of the checkpoints.

    Yields:
        What is to be called with each event.
    """
    output = _output(progress, is_reported=report is not None)
    if output is None:
        yield report
        return
    from hyperskip.progress.training import TrainingDisplay

    with TrainingDisplay(output, checkpoints=checkpoints, to_resume=_TO_RESUME) as display:
        yield display if report is None else _both(report, display)


def _both(report: Report, display: Report) -> Report:
    def call(event: Any) -> None:
        report(event)
        display(event)

    return call


def _output(progress: bool | None, *, is_reported: bool) -> Output | None:
    """Where to show progress; None: it is not shown."""
    if progress is False or (progress is None and is_reported):
        return None
    output = None
    if multiprocessing.parent_process() is None:  # workers share the terminal of their parent
        output = _notebook() or _terminal()
    return output or (Lines() if progress else None)


def _notebook() -> Output | None:
    """The notebook whose kernel runs this process, if any."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)
    if getattr(get_shell(), "kernel", None) is None:
        return None
    from hyperskip.progress.bars import NotebookBars

    return NotebookBars()


def _terminal() -> Output | None:
    """The terminal at standard error, unless another display of rich is using it."""
    try:
        is_terminal = sys.stderr.isatty()
    except (AttributeError, ValueError):  # None, closed, or any object
        return None
    if not is_terminal or hasattr(sys.stderr, "rich_proxied_file"):
        return None
    from rich.console import Console

    from hyperskip.progress.bars import TerminalBars

    console = Console(stderr=True)
    return TerminalBars(console) if console.is_terminal else None
