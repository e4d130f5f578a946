"""The grid of an experiment: every model at every dimension, rate and seed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hyperskip.errors import OptionError
from hyperskip.experiment.design.options import (
    EQUAL_TIME,
    FASTTEXT,
    USUAL,
    ExperimentOptions,
    Model,
)
from hyperskip.geometry.names import EUCLIDEAN
from hyperskip.training.options import MOST_EPOCHS, TrainingOptions
from hyperskip.training.settled_options import SettledOptions, settled_options

HYPERSKIP = "hyperskip"
_NOT_IN_KEY = ("threads", "device")  # they change a result by chance at most


@dataclass(frozen=True)
class Run:
    """One training of the grid."""

    model: str  # the row in the tables
    options: TrainingOptions  # also for fastText, which uses some of them
    program: str = HYPERSKIP

    @cached_property
    def settled(self) -> SettledOptions:
        """All options, with the defaults that do not depend on the text."""
        return settled_options(self.options)

    @property
    def name(self) -> str:
        """The name of the run and its files, unique in an experiment."""
        values = self.settled
        rate = USUAL if values.rate is None else repr(values.rate)
        return f"{self.model}-d{values.dimension}-rate{rate}-seed{values.seed}"

    def key(self) -> dict[str, Any]:
        """The options that identify the run; a record with other options is not of this run."""
        values = {
            name: value
            for name, value in self.settled.as_options(with_threads=False).items()
            if name not in _NOT_IN_KEY and not (self.model == EQUAL_TIME and name == "epochs")
        }
        return {"program": self.program} | values


def planned_runs(options: ExperimentOptions) -> list[Run]:
    """All runs except those for equal time, small dimensions first, seeds of a rate in order.

    Raises:
        OptionError: The options of a model contradict each other or those of the experiment.
    """
    return [
        run
        for dimension in options.dimensions
        for run in (*_model_runs(options, dimension), *_peer_runs(options, dimension))
    ]


def _model_runs(options: ExperimentOptions, dimension: int) -> Iterator[Run]:
    for model in options.chosen_models:
        values = options.training_values(model) | {"dimension": dimension}
        for rate in _rates(options, model):
            for seed in range(1, options.seeds + 1):
                try:
                    chosen = TrainingOptions(**values | {"rate": rate, "seed": seed})
                except OptionError as error:
                    error.args = (f"the model {model.name}: {error.message}",)
                    error.message = error.args[0]
                    advice = "choose other `models`, or set the option for a single model"
                    error.hint = f"{error.hint}; or {advice}" if error.hint else advice
                    raise
                yield Run(model.name, chosen)


def _rates(options: ExperimentOptions, model: Model) -> tuple[float | None, ...]:
    if model.rate is None:
        return options.rates
    return (None,) if isinstance(model.rate, str) else (model.rate,)


def _peer_runs(options: ExperimentOptions, dimension: int) -> Iterator[Run]:
    names = ("window", "negatives", "subsample", "epochs", "threads")
    paper = options.training_values(Model("peer", preset="paper"))
    values = {name: paper[name] for name in names if name in paper}
    for peer in options.compare:
        for rate in options.rates:
            for seed in range(1, options.seeds + 1):
                chosen = TrainingOptions(
                    geometry=EUCLIDEAN, dimension=dimension, rate=rate, seed=seed, **values
                )
                yield Run(peer, chosen, program=FASTTEXT)


def equal_time_runs(
    runs: Iterable[Run], our_seconds: dict[int, float], their_seconds: dict[int, float]
) -> list[Run]:
    """The runs of the default model, with as many epochs as fit into fastText's time.

    Args:
        runs: All planned runs.
        our_seconds: Training time of the default model, by dimension.
        their_seconds: Training time of fastText, by dimension.
    """
    return [
        replace(
            run,
            model=EQUAL_TIME,
            options=replace(
                run.options,
                epochs=_epochs_that_fit(
                    run.settled.epochs,
                    their_seconds[run.settled.dimension] / our_seconds[run.settled.dimension],
                ),
            ),
        )
        for run in runs
        if run.model == "default"
        and run.settled.dimension in our_seconds
        and run.settled.dimension in their_seconds
    ]


def _epochs_that_fit(epochs: int, time_ratio: float) -> int:
    return min(max(int(epochs * time_ratio), 1), MOST_EPOCHS)
