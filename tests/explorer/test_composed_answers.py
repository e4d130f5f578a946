"""The API about words outside the vocabulary of a model with subwords."""

from math import hypot
from typing import Any

import numpy as np
import pytest
from api_client import Ask, Client
from hierarchies import with_hierarchy
from subword_models import WORDS, with_subwords

from hyperskip import WordVectors
from hyperskip.explorer.server.app import make_app
from hyperskip.graphs.graph_reading import read_graph
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.projection.projecting import make_map

VECTORS = with_subwords()


def client_of(vectors: WordVectors, graph: WordGraph | None = None) -> Client:
    disc_map = make_map(vectors, np.arange(len(vectors)))
    return Client(make_app(vectors, disc_map, name="m", graph=graph))


@pytest.fixture(scope="module")
def client() -> Client:
    return client_of(VECTORS)


def test_the_model_says_that_it_has_subwords(ask: Ask) -> None:
    assert ask("/api/model")["has_subwords"] is True
    assert Ask(client_of(VECTORS.without_subwords()))("/api/model")["has_subwords"] is False


def test_a_word_outside_the_vocabulary_has_a_place(ask: Ask) -> None:
    found = ask("/api/word", word="doghouses")
    assert found["word"] == "doghouses"
    assert found["ngrams"] == VECTORS.find(["doghouses"]).ngram_counts[0]
    assert found["radius"] == pytest.approx(VECTORS.radius("doghouses"))
    assert found["mapped"] is False
    assert hypot(found["x"], found["y"]) < 1
    assert [found[name] for name in ("row", "count", "rank", "cluster")] == [None] * 4
    assert set(found) == set(ask("/api/word", word="dog"))
    assert ask("/api/word", word="dog")["ngrams"] is None


@pytest.mark.parametrize("measure", ["product", "distance", "angle"])
def test_its_neighbors_are_words_of_the_vocabulary(ask: Ask, measure: str) -> None:
    answer = ask("/api/neighbors", word="doghouses", measure=measure, count=50)
    expected = VECTORS.measured_by(measure).neighbors("doghouses", 50)
    assert [near["word"] for near in answer["neighbors"]] == [near.word for near in expected]
    assert len(expected) == len(WORDS)
    assert answer["word"]["ngrams"]


def test_other_questions(ask: Ask) -> None:
    distance = ask("/api/distance", a="doghouses", b="dog")
    assert distance["distance"] == pytest.approx(VECTORS.distance("doghouses", "dog"))
    analogy = ask("/api/analogy", a="dog", b="dogz", c="cat")
    expected = VECTORS.analogy("dog", "dogz", "cat")
    assert [near["word"] for near in analogy["routes"]["Z"]["answers"]] == [
        near.word for near in expected
    ]
    assert [bool(analogy[name]["ngrams"]) for name in "abc"] == [False, True, False]
    path = ask("/api/path", a="dogz", b="doghouses", steps=3)
    assert path["a"]["ngrams"]
    assert path["b"]["ngrams"]
    assert (path["steps"][0]["x"], path["steps"][0]["y"]) == pytest.approx(
        (path["a"]["x"], path["a"]["y"])
    )


def test_a_word_without_ngrams_is_not_found(client: Client) -> None:
    for word in ("qqqq", " ", "\u0301", "\u202e"):
        response = client.get("/api/neighbors", params={"word": word})
        assert response.status_code == 404
        assert ("n-grams" if word.strip() else "blank") in response.json()["hint"]


def test_long_words_are_answered_or_refused(client: Client) -> None:
    for count, status in ((125, 200), (126, 400)):  # up to a thousand characters
        response = client.get("/api/neighbors", params={"word": "doghouse" * count})
        assert response.status_code == status


def test_graphs_and_hierarchies_have_words_of_the_vocabulary() -> None:
    graph = read_graph([(word, "house") for word in WORDS if word != "house"])
    vectors = with_hierarchy(VECTORS, {"dog": "house", "cat": "house", "river": "house"})
    word_graph = WordGraph(graph, vectors.known_rows(graph.names), vectors.words)
    client = client_of(vectors, word_graph)
    for name in ("relatives", "hierarchy"):
        response = client.get(f"/api/{name}", params={"word": "doghouses"})
        assert response.status_code == 404
        assert "one of its neighbors" in response.json()["hint"]
    found: dict[str, Any] = Ask(client)("/api/neighbors", word="doghouses")["word"]
    assert found["radius"] is None  # the radius of other words is that in the hierarchy
    assert found["ngrams"]


def test_models_with_other_ngrams_have_other_ids() -> None:
    clients = [client_of(VECTORS), client_of(VECTORS.without_subwords())]
    assert len({client.get("/").headers["hyperskip-model"] for client in clients}) == 2
