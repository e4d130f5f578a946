"""Training with checkpoints: start or resume, write checkpoints on the way, stop when asked to."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hyperskip.errors import DivergenceError, OptionError
from hyperskip.files.locks import only_writer
from hyperskip.interruption import Interruption
from hyperskip.training.checkpoints.checkpoint import RESUMING_PAGE, Checkpoint, Key
from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder
from hyperskip.training.checkpoints.writer import CheckpointWriter
from hyperskip.training.options import CheckpointOptions
from hyperskip.training.result import Result
from hyperskip.training.run.state import InitialState, State
from hyperskip.training.run.training_events import Interrupted, Report, Resuming, Stopped
from hyperskip.training.run.training_run import TrainingRun


@dataclass(frozen=True)
class Checkpoints:
    """Where the checkpoints of a training go, and what to do with existing ones."""

    folder: CheckpointFolder
    options: CheckpointOptions

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing here.

        Raises:
            BusyError: Another process is writing here.
            OutputError: There are checkpoints already.
        """
        with only_writer(self.folder.path):
            self.folder.check(self.options)  # again, now that no other process can write
            yield

    def to_resume(self, key: Key) -> Checkpoint | None:
        """The checkpoint to resume from, if there is one; `restart` removes all of them.

        Raises:
            OptionError: The newest checkpoint has another key.
        """
        if self.options.restart:
            self.folder.discard()
        checkpoint = self.folder.newest() if self.options.resume else None
        if checkpoint is not None and (differences := key.differences(checkpoint.key)):
            raise OptionError(
                f"cannot resume from {checkpoint.path}: {'; '.join(differences)}",
                hint="resume with the same text and options, or pass `restart=True` to remove it "
                "and start again",
                page=RESUMING_PAGE,
            )
        return checkpoint


def checkpoints_in(
    path: str | os.PathLike[str] | None, options: CheckpointOptions, init: object
) -> Checkpoints | None:
    """Check the folder for checkpoints; returns None if none are to be written.

    Args:
        path: The folder.
        options: What to do there.
        init: The initial model, which may be a file in the folder.

    Raises:
        OptionError: The options contradict each other, or the path is not a name.
        OutputError: There are checkpoints already, or none can be written.
    """
    if options.resume and path is not None and options.checkpoint_minutes == 0:
        raise OptionError(
            "`resume=True` requires `checkpoint_minutes` above 0",
            hint="leave out `checkpoint_minutes`, or leave out `resume`",
            page=RESUMING_PAGE,
        )
    for name in ("resume", "restart"):
        if path is None and getattr(options, name):
            raise OptionError(
                f"`{name}=True` requires a folder for `checkpoints`",
                hint=f"leave out `{name}`, or pass a folder",
                page=RESUMING_PAGE,
            )
    if path is None:
        return None
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise OptionError(
            f"`checkpoints` must be the name of a folder, got {path!r}",
            hint="pass a string or a pathlib.Path",
        )
    folder = CheckpointFolder(Path(path))
    folder.check(options)
    if options.restart and isinstance(init, str | os.PathLike) and folder.has(Path(init)):
        raise OptionError(
            f"`init` is {os.fspath(init)}, one of the checkpoints that `restart=True` removes",
            hint="copy it first, or choose another name for the output",
            page=RESUMING_PAGE,
        )
    if options.checkpoint_minutes > 0:
        return Checkpoints(folder, options)
    if options.restart:
        folder.discard()
    return None


def run_with_checkpoints(
    checkpoints: Checkpoints,
    start: InitialState,
    run_from: Callable[[InitialState | State], TrainingRun],
    result: Result,
    report: Report,
) -> State:
    """Train from the start or from a checkpoint to the end, or until the user interrupts.

    Args:
        checkpoints: Where they go.
        start: Where training starts if there is no checkpoint.
        run_from: Makes a run that starts from a state.
        result: Makes models from states.
        report: Called with progress events.

    Returns:
        The final state.
    """
    key = Key.of(result.encoded, result.plan, result.model)
    checkpoint = checkpoints.to_resume(key)
    words = result.encoded.vocabulary.words
    run = run_from(start if checkpoint is None else checkpoint.state_for(words, result.index))
    last = None if checkpoint is None else checkpoint.path
    if checkpoints.options.resume:
        report(Resuming(last, run.position.epoch + 1, run.epochs, run.tokens_done))
    minutes = checkpoints.options.checkpoint_minutes
    with (
        CheckpointWriter(checkpoints.folder, key, result.so_far, minutes, last) as writer,
        Interruption() as interruption,
    ):
        return _run_to_end(run, writer, interruption, report)


def _run_to_end(
    run: TrainingRun, writer: CheckpointWriter, interruption: Interruption, report: Report
) -> State:
    def should_pause() -> bool:
        if interruption.requested is not None:
            report(Interrupted())
        return interruption.requested is not None or writer.is_due()

    def is_over() -> bool:
        return run.is_done or interruption.requested is not None

    try:
        while not is_over():
            run.continue_epoch(should_pause)
            is_epoch_over = run.position.block == 0
            is_due = writer.is_due() or (is_epoch_over and writer.is_affordable())
            if is_due and not is_over():  # the last checkpoint is written below
                writer.write(run.state)
        writer.newest()  # waits, so that there are never two copies of the state in memory
        state = run.state()
        path = writer.write_now(lambda: state, run.position)
        if interruption.requested is not None:
            if path is not None:
                report(Stopped(path, min(run.position.epoch + 1, run.epochs), run.epochs))
            interruption.act()
        return state
    except DivergenceError as error:
        path = writer.newest()
        if path is not None:
            error.hint = (
                f"{error.hint}; pass `restart=True`, or another name for the output. The last "
                f"checkpoint before that is {path}: to start from it, copy it and pass the copy as "
                "`init`"
            )
        raise
