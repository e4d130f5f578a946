"""The version that every file of hyperskip's own formats states."""

from pathlib import Path

from hyperskip.errors import NewerFileError


def check_version(path: Path, version: object, newest: int) -> None:
    """Refuse a file of ours that a later version has written.

    To be called before anything else of the file is looked at: the rest may be of any kind.

    Args:
        path: The file, or folder, to name.
        version: The format version that it states.
        newest: The newest one that can be read.

    Raises:
        NewerFileError: It is a later one.
        ValueError: It is not a version.
    """
    if type(version) is not int or version < 1:
        raise ValueError(f"its format version is {version!r}"[:100])
    if version > newest:
        raise NewerFileError(
            f"{path} has format version {str(version)[:20]}, and this hyperskip reads versions "
            f"up to {newest}",
            hint="update hyperskip",
        )
