"""The layout of the lens: laws, degenerate input, and the twin of its kernel."""

import numpy as np
import pytest

from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.projection.lens import lens_of, nearest_of, share_kept
from hyperskip.projection.lens_kernels import SweepRule, sweep
from hyperskip.projection.lens_reference import swept


def apart(words: int, dimension: int = 8, seed: int = 3) -> Floats:
    """Distances of random points of a hyperbolic space."""
    rng = np.random.default_rng(seed)
    points = hyperboloid.from_spatial(0.4 * rng.normal(size=(words, dimension)))
    distances = hyperboloid.distance(points[:, None], points)
    np.fill_diagonal(distances, 0.0)
    return np.asarray(distances)


def on_disc(places: Floats) -> Floats:
    return np.asarray(2.0 * np.arctanh(np.linalg.norm(places, axis=1)))


@pytest.mark.parametrize("words", [3, 11, 12, 60])
def test_radii_follow_the_scale_and_keep_the_order(words: int) -> None:
    distances = apart(words)
    lens = lens_of(distances)
    assert lens.places[0].tolist() == [0.0, 0.0]
    radii = on_disc(lens.places)
    scale = lens.scale
    share = (distances[0, 1:] - scale.nearest) / (scale.farthest - scale.nearest)
    expected = scale.inner + share * (scale.outer - scale.inner)
    assert radii[1:] == pytest.approx(expected)
    assert np.argsort(radii).tolist() == np.argsort(distances[0]).tolist()
    assert (scale.nearest, scale.farthest) == (distances[0, 1:].min(), distances[0].max())


def test_the_same_words_have_the_same_lens() -> None:
    assert np.array_equal(lens_of(apart(40)).places, lens_of(apart(40)).places)


def test_neighbors_are_kept_in_the_plane_and_more_often_than_by_chance() -> None:
    assert lens_of(apart(80, dimension=2)).kept > 0.55
    assert lens_of(apart(80, dimension=20)).kept > 2 * 10 / 80
    assert lens_of(apart(11)).kept == 1.0  # each of eleven words has the ten others


def test_words_around_the_word_have_no_empty_half() -> None:
    places = lens_of(apart(80)).places[1:]
    for angle in np.linspace(0, np.pi, 8):
        side = places @ [np.cos(angle), np.sin(angle)] > 0
        assert 10 <= side.sum() <= 70


@pytest.mark.parametrize("mirrored", [1.0, -1.0])
def test_the_lens_is_turned_to_the_directions_on_the_map(mirrored: float) -> None:
    distances = apart(30)
    lens = lens_of(distances)
    turn = np.exp(2.2j)
    places = (lens.places[:, 0] + 1j * mirrored * lens.places[:, 1]) * turn
    on_map = np.column_stack((places.real, places.imag))
    turned = lens_of(distances, on_map)
    assert turned.places == pytest.approx(on_map)
    assert turned.kept == lens.kept


@pytest.mark.parametrize("words", [1, 2, 3, 15])
def test_equal_words_are_on_one_ring(words: int) -> None:
    lens = lens_of(np.zeros((words, words)), np.zeros((words, 2)))
    assert lens.places.shape == (words, 2)
    assert np.isfinite(lens.places).all()
    assert on_disc(lens.places)[1:] == pytest.approx(lens.scale.outer)
    assert 0.0 <= lens.kept <= 1.0


def test_a_few_words_and_duplicates() -> None:
    assert lens_of(np.zeros((1, 1))).places.tolist() == [[0.0, 0.0]]
    two = lens_of(np.array([[0.0, 2.0], [2.0, 0.0]]))
    assert on_disc(two.places) == pytest.approx([0.0, two.scale.outer])
    twins = np.repeat(np.repeat(apart(10), 2, axis=0), 2, axis=1)
    lens = lens_of(twins)
    radii = on_disc(lens.places)
    assert radii[0] == 0.0
    assert radii[1] == pytest.approx(lens.scale.inner)  # the twin of the word in the middle
    assert radii[2::2] == pytest.approx(radii[3::2])


def test_the_share_of_kept_neighbors() -> None:
    places = np.array([[0.0, 0.0], [0.1, 0.0], [0.5, 0.0], [0.55, 0.0]])
    near = np.array([[0, 1, 9, 9], [1, 0, 9, 9], [9, 9, 0, 1], [9, 9, 1, 0]], dtype=float)
    assert share_kept(places, nearest_of(near, 1)) == 1.0
    far = np.array([[0, 9, 9, 1], [9, 0, 1, 9], [9, 1, 0, 9], [1, 9, 9, 0]], dtype=float)
    assert share_kept(places, nearest_of(far, 1)) == 0.0


@pytest.mark.parametrize("kept_weight", [0.0, 0.05, 1.0])
@pytest.mark.parametrize(("words", "stride", "offset"), [(5, 1, 0), (13, 2, 1), (18, 4, 3)])
def test_the_kernel_agrees_with_its_twin(
    words: int, stride: int, offset: int, kept_weight: float
) -> None:
    rng = np.random.default_rng(words)
    radii = np.concatenate(([0.0], rng.uniform(0.5, 3.0, words - 1)))
    given = np.sinh((radii[:, None] - radii) / 2.0) ** 2
    around = np.outer(np.sinh(radii), np.sinh(radii))
    sines = np.sin(np.arange(32) * np.pi / 32) ** 2
    nearest = nearest_of(apart(words), min(6, words - 1))
    pulls = (nearest.astype(float) + nearest.T) / (2.0 * nearest.sum())
    directions = rng.integers(0, 32, words)
    rule = SweepRule(4.0, 2.0, kept_weight, stride, offset)
    arguments = given, around, sines, pulls, nearest
    for _ in range(3):
        expected = swept(*arguments, directions, rule)
        moved = sweep(*arguments, directions, rule)
        assert directions.tolist() == expected.tolist()
        assert moved <= words - 1
