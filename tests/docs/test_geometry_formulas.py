"""The formulas of the interactive figures, compared with hyperskip.geometry."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from triangles import angle_between
from visits import Visit

from hyperskip import geometry
from hyperskip.geometry.spaces import Hyperboloid

Points = npt.NDArray[np.float64]


def discs(count: int, farthest: float, seed: int) -> Points:
    rng = np.random.default_rng(seed)
    radii, angles = rng.uniform(0, farthest, count), rng.uniform(0, 2 * np.pi, count)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points: Points = np.tanh(radii / 2)[:, None] * directions
    return points


def in_browser(opened: Visit, body: str, *arguments: Points) -> Points:
    """Evaluate an expression for each triple of points, with the formulas of the page."""
    script = f"""async (all) => {{
      const f = await import("geometry/formulas");
      return all[0].map((_, i) => {{
        const [a, b, c] = all.map((list) => list[i]);
        return {body};
      }});
    }}"""
    return np.array(opened.js(script, [argument.tolist() for argument in arguments]))


@pytest.mark.parametrize("farthest", [0.1, 3.0, 6.0])
def test_analogies_are_those_of_the_package(opened: Visit, farthest: float) -> None:
    a, b, c = (discs(40, farthest, seed) for seed in (1, 2, 3))
    p, q, r = (geometry.from_ball(each) for each in (a, b, c))
    for body, route in (("f.analogy(a, b, c)", "Z"), ("f.analogy(a, c, b)", "Z'")):
        expected = geometry.to_ball(Hyperboloid().analogy(p, q, r, route))
        assert np.allclose(in_browser(opened, body, a, b, c), expected, atol=1e-9), route


def test_coordinates_and_products_are_those_of_the_package(opened: Visit) -> None:
    a, b = discs(40, 6, 4), discs(40, 6, 5)
    p, q = geometry.from_ball(a), geometry.from_ball(b)
    assert np.allclose(in_browser(opened, "f.onHyperboloid(a)", a), p, rtol=1e-9)
    dots = in_browser(opened, "f.minkowskiDot(f.onHyperboloid(a), f.onHyperboloid(b))", a, b)
    assert np.allclose(dots, geometry.minkowski_dot(p, q), rtol=1e-7)
    there = in_browser(opened, "f.exponential(a, f.logarithm(a, b))", a, b)
    assert np.allclose(there, b, atol=1e-10)


def test_the_area_of_a_triangle_is_the_turn_around_it(opened: Visit) -> None:
    a, b, c = (discs(40, 4, seed) for seed in (6, 7, 8))
    p, q, r = (geometry.from_ball(each) for each in (a, b, c))
    corners = ((p, q, r), (q, r, p), (r, p, q))
    angles = np.stack([angle_between(*corner) for corner in corners], axis=1)
    found = in_browser(opened, "f.triangle([a, b, c]).angles", a, b, c)
    assert np.allclose(found, angles, atol=1e-6)
    area = in_browser(opened, "f.triangle([a, b, c]).area", a, b, c)
    turn = in_browser(
        opened, "f.turnOnTheWay(a, b) + f.turnOnTheWay(b, c) + f.turnOnTheWay(c, a)", a, b, c
    )
    assert np.allclose(np.abs(turn), area, atol=1e-9)
    arrow = geometry.logarithm(p, q)
    back = arrow
    for start, end in ((p, q), (q, r), (r, p)):
        back = geometry.parallel_transport(start, end, back)
    cosine = geometry.minkowski_dot(arrow, back) / geometry.norm(arrow, p) ** 2
    assert np.allclose(np.cos(area), cosine, atol=1e-6)


@pytest.mark.parametrize("curvature", [0.02, 0.25, 1.0, 2.0])
def test_circles_have_the_length_of_fine_polygons(opened: Visit, curvature: float) -> None:
    radius, corners = 2.5, 20_000
    scale = math.sqrt(curvature)
    turns = 2 * np.pi * np.arange(corners) / corners
    circle = np.sinh(scale * radius) * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    points = geometry.from_spatial(circle)
    length = geometry.distance(points, np.roll(points, 1, axis=0)).sum() / scale
    script = """async ([r, c]) => {
      const f = await import("geometry/formulas");
      const ring = (f.circleArea(r + 1e-4, c) - f.circleArea(r - 1e-4, c)) / 2e-4;
      return [f.circumference(r, c), ring];
    }"""
    assert opened.js(script, [radius, curvature]) == pytest.approx([length, length], rel=1e-5)


@pytest.mark.parametrize("branches", [2, 3, 4])
def test_trees_have_equal_edges_and_long_ones_fit(opened: Visit, branches: int) -> None:
    script = """async ([branches, depth, factor]) => {
      const t = await import("geometry/trees");
      const edge = factor * t.shortestEdge(branches);
      const list = (nodes) => nodes.map((n) => [...n.place, nodes.indexOf(n.parent), n.depth]);
      const both = [t.discTree(branches, depth, edge), t.flatTree(branches, depth, 1)];
      return [edge, ...both.map(list)];
    }"""
    closest = []
    for depth in (3, 4):
        edge, curved, flat = opened.js(script, [branches, depth, 1.05])
        nodes, paper = np.array(curved), np.array(flat)
        assert len(nodes) == 1 + (branches + 1) * sum(branches**level for level in range(depth))
        parents = nodes[1:, 2].astype(int)
        points = geometry.from_ball(nodes[:, :2])
        assert np.allclose(geometry.distance(points[1:], points[parents]), edge, rtol=1e-8)
        assert np.allclose(np.linalg.norm(paper[1:, :2] - paper[parents, :2], axis=1), 1)
        leaves = points[nodes[:, 3] == depth]
        apart = geometry.distance(leaves[:, None], leaves[None])
        closest.append(apart[~np.eye(len(leaves), dtype=bool)].min())
    assert closest[0] == pytest.approx(closest[1])
