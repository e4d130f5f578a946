"""Random parameters to start from."""

import numpy as np

from hyperskip.geometry.arrays import Coordinates
from hyperskip.training.parameters import InitialParameters
from hyperskip.training.shared_plan import Plan


def random_parameters(words: int, plan: Plan) -> InitialParameters:
    """Random parameters for this number of words."""
    generator = np.random.default_rng(plan.seed)
    centers = _random_positions(generator, words, plan)
    contexts = None
    if not plan.tied:
        # On the hyperboloid the second layer starts like the first; in flat space at 0, as in
        # word2vec.
        second = _random_positions(generator, words, plan)
        contexts = second if plan.space.is_curved else np.zeros_like(second)
    return InitialParameters(centers, contexts, plan.theta)


def _random_positions(
    generator: np.random.Generator, words: int, plan: Plan
) -> Coordinates:  # (words, dimension)
    if plan.initial_deviation == 0:
        return generator.uniform(-1.0, 1.0, (words, plan.dimension)) / plan.dimension  # fastText
    return plan.space.random_coordinates(generator, words, plan.dimension, plan.initial_deviation)
