"""From a corpus to word vectors: encode, begin a training or take it up again, run it, collect.

With one thread, or in deterministic training, the result is the same on every run on the same kind
of processor, however often it was interrupted: compilers order sums by its vector width.
"""

import contextlib
import os
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.devices import CPU, device_name
from hyperskip.errors import CorpusError, DivergenceError, OptionError, TrainingWarning
from hyperskip.files.locks import only_writer
from hyperskip.files.scratch import scratch_folder
from hyperskip.interruption import Interruption
from hyperskip.options import Options, check_names, declarations
from hyperskip.text.encoding.corpus_folder import open_if_encoded
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import Corpus
from hyperskip.training.centroids import centered, centroids
from hyperskip.training.checkpoints.checkpoint_files import (
    Checkpoint,
    CheckpointFolder,
    Key,
    corpus_checksum,
    vectors_checksum,
)
from hyperskip.training.checkpoints.writer import Keeper
from hyperskip.training.objective.sampling import contexts_on_a_side
from hyperskip.training.options import (
    CENTERS,
    CONTEXTS,
    HYPERBOLOID,
    CheckpointOptions,
    TrainingOptions,
    on_top_of,
)
from hyperskip.training.run.backend import chosen_device
from hyperskip.training.run.events import Interrupted, Kept, OnDevice, Report, Resuming
from hyperskip.training.run.loop import Run
from hyperskip.training.run.state import EpochSummary, Position, State
from hyperskip.training.start import from_model as continued
from hyperskip.training.start.random_positions import Parameters, initial_parameters
from hyperskip.vectors.model_file import load
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
        CorpusError: The text is missing, unreadable or too small.
        VectorFileError: The model to start from, or a checkpoint, cannot be read.
        OutputError: There are checkpoints of another training, or none can be written.
        DivergenceError: The numbers blew up.
    """
    model = None if init is None else _initial_model(init)
    inherited = {} if model is None else continued.inherited_options(model, options)
    chosen = on_top_of(preset, inherited | options)
    text_options, training_options, checkpoint_options = split_options(chosen)
    _check_start(model, training_options)
    plan = _checkpoint_plan(checkpoints, checkpoint_options, init)
    check_training_device(training_options)
    opened = open_if_encoded(corpus)
    with contextlib.ExitStack() as stack:
        if plan is not None:
            stack.enter_context(only_writer(plan.folder.path))
            plan.folder.check(plan.options)  # again, now that nobody else writes there
        if opened is not None:
            opened.check_options(text_options, chosen)
            encoded = opened
        else:
            assert not isinstance(corpus, EncodedCorpus)  # which is kept
            scratch = stack.enter_context(scratch_folder())
            threads = training_options.threads
            encoded = encode_into(corpus, text_options, scratch, report, threads=threads)
        return train_encoded(encoded, training_options, report, model=model, plan=plan)


def split_options(
    options: dict[str, Any],
) -> tuple[TextOptions, TrainingOptions, CheckpointOptions]:
    """Sort option values into their groups, which checks them."""
    groups: tuple[type[Options], ...] = (TextOptions, TrainingOptions, CheckpointOptions)
    check_names(options, *groups)

    def of(group: type[Options]) -> Any:
        return group(**{name: options[name] for name in options if name in declarations(group)})

    return of(TextOptions), of(TrainingOptions), of(CheckpointOptions)


def check_training_device(options: TrainingOptions) -> None:
    """Find out that nothing can be trained before the text is read for it.

    Raises:
        OptionError: The GPU was asked for, and there is none.
        HyperskipError: The compiler is switched off.
    """
    device, _ = chosen_device(options)
    if device == CPU:
        from hyperskip.training.cpu.backend import check_compiler

        check_compiler()


def _initial_model(init: object) -> WordVectors:
    model = load(init) if isinstance(init, str | os.PathLike) else init
    if not isinstance(model, WordVectors):
        raise OptionError(
            f"init is {init!r}", hint="init is a model: WordVectors, or the name of their file"
        )
    return model


def _check_start(model: WordVectors | None, options: TrainingOptions) -> None:
    if model is not None:
        continued.check_same_space(model, options)
    elif options.freeze:
        raise OptionError(
            "freeze was given, and no model whose words it could hold in place",
            hint="pass a model to start from: --init MODEL",
        )


@dataclass(frozen=True)
class CheckpointPlan:
    """Where checkpoints go, and how to deal with those that are there."""

    folder: CheckpointFolder
    options: CheckpointOptions


def _checkpoint_plan(
    path: str | os.PathLike[str] | None, options: CheckpointOptions, init: object
) -> CheckpointPlan | None:
    if options.resume and (path is None or options.checkpoint_minutes == 0):
        raise OptionError(
            "resume was asked for, and checkpoints were not",
            hint="leave out --checkpoint-minutes 0 (in Python: pass `checkpoints`, a folder)",
        )
    if path is None:
        return None
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise OptionError(f"checkpoints is {path!r}", hint="checkpoints is the name of a folder")
    folder = CheckpointFolder(Path(path))
    folder.check(options)
    if options.restart and isinstance(init, str | os.PathLike) and folder.has(Path(init)):
        raise OptionError(
            f"the model to start from, {os.fspath(init)}, is among the checkpoints that restart "
            "removes",
            hint="copy it first, or choose another name for the output",
        )
    if options.checkpoint_minutes > 0:
        return CheckpointPlan(folder, options)
    if options.restart:
        folder.discard()
    return None


def train_encoded(
    encoded: EncodedCorpus,
    options: TrainingOptions,
    report: Report | None = None,
    *,
    model: WordVectors | None = None,
    plan: CheckpointPlan | None = None,
) -> WordVectors:
    """Learn word vectors from a corpus that is encoded already."""
    report = report or (lambda _: None)
    device, reason = chosen_device(options)
    options = replace(options, device=device)
    report(OnDevice(device_name(device), reason))
    if len(encoded.sentence_starts) > len(encoded.tokens):  # no sentence is empty
        raise CorpusError(
            "every document of the corpus is a single word: there are no contexts to learn from",
            hint="put one sentence or document on a line, not one word",
        )
    options = _for_text(options, encoded)
    vocabulary = encoded.vocabulary
    known: npt.NDArray[np.bool_] | None = None
    if model is None:
        parameters = initial_parameters(len(vocabulary), options)
    else:
        parameters, known = continued.continued_parameters(model, encoded, options)
    fixed = known if options.freeze else None
    state = State(Position(), parameters)

    def result(state: State) -> WordVectors:
        return _result(state.parameters.centers, state, encoded, options, model)

    if plan is None:
        run = Run(encoded, options, state, report, fixed, begins_anywhere=model is not None)
        while not run.is_done:
            run.stretch()
        finished = run.state()
    else:
        key = _key(encoded, options, model)
        checkpoint = _checkpoint_to_resume(plan, key)
        if checkpoint is not None:
            state = checkpoint.state_for(vocabulary.words)
        last = None if checkpoint is None else checkpoint.path
        run = Run(encoded, options, state, report, fixed, begins_anywhere=model is not None)
        if plan.options.resume:
            report(Resuming(last, run.position.epoch + 1, run.epochs, run.tokens_done))
        minutes = plan.options.checkpoint_minutes
        with (
            Keeper(plan.folder, key, result, minutes, last) as keeper,
            Interruption() as interruption,
        ):
            finished = _run_with_checkpoints(run, keeper, interruption, report)
    _warn_if_hardly_trained(finished.position.history, encoded, options)
    layer = _kept_layer(finished.parameters, options)
    if model is None and options.geometry == HYPERBOLOID:  # the words of a model stay where it is
        layer = centered(layer, options)
    return _result(layer, finished, encoded, options, model)


def _for_text(options: TrainingOptions, encoded: EncodedCorpus) -> TrainingOptions:
    """The options with the usual subsampling and rate for this text, unless they were chosen."""
    options = options.with_usual_subsample(len(encoded.tokens))
    contexts = contexts_on_a_side(
        encoded.sentence_starts,
        encoded.vocabulary.counts,
        options.kept_share,
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
                TrainingWarning,
                stacklevel=5,
            )
    return options.with_usual_rate(contexts)


def _key(encoded: EncodedCorpus, options: TrainingOptions, model: WordVectors | None) -> Key:
    return Key(
        _options(encoded, options, with_threads=False),
        corpus_checksum(encoded),
        None if model is None else vectors_checksum(model),
    )


def _checkpoint_to_resume(plan: CheckpointPlan, key: Key) -> Checkpoint | None:
    """The newest checkpoint, if training shall go on and there is one.

    Raises:
        OptionError: It is a checkpoint of another training.
    """
    if plan.options.restart:
        plan.folder.discard()
    checkpoint = plan.folder.newest() if plan.options.resume else None
    if checkpoint is not None and (differences := key.differences(checkpoint.key)):
        raise OptionError(
            f"cannot go on from {checkpoint.path}: {'; '.join(differences)}",
            hint="resume with the text and the options that it was begun with, or begin anew with "
            "--restart, which removes it",
        )
    return checkpoint


def _run_with_checkpoints(
    run: Run, keeper: Keeper, interruption: Interruption, report: Report
) -> State:
    """Run to the end, with checkpoints on the way; also when told to stop."""

    def pausing() -> bool:
        if interruption.requested is not None:
            report(Interrupted())
        return interruption.requested is not None or keeper.is_due()

    try:
        while not run.is_done and interruption.requested is None:
            run.stretch(pausing)
            epoch_is_over = run.position.block == 0
            if keeper.is_due() or (epoch_is_over and keeper.is_affordable()):
                keeper.keep(run.state)
        state = run.state()
        path = keeper.keep_now(lambda: state, run.position)
        if interruption.requested is not None:
            if path is not None:
                report(Kept(path, min(run.position.epoch + 1, run.epochs), run.epochs))
            interruption.act()
        return state
    except DivergenceError as error:
        path = keeper.newest()
        if path is not None:
            error.hint = (
                f"{error.hint}; with --restart, or another name for the output. What was learned "
                f"before is in {path}, a model like any other: to start from it, copy it first and "
                "pass the copy as --init"
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


def _kept_layer(
    parameters: Parameters, options: TrainingOptions
) -> npt.NDArray[np.floating[Any]]:  # (words, dimension)
    """What words keep of their two vectors, or the one that they have."""
    centers, contexts = parameters.centers, parameters.contexts
    if contexts is None or options.layer == CENTERS:
        return centers
    if options.layer == CONTEXTS:
        return contexts
    both = np.stack((centers, contexts), axis=1)
    return centroids(both, np.ones((len(both), 2)), options)


def _result(
    layer: npt.NDArray[np.floating[Any]],
    state: State,
    encoded: EncodedCorpus,
    options: TrainingOptions,
    model: WordVectors | None,
) -> WordVectors:
    """A layer that training has come to, as vectors."""
    words: Sequence[str] = encoded.vocabulary.words
    counts = encoded.vocabulary.counts
    coordinates = np.asarray(layer, dtype=np.float32)
    if model is not None:
        words, counts, coordinates = continued.joined(model, encoded.vocabulary, coordinates)
    return WordVectors(
        words,
        coordinates,
        counts=counts,
        geometry=options.geometry,
        factors=options.factors,
        # Without the time it took, nor threads that do not matter: the same file for the same
        # training.
        options=_options(encoded, options, with_threads=options.threads_matter),
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
            TrainingWarning,
            stacklevel=4,
        )
