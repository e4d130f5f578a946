"""From the arguments of `hyperskip.evaluate` about edges to their scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hyperskip.errors import DatasetWarning, OptionError, warn
from hyperskip.evaluation.edges.graph_score import (
    LINK_PREDICTION,
    RECONSTRUCTION,
    EdgeTask,
    GraphScore,
    evaluate_graph,
)
from hyperskip.evaluation.ranking_events import Report, ignore
from hyperskip.geometry.names import ANGLE
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import SEED, GraphOptions, HoldoutOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.graphs.splitting import split_graph
from hyperskip.options import declarations
from hyperskip.vectors.word_vectors import WordVectors

_OF_TRAINING = ("order", "directed", "closure")  # options of reading that a graph model stores


@dataclass(frozen=True)
class EdgeArguments:
    """What was asked about edges."""

    edges: Any
    known: Any
    reading: Mapping[str, Any]  # the options of reading that were chosen
    holdout: HoldoutOptions
    seed: int | None  # None: that of the training

    @classmethod
    def checked(
        cls, *, edges: Any, known: Any, seed: int | None, **options: Any
    ) -> "EdgeArguments | None":
        """Check the arguments; None if there are no edges to score.

        Args:
            edges: The edges to score.
            known: The edges that the model was trained on, if these are others.
            seed: Seed of the split.
            options: Options of reading and holding out; None: not chosen.

        Raises:
            OptionError: An option is not allowed, or has no effect.
        """
        chosen = {name: value for name, value in options.items() if value is not None}
        if edges is None:
            others = {"known": known, "seed": seed}
            for name in (*chosen, *(name for name in others if others[name] is not None)):
                raise OptionError(f"`{name}` requires `edges`", hint="pass the edges of a graph")
            return None
        if known is not None and "holdout" in chosen:
            raise OptionError(
                "`known` and `holdout` exclude each other",
                hint="pass `known` if the edges were held out by hyperskip.split_edges, or "
                "`holdout` with all edges to repeat the split of the training",
            )

        reading = {name: chosen[name] for name in declarations(GraphOptions) if name in chosen}
        GraphOptions(**reading)
        holdout = {name: chosen[name] for name in declarations(HoldoutOptions) if name in chosen}
        seed = None if seed is None else SEED.checked("seed", seed)
        return cls(edges, known, reading, HoldoutOptions(**holdout), seed)


def evaluate_edges(
    vectors: WordVectors,
    arguments: EdgeArguments,
    measure: str | None,
    device: str,
    report: Report | None,
) -> GraphScore:
    """Read edges and score vectors on them.

    Args:
        vectors: The model.
        arguments: What was asked.
        measure: A measure of similarity; if it is the angle, edges are ranked by it. All others
            rank by distance.
        device: `cpu`, `cuda` or `auto`.
        report: Called with the progress.

    Raises:
        DatasetError: No edge has both nodes in the model.
        GraphError: The edges cannot be read.
        OptionError: The split is not that of the training, or is not possible.

    Warns:
        DatasetWarning: Some nodes are not in the model.
    """
    seed = vectors.options.get("seed", SEED.default) if arguments.seed is None else arguments.seed
    holdout = _holdout(vectors, arguments, seed)
    if arguments.known is not None:
        reading = GraphOptions(**arguments.reading)
        graph, known = (read_graph(each, reading) for each in (arguments.edges, arguments.known))
        tasks, graph = [EdgeTask(LINK_PREDICTION, graph, known)], _joined(known, graph)
    else:
        graph = _read(vectors, arguments)
        tasks = _tasks(graph, holdout, seed)
        _warn_if_split_differs(vectors, tasks[0].edges)
    score = evaluate_graph(
        vectors,
        graph,
        tasks,
        seed=seed,
        by_angle=measure == ANGLE,
        device=device,
        report=report or ignore,
    )
    if score.found < score.nodes:
        names = ", ".join(score.missing)
        more = ", ..." if score.nodes - score.found > len(score.missing) else ""
        warn(
            f"{score.nodes - score.found:,} of {score.nodes:,} nodes are not in the model, and "
            f"their edges are left out: {names}{more}",
            DatasetWarning,
        )
    return score


def _read(vectors: WordVectors, arguments: EdgeArguments) -> Graph:
    """Read the edges: as asked, and otherwise as in the training.

    Only what the edges mean is taken from the training. A `Graph` is scored as it is, unless edges
    of it were held out in the training.
    """
    chosen, of_training = dict(arguments.reading), {}
    if not isinstance(arguments.edges, Graph) or vectors.options.get("holdout") is not None:
        names = ("order", "directed") if chosen.get("directed") is False else _OF_TRAINING
        of_training = {name: vectors.options[name] for name in names if name in vectors.options}
    # Walks take the closure of directed edges, and then ignore directions.
    is_undirected = (of_training | chosen).get("directed") is False
    if is_undirected and "directed" not in chosen:
        del of_training["directed"]
    graph = read_graph(arguments.edges, GraphOptions(**of_training | chosen))
    return read_graph(graph, GraphOptions(directed=False)) if is_undirected else graph


def _tasks(graph: Graph, holdout: HoldoutOptions, seed: int) -> list[EdgeTask]:
    if holdout.holdout is None:
        return [EdgeTask(RECONSTRUCTION, graph)]
    kept, held_out = split_graph(graph, holdout, seed)
    return [
        EdgeTask(RECONSTRUCTION, kept, known=held_out),
        EdgeTask(LINK_PREDICTION, held_out, known=kept),
    ]


def _joined(first: Graph, second: Graph) -> Graph:
    """Return a graph with the nodes and edges of both, without weights."""
    numbers = {name: i for i, name in enumerate(dict.fromkeys((*first.names, *second.names)))}
    sources, targets = [], []
    for graph in (first, second):
        node = np.array([numbers[name] for name in graph.names], dtype=np.int32)
        sources.append(node[graph.sources])
        targets.append(node[graph.targets])
    return Graph(
        tuple(numbers),
        np.concatenate(sources),
        np.concatenate(targets),
        directed=first.directed and second.directed,
    )


def _holdout(vectors: WordVectors, arguments: EdgeArguments, seed: int) -> HoldoutOptions:
    """Return what to hold out: as asked, or as in the training.

    Raises:
        OptionError: The model was trained with another split, so it knows edges to predict.
    """
    trained_with = vectors.options.get("holdout")
    if trained_with is None or arguments.known is not None:
        return arguments.holdout
    of_training = HoldoutOptions(
        holdout=trained_with, holdout_inner=vectors.options.get("holdout_inner", False)
    )
    asked = arguments.holdout
    if asked.holdout is None:
        asked = of_training
    if (asked, seed) != (of_training, vectors.options.get("seed", seed)):
        inner = ", `holdout_inner=True`" if of_training.holdout_inner else ""
        raise OptionError(
            f"the model was trained with `holdout={trained_with:g}`{inner} and "
            f"`seed={vectors.options.get('seed')}`, so it has seen edges of any other split",
            hint="leave out `holdout` and `seed` to score it on the edges that it has not seen",
        )
    return asked


def _warn_if_split_differs(vectors: WordVectors, kept: Graph) -> None:
    """Warn if edges were held out in the training, and it kept another number of edges."""
    trained = vectors.options.get("edge_count", kept.edge_count)
    if vectors.options.get("holdout") is not None and trained != kept.edge_count:
        warn(
            f"these edges are not those of the training: without the held-out edges, there are "
            f"{kept.edge_count:,}, but the model was trained on {trained:,}. It may have seen "
            "edges that it is to predict",
            DatasetWarning,
        )
