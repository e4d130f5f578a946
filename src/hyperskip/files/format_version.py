"""The format version that every file of hyperskip contains."""

from hyperskip.errors import NewerFileError
from hyperskip.files.remote import Location


def check_version(path: Location, version: object, newest: int) -> None:
    """Check that this version of hyperskip can read a file.

    Call it before reading anything else from the file: a later format may differ in everything.

    Args:
        path: The file or folder to name in messages.
        version: The format version in the file.
        newest: The newest version that can be read.

    Raises:
        NewerFileError: A later version of hyperskip has written the file.
        ValueError: It is not a version.
    """
    if type(version) is not int or version < 1:
        raise ValueError(f"its format version is {version!r}"[:100])
    if version > newest:
        raise NewerFileError(
            f"{path} has format version {str(version)[:20]}; this version of hyperskip reads "
            f"versions up to {newest}",
            hint="update hyperskip",
        )
