"""The choice of the best rate for each model, dimension and epochs, and means over seeds.

As in the paper, the best rate has the highest weighted average of similarity scores, by the paper's
measure. The tables show every other score for the same vectors. With several seeds, means are
compared.
"""

import math
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hyperskip.experiment.design.options import EQUAL_TIME
from hyperskip.experiment.results.records import Record

Value = Callable[[Record], float | None]


@dataclass(frozen=True)
class Spread:
    """The values of one score, one for each seed."""

    values: tuple[float, ...]  # at least one

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return statistics.fmean(self.values)

    @property
    def deviation(self) -> float:
        """The standard deviation; 0 for a single value."""
        return statistics.stdev(self.values) if len(self.values) > 1 else 0.0

    def formatted(self, form: str = ".3f") -> str:
        """The mean, with the range of two values or the standard deviation of more."""
        mean = format(self.mean, form)
        if len(self.values) == 1:
            return mean
        if len(self.values) == 2:
            return f"{mean} ({min(self.values):{form}} to {max(self.values):{form}})"
        return f"{mean} ± {self.deviation:{form}}"


def spread(records: Iterable[Record], value: Value) -> Spread | None:
    """The values of some records, or None if no record has one."""
    found = tuple(number for record in records if (number := value(record)) is not None)
    return Spread(found) if found else None


@dataclass(frozen=True)
class Choice:
    """The runs of a model, dimension and epochs that the tables show: those of the best rate."""

    model: str
    dimension: int
    epochs: int  # of all models that it is compared with
    records: tuple[Record, ...]  # one for each seed, and none failed

    @property
    def rate(self) -> float | None:
        """The chosen rate."""
        return self.records[0].rate

    def competes_with(self, other: "Choice") -> bool:
        """Whether the better of the two leads: both have the same dimension and epochs.

        The runs for equal time have other epochs than their rivals, and compete with nobody.
        """
        places = {(each.dimension, each.epochs) for each in (self, other)}
        return len(places) == 1 and EQUAL_TIME not in (self.model, other.model)

    @property
    def is_flat(self) -> bool:
        """Whether the vectors are Euclidean, where both routes of an analogy are the same."""
        return self.records[0].is_flat

    def spread(self, value: Value) -> Spread | None:
        """A value over the seeds."""
        return spread(self.records, value)


def selection_score(record: Record) -> float | None:
    """The score that rates are chosen by: similarity, or analogies without a similarity set."""
    return record.accuracy if record.average is None else record.average


def by_rate(records: Iterable[Record]) -> dict[float | None, list[Record]]:
    """Runs of one place in the tables, grouped by their rate option; None is the usual rate."""
    groups: dict[float | None, list[Record]] = {}
    for record in records:
        groups.setdefault(record.asked.get("rate"), []).append(record)
    return groups


def runs_at_best_rate(groups: dict[float | None, list[Record]]) -> list[Record] | None:
    """The runs at the best rate, the first of equals; rates with a failed run are ignored."""
    usable = [group for group in groups.values() if not any(run.failure for run in group)]
    return max(usable, key=_mean_selection_score, default=None)


def _mean_selection_score(records: list[Record]) -> float:
    found = spread(records, selection_score)
    return -math.inf if found is None else found.mean


def by_place(records: Iterable[Record]) -> dict[tuple[int, int, str], list[Record]]:
    """Runs by dimension, epochs and model, in the order of the tables.

    Models that are compared with each other stand together, also if one of them was trained last.
    """
    groups: dict[tuple[int, int], dict[str, list[Record]]] = {}
    for record in records:
        dimension, epochs, model = record.place
        groups.setdefault((dimension, epochs), {}).setdefault(model, []).append(record)
    return {
        (dimension, epochs, model): group
        for (dimension, epochs), models in groups.items()
        for model, group in models.items()
    }


def models_at_an_end(records: Iterable[Record], chosen: Iterable[Choice]) -> list[str]:
    """The models whose best rate is the highest or the lowest of several that were tried."""
    groups = by_place(records)
    found = []
    for choice in chosen:
        first = choice.records[0]
        rates = [rate for rate in by_rate(groups[first.place]) if rate is not None]
        if len(rates) > 1 and first.asked.get("rate") in (min(rates), max(rates)):
            found.append(choice.model)
    return list(dict.fromkeys(found))


def choices(records: Iterable[Record]) -> list[Choice]:
    """Choose the best rate of each dimension, number of epochs and model.

    A model whose runs failed at every rate has no choice.
    """
    return [
        Choice(model, dimension, epochs, tuple(best))
        for (dimension, epochs, model), group in by_place(records).items()
        if (best := runs_at_best_rate(by_rate(group)))
    ]
