"""The chain of broader words above a word: each is the best broader word of the one before."""

from hyperskip.vectors.listed_words import Kind
from hyperskip.vectors.word_vectors import WordVectors

_MOST_STEPS = 6
_LEAST_SCORE = 0.5  # probability: more likely than not


def broader_chain(vectors: WordVectors, word: str) -> list[Kind]:
    """Return the words above a word of a model with a hierarchy, from its hypernym to the top.

    The score of each is the probability that the one before is a kind of it. Radii decrease from
    word to word, so no word is repeated.
    """
    chain: list[Kind] = []
    while len(chain) < _MOST_STEPS:
        above = vectors.hypernyms(chain[-1].word if chain else word, 1)
        if not above or above[0].score < _LEAST_SCORE:
            break
        chain.append(above[0])
    return chain
