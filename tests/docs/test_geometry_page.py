"""The page that teaches the geometry: its figures, opened from disk, agree with the package."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from axe import findings
from interactive_figures import has_figures, with_figures
from triangles import angle_between
from visits import Open, Visit, eventually

from hyperskip import geometry
from hyperskip.geometry.spaces import Hyperboloid

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "geometry.md").read_text(encoding="utf-8")
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}

Points = npt.NDArray[np.float64]


def figure(visit: Visit, name: str) -> Any:
    return visit.page.locator(f"[data-figure={name}]")


def point(visit: Visit, name: str, label: str) -> Any:
    return figure(visit, name).get_by_role("button", name=label, exact=True)


def places(visit: Visit, name: str) -> Points:
    """Where the points of a figure are on the disc."""
    texts = (
        figure(visit, name).locator(".point").evaluate_all("all => all.map(p => p.dataset.place)")
    )
    return np.array([[float(number) for number in text.split()] for text in texts])


def numbers(visit: Visit, name: str) -> dict[str, list[float]]:
    """The live numbers of a figure by their names."""
    pairs = (
        figure(visit, name)
        .locator("dl > div")
        .evaluate_all(
            "all => all.map(row => [row.children[0].textContent, row.children[1].textContent])"
        )
    )
    return {
        label: [float(each) for each in re.findall(r"-?\d+\.?\d*", text.replace("−", "-"))]
        for label, text in pairs
    }


def settle(visit: Visit) -> None:
    """Wait until everything that has changed is drawn."""
    visit.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def close(found: list[float], expected: npt.ArrayLike, digits: int = 2) -> bool:
    return np.allclose(found, expected, rtol=0, atol=0.51 * 10.0**-digits)


# -- figures


def test_every_figure_of_the_page_is_built(opened: Visit) -> None:
    named = re.findall(r"^```\{interactive\} (\S+)$", TEXT, re.MULTILINE)
    assert len(named) == len(set(named)) == 8
    assert opened.page.locator("[data-figure][data-ready=true]").count() == len(named)
    for name in named:
        assert len(numbers(opened, name)) >= 2, name
    assert not has_figures(TEXT)
    assert has_figures(with_figures(TEXT))


def test_numbers_of_two_points(opened: Visit) -> None:
    ball = places(opened, "two-points")
    p, q = geometry.from_ball(ball)
    found = numbers(opened, "two-points")
    distance = float(geometry.distance(p, q))
    assert close(found["Hyperbolic distance"], [distance])
    assert close(found["On the screen, with a ruler"], [np.linalg.norm(ball[0] - ball[1])])
    step = geometry.to_ball(geometry.geodesic(p, q, 0.5 / distance))
    assert close(found["A step of 0.5 at A, on the ruler"], [np.linalg.norm(step - ball[0])], 3)


def test_numbers_of_the_hyperboloid(opened: Visit) -> None:
    p, q = geometry.from_ball(places(opened, "hyperboloid"))
    found = [*numbers(opened, "hyperboloid").values()]
    assert close(found[0], p)
    assert close(found[1], q)
    assert close(found[2], [geometry.minkowski_dot(p, q)], 3)
    assert close(found[3], [geometry.distance(p, q)], 3)


def test_numbers_of_a_triangle_and_of_the_way_around_it(opened: Visit) -> None:
    p, q, r = geometry.from_ball(places(opened, "triangle"))
    angles = [float(angle_between(*c)) for c in ((p, q, r), (q, r, p), (r, p, q))]
    found = [*numbers(opened, "triangle").values()]
    assert close([each[0] for each in found[:3]], np.degrees(angles), 1)
    assert close(found[3], [math.degrees(sum(angles))], 1)
    assert close(found[4], [math.pi - sum(angles)], 3)
    p, q, r = geometry.from_ball(places(opened, "round-trip"))
    area = math.pi - sum(float(angle_between(*c)) for c in ((p, q, r), (q, r, p), (r, p, q)))
    trip = numbers(opened, "round-trip")
    assert close(trip["Turned after the whole way"], [math.degrees(area)], 1)
    assert close(trip["Area of the triangle"], [area, math.degrees(area)], 1)


def test_numbers_of_a_transport(opened: Visit) -> None:
    p, q, tip = geometry.from_ball(places(opened, "transport"))
    arrow = geometry.logarithm(p, tip)
    carried = geometry.exponential(q, geometry.parallel_transport(p, q, arrow))
    beyond = geometry.geodesic(p, q, 1.5)
    found = numbers(opened, "transport")
    assert close(found["Angle with the geodesic at A"], [np.degrees(angle_between(p, q, tip))], 1)
    at_b = np.degrees(angle_between(q, beyond, carried))
    assert close(found["Angle with the geodesic at B"], [at_b], 1)
    lengths = [float(geometry.distance(p, tip)), float(geometry.distance(q, carried))]
    assert close(found["Length at A and at B"], lengths)


def test_numbers_of_an_analogy_and_the_example_in_python(opened: Visit) -> None:
    a, b, c = geometry.from_ball(places(opened, "analogies"))
    z, other = (Hyperboloid().analogy(a, b, c, route) for route in ("Z", "Z'"))
    found = numbers(opened, "analogies")
    assert close(found["Distance of Z and Z′"], [geometry.distance(z, other)])
    lengths = [float(geometry.distance(a, b)), float(geometry.distance(c, z))]
    assert close(found["A to B, and C to Z"], lengths)
    (example,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(example, names)
    assert np.allclose(names["z"], z)


def test_numbers_of_a_tree(opened: Visit) -> None:
    found = numbers(opened, "tree")
    assert found["Leaves"] == [3 * 2**5]
    turns = 2 * np.pi * np.arange(2) / 3  # two branches of a node
    children = math.sinh(1.2) * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    p, q = geometry.from_spatial(children)
    assert close(found["Closest leaves, hyperbolic"], [geometry.distance(p, q) / 1.2])
    assert close(found["Closest leaves, flat"], [2 * math.sin(math.pi / 96)])
    around = 2 * math.pi * math.sinh(6 * 1.2) / 1.2
    assert close(found["Room for a leaf, hyperbolic"], [around / 96])
    assert close(found["Room for a leaf, flat"], [2 * math.pi * 6 / 96])
    assert close(found["Shortest edge that always fits"], [math.log(3)])


def test_numbers_of_sliders(visit: Open) -> None:
    opened = visit()
    sliders = figure(opened, "curvature").get_by_role("slider")
    sliders.nth(0).fill("0.5")
    sliders.nth(1).fill("2")
    scale = math.sqrt(0.5)
    around, area = (
        2 * math.pi * math.sinh(2 * scale) / scale,
        4 * math.pi * (math.cosh(2 * scale) - 1),
    )
    settle(opened)
    assert close(numbers(opened, "curvature")["Around the circle"][:1], [around], 1)
    assert close(numbers(opened, "curvature")["Area of the circle"][:1], [area], 1)
    assert sliders.nth(0).get_attribute("aria-valuetext") == "0.50"
    tree = figure(opened, "tree").get_by_role("slider")
    tree.nth(1).fill("8")
    tree.nth(0).fill("3")
    settle(opened)
    assert numbers(opened, "tree")["Leaves"] == [4 * 3**5]
    assert tree.nth(1).input_value() == "6"  # deeper trees would be slow


# -- input


def test_a_point_follows_the_pointer(visit: Open) -> None:
    opened = visit()
    figure(opened, "triangle").scroll_into_view_if_needed()
    corner = point(opened, "triangle", "Point B")
    box = corner.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.page.mouse.move(x + 3, y + 2)
    opened.page.mouse.down()
    opened.page.mouse.move(x - 40, y + 30, steps=4)
    opened.page.mouse.up()
    settle(opened)
    moved = corner.bounding_box()
    assert moved["x"] - box["x"] == pytest.approx(-43, abs=1)
    assert moved["y"] - box["y"] == pytest.approx(28, abs=1)
    test_numbers_of_a_triangle_and_of_the_way_around_it(opened)


def test_keys_move_a_point_and_a_sentence_follows(visit: Open) -> None:
    opened = visit()
    status = figure(opened, "two-points").get_by_role("status")
    assert status.text_content() == ""
    opened.page.keyboard.press("Tab")
    assert opened.js("document.activeElement.ariaLabel") == "Point A"
    before = places(opened, "two-points")
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Shift+ArrowRight"):
        opened.page.keyboard.press(key)
    settle(opened)
    after = places(opened, "two-points")
    assert np.array_equal(before[1], after[1])
    assert after[0, 0] > before[0, 0]
    assert after[0, 1] > before[0, 1]
    test_numbers_of_two_points(opened)
    distance = numbers(opened, "two-points")["Hyperbolic distance"][0]
    sentence = f"Hyperbolic distance {distance:.2f},"
    eventually(lambda: sentence in status.text_content())


def test_points_stay_inside_the_disc(visit: Open) -> None:
    opened = visit()
    point(opened, "two-points", "Point B").focus()
    for _ in range(40):
        opened.page.keyboard.press("Shift+ArrowRight")
    settle(opened)
    assert np.linalg.norm(places(opened, "two-points")[1]) == pytest.approx(0.995)
    test_numbers_of_two_points(opened)


def test_the_tree_moves_and_keeps_its_numbers(visit: Open) -> None:
    opened = visit()
    disc = figure(opened, "tree").get_by_role("application")
    disc.scroll_into_view_if_needed()
    before, image = numbers(opened, "tree"), disc.screenshot()
    box = disc.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x + 50, y + 40, steps=3)
    opened.page.mouse.up()
    settle(opened)
    dragged = disc.screenshot()
    assert dragged != image
    opened.page.mouse.click(x + 60, y)
    settle(opened)
    assert disc.screenshot() != dragged
    assert numbers(opened, "tree") == before


def test_the_wheel_scrolls_the_page(visit: Open) -> None:
    opened = visit()
    box = figure(opened, "two-points").locator(".plot").bounding_box()
    opened.page.mouse.move(box["x"] + 100, box["y"] + 100)
    opened.page.mouse.wheel(0, 200)
    eventually(lambda: opened.js("scrollY") > 0)


def test_the_arrow_goes_around_the_triangle(visit: Open) -> None:
    opened = visit()
    way = figure(opened, "round-trip").get_by_role("slider")
    way.fill("1")
    assert way.input_value() == "1"
    figure(opened, "round-trip").get_by_role("button", name="Carry the arrow around").click()
    eventually(lambda: bool(way.input_value() == "3"))


# -- looks


def test_colors_follow_the_theme(visit: Open) -> None:
    opened = visit(color_scheme="light")
    ink = "getComputedStyle(document.querySelector('figure')).getPropertyValue('--ink')"
    light = opened.js(ink)
    opened.js("document.body.dataset.theme = 'dark'")
    eventually(lambda: opened.js(ink) != light)
    dark = opened.js(ink)
    opened.js("document.body.dataset.theme = 'auto'")
    eventually(lambda: opened.js(ink) == light)
    opened.page.emulate_media(color_scheme="dark")
    eventually(lambda: opened.js(ink) == dark)


def test_figures_fit_a_phone(visit: Open) -> None:
    opened = visit(**PHONE)
    assert opened.js("document.documentElement.scrollWidth") <= 390
    sizes = opened.page.locator(".point").evaluate_all("all => all.map(p => p.offsetWidth)")
    assert min(sizes) >= 44


@pytest.mark.parametrize("look", [("desktop", "light"), ("phone", "dark")], ids="-".join)
def test_there_are_no_barriers(visit: Open, look: tuple[str, str]) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    screen, theme = look
    opened = visit(**(PHONE if screen == "phone" else {}), color_scheme=theme)
    background, color = {"light": ("white", "black"), "dark": ("#131416", "#cfd0d0")}[theme]
    opened.js(
        "style => Object.assign(document.body.style, style)",
        {"background": background, "color": color},
    )
    assert findings(opened) == []
