"""The folders where hyperskip keeps what it can make or download again."""

import os
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from hyperskip.files.downloads import WRITABLE_FOLDER, download_folder
from hyperskip.files.failures import reason_of
from hyperskip.kernel_cache import cache_folders, is_kernel_file
from hyperskip.vectors.named_models import models_folder


@dataclass(frozen=True)
class Cache:
    """A folder, or several, whose files may be deleted.

    Attributes:
        files: Where the files are, as a pattern; empty if there is no place for them.
        bytes: The size of all files.
        why_read_only: Why nothing can be written to it; None if it can.
        advice: What to do if it cannot be written.
    """

    files: str
    bytes: int
    why_read_only: str | None
    advice: str


def numba_cache() -> Cache:
    """The cache of compiled kernels for the CPU."""
    folders = cache_folders()
    place = os.path.commonpath(folders) if folders else ""
    return Cache(
        str(Path(place, "**", "*.nb[ic]")) if place else "",
        _size(folders, is_kernel_file),
        _why_read_only(folders[0]) if folders else "no folder for them can be written",
        "set NUMBA_CACHE_DIR to a folder that can be written",
    )


def triton_cache() -> Cache | None:
    """The cache of compiled kernels for the GPU; None if Triton is not installed."""
    if find_spec("triton") is None:
        return None
    home = os.environ.get("TRITON_HOME") or Path.home()
    folder = Path(os.environ.get("TRITON_CACHE_DIR") or Path(home, ".triton", "cache"))
    return _folder_cache(folder, "set TRITON_CACHE_DIR to a folder that can be written")


def model_cache() -> Cache:
    """The models that were loaded by their names."""
    return _folder_cache(models_folder(), WRITABLE_FOLDER)


def set_cache() -> Cache:
    """The evaluation sets that were downloaded."""
    folder = download_folder()
    return Cache(
        str(folder / "*.txt"),
        sum(path.stat().st_size for path in folder.glob("*.txt")),
        _why_read_only(folder),
        WRITABLE_FOLDER,
    )


# What each cache contains, and the function that examines it.
CACHES: dict[str, Callable[[], Cache | None]] = {
    "kernels for the CPU": numba_cache,
    "kernels for the GPU": triton_cache,
    "named models": model_cache,
    "evaluation sets": set_cache,
}


def _folder_cache(folder: Path, advice: str) -> Cache:
    return Cache(str(folder), _size([folder], lambda _: True), _why_read_only(folder), advice)


def _size(folders: Iterable[Path], counts: Callable[[Path], bool]) -> int:
    """The size of all files that count, in folders and below."""
    return sum(
        path.lstat().st_size
        for folder in folders
        for path in folder.rglob("*")
        if counts(path) and not path.is_dir()
    )


def _why_read_only(folder: Path) -> str | None:
    """Why nothing can be written to a folder, which may not exist yet; None if it can."""
    existing = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    if not existing.is_dir():
        return f"{existing} is not a folder"
    try:
        with tempfile.TemporaryFile(dir=existing):
            return None
    except OSError as error:
        return f"{existing}: {reason_of(error)}"
