"""Recall of the right items after training on sessions, with the defaults of hyperskip and gensim.

    make bench  # once, to install gensim
    .venv/bench/bin/python benchmarks/sessions.py

A session is a list of items of one group. Groups and items have Zipf's popularity to some power,
and a share of the items of every session is random. So the right answer is known: the ten nearest
items of an item are in its group. Prints the share that is (recall), for both programs in the same
run, and the time of gensim divided by the time of hyperskip. The first training of hyperskip is not
timed: it may compile kernels.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from gensim.models import Word2Vec
from reporting import print_markdown

import hyperskip

NEAREST = 10


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
        random = np.random.default_rng(seed)
        size = self.items // self.groups
        groups = random.choice(self.groups, self.sessions, p=self._shares(self.groups))
        ranks = random.choice(size, (self.sessions, self.length), p=self._shares(size))
        items = groups[:, None] * size + ranks
        is_noise = random.random(items.shape) < self.noise
        items[is_noise] = random.integers(0, self.items, is_noise.sum())
        return [[f"item_{item}" for item in session] for session in items.tolist()]

    def _shares(self, count: int) -> np.ndarray:
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


SHAPES = (
    Shape(20_000, 500, 25, 0.0, 0.0),
    Shape(20_000, 500, 25, 1.0, 0.3),
    Shape(20_000, 500, 10, 0.5, 0.5),
    Shape(20_000, 500, 25, 0.0, 0.75),
    Shape(5_000, 100, 5, 0.7, 0.5),
    Shape(100_000, 5_000, 100, 0.7, 0.4),
)


def ours(shape: Shape, sessions: list[list[str]], **options: int) -> tuple[float, float]:
    """Recall and seconds of hyperskip."""
    begin = time.perf_counter()
    vectors = hyperskip.train(sessions, **options)  # type: ignore[arg-type]
    seconds = time.perf_counter() - begin
    found = vectors.neighbors_of(vectors.words, NEAREST)
    return shape.recall(found, lambda item: [each.word for each in found[item]]), seconds


def gensims(shape: Shape, sessions: list[list[str]], *, skip_gram: bool) -> tuple[float, float]:
    """Recall and seconds of gensim."""
    begin = time.perf_counter()
    vectors = Word2Vec(sessions, sg=int(skip_gram), seed=1, workers=2).wv
    seconds = time.perf_counter() - begin
    nearest = {
        item: [other for other, _ in vectors.most_similar(item, topn=NEAREST)]
        for item in vectors.index_to_key
    }
    return shape.recall(nearest, nearest.__getitem__), seconds


def main() -> None:
    """Measure every shape and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="seed of the sessions")
    seed = parser.parse_args().seed
    ours(SHAPES[0], SHAPES[0].drawn(seed))
    rows = []
    for shape in SHAPES:
        sessions = shape.drawn(seed)
        recall, seconds = ours(shape, sessions)
        flat, _ = ours(shape, sessions, dimension=20)
        default, their_seconds = gensims(shape, sessions, skip_gram=False)
        skip_gram, _ = gensims(shape, sessions, skip_gram=True)
        ratio = f"{their_seconds / seconds:.1f}"
        rows.append((str(shape), *(f"{x:.3f}" for x in (recall, flat, default, skip_gram)), ratio))
    header = ("data", "hyperskip", "at 20 dimensions", "gensim", "gensim, skip-gram", "time ratio")
    print_markdown(header, rows)


if __name__ == "__main__":
    main()
