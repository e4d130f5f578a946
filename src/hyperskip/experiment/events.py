"""What an experiment reports on its way, beside what its trainings report."""

from collections.abc import Callable
from dataclasses import dataclass

from hyperskip.experiment.design.grid import Run
from hyperskip.experiment.results.records import Record
from hyperskip.training.run.events import Progress as TrainingReport


@dataclass(frozen=True)
class Planned:
    """Progress: what there is to do."""

    runs: int
    done: int  # by an earlier call
    missing: tuple[str, ...]  # evaluation sets that are not at hand, and why


@dataclass(frozen=True)
class RunBegins:
    """Progress: a run begins."""

    run: Run
    number: int  # from 1
    runs: int
    seconds_left: float | None  # for this run and all after it


@dataclass(frozen=True)
class RunEnds:
    """Progress: a run is done, and its record is kept."""

    record: Record
    number: int  # from 1
    runs: int


Progress = TrainingReport | Planned | RunBegins | RunEnds
Report = Callable[[Progress], None]
