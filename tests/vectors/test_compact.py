"""The search with rounded keys finds the same words as the plain search."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hyperskip import WordVectors
from hyperskip.vectors.search import kernel
from hyperskip.vectors.search.compact import CompactSearch
from hyperskip.vectors.search.products import NumpySearch

NOTHING = np.empty((9, 0), dtype=np.int64)


def searches(keys: npt.NDArray[np.float32]) -> tuple[CompactSearch, NumpySearch]:
    return CompactSearch(keys, lambda rows: keys[rows]), NumpySearch(keys)


def random_keys(words: int, dimension: int, seed: int = 1) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((words, dimension)).astype(np.float32)


def with_times(keys: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Keys like those of the hyperboloid: the last number is larger than the others."""
    times = np.sqrt(1 + (keys.astype(np.float64) ** 2).sum(axis=1))
    return np.column_stack((keys, times)).astype(np.float32)


# -- the kernel


def test_bounds_hold_and_are_close() -> None:
    keys = with_times(0.1 * random_keys(700, 50))
    compact, _ = searches(keys)
    queries = keys[:9].astype(np.float64) * ([1] * 50 + [-1])
    margins, most, best = compact._bounds(queries)
    exact = queries @ keys.T.astype(np.float64)
    assert (most >= exact).all()
    assert (most <= exact + 2 * margins[:, None]).all()
    assert margins.max() < 0.01
    for block in range(best.shape[1]):
        part = exact[:, block * kernel.BLOCK : (block + 1) * kernel.BLOCK]
        assert (best[:, block] <= part.max(axis=1)).all()
        assert (best[:, block] >= part.max(axis=1) - 2 * margins).all()


def test_the_kernel_agrees_with_its_twin() -> None:
    generator = np.random.default_rng(3)
    rounded = generator.integers(-127, 128, (600, 64)).astype(np.int8)
    scales, errors = generator.random((2, 600)).astype(np.float32)
    wide = generator.random((600, 2)).astype(np.float32)
    queries, wide_queries = random_keys(3, 64), random_keys(3, 2)
    lengths, slacks = generator.random((2, 3)).astype(np.float32)
    most = np.empty((3, 600), dtype=np.float32)
    best = np.empty((3, -(-600 // kernel.BLOCK)), dtype=np.float32)
    kernel.bounds(rounded, scales, errors, wide, queries, wide_queries, lengths, slacks, most, best)
    products = queries @ rounded.T.astype(np.float64) * scales + wide_queries @ wide.T
    margins = lengths[:, None] * errors + slacks[:, None]
    np.testing.assert_allclose(most, products + margins, rtol=1e-4, atol=1e-3)
    starts = np.arange(0, 600, kernel.BLOCK)
    expected = np.maximum.reduceat(products - margins, starts, axis=1)
    np.testing.assert_allclose(best, expected, rtol=1e-4, atol=1e-3)


# -- the search


@pytest.mark.parametrize("words", [1, 5, 255, 256, 257, 5000])
@pytest.mark.parametrize("dimension", [1, 63, 64, 65])
@pytest.mark.parametrize("count", [1, 10, 300])
def test_shortlists_contain_the_greatest(words: int, dimension: int, count: int) -> None:
    keys = random_keys(words, dimension)
    compact, _ = searches(keys)
    queries = random_keys(9, dimension, seed=2).astype(np.float64)
    excluded = np.random.default_rng(4).integers(0, words, (9, 3))
    for left_out in (NOTHING, excluded):
        found = list(compact.shortlists(queries, count, left_out))
        for query, rows, without in zip(queries, found, left_out, strict=True):
            products = keys.astype(np.float64) @ query
            products[without] = -np.inf
            greatest = np.argsort(-products, kind="stable")[:count]
            assert set(greatest[products[greatest] > -np.inf].tolist()) <= set(rows.tolist())
            assert rows.tolist() == sorted(set(rows.tolist()) - set(without.tolist()))


@pytest.mark.parametrize("words", [40, 2000])
def test_greatest_and_products_agree_with_plain_search(words: int) -> None:
    keys = with_times(random_keys(words, 20))
    compact, plain = searches(keys)
    queries = random_keys(9, 21, seed=2).astype(np.float64)
    excluded = np.random.default_rng(4).integers(0, words, (9, 3))
    np.testing.assert_array_equal(compact.products(queries), plain.products(queries))
    for left_out in (NOTHING, excluded):
        found = compact.greatest(queries, left_out)
        np.testing.assert_array_equal(found, plain.greatest(queries, left_out))


def test_the_greatest_is_the_first_of_equals() -> None:
    keys = np.repeat(np.eye(3, dtype=np.float32), 4, axis=0)
    compact, _ = searches(keys)
    found = compact.greatest(np.eye(3), np.array([[0], [1], [9]]))
    assert found.tolist() == [1, 4, 8]


@pytest.mark.parametrize(
    "keys",
    [
        np.zeros((300, 5), dtype=np.float32),
        np.ones((300, 5), dtype=np.float32),
        np.full((300, 5), 1e-44, dtype=np.float32),
        np.full((300, 5), 1e15, dtype=np.float32),
        (10.0 ** np.arange(-10, 10)[:, None] * random_keys(20, 5)).astype(np.float32),
    ],
    ids=["zeros", "ones", "tiny", "huge", "of every size"],
)
def test_keys_of_any_size(keys: npt.NDArray[np.float32]) -> None:
    compact, _ = searches(keys)
    for query in random_keys(9, 5).astype(np.float64):
        (found,) = compact.shortlists(query[None], 4, NOTHING[:1])
        products = keys.astype(np.float64) @ query
        least = np.sort(products)[-4]
        assert set(np.flatnonzero(products > least)) <= set(found.tolist())
        assert len(found) >= 4


def test_no_queries() -> None:
    compact, _ = searches(random_keys(30, 4))
    assert list(compact.shortlists(np.empty((0, 4)), 3, NOTHING[:0])) == []
    assert compact.greatest(np.empty((0, 4)), NOTHING[:0]).tolist() == []


# -- the vectors


@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0])
@pytest.mark.parametrize(
    "about", [{}, {"factors": 3}, {"geometry": "euclidean"}], ids=["one", "product", "euclidean"]
)
@pytest.mark.parametrize("measure", ["product", "distance", "angle"])
def test_answers_are_the_same_in_every_space(
    about: dict[str, Any], measure: str, scale: float
) -> None:
    if "factors" in about and measure == "distance":
        return  # this space has no such measure
    words = [f"w{i}" for i in range(2000)]
    vectors = WordVectors(words, scale * random_keys(2000, 12), **about).measured_by(measure)
    compact = vectors.compacted(at_least=1)
    assert compact.measure == measure
    assert compact is not vectors
    for word in words[::100]:
        assert compact.neighbors(word, 20) == vectors.neighbors(word, 20)
    for route in ("Z", "Z'"):
        for a, b, c in zip(words[:10], words[10:20], words[20:30], strict=True):
            found = compact.analogy(a, b, c, route=route)
            assert found == vectors.analogy(a, b, c, route=route)
    some = vectors.points[:20]
    excluded = np.arange(20)[:, None]
    found_rows = compact.nearest_rows(some, excluded)
    np.testing.assert_array_equal(found_rows, vectors.nearest_rows(some, excluded))


def test_a_trained_model_gives_the_same_answers(trained: WordVectors) -> None:
    compact = trained.compacted(at_least=1)
    assert compact is not trained
    words = trained.words[::50]
    assert compact.neighbors_of(words) == trained.neighbors_of(words)


def test_words_far_out_use_the_plain_search() -> None:
    vectors = WordVectors(["a", "b", "c"], np.array([[1e5], [2e5], [-1e6]], dtype=np.float32))
    compact = vectors.compacted(at_least=1)
    assert isinstance(compact._searcher._index, NumpySearch)
    assert compact.neighbors("a") == vectors.neighbors("a")


def test_few_words_are_not_compacted(trained: WordVectors) -> None:
    assert trained.compacted() is trained
    assert trained.compacted(at_least=trained.coordinates.size + 1) is trained


def test_without_a_compiler_the_search_is_plain(
    monkeypatch: pytest.MonkeyPatch, trained: WordVectors
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert trained.compacted(at_least=1) is trained
