"""How many neighbors the lens of a word keeps, by several scales of the distances from the word.

    python benchmarks/lens.py MODEL ... [--words N] [--counts 100 150 200] [--queries 200]

For random words of each model, prints the share of the ten nearest words, among those of the lens,
that are also among the ten nearest on the lens: on the map, with the true distances from the middle
(one scale for all), with the scale of the lens, which begins at the nearest word, and with a free
fit by the method of maps. The last column is the median time of a lens in milliseconds.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from reporting import print_markdown

from hyperskip.geometry.arrays import Floats
from hyperskip.projection.closed_form import tangent_places
from hyperskip.projection.disc_map import DiscMap, inside
from hyperskip.projection.fitted import fitted_places
from hyperskip.projection.lens import KEPT, DistanceScale, lens_of, nearest_of, prepare, share_kept
from hyperskip.projection.map_events import ignore
from hyperskip.projection.methods import MAP_WORDS
from hyperskip.projection.neighbor_graph import nearest_words
from hyperskip.projection.projecting import make_map
from hyperskip.vectors.model_file import load
from hyperskip.vectors.word_vectors import WordVectors

_SEED = 20180901


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--words", type=int, default=MAP_WORDS.default)
    parser.add_argument("--counts", type=int, nargs="+", default=[100, 150, 200])
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    prepare()
    for path in arguments.models:
        vectors = load(path)
        vectors = vectors.subset(np.arange(min(arguments.words, len(vectors))))
        disc_map = make_map(vectors, np.arange(len(vectors)))
        random = np.random.default_rng(_SEED)
        queries = random.choice(len(vectors), min(arguments.queries, len(vectors)), replace=False)
        print(f"\n{path.name}: {vectors!r}, {len(queries)} words\n")
        print_markdown(
            ["words", "map", "true distances", "lens", "free", "ms"],
            [row(vectors, disc_map, queries.tolist(), count) for count in arguments.counts],
        )


def row(vectors: WordVectors, disc_map: DiscMap, queries: list[int], count: int) -> list[str]:
    """A row of the table: the mean over all queries."""
    found = [_shares(vectors, disc_map, query, count) for query in queries]
    *shares, _ = np.mean(found, axis=0)
    milliseconds = 1000 * np.median([one[-1] for one in found])
    return [str(count), *(f"{share:.3f}" for share in shares), f"{milliseconds:.0f}"]


def _shares(vectors: WordVectors, disc_map: DiscMap, query: int, count: int) -> list[float]:
    point = vectors.points_of_rows(np.array([query]))
    (near,) = vectors.nearest(point, count, np.array([[query]]))
    rows = np.concatenate(([query], near.rows))
    points = vectors.points_of_rows(rows)
    distances = np.stack([vectors.space.distance(points, one) for one in points])
    np.fill_diagonal(distances, 0.0)
    nearest = nearest_of(distances, KEPT)
    started = time.perf_counter()
    lens = lens_of(distances)
    seconds = time.perf_counter() - started
    true = DistanceScale(0.0, float(distances[0].max()), 0.0)
    return [
        share_kept(disc_map.places[rows], nearest),
        lens_of(distances, scale=true).kept,
        lens.kept,
        share_kept(_free_places(vectors.subset(rows)), nearest),
        seconds,
    ]


def _free_places(vectors: WordVectors) -> Floats:
    """Places that are fitted without regard to the word in the middle."""
    graph = nearest_words(vectors, ignore)
    return inside(fitted_places(graph, tangent_places(vectors), 1, ignore))


if __name__ == "__main__":
    main()
