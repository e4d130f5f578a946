"""Lists of words that vectors return: their items and their length, without loading NumPy."""

from typing import NamedTuple

from hyperskip.options import Declaration, Range

COUNT = Declaration(kind=int, help="number of words to list", default=10, limits=Range(at_least=1))


class Neighbor(NamedTuple):
    """A word near a word or a point."""

    word: str
    distance: float
    similarity: float


class Generality(NamedTuple):
    """A word's distance from the base point, and its rank by that distance.

    In a model with a hierarchy, the radius is the one in the hierarchy.
    """

    word: str
    radius: float
    rank: int  # 1 for the smallest radius of the vocabulary


class Relative(NamedTuple):
    """An ancestor or a descendant of a word or a point."""

    word: str
    score: float  # of "is a kind of", from 0 to 1; see `WordVectors.is_a`
    distance: float
    radius: float


class Kind(NamedTuple):
    """A hypernym or a hyponym of a word: a broader or a narrower one."""

    word: str
    score: float  # of "is a kind of", from 0 to 1; see `WordVectors.is_a`
    radius: float  # in the hierarchy: the smaller, the broader
    evidence: int | None  # number of relations in the text about it; None for models of graphs


class Moved(NamedTuple):
    """A word that two models place differently."""

    word: str
    change: float  # the greater, the more it moved; most words are below 0
    shared: int  # number of its nearest words that both models have in common
