"""The explorer with the edges of a graph: parents, children, depths and branches."""

import numpy as np
import pytest
from api_client import Ask, Client

from hyperskip import WordVectors, builtin
from hyperskip.explorer.server.app import make_app
from hyperskip.graphs.graph_reading import read_graph
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.projection.disc_map import DiscMap


@pytest.fixture
def ask_graph(graph_client: Client) -> Ask:
    return Ask(graph_client)


def names(words: list[dict[str, object]]) -> list[object]:
    return [word["word"] for word in words]


def test_the_model_describes_its_graph(ask_graph: Ask, ask: Ask, word_graph: WordGraph) -> None:
    graph = ask_graph("/api/model")["graph"]
    assert word_graph.taxonomy is not None
    assert graph["directed"] is True
    assert graph["edges"] == word_graph.edges.edge_count < len(builtin.hypernym_pairs())
    assert graph["depth"] == word_graph.taxonomy.depths.max()
    assert 2 <= len(graph["branches"]) <= 10
    assert all(branch["size"] > 0 for branch in graph["branches"])
    assert ask("/api/model")["graph"] is None


def test_edges_are_indices_of_points(ask_graph: Ask, word_graph: WordGraph) -> None:
    points, edges = ask_graph("/api/points"), ask_graph("/api/edges")
    direct = {
        (word_graph.edges.names[source], word_graph.edges.names[target])
        for source, target in zip(word_graph.edges.sources, word_graph.edges.targets, strict=True)
    }
    shown = {
        (points["words"][source], points["words"][target])
        for source, target in zip(edges["sources"], edges["targets"], strict=True)
    }
    assert len(shown) == len(edges["sources"]) > 50
    assert shown <= direct
    for column in ("importance", "labels", "depths", "branches"):
        assert len(edges[column]) == len(points["words"])
    importance = np.array(edges["importance"])
    assert importance[0] == 1
    assert (np.diff(importance) <= 0).all()


def test_relatives_of_a_word(ask_graph: Ask, word_graph: WordGraph) -> None:
    found = ask_graph("/api/relatives", word="dog", count=100)
    taxonomy = word_graph.taxonomy
    assert taxonomy is not None
    row = found["word"]["row"]
    assert found["depth"] == taxonomy.depths[row] == len(found["path"])
    assert found["path"][-1] == found["parents"][0]
    assert found["parent_count"] == len(found["parents"])
    assert found["below"] >= found["child_count"] == len(found["children"])
    assert found["branch"] in [b["name"] for b in ask_graph("/api/model")["graph"]["branches"]]
    parent = found["parents"][0]["word"]
    siblings = ask_graph("/api/relatives", word=parent, count=1)
    assert len(siblings["children"]) == 1 < siblings["child_count"]
    assert "dog" in names(ask_graph("/api/relatives", word=parent, count=100)["children"])


def test_a_word_outside_the_graph_has_no_relatives(ask_graph: Ask) -> None:
    found = ask_graph("/api/relatives", word="the")
    assert (found["depth"], found["below"], found["parent_count"]) == (0, 0, 0)
    assert found["path"] == found["children"] == []


def test_errors(graph_client: Client, client: Client) -> None:
    assert graph_client.get("/api/relatives?word=nonsuch").status_code == 404
    assert graph_client.get("/api/relatives").status_code == 400
    answer = client.get("/api/relatives?word=dog")
    assert answer.status_code == 400
    assert "edges" in answer.json()["error"]
    assert client.get("/api/edges").json() == {"sources": [], "targets": []}


def test_undirected_edges_connect_words(trained: WordVectors, disc_map: DiscMap) -> None:
    graph = read_graph([("dog", "cat"), ("cat", "car")], directed=False)
    on_words = WordGraph(graph, trained.known_rows(graph.names), trained.words)
    ask = Ask(Client(make_app(trained, disc_map, name="m", graph=on_words)))
    found = ask("/api/relatives", word="cat")
    assert set(names(found["children"])) == {"dog", "car"}
    assert found["depth"] is found["branch"] is None
    assert ask("/api/edges")["depths"] is None
    assert ask("/api/model")["graph"]["branches"] == []


def test_other_edges_are_another_model(client: Client, graph_client: Client) -> None:
    ids = [each.get("/api/model").headers["Hyperskip-Model"] for each in (client, graph_client)]
    assert ids[0] != ids[1]
