"""The content of a picture, independent of how it is drawn: words, positions, groups and edges."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError
from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.names import ROUTES
from hyperskip.pictures.request.choice import Choice, Edge
from hyperskip.projection.centering import centered_on
from hyperskip.projection.disc_map import DiscMap, Fidelity, away_from_rim
from hyperskip.projection.map_events import Report, ignore
from hyperskip.projection.methods import EXACT
from hyperskip.projection.placing import Placer
from hyperskip.projection.projecting import make_map, radii_on_map
from hyperskip.vectors.word_vectors import WordVectors

_NEIGHBORS = 10  # listed for each word by the interactive picture


@dataclass(frozen=True)
class Route:
    """The point where one route of an analogy ends, and the words nearest to it."""

    name: str  # Z or Z'
    place: tuple[float, float]
    answers: tuple[tuple[int, float], ...]  # index of a word, and its distance in the space


@dataclass(frozen=True)
class Analogy:
    """The analogy a : b = c : ?, by indices of words, and both answers."""

    a: int
    b: int
    c: int
    routes: tuple[Route, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """The content of a picture, with the most important words first."""

    title: str
    words: tuple[str, ...]
    labels: tuple[str, ...]  # written instead of the words
    places: Floats  # (words, 2), inside the unit circle
    radii: Floats | None  # (words,) as `radii_on_map`; None for a tree, which is in no space
    has_hierarchy: bool  # whether radii mean generality
    counts: npt.NDArray[np.int64] | None  # (words,), or None if unknown
    leading: int  # number of words at the start that the picture is about
    groups: tuple[int, ...] | None  # index into group_names, or NO_GROUP, for each word
    group_names: tuple[str, ...]
    edges: tuple[Edge, ...]
    neighbors: tuple[tuple[tuple[int, float], ...], ...]  # index and distance in the space
    analogy: Analogy | None
    importance: Floats | None  # (words,), 0 to 1: number of nodes below each node of a graph
    depths: Floats | None  # (words,) in a hierarchy, whose edges lead from child to parent
    by_depth: bool  # whether colors show depths
    left_out: tuple[str, ...]  # words of categories or edges that are not in the vocabulary
    dimension: int
    scale: float  # distance from the center in the picture, relative to that on the map
    method: str
    fidelity: Fidelity
    by_hierarchy: bool  # whether general words are in the middle

    @property
    def numbers(self) -> Floats:
        """What colors show if there are no groups: depths or radii."""
        numbers = self.depths if self.by_depth or self.radii is None else self.radii
        assert numbers is not None
        return numbers

    @property
    def is_exact(self) -> bool:
        """Whether distances in the picture are those in the space."""
        return self.method == EXACT and self.scale == 1.0


def compose(
    vectors: WordVectors,
    choice: Choice,
    *,
    title: str = "",
    method: str = "auto",
    center: str | None = None,
    report: Report = ignore,
) -> Scene:
    """Project the chosen words onto the disc.

    Args:
        vectors: The model.
        choice: The words, and how they relate to each other.
        title: Title above the picture.
        method: Method that projects words onto the disc.
        center: Word in the middle of the disc. Default: that of the choice, or the centroid.
        report: Called with the progress.

    Raises:
        GeometryError: The vectors are damaged, or the method does not support their geometry.
        OptionError: There is no such method.
        UnknownWordError: The word in the middle is not in the vocabulary.
    """
    rows = vectors.rows_of(choice.words)
    if not np.isfinite(vectors.coordinates[rows]).all():
        raise GeometryError(
            "the vector of a word is not finite", hint="the model is damaged; train it again"
        )
    disc_map = make_map(vectors, rows, method=method, report=report)
    if (middle := center or choice.middle) is not None:
        disc_map = centered_on(disc_map, vectors, vectors[middle])
    if choice.importance is not None:
        disc_map = away_from_rim(disc_map)
    shown = vectors.subset(rows)
    return Scene(
        title=title,
        words=choice.words,
        labels=choice.labels or choice.words,
        places=disc_map.places,
        radii=radii_on_map(shown),
        has_hierarchy=shown.has_hierarchy,
        counts=shown.counts if shown.counts.any() else None,
        leading=choice.leading,
        groups=choice.groups,
        group_names=choice.group_names,
        edges=choice.edges,
        neighbors=_neighbors(shown),
        analogy=_analogy(vectors, choice, disc_map),
        importance=None if choice.importance is None else np.array(choice.importance),
        depths=None if choice.depths is None else np.array(choice.depths, dtype=np.float64),
        by_depth=choice.by_depth,
        left_out=choice.left_out,
        dimension=vectors.dimension,
        scale=disc_map.scale,
        method=disc_map.method,
        fidelity=disc_map.fidelity,
        by_hierarchy=disc_map.by_hierarchy,
    )


def _neighbors(shown: WordVectors) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Return, for each word, the nearest of the other words in the picture."""
    itself = np.arange(len(shown))[:, None]
    return tuple(
        tuple(zip(nearest.rows.tolist(), nearest.distances.tolist(), strict=True))
        for nearest in shown.nearest(shown.points, _NEIGHBORS, excluded=itself)
    )


def _analogy(vectors: WordVectors, choice: Choice, disc_map: DiscMap) -> Analogy | None:
    if choice.question is None or choice.answers is None:
        return None
    row = {word: i for i, word in enumerate(choice.words)}
    a, b, c = (row[word] for word in choice.question)
    rows_a, rows_b, rows_c = vectors.rows_of(choice.question)[:, None]
    placer = Placer(disc_map, vectors)
    routes = []
    for route in ROUTES:
        point = vectors.analogy_points(rows_a, rows_b, rows_c, route)
        x, y = placer.place(point)[0]
        answers = tuple((row[answer.word], answer.distance) for answer in choice.answers[route])
        routes.append(Route(route, (float(x), float(y)), answers))
    return Analogy(a, b, c, tuple(routes))
