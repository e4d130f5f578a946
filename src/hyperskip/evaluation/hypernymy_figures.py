"""Figures of merit for scores of "the first word is a kind of the second".

The protocols of direction and classes are those of Roller et al. (2018), who follow Kiela et al.
(2015) and Nguyen et al. (2017).
"""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats

Flags = npt.NDArray[np.bool_]

_SPLITS = 1000
_CHOOSING_SHARE = 0.02  # of the pairs, which the threshold is chosen on
_SEED = 42


def average_precision(scores: Floats, is_true: Flags) -> float:
    """Mean over the true pairs of the precision at their ranks.

    Pairs with the same score share the last of their ranks, so their order does not matter. At
    least one pair must be true.
    """
    order = np.argsort(-scores, kind="stable")
    last_of_ties = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    found = np.cumsum(is_true[order])[last_of_ties]
    precision = found / (last_of_ties + 1)
    return float(np.sum(np.diff(found, prepend=0) * precision) / is_true.sum())


def count_directions(forward: Floats, backward: Floats) -> int | None:
    """Number of true pairs whose score is greater than that of the reversed pair.

    Equal scores are wrong. None if all scores are equal: then they have no direction.
    """
    return None if np.array_equal(forward, backward) else int((forward > backward).sum())


def class_accuracy(forward: Floats, is_true: Flags) -> float | None:
    """Accuracy of "the score is at least a threshold" for true and other pairs."""
    return _split_accuracy(forward, is_true, is_true, ~is_true)


def three_class_accuracy(forward: Floats, backward: Floats, labels: Floats) -> float | None:
    """Accuracy for true pairs (label 1), reversed ones (-1) and others (0).

    A pair is related, in one direction or the other, if the greater of its two scores is at least a
    threshold. The greater score also gives the direction.
    """
    directions = np.where(forward >= backward, 1.0, -1.0)
    related = labels != 0
    return _split_accuracy(np.maximum(forward, backward), related, directions == labels, ~related)


def _split_accuracy(
    scores: Floats, is_positive: Flags, right_above: Flags, right_below: Flags
) -> float | None:
    """Mean accuracy over random splits: the threshold of each is chosen on 2 % of the pairs.

    It is the smallest of the scores in the 2 % that divides them best into positive and other
    pairs. The accuracy is that of all other pairs. None if there are fewer than two pairs, or if
    all or none are positive.

    Args:
        scores: (pairs,).
        is_positive: (pairs,): what the threshold is chosen for.
        right_above: (pairs,): whether the answer is right if the score reaches the threshold.
        right_below: (pairs,): whether it is right if the score does not.
    """
    count = len(scores)
    if count < 2 or is_positive.all() or not is_positive.any():
        return None
    chosen_count = max(round(_CHOOSING_SHARE * count), 1)
    random = np.random.default_rng(_SEED)
    accuracies = np.empty(_SPLITS)
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    right = _right_from(right_above[order], right_below[order])
    for i in range(_SPLITS):
        chosen = random.choice(count, chosen_count, replace=False, shuffle=False)
        chosen = chosen[np.argsort(scores[chosen], kind="stable")]
        own = scores[chosen]
        divided = _right_from(is_positive[chosen], ~is_positive[chosen])[:-1]
        first_of_ties = np.append(True, np.diff(own) != 0)
        best = int(np.argmax(np.where(first_of_ties, divided, -1)))
        all_right = right[np.searchsorted(ordered, own[best])]
        own_right = _right_from(right_above[chosen], right_below[chosen])[best]
        accuracies[i] = (all_right - own_right) / (count - chosen_count)
    return float(accuracies.mean())


def _right_from(right_above: Flags, right_below: Flags) -> npt.NDArray[np.int64]:
    """Number of right answers (pairs + 1,) if the pairs from each position on are above.

    The pairs are in the order of their scores.
    """
    below = np.append(0, np.cumsum(right_below))
    above = np.append(np.cumsum(right_above[::-1])[::-1], 0)
    return np.asarray(below + above)
