"""Progress of encoding and training: bars in a terminal, and a line for each epoch."""

from typing import TYPE_CHECKING, Any

from rich.progress import TextColumn, TimeRemainingColumn

from hyperskip.cli.messages import say
from hyperskip.cli.progress.cluster import ClusterLines, cluster_line, node_line
from hyperskip.cli.progress.display import Display, device_line, pruned_line
from hyperskip.text.encoding.encoding_events import CompilingScanner, EncodingProgress, Pruned
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import (
    ClusterProgress,
    Compiling,
    Interrupted,
    NodeJoined,
    NodeLost,
    NodeRefused,
    OnCluster,
    OnDevice,
    Resuming,
    Stopped,
    TrainingProgress,
)
from hyperskip.training.run.training_events import Progress as Report

if TYPE_CHECKING:
    from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder


class TrainingDisplay(Display):
    """Shows the progress of encoding and training.

    Args:
        lost: What to say after an interruption if there is no checkpoint.
        checkpoints: The folder of the checkpoints.
        resume_command: The command that resumes from a checkpoint.
    """

    def __init__(
        self, lost: str, checkpoints: "CheckpointFolder | None" = None, resume_command: str = ""
    ) -> None:
        self._lost = lost
        self._checkpoints = checkpoints
        self._resume_command = resume_command
        self._stopped: Stopped | None = None
        self._is_interrupted = False
        super().__init__(8, TimeRemainingColumn(), TextColumn("left"))
        self._training: Any = None
        self._cluster_lines = ClusterLines()

    def _say_what_is_saved(self) -> None:
        stopped = self._stopped
        if stopped is not None:
            say(f"interrupted in epoch {stopped.epoch} of {stopped.epochs}")
            say(f"saved {stopped.checkpoint}")
        elif self._checkpoints is not None and self._checkpoints.files():
            say(f"interrupted; the last checkpoint is {self._checkpoints.files()[0]}")
        else:
            say(f"interrupted: {self._lost}")
            return
        say(f"to resume: {self._resume_command}")

    def _show(self, report: Report) -> None:
        match report:
            case EncodingProgress():
                self._show_reading(report)
            case CompilingScanner():
                self._progress.update(self._reading, figures="preparing the tokenizer")
            case Pruned():
                self._say(pruned_line(report))
            case OnCluster() | NodeJoined() | NodeLost() | NodeRefused():
                self._say(node_line(report))
            case OnDevice():
                self._say(device_line(report))
            case Compiling():
                self._finish_reading()
                self._say("preparing kernels (the first time, compiling takes some seconds)")
            case Resuming():
                self._say(_resuming_line(report))
            case Interrupted():
                self._show_interruption()
            case Stopped():
                self._stopped = report
            case TrainingProgress():
                self._show_training(report)
            case EpochSummary():
                self._show_epoch(report)

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

        if report.cluster is not None:
            self._show_cluster(report.cluster)

    def _show_cluster(self, cluster: ClusterProgress) -> None:
        self._progress.line = cluster_line(cluster)
        line = self._cluster_lines.due(cluster)
        if line is not None and not self._console.is_terminal:
            self._say(line)

    def _show_interruption(self) -> None:
        if not self._is_interrupted:
            self._is_interrupted = True
            self._say("writing a checkpoint (press Ctrl-C again to stop without one)")

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
        line = self._cluster_lines.newest()
        if line is not None:
            self._say(f"  {line}")


def _resuming_line(report: Resuming) -> str:
    if report.checkpoint is None:
        return "no checkpoint found: starting from the beginning"
    if report.epoch > report.epochs:
        return f"resuming from {report.checkpoint}: training is finished"
    return (
        f"resuming from {report.checkpoint}: epoch {report.epoch} of {report.epochs}, "
        f"{report.tokens:,} words done"
    )
