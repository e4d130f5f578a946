"""Plans of trainings, made without a text."""

import warnings
from typing import Any

import numpy as np

from hyperskip.devices import CPU
from hyperskip.errors import TrainingWarning
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import TrainingPlan, plan_training


def corpus_of(lengths: list[int]) -> EncodedCorpus:
    """A text of sentences with these lengths; all tokens are the same word."""
    starts = np.cumsum([0, *lengths]).astype(np.int64)
    vocabulary = Vocabulary.of(("a", "b"), np.array([1, 1]))
    return EncodedCorpus(TextOptions(), vocabulary, np.zeros(starts[-1], dtype=np.int32), starts)


def planned(**options: Any) -> TrainingPlan:
    """The plan for a text of two words, on the CPU unless a device is chosen."""
    chosen = TrainingOptions(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)  # about rates that are absurd on purpose
        return plan_training(chosen, corpus_of([2]), chosen.device or CPU)
