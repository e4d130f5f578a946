"""What is to be run: every model at every dimension, rate and seed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hyperskip.errors import OptionError
from hyperskip.experiment.design.options import (
    EQUAL_TIME,
    FASTTEXT,
    USUAL,
    ExperimentOptions,
    Model,
)
from hyperskip.training.options import EUCLIDEAN, TrainingOptions

HYPERSKIP = "hyperskip"
# What a run's result does not depend on, or only by chance.
_NO_MATTER = ("threads", "device")
_MOST_EPOCHS = 100_000


@dataclass(frozen=True)
class Run:
    """One training, to be done or done."""

    model: str  # the row
    options: TrainingOptions  # also what fastText is asked for
    program: str = HYPERSKIP

    @property
    def name(self) -> str:
        """Of its files; no two runs of an experiment share it."""
        rate = USUAL if self.options.rate is None else repr(self.options.rate)
        return f"{self.model}-d{self.options.dimension}-rate{rate}-seed{self.options.seed}"

    def key(self) -> dict[str, Any]:
        """What it was asked for: a record with another key is of another experiment."""
        values = {
            name: value
            for name, value in self.options.as_dict().items()
            if name not in _NO_MATTER and not (self.model == EQUAL_TIME and name == "epochs")
        }
        return {"program": self.program} | values


def planned_runs(options: ExperimentOptions) -> list[Run]:
    """All runs that are known beforehand, small dimensions first; seeds of a rate stay together.

    Raises:
        OptionError: A model's options contradict each other, or those of the experiment.
    """
    return [
        run
        for dimension in options.dimensions
        for run in (*_our_runs(options, dimension), *_peer_runs(options, dimension))
    ]


def _our_runs(options: ExperimentOptions, dimension: int) -> Iterator[Run]:
    for model in options.chosen_models:
        values = options.training_values(model) | {"dimension": dimension}
        for rate in _rates(options, model):
            for seed in range(1, options.seeds + 1):
                try:
                    chosen = TrainingOptions(**values | {"rate": rate, "seed": seed})
                except OptionError as error:
                    error.args = (f"the model {model.name}: {error.message}",)
                    error.message = error.args[0]
                    error.hint = (
                        "choose other --models, or give an option to one model only: --model "
                        f"NAME:OPTION=VALUE ({error.hint})"
                    )
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
                asked = TrainingOptions(
                    geometry=EUCLIDEAN, dimension=dimension, rate=rate, seed=seed, **values
                )
                yield Run(peer, asked, program=FASTTEXT)


def equal_time_runs(
    runs: Iterable[Run], our_seconds: dict[int, float], their_seconds: dict[int, float]
) -> list[Run]:
    """The default model's runs, each with as many epochs as fit into the time of fastText.

    Args:
        runs: All planned ones.
        our_seconds: By dimension, how long the default model was trained.
        their_seconds: By dimension, how long fastText was.
    """
    return [
        replace(
            run,
            model=EQUAL_TIME,
            options=replace(
                run.options,
                epochs=_fitting_epochs(
                    run.options.epochs,
                    their_seconds[run.options.dimension] / our_seconds[run.options.dimension],
                ),
            ),
        )
        for run in runs
        if run.model == "default"
        and run.options.dimension in our_seconds
        and run.options.dimension in their_seconds
    ]


def _fitting_epochs(epochs: int, times: float) -> int:
    return min(max(int(epochs * times), 1), _MOST_EPOCHS)
