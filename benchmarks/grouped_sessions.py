"""Random sessions whose right answer is known.

A session is a list of items of one group. Groups and items have Zipf's popularity to some power,
and a share of the items of every session is random. The nearest items of an item should be those
of its group.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Shape:
    """The shape of a set of sessions."""

    sessions: int
    items: int
    groups: int
    popularity: float  # the exponent of Zipf's law
    noise: float  # the share of random items
    length: int = 6

    def __str__(self) -> str:
        return (
            f"{self.sessions:,} sessions, {self.items:,} items in {self.groups} groups, "
            f"popularity {self.popularity:g}, noise {self.noise:g}"
        )

    def group_of(self, item: str) -> int:
        """The group of an item."""
        return int(item.removeprefix("item_")) // (self.items // self.groups)

    def drawn(self, seed: int) -> list[list[str]]:
        """Random sessions."""
        return [[f"item_{item}" for item in session] for session in self.drawn_ids(seed).tolist()]

    def drawn_ids(self, seed: int) -> npt.NDArray[np.int64]:  # (sessions, length)
        """The same sessions, with the numbers of the items."""
        random = np.random.default_rng(seed)
        size = self.items // self.groups
        groups = random.choice(self.groups, self.sessions, p=self._shares(self.groups))
        ranks = random.choice(size, (self.sessions, self.length), p=self._shares(size))
        items = groups[:, None] * size + ranks
        is_noise = random.random(items.shape) < self.noise
        items[is_noise] = random.integers(0, self.items, is_noise.sum())
        return items

    def _shares(self, count: int) -> npt.NDArray[np.float64]:
        weights = np.arange(1.0, count + 1) ** -self.popularity
        return np.asarray(weights / weights.sum())

    def recall(self, items: Iterable[str], nearest: Callable[[str], Iterable[str]]) -> float:
        """The share of the nearest items that are in the group of the item."""
        return float(np.mean(list(self._shares_in_group(items, nearest))))

    def _shares_in_group(
        self, items: Iterable[str], nearest: Callable[[str], Iterable[str]]
    ) -> Iterator[float]:
        for item in items:
            group = self.group_of(item)
            yield float(np.mean([self.group_of(other) == group for other in nearest(item)]))
