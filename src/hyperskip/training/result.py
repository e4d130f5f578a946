"""The result of a training: its state as word vectors."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import TrainingWarning, warn
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.options import CENTERS, CONTEXTS
from hyperskip.training.parameters import Parameters
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.run.state import EpochSummary, State
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import TrainingText
from hyperskip.vectors.subword_table import SubwordTable
from hyperskip.vectors.word_vectors import WordVectors

_FEW_PAIRS = 10  # for each word of the vocabulary


@dataclass(frozen=True)
class Result(ABC):
    """Makes word vectors from the states of a training.

    Args:
        encoded: The text.
        plan: The plan of the training.
        model: The initial model, if there is one; its words are kept.
        index: The n-grams of the words, with subwords.
    """

    encoded: TrainingText
    plan: Plan
    model: WordVectors | None
    index: NgramIndex | None = None

    @abstractmethod
    def final(self, state: State) -> WordVectors:
        """The result of the training: centered in some way, unless there is an initial model."""

    def so_far(self, state: State) -> WordVectors:
        """The centers as they are, for a checkpoint."""
        return self._vectors(state.parameters.centers, state)

    def _subwords(self, state: State) -> SubwordTable | None:  # noqa: ARG002 - there are none
        """The vectors of n-grams, if there are any."""
        return None

    def _model_coordinates(
        self,
        model: WordVectors,
        state: State,  # noqa: ARG002 - training moves words of the text only
    ) -> npt.NDArray[np.floating[Any]]:
        """The words of the initial model (words, dimension); those of the text are replaced."""
        return model.coordinates

    def _vectors(self, layer: npt.NDArray[np.floating[Any]], state: State) -> WordVectors:
        words: Sequence[str] = self.encoded.vocabulary.words
        counts = self.encoded.vocabulary.counts
        coordinates = np.asarray(layer, dtype=np.float32)
        if self.model is not None:
            words, counts, coordinates = _merged_vocabulary(
                *(self.model, self._model_coordinates(self.model, state)),
                *(self.encoded.vocabulary, coordinates),
            )
        plan = self.plan
        return WordVectors(
            words,
            coordinates,
            counts=counts,
            geometry=plan.geometry,
            factors=plan.factors,
            # The time, and threads that do not matter, are left out: the same training gives the
            # same file.
            options=self.encoded.options.as_dict()
            | plan.as_options(with_threads=plan.threads_matter),
            history=[_without_seconds(summary) for summary in state.position.history],
            subwords=self._subwords(state),
        )


@dataclass(frozen=True)
class SkipGramResult(Result):
    """The result of a skip-gram training."""

    plan: TrainingPlan

    def final(self, state: State) -> WordVectors:
        """The layer that the plan keeps, centered unless there is an initial model.

        With subwords, training has kept the words centered, and moving them again would separate
        them from their n-grams.
        """
        self._warn_if_hardly_trained(state.position.history)
        layer = self._kept_layer(state.parameters)
        if self.index is not None:
            layer = self._explained(layer, state)
        elif self.model is None:
            layer = self.plan.space.centered(layer)
        return self._vectors(layer, state)

    def _explained(
        self, layer: npt.NDArray[np.floating[Any]], state: State
    ) -> npt.NDArray[np.floating[Any]]:
        """The words; if they have no vectors of their own, the means of their n-grams.

        Words that must not move stay where the initial model has them.
        """
        table = self._subwords(state)
        if table is None or not self._words_are_means:
            return layer
        return table.compose(self.encoded.vocabulary.words).coordinates

    @property
    def _words_are_means(self) -> bool:
        """Whether all words are the means of their n-grams when training ends."""
        return not self.plan.has_word_rows and not self.plan.freeze

    def _model_coordinates(self, model: WordVectors, state: State) -> npt.NDArray[np.floating[Any]]:
        """The words of the initial model, which move along if n-grams are all that they have."""
        table = self._subwords(state)
        if table is None or model.subwords is None or not self._words_are_means:
            return model.coordinates
        return table.compose(model.words).coordinates

    def _subwords(self, state: State) -> SubwordTable | None:
        """The trained n-grams, and those of the initial model that the text does not have."""
        ngrams = state.parameters.ngrams
        if self.index is None or ngrams is None or self.plan.subwords is None:
            return None
        buckets = np.sort(self.index.buckets)
        old = None if self.model is None else self.model.subwords
        if old is not None:
            others = np.flatnonzero(~np.isin(old.buckets, buckets))
            places = np.searchsorted(buckets, old.buckets[others])
            buckets = np.insert(buckets, places, old.buckets[others])
            ngrams = np.insert(ngrams, places, old.coordinates[others], axis=0)
        return SubwordTable(self.plan.subwords, buckets, ngrams)

    def _kept_layer(
        self, parameters: Parameters
    ) -> npt.NDArray[np.floating[Any]]:  # (words, dimension)
        centers, contexts = parameters.centers, parameters.contexts
        if contexts is None or self.plan.layer == CENTERS:
            return centers
        if self.plan.layer == CONTEXTS:
            return contexts
        both = np.stack((centers, contexts), axis=1)
        return self.plan.space.centroids(both, np.ones((len(both), 2)))

    def _warn_if_hardly_trained(self, history: Sequence[EpochSummary]) -> None:
        pairs = sum(summary.pairs for summary in history)
        words, subsample = len(self.encoded.vocabulary), self.plan.subsample
        if pairs < _FEW_PAIRS * words:
            seen = {0: "no pairs of words", 1: "only 1 pair of words"}.get(
                pairs, f"only {pairs} pairs of words"
            )
            more = f", or a `subsample` above {subsample:g} (0 keeps all tokens)"
            warn(
                f"training saw {seen} for a vocabulary of {words}: the "
                f"vectors are mostly random. Use more text or more `epochs`"
                f"{more if subsample else ''}",
                TrainingWarning,
            )


@dataclass(frozen=True)
class RankingResult(Result):
    """The result of a training by ranking."""

    plan: RankingPlan
    roots: npt.NDArray[np.int32] | None = None  # ids; None if the graph is undirected

    def final(self, state: State) -> WordVectors:
        """The nodes, moved so that their roots are in the middle, unless there is a model.

        If there are no roots, the centroid of all nodes is in the middle.
        """
        nodes, space = state.parameters.centers, self.plan.space
        if self.model is None and self.roots is not None and len(self.roots):
            points = space.points(nodes)
            nodes = space.coordinates(space.recentered(points, space.centroid(points[self.roots])))
        elif self.model is None:
            nodes = space.centered(nodes)
        return self._vectors(nodes, state)


def _without_seconds(summary: EpochSummary) -> dict[str, Any]:
    return {name: value for name, value in asdict(summary).items() if name != "seconds"}


def _merged_vocabulary(
    model: WordVectors,
    old: npt.NDArray[np.floating[Any]],  # (words of the model, dimension)
    vocabulary: Vocabulary,
    centers: npt.NDArray[np.float32],
) -> tuple[list[str], npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Merge the words, counts and coordinates of the initial model with those of the text."""
    new = np.flatnonzero(model.known_rows(vocabulary.words, any_case=False) < 0)
    words = [*model.words, *(vocabulary.words[i] for i in new)]
    counts = np.concatenate((model.counts, np.zeros(len(new), dtype=np.int64)))
    row_of = {word: i for i, word in enumerate(words)}
    rows = [row_of[word] for word in vocabulary.words]
    counts[rows] += vocabulary.counts
    order = np.argsort(-counts, kind="stable")
    new_rows = np.argsort(order)
    coordinates = np.empty((len(words), model.dimension), dtype=np.float32)
    coordinates[new_rows[: len(model)]] = old
    coordinates[new_rows[rows]] = centers
    return [words[i] for i in order], counts[order], coordinates
