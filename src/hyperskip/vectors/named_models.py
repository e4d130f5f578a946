"""Models that have a name: the small one of the package, and those of a registry.

A registry is a JSON file. The package has one, and HYPERSKIP_MODELS may name another one:

    {"format_version": 1, "models": {"wiki-en-100": {"location": "https://…", "sha256": "…",
     "license": "CC-BY-SA-4.0", "about": "English Wikipedia, 100 dimensions"}}}

A location is a URL, or a path relative to the registry.
"""

import hashlib
import json
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from hyperskip.errors import NewerFileError, OutputError, VectorFileError, shown
from hyperskip.files.download_folder import download_folder
from hyperskip.files.failures import reason_of
from hyperskip.files.format_version import check_version
from hyperskip.files.remote import is_url
from hyperskip.files.writing import replacing

REGISTRY_VARIABLE = "HYPERSKIP_MODELS"  # names the file of another registry
REGISTRY_VERSION = 1
LONGEST_NAME = 100  # characters

_PAGE = "pretrained.html#a-registry-of-models"
_FIELDS = ("location", "sha256", "license", "about")
_MOST_BYTES = 1 << 20  # of a registry


@dataclass(frozen=True)
class NamedModel:
    """A model of a registry.

    Attributes:
        name: The name that `hyperskip.load` takes.
        location: A path or a URL.
        sha256: Checksum of the file, in hexadecimal digits.
        license: Of the vectors, as an SPDX identifier.
        about: What it was trained on, in one line.
    """

    name: str
    location: str
    sha256: str
    license: str
    about: str


def named_models() -> dict[str, NamedModel]:
    """Return all models that have a name; those of HYPERSKIP_MODELS replace those of the package.

    Raises:
        VectorFileError: The registry is missing or malformed.
        NewerFileError: A later version of hyperskip has written the registry.
    """
    found = read_registry(_package_registry())
    if given := os.environ.get(REGISTRY_VARIABLE):
        found |= read_registry(Path(given))
    return found


def is_name(path: str | os.PathLike[str]) -> bool:
    """Whether a path could be the name of a model: it looks like one, and there is no such file."""
    text = os.fspath(path)
    return is_plain(text) and not Path(text).is_file()


def is_plain(name: str) -> bool:
    """Whether a name is short and has letters, digits, hyphens and underscores only."""
    return re.fullmatch(rf"[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}", name) is not None


def model_path(path: str | os.PathLike[str]) -> Path:
    """Return the file of a model; a name is looked up, and its file downloaded once.

    A path that is not the name of a model is returned as it is.

    Raises:
        VectorFileError: The file cannot be downloaded, or has another checksum.
        OutputError: The file cannot be stored.
    """
    name = os.fspath(path)
    known = named_models() if is_name(path) else {}
    if name not in known:
        return Path(path)
    model = known[name]
    return _downloaded(model) if is_url(model.location) else _copied(model)


def read_registry(path: Path) -> dict[str, NamedModel]:
    """Return the models of a registry by their names.

    Raises:
        VectorFileError: The file is missing or malformed.
        NewerFileError: A later version of hyperskip has written it.
    """
    try:
        with path.open("rb") as file:
            content = json.loads(file.read(_MOST_BYTES))
        check_version(path, content["format_version"], REGISTRY_VERSION)
        return {name: _model(name, fields, path) for name, fields in content["models"].items()}
    except NewerFileError:
        raise
    except OSError as error:
        raise VectorFileError(
            f"cannot read the registry {path}: {reason_of(error)}",
            hint=f"check the variable {REGISTRY_VARIABLE}",
            page=_PAGE,
        ) from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise VectorFileError(
            f"{path} is not a registry of models: {shown(str(error))}",
            hint=f"it must have the format version {REGISTRY_VERSION} and, for each model, "
            f"{', '.join(_FIELDS)}; check the variable {REGISTRY_VARIABLE}",
            page=_PAGE,
        ) from error


def registry_entry(name: str, file: Path, location: str, license: str, about: str) -> str:  # noqa: A002
    """Return a registry with one model, as JSON.

    Args:
        name: The name of the model.
        file: Its file, whose checksum is computed.
        location: Where others find the file: a URL, or a path relative to the registry.
        license: Of the vectors.
        about: What it was trained on.
    """
    fields = {"location": location, "sha256": _checksum(file), "license": license, "about": about}
    registry = {"format_version": REGISTRY_VERSION, "models": {name: fields}}
    return json.dumps(registry, indent=2, ensure_ascii=False) + "\n"


def _copied(model: NamedModel) -> Path:
    """Copy a model on disk to the cache, since maps are stored beside models."""
    source, target = Path(model.location), _cached(model)
    if target.is_file() and _checksum(target) == model.sha256:
        return target
    try:
        data = source.read_bytes()
    except OSError as error:
        raise VectorFileError(
            f"cannot read the model {model.name}: {source}: {reason_of(error)}",
            hint=f"install hyperskip again, or check {REGISTRY_VARIABLE}",
        ) from error
    if hashlib.sha256(data).hexdigest() != model.sha256:
        raise _wrong_checksum(model)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            temporary.write_bytes(data)
    except (OSError, OutputError):
        return source  # a cache that cannot be written
    return target


def _downloaded(model: NamedModel) -> Path:
    import pooch  # imports tqdm, which warns in some notebooks

    pooch.get_logger().setLevel(logging.WARNING)
    target = _cached(model)
    try:
        file = pooch.retrieve(
            model.location,
            known_hash=f"sha256:{model.sha256}",
            fname=target.name,
            path=target.parent,
        )
    except ValueError as error:
        raise _wrong_checksum(model) from error
    except OSError as error:
        raise VectorFileError(
            f"the model {model.name} could not be downloaded from {model.location}: "
            f"{reason_of(error)}",
            hint="check the connection, or download the file and pass its path",
        ) from error
    return Path(file)


def models_folder() -> Path:
    """The folder for models that have a name."""
    return download_folder() / "models"


def _cached(model: NamedModel) -> Path:
    return models_folder() / model.sha256[:16] / f"{model.name}.safetensors"


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _wrong_checksum(model: NamedModel) -> VectorFileError:
    return VectorFileError(
        f"the file of the model {model.name} does not have the checksum in its registry: "
        f"{model.location}",
        hint="get the file again; if that does not help, report it to the owner of the registry",
    )


def _package_registry() -> Path:
    return Path(str(resources.files("hyperskip.vectors") / "data" / "models.json"))


def _model(name: str, fields: Mapping[str, Any], registry: Path) -> NamedModel:
    """Return one entry of a registry."""
    texts = {field: fields[field] for field in _FIELDS}
    if not is_plain(name) or not all(isinstance(each, str) for each in texts.values()):
        raise ValueError(f"the entry {name!r}")
    if len(texts["sha256"]) != 64 or set(texts["sha256"]) - set("0123456789abcdef"):
        raise ValueError(f"the checksum of {name!r}")
    if not is_url(texts["location"]):
        texts["location"] = str(registry.parent / texts["location"])
    return NamedModel(name, **texts)
