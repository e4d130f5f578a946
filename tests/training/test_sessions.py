"""Sessions over few items: the default options find the items that belong together."""

from typing import Any

import numpy as np
import pytest

from hyperskip import TrainingWarning, train

ITEMS, GROUPS, NEAREST = 100, 10, 5


def sessions(count: int) -> list[list[int]]:
    """Sessions of six items of one group, of which half are replaced by random items."""
    generator = np.random.default_rng(1)
    size = ITEMS // GROUPS
    groups = generator.integers(0, GROUPS, (count, 1))
    items = groups * size + generator.integers(0, size, (count, 6))
    others = generator.integers(0, ITEMS, items.shape)
    mixed: list[list[int]] = np.where(generator.random(items.shape) < 0.5, others, items).tolist()
    return mixed


def recall(**options: Any) -> float:
    """The share of the nearest items that are in the group of the item."""
    vectors = train(sessions(1000), threads=1, **options)
    found = vectors.neighbors_of(vectors.words, NEAREST)

    def group(item: str) -> int:
        return int(item) * GROUPS // ITEMS

    return float(
        np.mean([group(near.word) == group(item) for item in found for near in found[item]])
    )


@pytest.mark.parametrize("dimension", [20, 100])
def test_items_of_a_group_are_neighbors(dimension: int) -> None:
    assert recall(dimension=dimension) > 0.98


def test_subsampling_as_for_text_loses_most_of_the_sessions() -> None:
    with pytest.warns(TrainingWarning, match="subsample"):
        assert recall(subsample=1e-4) < 0.8
