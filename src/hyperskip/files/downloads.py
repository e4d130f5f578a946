"""Files that are downloaded once: their folder, addresses, sizes and checksums."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from hyperskip.errors import InputError, OutputError
from hyperskip.files.failures import reason_of

WRITABLE_FOLDER = (
    "free some space, make the folder writable, or on Linux set XDG_CACHE_HOME to another folder"
)

# Errors of requests, which pooch loads only for a download.
_REASONS = {
    "ConnectionError": "no connection",
    "ConnectTimeout": "no connection",
    "ReadTimeout": "the server did not answer in time",
    "ProxyError": "no connection to the proxy",
    "SSLError": "no secure connection",
    "ChunkedEncodingError": "the connection ended before the file was complete",
    "ContentDecodingError": "the server compressed the file in an invalid way",
}


@dataclass(frozen=True)
class DownloadProgress:
    """Progress of a download."""

    bytes: int  # so far
    total: int | None  # None if this is not known


class Failure(Protocol):
    """Makes the error of a download that failed."""

    def __call__(self, reason: str, hint: str | None = None) -> InputError:
        """Return the error; without a hint, it is about the connection and the address."""


def ignore(progress: DownloadProgress) -> None:
    """Do not report progress."""


def download_folder() -> Path:
    """Return the folder: evaluation sets are in it, and models in a folder of their own.

    Raises:
        OutputError: The user has no home folder.
    """
    import platformdirs

    try:
        return Path(platformdirs.user_cache_path("hyperskip"))
    except RuntimeError as error:
        raise OutputError(
            "there is no folder for downloads, because this user has no home folder",
            hint="set the variable HOME, or on Linux XDG_CACHE_HOME, to a folder",
        ) from error


def is_web_address(text: str) -> bool:
    """Whether a text is an address that files can be downloaded from."""
    try:
        parts = urlsplit(text)
    except ValueError:  # such as http://[
        return False
    is_printable = text.isprintable() and " " not in text
    return is_printable and parts.scheme in ("http", "https") and bool(parts.hostname)


def download(
    address: str,
    target: Path,
    sha256: str,
    failed: Failure,
    *,
    most_bytes: int,
    report: Callable[[DownloadProgress], None] = ignore,
) -> None:
    """Download a file, unless it is there already.

    Args:
        address: An address on the web.
        target: The file to write.
        sha256: Its checksum, in hexadecimal digits.
        failed: Makes the error that is raised.
        most_bytes: The size from which the download is given up.
        report: Called with the progress.
    """
    import pooch  # imports tqdm, which warns in some notebooks

    pooch.get_logger().setLevel(logging.WARNING)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        pooch.retrieve(
            address,
            f"sha256:{sha256}",
            fname=target.name,
            path=target.parent,
            progressbar=_Arrived(most_bytes, report),
        )
    except _TooLargeError:
        raise failed(f"the file has more than {most_bytes:,} bytes") from None
    except OSError as error:  # also those of requests; an invalid address is a ValueError, too
        if _is_about_the_disk(error):
            raise failed(f"cannot write {target}: {reason_of(error)}", WRITABLE_FOLDER) from error
        raise failed(_REASONS.get(type(error).__name__, reason_of(error))) from error
    except ValueError as error:
        is_other_file = "hash" in str(error)  # as pooch says it
        reason = "the file has another checksum" if is_other_file else "an invalid answer"
        raise failed(reason) from error


def _is_about_the_disk(error: OSError) -> bool:
    return error.errno is not None and not type(error).__module__.startswith("requests")


class _TooLargeError(Exception):
    pass


class _Arrived:
    """Counts the bytes of a download; for pooch, it is a progress bar."""

    def __init__(self, most_bytes: int, report: Callable[[DownloadProgress], None]) -> None:
        self.total = 0  # pooch sets it; 0 if the server does not say
        self._most_bytes = most_bytes
        self._report = report
        self._bytes = 0

    def update(self, count: int) -> None:
        """Count bytes; pooch counts a last part that is not full as full."""
        self._bytes += count
        if max(self.total, self._bytes - count) > self._most_bytes:
            raise _TooLargeError
        self._report(DownloadProgress(self._bytes, self.total or None))

    def reset(self) -> None:
        """Begin again."""
        self._bytes = 0

    def close(self) -> None:
        """Do nothing."""
