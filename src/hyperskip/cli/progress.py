"""Progress on stderr: a bar in a terminal, a line an epoch elsewhere."""

import contextlib
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from hyperskip.cli.messages import say
from hyperskip.text.encoded import CompilingScanner, EncodingProgress
from hyperskip.text.provisional import Pruned
from hyperskip.training.progress import (
    Compiling,
    Interrupted,
    Kept,
    OnDevice,
    Resuming,
    TrainingProgress,
)
from hyperskip.training.progress import Progress as Report
from hyperskip.training.state import EpochSummary

if TYPE_CHECKING:
    from hyperskip.training.checkpoints import CheckpointFolder

EXIT_INTERRUPTED = 130


class ProgressDisplay:
    """Shows what encoding and training report; a context manager, to be passed as `report`.

    Args:
        lost: What to say is lost if the person interrupts.
        checkpoints: Where there may be checkpoints then.
        again: The command that goes on from them.
    """

    def __init__(
        self, lost: str, checkpoints: "CheckpointFolder | None" = None, again: str = ""
    ) -> None:
        self._lost = lost
        self._checkpoints = checkpoints
        self._again = again
        self._kept: Kept | None = None
        self._is_interrupted = False
        self._console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description:<8}"),
            BarColumn(bar_width=8 if self._console.width < 100 else 24),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._reading = self._progress.add_task("reading", total=None, figures="")
        self._training: Any = None

    def __enter__(self) -> "ProgressDisplay":
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._progress.stop()
        if kind is not None and issubclass(kind, KeyboardInterrupt | SystemExit):
            self._say_what_is_kept()
        if kind is KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED)

    def _say_what_is_kept(self) -> None:
        kept = self._kept
        if kept is not None:
            say(f"interrupted in epoch {kept.epoch} of {kept.epochs}: see {kept.checkpoint}")
        elif self._checkpoints is not None and self._checkpoints.files():
            say(f"interrupted: what {self._checkpoints.files()[0]} has is kept")
        else:
            say(f"interrupted: {self._lost}")
            return
        say(f"to go on: {self._again}")

    def __call__(self, report: Report) -> None:
        """Show one report, whichever kind it is; losing one ends no work."""
        with contextlib.suppress(OSError):
            self._show(report)

    def _show(self, report: Report) -> None:
        match report:
            case EncodingProgress():
                self._show_reading(report)
            case CompilingScanner():
                self._progress.update(self._reading, figures="preparing the tokeniser")
            case Pruned():
                self._say(pruned_words(report))
            case OnDevice():
                reason = "" if report.reason is None else f": {report.reason}"
                self._say(f"training on the {report.name}{reason}")
            case Compiling():
                self._finish_reading()
                self._say(
                    "preparing kernels (the first time they are compiled, which takes seconds)"
                )
            case Resuming():
                self._say(_resumed(report))
            case Interrupted():
                self._show_interruption()
            case Kept():
                self._kept = report
            case TrainingProgress():
                self._show_training(report)
            case EpochSummary():
                self._show_epoch(report)

    def _say(self, text: str) -> None:
        if self._console.is_terminal:
            self._progress.console.print(text, highlight=False, markup=False)
        else:
            say(text)

    def _show_reading(self, report: EncodingProgress) -> None:
        self._progress.update(
            self._reading,
            total=report.bytes_total,
            completed=report.bytes_read,
            figures=f"{report.tokens:,} words",
        )

    def _finish_reading(self) -> None:
        task = self._progress.tasks[self._reading]
        self._progress.update(
            self._reading, total=task.completed or 1, completed=task.completed or 1
        )

    def _show_training(self, report: TrainingProgress) -> None:
        if self._training is None:
            self._training = self._progress.add_task("training", figures="")
        self._progress.update(
            self._training,
            total=report.tokens_total,
            completed=report.tokens,
            figures=(
                f"{report.epoch}/{report.epochs} {report.words_per_second / 1000:,.0f}k words/s "
                f"rate {report.rate:.4f} loss {report.loss:.3f}"
            ),
        )

    def _show_interruption(self) -> None:
        if not self._is_interrupted:
            self._is_interrupted = True
            self._say("stopping, with a checkpoint; Ctrl-C again stops at once, without")

    def _show_epoch(self, report: EpochSummary) -> None:
        parts = [
            f"epoch {report.epoch}" + (" (burn-in)" if report.burn_in else ""),
            f"loss {report.loss:.4f}" if report.pairs else "no loss",
            f"{report.pairs:,} pairs",
            f"{report.seconds:.1f} s",
        ]
        if report.skipped:
            share = report.skipped / (report.pairs + report.skipped)
            parts.insert(3, f"{report.skipped:,} skipped ({share:.2%})")
        self._say("  ".join(parts))


def _resumed(report: Resuming) -> str:
    if report.checkpoint is None:
        return "there is no checkpoint to go on from: this is the beginning"
    if report.epoch > report.epochs:
        return f"going on from {report.checkpoint}: training is done"
    return (
        f"going on from {report.checkpoint}: epoch {report.epoch} of {report.epochs}, "
        f"{report.tokens:,} words trained"
    )


def pruned_words(pruned: Pruned) -> str:
    """What a person should know of words that were dropped while reading."""
    return (
        f"more distinct words than --vocabulary-limit: so far {pruned.words:,} rare ones were "
        f"dropped ({pruned.tokens:,} tokens; none had been seen more than "
        f"{pruned.highest_count:,} times)"
    )
