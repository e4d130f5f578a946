"""The errors of remote file systems, which come from many packages, as errors of our own."""

import contextlib
import errno
import os
from collections.abc import Iterator

from hyperskip.errors import HyperskipError, InputError, MissingPackageError
from hyperskip.spelling import close_matches

_COMMON = ("abfs", "file", "ftp", "gs", "hdfs", "http", "https", "memory", "s3", "sftp", "smb")
_LONGEST_REASON = 300  # characters


@contextlib.contextmanager
def storage_errors(url: str, protocol: str) -> Iterator[None]:
    """Turn every error in the block into one that names the URL and a reason.

    Args:
        url: The URL that the block reads or writes.
        protocol: Its protocol.

    Raises:
        OSError: The storage failed; of the same class as the error of a local file.
        InputError: The protocol is unknown.
        MissingPackageError: The protocol requires a package.
    """
    try:
        _check_protocol(protocol)
        yield
    except HyperskipError:
        raise
    except ImportError as error:
        raise _missing_package(protocol, error) from error
    except OSError as error:
        code = error.errno or _code_of(error)
        raise OSError(code, _reason(error, os.strerror(code)), url) from error
    except NotImplementedError as error:
        raise OSError(errno.ENOTSUP, f"{protocol}:// does not support this", url) from error
    except Exception as error:  # of any package, such as botocore
        raise OSError(errno.EIO, _reason(error, type(error).__name__), url) from error


def _check_protocol(protocol: str) -> None:
    from fsspec import available_protocols

    if protocol not in (known := available_protocols()):
        similar = close_matches(protocol, known)
        guess = f"did you mean {similar[0]}://? " if similar else ""
        raise InputError(
            f"the protocol {protocol}:// is unknown",
            hint=f"{guess}Known protocols are {', '.join(_COMMON)} and others of fsspec",
        )


def _missing_package(protocol: str, error: ImportError) -> MissingPackageError:
    cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
    package = (cause.name or "another package").partition(".")[0]
    missing = MissingPackageError(package, "", f"the protocol {protocol}://")
    # Of smbclient, for example, fsspec says that smbprotocol installs it.
    is_named = cause is error or package in str(error)
    missing.hint = f"pip install {package}" if is_named else str(error)
    return missing


def _code_of(error: OSError) -> int:
    """The number of an error that was raised without one."""
    codes = {
        FileNotFoundError: errno.ENOENT,
        PermissionError: errno.EACCES,
        FileExistsError: errno.EEXIST,
        IsADirectoryError: errno.EISDIR,
        NotADirectoryError: errno.ENOTDIR,
        TimeoutError: errno.ETIMEDOUT,
    }
    return next((code for kind, code in codes.items() if isinstance(error, kind)), errno.EIO)


def _reason(error: Exception, usual: str) -> str:
    """What an error says, unless it is only a path."""
    text = " ".join((getattr(error, "strerror", None) or str(error)).split())
    return text[:_LONGEST_REASON] if " " in text else usual
