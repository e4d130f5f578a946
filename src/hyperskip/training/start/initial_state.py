"""The state before the first epoch."""

import numpy as np
import numpy.typing as npt

from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.state import Position, State
from hyperskip.training.start.from_model import parameters_from_model
from hyperskip.training.start.random_positions import random_parameters
from hyperskip.vectors.word_vectors import WordVectors


def initial_state(
    plan: TrainingPlan, encoded: EncodedCorpus, model: WordVectors | None
) -> tuple[State, npt.NDArray[np.bool_] | None]:
    """Place all words at random, or where the initial model has them.

    Returns:
        The state, and which words of the text must not move: (words,), or None if all may.
    """
    if model is None:
        return State(Position(), random_parameters(len(encoded.vocabulary), plan)), None
    parameters, known = parameters_from_model(model, encoded, plan)
    return State(Position(), parameters), known if plan.freeze else None
