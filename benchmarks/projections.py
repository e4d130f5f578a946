"""How well each projection of a model onto the disc preserves neighbors, beside t-SNE and UMAP.

    python benchmarks/projections.py MODEL ... [--words N]

Prints for each model and method: the share of the ten nearest words that are also among the ten
nearest on the disc, the rank correlation of the distances from the center, the distances that
contain half and nine tenths of the words, and the time. All methods use the same graph of nearest
words, which is timed separately. t-SNE (of scikit-learn) has the distances to the nearest 91 words,
which its default perplexity needs, and its own defaults. UMAP is included if umap-learn is
installed: with the hyperboloid as output space, and with the plane. Maps of the plane are scored in
the plane.
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

_TINY = 1e-3  # length of the farthest word on the disc, for maps of the plane
_TSNE_NEIGHBORS = 91  # three times the perplexity, and one


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
    found["t-SNE, plane"] = lambda: _tiny(tsne_places(vectors))
    if importlib.util.find_spec("umap") is not None:
        found["UMAP, hyperboloid"] = lambda: charts.to_ball(
            hyperboloid.from_spatial(umap_places(vectors, graph, "hyperboloid"))
        )
        found["UMAP, plane"] = lambda: _tiny(umap_places(vectors, graph, "euclidean"))
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


def tsne_places(vectors: WordVectors) -> Floats:
    """The result of t-SNE with its own defaults, (words, 2)."""
    from scipy.sparse import csr_array
    from sklearn.manifold import TSNE

    words = len(vectors)
    graph = nearest_words(vectors, ignore, _TSNE_NEIGHBORS)
    own = np.arange(words)[:, None]  # t-SNE counts a word among its neighbors
    rows, distances = np.hstack((own, graph.rows)), np.hstack((0.0 * own, graph.distances))
    starts = np.arange(0, rows.size + 1, rows.shape[1])
    matrix = csr_array((distances.ravel(), rows.ravel(), starts), shape=(words, words))
    return np.asarray(
        TSNE(metric="precomputed", init="random", random_state=1, n_jobs=-1).fit_transform(matrix),
        dtype=np.float64,
    )


def _tiny(flat: Floats) -> Floats:
    """A map of the plane, so small that distances on the disc are those of the plane."""
    centered = flat - flat.mean(axis=0)
    return np.asarray(_TINY * centered / np.linalg.norm(centered, axis=1).max())


if __name__ == "__main__":
    main()
