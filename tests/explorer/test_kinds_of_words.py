"""The explorer of a model with a hierarchy: kinds of words, and radii that mean generality."""

import numpy as np
import pytest
from api_client import Ask, Client
from hierarchies import with_chain, with_hierarchy

from hyperskip import WordVectors
from hyperskip.explorer.server.app import make_app
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.projecting import make_map


@pytest.fixture
def ask_hierarchy(hierarchy_client: Client) -> Ask:
    return Ask(hierarchy_client)


def test_what_a_word_is_a_kind_of(ask_hierarchy: Ask, hierarchical: WordVectors) -> None:
    found = ask_hierarchy("/api/hierarchy", word="dog", count=3)
    assert found["word"]["word"] == "dog"
    assert found["evidence"] == 2
    best = found["hypernyms"][0]
    assert best["word"] == "animal"
    assert best["score"] == pytest.approx(hierarchical.is_a("dog", "animal"))
    assert best["score"] > 0.5
    for name in ("hypernyms", "hyponyms"):
        expected = getattr(hierarchical, name)("dog", 3)
        listed = [(one["word"], one["score"]) for one in found[name]]
        assert listed == [(one.word, one.score) for one in expected]


def test_the_chain_leads_to_the_broadest_word(trained: WordVectors, disc_map: DiscMap) -> None:
    words = ["animal", "dog", "cat", "car", "vehicle", "king", "city", "man"]
    model = with_chain(trained, words)
    ask = Ask(Client(make_app(model, disc_map, name="m")))
    for position, word in enumerate(words):
        chain = ask("/api/hierarchy", word=word)["chain"]
        expected = words[max(0, position - 6) : position][::-1]
        assert [one["word"] for one in chain] == expected
        below = [word, *expected][: len(expected)]
        scores = [model.is_a(*pair) for pair in zip(below, expected, strict=True)]
        assert [one["score"] for one in chain] == pytest.approx(scores)


def test_the_kinds_of_a_word(ask_hierarchy: Ask) -> None:
    found = ask_hierarchy("/api/hierarchy", word="animal", count=2)
    assert {one["word"] for one in found["hyponyms"]} == {"dog", "cat"}
    assert all(0.5 < one["score"] <= 1 for one in found["hyponyms"])
    assert ask_hierarchy("/api/hierarchy", word="car")["evidence"] == 0


def test_radii_are_those_of_the_hierarchy(ask_hierarchy: Ask, hierarchical: WordVectors) -> None:
    assert hierarchical.hierarchy is not None
    row = hierarchical.index_of("animal")
    found = ask_hierarchy("/api/word", word="animal")
    assert found["radius"] == pytest.approx(hierarchical.hierarchy.radii[row])
    assert found["rank"] == 1
    points = ask_hierarchy("/api/points")
    assert points["radii"] == pytest.approx(hierarchical.hierarchy_radii[points["rows"]])


def test_the_model_says_that_general_words_are_in_the_middle(ask_hierarchy: Ask, ask: Ask) -> None:
    model, plain = ask_hierarchy("/api/model"), ask("/api/model")
    assert model["has_hierarchy"] is model["map"]["by_hierarchy"] is True
    assert model["map"]["fidelity"]["radii"] > 0.99
    assert plain["has_hierarchy"] is plain["map"]["by_hierarchy"] is False


def test_words_that_are_not_on_the_map_are_as_far_out_as_general_ones(
    hierarchical: WordVectors,
) -> None:
    mapped = np.delete(np.arange(len(hierarchical)), hierarchical.index_of("animal"))
    disc_map = make_map(hierarchical, mapped)
    ask = Ask(Client(make_app(hierarchical, disc_map, name="m")))
    found = ask("/api/word", word="animal")
    assert not found["mapped"]
    nearest = np.linalg.norm(disc_map.places, axis=1).min()
    assert np.hypot(found["x"], found["y"]) == pytest.approx(nearest)


def test_errors(client: Client, graph_client: Client, hierarchy_client: Client) -> None:
    for each in (client, graph_client):
        answer = each.get("/api/hierarchy?word=dog")
        assert answer.status_code == 400
        assert "hierarchy" in answer.json()["error"]
        assert "relations" in answer.json()["hint"]
    assert hierarchy_client.get("/api/hierarchy?word=nonsuch").status_code == 404
    assert hierarchy_client.get("/api/hierarchy").status_code == 400


def test_another_hierarchy_is_another_model(trained: WordVectors, disc_map: DiscMap) -> None:
    ids = {
        Client(make_app(each, disc_map, name="m")).get("/api/model").headers["Hyperskip-Model"]
        for each in (
            trained,
            with_hierarchy(trained, {"dog": "animal"}),
            with_hierarchy(trained, {"cat": "animal"}),
        )
    }
    assert len(ids) == 3
