"""A folder for what is needed for a while, which a killed process does not leave for ever."""

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

_PREFIX = "hyperskip-scratch-"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder where the system keeps what is temporary (TMPDIR).

    Folders that processes left there when they were killed are removed.

    Raises:
        OutputError: It cannot be made.
    """
    with contextlib.ExitStack() as claim:
        try:
            place = Path(tempfile.gettempdir())
            _remove_abandoned(place)
            folder = place / (_PREFIX + secrets.token_hex(8))
            claim.enter_context(only_writer(folder))  # before it is there for others to see
            claim.enter_context(temporary_folder(folder, mode=0o700))
        except (OSError, OutputError) as error:
            reason = error.message if isinstance(error, OutputError) else reason_of(error)
            raise OutputError(
                f"cannot make a temporary folder: {reason}",
                hint="let TMPDIR name a folder that can be written to and has room",
            ) from error
        yield folder


def _remove_abandoned(place: Path) -> None:
    for folder in place.glob(f"{_PREFIX}*"):
        if is_abandoned(folder):
            with contextlib.suppress(OutputError), only_writer(folder):
                shutil.rmtree(folder, ignore_errors=True)
