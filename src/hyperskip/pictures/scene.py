"""What a picture shows, whoever draws it: words and their places, groups, edges, an analogy."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.spaces import Floats
from hyperskip.projection.disc_map import EXACT, Fidelity

Edge = tuple[int, int]  # two of the scene's words


@dataclass(frozen=True)
class Route:
    """Where one route of an analogy ends, and the words that are nearest to that point."""

    name: str  # Z or Z'
    place: tuple[float, float]
    answers: tuple[tuple[int, float], ...]  # a word of the scene, and its distance in space


@dataclass(frozen=True)
class Analogy:
    """The question a : b = c : ? by words of the scene, and both answers."""

    a: int
    b: int
    c: int
    routes: tuple[Route, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """A picture's content. Of the words, the most important come first."""

    title: str
    words: tuple[str, ...]
    places: Floats  # (words, 2), inside the unit circle
    radii: Floats  # (words,) in space
    counts: npt.NDArray[np.int64] | None  # (words,), or None where they are not known
    leading: int  # how many of the first words the picture is about
    groups: tuple[int, ...] | None  # one of group_names for each word
    group_names: tuple[str, ...]
    edges: tuple[Edge, ...]
    neighbors: tuple[tuple[tuple[int, float], ...], ...]  # of the words shown; distances in space
    analogy: Analogy | None
    left_out: int  # how many words were asked for that the vectors do not know
    dimension: int
    method: str
    fidelity: Fidelity

    @property
    def is_exact(self) -> bool:
        """Whether distances on the picture are those in space."""
        return self.method == EXACT
