"""Time and memory of one training by one program, in a new process.

A new process is needed to measure the peak of memory. The whole time includes starting, importing
and loading compiled kernels. The time of training alone, without reading and counting words, is
measured in a different way for each program:

- hyperskip reports the seconds of each epoch.
- gensim counts words and trains in two calls.
- fastText does both in one call. Its last line, `words/sec/thread`, is the speed without reading
  the vocabulary and creating the matrices; it trains `epochs` times the words and line ends of the
  file. The difference between the times of this call and of one with `epoch=0` agrees with it. The
  main thread checks only ten times a second whether the others are done, so use texts that take
  some seconds.
- Spark does both in one call, and reports neither the time nor the number of words it trains. The
  cost has the time of both and all words; `spark.py` corrects them.

fastText runs with zeroed memory (see `FASTTEXT_ENVIRONMENT`), which adds 33 MiB to its peak.

An epoch of fastText is more than one pass: the length of the file includes rare words and line
ends, but the words trained so far do not include rare words, and it trains until both are equal.
"""

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from texts import Text

# This module imports little, because the memory of the process is measured.
from hyperskip.experiment.runs.fasttext_training import FASTTEXT_ENVIRONMENT, run_fasttext
from hyperskip.experiment.runs.gensim_training import run_gensim


@dataclass(frozen=True, kw_only=True)
class Training:
    """A training; the options mean the same for all programs."""

    program: str  # a key of PROGRAMS
    text: Text
    output: str  # hyperskip's format, or word2vec's (Spark: as text, others: binary)
    dimension: int
    window: int
    negatives: int | None  # None: the program's default, as below
    subsample: float | None
    min_count: int
    epochs: int
    threads: int
    seed: int = 1
    rate: float | None = None
    options: dict[str, Any] = field(default_factory=dict)  # other options of hyperskip or Spark


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a training."""

    training_seconds: float
    words: int  # over all epochs, without rare words
    vocabulary: int
    pairs: int | None = None  # None if the program does not report it
    options: dict[str, Any] = field(default_factory=dict)  # with defaults, for hyperskip only
    peak_bytes: int = 0  # with the processes that it started, as below
    cpu_seconds: float = 0.0  # of the whole process, all threads together
    whole_seconds: float = 0.0  # from the start of the process to its end

    def words_per_second(self, threads: int) -> float:
        """Words per second and thread, of training alone."""
        return self.words / self.training_seconds / threads


def run(training: Training) -> Cost:
    """Train in a new process."""
    began = time.perf_counter()
    process = subprocess.run(
        [sys.executable, __file__, json.dumps(asdict(training))],
        env=os.environ | (FASTTEXT_ENVIRONMENT if training.program == "fasttext" else {}),
        capture_output=True,
        text=True,
    )
    whole_seconds = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"{training.program} failed:\n{process.stderr}")
    return Cost(**json.loads(process.stdout) | {"whole_seconds": whole_seconds})


def train_hyperskip(training: Training) -> Cost:
    """Train with hyperskip, and save a model."""
    from hyperskip import train
    from hyperskip.training.run.state import EpochSummary
    from hyperskip.training.run.training_events import Progress

    epochs: list[EpochSummary] = []
    rate: dict[str, Any] = {} if training.rate is None else {"rate": training.rate}

    def report(event: Progress) -> None:
        if isinstance(event, EpochSummary):
            epochs.append(event)

    vectors = train(
        training.text.path,
        report=report,
        tokenizer="whitespace",
        min_count=training.min_count,
        dimension=training.dimension,
        window=training.window,
        negatives=training.negatives,
        subsample=training.subsample,
        epochs=training.epochs,
        threads=training.threads,
        seed=training.seed,
        **rate,
        **training.options,
    )
    vectors.save(training.output)
    return Cost(
        training_seconds=sum(epoch.seconds for epoch in epochs),
        words=int(vectors.counts.sum()) * len(epochs),
        vocabulary=len(vectors),
        pairs=sum(epoch.pairs for epoch in epochs),
        options=dict(vectors.options),
    )


def train_fasttext(training: Training) -> Cost:
    """Train with fastText without subwords, and save the vectors."""
    outcome = run_fasttext(
        training.text.path,
        Path(training.output),
        dim=training.dimension,
        ws=training.window,
        neg=training.negatives,
        t=training.subsample,
        minCount=training.min_count,
        epoch=training.epochs,
        thread=training.threads,
        **({} if training.rate is None else {"lr": training.rate}),
    )
    trained = training.epochs * (training.text.words + training.text.lines)
    return Cost(
        training_seconds=trained / (outcome.words_per_second * training.threads),
        words=trained,
        vocabulary=outcome.vocabulary,
    )


def train_gensim(training: Training) -> Cost:
    """Train with gensim on a file, its fast path, and save in word2vec's binary format."""
    outcome = run_gensim(
        training.text.path,
        Path(training.output),
        vector_size=training.dimension,
        window=training.window,
        negative=training.negatives,
        ns_exponent=0.5,  # as in hyperskip and fastText
        sample=training.subsample,
        min_count=training.min_count,
        workers=training.threads,
        epochs=training.epochs,
        seed=training.seed,
        **({} if training.rate is None else {"alpha": training.rate}),
    )
    return Cost(
        training_seconds=outcome.seconds, words=outcome.words, vocabulary=outcome.vocabulary
    )


def train_spark(training: Training) -> Cost:
    """Train with Spark MLlib in local mode, and save in word2vec's text format.

    The options are `partitions`, which are trained separately and merged after each epoch, and
    `memory` of the Java virtual machine. Spark has no negative samples and no subsampling.
    """
    from pyspark.ml.feature import Word2Vec
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import split

    spark = (
        SparkSession.builder.master(f"local[{training.threads}]")
        .config("spark.driver.memory", training.options["memory"])
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.local.dir", str(Path(training.output).parent))
        .config("spark.ui.enabled", False)
        .getOrCreate()
    )
    sentences = spark.read.text(training.text.path).select(split("value", " ").alias("words"))
    algorithm = Word2Vec(
        inputCol="words",
        vectorSize=training.dimension,
        windowSize=training.window,
        minCount=training.min_count,
        maxIter=training.epochs,
        numPartitions=training.options["partitions"],
        seed=training.seed,
        **({} if training.rate is None else {"stepSize": training.rate}),
    )
    began = time.perf_counter()
    model = algorithm.fit(sentences)
    training_seconds = time.perf_counter() - began
    rows = model.getVectors().collect()
    with Path(training.output).open("w", encoding="utf-8") as file:
        file.write(f"{len(rows)} {training.dimension}\n")
        for row in rows:
            file.write(f"{row.word} {' '.join(f'{value:.9g}' for value in row.vector)}\n")
    machine = spark._jvm.java.lang.ProcessHandle.current()
    cost = Cost(
        training_seconds=training_seconds,
        words=training.epochs * training.text.words,
        vocabulary=len(rows),
        peak_bytes=peak_bytes(machine.pid()),
        cpu_seconds=machine.info().totalCpuDuration().get().toNanos() / 1e9,
    )
    spark.stop()
    return cost


PROGRAMS: dict[str, Callable[[Training], Cost]] = {
    "hyperskip": train_hyperskip,
    "fasttext": train_fasttext,
    "gensim": train_gensim,
    "spark": train_spark,
}


def peak_bytes(process: int | str = "self") -> int:
    """The peak memory of this process, or on Linux of another one.

    ru_maxrss is used only if there is nothing else: on Linux it includes the peak of the process
    that started this one.
    """
    status = Path(f"/proc/{process}/status")
    if status.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        if found:
            return 1024 * int(found[1])
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Train in this process as the argument says, and print the cost."""
    request = json.loads(sys.argv[1])
    training = Training(**request | {"text": Text(**request["text"])})
    cost = PROGRAMS[training.program](training)
    whole = replace(
        cost,
        peak_bytes=cost.peak_bytes + peak_bytes(),
        cpu_seconds=cost.cpu_seconds + time.process_time(),
    )
    print(json.dumps(asdict(whole)))


if __name__ == "__main__":
    main()
