"""Stretches of items in groups, so that only some items are in memory at a time."""

from collections.abc import Iterator

import numpy as np

from hyperskip.geometry.arrays import Rows


def stretches(starts: Rows, size: int) -> Iterator[tuple[int, int, slice]]:
    """Yield the begin and end of each stretch of items, and the groups that it has parts of.

    Args:
        starts: (groups + 1,): group i is the items from starts[i] to starts[i + 1].
        size: The largest number of items in a stretch.
    """
    for begin in range(0, int(starts[-1]), size):
        end = min(begin + size, int(starts[-1]))
        first = np.searchsorted(starts, begin, side="right") - 1
        yield begin, end, slice(int(first), int(np.searchsorted(starts, end)))
