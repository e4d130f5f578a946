"""The folder of this user for files that hyperskip downloads."""

from pathlib import Path


def download_folder() -> Path:
    """Return the folder: evaluation sets are in it, and models in a folder of their own."""
    import platformdirs

    return Path(platformdirs.user_cache_path("hyperskip"))
