"""Documents as points: weighted centroids of word vectors, for pipelines of scikit-learn."""

from __future__ import annotations  # help() shows Documents and Floats, not what they expand to

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from hyperskip.errors import (
    CorpusWarning,
    GeometryError,
    InputError,
    OptionError,
    shown,
    warn,
)
from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.names import HYPERBOLOID
from hyperskip.geometry.spaces import Space, space_named
from hyperskip.learn.coordinates import POINT, TANGENT, check_coordinates, from_points
from hyperskip.learn.documents import Batch, Documents, batches, checked_documents, rereadable
from hyperskip.learn.word_weights import (
    IDF,
    SIF,
    WEIGHTINGS,
    WordStatistics,
    idf_weights,
    sif_weights,
)
from hyperskip.options import Declaration, Range, check_progress, declarations
from hyperskip.text.options import TextOptions
from hyperskip.text.words.function_scanner import words_by
from hyperskip.text.words.tokens import Tokenizer, recorded_tokenizer
from hyperskip.training.trainer import train
from hyperskip.vectors.model_file import given_model
from hyperskip.vectors.search.searcher import check_finite
from hyperskip.vectors.strictness import STRICT
from hyperskip.vectors.word_vectors import WordVectors

_TRAINING = ("geometry", "dimension", "window", "epochs", "min_count", "seed", "threads")
_DECLARATIONS = {
    "weighting": Declaration(kind=str, help="weights of words", default=SIF, choices=WEIGHTINGS),
    "smoothing": Declaration(
        kind=float,
        help="share of the text from which on a word is frequent",
        default=0.01,
        limits=Range(above=0, at_most=1),
    ),
    "center": Declaration(kind=bool, help="move the documents to the base point", default=True),
    "strict": STRICT,
}
_MOSTLY_UNKNOWN = 0.5  # share of documents without known words that is worth a warning


class HyperskipVectorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Convert documents to the weighted centroids of their words in hyperbolic space.

    `fit` trains word vectors on the documents, or uses those of `model`. Then it computes the
    weight of each word, and the center of the documents.

    A document is a string, or a list of tokens, which are not tokenized again. If the vectors have
    subwords, words outside the vocabulary are composed from n-grams. All other unknown words are
    left out. A document without known words is at the center: all of its coordinates are 0 (in
    `point` coordinates, the time is 1). Missing texts (None, NaN) raise an error.

    Args:
        model: Word vectors, or the file or the name of a model, such as "small". By default, `fit`
            trains vectors.
        weighting: Weights of words: "sif" is a / (a + p), where p is the share of the word in the
            text that the vectors were trained on (or in the documents, if the model has no
            counts); "idf" is the inverse document frequency in the documents; "uniform" is 1.
        smoothing: a in the weights "sif": a smaller value gives less weight to frequent words.
        center: Move all documents together so that the center of the fitted documents is the base
            point. This changes no distance.
        coordinates: The numbers of a document: "tangent", the logarithm at the base point;
            "klein" or "ball", coordinates in the Klein or Poincaré ball; "point", the point of the
            hyperboloid, time last. Euclidean vectors and product spaces have "tangent" and
            "point" only.
        strict: Leave out all words that are not in the vocabulary, even if the vectors have
            subwords.
        tokenizer: As in `hyperskip.train`, or a function from a text to a list of tokens. With
            `model`, the default is the tokenizer of the model.
        geometry: As in `hyperskip.train`, like all further arguments. None is the default there.
        dimension: Dimension of the space.
        window: Number of context words on each side of a center.
        epochs: Passes over the documents.
        min_count: Leave out words that occur less often.
        seed: Seed of the random number generator.
        threads: Threads; 0 uses all cores.
        options: Any other options of `hyperskip.train`, by name.
        progress: Whether to show the progress of training: False, True, or None for only in a
            terminal or a notebook. Cross-validation trains many times, so the default is False.

    Attributes:
        vectors_: The word vectors.
        weights_: (words,): the weight of each word.
        composed_weight_: The weight of words outside the vocabulary: that of a word that does
            not occur.
        center_: (n,): the centroid of the words of the fitted documents that are in the
            vocabulary, with their weights; the base point with `center=False`.
        empty_documents_: Number of fitted documents without known words.
        composed_words_: Number of words in the fitted documents that were composed from n-grams.
            A word that occurs twice counts twice.

    Examples:
        >>> from hyperskip.learn import HyperskipVectorizer
        >>> vectorizer = HyperskipVectorizer(dimension=20)
        >>> vectorizer.fit_transform(texts).shape  # doctest: +SKIP
        (1000, 20)
    """

    vectors_: WordVectors
    weights_: Floats
    composed_weight_: float
    center_: Floats
    empty_documents_: int
    composed_words_: int

    def __init__(
        self,
        model: WordVectors | str | os.PathLike[str] | None = None,
        *,
        weighting: str = "sif",
        smoothing: float = 0.01,
        center: bool = True,
        coordinates: str = "tangent",
        strict: bool = False,
        tokenizer: str | Callable[[str], list[str]] | None = None,
        geometry: str | None = None,
        dimension: int | None = None,
        window: int | None = None,
        epochs: int | None = None,
        min_count: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        options: Mapping[str, Any] | None = None,
        progress: bool | None = False,
    ) -> None:
        self.model = model
        self.weighting = weighting
        self.smoothing = smoothing
        self.center = center
        self.coordinates = coordinates
        self.strict = strict
        self.tokenizer = tokenizer
        self.geometry = geometry
        self.dimension = dimension
        self.window = window
        self.epochs = epochs
        self.min_count = min_count
        self.seed = seed
        self.threads = threads
        self.options = options
        self.progress = progress

    def fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Train word vectors on the documents, unless there is a model, and weight the words.

        Args:
            documents: An iterable of strings or lists of tokens, such as a list, a Series, an
                array or a generator. It is read once, and memory does not grow with it.
            y: Ignored.

        Raises:
            OptionError: An option is not allowed.
            InputError: These are no documents, or the vectors of the model are not finite.
            CorpusError: A document is neither a string nor a list of tokens, or there are too few
                words to train on.
        """
        self._check_options()
        if self.model is None:
            options = self._training_options()
            self._check_space(
                space_named(options.get("geometry", HYPERBOLOID), options.get("factors") or 1)
            )
            with rereadable(documents) as texts:
                vectors = train(checked_documents(texts), **{"progress": self.progress} | options)
                statistics = self._statistics(vectors, texts)
        else:
            vectors = given_model("model", self.model)
            self._check_space(vectors.space)
            check_finite(vectors.coordinates, vectors.words)
            statistics = self._statistics(vectors, documents)
        if statistics.documents == 0:
            raise InputError(
                "there are no documents to fit",
                hint="was it a generator that was already exhausted?",
            )
        self._warn_of_empty(statistics.empty_documents, statistics.documents)
        self.vectors_ = vectors
        weights = self._weights(vectors, statistics)
        self.weights_, self.composed_weight_ = weights[:-1], float(weights[-1])
        self.center_ = self._center(statistics)
        self.empty_documents_ = statistics.empty_documents
        self.composed_words_ = statistics.composed_words
        self._n_features_out = self._in_coordinates(self.center_[None]).shape[1]
        return self

    def transform(self, documents: Documents) -> Floats:
        """Return the coordinates (documents, features) of the centroid of each document.

        Args:
            documents: As in `fit`.

        Raises:
            NotFittedError: `fit` was not called.
            InputError: These are no documents.
            CorpusError: A document is neither a string nor a list of tokens.
        """
        check_is_fitted(self)
        found, empty = self._transformed(documents)
        self._warn_of_empty(empty, len(found))
        return found

    def fit_transform(self, documents: Documents, y: object = None) -> Floats:  # noqa: ARG002
        """Fit the documents, and return their coordinates; see `fit` and `transform`.

        Documents of a generator are kept in a temporary file in between.
        """
        with rereadable(documents) as texts:
            found, _ = self.fit(texts)._transformed(texts)
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    # -- details

    def _transformed(self, documents: Documents) -> tuple[Floats, int]:
        """The coordinates of documents, and the number of documents without known words."""
        numbers = bytearray()  # grows in place: joining arrays would take twice the memory
        empty = 0
        for batch in self._batches(self.vectors_, documents):
            rows = self._in_coordinates(self._points(batch))
            numbers += np.ascontiguousarray(rows, dtype=np.float64).data.cast("B")
            empty += batch.empty_documents
        found = np.frombuffer(numbers, dtype=np.float64).reshape(-1, self._n_features_out)
        return found, empty

    def _check_options(self) -> None:
        for name, declaration in _DECLARATIONS.items():
            declaration.checked(name, getattr(self, name))
        if not isinstance(self.options, Mapping | None):
            raise OptionError(
                f"`options` must be a dictionary, got {shown(self.options)}",
                hint="pass options of hyperskip.train by name, such as {'negatives': 5}",
            )
        check_progress(self.progress)
        if self.tokenizer is not None:
            declarations(TextOptions)["tokenizer"].checked("tokenizer", self.tokenizer)
        for name in self.options or {}:
            if name in (*_TRAINING, "tokenizer", "progress") and getattr(self, name) is not None:
                raise OptionError(
                    f"`{name}` is both an argument and in `options`", hint="leave out one of them"
                )
        check_coordinates(self.coordinates)
        chosen = self._training_options()
        if self.model is not None and chosen:
            raise OptionError(
                f"`{next(iter(chosen))}` is an option of training, and `model` is already trained",
                hint="leave out one of them, or train more with `options={'init': model}`",
            )

    def _training_options(self) -> dict[str, Any]:
        """The options of training that were chosen."""
        values = {name: getattr(self, name) for name in _TRAINING}
        if self.model is None:
            values["tokenizer"] = self.tokenizer
        chosen = {name: value for name, value in values.items() if value is not None}
        return chosen | dict(self.options or {})

    def _batches(self, vectors: WordVectors, documents: Documents) -> Iterator[Batch]:
        known = vectors.without_subwords() if self.strict else vectors
        return batches(documents, known, lambda: self._tokenizer(vectors))

    def _tokenizer(self, vectors: WordVectors) -> Tokenizer:
        """The tokenizer of documents: the chosen one, or the one that the vectors recorded."""
        if callable(self.tokenizer):
            return partial(words_by, self.tokenizer)
        is_other = self.model is not None and self.tokenizer is not None
        return recorded_tokenizer({"tokenizer": self.tokenizer} if is_other else vectors.options)

    def _statistics(self, vectors: WordVectors, documents: Documents) -> WordStatistics:
        statistics = WordStatistics(len(vectors))
        statistics.add(self._batches(vectors, documents))
        return statistics

    def _weights(self, vectors: WordVectors, statistics: WordStatistics) -> Floats:
        """The weight of each word, and last that of a word that does not occur (words + 1,)."""
        if self.weighting == IDF:
            counts = np.append(statistics.document_counts, 0)
            return idf_weights(counts, statistics.documents)
        if self.weighting == SIF:
            counts = vectors.counts if vectors.counts.any() else statistics.counts
            return sif_weights(np.append(counts, 0), self.smoothing)
        return np.ones(len(vectors) + 1)

    def _center(self, statistics: WordStatistics) -> Floats:
        """The centroid of all words of the documents, with their weights; or the base point."""
        rows = np.flatnonzero(statistics.counts) if self.center else np.empty(0, dtype=np.int64)
        weights = self.weights_[rows] * statistics.counts[rows]
        centroids = self.vectors_.centroids_of_rows(rows, np.array([0, len(rows)]), weights)
        return np.asarray(centroids[0])

    def _points(self, batch: Batch) -> Floats:
        """The centroid (documents, n) of each document, seen from the center."""
        space = self.vectors_.space
        words = batch.words
        weights = np.full(len(words), self.composed_weight_)
        weights[words.in_vocabulary] = self.weights_[words.rows[words.in_vocabulary]]
        points = self.vectors_.centroids_of_rows(words, batch.starts, weights)
        moved = space.recentered(points, self.center_)
        empty = np.diff(batch.starts) == 0
        moved[empty] = points[empty]  # the base point, exactly
        return moved

    def _in_coordinates(self, points: Floats) -> Floats:
        space = self.vectors_.space
        if self.coordinates == POINT:
            return points
        if self.coordinates == TANGENT:
            return space.tangents(points)
        return from_points(points, self.coordinates)

    def _check_space(self, space: Space) -> None:
        if self.coordinates not in (TANGENT, POINT) and not space.is_single_hyperboloid:
            kind = "a product of hyperboloids" if space.is_curved else "Euclidean space"
            raise GeometryError(
                f"`coordinates={self.coordinates!r}` needs hyperbolic space, and these vectors are "
                f"points of {kind}",
                hint=f"use `coordinates={TANGENT!r}`",
            )

    def _warn_of_empty(self, empty: int, documents: int) -> None:
        if empty > _MOSTLY_UNKNOWN * documents:
            warn(
                f"{empty} of {documents} documents have no known word: all of their coordinates "
                "are the same",
                CorpusWarning,
            )
