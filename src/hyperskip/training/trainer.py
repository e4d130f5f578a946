"""From a corpus to word vectors: encode, start or take up a training, run it, collect.

An epoch is cut into blocks of the corpus. Each block has its own stream of random numbers, made
from seed, epoch and block, and its own stretch of the learning rate; threads take the next block
that nobody has taken. With one thread, or in deterministic training, the result is the same on
every run on the same kind of processor, however often it was interrupted: compilers order sums by
its vector width.
"""

import contextlib
import os
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError, DivergenceError, OptionError
from hyperskip.files import scratch_folder
from hyperskip.locks import only_writer
from hyperskip.options import Options, check_names, declarations
from hyperskip.text.corpus import Corpus
from hyperskip.text.encoded import EncodedCorpus, encode
from hyperskip.text.options import TextOptions
from hyperskip.text.store import check_same_options, kept_corpus
from hyperskip.training import continued
from hyperskip.training.backends import check_compiler
from hyperskip.training.checkpoints import (
    CheckpointFolder,
    Keeper,
    Key,
    corpus_checksum,
    vectors_checksum,
)
from hyperskip.training.initial import initial_parameters
from hyperskip.training.interruption import Interruption
from hyperskip.training.options import CheckpointOptions, TrainingOptions, preset_named
from hyperskip.training.progress import Interrupted, Kept, Report, Resuming
from hyperskip.training.run import Run
from hyperskip.training.sampling import contexts_on_a_side
from hyperskip.training.state import EpochSummary, Position, State
from hyperskip.vectors.store import load
from hyperskip.vectors.word_vectors import WordVectors

_ABSURD = 10  # times the usual rate


def train(
    corpus: Corpus | EncodedCorpus,
    *,
    preset: str = "default",
    init: WordVectors | str | os.PathLike[str] | None = None,
    checkpoints: str | os.PathLike[str] | None = None,
    report: Report | None = None,
    **options: Any,
) -> WordVectors:
    """Learn word vectors from text.

    Args:
        corpus: A path, folder or glob; several pathlib.Path; an iterable of documents, each a
            string or a list of tokens; or an encoded corpus, or the folder where one is kept.
        preset: `default`, or `paper` for the hyperparameters of the paper's appendix A.2.
        init: A model to start from; its words stay, and those of the text are added.
        checkpoints: A folder, made if need be, for what it takes to go on after a crash; with
            `resume=True` training goes on from there. It is left with the finished state.
        report: Called with the progress, from the calling thread.
        **options: Fields of `TextOptions`, `TrainingOptions` and `CheckpointOptions`; they
            override the preset.

    Raises:
        OptionError: An option is unknown or outside its range, or is not the one that a training
            to be resumed was begun with.
        CorpusError: The text is missing, unreadable or too small, or not the same any more.
        OutputError: There are checkpoints of another training, or none can be written.
        DivergenceError: The numbers blew up.
    """
    model = load(init) if isinstance(init, str | os.PathLike) else init
    chosen = preset_named(preset) | options
    inherited = {} if model is None else continued.inherited_options(model, chosen)
    text_options, training_options, checkpoint_options = split_options(inherited | chosen)
    _check_start(model, training_options)
    keeping = _keeping(checkpoints, checkpoint_options)
    check_compiler()
    kept = kept_corpus(corpus)
    with contextlib.ExitStack() as stack:
        if keeping is not None:
            stack.enter_context(only_writer(keeping.folder.path))
        if kept is not None:
            check_same_options(kept, text_options, chosen)
            encoded = kept
        else:
            assert not isinstance(corpus, EncodedCorpus)  # which is kept
            scratch = stack.enter_context(scratch_folder())
            threads = training_options.threads
            encoded = encode(corpus, text_options, scratch, report, threads=threads)
        return train_encoded(encoded, training_options, report, model=model, keeping=keeping)


def split_options(
    options: dict[str, Any],
) -> tuple[TextOptions, TrainingOptions, CheckpointOptions]:
    """Sort option values into their groups, which checks them."""
    groups: tuple[type[Options], ...] = (TextOptions, TrainingOptions, CheckpointOptions)
    check_names(options, *groups)

    def of(group: type[Options]) -> Any:
        return group(**{name: options[name] for name in options if name in declarations(group)})

    return of(TextOptions), of(TrainingOptions), of(CheckpointOptions)


def _check_start(model: WordVectors | None, options: TrainingOptions) -> None:
    if model is not None:
        continued.check_same_space(model, options)
    elif options.freeze:
        raise OptionError(
            "freeze was given, and no model whose words it could hold in place",
            hint="pass a model to start from: --init MODEL",
        )


@dataclass(frozen=True)
class Keeping:
    """Where checkpoints go, and how to deal with those that are there."""

    folder: CheckpointFolder
    options: CheckpointOptions


def _keeping(path: str | os.PathLike[str] | None, options: CheckpointOptions) -> Keeping | None:
    if path is None or options.checkpoint_minutes == 0:
        if options.resume:
            raise OptionError(
                "resume was asked for, and checkpoints were not",
                hint="leave out --checkpoint-minutes 0 (in Python: pass `checkpoints`, a folder)",
            )
        return None
    folder = CheckpointFolder(Path(path))
    folder.check(options)
    return Keeping(folder, options)


def train_encoded(
    encoded: EncodedCorpus,
    options: TrainingOptions,
    report: Report | None = None,
    *,
    model: WordVectors | None = None,
    keeping: Keeping | None = None,
) -> WordVectors:
    """Learn word vectors from a corpus that is encoded already."""
    report = report or (lambda _: None)
    if len(encoded.sentence_starts) > len(encoded.tokens):  # no sentence is empty
        raise CorpusError(
            "every document of the corpus is a single word: there are no contexts to learn from",
            hint="put one sentence or document on a line, not one word",
        )
    options = _with_rate(options, encoded)
    vocabulary = encoded.vocabulary
    known: npt.NDArray[np.bool_] | None = None
    if model is None:
        parameters = initial_parameters(len(vocabulary), options)
    else:
        parameters, known = continued.continued_parameters(model, encoded, options)
    fixed = known if options.freeze else None
    state = State(Position(), parameters)

    def result(state: State) -> WordVectors:
        return _result(state, encoded, options, model)

    if keeping is None:
        run = Run(encoded, options, state, report, fixed, begins_anywhere=model is not None)
        while not run.is_done:
            run.stretch()
        finished = run.state()
    else:
        key = _key(encoded, options, model)
        state = _taken_up(keeping, key, state, encoded, options, report)
        run = Run(encoded, options, state, report, fixed, begins_anywhere=model is not None)
        minutes = keeping.options.checkpoint_minutes
        with Keeper(keeping.folder, key, result, minutes) as keeper, Interruption() as interruption:
            finished = _run_kept(run, keeper, interruption, report)
    _warn_if_hardly_trained(finished.position.history, encoded, options)
    return result(finished)


def _with_rate(options: TrainingOptions, encoded: EncodedCorpus) -> TrainingOptions:
    """The options with the usual rate for this text, unless one was chosen."""
    contexts = contexts_on_a_side(
        encoded.sentence_starts,
        encoded.vocabulary.counts,
        options.subsample,
        (1 + options.window) / 2 if options.shrink_window else options.window,
    )
    usual = options.usual_rate(contexts)
    for name in ("rate", "burn_in_rate"):
        chosen = getattr(options, name)
        if chosen is not None and chosen > _ABSURD * usual:
            flag = name.replace("_", "-")
            warnings.warn(
                f"{flag} is {chosen:g}, {chosen / usual:.0f} times the usual {usual:g} for this "
                f"text: words will be thrown about. Leave out --{flag}, or choose a smaller one",
                stacklevel=5,
            )
    return options.with_rate(contexts)


def _key(encoded: EncodedCorpus, options: TrainingOptions, model: WordVectors | None) -> Key:
    return Key(
        _options(encoded, options, with_threads=False),
        corpus_checksum(encoded),
        None if model is None else vectors_checksum(model),
    )


def _taken_up(
    keeping: Keeping,
    key: Key,
    beginning: State,
    encoded: EncodedCorpus,
    options: TrainingOptions,
    report: Report,
) -> State:
    """The state to go on from: that of the newest checkpoint, or the beginning.

    Raises:
        OptionError: It is a checkpoint of another training.
    """
    if keeping.options.restart:
        keeping.folder.discard()
    checkpoint = keeping.folder.newest() if keeping.options.resume else None
    if checkpoint is None:
        state = beginning
    else:
        differences = key.differences(checkpoint.key)
        if differences:
            raise OptionError(
                f"cannot go on from {checkpoint.path}: {'; '.join(differences)}",
                hint="resume with the text and the options that it was begun with, or begin anew "
                "with --restart, which removes it",
            )
        state = checkpoint.state_for(encoded.vocabulary.words)
    if keeping.options.resume:
        position = state.position
        tokens = position.epoch * len(encoded.tokens) + position.sums.tokens
        path = None if checkpoint is None else checkpoint.path
        report(Resuming(path, position.epoch + 1, options.burn_in_epochs + options.epochs, tokens))
    return state


def _run_kept(run: Run, keeper: Keeper, interruption: Interruption, report: Report) -> State:
    """Run to the end, with checkpoints on the way; also when told to stop."""

    def pausing() -> bool:
        if interruption.requested is not None:
            report(Interrupted())
        return interruption.requested is not None or keeper.is_due()

    try:
        while not run.is_done:
            run.stretch(pausing)
            if interruption.requested is not None:
                path = keeper.keep_now(run.state, run.position)
                if path is not None:
                    report(Kept(path, run.position.epoch + 1, run.epochs))
                interruption.act()
            epoch_is_over = run.position.block == 0
            if keeper.is_due() or (epoch_is_over and keeper.is_affordable()):
                keeper.keep(run.state)
        keeper.keep_now(run.state, run.position)
        return run.state()
    except DivergenceError as error:
        path = keeper.last
        if path is not None:
            error.hint = (
                f"{error.hint}; what was learned before is in {path}, a model to look at, or to "
                "start from with --init"
            )
        raise


def _options(
    encoded: EncodedCorpus, options: TrainingOptions, *, with_threads: bool
) -> dict[str, Any]:
    """The options of text and training as plain values."""
    values = encoded.options.as_dict() | options.as_dict()
    if not with_threads:
        del values["threads"]
    return values


def _result(
    state: State, encoded: EncodedCorpus, options: TrainingOptions, model: WordVectors | None
) -> WordVectors:
    """The vectors that training has come to."""
    words: Sequence[str] = encoded.vocabulary.words
    counts = encoded.vocabulary.counts
    coordinates = np.asarray(state.parameters.centres, dtype=np.float32)
    if model is not None:
        words, counts, coordinates = continued.joined(model, encoded.vocabulary, coordinates)
    return WordVectors(
        words,
        coordinates,
        counts=counts,
        geometry=options.geometry,
        # Without the time it took, nor threads that do not matter: the same file for the same
        # training.
        options=_options(encoded, options, with_threads=not options.deterministic),
        history=[_without_seconds(summary) for summary in state.position.history],
    )


def _without_seconds(summary: EpochSummary) -> dict[str, Any]:
    return {name: value for name, value in asdict(summary).items() if name != "seconds"}


def _warn_if_hardly_trained(
    history: Sequence[EpochSummary], encoded: EncodedCorpus, options: TrainingOptions
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
