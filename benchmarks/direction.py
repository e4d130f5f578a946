"""Which score finds the broader words of a taxonomy: distance, entailment cones, or `is_a`.

    python benchmarks/direction.py EDGES [--closure] [--dimensions 2 5 10] [--holdout 0.1]
        [--epochs 200] [--nodes 500]

Trains a model for each dimension, without the held-out edges, and prints for each score:

- the mean average precision of the ancestors and descendants of some nodes among all other nodes,
  and of held-out ancestors among the nodes that are not known ancestors;
- the area under the ROC curve of held-out edges against reversed edges, siblings and random pairs.

Below, it prints how often the parents of `vectors.tree()` and `vectors.lowest_common_ancestor` are
right.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from reporting import print_markdown
from scipy.stats import rankdata

from hyperskip import WordVectors, embed_graph
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.graphs.closure import transitive_closure
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.graphs.reduction import transitive_reduction
from hyperskip.graphs.splitting import split_edges
from hyperskip.vectors.search.broader import is_a_scores

Score = Callable[[Floats, Floats, Floats], Floats]  # of radii of a and b, and of their distance


def broader_only(a: Floats, b: Floats, distances: Floats) -> Floats:
    """The negative distance; words that are not broader come after all others."""
    return -distances - np.where(b < a, 0.0, 1e3)


def nickel_kiela(a: Floats, b: Floats, distances: Floats) -> Floats:
    """The score of Nickel & Kiela (2017)."""
    return -(1.0 + 1000.0 * (b - a)) * distances


def cones(a: Floats, b: Floats, distances: Floats) -> Floats:
    """How far a lies inside of the entailment cone of b (Ganea et al., 2018), with K = 0.1."""
    sides = np.maximum(np.sinh(b) * np.sinh(distances), 1e-12)
    inner = (np.cosh(b) * np.cosh(distances) - np.cosh(a)) / sides
    half_aperture = np.arcsin(np.minimum(0.1 / np.maximum(np.sinh(b), 1e-12), 1.0))
    return np.asarray(half_aperture - (np.pi - np.arccos(np.clip(inner, -1.0, 1.0))))


SCORES: dict[str, Score] = {
    "distance": lambda _a, _b, distances: -distances,
    "distance of broader words": broader_only,
    "Nickel & Kiela": nickel_kiela,
    "entailment cones": cones,
    "is_a": is_a_scores,
}


class Taxonomy:
    """The ancestors, descendants and parents of each node, by its row in the vectors."""

    def __init__(self, closure: Graph, vectors: WordVectors) -> None:
        rows = vectors.rows_of(closure.names)
        direct = transitive_reduction(closure)
        self.ancestors: list[set[int]] = [set() for _ in vectors.words]
        self.descendants: list[set[int]] = [set() for _ in vectors.words]
        self.parents: list[set[int]] = [set() for _ in vectors.words]
        self.children: list[set[int]] = [set() for _ in vectors.words]
        for graph, above, below in (
            (closure, self.ancestors, self.descendants),
            (direct, self.parents, self.children),
        ):
            pairs = zip(rows[graph.sources].tolist(), rows[graph.targets].tolist(), strict=True)
            for child, parent in pairs:
                above[child].add(parent)
                below[parent].add(child)

    def lowest_common(self, a: int, b: int) -> set[int]:
        """The common ancestors of two nodes, or one of the two, that have none below them."""
        common = (self.ancestors[a] | {a}) & (self.ancestors[b] | {b})
        return {node for node in common if not self.descendants[node] & common}


def average_precision(scores: Floats, true: set[int], left_out: set[int]) -> float:
    """Average precision of true rows among all that are not left out; ties are the worst case."""
    scores = scores.copy()
    scores[list(left_out)] = -np.inf
    found = np.sort(scores[list(true)])[::-1]
    ranks = len(scores) - np.searchsorted(np.sort(scores), found)
    return float(np.mean(np.arange(1, len(found) + 1) / ranks))


def area(true: Floats, false: Floats) -> float:
    """Area under the ROC curve."""
    ranks = rankdata(np.concatenate((true, false)))[: len(true)]
    return float((ranks.mean() - (len(true) + 1) / 2) / len(false))


def measure(vectors: WordVectors, taxonomy: Taxonomy, held_out: Graph, nodes: int) -> None:
    """Print the table of a model."""
    generator = np.random.default_rng(1)
    everything = np.arange(len(vectors))
    all_rows = range(len(vectors))

    def chosen(rows: list[int]) -> list[int]:
        return [rows[i] for i in generator.permutation(len(rows))[:nodes].tolist()]

    def scores_from(score: Score, row: int, *, up: bool) -> Floats:
        distances = vectors.distance_of_rows(np.full(len(vectors), row), everything)
        mine = np.full(len(vectors), vectors.radii[row])
        narrower, broader = (mine, vectors.radii) if up else (vectors.radii, mine)
        return score(narrower, broader, distances)

    rows = vectors.rows_of(held_out.names)
    edges = np.column_stack((rows[held_out.sources], rows[held_out.targets]))
    unknown: dict[int, set[int]] = {}
    for child, parent in edges.tolist():
        unknown.setdefault(child, set()).add(parent)
    pairs_of_siblings = [
        (child, int(generator.choice(others)))
        for child in edges[:, 0].tolist()
        for parent in list(taxonomy.parents[child])[:1]
        if (others := list(taxonomy.children[parent] - {child}))
    ]
    siblings = np.array(pairs_of_siblings, dtype=np.int64)
    random = generator.integers(len(vectors), size=(len(edges), 2))
    random = random[[b not in taxonomy.ancestors[a] for a, b in random.tolist()]]
    with_ancestors = chosen([row for row in all_rows if taxonomy.ancestors[row]])
    inner = chosen([row for row in all_rows if taxonomy.descendants[row]])
    with_unknown = chosen(list(unknown))
    table = []
    for name, score in SCORES.items():

        def of_pairs(pairs: Rows, score: Score = score) -> Floats:
            a, b = pairs.T
            return score(vectors.radii[a], vectors.radii[b], vectors.distance_of_rows(a, b))

        precisions = [
            np.mean(
                [
                    average_precision(
                        scores_from(score, row, up=True), taxonomy.ancestors[row], {row}
                    )
                    for row in with_ancestors
                ]
            ),
            np.mean(
                [
                    average_precision(
                        scores_from(score, row, up=True),
                        unknown[row],
                        taxonomy.ancestors[row] - unknown[row] | {row},
                    )
                    for row in with_unknown
                ]
            ),
            np.mean(
                [
                    average_precision(
                        scores_from(score, row, up=False), taxonomy.descendants[row], {row}
                    )
                    for row in inner
                ]
            ),
        ]
        true = of_pairs(edges)
        areas = [area(true, of_pairs(false)) for false in (edges[:, ::-1], siblings, random)]
        table.append([name, *(f"{value:.3f}" for value in (*precisions, *areas))])
    header = ["", "ancestors", "held out", "descendants", "reversed", "siblings", "random"]
    print_markdown(header, table)
    tree = vectors.tree()
    pairs = [vectors.rows_of(pair).tolist() for pair in tree.pairs]
    pairs = [(child, parent) for child, parent in pairs if taxonomy.parents[child]]
    direct = np.mean([parent in taxonomy.parents[child] for child, parent in pairs])
    above = np.mean([parent in taxonomy.ancestors[child] for child, parent in pairs])
    right = []
    for node in chosen([row for row in inner if len(taxonomy.descendants[row]) > 1]):
        a, b = generator.choice(list(taxonomy.descendants[node]), 2, replace=False).tolist()
        found = vectors.lowest_common_ancestor([vectors.words[a], vectors.words[b]])
        right.append(vectors.index_of(found) in taxonomy.lowest_common(a, b))
    print(f"\ntree: {direct:.3f} of the parents are direct parents, {above:.3f} are ancestors")
    print(f"lowest common ancestors: {np.mean(right):.3f} of {len(right)} are right\n")


def main() -> None:
    """Train and measure the models of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edges", type=Path, metavar="EDGES")
    parser.add_argument("--closure", action="store_true")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[2, 5, 10])
    parser.add_argument("--holdout", type=float, default=0.1)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--nodes", type=int, default=500)
    arguments = parser.parse_args()
    graph = read_graph(arguments.edges, GraphOptions(closure=arguments.closure))
    kept, held_out = split_edges(graph, holdout=arguments.holdout)
    for dimension in arguments.dimensions:
        vectors = embed_graph(kept, dimension=dimension, epochs=arguments.epochs, progress=False)
        print(f"{vectors}, {held_out.edge_count} of {graph.edge_count} edges are held out\n")
        taxonomy = Taxonomy(transitive_closure(graph), vectors)
        measure(vectors, taxonomy, held_out, arguments.nodes)


if __name__ == "__main__":
    main()
