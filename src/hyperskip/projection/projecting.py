"""From words in space to a map on the disc, by the method that keeps most neighbors together."""

from collections.abc import Callable

import numpy as np

from hyperskip.errors import OptionError
from hyperskip.geometry.spaces import Floats
from hyperskip.projection.disc_map import DiscMap, Fidelity, inside
from hyperskip.projection.events import Report, ignore
from hyperskip.projection.fidelity import fidelity_of
from hyperskip.projection.geodesic import geodesic_places
from hyperskip.projection.graph import nearest_words
from hyperskip.projection.methods import AUTO, EXACT, FITTED, GEODESIC, POLAR, TANGENT, check_method
from hyperskip.projection.tangent import tangent_places
from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import WordVectors


def make_map(
    vectors: WordVectors,
    rows: Rows,
    *,
    method: str = AUTO,
    seed: int = 1,
    report: Report = ignore,
) -> DiscMap:
    """The words in these rows on the disc.

    Args:
        vectors: Where they are in space.
        rows: Which words are to be shown, each once.
        method: `tangent`: seen from their centroid, in the two widest directions. `geodesic`: their
            perpendiculars on the plane of their two principal geodesics. `polar`: the order of
            radii is kept, and angles are fitted to the graph of nearest words. `fitted`: places are
            fitted to that graph. `auto`: of tangent, geodesic and fitted the one that keeps most
            neighbors. In the hyperbolic plane nothing is lost, and any method gives the plane.
        seed: Of what is fitted; the same seed gives the same map.
        report: Is told how far it is.

    Raises:
        OptionError: There is no such method, or there are no words.
        GeometryError: The method cannot be used in this space.
    """
    check_method(method)
    if not len(rows):
        raise OptionError("no words were chosen", hint="a map takes at least one")
    shown = vectors.subset(rows)
    if len(rows) == 1:
        return DiscMap(rows, np.zeros((1, 2)), TANGENT, Fidelity(1.0, 1.0))
    if is_exact(vectors):
        return DiscMap(rows, inside(tangent_places(shown)), EXACT, Fidelity(1.0, 1.0))
    graph = nearest_words(shown, report)
    beginning = tangent_places(shown)

    def fitted() -> Floats:
        from hyperskip.projection.fitted import fitted_places

        return fitted_places(graph, beginning, seed, report)

    def polar() -> Floats:
        from hyperskip.projection.fitted import polar_places

        return polar_places(graph, beginning, shown.radii, seed, report)

    makers: dict[str, Callable[[], Floats]] = {
        TANGENT: lambda: beginning,
        GEODESIC: lambda: geodesic_places(shown),
        POLAR: polar,
        FITTED: fitted,
    }
    names = _candidates(vectors) if method == AUTO else (method,)
    places = {name: inside(makers[name]()) for name in names}
    tried = {name: fidelity_of(places[name], graph, shown.radii) for name in names}
    best = max(names, key=lambda name: tried[name].neighbors)
    return DiscMap(rows, places[best], best, tried[best], tried)


def is_exact(vectors: WordVectors) -> bool:
    """Whether the disc is the space itself."""
    return vectors.space.is_hyperbolic and vectors.dimension <= 2


def _candidates(vectors: WordVectors) -> tuple[str, ...]:
    """Methods to choose from, the one to prefer first where they are equally good."""
    if vectors.space.is_hyperbolic:
        return TANGENT, GEODESIC, FITTED
    return TANGENT, FITTED
