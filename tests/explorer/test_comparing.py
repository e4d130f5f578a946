"""Two models in one explorer: the answers of the API, and the command."""

from pathlib import Path

import numpy as np
import pytest
from api_client import Ask, Client
from program import Program

from hyperskip import InputError, WordVectors
from hyperskip.explorer.answers.queries import Queries
from hyperskip.explorer.server.app import make_app
from hyperskip.projection.projecting import make_map

WORDS = [f"w{i}" for i in range(120)]


def clustered(words: list[str], dimension: int, geometry: str = "hyperboloid") -> WordVectors:
    """Thirty words around each of four directions."""
    rng = np.random.default_rng(dimension)
    centers = np.repeat(np.eye(dimension)[:4], 30, axis=0)
    coordinates = centers + 0.1 * rng.normal(size=centers.shape)
    return WordVectors(words, coordinates.astype(np.float32), geometry=geometry)


def queries_of(vectors: WordVectors, name: str) -> Queries:
    return Queries(vectors, make_map(vectors, np.arange(len(vectors))), name)


@pytest.fixture(scope="module")
def other() -> WordVectors:
    """In another space, "w5" is where "w65" was, and two words have other names."""
    words = WORDS.copy()
    words[5], words[65], words[118], words[119] = "w65", "w5", "new1", "new2"
    return clustered(words, 6, "euclidean")


@pytest.fixture(scope="module")
def client(other: WordVectors) -> Client:
    vectors = clustered(WORDS, 4)
    disc_map = make_map(vectors, np.arange(len(vectors)))
    return Client(make_app(vectors, disc_map, name="one", compared=queries_of(other, "two")))


def test_the_other_model_is_described(client: Client) -> None:
    model = Ask(client)("/api/model")
    assert model["compared"]["name"] == "two"
    assert model["compared"]["common"] == 118
    assert model["compared"]["dimension"] == 6
    points = Ask(client)("/api/compared-points")
    assert points["words"][5] == "w65"
    assert len(points["x"]) == 120


def test_neighbors_in_both(client: Client) -> None:
    first, second = Ask(client)("/api/compare", word="w118", count=9)["models"]
    assert second is None
    assert first["word"]["word"] == "w118"
    assert Ask(client)("/api/compare", word="new1")["models"][0] is None
    first, second = Ask(client)("/api/compare", word="w100", count=29)["models"]
    same = {f"w{i}" for i in range(90, 118)} - {"w100"}
    for answer in (first, second):
        assert {one["word"] for one in answer["neighbors"] if one["shared"]} == same
    unknown = {one["word"] for one in second["neighbors"] if not one["in_other"]}
    assert unknown == {"new1", "new2"}
    first, _ = Ask(client)("/api/compare", word="w5", count=29)["models"]
    assert not any(one["shared"] for one in first["neighbors"])


def test_the_words_that_moved(client: Client) -> None:
    moved = Ask(client)("/api/moved", limit=3)["words"]
    assert {one["word"] for one in moved[:2]} == {"w5", "w65"}
    assert moved[1]["change"] > 0.5 > moved[2]["change"]


def test_a_word_of_neither_model(client: Client) -> None:
    response = client.get("/api/compare?word=w999")
    assert response.status_code == 404
    assert response.json()["word"] == "w999"


def test_without_another_model() -> None:
    vectors = clustered(WORDS, 4)
    client = Client(make_app(vectors, make_map(vectors, np.arange(120)), name="one"))
    assert Ask(client)("/api/model")["compared"] is None
    assert Ask(client)("/api/moved") == {"words": []}
    assert Ask(client)("/api/compared-points")["words"] == []
    response = client.get("/api/compare?word=w1")
    assert response.status_code == 400
    assert "hint" in response.json()


def test_another_model_changes_the_identity(client: Client) -> None:
    vectors = clustered(WORDS, 4)
    alone = Client(make_app(vectors, make_map(vectors, np.arange(120)), name="one"))
    header = "Hyperskip-Model"
    assert client.get("/api/model").headers[header] != alone.get("/api/model").headers[header]


def test_models_without_common_words_are_refused(other: WordVectors) -> None:
    vectors = clustered([f"x{i}" for i in range(120)], 4)
    with pytest.raises(InputError, match="0 words in common"):
        Queries(vectors, make_map(vectors, np.arange(120)), "one", None, queries_of(other, "two"))


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        (["--compare", "missing.safetensors"], ("missing.safetensors",)),
        (["--compare", "model", "--export", "words.html"], ("--export", "--compare")),
    ],
)
def test_the_command_refuses_what_it_cannot_compare(
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    facts: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    clustered(WORDS, 4).save(tmp_path / "model")
    program("explore", "model", "--no-browser", *options).check_refused(*facts)
