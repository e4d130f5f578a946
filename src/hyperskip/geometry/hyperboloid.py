"""The hyperboloid model of hyperbolic space, in float64 and with the time coordinate last.

Points are arrays (..., dimension + 1); leading axes broadcast, and without leading axes the result
is a scalar. Spatial coordinates are taken as exact, and time is derived from them, so rounding
cannot leave the sheet. In the error bounds, u = 1.1e-16 and r is the largest distance of a point
from the base point; storing a point alone moves it by up to u·e^r. All results are finite for r and
d below 170.
"""

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry.arrays import Floats


def base_point(dimension: int) -> Floats:
    """The base point (0, …, 0, 1), exactly.

    Raises:
        OptionError: `dimension` is below 1.
    """
    if dimension < 1:
        raise OptionError(
            f"`dimension` must be a whole number of at least 1, got {dimension}",
            hint="`dimension`: dimension of the hyperbolic space",
        )
    return from_spatial(np.zeros(dimension))


def from_spatial(x: npt.ArrayLike) -> Floats:
    """The point (x, √(1 + |x|²)) above the spatial coordinates x.

    The time is correct to a few units in the last place, near 0 and far out.
    """
    x = _float64(x)
    time = np.hypot(1.0, np.linalg.norm(x, axis=-1, keepdims=True))
    return np.concatenate([x, time], axis=-1)


def minkowski_dot(u: npt.ArrayLike, v: npt.ArrayLike) -> Floats:
    """Minkowski product ⟨u, v⟩ = Σ uᵢvᵢ - uₙvₙ of any two vectors (paper eq. minkowski_dot).

    Error near 0: u. Far out the two terms cancel and leave an error of u·|u||v|, up to u·e^2r for
    points. Use `distance` between points, and pass the point to `norm` for lengths.
    """
    u, v = _float64(u), _float64(v)
    return _dot(u[..., :-1], v[..., :-1]) - u[..., -1] * v[..., -1]


def distance(p: npt.ArrayLike, q: npt.ArrayLike) -> Floats:
    """Hyperbolic distance arccosh(-⟨p, q⟩) of points on the sheet (paper eq. hyperbolic_dist).

    Computed as 2 arcsinh √((-⟨p, q⟩ - 1)/2), exactly symmetric. Relative error, given the spatial
    coordinates: a few u near 0, also for close points. Far out: u·e^r, where r is that of the point
    nearer to the base point; below 1e-10 at 15.
    """
    return 2.0 * np.arcsinh(np.sqrt(_excess(_float64(p), _float64(q)) / 2.0))


def norm(v: npt.ArrayLike, at: npt.ArrayLike | None = None) -> Floats:
    """Length √⟨v, v⟩ of tangent vectors, clipped at 0; `at` is the point they are tangent to.

    Relative error near 0: a few u. Far out: up to u·e^2r without `at`; u·e^r with it, since the
    time of v is then derived from the point.
    """
    if at is None:
        return np.sqrt(np.maximum(minkowski_dot(v, v), 0.0))
    v, p = _float64(v), _float64(at)
    # v's time is ⟨x, v⟩/time, so ⟨v, v⟩ is |v across x|² + |v along x|²/time²: no cancellation.
    share, across = _split(v[..., :-1], p[..., :-1])
    along = share * p[..., :-1] / p[..., -1:]
    length: Floats = np.hypot(np.linalg.norm(across, axis=-1), np.linalg.norm(along, axis=-1))
    return length


def project_to_tangent(p: npt.ArrayLike, v: npt.ArrayLike) -> Floats:
    """Orthogonal projection v + ⟨p, v⟩p of ambient vectors to the tangent space at p.

    Error near 0: a few u·|v|. Far out: u·e^2r·|v|, from ⟨p, v⟩. The result is tangent up to
    rounding.
    """
    p, v = _float64(p), _float64(v)
    return _tangent(p, v[..., :-1] + minkowski_dot(p, v)[..., None] * p[..., :-1])


def exponential(p: npt.ArrayLike, v: npt.ArrayLike) -> Floats:
    """Exponential map cosh(s)p + sinh(s)/s·v, s = ‖v‖, of vectors tangent at p (eq. geodesic).

    The time of v is not read. The result is on the sheet, and is p itself for v = 0. Error near 0:
    a few u. Far out: a displacement of up to u·e^(r+s), as from the rounding of v alone.
    """
    p, v = _float64(p), _float64(v)
    length = norm(v, at=p)[..., None]
    stretch = _ratio(np.sinh(length), length, at_zero=1.0)
    return from_spatial(np.cosh(length) * p[..., :-1] + stretch * v[..., :-1])


def logarithm(p: npt.ArrayLike, q: npt.ArrayLike) -> Floats:
    """Inverse of the exponential map: d/sinh(d)·(q - cosh(d)p), the tangent vector from p to q.

    Relative error near 0: a few u, also for close points. Far out: u·e^r in length and direction,
    so its exponential map is within u·e^(r+d) of q.
    """
    p, q = _float64(p), _float64(q)
    excess = _excess(p, q)[..., None]
    sinh = np.sqrt(excess * (excess + 2.0))
    shrink = _ratio(np.arcsinh(sinh), sinh, at_zero=1.0)
    return _tangent(p, shrink * (q[..., :-1] - p[..., :-1] - excess * p[..., :-1]))


def parallel_transport(p: npt.ArrayLike, q: npt.ArrayLike, w: npt.ArrayLike) -> Floats:
    """Transport of the vectors w, tangent at p, along the geodesic to q (eq. parallel_transport).

    It equals w + ⟨q, w⟩/(1 - ⟨p, q⟩)·(p + q). The time of w is not read, and the result is tangent
    at q up to rounding. Relative error near 0: a few u, also for q = p. Far out: u·e^r.
    """
    p, q, w = _float64(p), _float64(q), _float64(w)
    # The paper's formula divides by d, which is 0 at q = p. The formula above does not, but its
    # ⟨q, w⟩ has an error of u·e^2r. Instead, transport w in three steps: along the ray to the base
    # point, which divides the radial part by the time; a rotation by the area of the triangle of
    # base point, p and q; and along the other ray out to q.
    x, y, p_time, q_time = p[..., :-1], q[..., :-1], p[..., -1:], q[..., -1:]
    w = _scale_along(x, w[..., :-1], 1.0 / p_time)
    excess = _excess(p, q)[..., None]
    once = _turn(y, x, w)
    turned = (2.0 + p_time + q_time + excess) * once + _turn(y, x, once)
    w = w + turned / ((1.0 + p_time) * (1.0 + q_time) * (2.0 + excess))
    return _tangent(q, _scale_along(y, w, q_time))


def geodesic(p: npt.ArrayLike, q: npt.ArrayLike, t: npt.ArrayLike) -> Floats:
    """Points (sinh((1-t)d)p + sinh(td)q)/sinh(d): p at t = 0, q at t = 1, at constant speed.

    `t` broadcasts against the leading axes of the points. Error on the segment: a few u near 0, a
    displacement of a few u·e^r far out. Beyond the ends: u·e^(r+|t|d), with r of p, q and the
    result.
    """
    p, q, t = _float64(p), _float64(q), _float64(t)
    d = distance(p, q)
    from_p, from_q = (_ratio(np.sinh(s * d), np.sinh(d), at_zero=s)[..., None] for s in (1 - t, t))
    return from_spatial(from_p * p[..., :-1] + from_q * q[..., :-1])


def centroid(points: npt.ArrayLike, weights: npt.ArrayLike | None = None, axis: int = -2) -> Floats:
    """Lorentzian centroid c/√-⟨c, c⟩ of the points along `axis`, where c is their weighted sum.

    It minimizes the weighted sum of cosh(distance). `weights` are 0 or more, and equal by default.
    They broadcast against the leading axes of the points after `axis` has been moved to the end of
    these. Error near 0: a few u. Far out: a displacement of u·e^r.

    Raises:
        GeometryError: There is no point, a weight is negative, or all weights are 0.
    """
    points = np.moveaxis(_float64(points), axis, -2)
    x, time = points[..., :-1], points[..., -1]
    weights = np.ones_like(time) * (1.0 if weights is None else _float64(weights))
    if not (np.all(weights >= 0) and np.all(np.any(weights > 0, axis=-1))):
        raise GeometryError(
            f"{points.shape[-2]} points with weights {weights} have no centroid",
            hint="a centroid needs at least one point, and weights of 0 or more that are not all 0",
        )
    total = np.sum(weights[..., None] * x, axis=-2)
    # -⟨c, c⟩ = time² - space² would cancel far out. It equals (time + space)(time - space), where
    # the second factor is the sum of timeᵢ - ⟨xᵢ, ĉ⟩ = (1 + |xᵢ across c|²)/(timeᵢ + ⟨xᵢ, ĉ⟩).
    share, across = _split(x, total[..., None, :])
    along = share[..., 0] * np.linalg.norm(total, axis=-1, keepdims=True)
    gap = np.where(along > 0, (1.0 + _dot(across, across)) / (time + np.abs(along)), time - along)
    squared = np.sum(weights * gap, axis=-1) * np.sum(weights * (time + along), axis=-1)
    return from_spatial(total / np.sqrt(squared)[..., None])


def centroid_of_mean(mean: npt.ArrayLike) -> Floats:
    """Lorentzian centroid of points whose weighted arithmetic mean is c: c/√-⟨c, c⟩.

    It needs no pass over the points. Error near 0: a few u. Far out: a displacement of u·e^2r,
    which is more than that of `centroid`; it may be NaN from r = 17.
    """
    mean = _float64(mean)
    x, time = mean[..., :-1], mean[..., -1]
    length = np.linalg.norm(x, axis=-1)
    return from_spatial(x / np.sqrt((time + length) * (time - length))[..., None])


def reflect(p: npt.ArrayLike, through: npt.ArrayLike) -> Floats:
    """Point reflection 2 cosh(d)·through - p: the isometry that reverses geodesics through a point.

    Error near 0: a few u. Far out: a displacement of u·e^(r+d), where r is that of `through`.
    """
    p, through = _float64(p), _float64(through)
    cosh = 1.0 + _excess(p, through)[..., None]
    return from_spatial(2.0 * cosh * through[..., :-1] - p[..., :-1])


def translate(p: npt.ArrayLike, start: npt.ArrayLike, end: npt.ArrayLike) -> Floats:
    """Translation of points along the geodesic from `start` to `end`; it moves `start` to `end`.

    It is an isometry: the reflection through `start`, then through the midpoint of both. Error near
    0: a few u. Far out: a displacement of u·e^r.
    """
    return reflect(reflect(p, start), geodesic(start, end, 0.5))


def translate_to_base(p: npt.ArrayLike, start: npt.ArrayLike) -> Floats:
    """Translation of points that moves `start` to the base point: x + (⟨x, s⟩/(1 + sₙ) - pₙ)s.

    x and s are the spatial coordinates of p and `start`. It is several times faster than
    `translate`. Error near 0: a few u. Far out: a displacement of u·e^(r+s), where s is the
    distance of `start` from the base point.
    """
    p, start = _float64(p), _float64(start)
    x, s = p[..., :-1], start[..., :-1]
    along = _dot(x, s)[..., None]
    return from_spatial(x + (along / (1.0 + start[..., -1:]) - p[..., -1:]) * s)


def random_points(
    generator: np.random.Generator, shape: int | tuple[int, ...], dimension: int, deviation: float
) -> Floats:
    """Random points (*shape, dimension + 1) around the base point, the paper's first positions.

    They are the exponential map of tangent vectors with independent N(0, deviation²) coordinates at
    the base point; exact to a few u.

    Raises:
        OptionError: `dimension` is below 1, or `deviation` is negative or NaN.
    """
    base = base_point(dimension)
    if not deviation >= 0:
        raise OptionError(
            f"`deviation` must be a number of at least 0, got {deviation}",
            hint="`deviation`: standard deviation of each coordinate",
        )
    shape = shape if isinstance(shape, tuple) else (shape,)
    spatial = deviation * generator.standard_normal((*shape, dimension))
    return exponential(base, _tangent(base, spatial))


def _float64(values: npt.ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _dot(x: Floats, y: Floats) -> Floats:
    product: Floats = np.vecdot(x, y)
    return product


def _ratio(numerator: Floats, denominator: Floats, at_zero: npt.ArrayLike) -> Floats:
    """The quotient, or its limit `at_zero` if the denominator is 0 or has underflowed."""
    zero = np.abs(denominator) < np.finfo(np.float64).tiny
    quotient: Floats = np.where(zero, at_zero, numerator / np.where(zero, 1.0, denominator))
    return quotient


def _split(v: Floats, axis: Floats) -> tuple[Floats, Floats]:
    """Orthogonal parts of v = share·axis + across; the share (..., 1) is 0 if the axis is 0."""
    share = _ratio(_dot(v, axis), _dot(axis, axis), at_zero=0.0)[..., None]
    return share, v - share * axis


def _scale_along(axis: Floats, v: Floats, factor: Floats) -> Floats:
    """The vector v with its part along `axis` multiplied by `factor`."""
    share, across = _split(v, axis)
    # A rounding error along the axis would be large next to a small factor.
    _, across = _split(across, axis)
    return across + factor * share * axis


def _turn(x: Floats, y: Floats, v: Floats) -> Floats:
    """The infinitesimal rotation ⟨x, v⟩y - ⟨y, v⟩x from x to y."""
    step = y - x  # keeps the digits that would cancel in the two products if x is close to y
    return _dot(x, v)[..., None] * step - _dot(step, v)[..., None] * x


def _tangent(p: Floats, spatial: Floats) -> Floats:
    """The tangent vector at p with these spatial coordinates; its time is ⟨x, spatial⟩/time."""
    time = _dot(p[..., :-1], spatial) / p[..., -1]
    return np.concatenate([spatial, time[..., None]], axis=-1)


def _excess(p: Floats, q: Floats) -> Floats:
    """-⟨p, q⟩ - 1 = cosh(d) - 1 without cancellation, from the spatial coordinates x and y.

    If ⟨x, y⟩ > 0, it is (|x - y|² + |x ∧ y|²)/(1 + pₙqₙ + ⟨x, y⟩), where |x ∧ y| is |x| times the
    part of x - y across x, or the same with y: close points give a small difference instead of a
    difference of large products. Otherwise it is (pₙqₙ - 1) - ⟨x, y⟩, two terms of 0 or more. Time
    is only a factor, so an error in it, as in points read from float32, is not amplified.
    """
    x, y, p_time, q_time = p[..., :-1], q[..., :-1], p[..., -1:], q[..., -1:]
    difference = x - y
    # The shorter axis has the smaller error; the mean keeps a tie symmetric.
    axis = np.where(p_time < q_time, x, np.where(p_time > q_time, y, (x + y) / 2.0))
    _, across = _split(difference, axis)
    wedge_squared = _dot(axis, axis) * _dot(across, across)
    product, times = _dot(x, y), (p_time * q_time)[..., 0]
    x_squared, y_squared = _dot(x, x), _dot(y, y)
    times_less_one = (x_squared + y_squared + x_squared * y_squared) / (1.0 + times)
    # |product| equals product if the first form is used, and otherwise avoids 0/0.
    aligned = (_dot(difference, difference) + wedge_squared) / (1.0 + times + np.abs(product))
    excess: Floats = np.where(product > 0, aligned, times_less_one - product)
    return excess
