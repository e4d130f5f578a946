"""Laws that every space obeys, by hypothesis."""

import pickle
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import geometry
from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry import hyperboloid, spaces
from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.measures import by_factor
from hyperskip.geometry.names import (
    DISTANCE,
    EUCLIDEAN,
    GEOMETRIES,
    HYPERBOLOID,
    PRODUCT,
    ROUTES,
    is_curved,
)
from hyperskip.geometry.spaces import Space, space_named

DIMENSION, COUNT = 6, 5
SPACES = {
    "hyperboloid": space_named(HYPERBOLOID),
    "product": space_named(HYPERBOLOID, 3),
    "euclidean": space_named(EUCLIDEAN),
}
every_space = pytest.mark.parametrize("space", SPACES.values(), ids=list(SPACES))
curved_spaces = pytest.mark.parametrize(
    "space", [space for space in SPACES.values() if space.is_curved]
)
law = settings(max_examples=60)
# Radii up to 5, and coordinates whose squares do not underflow.
coordinates = arrays(
    np.float64, (COUNT, DIMENSION), elements=st.floats(-30, 30).map(lambda x: round(x, 3))
)
weights = arrays(np.float64, COUNT, elements=st.integers(1, 9).map(float))
seeds = st.integers(0, 99)


def metric(space: Space) -> Callable[[Floats, Floats], Floats]:
    """The geodesic distance; the own distance of Euclidean space is 1 - cosine."""
    return space.distance if space.is_curved else space.measures[DISTANCE].dissimilarity


def turned(space: Space, points: Floats, seed: int) -> Floats:
    """Points after a rotation of each factor around the base point."""
    generator = np.random.default_rng(seed)
    parts = by_factor(space.coordinates(points), space.factors)
    size = parts.shape[-1]
    rotations = np.linalg.qr(generator.standard_normal((space.factors, size, size))).Q
    rotated = np.einsum("...fi,fij->...fj", parts, rotations)
    return space.points(rotated.reshape(*points.shape[:-1], DIMENSION))


def assert_close(space: Space, found: Floats, expected: Floats, scale: Floats) -> None:
    """Same points, up to rounding where the farthest of `scale` is."""
    tolerance = 1e-12 * float(np.abs(scale).max(initial=1.0)) ** 2
    np.testing.assert_allclose(
        space.coordinates(found), space.coordinates(expected), rtol=1e-9, atol=tolerance
    )


@every_space
@law
@given(places=coordinates)
def test_stored_coordinates_make_points_of_the_space(space: Space, places: Floats) -> None:
    points = space.points(places)
    assert space.contains(points)
    np.testing.assert_array_equal(space.coordinates(points), places)
    assert not space.contains(points * np.nan)


@curved_spaces
def test_points_off_the_hyperboloid_do_not_belong_to_the_space(space: Space) -> None:
    points = space.points(np.ones((COUNT, DIMENSION)))
    points[2, -1] += 1e-3
    assert not space.contains(points)
    assert space.contains(points[:2])


@every_space
@law
@given(places=coordinates, seed=seeds)
def test_distances_are_a_metric_and_rotations_keep_them(
    space: Space, places: Floats, seed: int
) -> None:
    points = space.points(places)
    distance = metric(space)
    between = distance(points[:, None], points[None])
    np.testing.assert_array_equal(between, between.T)
    assert (between >= 0).all()
    np.testing.assert_allclose(np.diag(between), 0.0, atol=1e-12)
    detours = between[:, :, None] + between[None]  # (from, via, to)
    assert (between[:, None] <= detours + 1e-9).all()
    rotated = turned(space, points, seed)
    np.testing.assert_allclose(distance(rotated[:, None], rotated[None]), between, atol=1e-6)


@every_space
@law
@given(places=coordinates)
def test_the_radius_is_the_distance_from_the_base_point(space: Space, places: Floats) -> None:
    points, base = space.points(places), space.points(np.zeros(DIMENSION))
    assert space.radius(base) == 0
    np.testing.assert_allclose(space.radius(points), metric(space)(base, points), rtol=1e-12)


@every_space
@law
@given(places=coordinates, shares=weights, seed=seeds)
def test_centroids_depend_on_neither_order_nor_rotation_nor_scale_of_weights(
    space: Space, places: Floats, shares: Floats, seed: int
) -> None:
    points = space.points(places)
    centroid = space.centroid(points, shares)
    assert space.contains(centroid)
    order = np.random.default_rng(seed).permutation(COUNT)
    assert_close(space, space.centroid(points[order], shares[order]), centroid, places)
    assert_close(space, space.centroid(points, 7.0 * shares), centroid, places)
    repeated = np.repeat(points, shares.astype(int), axis=0)
    assert_close(space, space.centroid(repeated), centroid, places)
    moved = space.centroid(turned(space, points, seed), shares)
    assert_close(space, moved, turned(space, centroid, seed), places)
    assert_close(space, space.centroid(points[:1]), points[0], places)


@every_space
@law
@given(places=coordinates)
def test_coordinates_with_times_are_points(space: Space, places: Floats) -> None:
    found = space.with_times(places, space.times(places))
    np.testing.assert_allclose(found, space.points(places), rtol=1e-15)


@every_space
@law
@given(places=coordinates, shares=weights)
def test_the_centroid_follows_from_the_mean_near_the_base_point(
    space: Space, places: Floats, shares: Floats
) -> None:
    points = space.points(places / max(1.0, np.abs(places).max() / 100))
    mean = np.average(points, axis=0, weights=shares)
    expected = space.centroid(points, shares)
    np.testing.assert_allclose(space.centroid_of_mean(mean), expected, rtol=1e-9, atol=1e-9)


@every_space
@law
@given(places=coordinates, seed=seeds)
def test_combinations_include_analogies_and_centroids(
    space: Space, places: Floats, seed: int
) -> None:
    points = space.points(places)
    a, b, c = points[:3]
    found = space.combined(points[1:3], points[:1])
    assert_close(space, found, space.analogy(a, b, c, "Z"), places)
    nothing = points[:0]
    assert_close(space, space.combined(points[:1], nothing), space.normalized(a), places)
    if space.is_curved:
        assert_close(space, space.combined(points, nothing), space.centroid(points), places)
    rotated = space.combined(*(turned(space, group, seed) for group in (points[1:], points[:1])))
    expected = turned(space, space.combined(points[1:], points[:1]), seed)
    if np.abs(places).max() < 100:
        assert_close(space, rotated, expected, places)


@every_space
@law
@given(places=coordinates, shares=weights)
def test_centroids_of_many_groups_are_those_of_each(
    space: Space, places: Floats, shares: Floats
) -> None:
    groups = np.stack([places, -0.5 * places, places[::-1]])
    by_group = np.stack([shares, shares[::-1], np.ones(COUNT)])
    points = space.points(groups)
    expected = [space.centroid(*group) for group in zip(points, by_group, strict=True)]
    np.testing.assert_allclose(space.centroid(points, by_group), expected, rtol=1e-9, atol=1e-9)
    found = space.centroids(groups.astype(np.float32), by_group)
    np.testing.assert_allclose(found, space.coordinates(np.array(expected)), rtol=1e-3, atol=1e-2)


@every_space
def test_many_groups_are_taken_in_blocks(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    places = np.random.default_rng(2).normal(0, 1, (50, COUNT, DIMENSION))
    shares = np.random.default_rng(3).uniform(0, 1, (50, COUNT))
    at_once = space.centroids(places, shares)
    monkeypatch.setattr(spaces, "_BLOCK_NUMBERS", 4 * COUNT * DIMENSION)
    np.testing.assert_array_equal(space.centroids(places, shares), at_once)


def test_the_centroid_of_two_points_is_their_midpoint() -> None:
    places = np.random.default_rng(2).normal(0, 1, (COUNT, 2, DIMENSION))
    for space in SPACES.values():
        points = space.points(places)
        middle = space.geodesic(points[:, 0], points[:, 1], 0.5)
        np.testing.assert_allclose(space.centroid(points), middle, atol=1e-12)


@curved_spaces
@law
@given(places=coordinates)
def test_centered_words_have_the_base_point_as_centroid_and_the_same_distances(
    space: Space, places: Floats
) -> None:
    before = places.astype(np.float32) / 10 + 1
    after = space.centered(before)
    assert after.dtype == np.float32
    old, new = space.points(before), space.points(after)
    np.testing.assert_allclose(space.coordinates(space.centroid(new)), 0.0, atol=1e-5)
    np.testing.assert_allclose(
        space.distance(new[:, None], new[None]), space.distance(old[:, None], old[None]), atol=1e-3
    )


@curved_spaces
def test_words_are_centered_in_blocks(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    places = np.random.default_rng(1).normal(0.8, 0.5, (50, DIMENSION)).astype(np.float32)
    at_once = space.centered(places)
    assert np.abs(space.coordinates(space.centroid(space.points(places)))).max() > 0.3
    monkeypatch.setattr(spaces, "_BLOCK_NUMBERS", 1)
    np.testing.assert_allclose(space.centered(places), at_once, atol=1e-6)
    assert places.max() > at_once.max()  # the words that were given are not changed


def test_centering_keeps_euclidean_vectors_whose_cosines_it_would_change() -> None:
    places = np.random.default_rng(1).normal(0.8, 0.5, (20, DIMENSION))
    np.testing.assert_array_equal(SPACES["euclidean"].centered(places), places.astype(np.float32))


@every_space
@law
@given(places=coordinates, seed=seeds)
def test_tangent_vectors_around_the_centroid_have_the_lengths_of_the_distances_to_it(
    space: Space, places: Floats, seed: int
) -> None:
    points = space.normalized(space.points(places / 10))
    seen = space.around_centroid(points)
    assert seen.shape == (COUNT, DIMENSION)
    distances = metric(space)(space.centroid(points), points)
    np.testing.assert_allclose(np.linalg.norm(seen, axis=1), distances, atol=1e-7)


@every_space
@law
@given(places=coordinates)
def test_recentering_keeps_distances_and_tangent_vectors_have_the_lengths_of_radii(
    space: Space, places: Floats
) -> None:
    points = space.points(places / 10)
    moved = space.recentered(points, points[0])
    assert space.contains(moved)
    base = space.points(np.zeros((1, DIMENSION)))
    np.testing.assert_allclose(moved[:1], base, atol=1e-7)
    np.testing.assert_allclose(
        metric(space)(moved[1:], moved[-1]), metric(space)(points[1:], points[-1]), atol=1e-6
    )
    tangents = space.tangents(moved)
    assert tangents.shape == (COUNT, DIMENSION)
    np.testing.assert_allclose(np.linalg.norm(tangents, axis=1), space.radius(moved), atol=1e-12)


@every_space
@law
@given(places=coordinates, times=arrays(np.float64, 4, elements=st.floats(0, 1)))
def test_a_geodesic_has_its_ends_and_constant_speed(
    space: Space, places: Floats, times: npt.NDArray[np.float64]
) -> None:
    p, q = space.points(places[:2])
    assert_close(space, space.geodesic(p, q, [0.0, 1.0]), np.stack([p, q]), places)
    path = space.geodesic(p, q, np.sort(times))
    assert space.contains(path)
    assert_close(space, space.geodesic(q, p, 1 - np.sort(times)), path, places)
    whole = metric(space)(p, q)
    np.testing.assert_allclose(metric(space)(p, path), np.sort(times) * whole, atol=1e-5)


@every_space
@law
@given(places=coordinates)
def test_normalized_points_have_the_same_similarities(space: Space, places: Floats) -> None:
    points = space.points(places)
    similarity = space.measures[PRODUCT].similarity
    before, after = (similarity(each[0], each) for each in (points, space.normalized(points)))
    np.testing.assert_allclose(after, before, atol=1e-12)


@every_space
@law
@given(places=coordinates)
def test_routes_that_differ_are_named(space: Space, places: Floats) -> None:
    assert space.routes[0] == ROUTES[0]
    a, b, c = space.points(places[:3] / 30)
    first, second = (space.analogy(a, b, c, route) for route in ROUTES)
    assert space.contains(np.stack([first, second]))
    if len(space.routes) == 1:
        np.testing.assert_array_equal(first, second)
    # The routes differ by an exchange of b and c.
    np.testing.assert_allclose(space.analogy(a, c, b, ROUTES[1]), first, atol=1e-12)


@every_space
def test_random_coordinates_are_spread_around_the_base_point(space: Space) -> None:
    first, again = (
        space.random_coordinates(np.random.default_rng(4), 4000, DIMENSION, 0.5) for _ in range(2)
    )
    assert first.shape == (4000, DIMENSION)
    np.testing.assert_array_equal(first, again)
    # Their tangent vectors at the base point have coordinates of that deviation.
    radii = space.radius(space.points(first))
    assert np.sqrt(np.mean(radii**2) / DIMENSION) == pytest.approx(0.5, rel=0.02)
    assert np.abs(first.mean(axis=0)).max() < 0.05


@every_space
@pytest.mark.parametrize("length", [2.0**21, 2.0**25])
def test_beyond_the_float32_radius_neighboring_points_are_a_distance_of_1_apart(
    space: Space, length: float
) -> None:
    places = np.zeros((2, DIMENSION), np.float32)
    places[:, : DIMENSION // space.factors] = length  # on the first factor
    places[1, 0] = np.nextafter(places[1, 0], np.float32(np.inf))
    p, q = space.points(places)
    is_beyond = bool(space.radius(p) > space.float32_radius)
    assert is_beyond == (length > 2.0**24) == bool(metric(space)(p, q) >= 1)


@curved_spaces
def test_a_product_is_made_of_its_factors(space: Space) -> None:
    places = np.random.default_rng(5).normal(0, 1, (COUNT, DIMENSION))
    parts = by_factor(places, space.factors)
    each = hyperboloid.distance(*(hyperboloid.from_spatial(part) for part in parts[:2]))
    p, q = space.points(places[:2])
    assert space.distance(p, q) == pytest.approx(np.linalg.norm(each))
    assert space.ball(p).shape == (DIMENSION,)


def test_euclidean_vectors_have_no_place_in_the_poincare_ball() -> None:
    with pytest.raises(GeometryError, match=naming("hyperboloid")):
        SPACES["euclidean"].ball(np.zeros((1, DIMENSION)))


@every_space
def test_a_space_can_be_pickled(space: Space) -> None:
    points = space.points(np.random.default_rng(6).normal(0, 1, (2, DIMENSION)))
    copy = pickle.loads(pickle.dumps(space))
    for name, measure in space.measures.items():
        assert copy.measures[name].similarity(*points) == measure.similarity(*points)


def test_facts_of_the_spaces() -> None:
    curved, product, flat = SPACES.values()
    assert [space.is_curved for space in SPACES.values()] == [True, True, False]
    assert [space.is_single_hyperboloid for space in SPACES.values()] == [True, False, False]
    assert [space.factors for space in SPACES.values()] == [1, 3, 1]
    assert (curved.name, product.name, flat.name) == (HYPERBOLOID, HYPERBOLOID, EUCLIDEAN)
    assert [is_curved(name) for name in GEOMETRIES] == [
        space_named(name).is_curved for name in GEOMETRIES
    ]


def test_an_unknown_geometry_is_refused() -> None:
    with pytest.raises(OptionError, match=naming("`geometry`", "'sphere'", *GEOMETRIES)):
        space_named("sphere")


def test_the_package_has_its_functions_and_no_others() -> None:
    assert dir(geometry) == sorted(geometry.__all__)
    for name in geometry.__all__:
        assert getattr(geometry, name).__doc__, name
    with pytest.raises(AttributeError, match="nothing"):
        geometry.nothing  # noqa: B018
