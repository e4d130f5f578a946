"""For each edge, the number of nodes that are nearer to its source than its target."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hyperskip.devices import core_count
from hyperskip.evaluation.edges.adjacency import Adjacency
from hyperskip.evaluation.edges.separations import Placed
from hyperskip.geometry.arrays import Rows
from hyperskip.kernel_cache import compile_kernels
from hyperskip.thread_pool import ThreadPool

_PAIRS_AT_ONCE = 1 << 27  # pairs of nodes between two reports of progress, on each thread
_SOURCES_OF_A_BLOCK = 16  # of the kernel

Report = Callable[[float], None]  # called with the share that is done


class Counts(NamedTuple):
    """Numbers of nodes compared with the target of each edge, all (edges,)."""

    nearer: Rows  # nodes that are nearer to the source than the target
    within: Rows  # nodes that are at most as far
    targets_within: Rows  # targets that are at most as far, itself included

    @classmethod
    def of_edges(cls, edges: int) -> "Counts":
        """Return empty arrays."""
        return cls(*(np.empty(edges, dtype=np.int64) for _ in cls._fields))


def count_on_cores(points: Placed, by_source: Adjacency, report: Report) -> Counts:
    """Count with the kernel, on all cores."""
    from hyperskip.evaluation.edges import kernel

    counts = Counts.of_edges(len(by_source.targets))

    def of_sources(begin: int, end: int) -> None:
        kernel.count_nearer(tuple(points), *by_source, begin, end, *counts)

    compile_kernels(lambda: of_sources(0, 0), kernel.count_nearer)
    sources = len(by_source.sources)
    with ThreadPool(core_count()) as threads:
        parts = [
            (threads.submit(of_sources, begin, end), end)
            for begin, end in _ranges(sources, points.lengths.shape[1])
        ]
        for part, end in parts:
            threads.result(part)
            report(end / sources)
    return counts


def _ranges(sources: int, nodes: int) -> Iterator[tuple[int, int]]:
    """Cut sources into ranges: whole blocks of the kernel, and enough for all cores."""
    for_cores = -(-sources // core_count())
    at_once = min(_PAIRS_AT_ONCE // nodes, for_cores)
    at_once = max(1, -(-at_once // _SOURCES_OF_A_BLOCK)) * _SOURCES_OF_A_BLOCK
    return pairwise([*range(0, sources, at_once), sources])
