"""The slow twin of the kernel, source by source and edge by edge, for reading."""

import numpy as np

from hyperskip.evaluation.edges.separations import Placed, separations_of_pairs
from hyperskip.geometry.arrays import Rows


def count_nearer(
    points: Placed, source: int, targets: Rows, others: Rows
) -> list[tuple[int, int, int]]:
    """For each target: nodes nearer, nodes at most as far, targets at most as far."""
    nodes = np.arange(points.directions.shape[2])
    separations = separations_of_pairs(points, np.full_like(nodes, source), nodes)
    counted = separations[~np.isin(nodes, [source, *targets, *others])]
    of_targets = separations[targets]
    return [
        (int((counted < own).sum()), int((counted <= own).sum()), int((of_targets <= own).sum()))
        for own in of_targets
    ]
