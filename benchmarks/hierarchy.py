"""What a hierarchy from relations knows, compared with the relations themselves and with their SVD.

    python benchmarks/hierarchy.py MODEL RELATIONS --data eval [--sets bless hyperlex]
        [--dimensions 30 10 20 50 100] [--peer 100]

MODEL is a model file, or a text to train one on. RELATIONS is what `hyperskip relations` wrote. For
each hypernymy set, it prints the average precision of true pairs, or Spearman's rank correlation
with grades, among pairs whose words are both in the vocabulary, of:

- scores without vectors: frequency; the count of the pair; its PPMI; and the truncated SVD of the
  PPMI matrix (Roller, Kiela & Nickel, 2018) with `--peer` dimensions;
- `is_a`, for each dimension of the hierarchy;
- the radius, and `is_a` without some parts of the hierarchy, at the first dimension.

Below, it prints how often the direction of true pairs is right if one of the words has no
relations, and the peak memory of a process that adds a hierarchy.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from one_training import peak_bytes
from reporting import print_markdown

from hyperskip import WordVectors, add_hierarchy, load, train
from hyperskip.evaluation.hypernymy_figures import average_precision
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.evaluation.known_terms import OtherForms, find_terms
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.rank_correlation import spearman
from hyperskip.text.relations.pattern_file import read_language
from hyperskip.text.relations.word_classes import Singulars
from hyperskip.training.hierarchy import adding, factorization, placing
from hyperskip.training.hierarchy.adding import with_hierarchy
from hyperskip.training.hierarchy.given_relations import given_relations
from hyperskip.training.hierarchy.word_relations import KnownRelations, relations_of_words

Score = Callable[[Rows, Rows], Floats]  # of the first and second words of pairs, by their rows


class Pairs:
    """The pairs of a set whose words are both known.

    Args:
        vectors: The words.
        pairs: Labeled pairs.
    """

    def __init__(self, vectors: WordVectors, pairs: Sequence[RatedPair]) -> None:
        words = [word for pair in pairs for word in pair[:2]]
        rows = find_terms(vectors, words, OtherForms()).rows.reshape(-1, 2)
        is_known = (rows >= 0).all(axis=1)
        self.first, self.second = rows[is_known].T
        self.labels = np.array([pair.score for pair in pairs])[is_known]
        self.coverage = f"{is_known.sum():,} of {len(pairs):,}"

    @property
    def is_graded(self) -> bool:
        """Whether labels are grades, and not true or false."""
        return not set(self.labels.tolist()) <= {-1.0, 0.0, 1.0}

    def agreement(self, score: Score) -> float:
        """Rank correlation with grades, or average precision of true pairs."""
        scores = score(self.first, self.second)
        if self.is_graded:
            return spearman(scores, self.labels) or 0.0
        return average_precision(scores, self.labels > 0)

    def direction(self, score: Score, has_relations: npt.NDArray[np.bool_]) -> tuple[float, int]:
        """Share of true pairs with the right direction if one word has no relations, and number."""
        is_asked = (self.labels > 0) & ~(has_relations[self.first] & has_relations[self.second])
        first, second = self.first[is_asked], self.second[is_asked]
        return float(np.mean(score(first, second) > score(second, first))), len(first)


def scores_without_vectors(
    vectors: WordVectors, known: KnownRelations, dimension: int
) -> dict[str, Score]:
    """Scores from frequencies and relations alone."""
    stated, bases = known
    counts = sp.coo_array(stated.counts)
    expected = stated.as_narrower[counts.row] * stated.as_broader[counts.col]
    ppmi = np.maximum(np.log(counts.data * counts.data.sum() / expected), 0.0)
    matrix = sp.csr_array((ppmi, (counts.row, counts.col)), shape=counts.shape)
    left: Floats
    right: Floats
    left, values, right = sp.linalg.svds(matrix, dimension, random_state=1)
    frequencies = np.log(np.maximum(vectors.counts, 1))

    def cells(table: sp.csr_array) -> Score:
        return lambda first, second: np.asarray(table[bases[first], bases[second]])

    return {
        "frequency": lambda first, second: frequencies[second] - frequencies[first],
        "count of the pair": cells(stated.counts),
        "PPMI of the pair": cells(matrix),
        f"SVD of PPMI, d {dimension}": lambda first, second: np.einsum(
            "pd,pd->p", left[bases[first]] * values, right.T[bases[second]]
        ),
    }


def is_a(vectors: WordVectors) -> Score:
    """The score of `vectors.is_a`."""
    return vectors.is_a_of_rows


def radius(vectors: WordVectors) -> Score:
    """The difference of the radii in the hierarchy."""
    radii = vectors.hierarchy_radii
    return lambda first, second: radii[first] - radii[second]


def variants(vectors: WordVectors, known: KnownRelations, dimension: int) -> dict[str, Score]:
    """Hierarchies without some of their parts."""
    words = len(vectors)

    def made(module: object, name: str, value: object) -> Score:
        with patch.object(module, name, value):
            return is_a(with_hierarchy(vectors, known, dimension, 1))

    def no_words(*_: object) -> sp.csr_array:
        return sp.csr_array((words, words))

    def full_trust(*_: object) -> Floats:
        return np.ones(words)

    return {
        "is_a without similar words": made(adding, "similar_words", no_words),
        "is_a without the relations of broader words": made(factorization, "_BY_BROADER", 0.0),
        "is_a without frequency": made(placing, "_FREQUENCY", 0.0),
        "is_a with every word as a noun": made(placing, "noun_trust", full_trust),
    }


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, metavar="MODEL")
    parser.add_argument("relations", type=Path, metavar="RELATIONS")
    parser.add_argument("--data", type=Path, help="folder with the hypernymy sets")
    parser.add_argument("--sets", nargs="+", default=["bless", "hyperlex"])
    parser.add_argument("--dimensions", type=int, nargs="+", default=[30, 10, 20, 50, 100])
    parser.add_argument("--peer", type=int, default=100)
    parser.add_argument("--peak", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peak:
        add_hierarchy(arguments.model, arguments.relations)
        print(peak_bytes() // 10**6)
        return
    is_model = arguments.model.suffix == ".safetensors"
    vectors = load(arguments.model) if is_model else train(arguments.model, dimension=100)
    relations = given_relations(arguments.relations)
    known = relations_of_words(vectors, relations, Singulars(read_language(None)).__getitem__)
    sets = {
        title: Pairs(vectors, pairs)
        for name in arguments.sets
        for title, pairs in hypernymy_pairs(name, arguments.data).items()
    }
    print(f"{vectors}: {known.stated.counts.nnz:,} of {relations.edge_count:,} relations")
    print("".join(f"{title}: {pairs.coverage} pairs are known\n" for title, pairs in sets.items()))
    table: list[list[str]] = []

    def add(scores: dict[str, Score], seconds: float | None = None) -> None:
        for name, score in scores.items():
            figures = [f"{pairs.agreement(score):.3f}" for pairs in sets.values()]
            table.append([name, *figures, "" if seconds is None else f"{seconds:.1f}"])

    add(scores_without_vectors(vectors, known, arguments.peer))
    models = []
    for dimension in arguments.dimensions:
        began = time.perf_counter()
        models.append(with_hierarchy(vectors, known, dimension, 1))
        seconds = time.perf_counter() - began
        add({f"is_a, d {dimension}": is_a(models[-1])}, seconds)
    add({"radius": radius(models[0])})
    add(variants(vectors, known, arguments.dimensions[0]))
    print_markdown(["score", *sets, "seconds"], table)
    has_relations = known.stated.evidence[known.bases] > 0
    for title, pairs in sets.items():
        if not pairs.is_graded:
            share, number = pairs.direction(is_a(models[0]), has_relations)
            print(
                f"\n{title}: direction of {number} pairs without relations of a word: {share:.3f}"
            )
    if is_model:
        command = [sys.executable, __file__, arguments.model, arguments.relations, "--peak"]
        peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        print(f"peak memory of a process that adds a hierarchy: {peak} MB")


if __name__ == "__main__":
    main()
