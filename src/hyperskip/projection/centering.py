"""A map with another point of the space in the middle of the disc."""

from dataclasses import replace

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.projection.disc_map import DiscMap, inside
from hyperskip.projection.methods import EXACT
from hyperskip.projection.placing import Placer
from hyperskip.vectors.word_vectors import WordVectors


def centered_on(disc_map: DiscMap, vectors: WordVectors, point: Floats) -> DiscMap:
    """Move a map by an isometry of the disc; all its distances stay the same.

    Args:
        disc_map: Places of words.
        vectors: All words, including those on the map.
        point: The point (coordinates,) of the space that comes to the middle.
    """
    if disc_map.method == EXACT:
        moved = replace(disc_map, center=point)
        places = Placer(moved, vectors).place(vectors.points_of_rows(disc_map.rows))
        return replace(moved, places=places)
    middle = charts.from_ball(Placer(disc_map, vectors).place(point[None])[0])
    on_disc = hyperboloid.translate_to_base(charts.from_ball(disc_map.places), middle)
    return replace(disc_map, places=inside(charts.to_ball(on_disc)), by_hierarchy=False)
