"""Comparison of hypernymy scores: the study behind the scores of `hyperskip evaluate`.

    python benchmarks/hypernymy.py MODEL ... --data eval

Prints, as Markdown, how well each score agrees with HyperLex (Spearman) and BLESS (average
precision): first the scores of `hyperskip evaluate`, then others that were tried. There are two
figures for each, on the even pairs of a set, which were used to choose the scores, and on the odd
pairs. Models of the same geometry and dimension are averaged.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from reporting import print_markdown
from scipy import special

from hyperskip.evaluation.hypernymy_figures import average_precision
from hyperskip.evaluation.hypernymy_scores import hypernymy_scores
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.names import ANGLE, DISTANCE
from hyperskip.rank_correlation import spearman
from hyperskip.vectors.model_file import load
from hyperskip.vectors.word_vectors import WordVectors


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, help="folder with the evaluation sets")
    arguments = parser.parse_args()
    models: dict[str, list[WordVectors]] = {}
    for vectors in map(load, arguments.models):
        models.setdefault(f"{vectors.geometry} {vectors.dimension}", []).append(vectors)
    for name in ("hyperlex", "bless"):
        pairs = hypernymy_pairs(name, arguments.data)[name]
        table = {title: averaged(similar, pairs) for title, similar in models.items()}
        scores = next(iter(table.values()))
        print(f"\n{name}, even / odd pairs\n")
        print_markdown(
            ["score", *table],
            [[score, *(table[title][score] for title in table)] for score in scores],
        )


def averaged(models: Sequence[WordVectors], pairs: Sequence[RatedPair]) -> dict[str, str]:
    """The agreement of each score with even and odd pairs, averaged over models."""
    halves = [[agreements(vectors, pairs[begin::2]) for vectors in models] for begin in (0, 1)]
    return {
        score: " / ".join(f"{np.mean([each[score] for each in half]):.3f}" for half in halves)
        for score in halves[0][0]
    }


def agreements(vectors: WordVectors, pairs: Sequence[RatedPair]) -> dict[str, float]:
    """Rank correlation of each score with graded labels, or average precision for yes and no."""
    rows = vectors.known_rows(word for pair in pairs for word in pair[:2]).reshape(-1, 2)
    known = (rows >= 0).all(axis=1)
    first, second = rows[known].T
    labels = np.array([pair.score for pair in pairs])[known]
    scores = hypernymy_scores(vectors, first, second) | other_scores(vectors, first, second)
    if len(np.unique(labels)) > 2:
        return {name: spearman(score, labels) or 0.0 for name, score in scores.items()}
    return {name: average_precision(score, labels > labels.min()) for name, score in scores.items()}


def other_scores(vectors: WordVectors, first: Rows, second: Rows) -> dict[str, Floats]:
    """Scores that were tried and not adopted."""
    cosines = vectors.measured_by(ANGLE).similarity_of_rows(first, second)
    lengths = -vectors.measured_by(DISTANCE).similarity_of_rows(first, second)
    distances = vectors.distance_of_rows(first, second)
    inner, outer = vectors.radii[second], vectors.radii[first]
    differences = (outer - inner) / vectors.radii.std()
    return {
        "cosine · Φ(Δr)": cosines * special.ndtr(differences / np.sqrt(2.0)),
        "cosine + 0.3 Δr": cosines + 0.3 * differences,
        "cosine + Δr": cosines + differences,
        "cosine · Δr / r": cosines * (1.0 - inner / outer),
        "nickel-kiela, α 1": -(1.0 + inner - outer) * distances,
        "detour to the first through the second": -(inner + lengths - outer),
    }


if __name__ == "__main__":
    main()
