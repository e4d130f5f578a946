"""How long the rest of an experiment will take, from what its runs have taken."""

from collections.abc import Iterable

from hyperskip.experiment.design.grid import HYPERSKIP, Run
from hyperskip.experiment.results.records import Record

_FIXED = 35.0  # dimensions that would take as long as what does not depend on the dimension
_TIMES_SLOWER = {"pairwise": 25.0, "fasttext": 20.0}  # than the window schedule, before it is known


def weight(run: Run) -> float:
    """How much work a run is, in units that have no name."""
    kind = run.options.schedule if run.program == HYPERSKIP else run.program
    return (_FIXED + run.options.dimension) * run.options.epochs * _TIMES_SLOWER.get(kind, 1.0)


class Estimate:
    """Learns from each finished run how long a unit takes, for its model and over all."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._weights: dict[str, float] = {}

    def learn(self, run: Run, record: Record) -> None:
        """Note what a run took."""
        for name in (run.model, ""):
            self._seconds[name] = self._seconds.get(name, 0.0) + record.whole_seconds
            self._weights[name] = self._weights.get(name, 0.0) + weight(run)

    def seconds(self, runs: Iterable[Run]) -> float | None:
        """How long these runs will take; None before the first is done."""
        if "" not in self._seconds:
            return None
        return sum(weight(run) * self._unit(run.model) for run in runs)

    def _unit(self, model: str) -> float:
        name = model if model in self._seconds else ""
        return self._seconds[name] / self._weights[name]
