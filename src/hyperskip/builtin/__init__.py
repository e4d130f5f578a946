"""A small built-in corpus with known answers, for the demo and for tests.

The sentences are generated from a hand-made taxonomy of English words; nothing is downloaded.
"""

from hyperskip.builtin.corpus import sentences
from hyperskip.builtin.questions import (
    analogy_questions,
    categories,
    hypernym_pairs,
    hypernymy_pairs,
    similarity_pairs,
)

__all__ = [
    "analogy_questions",
    "categories",
    "hypernym_pairs",
    "hypernymy_pairs",
    "sentences",
    "similarity_pairs",
]
