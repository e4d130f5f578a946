"""The weight of each word in the centroid of a document."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats
from hyperskip.learn.documents import Batch

SIF, IDF, UNIFORM = "sif", "idf", "uniform"
WEIGHTINGS = (SIF, IDF, UNIFORM)

Counts = npt.NDArray[np.int64]


class WordStatistics:
    """How often the words of a vocabulary occur in documents.

    Args:
        words: Number of words in the vocabulary.
    """

    def __init__(self, words: int) -> None:
        self.documents = 0  # number of documents
        self.empty_documents = 0  # number of documents without known words
        self.composed_words = 0  # occurrences of words that are composed from n-grams
        self.counts: Counts = np.zeros(words, dtype=np.int64)  # occurrences of each word
        self.document_counts: Counts = np.zeros(words, dtype=np.int64)  # documents with the word

    def add(self, batches: Iterable[Batch]) -> None:
        """Count the words of more documents."""
        words = len(self.counts)
        for batch in batches:
            self.documents += len(batch.starts) - 1
            self.empty_documents += batch.empty_documents
            self.composed_words += int(batch.words.is_composed.sum())
            in_vocabulary = batch.words.in_vocabulary
            rows = batch.words.rows[in_vocabulary]
            self.counts += np.bincount(rows, minlength=words)
            documents = batch.document_of_token[in_vocabulary]
            once = np.unique(documents * words + rows) % max(1, words)
            self.document_counts += np.bincount(once, minlength=words)


def sif_weights(counts: Counts, smoothing: float) -> Floats:
    """Smooth inverse frequency a / (a + p) of each word (Arora et al., 2017).

    Args:
        counts: (words,): occurrences of each word in a text.
        smoothing: a, the share of the text from which on a word is frequent.
    """
    shares = counts / max(1, counts.sum())
    weights: Floats = smoothing / (smoothing + shares)
    return weights


def idf_weights(document_counts: Counts, documents: int) -> Floats:
    """Inverse document frequency log((1 + n) / (1 + n_w)) + 1 of each word, as in scikit-learn.

    Args:
        document_counts: (words,): n_w, the number of documents with the word.
        documents: n, the number of documents.
    """
    weights: Floats = np.log((1 + documents) / (1 + document_counts)) + 1.0
    return weights
