"""Does the paper's locking matter? The same training with locks and without, over several seeds.

    python benchmarks/locking.py CORPUS --data DIR [--seeds 3] [--dimension 20] [--threads 2]

Prints similarity, analogy, time and the share of pairs skipped for each run, then the difference of
the means beside the spread between seeds.
"""

import argparse
import statistics
import time
from pathlib import Path

from hyperskip import WordVectors, train
from hyperskip.evaluation.analogy import evaluate_analogies
from hyperskip.evaluation.datasets import SIMILARITY_SETS, analogy_questions, similarity_pairs
from hyperskip.evaluation.similarity import average_spearman, evaluate_similarity


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, help="folder with the evaluation sets")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--dimension", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()

    print("locking  seed  similarity  Z       Z'      skipped   seconds", flush=True)
    averages: dict[bool, list[float]] = {False: [], True: []}
    for seed in range(1, arguments.seeds + 1):
        for locking in (False, True):  # interleaved: the machine's moods fall on both
            began = time.perf_counter()
            vectors = train(
                arguments.corpus,
                preset="paper",
                dimension=arguments.dimension,
                rate=0.05,
                threads=arguments.threads,
                seed=seed,
                locking=locking,
            )
            seconds = time.perf_counter() - began
            average = similarity_of(vectors, arguments.data)
            averages[locking].append(average)
            questions = analogy_questions("google", arguments.data)
            z, z_prime = (
                evaluate_analogies(vectors, questions, route).total.accuracy
                for route in ("Z", "Z'")
            )
            pairs = sum(epoch["pairs"] for epoch in vectors.history)
            skipped = sum(epoch["skipped"] for epoch in vectors.history)
            print(
                f"{locking!s:7}  {seed:4}  {average:.4f}      {z:.4f}  {z_prime:.4f}  "
                f"{skipped / (pairs + skipped):.3%}   {seconds:.0f}",
                flush=True,
            )
    difference = statistics.mean(averages[True]) - statistics.mean(averages[False])
    spread = max(max(runs) - min(runs) for runs in averages.values())
    print(f"locked minus free: {difference:+.4f}; spread between seeds: {spread:.4f}")


def similarity_of(vectors: WordVectors, data: Path | None) -> float:
    """The weighted average over the paper's three sets."""
    scores = [
        evaluate_similarity(vectors, similarity_pairs(name, data)) for name in SIMILARITY_SETS
    ]
    average = average_spearman(scores)
    assert average is not None, "no pair of the similarity sets is in the vocabulary"
    return average


if __name__ == "__main__":
    main()
