"""The figures of reports: the same bytes every time, and the right content."""

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest

from hyperskip.pictures.drawing import figures
from hyperskip.pictures.drawing.canvas import image_bytes
from hyperskip.training.objective.loss import hyperbolic_probability

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def scores() -> "Figure":
    curves: list[tuple[str, list[tuple[float, float] | None]]] = [
        ("paper $x", [(0.3, 0.01), None]),
        ("euclidean", [(0.2, 0.0), (0.4, 0.02)]),
    ]
    return figures.scores_figure([5, 20], [("similarity", curves), ("analogy", curves)])


@pytest.mark.parametrize(
    "make",
    [
        figures.hyperboloid_figure,
        lambda: figures.probability_figure(hyperbolic_probability),
        figures.analogy_figure,
        scores,
    ],
)
def test_the_same_figure_has_the_same_bytes(make: "Callable[[], Figure]") -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, second = (image_bytes(make(), "svg") for _ in range(2))
    assert first == second
    assert len(first) < 700_000
    ElementTree.fromstring(first)


def test_the_probability_is_a_half_where_cosh_is_theta() -> None:
    (axes,) = figures.probability_figure(hyperbolic_probability).axes
    for theta, line in zip((1, 2, 3, 4, 5), axes.get_lines(), strict=True):
        distance, chance = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        assert np.interp(np.arccosh(theta), distance, chance) == pytest.approx(0.5, abs=1e-3)


def test_dollar_signs_are_not_a_formula() -> None:
    image_bytes(scores(), "png")
