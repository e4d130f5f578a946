"""Progress that `train` and `encode` show by default: in terminals and notebooks.

Worker processes, logs and pipes get lines, and only if the caller asks for progress. rich is
imported only if there are bars to show.
"""

import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hyperskip.progress.messages import is_terminal
from hyperskip.progress.output import Lines, Output

if TYPE_CHECKING:
    from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder

Report = Callable[[Any], None]

_TERMINAL_LOCK = threading.Lock()  # only one training at a time has bars


@contextmanager
def progress_shown(
    progress: bool | None,
    report: Report | None,
    checkpoints: "CheckpointFolder | None" = None,
    function: str = "train",
) -> Iterator[Report | None]:
    """Show progress in the block.

    Args:
        progress: Whether to show it; None: if there is a terminal or a notebook, and no `report`.
        report: Also called with each event.
        checkpoints: The folder of the checkpoints.
        function: The function of hyperskip that was called.

    Yields:
        What is to be called with each event.
    """
    if progress is None and report is not None:
        progress = False
    with _output(progress) as output:
        if output is None:
            yield report
            return
        from hyperskip.progress.training import TrainingDisplay

        to_resume = (
            f"to resume, call hyperskip.{function} with the same arguments and `resume=True`"
        )
        with TrainingDisplay(output, checkpoints=checkpoints, to_resume=to_resume) as display:
            yield display if report is None else _both(report, display)


@contextmanager
def download_shown(what: str) -> Iterator[Report]:
    """Show the progress of a download in the block; yields what is to be called with it."""
    from hyperskip.progress.display import DownloadDisplay

    with _output(True) as output:
        shown = output or Lines()
        shown.say(f"downloading {what}")
        with DownloadDisplay(shown) as display:
            yield display


def _both(report: Report, display: Report) -> Report:
    def call(event: Any) -> None:
        report(event)
        display(event)

    return call


@contextmanager
def _output(progress: bool | None) -> Iterator[Output | None]:
    """Choose where progress is shown in the block; None: it is not shown."""
    lines = Lines() if progress else None
    is_worker = multiprocessing.parent_process() is not None  # it shares the parent's terminal
    if progress is False or is_worker:
        yield lines
    elif (notebook := _notebook()) is not None:
        yield notebook
    elif _TERMINAL_LOCK.acquire(blocking=False):
        try:
            yield _terminal() or lines
        finally:
            _TERMINAL_LOCK.release()
    else:
        yield lines


def _notebook() -> Output | None:
    """The notebook whose kernel runs this process, if any."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)
    shell = get_shell()
    if getattr(shell, "kernel", None) is None:
        return None
    if type(shell).__module__.startswith("spyder_kernels"):
        return Lines()  # the console of Spyder cannot replace an output
    from hyperskip.progress.bars import NotebookBars

    return NotebookBars()


def _terminal() -> Output | None:
    """The terminal at standard error, unless another display of rich is using it."""
    if not is_terminal(sys.stderr) or hasattr(sys.stderr, "rich_proxied_file"):
        return None
    from rich.console import Console

    from hyperskip.progress.bars import TerminalBars

    console = Console(stderr=True)
    return TerminalBars(console) if console.is_terminal else None
