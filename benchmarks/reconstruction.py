"""Speed of ranking the edges of a graph, next to gensim's ReconstructionEvaluation.

    python benchmarks/reconstruction.py EDGES [--model MODEL] [--closure] [--rounds 3]
        [--gensim-nodes 200] [--device cpu]

Without a model, nodes are random points. Both programs rank the edges of the same points; gensim,
which uses one core, ranks those of some nodes only. Speed counts nodes whose edges were ranked per
second; the median and the range of the rounds are printed, and the ratio. gensim counts a node
itself as nearer than its targets, so its mean rank is greater by 1.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from gensim.models.poincare import PoincareKeyedVectors, ReconstructionEvaluation
from reporting import print_markdown, spread

from hyperskip import WordVectors, load
from hyperskip.devices import CPU, CUDA
from hyperskip.evaluation.edges.ranking import rank_edges
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph


def main() -> None:
    """Measure both programs on the command line's edges."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edges", type=Path, metavar="EDGES")
    parser.add_argument("--model", type=Path, help="a model of these nodes")
    parser.add_argument("--closure", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gensim-nodes", type=int, default=200)
    parser.add_argument("--device", choices=(CPU, CUDA), default=CPU)
    arguments = parser.parse_args()
    graph = read_graph(arguments.edges, GraphOptions(closure=arguments.closure))
    vectors = random_vectors(graph) if arguments.model is None else load(arguments.model)
    some = edges_of_some_nodes(graph, arguments.gensim_nodes)
    of_hyperskip(vectors, some, arguments.device)  # compiles the kernel
    print(f"{graph}, dimension {vectors.dimension}\n")
    rows: list[list[str]] = []
    speeds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            for name, figures in (
                ("hyperskip", of_hyperskip(vectors, graph, arguments.device)),
                ("hyperskip, same nodes", of_hyperskip(vectors, some, arguments.device)),
                ("gensim", of_gensim(vectors, some, Path(folder))),
            ):
                nodes, seconds, *scores = figures
                speeds.setdefault(name, []).append(nodes / seconds)
                shown = [f"{score:.4f}" for score in scores]
                rows.append([name, f"{nodes}", f"{seconds:.3f}", *shown])
    print_markdown(["", "nodes", "seconds", "mean rank", "MAP"], rows[-3:])
    ratios = [
        ours / theirs for ours, theirs in zip(speeds["hyperskip"], speeds["gensim"], strict=True)
    ]
    print()
    print_markdown(
        ["", "nodes/s, median (range)"],
        [[name, spread(each, ".0f")] for name, each in speeds.items()],
    )
    print(f"\nhyperskip is {spread(ratios, '.0f')} times as fast as gensim")


def random_vectors(graph: Graph, dimension: int = 10) -> WordVectors:
    """Random points, about 2 away from the base point."""
    points = np.random.default_rng(1).normal(0, 1, (len(graph), dimension))
    return WordVectors(graph.names, points.astype(np.float32))


def edges_of_some_nodes(graph: Graph, count: int) -> Graph:
    """The edges of random sources."""
    sources = np.unique(graph.sources)
    chosen = np.random.default_rng(1).choice(sources, min(count, len(sources)), replace=False)
    kept = np.isin(graph.sources, chosen)
    return replace(graph, sources=graph.sources[kept], targets=graph.targets[kept])


def of_hyperskip(
    vectors: WordVectors, graph: Graph, device: str
) -> tuple[int, float, float, float]:
    """Number of nodes with edges, seconds, mean rank and MAP."""
    rows = vectors.rows_of(graph.names)
    start = time.perf_counter()
    edges = np.stack((rows[graph.sources], rows[graph.targets]), axis=1)
    score = rank_edges(vectors.space, vectors.coordinates, edges, device=device)
    seconds = time.perf_counter() - start
    assert score is not None
    return score.sources, seconds, score.mean_rank, score.mean_average_precision


def of_gensim(vectors: WordVectors, graph: Graph, folder: Path) -> tuple[int, float, float, float]:
    """The same of gensim, without the time of reading the edges."""
    points = PoincareKeyedVectors(vectors.dimension, 0)
    points.add_vectors(list(vectors.words), vectors.ball)
    names = np.array(graph.names, dtype=object)
    path = folder / "edges.tsv"
    pairs = zip(names[graph.sources], names[graph.targets], strict=True)
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), encoding="utf-8")
    evaluation = ReconstructionEvaluation(str(path), points)
    start = time.perf_counter()
    mean_rank, precision = evaluation.evaluate_mean_rank_and_map()
    seconds = time.perf_counter() - start
    return len(np.unique(graph.sources)), seconds, float(mean_rank), float(precision)


if __name__ == "__main__":
    main()
