"""Files that are downloaded once: their folder, their addresses and their checksums."""

import logging
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from hyperskip.errors import InputError
from hyperskip.files.failures import reason_of

# Errors of requests, which pooch loads only for a download.
_NO_CONNECTION = ("ConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError")


def download_folder() -> Path:
    """Return the folder: evaluation sets are in it, and models in a folder of their own."""
    import platformdirs

    return Path(platformdirs.user_cache_path("hyperskip"))


def is_web_address(text: str) -> bool:
    """Whether a text is an address that files can be downloaded from."""
    try:
        parts = urlsplit(text)
    except ValueError:  # such as http://[
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def download(address: str, target: Path, sha256: str, failed: Callable[[str], InputError]) -> None:
    """Download a file, unless it is there already.

    Args:
        address: An address on the web.
        target: The file to write.
        sha256: Its checksum, in hexadecimal digits.
        failed: Makes the error that is raised, from the reason.
    """
    import pooch  # imports tqdm, which warns in some notebooks

    pooch.get_logger().setLevel(logging.WARNING)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise failed(f"cannot create the folder {target.parent}: {reason_of(error)}") from error
    try:
        pooch.retrieve(address, f"sha256:{sha256}", fname=target.name, path=target.parent)
    except OSError as error:  # also an invalid address, which is a ValueError, too
        no_connection = type(error).__name__ in _NO_CONNECTION
        raise failed("no connection" if no_connection else reason_of(error)) from error
    except ValueError as error:
        raise failed("the file has another checksum") from error
