"""The parameters before training."""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry import hyperboloid
from hyperskip.training import cpu
from hyperskip.training.options import HYPERBOLOID, TrainingOptions


def initial_layers(words: int, options: TrainingOptions) -> cpu.Layers:
    """Random layers for so many words, rows padded with zeros for the kernel."""
    generator = np.random.default_rng(options.seed)
    hyperbolic = options.geometry == HYPERBOLOID
    centres = _padded(_random_positions(generator, words, options))
    contexts = centres
    if not options.tied:
        # On the hyperboloid the second layer starts like the first; in flat space at 0, where
        # skip-gram has always started it.
        second = _random_positions(generator, words, options)
        contexts = _padded(second if hyperbolic else np.zeros_like(second))
    centre_times = _times(centres, hyperbolic)
    context_times = centre_times if options.tied else _times(contexts, hyperbolic)
    theta = np.array([options.theta if hyperbolic else 0.0], dtype=np.float64)
    return cpu.Layers(centres, centre_times, contexts, context_times, theta)


def _random_positions(
    generator: np.random.Generator, words: int, options: TrainingOptions
) -> npt.NDArray[np.float64]:  # (words, dimension)
    shape = (words, options.dimension)
    if options.initial_deviation is None:
        return generator.uniform(-1.0, 1.0, shape) / options.dimension  # as fastText does
    if options.geometry == HYPERBOLOID:
        deviation = options.initial_deviation
        points = hyperboloid.random_points(generator, words, options.dimension, deviation)
        return points[:, :-1]
    return generator.normal(0.0, options.initial_deviation, shape)


def _padded(coordinates: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    words, dimension = coordinates.shape
    row = -(-dimension // cpu.ROW_MULTIPLE) * cpu.ROW_MULTIPLE
    rows = np.zeros((words, row), dtype=np.float32)
    rows[:, :dimension] = coordinates
    return rows


def _times(rows: npt.NDArray[np.float32], hyperbolic: bool) -> npt.NDArray[np.float32]:
    square = np.einsum("wd,wd->w", rows, rows, dtype=np.float64)
    return np.asarray(np.sqrt(square + (1.0 if hyperbolic else 0.0)), dtype=np.float32)
