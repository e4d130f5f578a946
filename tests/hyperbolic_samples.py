"""Labeled points of hyperbolic space, and isometries, for the tests of estimators."""

from typing import NamedTuple

import numpy as np

from hyperskip import geometry as hyperbolic
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.learn.coordinates import from_points


class Sample(NamedTuple):
    points: Floats  # (count, dimension + 1)
    labels: Rows

    def rows(self, coordinates: str = "tangent") -> Floats:
        return from_points(self.points, coordinates)


def clusters(
    count: int = 3, size: int = 30, dimension: int = 4, deviation: float = 0.3, seed: int = 0
) -> Sample:
    """Wrapped normal distributions around centers at a radius of about 2, far from each other."""
    generator = np.random.default_rng(seed)
    base = hyperbolic.base_point(dimension)
    directions = np.linalg.qr(generator.standard_normal((dimension, dimension)))[0][:count]
    centers = hyperbolic.from_spatial(np.sinh(2.0) * directions)
    around = hyperbolic.random_points(generator, (count, size), dimension, deviation)
    moved = [
        hyperbolic.translate(one, base, center) for one, center in zip(around, centers, strict=True)
    ]
    return Sample(np.concatenate(moved), np.repeat(np.arange(count), size))


def tree(depth: int = 6, edge: float = 1.5, level: int = 1) -> Sample:
    """A binary tree in the disc without its root, labeled by the subtrees below a level.

    Each node is reached from its parent by an edge of the same length, at angles of ±60° to the
    direction of its parent's edge.
    """
    base = hyperbolic.base_point(2)
    found: list[Floats] = []
    labels: list[int] = []

    def grow(point: Floats, heading: Floats, path: tuple[int, ...]) -> None:
        if len(path) >= level:
            found.append(point)
            labels.append(int("".join(map(str, path[:level])), base=2))
        if len(path) == depth:
            return
        onward = turn(point, heading)
        for side, angle in enumerate((np.pi / 3, -np.pi / 3)):
            direction = np.cos(angle) * heading + np.sin(angle) * onward
            child = hyperbolic.exponential(point, edge * direction)
            grow(child, hyperbolic.parallel_transport(point, child, direction), (*path, side))

    for label, angle in enumerate((0.0, np.pi)):
        direction = np.array([np.cos(angle), np.sin(angle), 0.0])
        child = hyperbolic.exponential(base, edge * direction)
        heading = hyperbolic.parallel_transport(base, child, direction)
        grow(child, heading, (label,))
    return Sample(np.stack(found), np.array(labels))


def turn(point: Floats, heading: Floats) -> Floats:
    """The unit vector tangent at a point of the plane, at a right angle to the heading."""
    sideways = np.array([-heading[1], heading[0], 0.0])
    sideways = hyperbolic.project_to_tangent(point, sideways)
    sideways = sideways + -hyperbolic.minkowski_dot(sideways, heading) * heading
    unit: Floats = sideways / hyperbolic.norm(sideways, at=point)
    return unit


def rotated(points: Floats, seed: int = 1) -> Floats:
    dimension = points.shape[1] - 1
    turned = np.linalg.qr(np.random.default_rng(seed).standard_normal((dimension, dimension)))[0]
    return hyperbolic.from_spatial(points[:, :-1] @ turned)


def translated(points: Floats, distance: float = 1.5) -> Floats:
    dimension = points.shape[1] - 1
    direction = np.ones(dimension) / np.sqrt(dimension)
    end = hyperbolic.from_spatial(np.sinh(distance) * direction)
    return hyperbolic.translate(points, hyperbolic.base_point(dimension), end)
