"""A map, kept in a file beside the model that it was made of."""

import contextlib
import hashlib
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from hyperskip.errors import NewerFileError, OptionError, OutputError, OutputWarning
from hyperskip.files.format_version import check_version
from hyperskip.files.writing import replacing
from hyperskip.geometry.spaces import Floats
from hyperskip.projection.disc_map import DiscMap, Fidelity
from hyperskip.projection.events import Report, ignore
from hyperskip.projection.methods import AUTO, CHOICES, EXACT, check_method
from hyperskip.projection.projecting import is_exact, make_map
from hyperskip.vectors.container import packed, read_header
from hyperskip.vectors.word_vectors import WordVectors

MAPPED = 50_000  # words that the disc shows, the most frequent

_FORMAT = 1  # also when a method changes: a map of an older one is made anew
_DAMAGE = (
    *(SafetensorError, OSError, RecursionError),
    *(KeyError, ValueError, TypeError, AttributeError, OverflowError),
)


def check_words(words: int) -> None:
    """Refuse a number of words that no map has.

    Raises:
        OptionError: With those that it may have.
    """
    if not 1 <= words <= MAPPED:
        raise OptionError(
            f"words is {words}", hint=f"words takes a whole number from 1 to {MAPPED:,}"
        )


def map_beside(
    model: Path,
    vectors: WordVectors,
    *,
    words: int = MAPPED,
    method: str = AUTO,
    seed: int = 1,
    report: Report = ignore,
) -> DiscMap:
    """The map of a model's most frequent words: the one beside the model, else a new one.

    A new one is kept as `MODEL.disc-map`. Where it cannot be written, or would replace one of a
    later version, there is a warning.
    """
    check_method(method)
    check_words(words)
    path = model.with_name(model.name + ".disc-map")
    words = min(words, len(vectors))
    asked = question(vectors, words, method, seed)
    kept = read_map(path, asked)
    if kept is not None:
        return kept
    disc_map = make_map(vectors, np.arange(words), method=method, seed=seed, report=report)
    try:
        _check_version(path)
        _write(path, disc_map, asked)
    except (NewerFileError, OutputError) as error:
        warnings.warn(
            f"the map is made anew the next time: {error.message}", OutputWarning, stacklevel=2
        )
    return disc_map


def question(vectors: WordVectors, words: int, method: str, seed: int) -> dict[str, Any]:
    """All that a map depends on: with the same, it is the same."""
    return {
        "format": _FORMAT,
        "coordinates": _fingerprint(vectors),
        "exact": words > 1 and is_exact(vectors),
        "words": words,
        "method": method,
        "seed": seed,
    }


def _fingerprint(vectors: WordVectors) -> str:
    """A checksum of what a map depends on."""
    about = f"{vectors.geometry} {vectors.factors} {vectors.coordinates.shape}"
    content = hashlib.sha256(about.encode())
    content.update(np.ascontiguousarray(vectors.coordinates).data)
    return content.hexdigest()


def _check_version(path: Path) -> None:
    """Refuse to replace a map that a later version of hyperskip has written.

    Raises:
        NewerFileError: There is one.
    """
    with contextlib.suppress(*_DAMAGE):
        check_version(path, _about(path)["format"], _FORMAT)


def _about(path: Path) -> dict[str, Any]:
    about = read_header(path).about
    if about is None:
        raise ValueError("it is not a map")
    return about


def _write(path: Path, disc_map: DiscMap, asked: dict[str, Any]) -> None:
    about = asked | {
        "checksum": _checksum(disc_map.places),
        "made_by": disc_map.method,
        "fidelity": asdict(disc_map.fidelity),
        "tried": {name: asdict(fidelity) for name, fidelity in disc_map.tried.items()},
    }
    with replacing(path) as temporary:
        temporary.write_bytes(packed({"places": np.ascontiguousarray(disc_map.places)}, about))


def read_map(path: Path, asked: dict[str, Any]) -> DiscMap | None:
    """The map in a file, if it is whole and is what was asked for."""
    try:
        about = _about(path)
        with safe_open(path, framework="numpy") as file:
            places = file.get_tensor("places")
        if any(about[name] != value for name, value in asked.items()):
            return None
        fidelity = _fidelity(about["fidelity"])
        tried = {name: _fidelity(values) for name, values in about["tried"].items()}
        made_by = about["made_by"]
        whole = (
            places.shape == (asked["words"], 2)
            and places.dtype == np.float64
            and bool((np.linalg.norm(places, axis=1) < 1.0).all())
            and about["checksum"] == _checksum(places)
            and (made_by == EXACT) == asked["exact"]
            and made_by in (EXACT, *CHOICES)
        )
    except _DAMAGE:
        return None
    return DiscMap(np.arange(len(places)), places, made_by, fidelity, tried) if whole else None


def _checksum(places: Floats) -> str:
    return hashlib.sha256(np.ascontiguousarray(places).data).hexdigest()


def _fidelity(values: dict[str, Any]) -> Fidelity:
    """What the file says of a method, in numbers.

    Raises:
        ValueError: It does not.
    """
    fidelity = Fidelity(**{name: float(value) for name, value in values.items()})
    if not np.isfinite([fidelity.neighbors, fidelity.radii]).all():
        raise ValueError(f"{fidelity!r} is no fidelity")
    return fidelity
