"""The parameters before training."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.geometry import hyperboloid
from hyperskip.training.options import HYPERBOLOID, TrainingOptions

Floats = npt.NDArray[np.floating[Any]]


class Parameters(NamedTuple):
    """What is learned, as plain numbers; each backend lays it out in memory as it likes."""

    centers: Floats  # (words, dimension): spatial coordinates, one factor behind the other
    contexts: Floats | None  # the same; None where they are tied to the centers
    theta: float
    # (layers, words, factors): time coordinates as kernels rounded them, to go on to the bit; None:
    # derived
    times: Floats | None = None


def initial_parameters(words: int, options: TrainingOptions) -> Parameters:
    """Random parameters for so many words."""
    generator = np.random.default_rng(options.seed)
    hyperbolic = options.geometry == HYPERBOLOID
    centers = _random_positions(generator, words, options)
    contexts = None
    if not options.tied:
        # On the hyperboloid the second layer starts like the first; in flat space at 0, where
        # skip-gram has always started it.
        second = _random_positions(generator, words, options)
        contexts = second if hyperbolic else np.zeros_like(second)
    return Parameters(centers, contexts, options.theta or 0.0)


def _random_positions(
    generator: np.random.Generator, words: int, options: TrainingOptions
) -> Floats:  # (words, dimension)
    shape = (words, options.dimension)
    if options.initial_deviation is None:
        return generator.uniform(-1.0, 1.0, shape) / options.dimension  # as fastText does
    if options.geometry == HYPERBOLOID:
        points = hyperboloid.random_points(
            generator,
            words * options.factors,
            options.factor_dimension,
            options.initial_deviation,
        )
        return points[:, :-1].reshape(shape)
    return generator.normal(0.0, options.initial_deviation, shape)
