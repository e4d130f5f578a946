"""The folder with the newest checkpoints of one training."""

import contextlib
import errno
import re
from pathlib import Path

from hyperskip.errors import OutputError, VectorFileError, VectorFileWarning, warn
from hyperskip.files.failures import reason_of
from hyperskip.files.targets import check_writable_folder
from hyperskip.files.writing import remove_partial_files
from hyperskip.training.checkpoints import checkpoint
from hyperskip.training.checkpoints.checkpoint import PARTIAL_MARK, RESUMING_PAGE, Checkpoint, Key
from hyperskip.training.options import CheckpointOptions
from hyperskip.training.run.state import State
from hyperskip.vectors.word_vectors import WordVectors

_NAME = re.compile(r"epoch-(\d{6})-block-(\d{9})\.safetensors")


class CheckpointFolder:
    """A folder for the checkpoints of one training."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def files(self) -> list[Path]:
        """List the checkpoint files, newest first."""
        try:
            named = (path for path in self.path.iterdir() if _NAME.fullmatch(path.name))
            return sorted((path for path in named if path.is_file()), reverse=True)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # no folder can have this name
                return []
            raise OutputError(
                f"cannot list the folder {self.path}: {reason_of(error)}",
                hint="choose another name for the output",
            ) from error

    def has(self, path: Path) -> bool:
        """Whether this file is one of the checkpoints."""
        return any(path.exists() and path.samefile(own) for own in self.files())

    def newest(self) -> Checkpoint | None:
        """Read the newest intact checkpoint; damaged ones are skipped with a warning.

        Raises:
            VectorFileError: A checkpoint cannot be read, although it may be intact.
            NewerFileError: A later version of hyperskip has written one.
        """
        for path in self.files():
            _check_readable(path)
            try:
                return checkpoint.load(path)
            except VectorFileError as error:
                if isinstance(error.__cause__, OSError):  # a disk error: the file may be intact
                    raise
                warn(f"skipping a checkpoint: {error.message}", VectorFileWarning)
        return None

    def check(self, options: CheckpointOptions) -> None:
        """Check early that no checkpoints are in the way and that new ones can be written.

        Raises:
            OutputError: There are checkpoints, and neither `resume` nor `restart` was chosen; or
                the folder cannot be written.
        """
        if options.checkpoint_minutes > 0:
            check_writable_folder(self.path)
        if self.files() and not (options.resume or options.restart):
            raise OutputError(
                f"there are checkpoints of an earlier training in {self.path}",
                hint="pass `resume=True` to continue it, or `restart=True` to remove it and start "
                "again; or choose another name for the output",
                page=RESUMING_PAGE,
            )

    def save(self, key: Key, vectors: WordVectors, state: State, last: Path | None) -> Path:
        """Write a checkpoint, then remove all others except the last one.

        The last one is kept in case that the new file gets damaged.

        Raises:
            OutputError: It cannot be written; then nothing is removed.
        """
        position = state.position
        path = self.path / f"epoch-{position.epoch:06d}-block-{position.block:09d}.safetensors"
        try:
            self.path.mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(
                f"cannot make the folder {self.path}: {reason_of(error)}",
                hint="choose another name for the output",
            ) from error
        checkpoint.save(path, key, vectors, state)
        remove_partial_files(self.path, PARTIAL_MARK)
        for other in self.files():
            if other not in (path, last):
                with contextlib.suppress(OSError):
                    other.unlink()
        return path

    def discard(self) -> None:
        """Remove all checkpoints, and the folder if it is empty then."""
        for path in self.files():
            with contextlib.suppress(OSError):
                path.unlink()
        remove_partial_files(self.path, PARTIAL_MARK)
        with contextlib.suppress(OSError):
            self.path.rmdir()


def _check_readable(path: Path) -> None:
    try:
        path.open("rb").close()
    except OSError as error:
        raise VectorFileError(
            f"cannot read the checkpoint {path}: {reason_of(error)}",
            hint="make it readable, or start again with `restart=True`",
            page=RESUMING_PAGE,
        ) from error
