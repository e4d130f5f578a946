"""The paper's experiments: train a grid of models, choose the best of each, write a report."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperskip.experiment.design.options import ExperimentOptions, Model
    from hyperskip.experiment.experiment import Experiment, run_experiment

# Loaded when first used, as in the package itself.
_HOMES = {
    "Experiment": "experiment",
    "ExperimentOptions": "design.options",
    "Model": "design.options",
    "run_experiment": "experiment",
}

__all__ = ["Experiment", "ExperimentOptions", "Model", "run_experiment"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hyperskip.experiment' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"hyperskip.experiment.{_HOMES[name]}"), name)
