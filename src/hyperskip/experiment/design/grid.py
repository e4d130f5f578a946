"""The grid of an experiment: every model at every dimension, number of epochs, rate and seed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hyperskip.errors import OptionError
from hyperskip.experiment.design.options import EQUAL_TIME, USUAL, ExperimentOptions, Model
from hyperskip.experiment.design.peer_programs import FIXED, PEERS
from hyperskip.geometry.names import EUCLIDEAN
from hyperskip.training.options import MOST_EPOCHS, TrainingOptions
from hyperskip.training.settled_options import SettledOptions, settled_options

HYPERSKIP = "hyperskip"
_NOT_IN_KEY = ("threads", "device")  # they change a result by chance at most


@dataclass(frozen=True)
class Run:
    """One training of the grid."""

    model: str  # the row in the tables
    options: TrainingOptions  # also for other programs, which use some of them
    program: str = HYPERSKIP
    beside: int | None = None  # for equal time: the epochs of the runs that it is compared with

    @cached_property
    def settled(self) -> SettledOptions:
        """All options, with the defaults that do not depend on the text."""
        return settled_options(self.options)

    @property
    def compared_epochs(self) -> int:
        """The epochs of the runs that it is compared with, which are its own except for equal time.

        The epochs of a run for equal time depend on how long the others took.
        """
        return self.settled.epochs if self.beside is None else self.beside

    @property
    def name(self) -> str:
        """The name of the run and its files, unique in an experiment."""
        return self._named(f"-epochs{self.compared_epochs}")

    @property
    def older_name(self) -> str:
        """The name in earlier versions, where all runs of an experiment had the same epochs."""
        return self._named("")

    def _named(self, epochs: str) -> str:
        values = self.settled
        rate = USUAL if values.rate is None else repr(values.rate)
        return f"{self.model}-d{values.dimension}{epochs}-rate{rate}-seed{values.seed}"

    def key(self) -> dict[str, Any]:
        """The options that identify the run; a record with other options is not of this run."""
        values = {
            name: value
            for name, value in self.settled.as_options(with_threads=False).items()
            if name not in _NOT_IN_KEY
        }
        return {"program": self.program} | values | {"epochs": self.compared_epochs}


def planned_runs(options: ExperimentOptions) -> list[Run]:
    """All runs except those for equal time, small dimensions first, seeds of a rate in order.

    Raises:
        OptionError: The options of a model contradict each other or those of the experiment.
    """
    return [
        run
        for dimension in options.dimensions
        for epochs in _every_epochs(options)
        for run in (
            *_model_runs(options, dimension, epochs),
            *_peer_runs(options, dimension, epochs),
        )
    ]


def _every_epochs(options: ExperimentOptions) -> list[int]:
    """The epochs of the grid, and then those that single models set themselves."""
    found = list(options.epochs)
    for model in options.chosen_models:
        found += [epochs for epochs in _epochs(options, model) if epochs not in found]
    return found


def _epochs(options: ExperimentOptions, model: Model) -> tuple[int, ...]:
    return (model.options["epochs"],) if "epochs" in model.options else options.epochs


def _model_runs(options: ExperimentOptions, dimension: int, epochs: int) -> Iterator[Run]:
    for model in options.chosen_models:
        if epochs not in _epochs(options, model):
            continue
        values = options.training_values(model) | {"dimension": dimension, "epochs": epochs}
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


def _peer_runs(options: ExperimentOptions, dimension: int, epochs: int) -> Iterator[Run]:
    if epochs not in options.epochs:
        return
    paper = options.training_values(Model("peer", preset="paper")) | {"epochs": epochs}
    for name in options.compare:
        peer = PEERS[name]
        values = FIXED | {option: paper[option] for option in peer.options if option in paper}
        for rate in options.peer_rates or (peer.rate,):
            for seed in range(1, options.seeds + 1):
                chosen = TrainingOptions(
                    geometry=EUCLIDEAN, dimension=dimension, rate=rate, seed=seed, **values
                )
                yield Run(name, chosen, program=name)


def equal_time_runs(
    runs: Iterable[Run],
    our_seconds: Mapping[tuple[int, int], float],
    their_seconds: Mapping[tuple[int, int], float],
) -> list[Run]:
    """The runs of the default model, with as many epochs as fit into fastText's time.

    Args:
        runs: All planned runs.
        our_seconds: Training time of the default model, by dimension and epochs.
        their_seconds: Training time of fastText, by dimension and epochs.
    """
    found = []
    for run in runs:
        epochs = run.settled.epochs
        place = (run.settled.dimension, epochs)
        if run.model == "default" and place in our_seconds and place in their_seconds:
            fitting = _epochs_that_fit(epochs, their_seconds[place] / our_seconds[place])
            options = replace(run.options, epochs=fitting)
            found.append(replace(run, model=EQUAL_TIME, options=options, beside=epochs))
    return found


def _epochs_that_fit(epochs: int, time_ratio: float) -> int:
    return min(max(int(epochs * time_ratio), 1), MOST_EPOCHS)
