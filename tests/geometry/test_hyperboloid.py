"""Laws of the hyperboloid, by hypothesis and against 100-digit arithmetic.

Tolerances are the bounds that the docstrings state, with u·e^r for "storing a point moves it".
"""

from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
import pytest
from facts import naming
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import geometry as hyperbolic
from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats

ROUNDING = 2.0**-53

law = settings(max_examples=80)
against_exact = settings(max_examples=60)
dimensions = st.sampled_from([1, 2, 3, 20])


def lengths(largest: float) -> st.SearchStrategy[float]:
    """0, or 1e-8 to `largest`, evenly and evenly in the logarithm."""
    by_logarithm = st.floats(-8, np.log10(largest)).map(lambda power: float(10.0**power))
    return st.one_of(st.just(0.0), by_logarithm, st.floats(1e-8, largest))


@st.composite
def directions(draw: st.DrawFn, dimension: int) -> Floats:
    direction = draw(arrays(np.float64, dimension, elements=st.floats(-1, 1)))
    direction[np.abs(direction) < 1e-9] = 0.0  # squares are not to underflow
    assume(np.linalg.norm(direction) > 0.01)
    unit: Floats = direction / np.linalg.norm(direction)
    return unit


@st.composite
def points(draw: st.DrawFn, dimension: int, largest_radius: float = 15.0) -> Floats:
    return hyperbolic.from_spatial(
        np.sinh(draw(lengths(largest_radius))) * draw(directions(dimension))
    )


@st.composite
def tangents(draw: st.DrawFn, p: Floats, largest: float) -> tuple[float, Floats]:
    """A length and a vector at p of that length: a base point's vector, moved out along the ray."""
    length = draw(lengths(largest))
    v = length * draw(directions(len(p) - 1))
    product = p[:-1] @ v
    return length, np.append(v + product / (1 + p[-1]) * p[:-1], product)


@st.composite
def pairs(draw: st.DrawFn, largest_radius: float = 15.0) -> tuple[Floats, Floats]:
    """Two points, either independent or at a distance of 1e-8 to 1."""
    dimension = draw(dimensions)
    p = draw(points(dimension, largest_radius))
    if draw(st.booleans()):
        return p, draw(points(dimension, largest_radius))
    q = hyperbolic.exponential(p, draw(tangents(p, 1.0))[1])
    assume(radius(q) <= largest_radius)
    return p, q


@st.composite
def triples(draw: st.DrawFn, largest_radius: float = 15.0) -> tuple[Floats, Floats, Floats]:
    dimension = draw(dimensions)
    p, q, r = (draw(points(dimension, largest_radius)) for _ in range(3))
    return p, q, r


def radius(p: Floats) -> float:
    return float(np.arcsinh(np.linalg.norm(p[..., :-1])))


def rounding(*radii: float) -> float:
    """What storing a point moves it by, with a factor for the arithmetic."""
    return 8 * ROUNDING * float(np.exp(sum(radii)))


class Exact:
    """The textbook formulas in 100 digits, on the spatial coordinates as they are stored."""

    def __init__(self, spatial: Sequence[Any]) -> None:
        self.x = [mpmath.mpf(float(x)) if isinstance(x, float) else x for x in spatial]
        self.time = mpmath.sqrt(1 + sum(x * x for x in self.x))

    @classmethod
    def of(cls, p: Floats) -> "Exact":
        return cls([float(x) for x in p[:-1]])

    def distance(self, other: "Exact") -> Any:
        if self.x == other.x:
            return mpmath.mpf(0)
        product = sum(a * b for a, b in zip(self.x, other.x, strict=True))
        return mpmath.acosh(max(self.time * other.time - product, 1))

    def product(self, v: Sequence[Any], w: Sequence[Any]) -> Any:
        """Minkowski product of two vectors tangent here, from their spatial coordinates."""
        v_time = sum(a * b for a, b in zip(self.x, v, strict=True)) / self.time
        w_time = sum(a * b for a, b in zip(self.x, w, strict=True)) / self.time
        return sum(a * b for a, b in zip(v, w, strict=True)) - v_time * w_time

    def length(self, v: Sequence[Any]) -> Any:
        return mpmath.sqrt(self.product(v, v))

    def exponential(self, v: Sequence[Any]) -> "Exact":
        s = self.length(v)
        stretch = mpmath.sinh(s) / s if s else mpmath.mpf(1)
        return Exact([mpmath.cosh(s) * x + stretch * a for x, a in zip(self.x, v, strict=True)])

    def logarithm(self, other: "Exact") -> list[Any]:
        d = self.distance(other)
        shrink = d / mpmath.sinh(d) if d else mpmath.mpf(0)
        cosh = mpmath.cosh(d)
        return [shrink * (y - cosh * x) for x, y in zip(self.x, other.x, strict=True)]

    def transport(self, other: "Exact", w: Sequence[Any]) -> list[Any]:
        """The paper's formula, spatial coordinates only; not for other = self."""
        d = self.distance(other)
        unit = [v / d for v in self.logarithm(other)]
        along = self.product(w, unit)
        sinh, cosh = mpmath.sinh(d), mpmath.cosh(d)
        return [
            a + along * (sinh * x + (cosh - 1) * e) for a, x, e in zip(w, self.x, unit, strict=True)
        ]


@pytest.fixture(autouse=True)
def _a_hundred_digits() -> Any:
    with mpmath.workdps(100):
        yield


def exact_vector(v: Floats) -> list[Any]:
    return [mpmath.mpf(float(x)) for x in v[:-1]]


class TestAgainstExactArithmetic:
    @against_exact
    @given(pairs())
    def test_distance(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        expected = Exact.of(p).distance(Exact.of(q))
        assert abs(hyperbolic.distance(p, q) - expected) <= 1e-10 * expected

    @pytest.mark.parametrize("dimension", [2, 5, 100])
    def test_distance_of_far_points_near_one_ray(self, dimension: int) -> None:
        # Here the textbook formula, and |Δx|² - Δt² as well, have no right digit.
        generator = np.random.default_rng(dimension)
        for gap in 10.0 ** generator.uniform(-8, 1, size=60):
            direction, aside = generator.standard_normal((2, dimension))
            direction /= np.linalg.norm(direction)
            p = hyperbolic.from_spatial(np.sinh(15.0) * direction)
            shift = gap * 10.0 ** generator.uniform(-3, 1) * aside
            q = hyperbolic.from_spatial(np.sinh(15.0 - gap) * direction + shift)
            expected = Exact.of(p).distance(Exact.of(q))
            assert abs(hyperbolic.distance(p, q) - expected) <= 1e-10 * expected

    def test_distance_does_not_amplify_the_error_of_a_float32_time(self) -> None:
        generator = np.random.default_rng(0)
        p = hyperbolic.random_points(generator, 50, 5, 3.0)
        q = hyperbolic.exponential(p, 1e-3 * generator.standard_normal(p.shape))
        p, q = p.astype(np.float32).astype(np.float64), q.astype(np.float32).astype(np.float64)
        for stored_p, stored_q in zip(p, q, strict=True):
            expected = Exact.of(stored_p).distance(Exact.of(stored_q))
            assert abs(hyperbolic.distance(stored_p, stored_q) - expected) <= 1e-7 * expected

    @against_exact
    @given(st.data())
    def test_exponential(self, data: st.DataObject) -> None:
        p = data.draw(points(data.draw(dimensions)))
        length, v = data.draw(tangents(p, 15.0))
        exact = Exact.of(p).exponential(exact_vector(v))
        displacement = Exact.of(hyperbolic.exponential(p, v)).distance(exact)
        assert displacement <= rounding(radius(p), length)

    @against_exact
    @given(st.data())
    def test_norm_at_a_point(self, data: st.DataObject) -> None:
        p = data.draw(points(data.draw(dimensions)))
        _, v = data.draw(tangents(p, 15.0))
        expected = Exact.of(p).length(exact_vector(v))
        assert abs(hyperbolic.norm(v, at=p) - expected) <= 1e-9 * expected

    @against_exact
    @given(pairs())
    def test_logarithm(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        exact_p = Exact.of(p)
        exact = exact_p.logarithm(Exact.of(q))
        computed = exact_vector(hyperbolic.logarithm(p, q))
        error = [a - b for a, b in zip(computed, exact, strict=True)]
        assert exact_p.length(error) <= 1e-9 * exact_p.length(exact)

    @against_exact
    @given(st.data())
    def test_parallel_transport(self, data: st.DataObject) -> None:
        p, q = data.draw(pairs())
        assume(np.any(p != q))
        length, w = data.draw(tangents(p, 15.0))
        exact_q = Exact.of(q)
        exact = Exact.of(p).transport(exact_q, exact_vector(w))
        computed = exact_vector(hyperbolic.parallel_transport(p, q, w))
        error = [a - b for a, b in zip(computed, exact, strict=True)]
        assert exact_q.length(error) <= 1e-9 * length

    @against_exact
    @given(triples(), arrays(np.float64, 3, elements=st.floats(0.01, 10)))
    def test_centroid(self, triple: tuple[Floats, Floats, Floats], weights: Floats) -> None:
        exact = [Exact.of(p) for p in triple]
        exact_weights = [mpmath.mpf(float(weight)) for weight in weights]
        total = [
            sum(w * p.x[i] for w, p in zip(exact_weights, exact, strict=True))
            for i in range(len(exact[0].x))
        ]
        time = sum(w * p.time for w, p in zip(exact_weights, exact, strict=True))
        scale = mpmath.sqrt(time**2 - sum(x * x for x in total))
        centroid = hyperbolic.centroid(np.stack(triple), weights)
        displacement = Exact.of(centroid).distance(Exact([x / scale for x in total]))
        assert displacement <= rounding(max(radius(p) for p in triple))


class TestDistance:
    @law
    @given(pairs())
    def test_is_exactly_symmetric(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        assert hyperbolic.distance(p, q) == hyperbolic.distance(q, p)

    def test_is_exactly_symmetric_at_equal_times(self) -> None:
        generator = np.random.default_rng(1)
        x, y = generator.integers(1, 10**6, size=(2, 200)).astype(np.float64)
        p = hyperbolic.from_spatial(np.stack([x, y], axis=-1))
        q = hyperbolic.from_spatial(np.stack([y, x], axis=-1))
        assert np.array_equal(p[:, -1], q[:, -1])
        assert np.array_equal(hyperbolic.distance(p, q), hyperbolic.distance(q, p))

    @law
    @given(pairs())
    def test_is_zero_from_a_point_to_itself_only(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        assert hyperbolic.distance(p, p) == 0
        assert (hyperbolic.distance(p, q) == 0) == np.array_equal(p[:-1], q[:-1])

    @law
    @given(triples())
    def test_triangle_inequality(self, triple: tuple[Floats, Floats, Floats]) -> None:
        p, q, r = triple
        detour = hyperbolic.distance(p, q) + hyperbolic.distance(q, r)
        assert hyperbolic.distance(p, r) <= (1 + 1e-9) * detour

    @pytest.mark.parametrize("length", [1e-8, 1e-3, 1.0, 15.0])
    def test_from_the_base_point_is_the_radius(self, length: float) -> None:
        p = hyperbolic.from_spatial([0.6 * np.sinh(length), 0.8 * np.sinh(length)])
        assert hyperbolic.distance(hyperbolic.base_point(2), p) == pytest.approx(length, rel=1e-14)

    def test_theorem_of_pythagoras(self) -> None:
        p = hyperbolic.from_spatial([np.sinh(0.7), 0.0])
        q = hyperbolic.from_spatial([0.0, np.sinh(1.9)])
        hypotenuse = np.arccosh(np.cosh(0.7) * np.cosh(1.9))
        assert hyperbolic.distance(p, q) == pytest.approx(hypotenuse, rel=1e-14)

    @law
    @given(pairs(largest_radius=3.0))
    def test_is_the_arccosh_of_the_minkowski_product(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        cosh = np.cosh(hyperbolic.distance(p, q))
        assert -hyperbolic.minkowski_dot(p, q) == pytest.approx(cosh, rel=1e-13 * p[-1] * q[-1])


class TestExponentialAndLogarithm:
    @law
    @given(pairs())
    def test_exponential_undoes_logarithm(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        back = hyperbolic.exponential(p, hyperbolic.logarithm(p, q))
        length = float(hyperbolic.distance(p, q))
        assert hyperbolic.distance(back, q) <= rounding(radius(p), length)

    @law
    @given(pairs(largest_radius=5.0))
    def test_exponential_undoes_logarithm_to_nine_digits(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        back = hyperbolic.exponential(p, hyperbolic.logarithm(p, q))
        assert hyperbolic.distance(back, q) <= 1e-9

    @law
    @given(st.data())
    def test_logarithm_undoes_exponential(self, data: st.DataObject) -> None:
        p = data.draw(points(data.draw(dimensions)))
        length, v = data.draw(tangents(p, 15.0))
        back = hyperbolic.logarithm(p, hyperbolic.exponential(p, v))
        error = hyperbolic.norm(back - v, at=p)
        assert error <= 1e-9 * length + rounding(radius(p), length)

    @law
    @given(pairs())
    def test_length_of_logarithm_is_the_distance(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        length = hyperbolic.norm(hyperbolic.logarithm(p, q), at=p)
        assert length == pytest.approx(float(hyperbolic.distance(p, q)), rel=1e-9, abs=0)

    @law
    @given(pairs(largest_radius=6.0))
    def test_norm_without_the_point(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        v = hyperbolic.logarithm(p, q)
        assert hyperbolic.norm(v) == pytest.approx(float(hyperbolic.norm(v, at=p)), rel=1e-9)

    def test_norm_is_clipped_at_zero(self) -> None:
        assert hyperbolic.norm([1.0, 1.0 + 1e-15]) == 0

    @law
    @given(st.data())
    def test_exponential_travels_the_length(self, data: st.DataObject) -> None:
        p = data.draw(points(data.draw(dimensions)))
        length, v = data.draw(tangents(p, 15.0))
        traveled = hyperbolic.distance(p, hyperbolic.exponential(p, v))
        assert abs(traveled - length) <= 1e-9 * length + rounding(radius(p), length)

    @law
    @given(st.data())
    def test_exponential_of_zero_is_the_point(self, data: st.DataObject) -> None:
        p = data.draw(points(data.draw(dimensions)))
        assert np.array_equal(hyperbolic.exponential(p, np.zeros_like(p)), p)
        assert np.array_equal(hyperbolic.logarithm(p, p), np.zeros_like(p))

    def test_known_values(self) -> None:
        base = hyperbolic.base_point(2)
        expected = [np.sinh(2.0), 0.0, np.cosh(2.0)]
        np.testing.assert_allclose(hyperbolic.exponential(base, [2, 0, 0]), expected, rtol=1e-15)
        np.testing.assert_allclose(hyperbolic.logarithm(base, expected), [2, 0, 0], rtol=1e-15)


class TestParallelTransport:
    @law
    @given(st.data())
    def test_is_the_paper_formula(self, data: st.DataObject) -> None:
        p, q = data.draw(pairs(largest_radius=3.0))
        d = hyperbolic.distance(p, q)
        assume(d > 0.01)
        length, w = data.draw(tangents(p, 15.0))
        unit = hyperbolic.logarithm(p, q) / d
        along = hyperbolic.minkowski_dot(w, unit)
        expected = along * (np.sinh(d) * p + np.cosh(d) * unit) + w - along * unit
        transported = hyperbolic.parallel_transport(p, q, w)
        np.testing.assert_allclose(transported, expected, rtol=0, atol=1e-10 * length)

    @law
    @given(st.data())
    def test_preserves_products_and_is_tangent(self, data: st.DataObject) -> None:
        p, q = data.draw(pairs(largest_radius=6.0))
        (v_length, v), (w_length, w) = data.draw(st.tuples(tangents(p, 15.0), tangents(p, 15.0)))
        moved_v, moved_w = hyperbolic.parallel_transport(p, q, [v, w])
        tolerance = 1e-9 * v_length * w_length
        change = hyperbolic.minkowski_dot(moved_v, moved_w) - hyperbolic.minkowski_dot(v, w)
        assert abs(change) <= tolerance
        assert abs(hyperbolic.minkowski_dot(q, moved_v)) <= 1e-9 * v_length

    @law
    @given(st.data())
    def test_preserves_lengths_far_out(self, data: st.DataObject) -> None:
        p, q = data.draw(pairs())
        length, w = data.draw(tangents(p, 15.0))
        transported = hyperbolic.parallel_transport(p, q, w)
        assert hyperbolic.norm(transported, at=q) == pytest.approx(length, rel=1e-9, abs=0)

    @law
    @given(st.data())
    def test_there_and_back(self, data: st.DataObject) -> None:
        p, q = data.draw(pairs())
        length, w = data.draw(tangents(p, 15.0))
        back = hyperbolic.parallel_transport(q, p, hyperbolic.parallel_transport(p, q, w))
        assert hyperbolic.norm(back - w, at=p) <= 1e-9 * length

    @law
    @given(pairs())
    def test_carries_the_geodesic_along(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        carried = hyperbolic.parallel_transport(p, q, hyperbolic.logarithm(p, q))
        error = hyperbolic.norm(carried + hyperbolic.logarithm(q, p), at=q)
        assert error <= 1e-9 * hyperbolic.distance(p, q)

    def test_turns_by_the_area_around_a_triangle(self) -> None:
        # Around a triangle, transport turns a vector by the angle defect π - α - β - γ.
        corners = hyperbolic.from_spatial([[0.0, 0.0], [1.5, 0.0], [0.3, 0.9]])
        defect: Any = np.pi
        for i in range(3):
            sides = hyperbolic.logarithm(corners[i], np.delete(corners, i, axis=0))
            cosine = hyperbolic.minkowski_dot(*sides) / np.prod(hyperbolic.norm(sides))
            defect -= np.arccos(cosine)
        vector = np.array([1.0, 0.0, 0.0])
        for i in range(3):
            vector = hyperbolic.parallel_transport(corners[i], corners[(i + 1) % 3], vector)
        np.testing.assert_allclose(vector, [np.cos(defect), -np.sin(defect), 0], atol=1e-14)


class TestGeodesic:
    @law
    @given(pairs(), st.floats(0, 1))
    def test_has_constant_speed(self, pair: tuple[Floats, Floats], t: float) -> None:
        p, q = pair
        d = hyperbolic.distance(p, q)
        between = hyperbolic.geodesic(p, q, t)
        tolerance = 1e-9 * d + rounding(max(radius(p), radius(q)))
        assert abs(hyperbolic.distance(p, between) - t * d) <= tolerance
        assert abs(hyperbolic.distance(between, q) - (1 - t) * d) <= tolerance

    @law
    @given(pairs())
    def test_starts_at_p_and_ends_at_q(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        assert np.array_equal(hyperbolic.geodesic(p, q, [0, 1]), [p, q])
        assert np.array_equal(hyperbolic.geodesic(p, p, 0.25)[:-1], p[:-1])

    @law
    @given(pairs(largest_radius=3.0), st.floats(-1, 2))
    def test_is_the_exponential_of_the_scaled_logarithm(
        self, pair: tuple[Floats, Floats], t: float
    ) -> None:
        p, q = pair
        expected = hyperbolic.exponential(p, t * hyperbolic.logarithm(p, q))
        assert hyperbolic.distance(hyperbolic.geodesic(p, q, t), expected) <= 1e-9


class TestCentroid:
    @law
    @given(pairs())
    def test_of_two_points_is_the_midpoint(self, pair: tuple[Floats, Floats]) -> None:
        p, q = pair
        midpoint = hyperbolic.geodesic(p, q, 0.5)
        centroid = hyperbolic.centroid([p, q])
        assert hyperbolic.distance(centroid, midpoint) <= rounding(max(radius(p), radius(q)))

    @law
    @given(triples(largest_radius=3.0), arrays(np.float64, 3, elements=st.floats(0.01, 10)))
    def test_is_where_the_weighted_cosh_distance_is_stationary(
        self, triple: tuple[Floats, Floats, Floats], weights: Floats
    ) -> None:
        centroid = hyperbolic.centroid(triple, weights)
        gradient = weights @ hyperbolic.project_to_tangent(centroid, triple)
        assert np.abs(gradient).max() <= 1e-10 * np.sum(weights)

    def test_weights_count_points(self) -> None:
        p, q = hyperbolic.random_points(np.random.default_rng(2), 2, 3, 1.0)
        np.testing.assert_allclose(
            hyperbolic.centroid([p, q], [2, 1]), hyperbolic.centroid([p, p, q]), rtol=1e-14
        )
        np.testing.assert_allclose(hyperbolic.centroid([p, q], [0, 3]), q, rtol=1e-14)

    def test_of_opposite_points_is_the_base_point(self) -> None:
        p = hyperbolic.from_spatial([[3e5, 1.0], [-3e5, -1.0]])
        assert np.array_equal(hyperbolic.centroid(p), hyperbolic.base_point(2))

    def test_axis_and_weights_broadcast(self) -> None:
        generator = np.random.default_rng(3)
        p = hyperbolic.random_points(generator, (4, 5, 6), 2, 1.0)
        weights = generator.uniform(size=4)
        centroids = hyperbolic.centroid(p, weights, axis=0)
        assert centroids.shape == (5, 6, 3)
        expected = hyperbolic.centroid(p[:, 2, 3], weights)
        np.testing.assert_allclose(centroids[2, 3], expected, rtol=1e-14)

    @pytest.mark.parametrize(
        ("count", "weights"), [(0, None), (2, [0.0, 0.0]), (2, [2.0, -1.0]), (2, [np.nan, 1.0])]
    )
    def test_without_weight_is_refused(self, count: int, weights: list[float] | None) -> None:
        p = hyperbolic.random_points(np.random.default_rng(4), count, 2, 1.0)
        with pytest.raises(GeometryError, match=naming(count)) as caught:
            hyperbolic.centroid(p, weights)
        assert caught.value.hint is not None


class TestReflect:
    @law
    @given(triples(largest_radius=3.0))
    def test_is_an_isometry(self, triple: tuple[Floats, Floats, Floats]) -> None:
        p, q, through = triple
        image_p, image_q = hyperbolic.reflect([p, q], through)
        change = hyperbolic.distance(image_p, image_q) - hyperbolic.distance(p, q)
        assert abs(change) <= rounding(9.0)

    @law
    @given(pairs(largest_radius=3.0))
    def test_puts_the_point_in_the_middle(self, pair: tuple[Floats, Floats]) -> None:
        p, through = pair
        image = hyperbolic.reflect(p, through)
        assert hyperbolic.distance(hyperbolic.geodesic(p, image, 0.5), through) <= rounding(9.0)
        assert hyperbolic.distance(hyperbolic.reflect(image, through), p) <= rounding(15.0)


class TestTranslate:
    @law
    @given(triples(largest_radius=2.0))
    def test_is_an_isometry_that_takes_the_start_to_the_end(
        self, triple: tuple[Floats, Floats, Floats]
    ) -> None:
        p, start, end = triple
        image_p, image = hyperbolic.translate([p, start], start, end)
        assert hyperbolic.distance(image, end) <= rounding(10.0)
        change = hyperbolic.distance(image_p, end) - hyperbolic.distance(p, start)
        assert abs(change) <= rounding(10.0)
        assert hyperbolic.distance(hyperbolic.translate(image_p, end, start), p) <= rounding(14.0)

    @law
    @given(pairs(largest_radius=3.0))
    def test_moves_directions_by_parallel_transport(self, pair: tuple[Floats, Floats]) -> None:
        start, end = pair
        direction = hyperbolic.project_to_tangent(start, np.ones_like(start))
        direction /= hyperbolic.norm(direction, at=start)
        moved = hyperbolic.translate(hyperbolic.exponential(start, direction), start, end)
        there = hyperbolic.parallel_transport(start, end, direction)
        assert hyperbolic.distance(moved, hyperbolic.exponential(end, there)) <= rounding(12.0)

    @law
    @given(pairs(largest_radius=3.0))
    def test_nothing_moves_from_a_point_to_itself(self, pair: tuple[Floats, Floats]) -> None:
        p, start = pair
        assert hyperbolic.distance(hyperbolic.translate(p, start, start), p) <= rounding(12.0)

    @law
    @given(pairs(largest_radius=3.0))
    def test_to_the_base_point_in_one_step(self, pair: tuple[Floats, Floats]) -> None:
        p, start = pair
        base = hyperbolic.base_point(len(p) - 1)
        moved = hyperboloid.translate_to_base([p, start], start)
        expected = hyperbolic.translate([p, start], start, base)
        assert (hyperbolic.distance(moved, expected) <= rounding(12.0)).all()


class TestProjectToTangent:
    @law
    @given(st.data())
    def test_is_tangent_and_idempotent(self, data: st.DataObject) -> None:
        p = data.draw(points(data.draw(dimensions), 3.0))
        v = data.draw(arrays(np.float64, len(p), elements=st.floats(-10, 10)))
        projected = hyperbolic.project_to_tangent(p, v)
        tolerance = 1e-10 * np.abs(v).max()
        assert abs(hyperbolic.minkowski_dot(p, projected)) <= tolerance
        again = hyperbolic.project_to_tangent(p, projected)
        np.testing.assert_allclose(again, projected, rtol=0, atol=tolerance)
        # What was taken away is a multiple of p.
        np.testing.assert_allclose(
            projected - v, hyperbolic.minkowski_dot(p, v) * p, rtol=0, atol=tolerance
        )

    @law
    @given(st.data())
    def test_gradient_of_the_minkowski_product_is_its_finite_difference(
        self, data: st.DataObject
    ) -> None:
        # ∇⟨·, q⟩ = proj(q), as the training uses it: its product with a direction is the slope.
        p, q = data.draw(pairs(largest_radius=2.0))
        direction = data.draw(tangents(p, 1.0))[1]
        gradient = hyperbolic.project_to_tangent(p, q)
        step = 1e-5
        ahead, behind = (hyperbolic.exponential(p, s * direction) for s in (step, -step))
        rise = hyperbolic.minkowski_dot(ahead, q) - hyperbolic.minkowski_dot(behind, q)
        slope = hyperbolic.minkowski_dot(gradient, direction)
        assert rise / (2 * step) == pytest.approx(float(slope), rel=1e-8, abs=1e-8)


class TestPoints:
    def test_base_point(self) -> None:
        assert hyperbolic.base_point(3).tolist() == [0, 0, 0, 1]

    def test_minkowski_dot(self) -> None:
        assert hyperbolic.minkowski_dot([1, 2, 3], [4, 5, 6]) == 4 + 10 - 18

    @law
    @given(st.data())
    def test_results_are_on_the_sheet(self, data: st.DataObject) -> None:
        p, q = data.draw(pairs())
        _, v = data.draw(tangents(p, 15.0))
        results = np.stack(
            [
                hyperbolic.exponential(p, v),
                hyperbolic.geodesic(p, q, 0.3),
                hyperbolic.centroid([p, q]),
                hyperbolic.reflect(p, q),
                hyperbolic.translate(p, q, p),
            ]
        )
        times = [float(Exact.of(result).time) for result in results]
        np.testing.assert_allclose(results[:, -1], times, rtol=1e-15)

    def test_random_points_are_the_exponential_of_normal_vectors(self) -> None:
        drawn = hyperbolic.random_points(np.random.default_rng(5), (300, 20), 4, 0.01)
        assert drawn.shape == (300, 20, 5)
        vectors = hyperbolic.logarithm(hyperbolic.base_point(4), drawn)
        expected = 0.01 * np.random.default_rng(5).standard_normal((300, 20, 4))
        np.testing.assert_allclose(vectors[..., :-1], expected, rtol=1e-13)
        assert hyperbolic.random_points(np.random.default_rng(5), 7, 4, 0.01).shape == (7, 5)

    def test_random_points_without_deviation_are_the_base_point(self) -> None:
        drawn = hyperbolic.random_points(np.random.default_rng(6), 3, 2, 0.0)
        assert np.array_equal(drawn, [hyperbolic.base_point(2)] * 3)

    @pytest.mark.parametrize("dimension", [0, -1])
    def test_dimension_below_one_is_refused(self, dimension: int) -> None:
        with pytest.raises(OptionError, match=naming("dimension", dimension, 1)):
            hyperbolic.base_point(dimension)
        with pytest.raises(OptionError, match=naming("dimension", dimension, 1)):
            hyperbolic.random_points(np.random.default_rng(), 2, dimension, 0.01)

    @pytest.mark.parametrize("deviation", [-0.1, float("nan")])
    def test_deviation_below_zero_is_refused(self, deviation: float) -> None:
        with pytest.raises(OptionError, match=naming("deviation", deviation, 0)):
            hyperbolic.random_points(np.random.default_rng(), 2, 3, deviation)


def test_leading_axes_broadcast() -> None:
    generator = np.random.default_rng(7)
    p = hyperbolic.random_points(generator, (4, 1), 3, 1.0)
    q = hyperbolic.random_points(generator, 5, 3, 1.0)
    v = hyperbolic.logarithm(p, q)
    t = generator.uniform(size=(2, 1, 1))
    assert v.shape == (4, 5, 4)
    results = {
        "distance": (hyperbolic.distance(p, q), hyperbolic.distance(p[2, 0], q[3])),
        "minkowski_dot": (hyperbolic.minkowski_dot(p, q), hyperbolic.minkowski_dot(p[2, 0], q[3])),
        "norm": (hyperbolic.norm(v, at=p), hyperbolic.norm(v[2, 3], at=p[2, 0])),
    }
    for name, (together, alone) in results.items():
        assert together.shape == (4, 5), name
        assert together[2, 3] == pytest.approx(float(alone), rel=1e-14), name
    vectors = {
        "logarithm": (v, hyperbolic.logarithm(p[2, 0], q[3])),
        "exponential": (
            hyperbolic.exponential(p, q),
            hyperbolic.exponential(p[2, 0], q[3]),
        ),
        "project_to_tangent": (
            hyperbolic.project_to_tangent(p, q),
            hyperbolic.project_to_tangent(p[2, 0], q[3]),
        ),
        "parallel_transport": (
            hyperbolic.parallel_transport(p, q, v),
            hyperbolic.parallel_transport(p[2, 0], q[3], v[2, 3]),
        ),
        "reflect": (hyperbolic.reflect(p, q), hyperbolic.reflect(p[2, 0], q[3])),
        "translate": (hyperbolic.translate(p, p, q), hyperbolic.translate(p[2, 0], p[2, 0], q[3])),
        "geodesic": (
            hyperbolic.geodesic(p, q, t)[1],
            hyperbolic.geodesic(p[2, 0], q[3], t[1, 0, 0]),
        ),
    }
    for name, (together, alone) in vectors.items():
        assert together.shape == (4, 5, 4), name
        np.testing.assert_allclose(together[2, 3], alone, rtol=1e-13, atol=1e-14, err_msg=name)


def test_nothing_overflows_to_radius_170() -> None:
    # Warnings are errors in these tests.
    p, q = hyperbolic.from_spatial(np.sinh(170.0) * np.array([[0.6, 0.8], [-0.6, -0.8]]))
    assert hyperbolic.distance(p, q) == pytest.approx(340, rel=1e-15)
    assert np.array_equal(hyperbolic.geodesic(p, q, 0.5), hyperbolic.base_point(2))
    v = hyperbolic.logarithm(p, q)
    assert np.isfinite(v).all()
    assert np.isfinite(hyperbolic.parallel_transport(p, q, v)).all()
