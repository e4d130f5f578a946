"""Charts of hyperbolic space: the Poincaré ball, the Klein ball and the upper half-space.

Each converts to and from the hyperboloid, (..., dimension) to (..., dimension + 1). In the error
bounds, u = 1.1e-16 and r is the distance from the base point; displacements are hyperbolic
distances. Storing a point of the hyperboloid alone displaces it by u·e^r.
"""

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError
from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.hyperboloid import from_spatial


def to_ball(p: npt.ArrayLike) -> Floats:
    """Poincaré ball coordinates x/(1 + time) of points on the sheet; |ball| = tanh(r/2).

    Relative error near 0: a few u. Far out: 1 - |ball| is 2e^-r, so the stored coordinates are
    displaced by u·e^r (6e-10 at 15). From r = 36 on they round to the rim and are lost.
    """
    p = np.asarray(p, dtype=np.float64)
    return p[..., :-1] / (1.0 + p[..., -1:])


def from_ball(ball: npt.ArrayLike) -> Floats:
    """Hyperboloid points 2·ball/(1 - |ball|²) of Poincaré ball coordinates with |ball| < 1.

    Relative error near 0: a few u. Far out: a displacement of u·e^r.

    Raises:
        GeometryError: A norm is 1 or more, or NaN.
    """
    ball = np.asarray(ball, dtype=np.float64)
    return from_spatial(2.0 * ball / _room_to_rim("Poincaré", ball))


def to_klein(p: npt.ArrayLike) -> Floats:
    """Klein ball coordinates x/time of points on the sheet; |klein| = tanh(r).

    Relative error near 0: a few u. Far out: 1 - |klein| is 2e^-2r, so the stored coordinates are
    displaced by u·e^2r (1e-9 at 8, 1e-3 at 15). From r = 18 on they round to the rim.
    """
    p = np.asarray(p, dtype=np.float64)
    klein: Floats = p[..., :-1] / p[..., -1:]
    return klein


def from_klein(klein: npt.ArrayLike) -> Floats:
    """Hyperboloid points klein/√(1 - |klein|²) of Klein ball coordinates with |klein| < 1.

    Relative error near 0: a few u. Far out: a displacement of u·e^2r.

    Raises:
        GeometryError: A norm is 1 or more, or NaN.
    """
    klein = np.asarray(klein, dtype=np.float64)
    return from_spatial(klein / np.sqrt(_room_to_rim("Klein", klein)))


def to_tangent(p: npt.ArrayLike) -> Floats:
    """Logarithm at the base point, arcsinh|x|/|x|·x, without its time of 0.

    Relative error near 0 and far out: a few u, given the spatial coordinates x.
    """
    x = np.asarray(p, dtype=np.float64)[..., :-1]
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shrink = np.where(length < np.finfo(np.float64).tiny, 1.0, np.arcsinh(length) / length)
    return shrink * x


def to_half_space(p: npt.ArrayLike) -> Floats:
    """Half-space coordinates (x₁h, …, xₙ₋₁h, h), height h = 1/(time - xₙ), of points on the sheet.

    The base point is (0, …, 0, 1). Absolute error near 0: u, since h is 1 + xₙ there. Far out: a
    displacement of u·e^r; no point is lost, since there is no rim to round to.
    """
    p = np.asarray(p, dtype=np.float64)
    flat, last, time = p[..., :-2], p[..., -2:-1], p[..., -1:]
    # (time - xₙ)(time + xₙ) = 1 + |flat|², and one of the two factors has no cancellation.
    larger = time + np.abs(last)
    smaller = (1.0 + np.sum(flat * flat, axis=-1, keepdims=True)) / larger
    height = 1.0 / np.where(last > 0, smaller, larger)
    return np.concatenate([flat * height, height], axis=-1)


def from_half_space(half_space: npt.ArrayLike) -> Floats:
    """Hyperboloid points (z/h, (h² + |z|² - 1)/2h) of half-space coordinates (z, h) with h > 0.

    Absolute error near 0: u. Far out: a displacement of u·e^r.

    Raises:
        GeometryError: A height is 0 or less, or NaN.
    """
    half_space = np.asarray(half_space, dtype=np.float64)
    flat, height = half_space[..., :-1], half_space[..., -1:]
    outside = ~(height > 0)
    if outside.any():
        raise GeometryError(
            f"a point of the half-space has height {height[outside][0]}",
            hint="the last coordinate is the height and must be greater than 0",
        )
    squared = np.sum(flat * flat, axis=-1, keepdims=True)
    last = ((height - 1.0) * (height + 1.0) + squared) / (2.0 * height)
    return from_spatial(np.concatenate([flat / height, last], axis=-1))


def _room_to_rim(chart: str, coordinates: Floats) -> Floats:
    """1 - |coordinates|² (..., 1), which must be greater than 0."""
    length = np.linalg.norm(coordinates, axis=-1, keepdims=True)
    outside = ~(length < 1)
    if outside.any():
        raise GeometryError(
            f"a point of the {chart} ball has norm {length[outside][0]}",
            hint="norms must be less than 1: the rim is infinitely far away",
        )
    room: Floats = (1.0 - length) * (1.0 + length)
    return room
