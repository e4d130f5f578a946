"""The numbers of a fastText model: little-endian, without gaps.

A file has a signature, the settings, the dictionary and two matrices. The dictionary has its sizes,
and then for each word and label: its letters, NUL and an entry. A matrix has a flag, its shape and
its rows. The input matrix has a row for each word, and then one for each bucket of n-grams. The
output matrix is only used in training.
"""

import struct
from typing import NamedTuple

MAGIC, VERSION = 793712314, 12
READ_VERSIONS = (11, 12)
SKIP_GRAM, SUPERVISED = 2, 3  # the kind of model
NEGATIVE_SAMPLING = 2  # the loss
WORD, LABEL = 0, 1  # the kind of an entry
NOT_PRUNED = -1
END_OF_SENTENCE = b"</s>"  # the only word that has no n-grams
MOST_ROWS = (1 << 31) - 1  # of the input matrix

SIGNATURE = struct.Struct("<2i")
SETTINGS = struct.Struct("<12id")
DICTIONARY = struct.Struct("<3i2q")
ENTRY = struct.Struct("<qb")
FLAG = struct.Struct("<B")
SHAPE = struct.Struct("<2q")


class Settings(NamedTuple):
    """The settings of a model, in the order of the file, with the defaults of fastText."""

    dimension: int
    window: int = 5
    epochs: int = 5
    min_count: int = 1
    negatives: int = 5
    word_ngrams: int = 1
    loss: int = NEGATIVE_SAMPLING
    model: int = SKIP_GRAM
    buckets: int = 0
    shortest: int = 0
    longest: int = 0
    rate_updates: int = 100
    subsample: float = 1e-4


class Sizes(NamedTuple):
    """The sizes of a dictionary, in the order of the file."""

    entries: int
    words: int
    labels: int
    tokens: int
    pruned: int = NOT_PRUNED  # number of n-grams that were kept by pruning


def is_fasttext_model(start: bytes) -> bool:
    """Whether the first bytes of a file are those of a fastText model."""
    return start.startswith(MAGIC.to_bytes(4, "little"))
