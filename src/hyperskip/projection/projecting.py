"""From vectors to a map on the disc, by the method that keeps the most neighbors."""

from collections.abc import Callable

import numpy as np

from hyperskip.errors import OptionError
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.projection.closed_form import geodesic_places, tangent_places
from hyperskip.projection.disc_map import DiscMap, Fidelity, inside
from hyperskip.projection.fidelity import fidelity_of
from hyperskip.projection.map_events import Report, ignore
from hyperskip.projection.methods import AUTO, EXACT, FITTED, GEODESIC, POLAR, TANGENT, check_method
from hyperskip.projection.neighbor_graph import nearest_words
from hyperskip.vectors.word_vectors import WordVectors


def make_map(
    vectors: WordVectors,
    rows: Rows,
    *,
    method: str = AUTO,
    seed: int = 1,
    report: Report = ignore,
) -> DiscMap:
    """Make a map of the words in these rows.

    Args:
        vectors: The vectors of the words.
        rows: Rows of the words to map, each once.
        method: `tangent`: the tangent plane at their centroid, in the two directions of greatest
            spread. `geodesic`: the orthogonal projection onto the plane of their two principal
            geodesics. `polar`: the order of radii is kept, and angles are fitted to the graph of
            nearest words. `fitted`: places are fitted to that graph. `auto`: whichever of tangent,
            geodesic and fitted keeps the most neighbors; polar if there is a hierarchy. The map of
            the hyperbolic plane is exact, unless it is polar by the radii of a hierarchy.
        seed: Seed of the fitting; the same seed gives the same map.
        report: Called with the progress.

    Raises:
        OptionError: The method is unknown, or there are no words.
        GeometryError: The method does not exist for this space.
    """
    check_method(method)
    if not len(rows):
        raise OptionError("no words were chosen", hint="choose at least one word")
    shown = vectors.subset(rows)
    if len(rows) == 1:
        return DiscMap(rows, np.zeros((1, 2)), TANGENT, Fidelity(1.0, 1.0))
    by_hierarchy = is_by_hierarchy(vectors, method)
    if is_exact(vectors, method):
        return DiscMap(rows, inside(tangent_places(shown)), EXACT, Fidelity(1.0, 1.0))
    radii = radii_on_map(shown)
    graph = nearest_words(shown, report)
    start = tangent_places(shown)

    def fitted() -> Floats:
        from hyperskip.projection.fitted import fitted_places

        return fitted_places(graph, start, seed, report)

    def polar() -> Floats:
        from hyperskip.projection.fitted import polar_places

        return polar_places(graph, start, radii, seed, report)

    makers: dict[str, Callable[[], Floats]] = {
        TANGENT: lambda: start,
        GEODESIC: lambda: geodesic_places(shown),
        POLAR: polar,
        FITTED: fitted,
    }
    names = (POLAR,) if by_hierarchy else (method,) if method != AUTO else _candidates(vectors)
    places = {name: inside(makers[name]()) for name in names}
    tried = {name: fidelity_of(places[name], graph, radii) for name in names}
    best = max(names, key=lambda name: tried[name].neighbors)
    return DiscMap(rows, places[best], best, tried[best], tried, by_hierarchy=by_hierarchy)


def radii_on_map(vectors: WordVectors) -> Floats:
    """Return the radius of each word that maps and colors show (words,).

    It is the radius in the hierarchy, which means generality, or else the distance from the base
    point, which does not: word frequency says more about generality (docs/model.md).
    """
    return vectors.radii if vectors.hierarchy is None else vectors.hierarchy.radii


def is_by_hierarchy(vectors: WordVectors, method: str) -> bool:
    """Whether distances from the center are in the order of the radii in the hierarchy."""
    return vectors.has_hierarchy and method in (AUTO, POLAR)


def is_exact(vectors: WordVectors, method: str) -> bool:
    """Whether the disc shows the space without distortion."""
    is_plane = vectors.space.is_single_hyperboloid and vectors.dimension <= 2
    return is_plane and not is_by_hierarchy(vectors, method)


def _candidates(vectors: WordVectors) -> tuple[str, ...]:
    """Methods to choose from; of equally good ones, the first is preferred."""
    if vectors.space.is_single_hyperboloid:
        return TANGENT, GEODESIC, FITTED
    return TANGENT, FITTED
