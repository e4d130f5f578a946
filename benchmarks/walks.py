"""Link prediction from random walks: hyperskip, and PecanPy with gensim, on the same graph.

    python benchmarks/walks.py --edges EDGES.tsv --peer-python PECANPY_ENVIRONMENT/bin/python

Both embed the graph without its held-out edges, with the same number and length of walks, window,
dimension, epochs and threads. Held-out edges are those that are not needed to keep the rest
connected, at most a share of all. A round runs each program once in a new process, so that other
work on the machine affects both. Prints medians with minimum and maximum over the rounds.

- whole: seconds from the start of the process to its end, from a file of edges to saved vectors.
- CPU: seconds of all threads together; hardly affected by other work.
- peak: the peak memory of the process.
- AUC: the probability that a held-out edge scores more than a pair of nodes without an edge.
  *Random pairs* consist of any two nodes. Then the number of edges of both nodes alone may reach a
  high AUC, which is printed above the table. Pairs of the *same degrees* consist of two ends of
  held-out edges, so that it does not help to know which nodes have many edges.
- distance: hyperskip scores pairs by their distance, gensim by the cosine.
- classifier: as in the paper of node2vec, a logistic regression on the products of coordinates,
  trained on the edges of the graph and as many random pairs.

Without `--edges`, the graph is random, with communities.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from one_embedding import OURS, THEIRS, Cost, Embedding, run
from reporting import print_markdown, spread

from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph

Pairs = npt.NDArray[np.int64]  # (pairs, 2)
Floats = npt.NDArray[np.float64]
PAIRS_PER_EDGE = 5  # without an edge, for each held-out edge
MOST_EXAMPLES = 20_000  # of edges, for the classifier


@dataclass(frozen=True)
class Task:
    """A graph, its held-out edges, and pairs without an edge."""

    nodes: int
    edges: Pairs
    held_out: Pairs
    random_pairs: Pairs
    same_degrees: Pairs
    examples: Pairs  # pairs without an edge, as many as edges, to train the classifier


@dataclass(frozen=True)
class Round:
    """What a program needed and reached; each AUC with random pairs and with the same degrees."""

    cost: Cost
    distance: tuple[float, float]
    classifier: tuple[float, float]


def task_of(graph: Graph, holdout: float, seed: int) -> Task:
    """Hold out edges, and draw pairs without an edge."""
    random = np.random.default_rng(seed)
    both = np.stack((graph.sources, graph.targets), axis=1).astype(np.int64)
    edges = np.unique(np.sort(both[both[:, 0] != both[:, 1]], axis=1), axis=0)
    random.shuffle(edges)
    spare = np.flatnonzero(~spanning(edges, len(graph)))[: int(holdout * len(edges))]
    held_out = edges[spare]
    kept = np.delete(edges, spare, axis=0)
    known = set(map(tuple, edges.tolist()))
    count = PAIRS_PER_EDGE * len(held_out)
    nodes = np.arange(len(graph))
    return Task(
        len(graph),
        kept,
        held_out,
        pairs_without_edge(nodes, count, known, random),
        pairs_without_edge(held_out.ravel(), count, known, random),
        pairs_without_edge(nodes, min(len(kept), MOST_EXAMPLES), known, random),
    )


def spanning(edges: Pairs, nodes: int) -> npt.NDArray[np.bool_]:
    """Which edges connect two parts that earlier edges do not connect."""
    parent = list(range(nodes))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    connects = []
    for a, b in edges.tolist():
        first, second = root(a), root(b)
        parent[first] = second
        connects.append(first != second)
    return np.array(connects, dtype=np.bool_)


def pairs_without_edge(
    ends: npt.NDArray[np.int64],
    count: int,
    known: set[tuple[int, ...]],
    random: np.random.Generator,
) -> Pairs:
    """Draw pairs of different nodes that have no edge."""
    pairs: list[list[int]] = []
    while len(pairs) < count:
        drawn = np.sort(random.choice(ends, (count, 2)), axis=1)
        pairs += [[a, b] for a, b in drawn.tolist() if a != b and (a, b) not in known]
    return np.array(pairs[:count], dtype=np.int64).reshape(-1, 2)


def auc(positive: Floats, negative: Floats) -> float:
    """The probability that a positive score is greater than a negative one; ties count half."""
    ordered = np.sort(negative)
    below, not_above = (np.searchsorted(ordered, positive, side) for side in ("left", "right"))
    return float((below + not_above).mean() / 2 / len(ordered))


def aucs(task: Task, score: Callable[[Pairs], Floats]) -> tuple[float, float]:
    """The AUC with random pairs, and with pairs of the same degrees."""
    positive = score(task.held_out)
    others = task.random_pairs, task.same_degrees
    return auc(positive, score(others[0])), auc(positive, score(others[1]))


def degree_score(task: Task) -> Callable[[Pairs], Floats]:
    """Scores pairs by their numbers of edges alone."""
    degrees = np.bincount(task.edges.ravel(), minlength=task.nodes).astype(np.float64)
    return lambda pairs: degrees[pairs].prod(axis=1)


def distance_score(program: str, points: Floats) -> Callable[[Pairs], Floats]:
    """Scores pairs as the program compares words."""
    if program == OURS:  # the product falls with the distance
        signs = np.ones(points.shape[1])
        signs[-1] = -1.0
        return lambda pairs: products(points, pairs) @ signs
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    return lambda pairs: products(units, pairs).sum(axis=1)


def classifier_score(task: Task, points: Floats) -> Callable[[Pairs], Floats]:
    """Scores pairs by a logistic regression on products of coordinates."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    edges = task.edges[: len(task.examples)]
    features = products(points, np.concatenate((edges, task.examples)))
    labels = np.repeat([1, 0], (len(edges), len(task.examples)))
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)).fit(features, labels)
    return lambda pairs: np.asarray(model.decision_function(products(points, pairs)))


def on_hyperboloid(coordinates: Floats) -> Floats:
    """Points with their time, which is last: (nodes, dimension + 1)."""
    times = np.sqrt(1 + np.sum(coordinates**2, axis=1, keepdims=True))
    return np.concatenate((coordinates, times), axis=1)


def products(points: Floats, pairs: Pairs) -> Floats:
    """The product of each coordinate of two nodes: (pairs, coordinates)."""
    return points[pairs[:, 0]] * points[pairs[:, 1]]


def communities(nodes: int, seed: int) -> Graph:
    """A random graph with communities of 100 nodes: ten edges per node, nine of them inside."""
    random = np.random.default_rng(seed)
    sources = np.repeat(np.arange(nodes), 10)
    is_inside = random.random(len(sources)) < 0.9
    inside = sources // 100 * 100 + random.integers(0, 100, len(sources))
    anywhere = random.integers(0, nodes, len(sources))
    targets = np.where(is_inside, np.minimum(inside, nodes - 1), anywhere)
    names = tuple(map(str, range(nodes)))
    return Graph(names, sources.astype(np.int32), targets.astype(np.int32), directed=False)


def measured(task: Task, embedding: Embedding, python: str) -> Round:
    """Embed with a program, and score it."""
    cost = run(embedding, python)
    points = np.load(embedding.output).astype(np.float64)
    if embedding.program == OURS:
        points = on_hyperboloid(points)
    return Round(
        cost,
        aucs(task, distance_score(embedding.program, points)),
        aucs(task, classifier_score(task, points)),
    )


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edges", type=Path, help="a file of edges; may be compressed")
    parser.add_argument("--nodes", type=int, default=2000, help="of a random graph")
    parser.add_argument(
        "--peer-python", default=sys.executable, help="interpreter that has PecanPy and gensim"
    )
    parser.add_argument("--holdout", type=float, default=0.2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dimension", type=int, default=128)
    parser.add_argument("--walks", type=int, default=10)
    parser.add_argument("--walk-length", type=int, default=80)
    parser.add_argument("--window", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("-p", type=float, default=1.0)
    parser.add_argument("-q", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(given)


def embedding_of(
    program: str, number: int, task: Task, arguments: argparse.Namespace, folder: Path
) -> Embedding:
    """What a program does in a round."""
    return Embedding(
        program=program,
        edges=str(folder / "edges.tsv"),
        output=str(folder / "points.npy"),
        nodes=task.nodes,
        seed=arguments.seed + number,
        **{
            name: getattr(arguments, name)
            for name in (
                *("dimension", "walks", "walk_length", "window", "epochs", "threads", "p", "q"),
            )
        },
    )


def print_rounds(rounds: dict[str, list[Round]]) -> None:
    """Print a row for each program, and how many times as fast and as small hyperskip is."""
    header = ["program", "whole, s", "CPU, s", "peak, MB"]
    header += [f"AUC, {score}, {pairs}" for score in ("distance", "classifier") for pairs in KINDS]
    rows = [
        [
            program,
            spread([each.cost.seconds for each in of_program], ".1f"),
            spread([each.cost.cpu_seconds for each in of_program], ".1f"),
            spread([each.cost.peak_bytes / 1e6 for each in of_program], ".0f"),
            *(spread([each.distance[kind] for each in of_program], ".3f") for kind in (0, 1)),
            *(spread([each.classifier[kind] for each in of_program], ".3f") for kind in (0, 1)),
        ]
        for program, of_program in rounds.items()
    ]
    pairs = list(zip(rounds[OURS], rounds[THEIRS], strict=True))
    rows.append(
        [
            "ratio",
            spread([theirs.cost.seconds / ours.cost.seconds for ours, theirs in pairs], ".1f"),
            spread(
                [theirs.cost.cpu_seconds / ours.cost.cpu_seconds for ours, theirs in pairs], ".1f"
            ),
            spread(
                [theirs.cost.peak_bytes / ours.cost.peak_bytes for ours, theirs in pairs], ".1f"
            ),
            *([""] * 4),
        ]
    )
    print_markdown(header, rows)


KINDS = "random pairs", "same degrees"


def main() -> None:
    """Run the benchmark."""
    arguments = parsed_arguments()
    graph = communities(arguments.nodes, arguments.seed)
    if arguments.edges is not None:
        graph = read_graph(arguments.edges, GraphOptions())
    task = task_of(graph, arguments.holdout, arguments.seed)
    by_degree = aucs(task, degree_score(task))
    print(
        f"{task.nodes:,} nodes, {len(task.edges):,} edges, {len(task.held_out):,} held out. AUC of "
        f"the numbers of edges alone: {by_degree[0]:.3f} with random pairs, {by_degree[1]:.3f} "
        "with pairs of the same degrees.\n",
        flush=True,
    )
    rounds: dict[str, list[Round]] = {OURS: [], THEIRS: []}
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as name:
        folder = Path(name)
        np.savetxt(folder / "edges.tsv", task.edges, fmt="%d", delimiter="\t")
        for number in range(arguments.rounds):
            for program, python in ((OURS, sys.executable), (THEIRS, arguments.peer_python)):
                embedding = embedding_of(program, number, task, arguments, folder)
                rounds[program].append(measured(task, embedding, python))
                print(
                    f"round {number + 1}, {program}: {rounds[program][-1]}",
                    file=sys.stderr,
                    flush=True,
                )
    print_rounds(rounds)


if __name__ == "__main__":
    main()
