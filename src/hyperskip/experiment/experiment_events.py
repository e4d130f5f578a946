"""Progress events of an experiment, in addition to those of its trainings."""

from collections.abc import Callable
from dataclasses import dataclass

from hyperskip.experiment.design.grid import Run
from hyperskip.experiment.results.records import Record
from hyperskip.training.run.training_events import Progress as TrainingReport


@dataclass(frozen=True)
class Planned:
    """The runs of the experiment are known."""

    runs: int
    done: int  # finished by an earlier call
    missing: tuple[str, ...]  # evaluation sets that could not be read, and why


@dataclass(frozen=True)
class RunBegins:
    """A run begins."""

    run: Run
    number: int  # from 1
    runs: int
    seconds_left: float | None  # for this run and the following ones


@dataclass(frozen=True)
class RunEnds:
    """A run is finished, and its record is written."""

    record: Record
    number: int  # from 1
    runs: int


Progress = TrainingReport | Planned | RunBegins | RunEnds
Report = Callable[[Progress], None]
