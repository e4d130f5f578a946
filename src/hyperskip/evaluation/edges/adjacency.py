"""The edges to rank, by source: for each node its true targets, and nodes that are not counted."""

from typing import NamedTuple

import numpy as np

from hyperskip.geometry.arrays import Rows


class Adjacency(NamedTuple):
    """Sources that have targets, in ascending order."""

    sources: Rows  # (sources,)
    starts: Rows  # (sources + 1,): targets of source i are targets[starts[i]:starts[i + 1]]
    targets: Rows  # (edges,)
    other_starts: Rows  # (sources + 1,)
    others: Rows  # (others,): by source, true targets that are not ranked and not counted


def adjacency(edges: Rows, known: Rows, nodes: int) -> Adjacency:
    """Group edges by source.

    Edges are counted once, and self-loops are left out.

    Args:
        edges: (edges, 2): sources and targets of the edges to rank.
        known: (known, 2): more true edges; targets in both belong to `edges`.
        nodes: Number of nodes.
    """
    keys = _keys(edges, nodes)
    ranked, targets = np.divmod(keys, max(1, nodes))
    sources = np.unique(ranked)
    source_of_other, others = np.divmod(np.setdiff1d(_keys(known, nodes), keys), max(1, nodes))
    is_needed = np.isin(source_of_other, sources)
    return Adjacency(
        sources,
        _starts(ranked, sources),
        targets,
        _starts(source_of_other[is_needed], sources),
        others[is_needed],
    )


def _keys(edges: Rows, nodes: int) -> Rows:
    """One number for each different edge that is not a self-loop, ascending."""
    source, target = edges.reshape(-1, 2).T
    return np.unique((source * nodes + target)[source != target])


def _starts(of_edges: Rows, sources: Rows) -> Rows:
    return np.append(np.searchsorted(of_edges, sources), len(of_edges)).astype(np.int64)
