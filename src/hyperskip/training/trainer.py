"""From a corpus to word vectors: encode, sample, run the epochs on all threads, collect.

An epoch is cut into blocks of the corpus. Each block has its own stream of random numbers, made
from seed, epoch and block, and its own stretch of the learning rate; threads take the next block
that nobody has taken. With one thread the result is the same on every run on the same kind of
processor: compilers order sums by its vector width.
"""

import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hyperskip.errors import CorpusError, DivergenceError
from hyperskip.options import check_names, declarations
from hyperskip.text.corpus import Corpus
from hyperskip.text.encoded import EncodedCorpus, encode
from hyperskip.text.encoded import Progress as EncodingProgress
from hyperskip.text.options import TextOptions
from hyperskip.text.store import check_same_options, kept_corpus
from hyperskip.training.backends import CpuBackend, Outcome, check_compiler
from hyperskip.training.blocks import Block, block_seed, cut_into_blocks, sentence_limits
from hyperskip.training.options import TrainingOptions, preset_named
from hyperskip.training.sampling import contexts_on_a_side
from hyperskip.vectors.word_vectors import WordVectors

_REPORT_SECONDS = 0.1


@dataclass(frozen=True)
class Compiling:
    """Progress: kernels are being compiled, or taken from the cache on disk."""


@dataclass(frozen=True)
class TrainingProgress:
    """Progress: how far training is, over all epochs."""

    epoch: int  # from 1; burn-in epochs are counted too
    epochs: int
    tokens: int
    tokens_total: int
    rate: float
    loss: float  # mean over the pairs of this epoch so far; NaN before the first
    seconds: float


@dataclass(frozen=True)
class EpochSummary:
    """What an epoch did; kept in the vectors' history."""

    epoch: int
    burn_in: bool
    loss: float  # mean negative log-likelihood of a pair with its negatives
    pairs: int
    skipped: int  # pairs left out because a word was locked
    seconds: float
    theta: float


Progress = EncodingProgress | Compiling | TrainingProgress | EpochSummary
Report = Callable[[Progress], None]


def train(
    corpus: Corpus | EncodedCorpus,
    *,
    preset: str = "default",
    report: Report | None = None,
    **options: Any,
) -> WordVectors:
    """Learn word vectors from text.

    Args:
        corpus: A path, folder or glob; several pathlib.Path; an iterable of documents, each a
            string or a list of tokens; or an encoded corpus, or the folder where one is kept.
        preset: `default`, or `paper` for the hyperparameters of the paper's appendix A.2.
        report: Called with the progress, from the calling thread.
        **options: Fields of `TextOptions` and `TrainingOptions`; they override the preset.

    Raises:
        OptionError: An option is unknown or outside its range; nothing has been read then.
        CorpusError: The text is missing, unreadable or too small.
        DivergenceError: The numbers stopped being finite.
    """
    chosen = preset_named(preset) | options
    text_options, training_options = split_options(chosen)
    check_compiler()
    kept = kept_corpus(corpus)
    if kept is not None:
        check_same_options(kept, text_options, chosen)
        return train_encoded(kept, training_options, report)
    with tempfile.TemporaryDirectory(prefix="hyperskip-") as folder:
        threads = training_options.threads
        assert not isinstance(corpus, EncodedCorpus)  # which is kept
        encoded = encode(corpus, text_options, Path(folder), report, threads=threads)
        return train_encoded(encoded, training_options, report)


def split_options(options: dict[str, Any]) -> tuple[TextOptions, TrainingOptions]:
    """Sort option values into their groups, which checks them."""
    check_names(options, TextOptions, TrainingOptions)
    text_names = declarations(TextOptions)
    return (
        TextOptions(**{name: options[name] for name in options if name in text_names}),
        TrainingOptions(**{name: options[name] for name in options if name not in text_names}),
    )


def train_encoded(
    encoded: EncodedCorpus, options: TrainingOptions, report: Report | None = None
) -> WordVectors:
    """Learn word vectors from a corpus that is encoded already."""
    if len(encoded.sentence_starts) > len(encoded.tokens):  # no sentence is empty
        raise CorpusError(
            "every document of the corpus is a single word: there are no contexts to learn from",
            hint="put one sentence or document on a line, not one word",
        )
    contexts = contexts_on_a_side(
        encoded.sentence_starts,
        encoded.vocabulary.counts,
        options.subsample,
        (1 + options.window) / 2 if options.shrink_window else options.window,
    )
    options = options.with_rate(contexts)
    run = _Run(encoded, options, report or (lambda _: None))
    history = [run.epoch(number) for number in range(options.burn_in_epochs + options.epochs)]
    _warn_if_hardly_trained(history, encoded, options)
    return WordVectors(
        encoded.vocabulary.words,
        run.backend.centres(),
        counts=encoded.vocabulary.counts,
        geometry=options.geometry,
        options=encoded.options.as_dict() | options.as_dict(),
        # Without the time it took: the same training gives the same file.
        history=[_without_seconds(summary) for summary in history],
    )


def _without_seconds(summary: EpochSummary) -> dict[str, Any]:
    return {name: value for name, value in asdict(summary).items() if name != "seconds"}


def _warn_if_hardly_trained(
    history: list[EpochSummary], encoded: EncodedCorpus, options: TrainingOptions
) -> None:
    pairs = sum(summary.pairs for summary in history)
    words = len(encoded.vocabulary)
    if pairs < 10 * words:
        warnings.warn(
            f"only {pairs} pairs of words were trained for a vocabulary of {words}: the vectors "
            "are mostly random. Use more text or epochs"
            + (
                f"; subsample is {options.subsample:g}, and a larger one keeps more (0 keeps every "
                "word)"
                if options.subsample
                else ""
            ),
            stacklevel=4,
        )


class _Run:
    """The state of a training: parameters, corpus and blocks."""

    def __init__(self, encoded: EncodedCorpus, options: TrainingOptions, report: Report) -> None:
        self.options = options
        self.report = report
        self.tokens = np.asarray(encoded.tokens)
        self.sentence_starts = np.asarray(encoded.sentence_starts)
        self.blocks = list(cut_into_blocks(encoded.sentence_starts))
        self.epochs = options.burn_in_epochs + options.epochs
        self.workers = min(options.threads, len(self.blocks))
        self.backend = CpuBackend(encoded.vocabulary, options, self.workers)
        report(Compiling())
        self.backend.compile()
        self.started = time.perf_counter()

    def epoch(self, number: int) -> EpochSummary:
        """Train one epoch on all threads; `number` counts from 0."""
        burn_in = number < self.options.burn_in_epochs
        done = _Done()
        waiting = iter(self.blocks)
        guard = threading.Lock()
        stopped = threading.Event()

        def work(worker: int) -> None:
            while not stopped.is_set():
                with guard:
                    block = next(waiting, None)
                if block is None:
                    return
                outcome = self._train_block(block, number, worker)
                with guard:
                    done.add(block, outcome)
                if not np.isfinite(outcome.loss):
                    raise self._divergence(number, block.begin, "the loss")

        began = time.perf_counter()
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                working = {pool.submit(work, worker) for worker in range(self.workers)}
                while working:
                    ended, working = wait(working, timeout=_REPORT_SECONDS)
                    for future in ended:
                        future.result()
                    self._report_progress(number, done)
            except BaseException:  # an error, or Ctrl-C
                stopped.set()
                self.backend.stop()
                raise
        if not self.backend.is_finite():
            raise self._divergence(number, len(self.tokens), "a vector")
        summary = EpochSummary(
            epoch=number + 1,
            burn_in=burn_in,
            loss=done.loss / max(done.pairs, 1),
            pairs=done.pairs,
            skipped=done.skipped,
            seconds=time.perf_counter() - began,
            theta=self.backend.theta,
        )
        self.report(summary)
        return summary

    def _train_block(self, block: Block, epoch: int, worker: int) -> Outcome:
        return self.backend.train_block(
            self.tokens[block.begin : block.end],
            sentence_limits(block, self.sentence_starts),
            (self._rate_at(epoch, block.begin), self._rate_at(epoch, block.end)),
            block_seed(self.options.seed, epoch, block.number),
            worker=worker,
            burn_in=epoch < self.options.burn_in_epochs,
        )

    def _rate_at(self, epoch: int, token: int) -> float:
        """The learning rate: constant in the burn-in, then linear over the whole training."""
        options = self.options
        if epoch < options.burn_in_epochs:
            assert options.burn_in_rate is not None  # filled in with the options
            return options.burn_in_rate
        done = (epoch - options.burn_in_epochs + token / len(self.tokens)) / options.epochs
        assert options.rate is not None  # filled in by `with_rate`
        return options.rate + (options.end_rate - options.rate) * done

    def _report_progress(self, epoch: int, done: "_Done") -> None:
        self.report(
            TrainingProgress(
                epoch=epoch + 1,
                epochs=self.epochs,
                tokens=epoch * len(self.tokens) + done.tokens,
                tokens_total=self.epochs * len(self.tokens),
                rate=self._rate_at(epoch, done.tokens),
                loss=done.loss / done.pairs if done.pairs else float("nan"),
                seconds=time.perf_counter() - self.started,
            )
        )

    def _divergence(self, epoch: int, token: int, what: str) -> DivergenceError:
        rate = self._rate_at(epoch, token)
        option = "--burn-in-rate" if epoch < self.options.burn_in_epochs else "--rate"
        return DivergenceError(
            f"training diverged in epoch {epoch + 1} at rate {rate:.4g}: {what} is no longer a "
            "finite number",
            hint=f"choose a smaller {option}, or a --max-step below {self.options.max_step:g}",
        )


@dataclass
class _Done:
    """What the blocks of an epoch add up to so far."""

    tokens: int = 0
    pairs: int = 0
    loss: float = 0.0
    skipped: int = 0

    def add(self, block: Block, outcome: Outcome) -> None:
        self.tokens += block.end - block.begin
        self.pairs += outcome.pairs
        self.loss += outcome.loss
        self.skipped += outcome.skipped
