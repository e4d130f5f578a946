"""The same counts as those of the kernel, by PyTorch on a device.

Sources are taken in blocks, so that the matrix (sources, nodes) stays small. Each step of the sums
is an operation of its own, so the separations are those of the kernel (see `separations.py`).
"""

from dataclasses import dataclass

import numpy as np
import torch

from hyperskip.devices import gpu_memory_errors
from hyperskip.evaluation.edges.adjacency import Adjacency
from hyperskip.evaluation.edges.counts import Counts, Report
from hyperskip.evaluation.edges.separations import Placed

_CELLS_AT_ONCE = 1 << 25  # cells of the matrix (sources, nodes): 256 MiB


def count_on_device(
    points: Placed,
    by_source: Adjacency,
    device: torch.device,
    report: Report,
    *,
    cells_at_once: int = _CELLS_AT_ONCE,
) -> Counts:
    """Count nodes by their separation from the source of each edge; see `kernel.count_nearer`."""
    counts = Counts.of_edges(len(by_source.targets))
    sources, nodes = len(by_source.sources), points.lengths.shape[1]
    at_once = max(1, cells_at_once // nodes)
    with gpu_memory_errors():
        arrays = [torch.as_tensor(array, device=device) for array in points]
        lists = [torch.as_tensor(array, device=device) for array in by_source]
        for begin in range(0, sources, at_once):
            end = min(sources, begin + at_once)
            edges = slice(by_source.starts[begin], by_source.starts[end])
            for array, found in zip(counts, _count(arrays, lists, begin, end), strict=True):
                array[edges] = found.cpu().numpy()
            report(end / sources)
    return counts


@dataclass(frozen=True, eq=False)
class _OrderedTargets:
    """The separations of all targets of a block, in ascending order for each source."""

    separations: torch.Tensor  # (targets + 1,); the last is infinite
    begins: torch.Tensor  # (sources,)
    ends: torch.Tensor  # (sources,)
    steps: int  # of a binary search

    def first(self, sources: torch.Tensor, numbers: torch.Tensor, *, above: bool) -> torch.Tensor:
        """Find the first target of each source that is not below a number, or that is above it."""
        begin, end = self.begins[sources], self.ends[sources]
        for _ in range(self.steps):
            middle = (begin + end) // 2
            found = self.separations[middle]
            passed = (found <= numbers if above else found < numbers) & (begin < end)
            begin, end = torch.where(passed, middle + 1, begin), torch.where(passed, end, middle)
        return begin

    def counted(self, sources: torch.Tensor, numbers: torch.Tensor, *, above: bool) -> torch.Tensor:
        """Count the numbers below each target; if not `above`, also those equal to it."""
        targets = len(self.separations) - 1
        at = self.first(sources, numbers, above=above)
        at = torch.where(at < self.ends[sources], at, targets)
        return torch.bincount(at, minlength=targets + 1)[:-1]


def _count(
    points: list[torch.Tensor], lists: list[torch.Tensor], begin: int, end: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Count for a range of sources: `nearer`, `within` and `targets_within` of its edges."""
    every_source, starts, targets, other_starts, others = lists
    sources = every_source[begin:end]
    separations = _separations(points, sources)
    source_of_target, targets = _of_range(starts, targets, begin, end)
    source_of_other, others = _of_range(other_starts, others, begin, end)
    own = separations[source_of_target, targets]
    order = own.argsort(stable=True)
    order = order[source_of_target[order].argsort(stable=True)]
    bounds = starts[begin : end + 1] - starts[begin]
    infinite = own.new_full((1,), np.inf)
    ordered = _OrderedTargets(
        separations=torch.cat((own[order], infinite)),
        begins=bounds[:-1],
        ends=bounds[1:],
        steps=int(bounds.diff().max()).bit_length(),
    )
    farthest = ordered.separations[ordered.ends - 1]
    near, nodes = (separations <= farthest[:, None]).nonzero(as_tuple=True)
    numbers = separations[near, nodes]
    places = torch.arange(len(sources), device=sources.device)
    left_out = torch.cat((source_of_target, source_of_other, places))
    left_out_numbers = torch.cat(
        (own, separations[source_of_other, others], separations[places, sources])
    )

    def up_to_each_target(*, above: bool) -> torch.Tensor:
        counted = ordered.counted(near, numbers, above=above)
        counted -= ordered.counted(left_out, left_out_numbers, above=above)
        totals = torch.cat((counted.new_zeros(1), counted.cumsum(0)))
        before = totals[ordered.begins]
        found = torch.empty_like(counted)
        found[order] = totals[1:] - before[source_of_target[order]]
        return found

    targets_within = ordered.first(source_of_target, own, above=True)
    targets_within -= ordered.begins[source_of_target]
    return up_to_each_target(above=True), up_to_each_target(above=False), targets_within


def _of_range(
    starts: torch.Tensor, nodes: torch.Tensor, begin: int, end: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the nodes in the lists of a range of sources, and the source of each."""
    bounds = starts[begin : end + 1]
    places = torch.arange(end - begin, device=nodes.device)
    return places.repeat_interleave(bounds.diff()), nodes[bounds[0] : bounds[-1]]


def _separations(points: list[torch.Tensor], sources: torch.Tensor) -> torch.Tensor:
    """Return the separations (sources, nodes) of some nodes from all."""
    directions, lengths, growths, decays = points
    factors, _, nodes = directions.shape
    total = directions.new_zeros((len(sources), nodes))
    for factor in range(factors):
        spread = torch.zeros_like(total)
        for row in directions[factor]:
            difference = row[sources][:, None] - row
            spread += difference.mul_(difference)
        difference = growths[factor, sources][:, None] - growths[factor]
        outward = difference.mul_(difference)
        outward *= decays[factor, sources][:, None] * decays[factor]
        spread *= lengths[factor, sources][:, None] * lengths[factor]
        spread += outward
        if factors == 1:
            return spread
        half = spread.mul_(0.5)
        distance = torch.log1p(half + torch.sqrt(half * (half + 2.0)))
        total += distance * distance
    return total
