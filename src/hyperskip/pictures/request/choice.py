"""The words that a request has chosen, and how they relate to each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hyperskip.vectors.listed_words import Neighbor

Edge = tuple[int, int]  # indices of two words; it has the color of the first

NO_GROUP = -1  # a word without a group, among words with groups


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Words of a picture, the most important first."""

    words: tuple[str, ...]
    labels: tuple[str, ...] | None = None  # written instead of the words
    leading: int = 0  # number of words at the start that the picture is about
    groups: tuple[int, ...] | None = None  # index into group_names, or NO_GROUP, for each word
    group_names: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    question: tuple[str, str, str] | None = None  # of an analogy
    answers: Mapping[str, Sequence[Neighbor]] | None = None  # by route
    left_out: tuple[str, ...] = ()  # words of categories or edges that are not in the vocabulary
    # Of the nodes of a graph:
    importance: tuple[float, ...] | None = None  # 0 to 1: the number of nodes below each
    depths: tuple[int, ...] | None = None  # of a hierarchy, whose edges lead from child to parent
    by_depth: bool = False  # whether depths are shown by colors
    middle: str | None = None  # the word in the middle of the disc
