"""Calibration: probabilities mean what they say, on pairs that were held out."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import special

from hyperskip.training.hierarchy.calibration import (
    UNCALIBRATED,
    fitted_curve,
    held_out_pairs,
    other_pairs,
)
from hyperskip.training.hierarchy.word_relations import WordRelations


def test_the_curve_of_synthetic_scores_is_found() -> None:
    generator = np.random.default_rng(1)
    scores = generator.normal(2.0, 2.0, size=200_000)
    is_true = generator.random(len(scores)) < special.expit(1.5 * scores - 5.45)
    assert is_true.mean() == pytest.approx(0.25, abs=0.02)  # the assumed share
    stated = scores[is_true]
    slope, offset = fitted_curve(stated, np.ones(len(stated)), scores[~is_true])
    probabilities = special.expit(slope * scores + offset)
    for low in np.arange(0.0, 1.0, 0.1):
        chosen = (low <= probabilities) & (probabilities < low + 0.1)
        assert is_true[chosen].mean() == pytest.approx(probabilities[chosen].mean(), abs=0.03)


def test_a_pair_weighs_as_much_as_its_count() -> None:
    stated, others = np.array([0.5, 2.0, 3.0]), np.array([0.0, 1.0, 2.5])
    repeated = np.array([0.5, 0.5, 2.0, 3.0, 3.0, 3.0])
    by_count = fitted_curve(stated, np.array([2.0, 1.0, 3.0]), others)
    assert by_count == pytest.approx(fitted_curve(repeated, np.ones(6), others))


@pytest.mark.parametrize(
    ("stated", "others"), [([5.0, 6.0], [0.0, 1.0]), ([0.0, 1.0], [5.0, 6.0]), ([1.0], [1.0])]
)
def test_the_curve_rises_and_is_finite(stated: list[float], others: list[float]) -> None:
    slope, offset = fitted_curve(np.array(stated), np.ones(len(stated)), np.array(others))
    assert 0.0 < slope < 100.0
    assert np.isfinite(offset)


def test_without_pairs_there_is_no_calibration() -> None:
    nothing, one = np.empty(0), np.ones(1)
    assert fitted_curve(nothing, nothing, one) == UNCALIBRATED
    assert fitted_curve(one, one, nothing) == UNCALIBRATED


def test_a_tenth_of_the_pairs_is_held_out() -> None:
    generator = np.random.default_rng(2)
    relations = WordRelations(sp.csr_array((generator.random((40, 40)) > 0.5).astype(float)))
    chosen = held_out_pairs(relations, seed=3)
    assert len(chosen) == len(set(chosen.tolist())) == round(relations.counts.nnz / 10)
    assert chosen.tolist() == sorted(chosen.tolist())
    assert chosen.tolist() == held_out_pairs(relations, seed=3).tolist()
    assert chosen.tolist() != held_out_pairs(relations, seed=4).tolist()


def test_other_pairs_are_not_stated() -> None:
    generator = np.random.default_rng(5)
    counts = np.triu(generator.random((30, 30)) > 0.7, k=1).astype(float)
    relations = WordRelations(sp.csr_array(counts))
    weights = (generator.random((30, 30)) > 0.8).astype(float)
    weights[:5] = 0.0  # nothing is similar to these
    narrower, broader = (ends.astype(np.int64) for ends in np.nonzero(counts))
    first, second = other_pairs(relations, sp.csr_array(weights), narrower, broader, seed=1)
    pairs = set(zip(first.tolist(), second.tolist(), strict=True))
    stated = set(zip(narrower.tolist(), broader.tolist(), strict=True))
    assert not pairs & stated
    assert all(a != b for a, b in pairs)
    reversed_pairs = {(b, a) for a, b in stated}
    assert reversed_pairs <= pairs
    assert all(weights[a, b] or relations.as_broader[b] for a, b in pairs - reversed_pairs)
    assert len(first) <= 3 * len(narrower)
