"""Plans of trainings, made without a text."""

import warnings
from functools import cache
from typing import Any

import numpy as np

from hyperskip.devices import CPU
from hyperskip.errors import TrainingWarning
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import TrainingPlan, plan_training


def corpus_of(lengths: list[int], words: int = 2) -> EncodedCorpus:
    """A text of sentences with these lengths; all tokens are the first word."""
    starts = np.cumsum([0, *lengths]).astype(np.int64)
    tokens = np.zeros(starts[-1], dtype=np.int32)
    return EncodedCorpus(TextOptions(), _vocabulary(words), tokens, starts)


@cache
def _vocabulary(words: int) -> Vocabulary:
    names = ("a", "b", *(f"w{word}" for word in range(2, words)))
    return Vocabulary.of(names, np.ones(words, dtype=np.int64))


def planned(**options: Any) -> TrainingPlan:
    """The plan for a text of 40,000 words, on the CPU unless a device is chosen."""
    chosen = TrainingOptions(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)  # about rates that are absurd on purpose
        return plan_training(chosen, corpus_of([2], words=40_000), chosen.device or CPU)
