"""Hypernymy: how well vectors tell which word is a kind of which.

A set has labels for pairs of words. What is asked depends on the labels: to find the true pairs
(ranking), to tell which word is broader (direction), to name the class of each pair, or to agree
with grades.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hyperskip.evaluation.hypernymy_figures import (
    Flags,
    average_precision,
    class_accuracy,
    count_directions,
    three_class_accuracy,
)
from hyperskip.evaluation.hypernymy_scores import hypernymy_scores
from hyperskip.evaluation.known_terms import Forms, OtherForms, find_terms
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.rank_correlation import spearman
from hyperskip.vectors.word_vectors import WordVectors

SPEARMAN, AVERAGE_PRECISION = "Spearman", "average precision"
DIRECTION_ACCURACY = "direction accuracy"
DIRECTION, CLASSES = "direction", "classes"  # parts of an evaluation, and of the titles of scores

_THREE_CLASSES = {-1.0, 0.0, 1.0}  # reversed, other, true
_BALANCED = (0.4, 0.6)  # share of true pairs; otherwise one answer is right too often
_FEWEST_PAIRS = 100  # of which a threshold can be chosen on 2 %
_CHANCE_SEED = 1


@dataclass(frozen=True)
class HypernymyScore:
    """Agreement of each score with one data set."""

    figure: str  # what the numbers are
    main: str  # name of the score to look at
    agreement: dict[str, float | None]  # by score, on the known pairs; None if it is undefined
    chance: float | None  # the expected agreement of random scores
    found: int  # number of pairs with both words in the vocabulary
    pairs: int
    replaced: int = 0  # number of different words of the set that were found in another form
    # The same on all pairs, if some are unknown and the protocol counts them; otherwise empty.
    all_pairs: dict[str, float | None] = field(default_factory=dict)


def evaluate_hypernymy(
    vectors: WordVectors, pairs: Sequence[RatedPair], forms: Forms | None = None
) -> dict[str, HypernymyScore]:
    """How well scores of "the first is a kind of the second" agree with labels, by part.

    The first part, with the empty name, is the average precision of the true pairs if there are
    two labels, of which the greater means true, or the labels 1, 0 and -1 (reversed). For all other
    labels, it is the only part: Spearman's rank correlation. The part `direction` compares each
    true pair with its reverse. The part `classes` is for sets of 100 pairs or more in which about
    half of the pairs are true, or which have three labels.

    Args:
        vectors: The vectors.
        pairs: Labeled pairs.
        forms: Returns other forms of a word that is not in the vocabulary, the best first; by
            default, English forms.
    """
    scored = _ScoredPairs(vectors, pairs, forms or OtherForms())
    values = set(scored.labels.tolist())
    is_three = values == _THREE_CLASSES
    if len(values) != 2 and not values <= _THREE_CLASSES:
        return {"": _graded(scored)}
    is_true = scored.labels == max(values) if len(values) > 1 else scored.labels > 0
    parts = {"": _ranking(scored, is_true)}
    if is_true.any():
        parts[DIRECTION] = _direction(scored, is_true, is_three)
    if len(pairs) < _FEWEST_PAIRS:
        return parts
    if is_three:
        parts[CLASSES] = _classes(
            scored, 3, lambda ahead, back: three_class_accuracy(ahead, back, scored.known_labels)
        )
    elif _BALANCED[0] <= is_true.mean() <= _BALANCED[1]:
        known_true = is_true[scored.is_known]
        parts[CLASSES] = _classes(scored, 2, lambda ahead, _: class_accuracy(ahead, known_true))
    return parts


class _ScoredPairs:
    """Labeled pairs, and the scores of those with known words."""

    def __init__(self, vectors: WordVectors, pairs: Sequence[RatedPair], forms: Forms) -> None:
        words = [word for pair in pairs for word in pair[:2]]
        terms = find_terms(vectors, words, forms)
        rows: Rows = terms.rows.reshape(-1, 2)
        self.labels = np.array([pair.score for pair in pairs], dtype=np.float64)
        self.is_known: Flags = np.asarray((rows >= 0).all(axis=1))
        self.known_labels: Floats = self.labels[self.is_known]
        self.replaced = terms.replaced
        self._vectors = vectors
        self._first, self._second = rows[self.is_known].T

    @cached_property
    def forward(self) -> dict[str, Floats]:
        """The scores of the known pairs."""
        return hypernymy_scores(self._vectors, self._first, self._second)

    @cached_property
    def backward(self) -> dict[str, Floats]:
        """The scores of the reversed pairs."""
        return hypernymy_scores(self._vectors, self._second, self._first)

    def summary(
        self,
        figure: str,
        agreement: dict[str, float | None],
        chance: float | None,
        *,
        all_pairs: dict[str, float | None] | None = None,
        asked: Flags | None = None,
    ) -> HypernymyScore:
        """Return a score with the coverage of the pairs that were asked; by default all pairs."""
        is_known = self.is_known if asked is None else self.is_known[asked]
        found, count = int(is_known.sum()), len(is_known)
        counted = all_pairs if all_pairs is not None and 0 < found < count else {}
        main = next(iter(agreement))
        return HypernymyScore(figure, main, agreement, chance, found, count, self.replaced, counted)

    def filled(self, scores: Floats, unknown: Callable[[Floats], float]) -> Floats:
        """Scores of all pairs: one score, made from those of the known ones, for the unknown."""
        filled = np.full(len(self.labels), unknown(scores) if len(scores) else 0.0)
        filled[self.is_known] = scores
        return filled


def _graded(scored: _ScoredPairs) -> HypernymyScore:
    """Rank correlation with grades. On all pairs, unknown ones have the median score."""
    known = {name: spearman(score, scored.known_labels) for name, score in scored.forward.items()}
    every = {
        name: spearman(scored.filled(score, lambda known: float(np.median(known))), scored.labels)
        for name, score in scored.forward.items()
    }
    return scored.summary(SPEARMAN, known, 0.0, all_pairs=every)


def _ranking(scored: _ScoredPairs, is_true: Flags) -> HypernymyScore:
    """Average precision of the true pairs. On all pairs, unknown ones have the lowest score."""
    known_true = is_true[scored.is_known]
    # With one label only, every order is right.
    is_defined = bool(known_true.any() and not known_true.all())
    known = {
        name: average_precision(score, known_true) if is_defined else None
        for name, score in scored.forward.items()
    }
    every = {
        name: average_precision(scored.filled(score, lambda known: float(known.min())), is_true)
        if is_defined
        else None
        for name, score in scored.forward.items()
    }
    share = float(known_true.mean()) if is_defined else None
    return scored.summary(AVERAGE_PRECISION, known, share, all_pairs=every)


def _direction(scored: _ScoredPairs, is_true: Flags, has_reversed: bool) -> HypernymyScore:
    """Share of true pairs that score higher than reversed. Of all pairs, unknown ones are wrong.

    A pair that the set marks as reversed is a true pair in the other order.
    """
    asked = is_true | (scored.labels < 0) if has_reversed else is_true
    is_turned = (~is_true)[scored.is_known & asked]
    is_asked = asked[scored.is_known]
    known: dict[str, float | None] = {}
    every: dict[str, float | None] = {}
    for name, forward in scored.forward.items():
        ahead, back = forward[is_asked], scored.backward[name][is_asked]
        right = count_directions(np.where(is_turned, back, ahead), np.where(is_turned, ahead, back))
        known[name] = None if right is None or not len(ahead) else right / len(ahead)
        every[name] = None if right is None else right / int(asked.sum())
    return scored.summary(DIRECTION_ACCURACY, known, 0.5, all_pairs=every, asked=asked)


def _classes(
    scored: _ScoredPairs, count: int, accuracy: Callable[[Floats, Floats], float | None]
) -> HypernymyScore:
    """Accuracy of classes by thresholds. The protocol leaves out unknown pairs."""
    random = np.random.default_rng(_CHANCE_SEED).random((2, len(scored.known_labels)))
    known = {
        name: accuracy(forward, scored.backward[name]) for name, forward in scored.forward.items()
    }
    return scored.summary(f"accuracy of {count} classes", known, accuracy(*random))
