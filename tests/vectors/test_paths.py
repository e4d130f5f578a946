"""Geodesics between two points, in every space."""

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors
from hyperskip.errors import OptionError
from hyperskip.geometry.spaces import space_named

SPACES = {
    "hyperboloid": ("hyperboloid", 1, 6),
    "product": ("hyperboloid", 3, 6),
    "euclidean": ("euclidean", 1, 6),
}


@pytest.mark.parametrize("name", SPACES)
def test_a_path_has_constant_speed_and_stays_in_space(name: str) -> None:
    geometry, factors, dimension = SPACES[name]
    space = space_named(geometry, factors)
    p, q = space.points(np.random.default_rng(3).normal(0, 1, (2, dimension)).astype(np.float32))
    path = space.geodesic(p, q, np.linspace(0, 1, 9))
    np.testing.assert_allclose(path[[0, -1]], [p, q], rtol=1e-12)
    assert all(space.contains(point) for point in path)
    if geometry == "euclidean":
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
        whole = float(np.linalg.norm(q - p))
    else:
        steps, whole = space.distance(path[:-1], path[1:]), float(space.distance(p, q))
    np.testing.assert_allclose(steps, whole / 8, rtol=1e-9)
    # The geodesic in the other direction is the same.
    np.testing.assert_allclose(space.geodesic(q, p, np.linspace(1, 0, 9)), path, rtol=1e-9)


@pytest.mark.parametrize("name", SPACES)
def test_a_path_to_the_same_point(name: str) -> None:
    geometry, factors, dimension = SPACES[name]
    space = space_named(geometry, factors)
    point = space.points(np.ones(dimension, dtype=np.float32))
    path = space.geodesic(point, point, np.linspace(0, 1, 4))
    np.testing.assert_allclose(path, np.tile(point, (4, 1)), rtol=1e-12)


def test_a_path_of_words(trained: WordVectors) -> None:
    path = trained.path("dog", "cat", 5)
    assert path.shape == (5, 21)
    assert trained.neighbors(path[0], 1)[0].word == "dog"
    assert trained.neighbors(path[-1], 1)[0].word == "cat"
    halves = trained.distance(path[2], "dog"), trained.distance(path[2], "cat")
    assert halves[0] == pytest.approx(halves[1])
    with pytest.raises(OptionError, match=naming("count", 1, 2)):
        trained.path("dog", "cat", 1)
