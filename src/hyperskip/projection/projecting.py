"""From words in space to a map on the disc."""

from hyperskip.projection.disc_map import EXACT, TANGENT, DiscMap, Fidelity
from hyperskip.projection.tangent import project_to_disc
from hyperskip.vectors.search import Rows
from hyperskip.vectors.space import Floats
from hyperskip.vectors.word_vectors import WordVectors


def make_map(vectors: WordVectors, rows: Rows, *, method: str = "auto") -> DiscMap:
    """The words in these rows on the disc."""
    places = project_to_disc(vectors.points[rows], vectors.factors)
    exact = vectors.dimension <= 2
    fidelity = Fidelity(1.0, 1.0) if exact else Fidelity(0.1, 0.1)
    return DiscMap(rows, places, EXACT if exact else TANGENT, fidelity)


def place(disc_map: DiscMap, vectors: WordVectors, points: Floats) -> Floats:
    """(points, 2): where any points of the space go on a map of its words."""
    nearest = vectors.nearest_rows(points, disc_map.rows[:0].repeat(len(points)).reshape(len(points), 0))
    known = dict(zip(disc_map.rows.tolist(), disc_map.places, strict=True))
    return __import__("numpy").array([known.get(int(row), (0.0, 0.0)) for row in nearest])
