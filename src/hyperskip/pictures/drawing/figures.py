"""Figures for reports: the hyperboloid, the probability, the analogy and scores."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.names import ROUTES
from hyperskip.geometry.spaces import Hyperboloid
from hyperskip.pictures.drawing.canvas import new_figure

# Colors that color-blind readers can distinguish, on white.
BLUE, ORANGE, GREEN, PURPLE, RED = "#1f5fa8", "#c8590a", "#1b7f5c", "#7a3e9d", "#b3203a"
_GREY, _DARK, _PAPER = "#8a8a8a", "#333333", "#fbfaf6"
_STEPS = np.linspace(0.0, 1.0, 60)
_THETAS, _DEFAULT_THETA = (1.0, 2.0, 3.0, 4.0, 5.0), 3.0


def hyperboloid_figure() -> Figure:
    """Draw the hyperboloid with a geodesic and a tangent plane, and the Poincaré disc below."""
    figure = new_figure(6.6, 6.6)
    axes: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d", computed_zorder=False)
    axes.set_axis_off()
    axes.set_proj_type("ortho")
    axes.view_init(elev=20, azim=-63)
    axes.set_xlim(-2.1, 2.1)
    axes.set_ylim(-2.1, 2.1)
    axes.set_zlim(-0.75, 3.15)
    axes.set_box_aspect((4.2, 4.2, 3.9), zoom=1.3)
    _draw_disc_plane(axes)
    _draw_sheet(axes)
    start, end = hyperboloid.from_spatial([[-1.15, 0.2], [1.35, 0.85]])
    _draw_projection(axes, start, end)
    _draw_tangent_plane(axes, start, hyperboloid.logarithm(start, end))
    return figure


def _draw_sheet(axes: Any) -> None:
    radius, angle = np.meshgrid(np.linspace(0, 1.5, 30), np.linspace(0, 2 * np.pi, 73))
    space = np.stack((np.sinh(radius) * np.cos(angle), np.sinh(radius) * np.sin(angle)), axis=-1)
    x, y, time = np.moveaxis(hyperboloid.from_spatial(space), -1, 0)
    axes.plot_surface(
        x, y, time, color="#c9dcf0", alpha=0.42, linewidth=0, shade=False, zorder=3,
        rcount=80, ccount=40,
    )  # fmt: skip
    lines = {"color": "#9db8d3", "linewidth": 0.5, "zorder": 4}
    for ring in range(5, radius.shape[1], 6):
        axes.plot(x[:, ring], y[:, ring], time[:, ring], **lines)
    for ray in range(0, radius.shape[0], 6):
        axes.plot(x[ray], y[ray], time[ray], **lines)
    axes.plot(x[:, -1], y[:, -1], time[:, -1], color="#5f87ae", linewidth=1.2, zorder=4)
    axes.text(-1.2, 1.9, 2.5, r"$\mathbb{H}^2$", fontsize=17, color="#37638f", zorder=20)


def _draw_disc_plane(axes: Any) -> None:
    angle = np.linspace(0, 2 * np.pi, 181)
    radius, around = np.meshgrid(np.linspace(0, 1, 2), angle)
    axes.plot_surface(
        radius * np.cos(around), radius * np.sin(around), 0 * radius,
        color="#efe6cf", alpha=0.9, linewidth=0, shade=False, zorder=1, rcount=181, ccount=2,
    )  # fmt: skip
    axes.plot(np.cos(angle), np.sin(angle), 0 * angle, color="#9b8a5a", linewidth=1.0, zorder=1)
    axes.text(-1.55, -1.15, 0, "Poincaré disc", fontsize=11, color="#6d5f36", zorder=20)


def _draw_projection(axes: Any, start: Floats, end: Floats) -> None:
    """Draw a geodesic, its image in the disc, and the projecting lines through (0, 0, -1)."""
    curve = hyperboloid.geodesic(start, end, _STEPS)
    axes.plot(*curve.T, color=RED, linewidth=2.4, zorder=8)
    image = charts.to_ball(curve)
    axes.plot(*image.T, 0 * _STEPS, color=RED, linewidth=1.8, zorder=6)
    for point in (start, end):
        lines = np.stack(([0.0, 0.0, -1.0], point))
        axes.plot(*lines.T, color=_GREY, linewidth=0.8, linestyle=(0, (4, 3)), zorder=5)
        axes.scatter(*point, color=RED, s=30, zorder=9, depthshade=False)
        axes.scatter(*charts.to_ball(point), 0, color=RED, s=16, zorder=7, depthshade=False)
    axes.scatter(0, 0, -1, color=_DARK, s=16, zorder=7, depthshade=False)
    axes.text(0.12, 0, -1.08, "(0, 0, −1)", fontsize=10, color=_DARK, zorder=20)
    axes.text(*(start + np.array([-0.05, 0, 0.14])), "p", fontsize=15, style="italic", zorder=20)
    axes.text(*(end + np.array([0.1, 0, 0.02])), "q", fontsize=15, style="italic", zorder=20)


def _draw_tangent_plane(axes: Any, point: Floats, vector: Floats) -> None:
    along = vector / hyperboloid.norm(vector, at=point)
    across = hyperboloid.project_to_tangent(point, np.array([along[1], -along[0], 0.0]))
    across = across - hyperboloid.minkowski_dot(across, along) * along
    across = across / hyperboloid.norm(across, at=point)
    first, second = np.meshgrid([-0.45, 0.75], [-0.5, 0.5])
    plane = point + first[..., None] * along + second[..., None] * across
    axes.plot_surface(
        *np.moveaxis(plane, -1, 0), color="#f5c99b", edgecolor=ORANGE, alpha=0.55, shade=False,
        zorder=7,
    )  # fmt: skip
    axes.quiver(
        *point, *(0.6 * along), color=ORANGE, linewidth=2.0, arrow_length_ratio=0.16, zorder=10
    )
    style = {"fontsize": 14, "color": ORANGE, "zorder": 20}
    axes.text(*(point + 0.4 * along + np.array([0, 0, -0.27])), "v", style="italic", **style)
    axes.text(*(plane[0, 0] + np.array([-0.9, 0, 0.12])), r"$T_p\mathbb{H}^2$", **style)


def probability_figure(probability: Callable[[npt.ArrayLike, float], Floats]) -> Figure:
    """Draw the probability that a word at a distance is a true context, for several theta.

    Args:
        probability: The function of the objective, of a Minkowski product and theta.
    """
    figure = new_figure(6.6, 4.4)
    axes = figure.add_axes((0.1, 0.135, 0.86, 0.83))
    distance = np.linspace(0.0, 4.0, 400)
    colors = (BLUE, GREEN, RED, ORANGE, PURPLE)
    for theta, color in zip(_THETAS, colors, strict=True):
        chance = probability(-np.cosh(distance), theta)
        is_default = theta == _DEFAULT_THETA
        axes.plot(
            distance,
            chance,
            color=color,
            linewidth=2.8 if is_default else 1.7,
            label=f"θ = {theta:g}" + (" (the paper's)" if is_default else ""),
        )
    axes.legend(frameon=False, fontsize=10.5, loc="upper right")
    _plain_axes(axes, "hyperbolic distance d(u, v)", "σ(θ − cosh d)")
    axes.set_xlim(0, 3.6)
    axes.set_ylim(0, 1.02)
    return figure


def analogy_figure() -> Figure:
    """Draw the analogy of the paper on the disc: from A, B and C to Z and to Z'."""
    figure = new_figure(6.2, 6.2)
    axes = figure.add_axes((0.02, 0.02, 0.96, 0.96))
    _draw_disc(axes)
    # Shifted so that the figure is centered.
    a, b, c = charts.from_ball([[-0.4, -0.42], [-0.42, 0.1], [0.1, -0.44]])
    space = Hyperboloid()
    z, other = (space.analogy(a, b, c, route) for route in ROUTES)
    for first, second, color in ((a, b, BLUE), (c, z, BLUE), (a, c, ORANGE), (b, other, ORANGE)):
        curve = charts.to_ball(hyperboloid.geodesic(first, second, _STEPS))
        axes.plot(*curve.T, color=color, linewidth=1.9, zorder=3)
    for at, via, vector, color, name, shift in (
        (a, a, hyperboloid.logarithm(a, b), BLUE, "w", (-16, 4)),
        (a, c, hyperboloid.logarithm(a, b), BLUE, "φ(w)", (-30, 12)),
        (a, a, hyperboloid.logarithm(a, c), ORANGE, "v", (4, -17)),
        (a, b, hyperboloid.logarithm(a, c), ORANGE, "φ(v)", (12, -4)),
    ):
        carried = hyperboloid.parallel_transport(at, via, vector)
        _draw_vector(axes, via, carried, color, name, shift)
    names = {"A": (a, (-16, -15)), "B": (b, (-19, -3)), "C": (c, (7, -15)), "Z": (z, (8, -3)),
             "Z'": (other, (5, 8))}  # fmt: skip
    for name, (point, shift) in names.items():
        x, y = charts.to_ball(point)
        axes.scatter(x, y, s=34, color=_DARK, zorder=5)
        axes.annotate(name, (x, y), shift, textcoords="offset points", fontsize=15, zorder=6)
    return figure


def _draw_vector(
    axes: Axes, point: Floats, vector: Floats, color: str, name: str, shift: tuple[int, int]
) -> None:
    """Draw a tangent vector at its point, with the angles and lengths of the disc."""
    small = 1e-5
    begin = charts.to_ball(point)
    moved = charts.to_ball(hyperboloid.exponential(point, small * vector))
    end = begin + 0.5 * (moved - begin) / small
    axes.annotate(
        "", tuple(end), tuple(begin), zorder=4,
        arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 2.6, "mutation_scale": 17,
                    "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    middle = (begin + end) / 2
    axes.annotate(
        name, tuple(middle), shift, textcoords="offset points", color=color, fontsize=12.5,
        style="italic", zorder=6,
    )  # fmt: skip


def _draw_disc(axes: Axes) -> None:
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-1.02, 1.02)
    axes.set_ylim(-1.02, 1.02)
    axes.add_patch(Circle((0, 0), 1.0, facecolor=_PAPER, edgecolor="#444444", linewidth=1.2))


def scores_figure(
    dimensions: Sequence[int],
    panels: Sequence[tuple[str, Sequence[tuple[str, Sequence[tuple[float, float] | None]]]]],
) -> Figure:
    """Draw scores by dimension.

    Args:
        dimensions: In the order of the axis.
        panels: A title and curves. A curve has a name and, for each dimension, the mean and the
            standard deviation.
    """
    columns = min(len(panels), 2)
    rows = -(-len(panels) // 2)
    figure = new_figure(4.9 * columns, 4.2 * rows)
    colors = (BLUE, ORANGE, GREEN, PURPLE, RED, "#555555", "#0f8b9d", "#8c6d1f")
    for position, (title, curves) in enumerate(panels, start=1):
        axes = figure.add_subplot(rows, columns, position)
        shown = [value for _, values in curves for value in values if value is not None]
        varies = any(deviation > 0 for _, deviation in shown)
        for number, (name, values) in enumerate(curves):
            # Side by side, so that error bars do not hide each other.
            shift = 0.05 * (number - (len(curves) - 1) / 2) if varies else 0.0
            known = [(i, value) for i, value in enumerate(values) if value is not None]
            axes.errorbar(
                [i + shift for i, _ in known],
                [mean for _, (mean, _) in known],
                [deviation for _, (_, deviation) in known],
                label=name.replace("$", r"\$"),
                color=colors[number % len(colors)],
                marker="os^Dv"[number % 5],
                markersize=5,
                linewidth=1.6,
                capsize=3 if varies else 0,
            )
        axes.set_xticks(range(len(dimensions)), [str(dimension) for dimension in dimensions])
        axes.set_xlim(-0.35, len(dimensions) - 0.65)
        _plain_axes(axes, "dimension", title)
        ends = [mean + sign * deviation for mean, deviation in shown for sign in (-1, 1)]
        axes.set_ylim(1.1 * min(0.0, *ends, 0.0), 1.1 * max(0.01, *ends, 0.01))
        if position == 1:
            axes.legend(frameon=False, fontsize=9)
    figure.tight_layout()
    return figure


def _plain_axes(axes: Axes, across: str, up: str) -> None:
    axes.set_xlabel(across, fontsize=11)
    axes.set_ylabel(up, fontsize=11)
    axes.grid(color="#e6e6e6", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
