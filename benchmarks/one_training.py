"""One training by one program in a fresh process: what it costs in time and memory.

A process of its own, because memory has a peak only once, and because starting, importing and
loading compiled kernels belong to the whole time. Training proper is timed apart from reading and
counting words by what each program offers:

- hyperskip reports the seconds of each epoch.
- gensim counts words and trains in two calls.
- fastText does both in one call, and ends with a line `words/sec/thread` whose clock starts when
  the vocabulary is read and the matrices are made; it trains `epochs` times the words and line ends
  of the file. Time taken from outside less that of a call with `epoch=0` says the same. Its main
  thread looks only ten times a second whether the others are done: take texts that last seconds.

fastText is given memory that is zero (see `FASTTEXT_ENVIRONMENT`), which adds 33 MiB to its peak.

What fastText calls an epoch is more than one pass: it counts rare words and line ends in the length
of the file, and what it trained without rare words, so it goes on until the two are equal.
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

# Which imports nothing else: the memory of the process is measured.
from hyperskip.experiment.runs.fasttext_training import FASTTEXT_ENVIRONMENT, run_fasttext


@dataclass(frozen=True, kw_only=True)
class Training:
    """What is asked of a program; the same words mean the same for all."""

    program: str  # of PROGRAMS
    text: Text
    output: str  # hyperskip's own file, or word2vec's binary one
    dimension: int
    window: int
    negatives: int
    subsample: float
    min_count: int
    epochs: int
    threads: int
    seed: int = 1
    rate: float | None = None  # None: the program's default
    options: dict[str, Any] = field(default_factory=dict)  # hyperskip's others


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a training took."""

    training_seconds: float
    words: int  # that it trained on, over all epochs: without rare ones
    vocabulary: int
    pairs: int | None = None  # where the program says how many
    options: dict[str, Any] = field(default_factory=dict)  # where they are filled in
    peak_bytes: int = 0
    cpu_seconds: float = 0.0  # of the whole process, all threads together
    whole_seconds: float = 0.0  # from the start of the process to its end

    def words_per_second(self, threads: int) -> float:
        """Words a second and thread of training proper."""
        return self.words / self.training_seconds / threads


def run(training: Training) -> Cost:
    """Train in a fresh process."""
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
    """Train with hyperskip and save its own file."""
    from hyperskip import train
    from hyperskip.training.run.events import Progress
    from hyperskip.training.run.state import EpochSummary

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
    """Train with fastText, without subwords, and save words with their rows."""
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
    """Train with gensim through its fast path for files, and save word2vec's binary file."""
    from gensim.models import Word2Vec

    model = Word2Vec(
        sg=1,
        vector_size=training.dimension,
        window=training.window,
        negative=training.negatives,
        ns_exponent=0.5,  # as hyperskip and fastText
        sample=training.subsample,
        min_count=training.min_count,
        workers=training.threads,
        epochs=training.epochs,
        seed=training.seed,
        **({} if training.rate is None else {"alpha": training.rate}),
    )
    model.build_vocab(corpus_file=training.text.path)
    began = time.perf_counter()
    model.train(
        corpus_file=training.text.path,
        total_words=model.corpus_total_words,
        total_examples=model.corpus_count,
        epochs=training.epochs,
    )
    training_seconds = time.perf_counter() - began
    model.wv.save_word2vec_format(training.output, binary=True)
    known = sum(model.wv.get_vecattr(word, "count") for word in model.wv.index_to_key)
    return Cost(
        training_seconds=training_seconds,
        words=training.epochs * int(known),
        vocabulary=len(model.wv),
    )


PROGRAMS: dict[str, Callable[[Training], Cost]] = {
    "hyperskip": train_hyperskip,
    "fasttext": train_fasttext,
    "gensim": train_gensim,
}


def peak_bytes() -> int:
    """The most memory that this process held at once.

    Not ru_maxrss where that can be helped: on Linux it begins with the peak of the process that
    started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        if found:
            return 1024 * int(found[1])
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """The fresh process: train as the argument says, and print what it took."""
    asked = json.loads(sys.argv[1])
    training = Training(**asked | {"text": Text(**asked["text"])})
    cost = PROGRAMS[training.program](training)
    whole = replace(cost, peak_bytes=peak_bytes(), cpu_seconds=time.process_time())
    print(json.dumps(asdict(whole)))


if __name__ == "__main__":
    main()
