"""Temporary folders that are removed even if their process was killed."""

import contextlib
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hyperskip.errors import OutputError
from hyperskip.files.failures import reason_of
from hyperskip.files.locks import is_abandoned, only_writer
from hyperskip.files.writing import temporary_folder
from hyperskip.interruption import signals_postponed

_PREFIX = "hyperskip-scratch-"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Provide a folder in the system's place for temporary files (TMPDIR).

    Also removes the folders that killed processes have left there.

    Raises:
        OutputError: It cannot be created.
    """
    with contextlib.ExitStack() as stack:
        try:
            with signals_postponed():  # the first call writes a file and removes it
                place = Path(tempfile.gettempdir())
            _remove_abandoned(place)
            folder = place / (_PREFIX + secrets.token_hex(8))
            stack.enter_context(only_writer(folder))  # locked before other processes see it
            stack.enter_context(temporary_folder(folder, mode=0o700))
        except (OSError, OutputError) as error:
            reason = error.message if isinstance(error, OutputError) else reason_of(error)
            raise OutputError(
                f"cannot create a temporary folder: {reason}",
                hint="set TMPDIR to a writable folder with enough space",
            ) from error
        yield folder


def _remove_abandoned(place: Path) -> None:
    for folder in place.glob(f"{_PREFIX}*"):
        if is_abandoned(folder):
            with contextlib.suppress(OutputError), only_writer(folder):
                shutil.rmtree(folder, ignore_errors=True)
