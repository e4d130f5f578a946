"""What an exported explorer knows: the map, and the lists of every word on it."""

import json
from typing import Any

import numpy as np

from hyperskip.explorer.answers.comparison import WHOLE_DISC
from hyperskip.explorer.answers.graph_table import GraphTable
from hyperskip.explorer.answers.queries import Queries
from hyperskip.explorer.export.stored_data import Array, StoredData
from hyperskip.explorer.export.word_lists import kind_lists, neighbor_lists, relative_lists
from hyperskip.geometry.arrays import Rows
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.map_events import Report
from hyperskip.projection.methods import MAP_WORDS
from hyperskip.vectors.word_vectors import WordVectors

_HYPERNYMS, _HYPONYMS = 10, 8  # of each word, as many as the page uses
_COLUMNS = {
    "x": np.float64,
    "y": np.float64,
    "counts": np.float64,
    "radii": np.float64,
    "clusters": np.uint16,
    "regions": np.uint16,
}


def stored_answers(
    vectors: WordVectors,
    disc_map: DiscMap,
    *,
    name: str,
    graph: WordGraph | None,
    neighbors: int,
    words_in_model: int,
    report: Report,
) -> StoredData:
    """Return the answers to every question that the page can ask without the model.

    Args:
        vectors: The words of the map, and no others.
        disc_map: Their positions.
        name: Name of the model.
        graph: Edges between the words.
        neighbors: Number of neighbors of each word.
        words_in_model: Number of all words of the model.
        report: Called with the progress.
    """
    vectors = vectors.without_subwords()
    queries = Queries(vectors, disc_map, name, graph)
    points = json.loads(queries.points(0.0, 0.0, WHOLE_DISC, MAP_WORDS.default))
    rows: Rows = np.array(points["rows"], dtype=np.int64)
    model = queries.model() | {
        "measures": [vectors.measure],
        "limits": {"count": neighbors},
        "exported": {"of_words": words_in_model},
    }
    values: dict[str, Any] = {
        "model": model,
        "examples": queries.examples() | {"analogies": []},
        "words": points["words"],
    }
    arrays: dict[str, Array] = {
        column: np.array(points[column], dtype=kind)
        for column, kind in _COLUMNS.items()
        if column != "counts" or model["counts_known"]
    }
    lists = {"neighbors": neighbor_lists(vectors, rows, neighbors, report)}
    if vectors.hierarchy is not None:
        arrays["evidence"] = vectors.hierarchy.evidence[rows].astype(np.float64)
        lists |= kind_lists(vectors, rows, _HYPERNYMS, _HYPONYMS, report)
    if graph is not None:
        table = GraphTable(graph, rows)
        values["edges"] = json.loads(table.columns())
        relatives, more = relative_lists(table, rows)
        lists |= relatives
        arrays |= more
    values["ranges"] = {key: one.range for key, one in lists.items()}
    for key, one in lists.items():
        arrays |= one.arrays(key)
    return StoredData(values, arrays)
