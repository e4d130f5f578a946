"""Writes checkpoints in the background while training continues."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from hyperskip.errors import HyperskipError, OutputWarning, warn
from hyperskip.files.failures import reason_of
from hyperskip.thread_pool import ThreadPool
from hyperskip.training.checkpoints.checkpoint import Key
from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder
from hyperskip.training.run.state import Position, State
from hyperskip.vectors.word_vectors import WordVectors

_SHARE = 0.02  # of the time that checkpoints at the ends of epochs may take
# Failures of the disk, or of memory, that may cost a checkpoint but not the training.
_FAILURES = (HyperskipError, OSError, MemoryError)


class CheckpointWriter:
    """Writes the checkpoints of a training in a thread of its own.

    Args:
        folder: Where to write them.
        key: The key of the training.
        model_of: Makes a model from a state of the training.
        minutes: Time between checkpoints.
        last: The checkpoint that the training was resumed from, if any.
    """

    def __init__(
        self,
        folder: CheckpointFolder,
        key: Key,
        model_of: Callable[[State], WordVectors],
        minutes: float,
        last: Path | None = None,
    ) -> None:
        self._folder = folder
        self._key = key
        self._model_of = model_of
        self._seconds = 60 * minutes
        self._began = time.monotonic()  # of the newest checkpoint, or of the training
        self._cost = 0.0  # of the newest checkpoint, in seconds of processor time
        self._position: Position | None = None  # of the newest checkpoint
        self._last = last  # the newest checkpoint of this training
        self._writer = ThreadPool(1)
        self._writing: Future[Path] | None = None

    def __enter__(self) -> "CheckpointWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self._finish()
        self._writer.close()

    def is_due(self) -> bool:
        """Whether it is time for a checkpoint and none is being written."""
        return self._is_free() and time.monotonic() - self._began >= self._seconds

    def is_affordable(self) -> bool:
        """Whether a checkpoint would take a small share of the time, and none is being written."""
        return self._is_free() and time.monotonic() - self._began >= self._cost / _SHARE

    def _is_free(self) -> bool:
        if self._writing is not None and not self._writing.done():
            return False
        self._finish()
        return True

    def write(self, state: Callable[[], State]) -> None:
        """Take the state of the training, and write a checkpoint while training continues.

        If writing fails, there is a warning, and older checkpoints are kept.
        """
        self._finish()
        self._began = time.monotonic()
        try:
            taken = state()
            self._cost = time.monotonic() - self._began
            self._position = taken.position
            self._writing = self._writer.submit(self._write, taken)
        except (MemoryError, RuntimeError) as error:  # RuntimeError: no thread can be started
            self._writing = None
            _warn(error)

    def write_now(self, state: Callable[[], State], position: Position) -> Path | None:
        """Write a checkpoint and wait for it, unless there is one of this position.

        Returns:
            The file; None if writing fails.
        """
        path = self._finish()
        if path is None or self._position != position:
            self.write(state)
            path = self._finish()
        return path

    def newest(self) -> Path | None:
        """The newest checkpoint of this training, after it is written."""
        self._finish()
        return self._last

    def _write(self, state: State) -> Path:
        began = time.thread_time()
        path = self._folder.save(self._key, self._model_of(state), state, self._last)
        self._cost += time.thread_time() - began
        self._last = path
        return path

    def _finish(self) -> Path | None:
        """Wait for the checkpoint that is being written, if any; returns the last one written."""
        if self._writing is None:
            return None
        try:
            return self._writer.result(self._writing)
        except _FAILURES as error:
            self._writing = None
            _warn(error)
            return None


def _warn(error: Exception) -> None:
    reason = error.message if isinstance(error, HyperskipError) else reason_of(error)
    warn(f"a checkpoint could not be written: {reason}", OutputWarning)
