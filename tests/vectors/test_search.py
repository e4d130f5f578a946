"""The greatest products by NumPy and by PyTorch, compared with plain sorting."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming

from hyperskip import devices
from hyperskip.errors import OptionError
from hyperskip.vectors.search import products as search
from hyperskip.vectors.search.products import NumpySearch, ProductSearch, TorchSearch, query_blocks

MakeSearch = Callable[[npt.NDArray[Any]], ProductSearch]
NOTHING = np.empty((9, 0), dtype=np.int64)


@pytest.fixture(params=[1, 50, 100, 149, 150, 10_000])
def cells(request: pytest.FixtureRequest) -> int:
    """Number of cells in a block; a query has 50, so this is from one query at a time to all."""
    return int(request.param)


@pytest.fixture
def make_search(device: str, cells: int) -> MakeSearch:
    if device == devices.CUDA:
        return lambda keys: TorchSearch(keys, devices.gpu(), cells_at_once=cells)
    return lambda keys: NumpySearch(keys, cells_at_once=cells)


def whole_numbers(*shape: int) -> npt.NDArray[np.float64]:
    """Numbers whose products are exact in float32, many of them equal."""
    return np.random.default_rng(4).integers(-3, 4, shape).astype(np.float64)


KEYS = whole_numbers(50, 3)
QUERIES = whole_numbers(9, 3)
EXCLUDED = np.random.default_rng(6).integers(0, 50, (9, 4))


def in_order(excluded: npt.NDArray[np.int64]) -> list[list[int]]:
    """Return, for each query, all other rows: greatest products first, then lowest rows."""
    return [
        [int(row) for row in np.argsort(-products, kind="stable") if row not in left_out]
        for products, left_out in zip(QUERIES @ KEYS.T, excluded, strict=True)
    ]


def test_blocks_have_no_more_cells_than_allowed(cells: int) -> None:
    found = list(query_blocks(9, 50, cells))
    assert [i for part in found for i in range(9)[part]] == list(range(9))
    assert all(len(range(9)[part]) * 50 <= max(50, cells) for part in found)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products(make_search: MakeSearch, cells: int, dtype: type) -> None:
    products = make_search(KEYS.astype(dtype)).products(QUERIES)
    assert products.dtype == dtype
    np.testing.assert_array_equal(products, QUERIES @ KEYS.T)


@pytest.mark.parametrize("excluded", [NOTHING, EXCLUDED])
def test_the_greatest_is_the_first_of_equals(
    make_search: MakeSearch, cells: int, excluded: npt.NDArray[np.int64]
) -> None:
    found = make_search(KEYS.astype(np.float32)).greatest(QUERIES, excluded)
    assert found.tolist() == [rows[0] for rows in in_order(excluded)]


@pytest.mark.parametrize("excluded", [NOTHING, EXCLUDED])
@pytest.mark.parametrize("count", [1, 5, 45, 50, 1000])
def test_shortlists_contain_the_greatest_and_equal_ones(
    make_search: MakeSearch, cells: int, count: int, excluded: npt.NDArray[np.int64]
) -> None:
    shortlists = list(make_search(KEYS.astype(np.float32)).shortlists(QUERIES, count, excluded))
    assert len(shortlists) == len(QUERIES)
    for query, rows, found in zip(QUERIES, in_order(excluded), shortlists, strict=True):
        least = (KEYS @ query)[rows[:count][-1]]
        assert found.tolist() == sorted(row for row in rows if KEYS[row] @ query >= least)


def test_a_shortlist_allows_for_rounding(make_search: MakeSearch) -> None:
    keys = np.array([[1], [1 + 2**-22], [1 + 2**-10]], dtype=np.float32)
    excluded = np.array([[2], [0]])
    found = make_search(keys).shortlists(np.array([[1.0], [1.0]]), 1, excluded)
    assert [rows.tolist() for rows in found] == [[0, 1], [2]]
    found = make_search(keys.astype(np.float64)).shortlists(np.array([[1.0]]), 1, excluded[:1])
    assert [rows.tolist() for rows in found] == [[1]]


def test_nothing_is_found_if_all_rows_are_excluded(make_search: MakeSearch) -> None:
    every_row = np.arange(50)[None]
    found = make_search(KEYS.astype(np.float32)).shortlists(QUERIES[:1], 3, every_row)
    assert [rows.tolist() for rows in found] == [[]]


def test_no_queries(make_search: MakeSearch) -> None:
    keys = make_search(KEYS.astype(np.float32))
    assert keys.products(QUERIES[:0]).shape == (0, 50)
    assert keys.greatest(QUERIES[:0], NOTHING[:0]).tolist() == []
    assert list(keys.shortlists(QUERIES[:0], 3, NOTHING[:0])) == []


def test_float32_products_have_all_their_digits(make_search: MakeSearch) -> None:
    generator = np.random.default_rng(7)
    keys, queries = generator.standard_normal((2, 500, 100))
    products = make_search(keys.astype(np.float32)).products(queries)
    assert products.dtype == np.float32
    exact = queries.astype(np.float32) @ keys.astype(np.float32).astype(np.float64).T
    assert np.abs(products - exact).max() < 1e-4  # TF32 has an error of 1e-2


# -- only PyTorch


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("torch")
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    pytest.importorskip("triton")
    return devices.gpu()


def test_keys_are_float64_if_pytorch_drops_digits(
    gpu: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    assert search._multiplies_in_full(gpu)
    monkeypatch.setattr(torch, "equal", lambda *_: False)
    keys = TorchSearch(KEYS.astype(np.float32), gpu)
    assert keys.products(QUERIES).dtype == np.float64
    assert keys.greatest(QUERIES, NOTHING).tolist() == [rows[0] for rows in in_order(NOTHING)]


def test_full_gpu_memory_raises_our_error(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    def fail(*_: Any, **__: Any) -> None:
        raise torch.OutOfMemoryError("tried to allocate 9 GiB")

    keys = TorchSearch(KEYS, gpu)
    monkeypatch.setattr(torch, "as_tensor", fail)
    message = naming("GPU", "tried to allocate 9 GiB", "device='cpu'")
    with pytest.raises(OptionError, match=message):
        TorchSearch(KEYS, gpu)
    monkeypatch.setattr(torch, "tensor", fail)
    questions: list[Callable[[], Any]] = [
        lambda: keys.products(QUERIES),
        lambda: keys.greatest(QUERIES, NOTHING),
        lambda: list(keys.shortlists(QUERIES, 3, NOTHING)),
    ]
    for question in questions:
        with pytest.raises(OptionError, match=message):
            question()
