"""Progress of an experiment: a bar for all runs, and a line for each finished run."""

import time
from pathlib import Path
from typing import Any

from rich.markup import escape

from hyperskip.cli.messages import printable, say
from hyperskip.cli.progress.display import Display, device_line, pruned_line
from hyperskip.decimals import decimals
from hyperskip.experiment.experiment_events import Planned, RunBegins, RunEnds
from hyperskip.experiment.experiment_events import Progress as Report
from hyperskip.text.encoding.encoding_events import EncodingProgress, Pruned
from hyperskip.training.run.training_events import OnDevice, TrainingProgress


class ExperimentDisplay(Display):
    """Shows the progress of an experiment; the bar for reading becomes the bar for all runs.

    Args:
        folder: The folder of the experiment.
        resume_command: The command that does the missing runs.
    """

    def __init__(self, folder: Path, resume_command: str) -> None:
        self._folder = folder
        self._resume_command = resume_command
        self._done, self._runs = 0, 0
        self._said: set[str] = set()
        self._ends_at: float | None = None
        super().__init__(10)
        self._training: Any = None

    def _say_what_is_saved(self) -> None:
        if self._runs:
            say(
                f"interrupted: {self._done} of {self._runs} runs are finished and saved in "
                f"{self._folder}\nto resume: {self._resume_command}"
            )
        else:
            say("interrupted: nothing was trained")

    def _show(self, report: Report) -> None:
        match report:
            case EncodingProgress():
                self._show_reading(report)
            case Pruned():
                self._say(pruned_line(report))
            case OnDevice():
                self._say_once(device_line(report))
            case Planned():
                self._show_plan(report)
            case RunBegins():
                self._show_beginning(report)
            case TrainingProgress():
                self._show_training(report)
            case RunEnds():
                self._show_end(report)

    def _say_once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._say(text)

    def _show_plan(self, report: Planned) -> None:
        self._done, self._runs = report.done, report.runs
        for reason in report.missing:
            self._say(f"warning: skipped an evaluation set: {reason}")
        done = f", {report.done} already finished" if report.done else ""
        self._say(f"{report.runs} runs{done}")
        self._progress.update(
            self._reading, description="runs", total=report.runs, completed=report.done, figures=""
        )

    def _show_beginning(self, report: RunBegins) -> None:
        seconds = report.seconds_left
        self._ends_at = None if seconds is None else time.monotonic() + seconds
        self._progress.update(self._reading, figures=self._left())
        if self._training is not None:
            self._progress.remove_task(self._training)
        self._training = self._progress.add_task(
            "training", total=None, figures=escape(printable(report.run.name))
        )

    def _left(self) -> str:
        if self._ends_at is None or self._done == self._runs:
            return ""
        return f"about {duration(max(self._ends_at - time.monotonic(), 0.0))} left"

    def _show_training(self, report: TrainingProgress) -> None:
        self._progress.update(self._reading, figures=self._left())
        self._progress.update(self._training, total=report.tokens_total, completed=report.tokens)

    def _show_end(self, report: RunEnds) -> None:
        self._done += 1
        record = report.record
        outcome = (
            f"similarity {decimals(record.average, 3)}  analogy {decimals(record.accuracy, 3)}"
            if record.failure is None
            else record.failure
        )
        self._say(
            f"run {report.number} of {report.runs}  {record.name}  {outcome}  "
            f"{record.whole_seconds:.1f} s"
        )
        self._progress.update(self._reading, completed=self._done, figures=self._left())


def duration(seconds: float) -> str:
    """A rounded duration in seconds, minutes or hours."""
    minutes, hours = seconds / 60, seconds / 3600
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes:.0f} minutes" if minutes < 90 else f"{hours:.1f} hours"
