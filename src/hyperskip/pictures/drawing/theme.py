"""Colors of a picture, on a light and on a dark background."""

from dataclasses import dataclass

import numpy as np

from hyperskip.geometry.arrays import Floats
from hyperskip.pictures.request.choice import NO_GROUP

# Consecutive colors differ in hue and in lightness, for color-blind readers.
_ON_LIGHT = (
    "#1f5fa8", "#c8590a", "#1b7f5c", "#b3203a", "#7a3e9d", "#0f8b9d", "#8c6d1f", "#c2438c",
    "#4d7a1a", "#5866c9", "#a0522d", "#2f4f4f", "#d18f00", "#6b7280", "#3a9a45", "#92264f",
    "#2aa0d8", "#7a5c99", "#b56a5a", "#556b2f",
)  # fmt: skip
_ON_DARK = (
    "#6cb0f5", "#ff9d52", "#4fd1a5", "#ff7a8a", "#c79bf2", "#4fd6e8", "#e0c060", "#ff8fcf",
    "#a6d65c", "#9aa6ff", "#e0a080", "#9fc5c5", "#ffc94d", "#b6bdc9", "#7fdf88", "#f084b0",
    "#86d3ff", "#c9b0e6", "#f0b0a4", "#c0d68f",
)  # fmt: skip

_RAMP_QUANTILES = (0.02, 0.98)


@dataclass(frozen=True)
class Theme:
    """The colors of the parts of a picture."""

    paper: str
    disc: str
    rim: str
    ring: str
    ink: str
    muted: str
    palette: tuple[str, ...]  # of groups, repeated if there are more
    ramp: str  # name of the matplotlib colormap from small to large numbers
    ramp_ends: tuple[float, float]  # the part of it that contrasts with the disc
    text_shade: float  # brightness of a label, relative to its dot

    def of_group(self, group: int) -> str:
        """Return the color of a group."""
        return self.muted if group == NO_GROUP else self.palette[group % len(self.palette)]

    def by_number(self, numbers: Floats) -> Floats:
        """Return colors (words, 4) by numbers: radii or depths."""
        from matplotlib import colormaps

        low, high = self.ramp_ends
        # A few distant words must not make all others look the same.
        first, last = np.quantile(numbers, _RAMP_QUANTILES)
        share = np.clip((numbers - first) / max(float(last - first), 1e-12), 0.0, 1.0)
        colors: Floats = colormaps[self.ramp](low + (high - low) * share)
        return colors

    def shaded(self, color: Floats) -> tuple[float, float, float]:
        """Return the color of the label of a dot."""
        red, green, blue = (self.text_shade * float(part) for part in color[:3])
        return red, green, blue


LIGHT = Theme(
    paper="#ffffff",
    disc="#fbfaf6",
    rim="#55534c",
    ring="#e3dfd3",
    ink="#26241f",
    muted="#77736a",
    palette=_ON_LIGHT,
    ramp="viridis",
    ramp_ends=(0.0, 0.82),
    text_shade=0.72,
)
DARK = Theme(
    paper="#14161a",
    disc="#1c1f25",
    rim="#8b8f98",
    ring="#32363f",
    ink="#eceae4",
    muted="#9a9da5",
    palette=_ON_DARK,
    ramp="viridis",
    ramp_ends=(0.38, 1.0),
    text_shade=1.0,
)
