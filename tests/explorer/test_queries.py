"""Every endpoint of the API gives the same answers as the vectors in Python."""

from math import atanh, hypot
from typing import Any

import numpy as np
import pytest
from api_client import Ask, Client

from hyperskip import WordVectors
from hyperskip.explorer.answers.queries import Queries
from hyperskip.explorer.server.app import make_app
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.placing import Placer
from hyperskip.projection.projecting import make_map

WORD_KEYS = {"word", "row", "count", "radius", "rank", "x", "y", "mapped", "cluster", "ngrams"}


def shown(neighbors: list[dict[str, Any]]) -> list[tuple[str, float, float]]:
    return [(near["word"], near["distance"], near["similarity"]) for near in neighbors]


def placed(vectors: WordVectors, disc_map: DiscMap, point: Any) -> tuple[float, float]:
    ((x, y),) = Placer(disc_map, vectors).place(point).tolist()
    return x, y


def test_the_model(ask: Ask, trained: WordVectors, disc_map: DiscMap) -> None:
    model = ask("/api/model")
    assert model["name"] == "trained"
    assert model["words"] == len(trained)
    assert model["mapped"] == len(trained) - 50
    assert (model["dimension"], model["geometry"], model["factors"]) == (20, "hyperboloid", 1)
    assert model["measures"] == ["product", "distance", "angle"]
    assert model["is_curved"] is True
    assert model["counts_known"] is True
    assert model["map"]["method"] == disc_map.method
    assert set(model["map"]["fidelity"]) == {"neighbors", "radii"}
    assert 2 <= len(model["clusters"]) <= 12
    assert sum(cluster["size"] for cluster in model["clusters"]) == model["mapped"]
    assert model["limits"]["count"] == 100


def test_a_word(ask: Ask, trained: WordVectors) -> None:
    found = ask("/api/word", word="dog")
    assert set(found) == WORD_KEYS
    assert trained.words[found["row"]] == "dog"
    assert found["count"] == trained.counts[found["row"]]
    assert found["radius"] == trained.radius("dog")
    assert found["rank"] == trained.generality(["dog"])[0].rank
    assert found["mapped"] is True
    assert hypot(found["x"], found["y"]) < 1


def test_words_in_any_case(ask: Ask) -> None:
    assert ask("/api/word", word="Dog") == ask("/api/word", word="dog")
    for measure in ("product", "angle"):
        queries = [{"word": word, "measure": measure} for word in ("DOG", "dog")]
        assert ask("/api/neighbors", **queries[0]) == ask("/api/neighbors", **queries[1])
    assert ask("/api/distance", a="Dog", b="CAT") == ask("/api/distance", a="dog", b="cat")
    typed = {"a": "France", "b": "PARIS", "c": "Italy"}
    lower = {name: word.lower() for name, word in typed.items()}
    assert ask("/api/analogy", **typed) == ask("/api/analogy", **lower)


def test_a_word_that_is_not_on_the_map_is_placed_near_its_neighbors(
    ask: Ask, trained: WordVectors, disc_map: DiscMap
) -> None:
    word = trained.words[-1]
    found = ask("/api/word", word=word)
    assert found["mapped"] is False
    expected = placed(trained, disc_map, trained[word][None])
    assert (found["x"], found["y"]) == pytest.approx(expected)
    assert ask("/api/word", word=word) == found  # from the cache


@pytest.mark.parametrize("measure", ["product", "distance", "angle"])
@pytest.mark.parametrize("count", [1, 7, 100])
def test_neighbors_are_those_of_the_vectors(
    ask: Ask, trained: WordVectors, measure: str, count: int
) -> None:
    answer = ask("/api/neighbors", word="dog", count=count, measure=measure)
    assert answer["word"] == ask("/api/word", word="dog")
    assert answer["measure"] == measure
    expected = trained.measured_by(measure).neighbors("dog", count)
    assert shown(answer["neighbors"]) == [tuple(near) for near in expected]
    assert set(answer["neighbors"][0]) == WORD_KEYS | {"distance", "similarity"}


def test_the_distance_of_two_words(ask: Ask, trained: WordVectors) -> None:
    answer = ask("/api/distance", a="dog", b="cat")
    assert answer["a"] == ask("/api/word", word="dog")
    assert answer["b"] == ask("/api/word", word="cat")
    assert answer["distance"] == trained.distance("dog", "cat")
    assert answer["similarity"] == {
        "product": trained.similarity("dog", "cat"),
        "angle": trained.measured_by("angle").similarity("dog", "cat"),
    }
    assert ask("/api/distance", a="dog", b="dog")["distance"] == 0


def test_both_routes_of_an_analogy(ask: Ask, trained: WordVectors, disc_map: DiscMap) -> None:
    words = trained.words[20], trained.words[31], trained.words[44]
    answer = ask("/api/analogy", **dict(zip("abc", words, strict=True)), count=6)
    rows = trained.known_rows(words)[:, None]
    assert set(answer["routes"]) == {"Z", "Z'"}
    for route, found in answer["routes"].items():
        expected = trained.analogy(*words, route=route, count=6)
        assert shown(found["answers"]) == [tuple(near) for near in expected]
        assert not {near["word"] for near in found["answers"]} & set(words)
        point = trained.analogy_points(rows[0], rows[1], rows[2], route)
        expected_place = placed(trained, disc_map, point)
        assert (found["x"], found["y"]) == pytest.approx(expected_place)


def test_a_path_is_the_geodesic_between_two_words(ask: Ask, trained: WordVectors) -> None:
    answer = ask("/api/path", a="dog", b="cat", steps=5)
    assert answer["distance"] == trained.distance("dog", "cat")
    assert [step["t"] for step in answer["steps"]] == [0, 0.25, 0.5, 0.75, 1]
    assert answer["steps"][0]["nearest"][0]["word"] == "dog"
    assert answer["steps"][-1]["nearest"][0]["word"] == "cat"
    points = trained.path("dog", "cat", 5)
    for step, point in zip(answer["steps"], points, strict=True):
        assert shown(step["nearest"]) == [tuple(near) for near in trained.neighbors(point, 5)]
    assert len(ask("/api/path", a="dog", b="dog", steps=2)["steps"]) == 2


@pytest.mark.parametrize("steps", [2, 3, 12, 50])
def test_each_step_of_a_path_has_a_word_of_its_own(ask: Ask, steps: int) -> None:
    words = [
        step["word"]["word"] for step in ask("/api/path", a="dog", b="car", steps=steps)["steps"]
    ]
    assert len(set(words)) == len(words) == steps
    assert (words[0], words[-1]) == ("dog", "car")


def test_words_by_prefix(ask: Ask, trained: WordVectors) -> None:
    expected = [word for word in trained.words if word.startswith("c")][:4]
    for prefix in ("c", "C"):
        found = ask("/api/words", prefix=prefix, limit=4)["words"]
        assert [word["word"] for word in found] == expected
    assert [word["word"] for word in ask("/api/words")["words"]] == list(trained.words[:8])
    assert ask("/api/words", prefix="qqqq")["words"] == []


def test_the_whole_map(ask: Ask, trained: WordVectors, disc_map: DiscMap) -> None:
    points = ask("/api/points")
    assert points["in_view"] == len(disc_map.rows)
    assert points["words"] == list(trained.words[:-50])
    assert points["rows"] == disc_map.rows.tolist()
    assert points["counts"] == trained.counts[:-50].tolist()
    assert points["radii"] == trained.radii[:-50].tolist()
    np.testing.assert_array_equal(np.column_stack((points["x"], points["y"])), disc_map.places)
    dog = ask("/api/word", word="dog")
    assert points["clusters"][dog["row"]] == dog["cluster"]
    assert ask("/api/points", radius=100, x=0) == points


def test_points_in_view_are_those_within_a_hyperbolic_distance(ask: Ask, disc_map: DiscMap) -> None:
    x, y, radius = 0.2, -0.1, 0.4
    center = complex(x, y)
    # 2 artanh |u - v|/|1 - ūv|: a different formula than in the code.
    inside = [
        int(row)
        for row, (u, v) in zip(disc_map.rows, disc_map.places, strict=True)
        if 2 * atanh(abs(complex(u, v) - center) / abs(1 - center.conjugate() * complex(u, v)))
        <= radius
    ]
    assert 3 < len(inside) < len(disc_map.rows)
    points = ask("/api/points", x=x, y=y, radius=radius, limit=3)
    assert points["rows"] == inside[:3]
    assert points["in_view"] == len(inside)
    assert len(points["x"]) == len(points["clusters"]) == 3
    nothing = ask("/api/points", x=0.99, y=0, radius=0)
    assert nothing["rows"] == []
    assert nothing["in_view"] == 0


GEOMETRIES: dict[str, dict[str, Any]] = {
    "plane": {"dimension": 2},
    "line": {"dimension": 1},
    "product": {"dimension": 6, "factors": 3},
    "euclidean": {"dimension": 6, "geometry": "euclidean"},
}


@pytest.fixture(params=GEOMETRIES)
def vectors(request: pytest.FixtureRequest) -> WordVectors:
    about = dict(GEOMETRIES[request.param])
    dimension = about.pop("dimension")
    values = np.random.default_rng(2).normal(0, 1, (80, dimension))
    words = [f"w{i}" for i in range(80)]
    return WordVectors(words, values.astype(np.float32), **about)


def test_every_space_can_be_explored(vectors: WordVectors) -> None:
    disc_map = make_map(vectors, np.arange(60))
    client = Client(make_app(vectors, disc_map, name="m"))
    model = client.get("/api/model").json()
    assert model["counts_known"] is False
    assert model["is_curved"] is vectors.space.is_curved
    for path in (
        *("points", "points?radius=1", "words?prefix=w1", "word?word=w70"),
        *("neighbors?word=w3", "neighbors?word=w3&measure=angle", "distance?a=w1&b=w2"),
        *("analogy?a=w1&b=w2&c=w3", "path?a=w1&b=w79"),
    ):
        response = client.get("/api/" + path)
        assert response.status_code == 200, response.text
    assert ("distance" in model["measures"]) == (vectors.factors == 1)
    by_distance = client.get("/api/neighbors?word=w3&measure=distance")
    assert by_distance.status_code == (400 if vectors.factors > 1 else 200)


def test_words_with_any_letters_are_sent_unchanged() -> None:
    words = ["größer", "日本", "\ud800", "</script>", "a b", 'quo"te', "&=", "\x00", "🐕"]
    values = np.random.default_rng(2).normal(0, 1, (len(words), 2)).astype(np.float32)
    vectors = WordVectors(words, values)
    app = make_app(vectors, make_map(vectors, np.arange(len(words))), name="🐕")
    client = Client(app)
    assert client.get("/api/points").json()["words"] == words
    for word in set(words) - {"\ud800"}:
        assert client.get("/api/word", params={"word": word}).json()["word"] == word
    assert client.get("/api/words?prefix=GRÖSS").json()["words"][0]["word"] == "größer"
    assert client.get("/api/neighbors?word=%ED%A0%80").status_code == 400


def test_a_distance_builds_no_search_index(trained: WordVectors, disc_map: DiscMap) -> None:
    queries = Queries(trained, disc_map, "m")
    queries.distance("dog", "cat")
    assert set(queries._by_measure) == {"product"}
    queries.neighbors("dog", 3, "angle")
    assert set(queries._by_measure) == {"product", "angle"}


def test_a_phrase_is_asked_for_with_blanks() -> None:
    words = ["new", "new_york", "york", "city", "old", "big"]
    points = np.random.default_rng(1).normal(size=(len(words), 3))
    vectors = WordVectors(words, points, counts=np.arange(60, 0, -10))
    ask = Ask(Client(make_app(vectors, make_map(vectors, np.arange(len(words))), name="phrases")))
    assert ask("/api/word", word="New York") == ask("/api/word", word="new_york")
    assert ask("/api/neighbors", word="new york") == ask("/api/neighbors", word="new_york")
    (found,) = ask("/api/words", prefix="new yo")["words"]
    assert found["word"] == "new_york"
