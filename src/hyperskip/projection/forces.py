"""Forces between words on the disc: the gradient of the likelihood of t-SNE, in hyperbolic space.

Words attract their neighbors, and all words repel each other. A tree of the places makes the sum
over all words short (Barnes & Hut, 1986; van der Maaten, 2014): from afar, many words count as one.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from hyperskip.devices import core_count
from hyperskip.geometry.arrays import Floats
from hyperskip.kernel_cache import compile_kernels
from hyperskip.projection import force_kernels as kernels
from hyperskip.projection.neighbor_graph import Pulls
from hyperskip.thread_pool import ThreadPool

_STEPS_PER_TREE = 5  # words move little in a step, so that the tree stays good for some


class ForceLaw(NamedTuple):
    """How forces depend on the distance d, by similarity = 1 / (1 + (2 sinh(d / 2) / scale)²)."""

    scale: float
    opening: float = 0.5  # greatest radius of words that count as one, as a share of their distance

    @property
    def steepness(self) -> float:
        """The factor of sinh²(d / 2) in the similarity."""
        return 4.0 / self.scale**2


class Forces:
    """Computes the forces on all words.

    Args:
        pulls: The strengths of the attraction, made to add up to 1.
        law: How forces depend on the distance.
        threads: Where the kernels run. The result does not depend on their number.
    """

    def __init__(self, pulls: Pulls, law: ForceLaw, threads: ThreadPool) -> None:
        self._pulls, self._law, self._threads = pulls, law, threads
        self._strengths = pulls.strengths / pulls.strengths.sum()
        words = len(pulls.starts) - 1
        levels = max(0, (words - 1) // kernels.LEAF).bit_length()
        size = (2 << levels) - 1
        self._order = np.arange(words)
        self._begins, self._ends = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        self._nodes = np.zeros((size, 4))
        self._leaves = np.zeros(0, dtype=np.int64)
        self._steps = 0

    def at(self, places: Floats, exaggeration: float = 1.0) -> Floats:
        """(words, 2): the force on each word at these places, in units of the scale.

        Args:
            places: (words, 2), inside the unit circle.
            exaggeration: A factor of the attraction.
        """
        if self._steps % _STEPS_PER_TREE == 0:
            self._build(places)
        self._steps += 1
        stretches = 1.0 / (1.0 - np.sum(places**2, axis=1, keepdims=True))
        stretched = np.hstack((places, stretches))
        pulled, pushed = self._pulled(stretched), self._pushed(stretched)
        total = max(float(pushed[:, 2].sum()), np.finfo(np.float64).tiny)
        found = pushed[:, :2] / total - exaggeration * pulled
        return np.asarray(2.0 * self._law.steepness * self._law.scale * found)

    def _build(self, places: Floats) -> None:
        compile_kernels(
            lambda: kernels.split(places[:0], self._order[:0], self._begins[:1], self._ends[:1]),
            kernels.split,
        )
        kernels.split(places, self._order, self._begins, self._ends)
        sizes = self._ends - self._begins
        self._leaves = np.flatnonzero((sizes > 0) & (sizes <= kernels.LEAF))

    def _pulled(self, places: Floats) -> Floats:
        found = np.empty((len(places), 2))
        pulls = (self._pulls.starts, self._pulls.words, self._strengths)
        self._in_parts(len(places), kernels.attraction, places, *pulls, self._law.steepness, found)
        return found

    def _pushed(self, places: Floats) -> Floats:
        """(words, 3): the repulsion of each word, and the sum of its similarities to others."""
        ordered = places[self._order]
        tree = (ordered, self._begins, self._ends, self._nodes)
        self._in_parts(len(self._nodes), kernels.summarize, *tree)
        of_order, found = np.empty_like(places), np.empty_like(places)
        law = (self._law.steepness, self._law.opening)
        self._in_parts(len(self._leaves), kernels.repulsion, self._leaves, *tree, *law, of_order)
        found[self._order] = of_order
        return found

    def _in_parts(self, count: int, kernel: Callable[..., None], *arguments: Any) -> None:
        """Call a kernel for all parts of a range, in several threads; parts are independent."""
        compile_kernels(lambda: kernel(0, 0, *arguments), kernel)
        ends = np.linspace(0, count, 4 * core_count() + 1).astype(int).tolist()
        parts = [self._threads.submit(kernel, *edges, *arguments) for edges in pairwise(ends)]
        for part in parts:
            self._threads.result(part)  # raises the error of the thread
