"""The map that the explorer shows: that of the words, arranged for a graph if there is one."""

from hyperskip.graphs.word_graph import WordGraph
from hyperskip.projection.centering import centered_on
from hyperskip.projection.disc_map import DiscMap, away_from_rim
from hyperskip.vectors.word_vectors import WordVectors


def arranged_for(graph: WordGraph | None, disc_map: DiscMap, vectors: WordVectors) -> DiscMap:
    """Return the map with the root of a taxonomy in the middle, and its words away from the rim."""
    if graph is None:
        return disc_map
    if graph.main_root is not None:
        disc_map = centered_on(disc_map, vectors, vectors[vectors.words[graph.main_root]])
    return away_from_rim(disc_map)
