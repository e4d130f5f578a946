"""Questions about the positions of words: distances, radii, centroids and geodesics."""

from __future__ import annotations  # help() shows WordOrPoint and Rows, not what they expand to

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, UnknownWordError
from hyperskip.geometry.arrays import Floats
from hyperskip.options import named_arguments
from hyperskip.vectors import argument_checks
from hyperskip.vectors.documents import Batch, batches, centroids
from hyperskip.vectors.embedding import WORDS_AT_ONCE
from hyperskip.vectors.found_words import FoundWords
from hyperskip.vectors.mapped_weights import MappedWeights
from hyperskip.vectors.word_points import RowsOrWords, WordPoints

WordOrPoint = str | npt.ArrayLike

_ADVICE = "`skip_unknown=True` leaves out unknown words"
_SKIP_UNKNOWN = "whether to leave out unknown words"


class Positions(WordPoints):
    """An embedding that answers questions which need no search; see `WordVectors`."""

    def distance(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """Return the hyperbolic distance of two words or points; 1 - cosine if Euclidean."""
        several = pairs_of_words("distance")
        return float(self.space.distance(self._point(a, several), self._point(b, several)))

    def distance_of_rows(self, first: RowsOrWords, second: RowsOrWords) -> Floats:
        """Return the distances of many pairs of words (pairs,), given by rows or by `find`.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
        """
        return self._of_pairs(self.space.distance, first, second)

    def radius(self, word: WordOrPoint) -> float:
        """Return the distance from the base point.

        Only in a model of a taxonomy does it show how general a word is. Radii in a hierarchy are
        vectors.hierarchy_radii.
        """
        return float(self.space.radius(self._point(word, "for many words: vectors.radii")))

    def path(self, a: WordOrPoint, b: WordOrPoint, count: int) -> Floats:
        """Return points (count, n) at equal distances on the geodesic from a to b.

        The first is a and the last is b. In Euclidean space the geodesic is a straight line.
        """
        count = argument_checks.checked_number(
            "count", count, at_least=2, help="number of points, with both ends"
        )
        start, end = (self._point(item, "a path has two ends") for item in (a, b))
        return self.space.geodesic(start, end, np.linspace(0.0, 1.0, count))

    # -- centroids

    @named_arguments
    def centroid(
        self,
        words: Iterable[WordOrPoint],
        *,
        weights: Mapping[str, float] | npt.ArrayLike | None = None,
        skip_unknown: bool = False,
    ) -> Floats:
        """Return the centroid of words or points: on the hyperboloid, the Lorentzian centroid.

        Args:
            words: Words or points.
            weights: A weight of 0 or more for each of them, or a dict from words to weights. By
                default, all weights are equal.
            skip_unknown: Whether to leave out words that are not in the vocabulary and cannot be
                composed from n-grams.

        Raises:
            UnknownWordError: A word is not in the vocabulary and cannot be composed.
            InputError: No words are left, or their weights are all 0.
        """
        if isinstance(words, str):
            of_word = f"the centroid of one word is its point: vectors[{words!r}]"
            raise InputError(
                f"`words` must be a list of words, got {words!r}",
                hint="split a text into words: text.split()" if " " in words else of_word,
            )
        argument_checks.check_flag("skip_unknown", skip_unknown, _SKIP_UNKNOWN)
        items = argument_checks.listed_items("words", words)
        listed = [item for item in items if isinstance(item, str)]
        found = self._found(listed)
        if not found.is_known.all() and not skip_unknown:
            raise self._unknown_word_of(listed[int(np.argmin(found.rows))])
        known = iter(found.is_known.tolist())
        kept = [i for i, item in enumerate(items) if not isinstance(item, str) or next(known)]
        if not kept:
            raise InputError(
                "none of the words is in the vocabulary" if items else "`words` is empty",
                hint="give at least one word or point",
            )
        several = "pass words and points in one flat list"
        points = np.stack([self._point(items[i], several) for i in kept])
        if weights is None:
            return self.space.centroid(points)
        if isinstance(weights, Mapping):
            words = argument_checks.checked_words(items[i] for i in kept)
            shares = self._mapped_weights(weights).of(words, self._found(words))
        else:
            shares = argument_checks.checked_weights(weights, len(items))[kept]
        if not shares.any():
            raise InputError("`weights` are all 0", hint="give at least one weight above 0")
        return self.space.centroid(points, shares)

    @named_arguments
    def centroids(
        self,
        documents: Iterable[Iterable[str]],
        *,
        weights: Mapping[str, float] | Iterable[npt.ArrayLike] | None = None,
        skip_unknown: bool = False,
    ) -> Floats:
        """Return the centroid (documents, n) of each of many documents.

        A document without words, or whose weights are all 0, gets the base point. Documents are
        read in batches, so they may come from a generator.

        Args:
            documents: Each document is a list of words.
            weights: A dict from words to weights of 0 or more, or for each document a list of
                weights. By default, all weights are equal.
            skip_unknown: Whether to leave out words that are not in the vocabulary and cannot be
                composed from n-grams.

        Raises:
            UnknownWordError: A word is not in the vocabulary and cannot be composed.
            InputError: A document is not a list of words, or has no list of as many weights.
        """
        argument_checks.check_flag("skip_unknown", skip_unknown, _SKIP_UNKNOWN)
        mapped, listed = None, weights
        if isinstance(weights, Mapping):
            mapped, listed = self._mapped_weights(weights), None
        found = []
        for batch in batches(documents, listed):
            known, words = self._known(batch, skip_unknown)
            shares = known.weights if mapped is None else mapped.of(known.words, words)
            found.append(centroids(words, known.starts, shares))
        return np.concatenate(found)

    def centroids_of_rows(
        self,
        rows: npt.ArrayLike | FoundWords,
        starts: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
    ) -> Floats:
        """Return the centroid (documents, n) of each of many documents, by the rows of their words.

        A document without words, or whose weights are all 0, gets the base point.

        Args:
            rows: (tokens,): the words of all documents, in order; or words that `find` returned.
            starts: (documents + 1,): document i is rows[starts[i]:starts[i + 1]].
            weights: (tokens,): a weight of 0 or more for each word of each document; by default, 1.

        Raises:
            InputError: There is no such row, or the arrays do not fit together; or a word is
                unknown.
        """
        words = self._found_at(rows)
        groups = argument_checks.checked_starts(starts, len(words))
        shares = None
        if weights is not None:
            shares = argument_checks.checked_weights(weights, len(words))
        return centroids(words, groups, shares)

    # -- details

    def _point(self, item: WordOrPoint, several: str) -> Floats:
        """Return a point; `several` says in errors what to do with several words."""
        if isinstance(item, str):
            return self[item]
        return argument_checks.checked_point(item, self.space, self.dimension, several=several)

    def _known(self, batch: Batch, skip_unknown: bool) -> tuple[Batch, FoundWords]:
        """Return a batch of documents without unknown words, and its words."""
        found = self._found(batch.words)
        known = found.is_known
        if known.all():
            return batch, found
        if not skip_unknown:
            unknown = int(np.argmin(known))
            document = batch.first + int(np.searchsorted(batch.starts, unknown, side="right")) - 1
            raise self._unknown_word_of(batch.words[unknown], place=f"document {document}")
        return batch.only(known), found[known]

    def _unknown_word_of(self, word: str, *, place: str = "") -> UnknownWordError:
        """Return the error for an unknown word that can be left out."""
        return self._lookup.unknown_word(word, advice=_ADVICE, place=place)

    def _mapped_weights(self, weights: Mapping[str, float]) -> MappedWeights:
        return MappedWeights(weights, self._lookup, len(self))

    def _of_pairs(
        self,
        function: Callable[[Floats, Floats], Floats],
        first: RowsOrWords,
        second: RowsOrWords,
    ) -> Floats:
        first, second = self._found_together(first, second)
        values = np.empty(len(first))
        for begin in range(0, len(first), WORDS_AT_ONCE):
            block = slice(begin, begin + WORDS_AT_ONCE)
            values[block] = function(first[block].points, second[block].points)
        return values


def pairs_of_words(method: str) -> str:
    """Say in errors how a method is called for many pairs of words."""
    rows = "vectors.rows_of(first), vectors.rows_of(second)"
    return f"for many pairs of words: vectors.{method}_of_rows({rows})"
