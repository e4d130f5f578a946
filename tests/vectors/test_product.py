"""Words on a product of hyperboloids."""

from pathlib import Path

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors, export_vectors, import_vectors, load
from hyperskip.errors import GeometryError, InputError, OptionError
from hyperskip.geometry import hyperboloid

FACTORS, DIMENSION = 3, 4
WORDS = tuple("abcdefghij")


@pytest.fixture
def vectors() -> WordVectors:
    coordinates = np.random.default_rng(1).normal(0, 0.7, (len(WORDS), FACTORS * DIMENSION))
    return WordVectors(WORDS, coordinates.astype(np.float32), factors=FACTORS)


@pytest.fixture
def parts(vectors: WordVectors) -> list[WordVectors]:
    """Return the vectors on each factor."""
    return [
        WordVectors(WORDS, vectors.coordinates[:, begin : begin + DIMENSION])
        for begin in range(0, FACTORS * DIMENSION, DIMENSION)
    ]


def test_every_answer_combines_those_of_the_factors(
    vectors: WordVectors, parts: list[WordVectors]
) -> None:
    np.testing.assert_allclose(vectors.points, np.hstack([part.points for part in parts]))
    np.testing.assert_allclose(vectors.ball, np.hstack([part.ball for part in parts]))
    for a, b in (("a", "b"), ("c", "j"), ("e", "e")):
        products = [part.similarity(a, b) for part in parts]
        assert vectors.similarity(a, b) == pytest.approx(sum(products))
        distances = [part.distance(a, b) for part in parts]
        assert vectors.distance(a, b) == pytest.approx(np.linalg.norm(distances))
    radii = [part.radius("d") for part in parts]
    assert vectors.radius("d") == pytest.approx(np.linalg.norm(radii))
    middle = np.concatenate([part.centroid(["a", "f", "g"]) for part in parts])
    np.testing.assert_allclose(vectors.centroid(["a", "f", "g"]), middle)
    rows = np.array([0]), np.array([1]), np.array([2])
    for route in ("Z", "Z'"):
        expected = np.hstack([part.analogy_points(*rows, route) for part in parts])
        np.testing.assert_allclose(vectors.analogy_points(*rows, route), expected)
    one = vectors.coordinates[0], vectors.coordinates[1]
    cosine = one[0] @ one[1] / np.linalg.norm(one[0]) / np.linalg.norm(one[1])
    assert vectors.measured_by("angle").similarity("a", "b") == pytest.approx(cosine, rel=1e-5)


@pytest.mark.parametrize("measure", ["product", "angle"])
def test_neighbors_are_the_most_similar_words(vectors: WordVectors, measure: str) -> None:
    view = vectors.measured_by(measure)
    found = [neighbor.word for neighbor in view.neighbors("a", 9)]
    assert found == sorted(WORDS[1:], key=lambda word: -view.similarity("a", word))


def test_far_words_are_ranked_in_float64() -> None:
    directions = np.random.default_rng(2).normal(size=(2, 5))
    base = hyperboloid.base_point(5)
    near = [hyperboloid.exponential(base, np.append(8 * d, 0.0))[:-1] for d in directions]
    coordinates = np.vstack([np.concatenate(near), np.concatenate(near) * 1.0001, np.zeros(10)])
    far = WordVectors(["a", "b", "c"], coordinates.astype(np.float32), factors=2)
    assert [neighbor.word for neighbor in far.neighbors("a", 2)] == ["b", "c"]


def test_the_distance_is_not_a_measure(vectors: WordVectors) -> None:
    with pytest.raises(OptionError, match=naming("measure", "distance", "product", "angle")):
        vectors.measured_by("distance")


def test_a_point_must_be_on_every_hyperboloid(vectors: WordVectors) -> None:
    point = np.array(vectors["a"])
    assert vectors.neighbors(point, 1)[0].word == "a"
    point[DIMENSION] += 1.0
    with pytest.raises(
        InputError, match=naming(*map(str, vectors["a"][:2].round(8)), "hyperboloid")
    ):
        vectors.neighbors(point)


def test_the_file_keeps_the_factors(vectors: WordVectors, tmp_path: Path) -> None:
    vectors.save(tmp_path / "model.safetensors")
    loaded = load(tmp_path / "model.safetensors")
    assert loaded.factors == FACTORS
    assert loaded.similarity("a", "b") == vectors.similarity("a", "b")
    assert "3 hyperboloids" in repr(loaded)


def test_export_needs_spatial_coordinates_and_npz_keeps_the_factors(
    vectors: WordVectors, tmp_path: Path
) -> None:
    with pytest.raises(GeometryError, match=naming(FACTORS, "points", "coordinates='spatial'")):
        export_vectors(vectors, tmp_path / "vectors.npz", coordinates="points")
    with pytest.raises(GeometryError, match=naming(FACTORS, "points", "coordinates='spatial'")):
        export_vectors(vectors, tmp_path / "vectors.csv")
    assert not list(tmp_path.iterdir())
    export_vectors(vectors, tmp_path / "vectors.npz")
    returned = import_vectors(tmp_path / "vectors.npz")
    assert returned.factors == FACTORS
    np.testing.assert_allclose(returned.coordinates, vectors.coordinates)
    export_vectors(vectors, tmp_path / "folder", format="projector", coordinates="spatial")
    radius = float((tmp_path / "folder/metadata.tsv").read_text().split("\n")[1].split("\t")[2])
    assert radius == pytest.approx(vectors.radius("a"))


@pytest.mark.parametrize(
    ("factors", "geometry"),
    [(0, "hyperboloid"), (5, "hyperboloid"), (1.5, "hyperboloid"), (2, "euclidean")],
)
def test_invalid_factors(factors: int, geometry: str) -> None:
    with pytest.raises(InputError, match=naming("factors", factors)):
        WordVectors(["a"], np.zeros((1, 12), np.float32), geometry=geometry, factors=factors)


def test_pictures_can_be_drawn(vectors: WordVectors, tmp_path: Path) -> None:
    for asked in ({"words": WORDS}, {"near": "a"}, {"analogy": WORDS[:3], "count": 1}):
        vectors.plot(**asked, path=tmp_path / "map.svg")
        assert (tmp_path / "map.svg").stat().st_size > 1000


def test_few_words_have_few_answers(vectors: WordVectors) -> None:
    one, three = vectors.subset(np.arange(1)), vectors.subset(np.arange(3))
    assert one.neighbors("a") == []
    assert three.analogy("a", "b", "c") == []
    assert [near.word for near in three.neighbors("a", 5)] in (["b", "c"], ["c", "b"])


def test_a_subset_keeps_the_measure(vectors: WordVectors) -> None:
    by_angle = vectors.measured_by("angle").subset(np.array([4, 2, 7]))
    assert by_angle.words == ("e", "c", "h")
    assert (by_angle.measure, by_angle.factors, by_angle.device) == ("angle", FACTORS, "cpu")
    np.testing.assert_array_equal(by_angle.coordinates, vectors.coordinates[[4, 2, 7]])
    np.testing.assert_array_equal(by_angle.points[1], vectors["c"])
