"""Answers about two models: what is near a word in each of them, and which words moved."""

from typing import TYPE_CHECKING, Any

from hyperskip.errors import UnknownWordError
from hyperskip.geometry.names import ANGLE
from hyperskip.projection.methods import MAP_WORDS
from hyperskip.vectors.comparison import common_rows, moved_words
from hyperskip.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from hyperskip.explorer.answers.queries import Queries

_MOST_MOVED = 100
WHOLE_DISC = 100.0  # hyperbolic radius


class Comparison:
    """The model of an explorer beside another one.

    Args:
        vectors: The model of the explorer.
        other: Answers about the other model.

    Raises:
        InputError: The models have too few words in common.
    """

    def __init__(self, vectors: WordVectors, other: "Queries") -> None:
        self._vectors, self._other = vectors, other
        self._common = len(common_rows(vectors, other.vectors)[0])
        moved = moved_words(vectors, other.vectors, _MOST_MOVED)
        self._moved = [one._asdict() for one in moved if one.change > 0]

    def describe(self) -> dict[str, Any]:
        """Describe the other model."""
        described = self._other.model()
        del described["compared"]
        return {**described, "common": self._common}

    def points(self) -> bytes:
        """Return the words on the map of the other model."""
        return self._other.points(0.0, 0.0, WHOLE_DISC, MAP_WORDS.default)

    def moved(self, limit: int) -> dict[str, Any]:
        """Return the frequent words that moved most."""
        return {"words": self._moved[:limit]}

    def neighbors(self, own: "Queries", word: str, count: int) -> dict[str, Any]:
        """Return the nearest words by the angle in each model, and which are in both lists.

        Raises:
            UnknownWordError: Neither model has the word.
        """
        found = [_known(one, word, count) for one in (own, self._other)]
        if found == [None, None]:
            own.neighbors(word, count, ANGLE)  # raises the error
        listed = [
            {one["word"] for one in answer["neighbors"]} if answer else set() for answer in found
        ]
        vocabularies = self._vectors, self._other.vectors
        return {
            "models": [
                answer
                and {
                    **answer,
                    "neighbors": [
                        one
                        | {
                            "shared": one["word"] in listed[1 - i],
                            "in_other": one["word"] in vocabularies[1 - i],
                        }
                        for one in answer["neighbors"]
                    ],
                }
                for i, answer in enumerate(found)
            ]
        }


def _known(queries: "Queries", word: str, count: int) -> dict[str, Any] | None:
    """Return the nearest words, or None if the model does not have the word."""
    try:
        return queries.neighbors(word, count, ANGLE)
    except UnknownWordError:
        return None
