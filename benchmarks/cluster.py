"""Speed, traffic and quality of a Ray cluster on this machine, beside one process.

    pip install 'hyperskip[cluster]'
    python benchmarks/cluster.py --corpus FILE --data FOLDER --nodes 1 2 4 --json FILE

The text is encoded once. A round trains on it in one process and on clusters of 1, 2 and 4 local
nodes, each with its own processes and object store; rounds differ in their seeds. All trainings
have the same dimension, epochs and total number of threads: a node has its share of `--threads`.
With `--cpus`, every node has this number of CPUs instead, and so has the one process; the ratios
then show how speed grows with the nodes.

Prints medians with minimum and maximum over the rounds, and the ratios to one process within each
round:

- words/s: words of the text, over all epochs, per second of training with its merges. Starting Ray
  and compiling are not part of it.
- whole: seconds of `hyperskip.train`, from connecting with Ray to the vectors.
- bytes per word: sent between nodes, all nodes together.
- merges: of frequent words, or of all words.
- similarity: the average over WS-353, SimLex-999 and MEN; angle: the same by the angle; analogy:
  Google's, without questions that have unknown words, by route Z.

Several values of `--merge-words` show quality against the interval between merges. Without
`--corpus`, the text is the built-in corpus with its own questions. `cluster_model.py` predicts the
figures in the JSON file.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reporting import print_markdown, spread
from texts import file_lines, write_text, zipf_lines

from hyperskip import builtin, encode, open_encoded, train
from hyperskip.devices import core_count
from hyperskip.evaluation.chosen_sets import EvaluationSets, read_sets
from hyperskip.evaluation.evaluating import evaluate_sets
from hyperskip.evaluation.known_sets import DATA_VARIABLE, SIMILARITY_SETS
from hyperskip.geometry.names import ANGLE, PRODUCT
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import Progress, TrainingProgress
from hyperskip.vectors.word_vectors import WordVectors
from hyperskip.version import VERSION

BUILTIN_WORDS = 1_500_000
STORE_BYTES = 512 << 20  # of the object store of a node


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A training, except for its seed."""

    dimension: int
    epochs: int
    nodes: int  # 0: one process, without a cluster
    cpus: int  # threads of the process, or of each node
    merge_words: int | None = None  # None: by the rule of docs/scaling.md
    geometry: str | None = None

    @property
    def name(self) -> str:
        """The name in the tables."""
        if not self.nodes:
            return "one process"
        return f"{self.nodes} {'node' if self.nodes == 1 else 'nodes'}"


@dataclass(frozen=True)
class Quality:
    """Scores of vectors; None without evaluation sets."""

    similarity: float | None = None
    angle: float | None = None
    analogy: float | None = None


@dataclass(frozen=True, kw_only=True)
class Run:
    """The result of a training."""

    setting: Setting
    seed: int
    words: int  # over all epochs
    seconds: float  # of training with merges
    whole_seconds: float
    bytes_sent: int
    merges: int
    node_speeds: tuple[float, ...]  # words/s of each node without merges, at the end
    loss: float  # of the last epoch
    quality: Quality

    @property
    def words_per_second(self) -> float:
        """Words per second of training."""
        return self.words / self.seconds

    @property
    def bytes_per_word(self) -> float:
        """Bytes sent between nodes for each word."""
        return self.bytes_sent / self.words

    def as_dict(self) -> dict[str, Any]:
        """The run, as plain values."""
        speeds = {"words_per_second": self.words_per_second, "bytes_per_word": self.bytes_per_word}
        return asdict(self) | speeds


Score = Callable[[WordVectors], Quality]


def main() -> None:
    """Run the benchmark."""
    arguments = parsed_arguments()
    if find_spec("ray") is None:
        sys.exit("Ray is not installed\nhint: pip install 'hyperskip[cluster]'")
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as name, ray_settings():
        folder = Path(name)
        encoded = encoded_text(arguments, folder / "encoded")
        described(encoded, arguments)
        score = scorer(arguments)
        all_settings = settings(arguments)
        compile_kernels(all_settings, folder)
        runs: list[Run] = []
        for seed in arguments.seeds:
            for setting in all_settings:
                run = measured(setting, seed, encoded, score)
                print_progress(run)
                runs.append(run)
                if arguments.json:  # after each run, so that an interruption loses nothing
                    arguments.json.write_text(json.dumps(summary(runs, encoded), indent=2) + "\n")
    print_runs(runs)
    print_ratios(runs)


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, help="text, may be compressed; or encoded folder")
    parser.add_argument("--words", type=int, help="use only this number of words of the text")
    data = os.environ.get(DATA_VARIABLE)
    parser.add_argument("--data", type=Path, default=data and Path(data), help="evaluation sets")
    parser.add_argument("--json", type=Path, help="write every run here")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4])
    threads = parser.add_mutually_exclusive_group()
    threads.add_argument(
        "--threads", type=int, default=core_count(), help="of a training, all nodes together"
    )
    threads.add_argument("--cpus", type=int, help="of each node, and of the one process")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20])
    parser.add_argument("--epochs", type=int, nargs="+", default=[10])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--min-count", type=int, default=15)
    parser.add_argument("--geometry")
    parser.add_argument(
        "--merge-words",
        type=int,
        nargs="+",
        default=[0],
        help="of each node between two merges, one or several values; 0: by the rule",
    )
    return parser.parse_args(given)


@contextmanager
def ray_settings() -> Iterator[None]:
    """Keep Ray's files in a temporary folder, and Ray quiet.

    The folder has a short name: paths of sockets may not be longer than 107 bytes.
    """
    folder = tempfile.mkdtemp(prefix="ray-")
    os.environ |= {"RAY_TMPDIR": folder, "RAY_USAGE_STATS_ENABLED": "0"}
    os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1"}
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def local_nodes(count: int, cpus: int) -> Iterator[str | None]:
    """Start a cluster of nodes on this machine; yields its address, or None for no nodes."""
    if not count:
        yield None
        return
    from ray.cluster_utils import Cluster

    cluster = Cluster(shutdown_at_exit=False)
    try:
        for number in range(count):
            of_head = {} if number else {"include_dashboard": False}
            cluster.add_node(num_cpus=cpus, num_gpus=0, object_store_memory=STORE_BYTES, **of_head)
        yield cluster.address
    finally:
        cluster.shutdown()


def encoded_text(arguments: argparse.Namespace, folder: Path) -> EncodedCorpus:
    """Encode the text that all trainings use, or open the encoded folder."""
    if arguments.corpus and arguments.corpus.is_dir():
        return open_encoded(arguments.corpus)
    if not arguments.corpus:
        return encode(builtin.sentences(arguments.words or BUILTIN_WORDS), folder)
    text = arguments.corpus
    if arguments.words:
        text = folder.with_suffix(".txt")
        write_text(file_lines(arguments.corpus), text, words=arguments.words)
    return encode(text, folder, min_count=arguments.min_count)


def described(encoded: EncodedCorpus, arguments: argparse.Namespace) -> None:
    """Print facts about the text and the machine."""
    threads = f"{arguments.cpus} CPUs in each node" if arguments.cpus else f"{arguments.threads}"
    print(
        f"{encoded.token_count:,} words, {len(encoded.vocabulary):,} of them different. Threads: "
        f"{threads}; cores of the machine: {core_count()}.\n",
        flush=True,
    )


def scorer(arguments: argparse.Namespace) -> Score:
    """A function that scores vectors, or returns no scores without evaluation sets."""
    if arguments.corpus and not arguments.data:
        print("No quality: it needs --data with the evaluation sets.\n", flush=True)
        return lambda _: Quality()
    names = (list(SIMILARITY_SETS), ["google"]) if arguments.corpus else (["builtin"],) * 2
    sets = read_sets(*names, [], arguments.data)
    return lambda vectors: scored(vectors, sets)


def scored(vectors: WordVectors, sets: EvaluationSets) -> Quality:
    """Score vectors on the CPU."""
    scores = evaluate_sets(vectors, sets, device="cpu")
    analogy = scores.analogy[PRODUCT]["Z"].total.accuracy
    return Quality(scores.average, scores.average_by(ANGLE), analogy)


def settings(arguments: argparse.Namespace) -> list[Setting]:
    """The trainings of a round; one process comes before the clusters that it is compared with."""
    found = []
    for dimension in arguments.dimensions:
        for epochs in arguments.epochs:
            alone = Setting(
                dimension=dimension,
                epochs=epochs,
                nodes=0,
                cpus=arguments.cpus or arguments.threads,
                geometry=arguments.geometry,
            )
            found.append(alone)
            for nodes in arguments.nodes:
                # A single node merges nothing.
                for merge_words in arguments.merge_words if nodes > 1 else [0]:
                    cpus = arguments.cpus or max(arguments.threads // nodes, 1)
                    found.append(
                        replace(alone, nodes=nodes, cpus=cpus, merge_words=merge_words or None)
                    )
    return found


def compile_kernels(all_settings: list[Setting], folder: Path) -> None:
    """Train on a small text, so that no round has to compile kernels."""
    small = write_text(zipf_lines(5000), folder / "small.txt", words=200_000)
    encoded = encode(small.path, folder / "small")
    dimensions = {setting.dimension: setting for setting in all_settings}
    for setting in dimensions.values():
        short = replace(setting, epochs=1, nodes=min(2, setting.nodes), cpus=1)
        measured(short, 1, encoded, lambda _: Quality())


class Watch:
    """Collects what a training reports."""

    def __init__(self) -> None:
        self.epochs: list[EpochSummary] = []
        self.bytes_sent = 0
        self.merges = 0
        self.node_speeds: tuple[float, ...] = ()

    def __call__(self, event: Progress) -> None:
        """Take note of an event; training reports its progress after every merge."""
        if isinstance(event, EpochSummary):
            self.epochs.append(event)
        elif isinstance(event, TrainingProgress) and event.cluster is not None:
            self.node_speeds = tuple(node.words_per_second for node in event.cluster.nodes)
            if event.cluster.bytes_sent > self.bytes_sent:
                self.bytes_sent = event.cluster.bytes_sent
                self.merges += 1


def measured(setting: Setting, seed: int, encoded: EncodedCorpus, score: Score) -> Run:
    """Train and score."""
    watch = Watch()
    with local_nodes(setting.nodes, setting.cpus) as address:
        began = time.perf_counter()
        vectors = train(
            encoded,
            report=watch,
            dimension=setting.dimension,
            epochs=setting.epochs,
            threads=setting.cpus,
            seed=seed,
            device="cpu",
            geometry=setting.geometry,
            cluster=address,
            merge_words=setting.merge_words,
        )
        whole_seconds = time.perf_counter() - began
    return Run(
        setting=setting,
        seed=seed,
        words=encoded.token_count * setting.epochs,
        seconds=sum(epoch.seconds for epoch in watch.epochs),
        whole_seconds=whole_seconds,
        bytes_sent=watch.bytes_sent,
        merges=watch.merges,
        node_speeds=watch.node_speeds,
        loss=watch.epochs[-1].loss,
        quality=score(vectors),
    )


def print_progress(run: Run) -> None:
    """Print the speed and scores of a run."""
    setting = run.setting
    print(
        f"seed {run.seed}, d {setting.dimension}, {setting.name}: {run.words_per_second:,.0f} "
        f"words/s, {run.whole_seconds:.1f} s in all, similarity {shown(run.quality.similarity)}, "
        f"analogy {shown(run.quality.analogy)}",
        file=sys.stderr,
        flush=True,
    )


def shown(score: float | None) -> str:
    """Format a score; a dash if there is none."""
    return "-" if score is None else f"{score:.4f}"


def grouped(runs: list[Run]) -> Mapping[Setting, list[Run]]:
    """The runs of each setting, in the order of seeds."""
    groups: dict[Setting, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.setting, []).append(run)
    return groups


def quality(scores: list[float | None]) -> str:
    """Format the mean of scores with their range; a dash if there are none."""
    known = [score for score in scores if score is not None]
    if not known:
        return "-"
    mean = f"{statistics.mean(known):.4f}"
    return mean if len(known) == 1 else f"{mean} ({min(known):.4f}-{max(known):.4f})"


def described_setting(setting: Setting) -> tuple[str, ...]:
    """The first cells of a row."""
    interval = f"{setting.merge_words:,}" if setting.merge_words else "rule"
    if setting.nodes < 2:
        interval = "-"
    values = (setting.dimension, setting.epochs, setting.name, setting.cpus, interval)
    return tuple(str(value) for value in values)


SETTING_HEADER = ("d", "epochs", "training", "CPUs", "merge words")


def print_runs(runs: list[Run]) -> None:
    """Print a row for each setting: medians, but means of scores."""
    costs = ("words/s", "whole, s", "bytes per word", "merges")
    header = (*SETTING_HEADER, *costs, "similarity", "angle", "analogy")
    rows = [
        (
            *described_setting(setting),
            spread([run.words_per_second for run in group], ",.0f"),
            spread([run.whole_seconds for run in group], ".1f"),
            spread([run.bytes_per_word for run in group], ".2f"),
            spread([run.merges for run in group], ".0f"),
            quality([run.quality.similarity for run in group]),
            quality([run.quality.angle for run in group]),
            quality([run.quality.analogy for run in group]),
        )
        for setting, group in grouped(runs).items()
    ]
    print_markdown(header, rows)


def ratios(runs: list[Run]) -> dict[Setting, dict[str, list[float]]]:
    """Each cluster compared with one process of the same seed."""
    groups = grouped(runs)
    compared = {}
    alone: list[Run] = []
    for setting, group in groups.items():
        if not setting.nodes:
            alone = group
            continue
        both = list(zip(group, alone, strict=True))
        compared[setting] = {
            "words/s": [ours.words_per_second / one.words_per_second for ours, one in both],
            "whole": [ours.whole_seconds / one.whole_seconds for ours, one in both],
        } | {
            name: [
                getattr(ours.quality, name) - getattr(one.quality, name)
                for ours, one in both
                if getattr(ours.quality, name) is not None
            ]
            for name in ("similarity", "angle", "analogy")
        }
    return compared


def print_ratios(runs: list[Run]) -> None:
    """Print a row for each cluster."""
    rows = [
        (
            *described_setting(setting),
            spread(values["words/s"], ".2f"),
            spread(values["whole"], ".2f"),
            *(difference(values[name]) for name in ("similarity", "angle", "analogy")),
        )
        for setting, values in ratios(runs).items()
    ]
    print("\nCompared with one process: ratios of speed and time, differences of mean scores:\n")
    header = (*SETTING_HEADER, "words/s", "whole", "similarity", "angle", "analogy")
    print_markdown(header, rows)


def difference(values: list[float]) -> str:
    """Format a mean difference of scores; a dash if there are none."""
    return f"{statistics.mean(values):+.4f}" if values else "-"


def summary(runs: list[Run], encoded: EncodedCorpus) -> dict[str, Any]:
    """All runs, as plain values, and what `cluster_model.py` needs to know of the text."""
    import numba
    import ray

    return {
        "machine": {
            "system": platform.platform(),
            "cores": core_count(),
            "python": platform.python_version(),
            "packages": {
                "hyperskip": VERSION,
                "ray": ray.__version__,
                "numba": numba.__version__,
            },
        },
        "text": {
            "tokens": encoded.token_count,
            "sentences": len(encoded.sentence_starts) - 1,
            "counts": encoded.vocabulary.counts.tolist(),
        },
        "runs": [run.as_dict() for run in runs],
    }


if __name__ == "__main__":
    main()
