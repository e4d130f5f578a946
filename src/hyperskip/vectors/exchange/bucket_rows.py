"""A table of n-grams with a row for every bucket, as other programs have it."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hyperskip.vectors.exchange.coordinates import block_rows
from hyperskip.vectors.subword_table import SubwordTable


def bucket_rows(table: SubwordTable) -> Iterator[npt.NDArray[np.float32]]:
    """Yield blocks of rows (buckets, dimension); zeros for buckets that are not in the table.

    Zeros do not change the direction of a mean.
    """
    dimension = table.coordinates.shape[1]
    step = block_rows(dimension)
    for begin in range(0, table.scheme.buckets, step):
        rows = np.zeros((min(step, table.scheme.buckets - begin), dimension), dtype="<f4")
        first, last = np.searchsorted(table.buckets, (begin, begin + len(rows)))
        rows[table.buckets[first:last] - begin] = table.coordinates[first:last]
        yield rows
