"""Laws of the measures of similarity, in every space."""

import pickle

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import WordVectors
from hyperskip.errors import OptionError
from hyperskip.geometry.names import ANGLE, DISTANCE, PRODUCT
from hyperskip.geometry.spaces import space_named

GEOMETRIES = ("hyperboloid", "euclidean")
MEASURES = (PRODUCT, DISTANCE, ANGLE)
# The base point has no direction, so it has no angle with any point, not even with itself.
DIRECTIONS = {"hyperboloid": (ANGLE,), "euclidean": (PRODUCT, ANGLE)}
every_geometry = pytest.mark.parametrize("geometry", GEOMETRIES)
every_measure = pytest.mark.parametrize("measure", MEASURES)

coordinates = arrays(
    np.float32, (12, 3), elements=st.floats(-8, 8, width=32).map(lambda x: round(x, 2))
)


def vectors_at(places: npt.NDArray[np.float32], geometry: str) -> WordVectors:
    return WordVectors([f"w{i}" for i in range(len(places))], places, geometry=geometry)


def random_vectors(geometry: str, scale: float = 1.0) -> WordVectors:
    places = scale * np.random.default_rng(8).standard_normal((200, 5))
    return vectors_at(places.astype(np.float32), geometry)


@every_geometry
@every_measure
@given(places=coordinates)
def test_products_of_keys_and_queries_are_the_similarity(
    geometry: str, measure: str, places: npt.NDArray[np.float32]
) -> None:
    vectors = vectors_at(places, geometry).measured_by(measure)
    of_pairs = [[vectors.similarity(a, b) for b in vectors] for a in vectors]
    # The distance of near points loses half of its digits if it comes from a float32 product.
    tolerance = 3e-2 if measure == DISTANCE else 1e-3
    np.testing.assert_allclose(vectors.similarities(vectors.points), of_pairs, atol=tolerance)


@every_geometry
@every_measure
@given(places=coordinates)
def test_dissimilarity_ranks_like_similarity(
    geometry: str, measure: str, places: npt.NDArray[np.float32]
) -> None:
    space = space_named(geometry)
    chosen, points = space.measures[measure], space.points(places)
    apart, similar = (of(points[0], points) for of in (chosen.dissimilarity, chosen.similarity))
    assert (apart >= 0).all()
    assert apart[0] == (measure in DIRECTIONS[geometry] and not places[0].any())
    by_dissimilarity = similar[np.argsort(apart)]
    assert (np.diff(by_dissimilarity) <= 1e-9 * np.abs(similar).max()).all()


@given(places=coordinates)
def test_on_the_hyperboloid_distance_and_product_give_the_same_order(
    places: npt.NDArray[np.float32],
) -> None:
    vectors = vectors_at(places, "hyperboloid")
    for word in vectors:
        by_distance = vectors.measured_by(DISTANCE).neighbors(word, 11)
        assert [found.word for found in vectors.neighbors(word, 11)] == [
            found.word for found in by_distance
        ]
        assert all(found.similarity == -found.distance for found in by_distance)


@every_geometry
@given(places=coordinates, factor=st.floats(0.1, 10), seed=st.integers(0, 99))
def test_rotation_and_scaling_do_not_change_the_angle(
    geometry: str, places: npt.NDArray[np.float32], factor: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    rotation = np.linalg.qr(random.standard_normal((3, 3))).Q
    factors = factor * random.uniform(0.5, 2.0, (len(places), 1))  # a different one for each word
    turned = (factors * (places.astype(np.float64) @ rotation)).astype(np.float32)
    before, after = (
        vectors.measured_by(ANGLE).similarities(vectors.points)
        for vectors in (vectors_at(places, geometry), vectors_at(turned, geometry))
    )
    np.testing.assert_allclose(after, before, atol=1e-5)


@every_geometry
@pytest.mark.parametrize("measure", [PRODUCT, DISTANCE])
@given(places=coordinates, seed=st.integers(0, 99))
def test_rotation_changes_no_measure(
    geometry: str, measure: str, places: npt.NDArray[np.float32], seed: int
) -> None:
    rotation = np.linalg.qr(np.random.default_rng(seed).standard_normal((3, 3))).Q
    space = space_named(geometry)
    similarity = space.measures[measure].similarity
    points = space.points(places)
    turned = points.copy()
    turned[:, :3] = turned[:, :3] @ rotation
    before, after = (similarity(each[:, None], each[None]) for each in (points, turned))
    np.testing.assert_allclose(after, before, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("scale", [0.01, 1.0, 1000.0])
@every_geometry
@every_measure
def test_neighbors_are_the_most_similar_of_all(
    geometry: str, measure: str, scale: float, device: str
) -> None:
    vectors = random_vectors(geometry, scale).measured_by(measure)
    found = vectors.on(device).neighbors_of(["w3", "w9"], 7)
    for word in ("w3", "w9"):
        others = [other for other in vectors if other != word]
        expected = sorted(-vectors.similarity(word, other) for other in others)[:7]
        similarities = [neighbor.similarity for neighbor in found[word]]
        np.testing.assert_allclose(similarities, np.negative(expected), rtol=1e-12)
        assert vectors.neighbors(word, 7) == found[word]
        for neighbor in found[word]:
            assert neighbor.distance == pytest.approx(vectors.distance(word, neighbor.word))
    best = vectors.on(device).nearest_rows(vectors.points[[3, 9]], np.array([[3], [9]]))
    # Analogies use the products, which are equal up to rounding at scale 0.01.
    for word, row in zip(("w3", "w9"), best, strict=True):
        top = found[word][0].similarity
        assert vectors.similarity(word, vectors.words[row]) == pytest.approx(top, rel=1e-3)


@every_geometry
@every_measure
def test_pairs_of_rows(geometry: str, measure: str) -> None:
    vectors = random_vectors(geometry).measured_by(measure)
    first, second = np.random.default_rng(1).integers(0, len(vectors), (2, 30))
    words = [(vectors.words[a], vectors.words[b]) for a, b in zip(first, second, strict=True)]
    often = np.tile(first, 1000), np.tile(second, 1000)  # more than one block
    similarities = [vectors.similarity(a, b) for a, b in words]
    np.testing.assert_allclose(vectors.similarity_of_rows(*often), np.tile(similarities, 1000))
    distances = [vectors.distance(a, b) for a, b in words]
    np.testing.assert_allclose(vectors.distance_of_rows(*often), np.tile(distances, 1000))
    assert vectors.similarity_of_rows(first[:0], second[:0]).shape == (0,)


def test_known_values() -> None:
    places = np.array([[3, 0], [0, 4], [0, 0]], dtype=np.float32)
    flat, curved = (vectors_at(places, geometry) for geometry in ("euclidean", "hyperboloid"))
    assert flat.measured_by(DISTANCE).similarity("w0", "w1") == -5
    assert flat.measured_by(ANGLE).similarity("w0", "w1") == flat.similarity("w0", "w1") == 0
    assert curved.similarity("w0", "w2") == pytest.approx(-np.sqrt(10))
    assert curved.measured_by(DISTANCE).similarity("w0", "w2") == -curved.radius("w0")
    assert curved.measured_by(ANGLE).similarity("w0", "w0") == 1
    assert curved.measured_by(ANGLE).similarity("w0", "w2") == 0  # the base point has no direction


def test_a_view_shares_the_vectors() -> None:
    vectors = random_vectors("hyperboloid")
    vectors.neighbors("w1")  # builds an index, which the view must not use
    angle = vectors.measured_by(ANGLE)
    assert (vectors.measure, angle.measure) == (PRODUCT, ANGLE)
    assert angle.coordinates is vectors.coordinates
    assert angle.measured_by(ANGLE) is angle
    assert angle.neighbors("w1") != vectors.neighbors("w1")
    assert angle.measured_by(PRODUCT).neighbors("w1") == vectors.neighbors("w1")
    assert pickle.loads(pickle.dumps(angle)).neighbors("w1") == angle.neighbors("w1")
    answers = angle.analogy("w1", "w2", "w3", count=5)
    assert answers == sorted(answers, key=lambda found: -found.similarity)


@every_geometry
@pytest.mark.parametrize("name", ["cosine", "", "PRODUCT"])
def test_unknown_measures(geometry: str, name: str) -> None:
    with pytest.raises(OptionError, match=naming("measure", repr(name), PRODUCT, DISTANCE, ANGLE)):
        random_vectors(geometry).measured_by(name)
