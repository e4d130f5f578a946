"""One run: train, evaluate, and make the record with the machine that it ran on."""

import os
import platform
import re
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from hyperskip.errors import DivergenceError, PeerError
from hyperskip.experiment.design.grid import Run
from hyperskip.experiment.results.records import Record
from hyperskip.experiment.runs.peers import PeerText, train_peer
from hyperskip.experiment.runs.scoring import Scorer
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import OnDevice, Progress, Report
from hyperskip.training.trainer import train_encoded
from hyperskip.vectors.word_vectors import WordVectors
from hyperskip.version import VERSION

_PACKAGES = ("numpy", "numba", "scipy", "torch", "triton", "fasttext", "gensim")


@dataclass(frozen=True)
class Trained:
    """Vectors, and the cost of training them."""

    vectors: WordVectors
    rate: float | None
    seconds: float
    words: int  # over all epochs
    loss: float | None
    device: str


def train_and_evaluate(
    run: Run, encoded: EncodedCorpus, text: PeerText | None, scorer: Scorer, report: Report
) -> tuple[Record, WordVectors | None]:
    """Train and evaluate; if training fails, return a record without scores, and no vectors.

    Args:
        run: The run.
        encoded: The corpus.
        text: The corpus as text for a run of another program; None for a run of hyperskip.
        scorer: The evaluation sets.
        report: Called with the progress.
    """
    began = time.perf_counter()
    trained: Trained | None = None
    failure: str | None = None
    try:
        trained = _train(run, encoded, report) if text is None else _train_peer(run, encoded, text)
    except (DivergenceError, PeerError) as error:
        failure = error.message
    options = run.settled
    values: dict[str, Any] = {"rate": options.rate, "scores": {}}
    if trained is not None:
        values = {
            "rate": trained.rate,
            "scores": scorer.scores(trained.vectors, options.device),
            "loss": trained.loss,
            "seconds": trained.seconds,
            "words_per_second": trained.words / max(trained.seconds, 1e-9),
        }
    record = Record(
        name=run.name,
        model=run.model,
        geometry=options.geometry,
        dimension=options.dimension,
        seed=options.seed,
        asked=run.key(),
        epochs=options.epochs,
        failure=failure,
        whole_seconds=time.perf_counter() - began,
        machine=_machine(trained.device if trained else options.device, options.threads),
        **values,
    )
    return record, trained.vectors if trained else None


def _train_peer(run: Run, encoded: EncodedCorpus, text: PeerText) -> Trained:
    learned, cost = train_peer(run.program, text, run.settled)
    counts = dict(zip(encoded.vocabulary.words, encoded.vocabulary.counts.tolist(), strict=True))
    vectors = WordVectors(
        learned.words,
        learned.coordinates,
        # fastText's word for the end of a line is not in our vocabulary.
        counts=np.array([counts.get(word, 0) for word in learned.words], dtype=np.int64),
        geometry=learned.geometry,
    )
    return Trained(vectors, run.settled.rate, cost.seconds, cost.words, None, "CPU")


def _train(run: Run, encoded: EncodedCorpus, report: Report) -> Trained:
    epochs: list[EpochSummary] = []
    devices: list[str] = []

    def note(progress: Progress) -> None:
        if isinstance(progress, EpochSummary):
            epochs.append(progress)
        elif isinstance(progress, OnDevice):
            devices.append(progress.name)
        report(progress)

    vectors = train_encoded(encoded, run.options, note)
    return Trained(
        vectors,
        float(vectors.options["rate"]),
        sum(epoch.seconds for epoch in epochs),
        len(epochs) * encoded.token_count,
        epochs[-1].loss if epochs[-1].pairs else None,
        devices[0],
    )


def _machine(device: str, threads: int) -> dict[str, Any]:
    """The machine and the versions of the programs on it, as plain values."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": platform.platform(),
        "device": device,
        "threads": threads,
        "python": platform.python_version(),
        "hyperskip": VERSION,
    } | {name: found for name in _PACKAGES if (found := _version(name)) is not None}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except (OSError, UnicodeDecodeError):  # only Linux has this file
        found = None
    return found[1] if found else platform.processor() or platform.machine()
