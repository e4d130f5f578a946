"""Keeps a training: writes checkpoints beside it, when it is time to."""

import time
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from hyperskip.errors import HyperskipError, OutputWarning
from hyperskip.files.failures import reason_of
from hyperskip.training.checkpoints.checkpoint_files import CheckpointFolder, Key
from hyperskip.training.run.state import Position, State
from hyperskip.vectors.word_vectors import WordVectors

_SHARE = 0.02  # of the time that checkpoints at the ends of epochs may take
# What a disk, or too little memory, may do to a checkpoint, but not to the training.
_FAILURES = (HyperskipError, OSError, MemoryError)


class Keeper:
    """Writes checkpoints of a training, by a thread of its own.

    Args:
        folder: For the checkpoints.
        key: Of the training.
        model: Makes a model of the training's state.
        minutes: From one checkpoint to the next.
        last: The checkpoint that training went on from, if it did.
    """

    def __init__(
        self,
        folder: CheckpointFolder,
        key: Key,
        model: Callable[[State], WordVectors],
        minutes: float,
        last: Path | None = None,
    ) -> None:
        self._folder = folder
        self._key = key
        self._model = model
        self._seconds = 60 * minutes
        self._began = time.monotonic()  # the newest checkpoint, or the training
        self._cost = 0.0  # of the last one, in seconds of a processor
        self._kept: Position | None = None
        self._last = last  # the newest that this training has
        self._writer = ThreadPoolExecutor(1)
        self._writing: Future[Path] | None = None

    def __enter__(self) -> "Keeper":
        return self

    def __exit__(self, *_: object) -> None:
        self._finish()
        self._writer.shutdown()

    def is_due(self) -> bool:
        """Whether it is time for a checkpoint, and the last one is written."""
        return self._is_free() and time.monotonic() - self._began >= self._seconds

    def is_affordable(self) -> bool:
        """Whether the last one is written, and was worth the time; at the end of short epochs."""
        return self._is_free() and time.monotonic() - self._began >= self._cost / _SHARE

    def _is_free(self) -> bool:
        if self._writing is not None and not self._writing.done():
            return False
        self._finish()
        return True

    def keep(self, state: Callable[[], State]) -> None:
        """Take a training's state, and write a checkpoint while training goes on.

        If writing fails, a warning says so, and older checkpoints stay.
        """
        self._finish()
        self._began = time.monotonic()
        try:
            taken = state()
            self._cost = time.monotonic() - self._began
            self._kept = taken.position
            self._writing = self._writer.submit(self._write, taken)
        except (MemoryError, RuntimeError) as error:  # the latter where no thread can be started
            self._writing = None
            _warn(error)

    def keep_now(self, state: Callable[[], State], position: Position) -> Path | None:
        """Write a checkpoint, unless this position has one, and wait for it; None if it fails."""
        path = self._finish()
        if path is None or self._kept != position:
            self.keep(state)
            path = self._finish()
        return path

    def newest(self) -> Path | None:
        """The newest checkpoint of this training, once it is written."""
        self._finish()
        return self._last

    def _write(self, state: State) -> Path:
        began = time.thread_time()
        path = self._folder.save(self._key, self._model(state), state, self._last)
        self._cost += time.thread_time() - began
        self._last = path
        return path

    def _finish(self) -> Path | None:
        """Wait for the checkpoint that is being written, if one is; where the last one is."""
        if self._writing is None:
            return None
        try:
            return self._writing.result()
        except _FAILURES as error:
            self._writing = None
            _warn(error)
            return None


def _warn(error: Exception) -> None:
    reason = error.message if isinstance(error, HyperskipError) else reason_of(error)
    warnings.warn(f"a checkpoint could not be written: {reason}", OutputWarning, stacklevel=4)
