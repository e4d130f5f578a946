"""A map in a file next to the model that it shows."""

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from hyperskip.errors import NewerFileError, OutputError, OutputWarning, warn
from hyperskip.files.format_version import check_version
from hyperskip.files.writing import replacing
from hyperskip.projection.disc_map import DiscMap, Fidelity
from hyperskip.projection.map_events import Report, ignore
from hyperskip.projection.methods import AUTO, CHOICES, EXACT, MAP_WORDS, check_method
from hyperskip.projection.projecting import is_by_hierarchy, is_exact, make_map
from hyperskip.vectors.checksums import checksum
from hyperskip.vectors.container import read_header, write_packed
from hyperskip.vectors.word_vectors import WordVectors

_FORMAT = 2  # increase it also when a method changes: older maps are then made again
_DAMAGE = (
    *(SafetensorError, OSError, RecursionError),
    *(KeyError, ValueError, TypeError, AttributeError, OverflowError),
)


def map_beside(
    model: Path,
    vectors: WordVectors,
    *,
    words: int = MAP_WORDS.default,
    method: str = AUTO,
    seed: int = 1,
    report: Report = ignore,
) -> DiscMap:
    """The map of a model's most frequent words: the one next to the model, or a new one.

    A new map is written to `MODEL.disc-map`.

    Warns:
        OutputWarning: The file cannot be written, or is of a later version of hyperskip.
    """
    check_method(method)
    MAP_WORDS.checked("words", words)
    path = model.with_name(model.name + ".disc-map")
    words = min(words, len(vectors))
    key = map_key(vectors, words, method, seed)
    saved = read_map(path, key)
    if saved is not None:
        return saved
    disc_map = make_map(vectors, np.arange(words), method=method, seed=seed, report=report)
    try:
        _check_version(path)
        _write(path, disc_map, key)
    except (NewerFileError, OutputError) as error:
        warn(
            f"the map is not saved and will be made again next time: {error.message}",
            OutputWarning,
        )
    return disc_map


def map_key(vectors: WordVectors, words: int, method: str, seed: int) -> dict[str, Any]:
    """Everything that a map depends on."""
    key = {
        "format": _FORMAT,
        "coordinates": _fingerprint(vectors),
        "exact": words > 1 and is_exact(vectors, method),
        "words": words,
        "method": method,
        "seed": seed,
    }
    if vectors.has_hierarchy:
        key["by_hierarchy"] = words > 1 and is_by_hierarchy(vectors, method)
    return key


def _fingerprint(vectors: WordVectors) -> str:
    """Checksum of the part of the vectors that a map depends on."""
    about = f"{vectors.geometry} {vectors.factors} {vectors.coordinates.shape}"
    hierarchy = () if vectors.hierarchy is None else (vectors.hierarchy.coordinates,)
    return checksum(about, vectors.coordinates, *hierarchy)


def _check_version(path: Path) -> None:
    """Check that a later version of hyperskip has not written the map.

    Raises:
        NewerFileError: The file is such a map.
    """
    with contextlib.suppress(*_DAMAGE):
        check_version(path, _about(path)["format"], _FORMAT)


def _about(path: Path) -> dict[str, Any]:
    about = read_header(path).about
    if about is None:
        raise ValueError("it is not a map")
    return about


def _write(path: Path, disc_map: DiscMap, key: dict[str, Any]) -> None:
    about = key | {
        "checksum": checksum(disc_map.places),
        "made_by": disc_map.method,
        "fidelity": asdict(disc_map.fidelity),
        "tried": {name: asdict(fidelity) for name, fidelity in disc_map.tried.items()},
    }
    with replacing(path) as temporary, temporary.open("wb") as file:
        write_packed(file, {"places": np.ascontiguousarray(disc_map.places)}, about)


def read_map(path: Path, key: dict[str, Any]) -> DiscMap | None:
    """The map with this key in a file; None if the file is damaged or has another map."""
    try:
        about = _about(path)
        with safe_open(path, framework="numpy") as file:
            places = file.get_tensor("places")
        if any(about[name] != value for name, value in key.items()):
            return None
        fidelity = _fidelity(about["fidelity"])
        tried = {name: _fidelity(values) for name, values in about["tried"].items()}
        made_by = about["made_by"]
        is_valid = (
            places.shape == (key["words"], 2)
            and places.dtype == np.float64
            and bool((np.linalg.norm(places, axis=1) < 1.0).all())
            and about["checksum"] == checksum(places)
            and (made_by == EXACT) == key["exact"]
            and made_by in (EXACT, *CHOICES)
        )
    except _DAMAGE:
        return None
    if not is_valid:
        return None
    by_hierarchy = key.get("by_hierarchy", False)
    rows = np.arange(len(places))
    return DiscMap(rows, places, made_by, fidelity, tried, by_hierarchy=by_hierarchy)


def _fidelity(values: dict[str, Any]) -> Fidelity:
    """The fidelity of a method, as stored in the file.

    Raises:
        ValueError: It is not finite.
    """
    fidelity = Fidelity(**{name: float(value) for name, value in values.items()})
    if not np.isfinite([fidelity.neighbors, fidelity.radii]).all():
        raise ValueError(f"{fidelity!r} is not finite")
    return fidelity
