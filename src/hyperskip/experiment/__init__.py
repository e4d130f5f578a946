"""The paper's experiments: train a grid of models, choose the best of each, write a report."""

from typing import TYPE_CHECKING

from hyperskip.public_names import import_public

if TYPE_CHECKING:
    from hyperskip.experiment.design.options import ExperimentOptions, Model
    from hyperskip.experiment.experiment import Experiment, run_experiment

# Loaded when first used, as in the package itself.
_MODULES = {
    "Experiment": "experiment",
    "ExperimentOptions": "design.options",
    "Model": "design.options",
    "run_experiment": "experiment",
}

__all__ = ["Experiment", "ExperimentOptions", "Model", "run_experiment"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    return import_public(name, __name__, _MODULES)
