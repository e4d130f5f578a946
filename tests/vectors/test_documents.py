"""Centroids of many documents agree with the slow twin, and keep the laws of centroids."""

import tracemalloc
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperskip.errors import InputError, UnknownWordError
from hyperskip.geometry.arrays import Floats
from hyperskip.vectors import documents
from hyperskip.vectors.word_vectors import WordVectors

WORDS, DIMENSION = 40, 6
SPACES: dict[str, dict[str, Any]] = {
    "hyperboloid": {},
    "product": {"factors": 3},
    "euclidean": {"geometry": "euclidean"},
}
every_space = pytest.mark.parametrize("space", SPACES)


def vectors_of(space: str, scale: float = 1.0) -> WordVectors:
    coordinates = scale * np.random.default_rng(3).standard_normal((WORDS, DIMENSION))
    return WordVectors([f"w{i}" for i in range(WORDS)], coordinates, **SPACES[space])


def starts_of(lengths: list[int]) -> Any:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def slow(vectors: WordVectors, rows: Any, starts: Any, weights: Floats) -> Floats:
    """One call of `Space.centroid` for each document."""
    base = vectors.space.points(np.zeros(DIMENSION))
    found = []
    for begin, end in pairwise(starts):
        points, shares = vectors.points_of_rows(rows[begin:end]), weights[begin:end]
        found.append(vectors.space.centroid(points, shares) if shares.any() else base)
    return np.array(found).reshape(-1, len(base))


@every_space
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3, 1e6])  # up to a radius of 15
@pytest.mark.parametrize("at_once", [8, 100, 1 << 21])
@settings(max_examples=15)
@given(lengths=st.lists(st.integers(0, 9), max_size=8), seed=st.integers(0, 99))
def test_fast_centroids_agree_with_the_slow_twin(
    space: str, scale: float, at_once: int, lengths: list[int], seed: int
) -> None:
    vectors, starts = vectors_of(space, scale), starts_of(lengths)
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, WORDS, starts[-1])
    weights = generator.integers(0, 4, starts[-1]) * 0.7
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_NUMBERS_AT_ONCE", at_once)
        found = vectors.centroids_of_rows(rows, starts, weights)
        equal = vectors.centroids_of_rows(rows, starts)
    expected = slow(vectors, rows, starts, weights)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12 * max(1, scale))
    expected = slow(vectors, rows, starts, np.ones(len(rows)))
    np.testing.assert_allclose(equal, expected, rtol=1e-9, atol=1e-12 * max(1, scale))


@every_space
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_the_centroid_of_one_word_is_its_point(space: str, scale: float) -> None:
    vectors = vectors_of(space, scale)
    found = vectors.centroids_of_rows(np.arange(WORDS), np.arange(WORDS + 1))
    np.testing.assert_allclose(found, vectors.points, rtol=1e-12)


@every_space
@given(
    weights=st.lists(st.floats(0, 5), min_size=4, max_size=4).filter(lambda w: max(w) > 1e-3),
    factor=st.sampled_from([1e-300, 0.3, 1e300]),
    seed=st.integers(0, 99),
)
def test_neither_order_nor_the_scale_of_weights_matters(
    space: str, weights: list[float], factor: float, seed: int
) -> None:
    vectors, shares = vectors_of(space), np.array(weights)
    rows = np.random.default_rng(seed).integers(0, WORDS, 4)
    expected = vectors.centroids_of_rows(rows, [0, 4], shares)
    for same_rows, same_shares in (
        (rows[::-1], shares[::-1]),
        (rows, shares * factor),
        (np.repeat(rows, 2), np.repeat(shares, 2)),
    ):
        found = vectors.centroids_of_rows(same_rows, [0, len(same_rows)], same_shares)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_documents_without_words_are_at_the_base_point() -> None:
    vectors = vectors_of("hyperboloid")
    found = vectors.centroids_of_rows([3, 4], [0, 0, 1, 2, 2], [1.0, 0.0])
    base = [0.0] * DIMENSION + [1.0]
    np.testing.assert_allclose(found, [base, vectors.points[3], base, base], atol=1e-15)
    assert vectors.centroids_of_rows([], [0]).shape == (0, DIMENSION + 1)
    assert vectors_of("euclidean").centroids_of_rows([], [0, 0]).tolist() == [[0.0] * DIMENSION]


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (([0, 40], [0, 2]), ["row", 40]),
        (([0, 1], [0, 1]), ["starts", "from 0 to 2"]),
        (([0, 1], [1, 2]), ["starts"]),
        (([0, 1], [0, 2, 1, 2]), ["starts", "order"]),
        (([0, 1], []), ["starts"]),
        (([0, 1], [0.0, 2.0]), ["starts", "whole numbers"]),
        (([0, 1], [0, 2], [1]), ["weights", "(2,)"]),
        (([0, 1], [0, 2], [1, -1]), ["weights", "-1.0"]),
        (([0, 1], [0, 2], [1, np.nan]), ["weights", "nan"]),
    ],
)
def test_wrong_arguments(arguments: tuple[Any, ...], facts: list[object]) -> None:
    with pytest.raises(InputError, match=naming(*facts)):
        vectors_of("hyperboloid").centroids_of_rows(*arguments)


# -- documents as lists of words


@every_space
def test_documents_of_words(space: str) -> None:
    vectors = vectors_of(space)
    texts = [["w1", "w2", "W1"], ["w3"], ("w4", "w5"), np.array(["w6", "w7"])]
    expected = [vectors.centroid(text) for text in texts]
    np.testing.assert_allclose(vectors.centroids(texts), expected, rtol=1e-12)
    np.testing.assert_allclose(vectors.centroids(iter(texts)), expected, rtol=1e-12)
    weights: list[list[float]] = [[1, 2, 3], [5], [0, 1], [1e-3, 7]]
    expected = [
        vectors.centroid(text, weights=numbers)
        for text, numbers in zip(texts, weights, strict=True)
    ]
    np.testing.assert_allclose(vectors.centroids(texts, weights=weights), expected, rtol=1e-12)


@every_space
@pytest.mark.parametrize("at_once", [1, 4, 1000])
def test_documents_are_read_in_batches(
    space: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = vectors_of(space)
    texts = [[f"w{j % 50}" for j in range(i, 2 * i)] for i in range(30)]  # w40 to w49 are unknown
    weights = [[1.0 + j % 3 for j in range(len(text))] for text in texts]
    expected = vectors.centroids(texts, weights=weights, skip_unknown=True)
    monkeypatch.setattr(documents, "_WORDS_AT_ONCE", at_once)
    found = vectors.centroids(iter(texts), weights=iter(weights), skip_unknown=True)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_unknown_words_are_left_out_on_request() -> None:
    vectors = vectors_of("hyperboloid")
    texts = [["w1", "bird", "w2"], ["bird"], []]
    base = [0.0] * DIMENSION + [1.0]
    expected = np.array([vectors.centroid(["w1", "w2"]), base, base])
    found = vectors.centroids(texts, skip_unknown=True)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    found = vectors.centroid(texts[0], weights=[1, 5, 0], skip_unknown=True)
    np.testing.assert_allclose(found, vectors["w1"], rtol=1e-12)
    with pytest.raises(UnknownWordError, match=naming("'bird'", "`skip_unknown=True`")):
        vectors.centroids(texts)
    with pytest.raises(UnknownWordError, match=naming("'bird'", "`skip_unknown=True`")):
        vectors.centroid(texts[0])
    with pytest.raises(InputError, match=naming("vocabulary")):
        vectors.centroid(["bird"], skip_unknown=True)


@pytest.mark.parametrize("words_at_once", [2, 1000])
def test_the_document_of_an_unknown_word_is_named(
    monkeypatch: pytest.MonkeyPatch, words_at_once: int
) -> None:
    monkeypatch.setattr(documents, "_WORDS_AT_ONCE", words_at_once)
    texts = [["w1", "w2"], ["w1"], [], ["w2", "bird"], ["fish"]]
    with pytest.raises(UnknownWordError, match=naming("'bird'", "document 3")) as caught:
        vectors_of("hyperboloid").centroids(texts)
    assert caught.value.word == "bird"


def test_weights_of_words_in_a_dict() -> None:
    vectors = vectors_of("hyperboloid")
    weights = {"w1": 2.0, "w2": 1, "w3": 0.0, "bird": 7.0}
    expected = vectors.centroid(["w1", "w2", "w2"], weights=[2, 1, 1])
    text = ["w1", "W2", "bird", "w2", "w3"]
    found = vectors.centroids([text, ["w3"]], weights=weights, skip_unknown=True)
    np.testing.assert_allclose(found[0], expected, rtol=1e-12)
    assert found[1].tolist() == [0.0] * DIMENSION + [1.0]
    found = vectors.centroid(text, weights=weights, skip_unknown=True)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("weights", [{"W1": 2.0, "w2": 1.0}, {"w1": 2.0, "w2": 1.0, "W1": 9.0}])
def test_weights_of_words_are_found_in_any_case(weights: dict[str, float]) -> None:
    vectors = vectors_of("hyperboloid")
    expected = vectors.centroid(["w1", "w2"], weights=[2, 1])
    found = vectors.centroid(["W1", "w2"], weights=weights)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    (found,) = vectors.centroids([["W1", "w2"]], weights=weights)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"documents": "a text"}, ["documents", "'a text'"]),
        ({"documents": 3}, ["documents", 3]),
        ({"documents": pd.DataFrame({"text": [["w1"]]})}, ["DataFrame", "column"]),
        ({"documents": pl.DataFrame({"text": [["w1"]]})}, ["DataFrame", "column"]),
        ({"documents": {"text": [["w1"]]}}, ["dict", "column"]),
        ({"documents": [["w1"], "w1 w2"]}, ["document 1", "'w1 w2'", "split"]),
        ({"documents": [["w1"], None]}, ["document 1", "None"]),
        ({"documents": [float("nan")]}, ["document 0", "nan"]),
        ({"documents": [["w1", 3]]}, ["document 0", 3]),
        ({"documents": [[["w1"]]]}, ["document 0", "['w1']"]),
        ({"documents": [["w1"]], "weights": [[1, 2]]}, ["document 0", "weights", "(1,)"]),
        ({"documents": [["w1"], ["w2"]], "weights": [[1]]}, ["weights", "fewer"]),
        ({"documents": [["w1"]], "weights": [[1], [1]]}, ["weights", "more"]),
        ({"documents": [["w1"]], "weights": [[-1]]}, ["document 0", "weights", "-1.0"]),
        ({"documents": [["w1", "w2"]], "weights": {"w1": 1}}, ["weights", "'w2'"]),
        ({"documents": [["w1"]], "weights": {"w1": "x"}}, ["weights"]),
        ({"documents": [["w1"]], "weights": {"w1": -1}}, ["weights", "-1.0"]),
        ({"documents": [["w1"]], "weights": 3}, ["weights", 3]),
        ({"documents": [], "skip_unknown": 1}, ["skip_unknown", 1]),
        ({"documents": [], "skip": True}, ["skip", "`skip_unknown`"]),
    ],
)
def test_wrong_documents(arguments: dict[str, Any], facts: list[object]) -> None:
    with pytest.raises(InputError, match=naming(*facts)):
        vectors_of("hyperboloid").centroids(**arguments)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"words": ["w1"], "weights": [0]}, ["weights", 0]),
        ({"words": ["w1"], "weights": [1, 2]}, ["weights", "(1,)"]),
        ({"words": ["w1"], "weights": {}}, ["weights", "'w1'"]),
        ({"words": [np.eye(7)[6]], "weights": {}}, ["words"]),
        ({"words": [["w1", "w2"]]}, ["flat list"]),
        ({"words": []}, ["words", "empty"]),
    ],
)
def test_wrong_words_of_a_centroid(arguments: dict[str, Any], facts: list[object]) -> None:
    with pytest.raises(InputError, match=naming(*facts)):
        vectors_of("hyperboloid").centroid(**arguments)


def test_memory_does_not_grow_with_the_text() -> None:
    vectors = vectors_of("hyperboloid")

    def peak(count: int) -> int:
        words = [f"w{i % WORDS}" for i in range(1000)]
        tracemalloc.start()
        vectors.centroids(words for _ in range(count))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(1)
    assert peak(2000) < 1.5 * peak(500)


@pytest.mark.parametrize("space", ["hyperboloid", "euclidean"])
@given(seed=st.integers(0, 99))
def test_rotations_move_words_and_centroids_together(space: str, seed: int) -> None:
    vectors = vectors_of(space)
    generator = np.random.default_rng(seed)
    rotation = np.linalg.qr(generator.standard_normal((DIMENSION, DIMENSION))).Q
    rotated = WordVectors(vectors.words, vectors.coordinates @ rotation, **SPACES[space])
    rows, starts = generator.integers(0, WORDS, 60), np.arange(0, 61, 6)
    found = rotated.space.coordinates(rotated.centroids_of_rows(rows, starts))
    expected = vectors.space.coordinates(vectors.centroids_of_rows(rows, starts)) @ rotation
    np.testing.assert_allclose(found, expected, atol=1e-5)
