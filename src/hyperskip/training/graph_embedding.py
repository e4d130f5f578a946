"""Training from a graph to node vectors: options, edges, plan, run, result."""

from __future__ import annotations  # help() shows Report, not what it expands to

import contextlib
import os
from functools import partial
from typing import TYPE_CHECKING, Any

from hyperskip.graphs.closure import describe
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.graphs.splitting import split_graph
from hyperskip.graphs.walks.walk_text import walk_text
from hyperskip.options import check_progress, check_report, named_arguments
from hyperskip.training.arguments import initial_model
from hyperskip.training.checkpoints.resuming import Checkpoints, checkpoints_in
from hyperskip.training.edge_text import EdgeText, node_levels
from hyperskip.training.graph_arguments import graph_arguments
from hyperskip.training.graph_options import WALKS, all_options
from hyperskip.training.parameters import InitialParameters
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import RankingPlan, plan_ranking
from hyperskip.training.result import RankingResult
from hyperskip.training.run.device import check_can_train, choose_device
from hyperskip.training.run.loop import Run
from hyperskip.training.run.state import InitialState
from hyperskip.training.run.training_events import GraphRead, Report
from hyperskip.training.start.from_model import Mask
from hyperskip.training.start.nodes_from_model import nodes_from_model, start_radius
from hyperskip.training.start.random_positions import random_parameters
from hyperskip.training.start.tree_layout import starts_as_tree, tree_layout
from hyperskip.training.trainer import joined_cluster, train_encoded, trained_state
from hyperskip.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from hyperskip.training.cluster.training_cluster import TrainingCluster


@named_arguments
def embed_graph(
    edges: Any,
    *,
    method: str = "ranking",
    init: WordVectors | str | os.PathLike[str] | None = None,
    checkpoints: str | os.PathLike[str] | None = None,
    report: Report | None = None,
    progress: bool | None = None,
    columns: str | None = None,
    delimiter: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    order: str | None = None,
    directed: bool | None = None,
    weighted: bool | None = None,
    closure: bool | None = None,
    encoding_errors: str | None = None,
    holdout: float | None = None,
    holdout_inner: bool | None = None,
    geometry: str | None = None,
    dimension: int | None = None,
    curvature: float | None = None,
    max_radius: float | None = None,
    negatives: int | None = None,
    batch: int | None = None,
    epochs: int | None = None,
    rate: float | None = None,
    end_rate: float | None = None,
    max_step: float | None = None,
    initial_deviation: float | None = None,
    freeze: bool | None = None,
    deterministic: bool | None = None,
    device: str | None = None,
    threads: int | None = None,
    seed: int | None = None,
    walk_length: int | None = None,
    walks: int | None = None,
    p: float | None = None,
    q: float | None = None,
    schedule: str | None = None,
    factors: int | None = None,
    window: int | None = None,
    shrink_window: bool | None = None,
    distance_decay: float | None = None,
    shared_negatives: int | None = None,
    power: float | None = None,
    subsample: float | None = None,
    rate_power: float | None = None,
    burn_in_epochs: int | None = None,
    burn_in_rate: float | None = None,
    theta: float | None = None,
    learn_theta: bool | None = None,
    tied: bool | None = None,
    layer: str | None = None,
    locking: bool | None = None,
    checkpoint_minutes: float | None = None,
    resume: bool | None = None,
    restart: bool | None = None,
    cluster: str | None = None,
    nodes: int | None = None,
    merge_words: int | None = None,
) -> WordVectors:
    """Learn a vector for each node of a graph, such as a taxonomy.

    An option that is None is not chosen: it has the value of the initial model, or its default. In
    a directed graph, edges lead from a node to a broader one, from a child to its parent.

    Args:
        edges: A path, folder, glob or URL of tables, JSON Lines, indented text trees or Matrix
            Market files; a list of pathlib.Path or hyperskip.RemotePath; a graph of NetworkX; a
            sparse matrix of SciPy; a data frame or table of pandas, polars, Arrow or Hugging Face
            datasets; an iterable of pairs (child, parent), of triples (child, parent, weight) or of
            records (dicts); an array of integers with two columns; a dict with the parent, or a
            list of parents, of each node.
        method: `ranking` brings the two nodes of each edge closer together than random nodes, for
            taxonomies; `walks` trains skip-gram on random walks, for networks, which follow the
            direction of edges only if `directed=True`.
        init: A model to start from, or its file. Its nodes are kept; new nodes of the graph are
            added. Pass the old edges too: only nodes of the graph are negative samples.
        checkpoints: A folder for checkpoints; it is created if necessary. After training it holds
            the final state.
        report: Called with progress events, from the calling thread.
        progress: Whether to show progress; None: only in a terminal or a notebook, and only if
            `report` is None. True writes lines to standard error if there is neither.
        columns: Two or three columns, separated by commas: the two nodes of each edge, and its
            weight; names in the header, keys of records, or numbers from 1 (default: 1,2 in
            tables).
        delimiter: The character between the cells of a table, such as ; or tab (default: from the
            name of the file and its first line).
        format: table: CSV, TSV, or columns separated by blanks; jsonl: JSON Lines, of pairs or
            records; tree: one node on each line, indented below its parent; mtx: Matrix Market
            (default: from the name of the file and its first lines).
        order: The order of the two nodes of an edge: child-parent (dog, mammal) or parent-child
            (mammal, dog) (default: child-parent).
        directed: Whether the direction of edges has a meaning (default: True, except for undirected
            graphs of NetworkX).
        weighted: Whether edges have weights (default: True if a third column is chosen, or if a
            graph or matrix in memory has weights).
        closure: Add an edge from each node to each of its ancestors: the transitive closure.
        encoding_errors: Bytes that are not UTF-8: strict stops with an error, replace inserts
            U+FFFD (default: strict).
        holdout: Share of the edges that are held out for link prediction, such as 0.05; every node
            keeps at least one edge (greater than 0 and at most 0.9).
        holdout_inner: Hold out only edges between inner nodes: neither from leaves, which are hard
            to predict, nor to roots, which are easy.
        geometry: Space of the vectors: hyperboloid (hyperbolic) or euclidean (default:
            hyperboloid).
        dimension: Dimension of the space (between 1 and 4096; default: 10; walks: 100).
        curvature: Curvature of the hyperboloid: the smaller it is, the more distances count
            (between 0.0001 and 10000; default: (max_radius / 18)²; walks: 0.5, or 10 / dimension if
            that is less).
        max_radius: Largest distance of a node from the base point; hyperboloid only; ranking only
            (between 1 and 17; default: 2.2 log(number of nodes) / (dimension - 1) + 3, at most
            16.8).
        negatives: Number of negative samples for each source of edges; if there are fewer nodes,
            all nodes (between 1 and 131072; default: 4096; walks: 20 below 50 dimensions, 10 from
            50 on).
        batch: Number of sources of edges in each step; ranking only (between 1 and 65536; default:
            2048, less for small graphs).
        epochs: Passes over the edges (between 1 and 100000; default: 100, or enough for 2000 steps
            if the graph is small; walks: 3).
        rate: Learning rate at the start (greater than 0 and at most 10; default: 0.4; in two
            dimensions 0.2; in Euclidean space 1; walks: less the more contexts a word has in the
            text, see docs/model.md; pairwise schedule: 0.05).
        end_rate: Learning rate at the end; the rate falls linearly (between 0 and 10; default: 0).
        max_step: Longest distance that one update may move a word, on each unit hyperboloid
            (greater than 0 and at most 2; default: 1).
        initial_deviation: Standard deviation of the random start around the base point; in the
            hyperbolic plane, ranking starts from a tree instead (greater than 0 and at most 1;
            default: 0.001; walks: 0.01 on the hyperboloid, less if the space has many dimensions or
            is nearly flat; in Euclidean space, vectors start as in fastText).
        freeze: Keep the vectors of the initial model fixed; only new nodes move.
        deterministic: Learn the same vectors with any number of threads; ranking always does.
        device: Where to train: cpu, cuda (an NVIDIA GPU), or auto (the GPU if there is one)
            (default: auto).
        threads: Threads on the CPU, of each node if there is a cluster; 0 uses all cores (between 0
            and 1024; default: 0).
        seed: Seed of the random number generator (between 0 and 9223372036854775807; default: 1).
        walk_length: Number of nodes in a walk; walks only (between 2 and 100000; default: 80).
        walks: Number of walks that start from each node, in each epoch; walks only (between 1 and
            1000000; default: 10).
        p: Node2vec's return parameter: a walk goes back to its previous node with weight 1/p; walks
            only (between 0.01 and 100; default: 1).
        q: Node2vec's in-out parameter: a walk goes to nodes that are not neighbors of its previous
            node with weight 1/q, so that values below 1 lead away from it; walks only (between 0.01
            and 100; default: 1).
        schedule: How negative samples are drawn: window shares them between consecutive centers,
            which is fast; pairwise draws them for each pair of center and context, as in the paper;
            walks only (default: window).
        factors: Number of hyperboloids in the product space; must divide the dimension; window
            schedule only; walks only (between 1 and 4096; default: 1).
        window: Number of context words on each side of a center; walks only (between 1 and 1000;
            default: 5).
        shrink_window: Draw the window of each center at random, up to the full size, as word2vec
            does; walks only.
        distance_decay: A context at the distance k counts k^-decay times; 0 counts all contexts of
            a window alike; window schedule only; walks only (between 0 and 10; default: 0).
        shared_negatives: Number of negative samples shared by each tile of 16 consecutive centers;
            window schedule only; walks only (between 1 and 4096; default: 32).
        power: Negative samples are drawn in proportion to their count to this power; walks only
            (between 0 and 1; default: 0.5).
        subsample: Drop tokens of words more frequent than this share of the text at random; 0 keeps
            all; walks only (between 0 and 1; default: 0).
        rate_power: Rare words learn faster: the learning rate of a word falls with its number of
            tokens to this power, between 1/4 and 4 times the usual rate; 0: all words have the same
            rate; window schedule only; walks only (between 0 and 1; default: 0).
        burn_in_epochs: Additional passes at the start, at a constant rate and with a tenth of the
            negative samples; walks only (between 0 and 100000; default: 0).
        burn_in_rate: Learning rate of the burn-in epochs; walks only (greater than 0 and at most
            10; default: the learning rate).
        theta: Offset added to the Minkowski product, as in the paper; a word scores theta - 1 with
            itself; hyperboloid only; walks only (between -100 and 100; default: 0.5, plus 0.5 for
            each doubling of the dimension from 5 on; less for small graphs).
        learn_theta: Learn theta too; hyperboloid only; walks only.
        tied: Use one vector for each word, or two: one as a center, one as a context; walks only
            (default: one vector on the hyperboloid, two in Euclidean space).
        layer: Which vector of a word is kept if it has two: the center, the context, or their
            centroid; walks only (default: centers).
        locking: Lock words during an update and skip pairs with a locked word, as in the paper;
            pairwise schedule only; walks only.
        checkpoint_minutes: Minutes between checkpoints, in addition to those after long epochs; 0
            writes none (between 0 and 100000; default: 10).
        resume: Continue from the newest checkpoint, or start from the beginning if there is none.
        restart: Remove existing checkpoints and start again.
        cluster: Work on all nodes of a Ray cluster: auto (the one in RAY_ADDRESS, the one started
            on this machine with ray start without --temp-dir, or else a new one on this machine),
            or the address of its head node, HOST:PORT.
        nodes: Maximum number of nodes that train (at least 1; default: all nodes).
        merge_words: Words of walks, or sources and targets of edges, that each node trains on
            between two merges (at least 1000; default: an epoch, or 524288 of all nodes if that is
            less; walks: about 12 * nodes * sqrt(dimension) merges in all).

    Returns:
        The vectors: the words are the names of the nodes, and the counts their numbers of edges.
        In a directed graph, the roots are in the middle. `walks` leaves out nodes without edges.

    Raises:
        OptionError: An option is unknown, out of range, in contradiction to another, belongs to the
            other method, or is different from the training to be resumed.
        GraphError: The edges are malformed, or there are none.
        CorpusError: A file is missing or unreadable.
        VectorFileError: The initial model or a checkpoint cannot be read.
        OutputError: There are checkpoints of another training, or checkpoints cannot be written.
        DivergenceError: The numbers are no longer finite, or the loss is far worse than that of
            untrained vectors.
        ClusterError: There is no such cluster, its nodes differ, or all of them were lost.
        MissingPackageError: `cluster` was passed, which requires the extra `cluster`.
    """
    declared = all_options()
    keywords = {name: value for name, value in locals().items() if name in declared}
    check_report(report)
    check_progress(progress)
    model = initial_model(init)
    arguments = graph_arguments(method, keywords, model)
    folder = checkpoints_in(checkpoints, arguments.checkpoints, init)
    if arguments.cluster.cluster is None:
        check_can_train(arguments.learning)
    from hyperskip.progress.automatic import progress_shown

    with contextlib.ExitStack() as stack:
        if folder is not None:
            stack.enter_context(folder.locked())
        saved = None if folder is None else folder.folder
        report = stack.enter_context(progress_shown(progress, report, saved, "embed_graph"))
        report = report or (lambda _: None)
        learning, training_cluster = arguments.learning, None
        if arguments.cluster.cluster is not None:
            _, training_cluster = joined_cluster(arguments.cluster, learning, stack)
        graph = read_graph(edges, arguments.graph)
        if training_cluster is not None:
            stack.enter_context(training_cluster)
        if method == WALKS and arguments.graph.directed is None:
            graph = read_graph(graph, GraphOptions(directed=False))
        chosen_seed = learning.with_defaults()["seed"]
        kept, held_out = split_graph(graph, arguments.holdout, chosen_seed)
        stored = {
            "method": method,
            **arguments.graph.as_dict(),
            **arguments.holdout.as_dict(),
            "directed": graph.directed,
            "weighted": graph.weights is not None,
            "edge_count": kept.edge_count,
        }
        if isinstance(learning, RankingOptions):
            text = EdgeText(kept, stored, chosen_seed)
            tokens = text.tokens_of_an_edge
            report(GraphRead(describe(graph), "edge", tokens, held_out.edge_count))
            return _rank(text, learning, report, model, folder, training_cluster)
        report(GraphRead(describe(graph), "node", 1, held_out.edge_count))
        return train_encoded(
            walk_text(
                *(kept, arguments.walks),
                seed=chosen_seed,
                stored=stored,
                threads=learning.threads or 0,
            ),
            *(learning, report),
            model=model,
            checkpoints=folder,
            cluster=training_cluster,
        )


def _rank(
    text: EdgeText,
    options: RankingOptions,
    report: Report,
    model: WordVectors | None,
    checkpoints: Checkpoints | None,
    cluster: TrainingCluster | None,
) -> WordVectors:
    """Learn by ranking."""
    device = (choose_device if cluster is None else cluster.choose_device)(options, report)
    plan = plan_ranking(
        *(options, device),
        nodes=len(text.vocabulary),
        lists=len(text.sentence_starts) - 1,
        weighted=text.weights is not None,
        start_radius=start_radius(model, text, options),
    )
    start, fixed = _initial_state(plan, text, model)
    result = RankingResult(text, plan, model, roots=text.roots)
    run_from = partial(
        Run if cluster is None else cluster.run,
        *(text, plan),
        report=report,
        fixed=fixed,
        levels=node_levels(text.depths) if model is None else None,
        starts_from_model=model is not None,
    )
    return result.final(trained_state(start, run_from, result, checkpoints, report))


def _initial_state(
    plan: RankingPlan, text: EdgeText, model: WordVectors | None
) -> tuple[InitialState, Mask | None]:
    """Place all nodes: where the initial model has them, as a tree in the plane, or at random.

    Returns:
        The state, and which nodes must not move: (nodes,), or None if all may.
    """
    if model is None and starts_as_tree(plan.space, plan.dimension):
        layout = tree_layout(text.edges, text.depths, len(text.vocabulary), plan.first_ceiling)
        return InitialState(InitialParameters(layout, None, 0.0)), None
    if model is None:
        return InitialState(random_parameters(len(text.vocabulary), plan)), None
    parameters, known = nodes_from_model(model, text, plan)
    return InitialState(parameters), known if plan.freeze else None
