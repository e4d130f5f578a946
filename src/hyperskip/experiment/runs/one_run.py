"""One run: train, evaluate, and make its record."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from hyperskip.errors import DivergenceError, PeerError
from hyperskip.experiment.design.grid import Run
from hyperskip.experiment.results.records import Record
from hyperskip.experiment.runs.machine import machine
from hyperskip.experiment.runs.peers import PeerText, train_fasttext
from hyperskip.experiment.runs.scoring import Scorer
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.run.events import OnDevice, Progress, Report
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.trainer import train_encoded
from hyperskip.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Trained:
    """Vectors, and what they took."""

    vectors: WordVectors
    rate: float
    seconds: float
    words: int  # over all epochs
    loss: float | None
    device: str


def conduct(
    run: Run, encoded: EncodedCorpus, text: PeerText | None, scorer: Scorer, report: Report
) -> tuple[Record, WordVectors | None]:
    """Train and evaluate; a training that breaks down has a record, too, without scores.

    Args:
        run: What to do.
        encoded: The corpus.
        text: The same as text, for a run of another program; None for one of ours.
        scorer: What to judge by.
        report: Called with the progress.
    """
    began = time.perf_counter()
    trained: Trained | None = None
    failure: str | None = None
    try:
        trained = _train(run, encoded, report) if text is None else _train_peer(run, encoded, text)
    except (DivergenceError, PeerError) as error:
        failure = error.message
    options = run.options
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
        machine=machine(trained.device if trained else options.device, options.threads),
        **values,
    )
    return record, trained.vectors if trained else None


def _train_peer(run: Run, encoded: EncodedCorpus, text: PeerText) -> Trained:
    learned, cost = train_fasttext(text, run.options)
    counts = dict(zip(encoded.vocabulary.words, encoded.vocabulary.counts.tolist(), strict=True))
    vectors = WordVectors(
        learned.words,
        learned.coordinates,
        # Its end of a line is no word.
        counts=np.array([counts.get(word, 0) for word in learned.words], dtype=np.int64),
        geometry=learned.geometry,
    )
    assert run.options.rate is not None  # the grid gives it one
    return Trained(vectors, run.options.rate, cost.seconds, cost.words, None, "CPU")


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
        len(epochs) * len(encoded.tokens),
        epochs[-1].loss if epochs[-1].pairs else None,
        devices[0],
    )
