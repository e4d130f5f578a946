"""Parameters of `ranking` from an initial model: its nodes keep their positions."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hyperskip.errors import TrainingWarning, warn
from hyperskip.geometry.names import HYPERBOLOID, is_curved
from hyperskip.geometry.spaces import space_named
from hyperskip.training.edge_text import EdgeText
from hyperskip.training.parameters import InitialParameters
from hyperskip.training.ranking_options import LARGEST_RADIUS, RankingOptions
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.start.from_model import Mask
from hyperskip.training.start.random_positions import random_parameters
from hyperskip.training.start.tree_layout import starts_as_tree
from hyperskip.vectors.word_vectors import WordVectors


def inherited_ranking_options(model: WordVectors, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Options of `ranking` that follow from the initial model, unless they are chosen."""
    inherited: dict[str, Any] = {"geometry": model.geometry, "dimension": model.dimension}
    curvature = model.options.get("curvature")
    if curvature is not None and is_curved(chosen.get("geometry", model.geometry)):
        inherited["curvature"] = curvature
    return inherited


def start_radius(model: WordVectors | None, text: EdgeText, options: RankingOptions) -> float:
    """Radius of the farthest node at the start; 0 if all are near the base point."""
    if model is not None:
        return float(model.radii.max())
    geometry, dimension = options.geometry or HYPERBOLOID, options.dimension_or_default
    if starts_as_tree(space_named(geometry), dimension):
        return min(math.log(len(text.vocabulary)), options.max_radius or LARGEST_RADIUS)
    return 0.0


def nodes_from_model(
    model: WordVectors, text: EdgeText, plan: RankingPlan
) -> tuple[InitialParameters, Mask]:
    """The parameters at the start, and which nodes of the graph the model has.

    A new node starts near the centroid of its neighbors that the model has; without such
    neighbors, it starts at random.
    """
    words = text.vocabulary.words
    rows = model.known_rows(words, any_case=False)
    known = rows >= 0
    if plan.freeze and known.all():
        warn(
            "the graph has no new nodes, so `freeze=True` leaves nothing to train", TrainingWarning
        )
    parameters = random_parameters(len(words), plan)
    centers = parameters.centers
    centers[known] = model.coordinates[rows[known]]
    points = plan.space.points(centers)
    sums, neighbors = np.zeros_like(points), np.zeros(len(words))
    for new, other in (text.edges.T, text.edges.T[::-1]):
        useful = ~known[new] & known[other]
        np.add.at(sums, new[useful], points[other[useful]])
        np.add.at(neighbors, new[useful], 1.0)
    some = np.flatnonzero(neighbors)
    means = sums[some] / neighbors[some, None]
    centers[some] += plan.space.coordinates(plan.space.centroid_of_mean(means))
    return parameters, known
