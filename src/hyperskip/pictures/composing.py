"""From a choice of words to a scene: their places on the disc, and what else it tells."""

import numpy as np

from hyperskip.errors import GeometryError
from hyperskip.geometry.spaces import ROUTES
from hyperskip.pictures.choosing import Choice
from hyperskip.pictures.scene import Analogy, Route, Scene
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.events import Report, ignore
from hyperskip.projection.placing import Placer
from hyperskip.projection.projecting import make_map
from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import WordVectors

_NEIGHBORS = 10  # that the interactive picture lists for a word


def compose(
    vectors: WordVectors,
    choice: Choice,
    *,
    title: str = "",
    method: str = "auto",
    report: Report = ignore,
) -> Scene:
    """The scene of these words.

    Args:
        vectors: Where they lie in space.
        choice: The words, and what they have to do with each other.
        title: A line above the picture.
        method: How they come from space onto the disc.
        report: Is told how far that is.

    Raises:
        GeometryError: The method cannot do that with these vectors, or they are damaged.
        OptionError: There is no such method.
    """
    rows = np.array([vectors.index_of(word) for word in choice.words], dtype=np.int64)
    if not np.isfinite(vectors.coordinates[rows]).all():
        raise GeometryError(
            "the vector of a word is not finite", hint="the model is damaged: train it again"
        )
    disc_map = make_map(vectors, rows, method=method, report=report)
    shown = vectors.subset(rows)
    return Scene(
        title=title,
        words=choice.words,
        places=disc_map.places,
        radii=shown.radii,
        counts=shown.counts if shown.counts.any() else None,
        leading=choice.leading,
        groups=choice.groups,
        group_names=choice.group_names,
        edges=choice.edges,
        neighbors=_neighbors(shown),
        analogy=_analogy(vectors, choice, disc_map),
        left_out=choice.left_out,
        dimension=vectors.dimension,
        method=disc_map.method,
        fidelity=disc_map.fidelity,
    )


def _neighbors(shown: WordVectors) -> tuple[tuple[tuple[int, float], ...], ...]:
    """For each word the nearest of the others that are shown."""
    nearest = shown.neighbors_of(shown.words, _NEIGHBORS)
    return tuple(
        tuple((shown.index_of(near.word), near.distance) for near in nearest[word])
        for word in shown.words
    )


def _analogy(vectors: WordVectors, choice: Choice, disc_map: DiscMap) -> Analogy | None:
    if choice.question is None or choice.answers is None:
        return None
    row = {word: i for i, word in enumerate(choice.words)}
    a, b, c = (row[word] for word in choice.question)
    rows_a, rows_b, rows_c = (_row(vectors, word) for word in choice.question)
    placer = Placer(disc_map, vectors)
    routes = []
    for route in ROUTES:
        point = vectors.analogy_points(rows_a, rows_b, rows_c, route)
        x, y = placer.place(point)[0]
        answers = tuple((row[answer.word], answer.distance) for answer in choice.answers[route])
        routes.append(Route(route, (float(x), float(y)), answers))
    return Analogy(a, b, c, tuple(routes))


def _row(vectors: WordVectors, word: str) -> Rows:
    return np.array([vectors.index_of(word)], dtype=np.int64)
