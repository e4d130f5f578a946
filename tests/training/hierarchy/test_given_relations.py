"""Relations from anything that the user passes."""

from pathlib import Path
from typing import Any

import networkx as nx
import polars as pl
import pytest
from facts import naming

from hyperskip import Graph, Relations, read_graph
from hyperskip.errors import CorpusError, GraphError, HyperskipError, InputError
from hyperskip.training.hierarchy.given_relations import given_relations

PAIRS = {("dog", "animal"): 3.0, ("house cat", "animal"): 1.0}


def pairs_of(graph: Graph) -> dict[tuple[str, str], float]:
    weights = [1.0] * graph.edge_count if graph.weights is None else graph.weights.tolist()
    edges = zip(graph.sources.tolist(), graph.targets.tolist(), weights, strict=True)
    return {(graph.names[a], graph.names[b]): weight for a, b, weight in edges}


def relations() -> Relations:
    rows = [("dog", "animal", 3, ("such as",)), ("house cat", "animal", 1, ())]
    return Relations.of_rows(rows)


@pytest.mark.parametrize(
    "content",
    [
        "narrower\tbroader\tcount\tpatterns\ndog\tanimal\t3\tsuch-as\nhouse cat\tanimal\t1\t\n",
        "narrower\tbroader\tcount\ndog\tanimal\t3\nhouse cat\tanimal\t1\n",
        "dog\tanimal\t3\nhouse cat\tanimal\t1\n",
        "dog\tanimal\t3\tsuch-as\nhouse cat\tanimal\t1\tisa\n",
    ],
)
def test_a_file_with_counts(tmp_path: Path, content: str) -> None:
    path = tmp_path / "relations.tsv"
    path.write_text(content)
    assert pairs_of(given_relations(path)) == pairs_of(given_relations(str(path))) == PAIRS


def test_a_file_of_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("dog\tanimal\nhouse cat\tanimal\n")
    assert pairs_of(given_relations(path)) == dict.fromkeys(PAIRS, 1.0)


def test_a_file_that_relations_were_saved_in(tmp_path: Path) -> None:
    path = tmp_path / "relations.tsv"
    relations().save(path)
    assert pairs_of(given_relations(path)) == PAIRS


@pytest.mark.parametrize(
    "given",
    [
        relations(),
        [("dog", "animal", 3), ("house cat", "animal", 1)],
        (pair for pair in [("dog", "animal", 2), ("dog", "animal", 1), ("house cat", "animal", 1)]),
        read_graph([("dog", "animal", 3), ("house cat", "animal", 1)]),
        relations().to_pandas(),
        pl.from_pandas(relations().to_pandas()),
    ],
    ids=["relations", "pairs", "generator", "graph", "pandas", "polars"],
)
def test_relations_in_memory(given: Any) -> None:
    assert pairs_of(given_relations(given)) == PAIRS


def test_a_graph_of_networkx_leads_from_narrower_to_broader() -> None:
    graph = nx.DiGraph()
    for (narrower, broader), weight in PAIRS.items():
        graph.add_edge(narrower, broader, weight=weight)
    assert pairs_of(given_relations(graph)) == PAIRS


def test_a_term_that_is_a_kind_of_itself_is_left_out() -> None:
    given = Relations.of_rows([("dog", "dog", 5, ()), ("dog", "animal", 3, ())])
    assert pairs_of(given_relations(given)) == {("dog", "animal"): 3.0}


@pytest.mark.parametrize(
    ("given", "error", "facts"),
    [
        (nx.Graph([("dog", "animal")]), InputError, ["relations", "direction"]),
        ([], GraphError, ["`relations`"]),
        (Relations.of_rows([]), GraphError, ["`relations`"]),
        (Relations.of_rows([("dog", "dog", 1, ())]), GraphError, ["`relations`"]),
        ([("dog", "dog")], GraphError, ["`relations`", 1]),
        (7, GraphError, ["`relations`", 7]),
        ([("dog", "animal", "often")], GraphError, ["dog", "animal", "often"]),
        ([("dog", "animal", -1)], GraphError, ["dog", "animal", -1]),
        ([("dog",)], GraphError, ["dog"]),
        (Path("missing.tsv"), CorpusError, ["missing.tsv"]),
    ],
)
def test_what_cannot_be_relations(
    given: Any, error: type[HyperskipError], facts: list[object]
) -> None:
    with pytest.raises(error, match=naming(*facts)) as raised:
        given_relations(given)
    assert raised.value.hint
    assert "`edges`" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        ("narrower\tbroader\tcount\ndog\tanimal\tmany\n", ["relations.tsv", 2, "many"]),
        ("narrower\tbroader\tcount\ndog\tanimal\t0\n", ["relations.tsv", 2, 0]),
        ("dog\tanimal\t3\ndog\n", ["relations.tsv", 2]),
        ("dog\tanimal\t0.5\n", ["relations.tsv", 1, "0.5"]),
        ("", ["relations.tsv"]),
        ("dog\n", ["relations.tsv", 1]),
    ],
)
def test_a_malformed_file_names_the_line(tmp_path: Path, content: str, facts: list[object]) -> None:
    path = tmp_path / "relations.tsv"
    path.write_text(content)
    with pytest.raises((CorpusError, GraphError), match=naming(*facts)):
        given_relations(path)
