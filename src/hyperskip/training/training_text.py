"""What a training needs of its text: an encoded corpus, or walks over a graph."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.blocks import SentenceStarts


class BlockText(Protocol):
    """A text of which any part can be read, from any thread."""

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """The word ids of a range of tokens."""

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """The sentence starts in a range of tokens."""


class TextOptions(Protocol):
    """How a text was made."""

    def as_dict(self) -> dict[str, Any]:
        """The options as plain values, to be stored with the vectors."""


class TrainingText(Protocol):
    """A text to train on; the number of tokens and the sentence starts are those of each epoch."""

    @property
    def options(self) -> TextOptions:
        """How the text was made."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The words and their counts, most frequent first."""

    @property
    def token_count(self) -> int:
        """The number of tokens."""

    @property
    def sentence_starts(self) -> SentenceStarts:
        """The index of the first token of each sentence, and the number of tokens."""

    def in_epoch(self, epoch: int) -> BlockText:
        """The text of an epoch, counted from 0."""

    def checksum(self) -> str:
        """A checksum of the text, to recognize it when a training is resumed."""
