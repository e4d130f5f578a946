"""How well each projection of a model onto the disc preserves neighbors, compared with UMAP.

    python benchmarks/projections.py MODEL ... [--words N]

Prints for each model and method: the share of the ten nearest words that are also among the ten
nearest on the disc, the rank correlation of the distances from the center, the distances that
contain half and nine tenths of the words, and the time. All methods use the same graph of nearest
words, which is timed separately. UMAP is included if umap-learn is installed: with the hyperboloid
as output space, and with the plane, whose directions and distances from the center are used.
"""

import argparse
import importlib.util
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from reporting import print_markdown

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.projection.closed_form import geodesic_places, tangent_places
from hyperskip.projection.disc_map import inside
from hyperskip.projection.fidelity import fidelity_of
from hyperskip.projection.fitted import fitted_places, polar_places
from hyperskip.projection.map_events import ignore
from hyperskip.projection.methods import MAP_WORDS
from hyperskip.projection.neighbor_graph import NeighborGraph, nearest_words
from hyperskip.vectors.model_file import load
from hyperskip.vectors.word_vectors import WordVectors

_FLAT_RADIUS = 3.0  # of the farthest word from the center, for UMAP's plane


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument(
        "--words", type=int, default=MAP_WORDS.default, help="number of frequent words"
    )
    arguments = parser.parse_args()
    for path in arguments.models:
        vectors = load(path)
        vectors = vectors.subset(np.arange(min(arguments.words, len(vectors))))
        started = time.perf_counter()
        graph = nearest_words(vectors, ignore)
        seconds = time.perf_counter() - started
        print(f"\n{path.name}: {vectors!r}; nearest words in {seconds:.1f} s\n")
        print_markdown(
            ["method", "neighbors kept", "radii", "half within", "nine tenths", "seconds"],
            list(rows(vectors, graph)),
        )


def rows(vectors: WordVectors, graph: NeighborGraph) -> Iterator[list[str]]:
    """A row of the table for each method."""
    for name, place in methods(vectors, graph).items():
        started = time.perf_counter()
        places = inside(place())
        seconds = time.perf_counter() - started
        fidelity = fidelity_of(places, graph, vectors.radii)
        half, most = np.percentile(2 * np.arctanh(np.linalg.norm(places, axis=1)), [50, 90])
        yield [
            *(name, f"{fidelity.neighbors:.3f}", f"{fidelity.radii:.2f}"),
            *(f"{half:.2f}", f"{most:.2f}", f"{seconds:.1f}"),
        ]


def methods(vectors: WordVectors, graph: NeighborGraph) -> dict[str, Callable[[], Floats]]:
    """The projections by name."""
    beginning = tangent_places(vectors)
    found: dict[str, Callable[[], Floats]] = {
        "chance": lambda: np.random.default_rng(1).permutation(beginning),
        "tangent": lambda: tangent_places(vectors),
    }
    if vectors.geometry == "hyperboloid" and vectors.factors == 1:
        found["geodesic"] = lambda: geodesic_places(vectors)
    found["polar"] = lambda: polar_places(graph, beginning, vectors.radii, 1, ignore)
    found["fitted"] = lambda: fitted_places(graph, beginning, 1, ignore)
    if importlib.util.find_spec("umap") is not None:
        found["UMAP, hyperboloid"] = lambda: charts.to_ball(
            hyperboloid.from_spatial(umap_places(vectors, graph, "hyperboloid"))
        )
        found["UMAP, plane"] = lambda: _from_plane(umap_places(vectors, graph, "euclidean"))
    return found


def umap_places(vectors: WordVectors, graph: NeighborGraph, space: str) -> Floats:
    """The result of UMAP on the same graph, with its own defaults, (words, 2)."""
    import umap

    words = np.arange(len(vectors))[:, None]
    known = (
        np.hstack((words, graph.rows)),  # UMAP counts a word among its neighbors
        np.hstack((np.zeros_like(words), graph.distances)).astype(np.float32),
        object(),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = umap.UMAP(
            n_neighbors=known[0].shape[1],
            output_metric=space,
            precomputed_knn=known,
            random_state=1,
        )
        return np.asarray(fitted.fit_transform(vectors.coordinates), dtype=np.float64)


def _from_plane(flat: Floats) -> Floats:
    """Map the plane to the disc; keeps directions and, up to scale, distances from the center."""
    centered = flat - flat.mean(axis=0)
    radii = np.linalg.norm(centered, axis=1, keepdims=True)
    scale = _FLAT_RADIUS / radii.max()
    return np.asarray(np.tanh(radii * scale / 2.0) * centered / np.maximum(radii, 1e-12))


if __name__ == "__main__":
    main()
