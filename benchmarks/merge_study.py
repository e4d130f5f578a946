"""Quality of a cluster's merges without a cluster: all nodes are objects in this process.

    python benchmarks/merge_study.py --corpus FILE --data FOLDER --nodes 1 4 16 --merge-words 50000

Trains with the node training, rounds and merges of a cluster, one thread for each node, and prints
similarity and analogies by the number of nodes and the interval between merges. Speed and traffic
are measured by cluster.py.
"""

import argparse
import os
import tempfile
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hyperskip import encode, open_encoded
from hyperskip.devices import CPU, core_count
from hyperskip.evaluation.chosen_sets import read_sets
from hyperskip.evaluation.evaluating import evaluate_sets
from hyperskip.evaluation.known_sets import DATA_VARIABLE
from hyperskip.files.known_folders import is_encoded
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.blocks import FOR_THREADS, cut_into_blocks
from hyperskip.training.cluster.node_text import TokenSource
from hyperskip.training.cluster.node_training import NodeTask, NodeTraining, share_of
from hyperskip.training.cluster.rounds import (
    ROUNDS,
    cut_into_parts,
    cycle_blocks,
    part_tokens,
    round_words,
    rounds_of,
    shares_of,
)
from hyperskip.training.objective.sampling import contexts_on_a_side
from hyperskip.training.options import TrainingOptions
from hyperskip.training.parameters import Parameters
from hyperskip.training.plan import TrainingPlan, context_weights, plan_training
from hyperskip.training.result import SkipGramResult
from hyperskip.training.run.state import Position, State
from hyperskip.training.start.random_positions import random_parameters

PLENTY = 1 << 50  # bytes of memory


def main() -> None:
    """Train with every number of nodes and every interval, and print the scores."""
    arguments = parsed_arguments()
    sets = read_sets(["ws353", "simlex999", "men"], ["google"], [], arguments.data)
    print("d, nodes, merge words, seed: similarity, angle, analogy; merges")
    with tempfile.TemporaryDirectory() as folder:
        encoded = opened(arguments.corpus, Path(folder), arguments.min_count)
        for dimension in arguments.dimensions:
            for nodes in arguments.nodes:
                for merge_words in arguments.merge_words or [None]:
                    for seed in arguments.seeds:
                        options = TrainingOptions(
                            dimension=dimension,
                            epochs=arguments.epochs,
                            seed=seed,
                            threads=1,
                            device=CPU,
                            geometry=arguments.geometry,
                        )
                        plan = plan_training(options, encoded, CPU)
                        parameters, merges = trained(encoded, plan, nodes, merge_words)
                        with warnings.catch_warnings(action="ignore"):  # there is no history
                            state = State(Position(), parameters)
                            vectors = SkipGramResult(encoded, plan, None).final(state)
                        scores = evaluate_sets(vectors, sets, device=CPU)
                        angle = scores.average_by("angle") or float("nan")
                        print(
                            f"{dimension}, {nodes}, {merge_words or 'rule'}, {seed}: "
                            f"{scores.average:.4f}, {angle:.4f}, {scores.accuracy:.4f}; {merges}",
                            flush=True,
                        )


def parsed_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, required=True, help="text, or encoded folder")
    data = os.environ.get(DATA_VARIABLE)
    parser.add_argument("--data", type=Path, default=data and Path(data), help="evaluation sets")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--merge-words", type=int, nargs="*", help="by default, by the rule")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--min-count", type=int, default=15)
    parser.add_argument("--geometry")
    return parser.parse_args()


def opened(corpus: Path, folder: Path, min_count: int) -> EncodedCorpus:
    """Open an encoded corpus, or encode a text into the folder."""
    if is_encoded(corpus):
        return open_encoded(corpus)
    return encode(corpus, folder / "encoded", min_count=min_count)


def trained(
    encoded: EncodedCorpus, plan: TrainingPlan, nodes: int, merge_words: int | None
) -> tuple[Parameters, int]:
    """Train like a cluster of equal nodes; returns the parameters and the number of merges."""
    counts = encoded.vocabulary.counts
    contexts = contexts_on_a_side(
        encoded.sentence_starts, counts, plan.subsample, context_weights(plan)
    )
    blocks = list(cut_into_blocks(encoded.sentence_starts, FOR_THREADS))
    task = NodeTask(
        plan, counts, contexts, TokenSource.of(encoded), FOR_THREADS.largest, None, False
    )
    start = random_parameters(len(counts), plan)
    training = [NodeTraining(f"node {i}", 1, PLENTY, task, start) for i in range(nodes)]
    in_round = round_words(plan, encoded.token_count, nodes, merge_words)
    merges = 0
    with ThreadPoolExecutor(core_count()) as pool:
        for epoch in range(plan.epochs):
            first = 0
            while first < len(blocks):
                cycle = cycle_blocks(blocks, first, ROUNDS * in_round)
                first += len(cycle)
                parts = cut_into_parts(cycle, part_tokens(in_round, nodes), len(blocks))
                for number, of_round in enumerate(rounds_of(parts, ROUNDS)):
                    shares = [
                        share_of(encoded, epoch, of_node)
                        for of_node in shares_of(of_round, [1.0] * nodes)
                    ]
                    list(pool.map(NodeTraining.train, training, shares))
                    if nodes > 1:
                        merge(training, pool, complete=number == ROUNDS - 1)
                        merges += 1
    return training[0].parameters(), merges


def merge(training: Sequence[NodeTraining], pool: ThreadPoolExecutor, *, complete: bool) -> None:
    """Exchange and merge what the nodes moved."""
    count = len(training)
    moved = list(pool.map(lambda node: node.moved(count, complete=complete), training))
    merged = list(
        pool.map(
            lambda index: training[index].merge(*(pieces[index] for pieces in moved)), range(count)
        )
    )
    for rank, node in enumerate(training):
        node.place(*merged, rank=rank, complete=complete)
        if complete:
            node.commit()


if __name__ == "__main__":
    main()
