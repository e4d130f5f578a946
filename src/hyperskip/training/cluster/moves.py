"""How often training moves each word, on average, and how far these moves take it.

Kernels do not count their moves. The expected numbers follow from the words that a node was trained
on and from the probabilities of the plan.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.training.objective.sampling import expected_survivors, word_rates
from hyperskip.training.options import PAIRWISE
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.shared_plan import Plan

_TILE = 16  # centers that share their negative samples
# Share of the way to its resting place that a word moves for each pair of center and context, and
# for each negative sample, at a learning rate of 1. From the study in docs/scaling.md.
_PER_PAIR = 6.0
_PER_NEGATIVE = 0.12
_SETTLED = 100.0  # relaxation of a word that has reached its resting place


class Moves(NamedTuple):
    """The moves of some words since the last merge."""

    number: npt.NDArray[np.float32]  # (words,)
    relaxation: npt.NDArray[np.float32]  # (words,): 1 is most of the way to the resting place


class ExpectedMoves:
    """Expected moves of each word.

    Args:
        plan: The plan of the training.
        counts: How often each word occurs in the text.
        contexts: Average weight of the context words on one side of a center.
    """

    def __init__(self, plan: TrainingPlan, counts: npt.NDArray[np.int64], contexts: float) -> None:
        survivors = expected_survivors(counts, plan.subsample)
        self._kept = survivors / counts
        kept_share = survivors.sum() / counts.sum()
        noise = counts.astype(np.float64) ** plan.power
        noise /= noise.sum()
        self._rates = word_rates(counts, plan.subsample, plan.rate_power)
        pairs = 2 * contexts  # of a center
        self._pairs = pairs
        self._draws = kept_share * pairs * plan.negatives * noise  # for each token of the text
        if plan.schedule == PAIRWISE:
            self._moves_of_center, self._moves_of_draws = 2 * pairs, self._draws
        else:
            self._moves_of_center = 1 + 2 * plan.window / _TILE
            self._moves_of_draws = kept_share * plan.shared_negatives / _TILE * noise

    def of(
        self,
        words: npt.NDArray[np.int64],
        occurrences: npt.NDArray[np.int64],
        tokens: npt.NDArray[np.int64] | int,
        rate: float,
    ) -> Moves:
        """The moves of some words.

        Args:
            words: Their ids.
            occurrences: How often each was trained on: (words,).
            tokens: Number of tokens that were trained on, for all words or for each of them.
            rate: The learning rate.
        """
        centers = occurrences * self._kept[words]
        number = self._moves_of_center * centers + self._moves_of_draws[words] * tokens
        pairs, draws = self._pairs * centers, self._draws[words] * tokens
        relaxation = rate * self._rates[words] * (_PER_PAIR * pairs + _PER_NEGATIVE * draws)
        return Moves(number.astype(np.float32), relaxation.astype(np.float32))


class EqualMoves:
    """Moves of nodes of a graph, by ranking: every step moves almost all of them.

    The steps of the optimizer do not become smaller close to the resting place, so that nodes are
    merged to the centroid and not beyond it.
    """

    def of(
        self,
        words: npt.NDArray[np.int64],
        occurrences: npt.NDArray[np.int64],  # noqa: ARG002 - all moves are by batches
        tokens: npt.NDArray[np.int64] | int,
        rate: float,  # noqa: ARG002
    ) -> Moves:
        """The moves of some nodes; arguments as for `ExpectedMoves`."""
        number = np.full(len(words), tokens, dtype=np.float32)
        return Moves(number, np.full(len(words), _SETTLED, dtype=np.float32))


def moves_for(
    plan: Plan, counts: npt.NDArray[np.int64], contexts: float
) -> ExpectedMoves | EqualMoves:
    """The moves of a training; arguments as for `ExpectedMoves`."""
    if isinstance(plan, RankingPlan):
        return EqualMoves()
    assert isinstance(plan, TrainingPlan)
    return ExpectedMoves(plan, counts, contexts)
