"""How to recognize the folders that hyperskip writes."""

from hyperskip.files.remote import Location

ENCODED_HEADER = "hyperskip-corpus.json"  # a folder that contains this file is an encoded corpus
EXPLORER_DATA = "hyperskip-explorer.json"  # a folder that contains it is an exported explorer
CHECKPOINTS_SUFFIX = ".checkpoints"  # of the folder next to a model


def is_encoded(path: Location) -> bool:
    """Whether a path is the folder of an encoded corpus; False if it cannot be read."""
    try:
        return (path / ENCODED_HEADER).is_file()
    except (OSError, ValueError):  # not a valid path
        return False
