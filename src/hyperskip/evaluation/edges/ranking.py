"""Ranks of true edges by distance: mean rank and MAP, as defined by Nickel and Kiela (2017).

Each target v of a node u is ranked by its distance from u among all nodes that are not true targets
of u, and are not u: its rank is 1 plus the number of nearer ones. The mean rank is the mean over
all edges. The precision at v is the share of true targets among the nodes that are at most as far
from u as v; its mean over the targets is the average precision of u, and the mean over all nodes
with targets is MAP. Their program, `eval_reconstruction`, does the same, with these ties:

- Nodes at the same distance: their program sorts them in any order. Here the rank is the mean over
  all orders, so each counts as half a node that is nearer.
- Average precision is that of scikit-learn: nodes at the same distance share the last of their
  ranks.

gensim's `ReconstructionEvaluation` counts u itself as a nearer node, so its mean rank is greater
by 1, and its MAP is smaller.
"""

from dataclasses import dataclass

import numpy as np

from hyperskip import devices
from hyperskip.evaluation.edges.adjacency import Adjacency, adjacency
from hyperskip.evaluation.edges.counts import Counts, Report, count_on_cores
from hyperskip.evaluation.edges.separations import placed
from hyperskip.geometry.arrays import Coordinates, Floats, Rows
from hyperskip.geometry.spaces import Space


@dataclass(frozen=True)
class RankingScore:
    """How near true targets are to their sources, compared with all other nodes."""

    mean_rank: float  # of all edges; 1 is the best
    mean_average_precision: float  # MAP, of all nodes with targets; 1 is the best
    edges: int
    sources: int  # number of nodes with targets


def rank_edges(
    space: Space,
    coordinates: Coordinates,
    edges: Rows,
    *,
    known: Rows | None = None,
    by_angle: bool = False,
    device: str = devices.CPU,
    report: Report = lambda _: None,
) -> RankingScore | None:
    """Rank the targets of edges among all nodes; None if there is no edge except self-loops.

    Edges are counted once. For link prediction, `known` has the edges that were trained on: their
    targets are true, too, so they are neither ranked nor counted.

    Args:
        space: The space of the points.
        coordinates: (nodes, dimension): stored coordinates.
        edges: (edges, 2): sources and targets, as rows of the coordinates.
        known: (known, 2): other true edges.
        by_angle: Whether to rank by the angle at the base point, and not by distance.
        device: `cpu` or `cuda`.
        report: Called with the share that is done.
    """
    known = np.empty((0, 2), dtype=np.int64) if known is None else known
    by_source = adjacency(edges, known, len(coordinates))
    if not len(by_source.targets):
        return None
    points = placed(space, coordinates, by_angle=by_angle)
    if device == devices.CUDA:
        from hyperskip.evaluation.edges.gpu import count_on_device

        counts = count_on_device(points, by_source, devices.gpu(), report)
    else:
        counts = count_on_cores(points, by_source, report)
    return _score(counts, by_source)


def _score(counts: Counts, by_source: Adjacency) -> RankingScore:
    ranks = 1.0 + (counts.nearer + counts.within) / 2.0
    precisions: Floats = counts.targets_within / (counts.targets_within + counts.within)
    totals = np.add.reduceat(precisions, by_source.starts[:-1])
    averages = totals / np.diff(by_source.starts)
    return RankingScore(
        float(ranks.mean()), float(averages.mean()), len(ranks), len(by_source.sources)
    )
