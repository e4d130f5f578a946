"""Progress of an experiment: a bar for all runs, and a line for each finished run."""

import time
from pathlib import Path

from hyperskip.decimals import decimals
from hyperskip.experiment.experiment_events import Planned, RunBegins, RunEnds
from hyperskip.experiment.experiment_events import Progress as Report
from hyperskip.progress.display import Display, device_line, pruned_line
from hyperskip.progress.output import Output
from hyperskip.text.encoding.encoding_events import EncodingProgress, Pruned
from hyperskip.training.run.training_events import OnDevice, TrainingProgress

_READING, _RUNS, _TRAINING = "reading", "runs", "training"  # the bars


class ExperimentDisplay(Display):
    """Shows the progress of an experiment; the bar for reading is replaced by one for all runs.

    Args:
        output: Where progress is shown.
        folder: The folder of the experiment.
        resume_command: The command that does the missing runs.
    """

    def __init__(self, output: Output, folder: Path, resume_command: str) -> None:
        super().__init__(output)
        self._folder = folder
        self._resume_command = resume_command
        self._done, self._runs = 0, 0
        self._run_name = ""
        self._said: set[str] = set()
        self._ends_at: float | None = None

    def _say_what_is_saved(self) -> None:
        if self._runs:
            self._output.say(
                f"interrupted: {self._done} of {self._runs} runs are finished and saved in "
                f"{self._folder}\nto resume: {self._resume_command}"
            )
        else:
            self._output.say("interrupted: nothing was trained")

    def _show(self, report: Report) -> None:
        match report:
            case EncodingProgress():
                figures = f"{report.tokens:,} words"
                self._output.update(_READING, report.bytes_read, report.bytes_total, figures)
            case Pruned():
                self._output.say(pruned_line(report))
            case OnDevice():
                self._say_once(device_line(report))
            case Planned():
                self._show_plan(report)
            case RunBegins():
                self._show_beginning(report)
            case TrainingProgress():
                self._show_runs()
                self._output.update(
                    _TRAINING, report.tokens, report.tokens_total, self._run_name, timed=False
                )
            case RunEnds():
                self._show_end(report)

    def _say_once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._output.say(text)

    def _show_plan(self, report: Planned) -> None:
        self._done, self._runs = report.done, report.runs
        for reason in report.missing:
            self._output.say(f"warning: skipped an evaluation set: {reason}")
        done = f", {report.done} already finished" if report.done else ""
        self._output.say(f"{report.runs} runs{done}")
        self._output.remove(_READING)
        self._show_runs()

    def _show_beginning(self, report: RunBegins) -> None:
        seconds = report.seconds_left
        self._ends_at = None if seconds is None else time.monotonic() + seconds
        self._run_name = report.run.name
        self._show_runs()
        self._output.remove(_TRAINING)
        self._output.update(_TRAINING, 0, None, self._run_name, timed=False)

    def _show_runs(self) -> None:
        left = ""
        if self._ends_at is not None and self._done < self._runs:
            left = f"about {duration(max(self._ends_at - time.monotonic(), 0.0))} left"
        self._output.update(_RUNS, self._done, self._runs, left, timed=False)

    def _show_end(self, report: RunEnds) -> None:
        self._done += 1
        record = report.record
        outcome = (
            f"similarity {decimals(record.average, 3)}  analogy {decimals(record.accuracy, 3)}"
            if record.failure is None
            else record.failure
        )
        self._output.say(
            f"run {report.number} of {report.runs}  {record.name}  {outcome}  "
            f"{record.whole_seconds:.1f} s"
        )
        self._show_runs()


def duration(seconds: float) -> str:
    """A rounded duration in seconds, minutes or hours."""
    minutes, hours = seconds / 60, seconds / 3600
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes:.0f} minutes" if minutes < 90 else f"{hours:.1f} hours"
