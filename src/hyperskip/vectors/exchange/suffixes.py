"""The format of a file by its suffix, and checks of names that were chosen."""

from collections.abc import Collection
from pathlib import Path

from hyperskip.errors import OptionError, alternatives
from hyperskip.spelling import close_matches
from hyperskip.vectors.exchange.names import (
    FASTTEXT,
    FLORET,
    FORMATS,
    MINKOWSKI,
    NPZ,
    WORD2VEC,
    WORD2VEC_BINARY,
)

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
MODEL_SUFFIX = ".safetensors"

_SUFFIXES = {
    ".bin": WORD2VEC_BINARY,
    ".vec": FASTTEXT,
    ".csv": MINKOWSKI,
    ".npz": NPZ,
    ".txt": WORD2VEC,
    ".floret": FLORET,
}


def format_of_suffix(suffix: str, path: Path) -> str:
    """Return the format that a suffix stands for.

    Raises:
        OptionError: It stands for none, or for a model file.
    """
    if suffix == MODEL_SUFFIX:
        raise OptionError(
            f"cannot export to {path}: the suffix {MODEL_SUFFIX} is for hyperskip's model files",
            hint=f"use the suffix {' or '.join(_SUFFIXES)}; to keep a model, copy its file",
        )
    if suffix not in _SUFFIXES:
        raise OptionError(
            f"the suffix of {path} does not belong to a format",
            hint=f"use the suffix {' or '.join(_SUFFIXES)}, or set `format` to one of "
            f"{', '.join(FORMATS)}",
        )
    return _SUFFIXES[suffix]


def check_suffix_for(tool: str, path: Path, written: str) -> None:
    """Check that the suffix of the file for a tool does not stand for another format.

    Raises:
        OptionError: It does.
    """
    suffix = path.suffix.lower()
    if suffix == MODEL_SUFFIX or _SUFFIXES.get(suffix, written) != written:
        ours = next(ours for ours, name in _SUFFIXES.items() if name == written)
        raise OptionError(
            f"`tool={tool!r}` writes the format {written}, but the suffix of {path} stands for "
            f"{_SUFFIXES.get(suffix, 'a model of hyperskip')}",
            hint=f"use the suffix {ours}",
        )


def check_choice(name: str, value: object, allowed: Collection[str]) -> None:
    """Check that the value of an argument is one of the allowed names.

    Raises:
        OptionError: It is not; the error suggests the name that was probably meant.
    """
    if isinstance(value, str) and value in allowed:
        return
    meant = close_matches(value, allowed, count=1) if isinstance(value, str) else []
    raise OptionError(
        f"`{name}` must be {alternatives(map(repr, allowed))}, got {value!r}",
        hint=f"did you mean {meant[0]!r}?"
        if meant
        else f"choose one of them, or leave out `{name}`",
    )
