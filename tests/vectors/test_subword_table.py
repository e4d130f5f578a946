"""A table of n-grams: words as means, and what it refuses."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hyperskip
from hyperskip import InputError, SubwordScheme, SubwordTable, WordVectors

SCHEME = SubwordScheme(shortest=3, longest=4, buckets=1000)


def table_for(words: list[str], scheme: SubwordScheme = SCHEME, dimension: int = 3) -> SubwordTable:
    """A table with a random vector for every n-gram of the words."""
    buckets = np.unique(scheme.buckets_of(words).buckets)
    vectors = np.random.default_rng(1).normal(size=(len(buckets), dimension))
    return SubwordTable(scheme, buckets, vectors)


def test_a_word_is_the_mean_of_its_ngrams() -> None:
    table = table_for(["dog", "cat"])
    composed = table.compose(["dog", "cat"])
    for word, coordinates in zip(["dog", "cat"], composed.coordinates, strict=True):
        buckets = SCHEME.buckets_of([word]).buckets.tolist()
        rows = [table.buckets.tolist().index(bucket) for bucket in buckets]
        np.testing.assert_allclose(coordinates, table.coordinates[rows].mean(axis=0), rtol=1e-6)
    assert composed.is_known.tolist() == [True, True]


def test_unknown_ngrams_are_left_out() -> None:
    table = table_for(["dog"])
    dogs, dog, nothing, short = table.compose(["dogs", "dog", "zzzz", ""]).coordinates
    shared = [bucket for bucket in SCHEME.buckets_of(["dogs"]).buckets if bucket in table.buckets]
    rows = np.searchsorted(table.buckets, shared)
    np.testing.assert_allclose(dogs, table.coordinates[rows].mean(axis=0), rtol=1e-6)
    assert not np.array_equal(dogs, dog)
    assert not nothing.any()
    assert not short.any()
    assert table.compose(["dogs", "dog", "zzzz", ""]).is_known.tolist() == [
        True,
        True,
        False,
        False,
    ]


def test_an_empty_table_knows_no_words() -> None:
    table = SubwordTable(SCHEME, np.zeros(0, dtype=np.int64), np.zeros((0, 3)))
    assert not table.compose(["dog"]).is_known.any()
    assert table.compose([]).coordinates.shape == (0, 3)


def test_copies_cannot_be_changed() -> None:
    table = table_for(["dog"])
    for same in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        with pytest.raises(ValueError, match="read-only"):
            same.coordinates[0, 0] = 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fasttext", [0], [[0.0]]), "`scheme` must be hyperskip.SubwordScheme, got 'fasttext'"),
        ((SCHEME, [1, 0], [[0.0], [0.0]]), "`buckets` must ascend"),
        ((SCHEME, [0, 0], [[0.0], [0.0]]), "`buckets` must ascend"),
        ((SCHEME, [-1], [[0.0]]), "`buckets` must ascend, from 0 at least to 999 at most"),
        ((SCHEME, [1000], [[0.0]]), "`buckets` must ascend, from 0 at least to 999 at most"),
        ((SCHEME, [0.5], [[0.0]]), "`buckets`"),
        ((SCHEME, [0], [[0.0], [1.0]]), "`coordinates`"),
        ((SCHEME, [0], [[np.nan]]), "`coordinates` of subwords must be finite"),
        ((SCHEME, [0], [[1e300]]), "`coordinates` of subwords must be finite"),
    ],
)
def test_bad_tables_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SubwordTable(*arguments)


@pytest.mark.parametrize(
    ("subwords", "message"),
    [
        ("yes", "`subwords` must be hyperskip.SubwordTable, got 'yes'"),
        (table_for(["dog"], dimension=2), "`subwords` has 2 dimensions, but the words have 3"),
    ],
)
def test_vectors_refuse_a_table_of_another_model(subwords: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        WordVectors(["dog"], [[0.0, 1.0, 2.0]], subwords=subwords)


@pytest.mark.parametrize("hashes", [0, 2])
def test_a_model_file_keeps_the_table(tmp_path: Path, hashes: int) -> None:
    scheme = SubwordScheme(shortest=3, longest=6, buckets=2000, hashes=hashes)
    vectors = WordVectors(["dog"], [[0.0, 1.0, 2.0]], subwords=table_for(["dog"], scheme))
    vectors.save(tmp_path / "model.safetensors")
    loaded = hyperskip.load(tmp_path / "model.safetensors")
    assert loaded.subwords is not None
    assert vectors.subwords is not None
    assert loaded.subwords.scheme == scheme
    assert np.array_equal(loaded.subwords.buckets, vectors.subwords.buckets)
    assert np.array_equal(loaded.subwords.coordinates, vectors.subwords.coordinates)
    assert "with subwords" in repr(loaded)
