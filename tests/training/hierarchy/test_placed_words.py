"""Similar words, factors, heights and directions, each beside a slow twin."""

import math

import numpy as np
import pytest
import scipy.sparse as sp

from hyperskip.geometry.arrays import Floats
from hyperskip.training.hierarchy import propagation
from hyperskip.training.hierarchy.factorization import Factors, factorized
from hyperskip.training.hierarchy.placing import (
    Placement,
    directions_of,
    heights_of,
    noun_trust,
    placed,
)
from hyperskip.training.hierarchy.propagation import NEIGHBORS, only_from, similar_words
from hyperskip.training.hierarchy.word_relations import WordRelations

WORDS = 60


def random_relations(seed: int = 1, pairs: int = 150, words: int = WORDS) -> WordRelations:
    generator = np.random.default_rng(seed)
    rows, columns = generator.integers(words, size=pairs), generator.integers(12, size=pairs)
    counts = generator.integers(1, 9, size=pairs).astype(float)
    is_other = rows != columns
    cells = counts[is_other], (rows[is_other], columns[is_other])
    return WordRelations(sp.csr_array(cells, shape=(words, words)))


def random_similar(seed: int = 2, words: int = WORDS) -> sp.csr_array:
    generator = np.random.default_rng(seed)
    coordinates = generator.normal(size=(words, 5)).astype(np.float32)
    return similar_words(coordinates, np.arange(0, words, 2))


def slow_similar_words(coordinates: Floats, known: list[int]) -> Floats:
    """The weights, word by word."""
    words = len(coordinates)
    weights = np.zeros((words, words))
    for word in range(words):
        cosines = {}
        for other in known:
            lengths = np.linalg.norm(coordinates[word]) * np.linalg.norm(coordinates[other])
            if other != word and lengths > 0:
                cosines[other] = float(coordinates[word] @ coordinates[other] / lengths)
        count = NEIGHBORS if word in known else NEIGHBORS + 1
        for other in sorted(cosines, key=lambda each: -cosines[each])[:count]:
            weights[word, other] = max(cosines[other], 0.0) ** 6
        if weights[word].any():
            weights[word] /= weights[word].sum()
    return weights


@pytest.mark.parametrize("cells_at_once", [1, 1 << 23])
@pytest.mark.parametrize("step", [1, 2, 7, 50])
def test_similar_words_agree_with_a_loop(
    step: int, cells_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(propagation, "_CELLS_AT_ONCE", cells_at_once)
    coordinates = np.random.default_rng(3).normal(size=(WORDS, 4)).astype(np.float32)
    coordinates[[4, 14]] = 0.0
    known = np.arange(0, WORDS, step)
    slow = slow_similar_words(coordinates.astype(np.float64), known.tolist())
    found = similar_words(coordinates, known).toarray()
    np.testing.assert_allclose(found, slow, atol=1e-5)
    sums = found.sum(axis=1)
    np.testing.assert_allclose(sums[sums > 0], 1.0)
    assert not found[[4, 14]].any()
    assert not found.diagonal().any()


def test_some_similar_words_can_be_left_out() -> None:
    similar = random_similar()
    is_source = np.arange(WORDS) % 4 == 0
    kept = only_from(similar, is_source).toarray()
    masked = similar.toarray() * is_source
    sums = masked.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(kept, masked / np.where(sums > 0, sums, 1.0))


def slow_matrix(relations: WordRelations, similar: sp.csr_array) -> Floats:
    """(1 + B/4) (1 + S) A, cell by cell."""
    counts = relations.counts.toarray()
    association, broader = np.zeros_like(counts), np.zeros_like(counts)
    for i, j in zip(*np.nonzero(counts), strict=True):
        expected = counts[i].sum() * counts[:, j].sum() / counts.sum()
        association[i, j] = math.log(1.0 + counts[i, j] / expected)
        broader[i, j] = counts[i, j] / counts[i].sum()
    identity = np.eye(len(counts))
    return np.asarray((identity + broader / 4) @ (identity + similar.toarray()) @ association)


@pytest.mark.parametrize("dimension", [2, 5, 11, 30])
def test_factors_agree_with_a_dense_singular_value_decomposition(dimension: int) -> None:
    relations, similar = random_relations(), random_similar()
    matrix = slow_matrix(relations, similar)
    left, values, right = np.linalg.svd(matrix)
    best = (left[:, :dimension] * values[:dimension]) @ right[:dimension]
    factors = factorized(relations, similar, dimension, seed=1)
    assert factors.narrower.shape == factors.broader.shape == (WORDS, dimension)
    np.testing.assert_allclose(factors.narrower @ factors.broader.T, best, atol=1e-4)
    # Both factors have the same share of each singular value.
    lengths = [np.linalg.norm(factor, axis=0) for factor in factors]
    kept = values[:dimension]
    np.testing.assert_allclose(lengths[0], np.sqrt(kept), atol=1e-3)
    np.testing.assert_allclose(lengths[1], np.sqrt(kept), atol=1e-3)


def test_factors_beyond_the_rank_are_zeros() -> None:
    counts = np.zeros((5, 5))
    counts[1:, 0] = 2.0  # one broader word
    counts[2, 1] = 1.0
    relations = WordRelations(sp.csr_array(counts))
    nothing = sp.csr_array((5, 5))
    factors = factorized(relations, nothing, 4, seed=1)
    matrix = slow_matrix(relations, nothing)
    np.testing.assert_allclose(factors.narrower @ factors.broader.T, matrix, atol=1e-5)
    assert not factors.narrower[:, 2:].any()
    assert not factors.broader[:, 2:].any()


def test_extreme_weights_do_not_overflow() -> None:
    factors = [
        factorized(WordRelations(random_relations().counts * scale), random_similar(), 5, seed=1)
        for scale in (1.0, 1e-200, 1e200)
    ]
    expected = factors[0].narrower @ factors[0].broader.T
    for other in factors[1:]:
        np.testing.assert_allclose(other.narrower @ other.broader.T, expected, atol=1e-4)


def test_heights_agree_with_the_formula() -> None:
    relations, similar = random_relations(pairs=40), random_similar().toarray()
    similar[7] = 0.0
    counts = np.random.default_rng(4).integers(0, 1000, size=WORDS).astype(float)
    heights = heights_of(relations, sp.csr_array(similar), counts)
    mean = sum(math.log(max(count, 1.0)) for count in counts) / WORDS
    own = [
        math.log(1 + relations.as_broader[word])
        - math.log(1 + relations.as_narrower[word]) / 2
        - (math.log(max(counts[word], 1.0)) - mean) / 10
        for word in range(WORDS)
    ]
    for word in range(WORDS):
        evidence = relations.evidence[word]
        prior = 2.0 * np.count_nonzero(similar[word]) / 20
        total = evidence * own[word] + prior * (similar[word] @ own)
        general = total / (evidence + prior) if evidence + prior else 0.0
        assert heights[word] == pytest.approx(math.log(1 + math.exp(general)))


def test_directions_agree_with_the_formula() -> None:
    relations = random_relations(pairs=30)
    generator = np.random.default_rng(5)
    factors = Factors(*generator.normal(size=(2, WORDS, 4)))
    unknown = int(np.flatnonzero(relations.evidence == 0)[0])
    factors.narrower[unknown] = factors.broader[unknown] = 0.0
    counts = np.exp(generator.uniform(0, 10, size=WORDS))
    trust = noun_trust(relations, counts)
    directions = directions_of(factors, relations, counts)
    for word in range(WORDS):
        a, b = relations.as_narrower[word], relations.as_broader[word]
        share = a / (a + b) if a + b else 1.0
        narrower, broader = factors.narrower[word], factors.broader[word]
        if word == unknown:
            assert directions[word].tolist() == [0, 0, 0, 0, 1]
            continue
        both = share * narrower / np.linalg.norm(narrower)
        both += (1 - share) * broader / np.linalg.norm(broader)
        both *= trust[word] / np.linalg.norm(both)
        whole = np.array([*both, 1.0 - trust[word]])
        np.testing.assert_allclose(directions[word], whole / np.linalg.norm(whole))
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)


def test_trust_agrees_with_the_formula() -> None:
    relations = random_relations(pairs=30)
    counts = np.exp(np.random.default_rng(6).uniform(0, 10, size=WORDS))
    counts[5:8] = 0.0
    rates = sorted(
        relations.evidence[word] / counts[word]
        for word in range(WORDS)
        if relations.evidence[word] > 0 and counts[word] > 0
    )
    middle = len(rates) // 2
    median = rates[middle] if len(rates) % 2 else (rates[middle - 1] + rates[middle]) / 2
    trust = noun_trust(relations, counts)
    for word in range(WORDS):
        share = (relations.evidence[word] + 1) / (median * counts[word] + 1)
        assert trust[word] == pytest.approx(min(20 * share, 1.0))
    assert trust.min() < 0.5 < trust.max() == 1.0
    assert noun_trust(relations, np.zeros(WORDS)).tolist() == [1.0] * WORDS  # unknown counts


def test_radii_follow_from_heights() -> None:
    placement = Placement(
        np.eye(3)[:, :2] + [[0, 0], [0, 0], [0.6, 0.8]], np.array([2.0, 0.5, 1.0])
    )
    assert placement.edge == 3.0
    radii = np.arcsinh(np.linalg.norm(placement.coordinates, axis=1))
    np.testing.assert_allclose(radii, [1.0, 2.5, 2.0])


def test_the_seed_changes_nothing_but_rounding() -> None:
    relations, similar = random_relations(), random_similar()
    counts = np.ones(WORDS)
    cosines = []
    for seed in (1, 1, 2):
        directions = placed(relations, similar, counts, 5, seed).directions
        cosines.append(directions @ directions.T)
    np.testing.assert_array_equal(cosines[0], cosines[1])
    np.testing.assert_allclose(cosines[0], cosines[2], atol=1e-3)
