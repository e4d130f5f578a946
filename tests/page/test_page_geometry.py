"""The geometry of the page, compared with that of the package."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from visits import Visit

from hyperskip.geometry import charts, hyperboloid

Points = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def opened(browser: Any, served: str) -> Iterator[Visit]:
    visit = Visit.opened(browser, served, (), {})
    yield visit
    visit.close()
    visit.check()


def discs(count: int, farthest: float, seed: int) -> Points:
    rng = np.random.default_rng(seed)
    radii = rng.uniform(0, farthest, count)
    angles = rng.uniform(0, 2 * np.pi, count)
    points: Points = np.tanh(radii / 2)[:, None] * np.stack(
        [np.cos(angles), np.sin(angles)], axis=1
    )
    return points


def in_browser(opened: Visit, body: str, *arguments: object) -> Points:
    """Evaluate an expression for each pair, with the functions of the module."""
    script = f"""async ([first, second]) => {{
      const g = await import("hyperskip/geometry");
      const {{ View }} = await import("hyperskip/view");
      return first.map((a, i) => {{ const b = second[i]; return {body}; }});
    }}"""
    lists = [np.asarray(argument).tolist() for argument in arguments]
    return np.array(opened.js(script, lists))


@pytest.mark.parametrize("farthest", [1e-3, 3.0, 12.0])
def test_distances_and_geodesics_are_the_same(opened: Visit, farthest: float) -> None:
    a, b = discs(60, farthest, 1), discs(60, farthest, 2)
    p, q = charts.from_ball(a), charts.from_ball(b)
    error = 1e-12 * np.exp(farthest)
    distances = hyperboloid.distance(p, q)
    assert np.allclose(in_browser(opened, "g.distance(a, b)", a, b), distances, rtol=error, atol=0)
    for t in (0.0, 0.3, 1.0):
        points = charts.to_ball(hyperboloid.geodesic(p, q, t))
        assert np.allclose(
            in_browser(opened, f"g.geodesic(a, b, {t})", a, b), points, atol=1e-12, rtol=0
        )


def test_a_translation_centers_a_point_and_keeps_distances(opened: Visit) -> None:
    a, b = discs(60, 6, 3), discs(60, 6, 4)
    moved = in_browser(opened, "g.translate(a, b)", a, b)
    assert np.allclose(
        2 * np.arctanh(np.linalg.norm(moved, axis=1)),
        hyperboloid.distance(charts.from_ball(a), charts.from_ball(b)),
        rtol=1e-8,
    )
    base = np.broadcast_to(hyperboloid.base_point(2), (60, 3))
    there = hyperboloid.translate(charts.from_ball(a), charts.from_ball(b), base)
    assert np.allclose(moved, charts.to_ball(there), atol=1e-9)


def test_a_carrier_moves_one_point_to_another_without_rotation(opened: Visit) -> None:
    a, b = discs(60, 5, 5), discs(60, 5, 6)
    carried = in_browser(opened, "View.at().carrying(a, b).of(a)", a, b)
    assert np.allclose(carried, b, atol=1e-10)
    turns = in_browser(opened, "View.at().carrying(a, b).turn", a, b)
    assert np.allclose(turns, 0, atol=1e-10)


def test_the_centroid_is_the_same(opened: Visit) -> None:
    a, b = discs(60, 5, 7), discs(60, 5, 8)
    points = charts.from_ball(np.stack([a, b], axis=1))
    middle = charts.to_ball(hyperboloid.centroid(points))
    assert np.allclose(in_browser(opened, "g.centroid([a, b])", a, b), middle, atol=1e-12)


def test_the_points_of_a_circle_have_the_same_distance(opened: Visit) -> None:
    centers, radii = discs(40, 4, 9), np.linspace(0.1, 3, 40)
    found = in_browser(
        opened, "(({center, radius}) => [...center, radius])(g.circle(a, b))", centers, radii
    )
    for turn in (0.0, 1.0, 4.0):
        rim = found[:, :2] + found[:, 2:] * np.array([np.cos(turn), np.sin(turn)])
        measured = hyperboloid.distance(charts.from_ball(centers), charts.from_ball(rim))
        assert np.allclose(measured, radii, rtol=1e-8)


def test_a_geodesic_is_perpendicular_to_the_rim(opened: Visit) -> None:
    a, b = discs(60, 4, 10), discs(60, 4, 11)
    found = in_browser(
        opened,
        "(round => round === null ? [0, 0, 0] : [...round.center, round.radius])"
        "(g.geodesicCircle(a, b))",
        a,
        b,
    )
    curved = found[:, 2] > 0
    assert curved.sum() > 50
    centers, radii = found[curved, :2], found[curved, 2]
    middle = charts.to_ball(
        hyperboloid.geodesic(charts.from_ball(a[curved]), charts.from_ball(b[curved]), 0.5)
    )
    for point in (a[curved], b[curved], middle):
        assert np.allclose(np.linalg.norm(point - centers, axis=1), radii, rtol=1e-8)
    assert np.allclose((centers**2).sum(axis=1), 1 + radii**2, rtol=1e-8)


def test_views_compose_and_invert(opened: Visit) -> None:
    a, b = discs(60, 5, 12), discs(60, 5, 13)
    there = in_browser(opened, "View.at(b, 0.7, 2).placeAt(View.at(b, 0.7, 2).of(a))", a, b)
    assert np.allclose(there, a, atol=1e-9)
    view = in_browser(
        opened,
        "((v) => [...v.center, v.turn, v.scale])(View.at(a, 0.7, 3).towards(View.at(b, 6, 2), 1))",
        a,
        b,
    )
    assert np.allclose(view[:, :2], b, atol=1e-9)
    assert np.allclose(view[:, 2:], [6 - 2 * np.pi, 2])
    both = in_browser(
        opened,
        "((u, v) => [...u.after(v).of([0.1, 0.2]), ...u.of(v.of([0.1, 0.2]))])"
        "(View.at(a, 1), View.at(b, 2))",
        a,
        b,
    )
    assert np.allclose(both[:, :2], both[:, 2:], atol=1e-9)


def test_the_shader_draws_points_precisely(opened: Visit) -> None:
    """Far out, single precision alone would be off by pixels: the base has moved along."""
    opened.js(
        """() => {
          const far = [1 - 2e-6, 0];
          const { constructor: Words } = hyperskip.disc.words;
          hyperskip.disc.setWords(new Words(["far"], [far[0]], [far[1]], new Float32Array([1])));
          hyperskip.disc.setColors(new Uint8Array([255, 0, 0, 255]));
          hyperskip.disc.moveTo(far);
        }"""
    )
    painted = """() => {
      const { painter, view, radius } = hyperskip.disc;
      const { gl, canvas } = painter.points;
      painter.points.draw({ view, radius, ratio: painter.ratio, pointSize: 12, opacity: 1 });
      const bytes = new Uint8Array(canvas.width * canvas.height * 4);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
      let [x, y, weight] = [0, 0, 0];
      for (let i = 0; i < bytes.length / 4; i++) {
        x += (i % canvas.width + 0.5) * bytes[4 * i + 3];
        y += (Math.floor(i / canvas.width) + 0.5) * bytes[4 * i + 3];
        weight += bytes[4 * i + 3];
      }
      return [x / weight - canvas.width / 2, y / weight - canvas.height / 2];
    }"""
    assert opened.js(painted) == pytest.approx([0, 0], abs=0.3)
