"""Training with the paper's locking and without it, over several seeds.

    python benchmarks/locking.py CORPUS --data DIR [--seeds 3] [--dimension 20] [--threads 2]

Prints similarity, analogy, time and the share of skipped pairs for each run, then the difference of
the means and the spread between seeds.
"""

import argparse
import statistics
import time
from pathlib import Path

from hyperskip import train
from hyperskip.evaluation.chosen_sets import EvaluationSets
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.evaluating import evaluate_sets
from hyperskip.evaluation.known_sets import SIMILARITY_SETS
from hyperskip.geometry.names import PRODUCT


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, help="folder with the evaluation sets")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--dimension", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()

    similarity = {name: similarity_pairs(name, arguments.data) for name in SIMILARITY_SETS}
    questions = analogy_questions("google", arguments.data)
    print("locking  seed  similarity  Z       Z'      skipped   seconds", flush=True)
    averages: dict[bool, list[float]] = {False: [], True: []}
    for seed in range(1, arguments.seeds + 1):
        for locking in (False, True):  # interleaved, so that other work on the machine affects both
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
            scores = evaluate_sets(vectors, EvaluationSets(similarity, {"google": questions}))
            assert scores.average is not None, "no pair of the sets is in the vocabulary"
            averages[locking].append(scores.average)
            z, z_prime = (
                report.total.accuracy or 0.0 for report in scores.analogy[PRODUCT].values()
            )
            pairs = sum(epoch["pairs"] for epoch in vectors.history)
            skipped = sum(epoch["skipped"] for epoch in vectors.history)
            print(
                f"{locking!s:7}  {seed:4}  {scores.average:.4f}      {z:.4f}  {z_prime:.4f}  "
                f"{skipped / (pairs + skipped):.3%}   {seconds:.0f}",
                flush=True,
            )
    difference = statistics.mean(averages[True]) - statistics.mean(averages[False])
    spread = max(max(runs) - min(runs) for runs in averages.values())
    print(f"difference of locking: {difference:+.4f}; spread between seeds: {spread:.4f}")


if __name__ == "__main__":
    main()
