"""From vectors and data sets to scores: `hyperskip.evaluate`."""

from __future__ import annotations  # help() shows DatasetNames, not what it expands to

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hyperskip.devices import AUTO
from hyperskip.errors import DatasetError, DatasetWarning, OptionError, warn
from hyperskip.evaluation.analogy import AnalogyReport, Question, evaluate_analogies
from hyperskip.evaluation.chosen_sets import EvaluationSets, read_sets
from hyperskip.evaluation.edges.evaluation import EdgeArguments, evaluate_edges
from hyperskip.evaluation.hypernymy import evaluate_hypernymy
from hyperskip.evaluation.ranking_events import Report
from hyperskip.evaluation.scores import Scores
from hyperskip.evaluation.similarity import evaluate_similarity, has_few_pairs
from hyperskip.geometry.names import PRODUCT, ROUTES
from hyperskip.options import check_report, checked_path, named_arguments
from hyperskip.vectors.model_file import given_model
from hyperskip.vectors.strictness import STRICT
from hyperskip.vectors.word_vectors import WordVectors

PathLike = str | os.PathLike[str]
DatasetNames = PathLike | Iterable[PathLike]


@named_arguments
def evaluate(
    vectors: WordVectors | PathLike,
    *,
    similarity: DatasetNames | None = None,
    analogies: DatasetNames | None = None,
    hypernymy: DatasetNames | None = None,
    edges: Any = None,
    known: Any = None,
    measure: str | None = None,
    data: PathLike | None = None,
    device: str = AUTO,
    strict: bool = False,
    report: Report | None = None,
    holdout: float | None = None,
    holdout_inner: bool | None = None,
    seed: int | None = None,
    columns: str | None = None,
    delimiter: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    order: str | None = None,
    directed: bool | None = None,
    weighted: bool | None = None,
    closure: bool | None = None,
    encoding_errors: str | None = None,
) -> Scores:
    """Score vectors on word similarity, word analogies and hypernymy, or on the edges of a graph.

    If no data set is named, all known sets are used: ws353, simlex999, men, google, and the
    hypernymy sets below. Those that are neither on disk nor downloadable are left out with a
    warning. If sets of one kind are named, the other kinds are not scored.

    Edges are scored as in Nickel and Kiela (2017). Each target of a node is ranked by its distance
    among all nodes of the model that are not targets of the node. The result has the mean rank of
    all edges, the mean average precision (MAP) of all nodes, the AUC of edges against random pairs,
    and, for directed edges, the rank correlation of radius and depth.

    Args:
        vectors: Word vectors, or the path of a model.
        similarity: Similarity sets: `ws353`, `simlex999`, `men`, `builtin`, or files of
            `word word score`.
        analogies: Analogy sets: `google`, `builtin`, or files with four words per line.
        hypernymy: Hypernymy sets: `hyperlex`, `bless`, `evalution`, `leds`, `shwartz`, `wbless`,
            `bibless`, `builtin`, or files of `word word label` or in the layout of any of these.
        edges: The edges of a graph, as for `hyperskip.embed_graph`: a path, pairs of nodes, a graph
            of NetworkX, and so on.
        known: For link prediction: the edges that the model was trained on, if `edges` are others.
            Their targets are neither ranked nor counted.
        measure: A measure to score by in addition to the paper's: `distance` or `angle`. By
            default, similarity on the hyperboloid is also scored by the angle. Edges are ranked by
            the distance, which is the Euclidean one in flat space, or by `angle`.
        data: A folder with the files of the named sets; by default the environment variable
            HYPERSKIP_DATA names it.
        device: `cpu`, `cuda` for a GPU, or `auto` for a GPU if that is faster.
        strict: Whether to score words of the vocabulary only. Otherwise, similarity and analogies
            compose other words from n-grams, if the model has subwords.
        report: Called with the progress of ranking edges.
        holdout: Share of the edges that are held out for link prediction, such as 0.05; every node
            keeps at least one edge (greater than 0 and at most 0.9; default: that of the training).
        holdout_inner: Hold out only edges between inner nodes: neither from leaves, which are hard
            to predict, nor to roots, which are easy.
        seed: Seed of the held-out edges, and of the random pairs for AUC (default: that of the
            training).
        columns: How to read the edges; see `hyperskip.embed_graph`.
        delimiter: See `hyperskip.embed_graph`.
        format: See `hyperskip.embed_graph`.
        order: See `hyperskip.embed_graph` (default: that of the training).
        directed: See `hyperskip.embed_graph` (default: that of the training).
        weighted: See `hyperskip.embed_graph`. Weights do not change the scores.
        closure: Whether to score the transitive closure of the edges (default: that of the
            training, unless `known` is given).
        encoding_errors: See `hyperskip.embed_graph`.

    Returns:
        Scores by measure and data set, and scores of edges.

    Raises:
        DatasetError: A named set cannot be read, or none of the known ones; or the model is of a
            graph, and neither sets, a folder nor edges are given; or no edge has both nodes in the
            model.
        GraphError: The edges cannot be read.
        OptionError: A measure, device or argument is not allowed, or a set was named twice.
        VectorFileError: The model cannot be read.

    Warns:
        DatasetWarning: A known set was left out, or few of its words are in the vocabulary; or some
            nodes are not in the model.
    """
    on_edges = EdgeArguments.checked(
        edges=edges,
        known=known,
        holdout=holdout,
        holdout_inner=holdout_inner,
        seed=seed,
        columns=columns,
        delimiter=delimiter,
        format=format,
        order=order,
        directed=directed,
        weighted=weighted,
        closure=closure,
        encoding_errors=encoding_errors,
    )
    check_report(report)
    STRICT.checked("strict", strict)
    vectors = given_model("vectors", vectors)
    if strict:
        vectors = vectors.without_subwords()
    names_no_sets = similarity is analogies is hypernymy is None
    if on_edges is None and names_no_sets and data is None and vectors.is_of_graph:
        raise DatasetError(
            "this is a model of a graph, and the known sets are of English words",
            hint="pass `edges=EDGES`, the edges of the graph; for English words, name the sets",
            page="graphs.html#evaluate",
        )
    scores = Scores({}, {}, {}, routes=vectors.space.routes)
    if measure is not None:
        vectors = vectors.measured_by(measure)
    if on_edges is None or not names_no_sets:
        scores = _evaluate_words(vectors, similarity, analogies, hypernymy, data, device)
    if on_edges is None:
        return scores
    return replace(scores, graph=evaluate_edges(vectors, on_edges, measure, device, report))


def _evaluate_words(
    vectors: WordVectors,
    similarity: DatasetNames | None,
    analogies: DatasetNames | None,
    hypernymy: DatasetNames | None,
    data: PathLike | None,
    device: str,
) -> Scores:
    sets = read_sets(
        _names("similarity", similarity),
        _names("analogies", analogies),
        _names("hypernymy", hypernymy),
        None if data is None else checked_path("data", data),
    )
    for reason in sets.missing:
        warn(f"left out: {reason}", DatasetWarning)
    scores = evaluate_sets(vectors, sets, device=device)
    for name, score in scores.similarity.get(PRODUCT, {}).items():
        _warn_of_few_pairs(name, score.found, score.pairs)
    for name in sets.hypernymy:
        _warn_of_few_pairs(name, scores.hypernymy[name].found, scores.hypernymy[name].pairs)
    return scores


def _warn_of_few_pairs(name: str, found: int, pairs: int) -> None:
    if has_few_pairs(found, pairs):
        known = f"only {found}" if found else "none"
        warn(
            f"{known} of {pairs} pairs of {name} have known words: the score means little",
            DatasetWarning,
        )


def evaluate_sets(
    vectors: WordVectors,
    sets: EvaluationSets,
    *,
    device: str | None = None,
    compare_analogies: bool = False,
) -> Scores:
    """Score vectors on data sets that have been read; by default on the vectors' own device.

    Similarity and analogies are scored by the paper's measure, and by the vectors' own if
    `measured_by` chose another. If it did not, similarity is also scored by the other measures that
    are worth comparing in that space, which takes almost no time. `compare_analogies` does the same
    for analogies, which takes as long again for each measure.
    """
    if device is not None:
        vectors = vectors.on(device, questions=len(ROUTES) * sets.question_count)
    chosen = tuple(dict.fromkeys((PRODUCT, vectors.measure)))
    compared = vectors.compared_measures if vectors.measure == PRODUCT else chosen
    views = {measure: vectors.measured_by(measure) for measure in (*chosen, *compared)}
    sections = _sections(sets)
    return Scores(
        similarity={
            measure: {
                name: evaluate_similarity(views[measure], pairs)
                for name, pairs in sets.similarity.items()
            }
            for measure in compared
            if sets.similarity
        },
        analogy={
            measure: _analogies(views[measure], sections)
            for measure in (compared if compare_analogies else chosen)
            if sections
        },
        hypernymy={
            f"{name}, {part}" if part else name: score
            for name, pairs in sets.hypernymy.items()
            for part, score in evaluate_hypernymy(vectors, pairs).items()
        },
        routes=vectors.space.routes,
    )


def _names(argument: str, given: DatasetNames | None) -> list[str] | None:
    """The data sets of an argument as a list.

    Raises:
        OptionError: They are neither names nor paths.
    """
    if given is None:
        return None
    try:
        names = [given] if isinstance(given, str | os.PathLike) else list(given)
        return [os.fspath(name) for name in names]
    except TypeError as error:
        raise OptionError(
            f"`{argument}` must be a name or path of a data set, or several, got {given!r}",
            hint="known names are in the documentation of hyperskip.evaluate",
        ) from error


def _sections(sets: EvaluationSets) -> dict[str, Sequence[Question]]:
    """Sections of all analogy sets by name; of several sets, the set's name comes first."""
    return {
        (section if len(sets.analogies) == 1 else f"{name}/{section}"): questions
        for name, by_section in sets.analogies.items()
        for section, questions in by_section.items()
    }


def _analogies(
    vectors: WordVectors, sections: Mapping[str, Sequence[Question]]
) -> dict[str, AnalogyReport]:
    """Reports by route; routes that give the same answers share one."""
    reports = {
        route: evaluate_analogies(vectors, sections, route) for route in vectors.space.routes
    }
    return {route: reports.get(route, reports[ROUTES[0]]) for route in ROUTES}
