"""Scores of vectors on a graph: reconstruction, link prediction, and radius against depth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hyperskip.errors import DatasetError
from hyperskip.evaluation.edges.auc import edge_auc
from hyperskip.evaluation.edges.ranking import rank_edges
from hyperskip.evaluation.edges.separations import placed
from hyperskip.evaluation.ranking_events import RankingProgress, Report, ignore
from hyperskip.geometry.arrays import Rows
from hyperskip.geometry.names import ANGLE
from hyperskip.graphs.closure import depths
from hyperskip.graphs.graph import Graph
from hyperskip.rank_correlation import spearman
from hyperskip.vectors.search.searcher import check_finite
from hyperskip.vectors.word_vectors import WordVectors

RECONSTRUCTION, LINK_PREDICTION = "reconstruction", "link prediction"

_NAMED_MISSING = 10
_SHOWN_WORDS = 3


class EdgeTask(NamedTuple):
    """Edges to rank, and edges that are true, too, but neither ranked nor counted."""

    name: str
    edges: Graph
    known: Graph | None = None


@dataclass(frozen=True)
class EdgeScore:
    """How near the nodes of edges are, compared with other nodes."""

    mean_rank: float  # 1 is the best
    mean_average_precision: float  # MAP; 1 is the best
    auc: float | None  # against random pairs; None if there are none
    found: int  # number of edges with both nodes in the model
    edges: int


@dataclass(frozen=True)
class GraphScore:
    """Scores on the edges of a graph."""

    directed: bool
    distance: str  # what edges are ranked by
    tasks: dict[str, EdgeScore]  # by name: reconstruction, link prediction
    radius_depth: float | None  # Spearman's correlation; None if undirected, or if undefined
    found: int  # number of nodes in the model
    nodes: int
    missing: tuple[str, ...]  # the first ten nodes that are not in the model


def evaluate_graph(
    vectors: WordVectors,
    graph: Graph,
    tasks: Sequence[EdgeTask],
    *,
    seed: int,
    by_angle: bool = False,
    device: str | None = None,
    report: Report = ignore,
) -> GraphScore:
    """Score vectors on the edges of a graph; by default on the vectors' own device.

    Edges with a node that is not in the model are left out. Targets are ranked among all words of
    the model, by the distance of its space; in flat space, by the Euclidean distance, and not by
    the cosine. An undirected edge is ranked in both directions.

    Args:
        vectors: The model. Nodes are found by their exact names.
        graph: All nodes and edges, for coverage and depths.
        tasks: The edges to rank.
        seed: Seed of the random pairs for AUC.
        by_angle: Whether to rank by the angle at the base point, and not by distance.
        device: `cpu`, `cuda` or `auto`.
        report: Called with the progress.

    Raises:
        DatasetError: No edge of a task has both nodes in the model.
        InputError: The model has coordinates that are not finite.
    """
    check_finite(vectors.coordinates, vectors.words)
    if device is not None:
        sources = sum(len(np.unique(task.edges.sources)) for task in tasks)
        device = vectors.on(device, questions=sources).device
    rows = _rows(vectors, graph)
    known = rows >= 0
    correlation = None
    if graph.directed:
        correlation = spearman(vectors.radii[rows[known]], depths(graph)[known].astype(np.float64))
    return GraphScore(
        directed=graph.directed,
        distance=ANGLE if by_angle else vectors.space.distance_name,
        tasks={
            task.name: _score(vectors, task, seed, by_angle, device or vectors.device, report)
            for task in tasks
        },
        radius_depth=correlation,
        found=int(known.sum()),
        nodes=len(graph),
        missing=tuple(graph.names[node] for node in np.flatnonzero(~known)[:_NAMED_MISSING]),
    )


def _score(
    vectors: WordVectors, task: EdgeTask, seed: int, by_angle: bool, device: str, report: Report
) -> EdgeScore:
    edges = _known_edges(vectors, task.edges)
    known = edges[:0] if task.known is None else _known_edges(vectors, task.known)

    def report_share(share: float) -> None:
        report(RankingProgress(task.name, share))

    ranking = rank_edges(
        vectors.space,
        vectors.coordinates,
        _in_both_directions(edges) if not task.edges.directed else edges,
        known=known if task.edges.directed else _in_both_directions(known),
        by_angle=by_angle,
        device=device,
        report=report_share,
    )
    if ranking is None:
        names = task.edges.names
        raise DatasetError(
            f"none of the {task.edges.edge_count:,} edges has both nodes in the model; the first "
            f"edge is {names[task.edges.sources[0]]!r}, {names[task.edges.targets[0]]!r}",
            hint="nodes must be written as in the model, whose words are "
            f"{', '.join(map(repr, vectors.words[:_SHOWN_WORDS]))} ...",
        )
    return EdgeScore(
        ranking.mean_rank,
        ranking.mean_average_precision,
        edge_auc(placed(vectors.space, vectors.coordinates, by_angle=by_angle), edges, known, seed),
        found=len(edges),
        edges=task.edges.edge_count,
    )


def _rows(vectors: WordVectors, graph: Graph) -> Rows:
    return vectors.known_rows(graph.names, any_case=False)


def _known_edges(vectors: WordVectors, graph: Graph) -> Rows:
    """Return the edges (edges, 2) with both nodes in the model, as rows, without self-loops."""
    rows = _rows(vectors, graph)
    edges = np.stack((rows[graph.sources], rows[graph.targets]), axis=1)
    return np.asarray(edges[(edges >= 0).all(axis=1) & (edges[:, 0] != edges[:, 1])])


def _in_both_directions(edges: Rows) -> Rows:
    return np.concatenate((edges, edges[:, ::-1]))
