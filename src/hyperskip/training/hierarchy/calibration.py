"""Calibration: from the score of a pair to the probability that it would be stated.

The slope and offset of a logistic curve are fitted to pairs that were held out, against pairs that
are not stated: each held-out pair reversed, and its narrower word with another broader word and
with a similar word. A stated pair weighs as much as its count, and one in four pairs is stated.
"""

import numpy as np
import scipy.sparse as sp
from scipy import optimize, special

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.training.hierarchy.word_relations import WordRelations

_HELD_OUT = 0.1  # share of the stated pairs
_STATED_SHARE = 0.25
_LEAST_SLOPE = 1e-3
_PULL = 1e-3
UNCALIBRATED = 2.0, -2.0  # slope and offset, about those of large texts, if there are few pairs


def held_out_pairs(relations: WordRelations, seed: int) -> Rows:
    """Choose positions of stated pairs at random: a tenth of them, or one if there are fewer."""
    pairs = relations.counts.nnz
    count = max(1, round(_HELD_OUT * pairs))
    return np.sort(np.random.default_rng(seed).choice(pairs, count, replace=False))


def other_pairs(
    relations: WordRelations, similar: sp.csr_array, narrower: Rows, broader: Rows, seed: int
) -> tuple[Rows, Rows]:
    """Return pairs of words that are not stated: three for each given pair, or fewer.

    Args:
        relations: What is stated.
        similar: Weights of similar words.
        narrower: (pairs,): rows of narrower words.
        broader: (pairs,): rows of their broader words.
        seed: Of the random choice.
    """
    generator = np.random.default_rng(seed)
    shares = relations.as_broader / relations.as_broader.sum()
    drawn = generator.choice(len(shares), len(narrower), p=shares)
    lengths = np.diff(similar.indptr)[narrower]
    with_similar = narrower[lengths > 0]
    positions = similar.indptr[with_similar] + generator.integers(lengths[lengths > 0])
    first = np.concatenate((broader, narrower, with_similar))
    second = np.concatenate((narrower, drawn, similar.indices[positions].astype(np.int64)))
    stated = relations.counts.tocoo()
    words = len(shares)
    keys = np.asarray(stated.row, np.int64) * words + np.asarray(stated.col, np.int64)
    is_stated = np.isin(first * words + second, keys)
    is_other = ~is_stated & (first != second)
    return first[is_other], second[is_other]


def fitted_curve(stated: Floats, counts: Floats, others: Floats) -> tuple[float, float]:
    """Fit the slope and offset of sigmoid(slope · score + offset) to two sets of scores.

    Args:
        stated: (pairs,): scores of pairs that are stated.
        counts: (pairs,): how often each of them is stated.
        others: (pairs,): scores of pairs that are not.
    """
    if not len(stated) or not len(others):
        return UNCALIBRATED
    yes_weights = _STATED_SHARE * counts / counts.sum()
    no_weights = np.full(len(others), (1.0 - _STATED_SHARE) / len(others))

    def loss(parameters: Floats) -> tuple[float, Floats]:
        slope, offset = parameters
        yes, no = slope * stated + offset, slope * others + offset
        wrong_yes = yes_weights * special.expit(-yes)
        wrong_no = no_weights * special.expit(no)
        value = (yes_weights * np.logaddexp(0.0, -yes)).sum()
        value += (no_weights * np.logaddexp(0.0, no)).sum()
        # A weak pull to 0 keeps the slope finite if one score separates all pairs.
        gradient = np.array(
            [
                (wrong_no * others).sum() - (wrong_yes * stated).sum() + 2.0 * _PULL * slope,
                wrong_no.sum() - wrong_yes.sum(),
            ]
        )
        return float(value + _PULL * slope * slope), gradient

    found = optimize.minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B")
    return max(float(found.x[0]), _LEAST_SLOPE), float(found.x[1])
