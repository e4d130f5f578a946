"""Rows that are added in blocks come back in order, whatever the sizes of blocks and chunks."""

import numpy as np
import pytest

from hyperskip.vectors.exchange import stored_rows
from hyperskip.vectors.exchange.stored_rows import StoredRows


@pytest.mark.parametrize("chunk", [1, 6, 7, 1000])
@pytest.mark.parametrize("added", [[10], [1] * 10, [3, 0, 7], [4, 4, 2]])
@pytest.mark.parametrize("taken", [[10], [1] * 10, [2, 0, 5, 3]])
def test_rows_come_back_in_order(
    monkeypatch: pytest.MonkeyPatch, chunk: int, added: list[int], taken: list[int]
) -> None:
    monkeypatch.setattr(stored_rows, "_CHUNK_NUMBERS", chunk)
    values = np.arange(30, dtype=np.float64).reshape(10, 3)
    rows = StoredRows()
    for begin, count in zip(np.cumsum([0, *added[:-1]]), added, strict=True):
        rows.add(values[begin : begin + count])
    assert (len(rows), rows.columns) == (10, 3)
    parts = [rows.take(count, slice(1, None)) for count in taken]
    np.testing.assert_array_equal(np.concatenate(parts), values[:, 1:])
    assert len(rows) == 0
