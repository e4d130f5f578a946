"""Which run of each model and dimension the tables show, and means over seeds.

As the paper does: of all rates, the one with the highest weighted average of similarity, by its
measure; all else is shown for those same vectors. Over several seeds, the mean is compared.
"""

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hyperskip.experiment.results.records import Record

Value = Callable[[Record], float | None]


@dataclass(frozen=True)
class Spread:
    """Values of several seeds."""

    values: tuple[float, ...]  # at least one

    @property
    def mean(self) -> float:
        """Of all."""
        return statistics.fmean(self.values)

    @property
    def deviation(self) -> float:
        """How far they lie from the mean; 0 for a single one."""
        return statistics.stdev(self.values) if len(self.values) > 1 else 0.0

    def shown(self, form: str = ".3f") -> str:
        """The mean; with the range of two, with the standard deviation of more."""
        mean = format(self.mean, form)
        if len(self.values) == 1:
            return mean
        if len(self.values) == 2:
            return f"{mean} ({min(self.values):{form}} to {max(self.values):{form}})"
        return f"{mean} ± {self.deviation:{form}}"


def spread(records: Iterable[Record], value: Value) -> Spread | None:
    """A value over some records; None where none of them has it."""
    found = tuple(number for record in records if (number := value(record)) is not None)
    return Spread(found) if found else None


@dataclass(frozen=True)
class Choice:
    """The runs that stand for a model in a dimension: the seeds of the best rate."""

    model: str
    dimension: int
    records: tuple[Record, ...]  # none failed, and there is at least one

    @property
    def rate(self) -> float | None:
        """That they were trained at."""
        return self.records[0].rate

    @property
    def is_flat(self) -> bool:
        """Whether both routes of an analogy are the same."""
        return self.records[0].is_flat

    def spread(self, value: Value) -> Spread | None:
        """A value over its seeds."""
        return spread(self.records, value)


def judged_by(record: Record) -> float | None:
    """What a run is chosen by: similarity, or analogies where it says nothing."""
    return record.accuracy if record.average is None else record.average


def by_rate(records: Iterable[Record]) -> dict[float | None, list[Record]]:
    """The runs of one model and dimension, by the rate that was asked for; None is the usual."""
    groups: dict[float | None, list[Record]] = {}
    for record in records:
        groups.setdefault(record.asked.get("rate"), []).append(record)
    return groups


def best_rate(groups: dict[float | None, list[Record]]) -> list[Record] | None:
    """The runs of the best rate; of equal ones the first. A rate of which a run failed is out."""
    usable = [group for group in groups.values() if not any(run.failure for run in group)]
    return max(usable, key=_merit, default=None)


def _merit(records: list[Record]) -> float:
    found = spread(records, judged_by)
    return -math.inf if found is None else found.mean


def choices(records: Sequence[Record]) -> list[Choice]:
    """The choice for each dimension and model that has one, in the order of the records."""
    groups: dict[tuple[int, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.dimension, record.model), []).append(record)
    chosen = []
    for (dimension, model), group in groups.items():
        best = best_rate(by_rate(group))
        if best:
            chosen.append(Choice(model, dimension, tuple(best)))
    return chosen
