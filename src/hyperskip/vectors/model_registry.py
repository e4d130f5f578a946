"""Registries: JSON files that say where named models are.

The package has one, and HYPERSKIP_MODELS may name another one:

    {"format_version": 1, "models": {"wiki-en-100": {"location": "https://…", "sha256": "…",
     "license": "CC-BY-SA-4.0", "about": "English Wikipedia, 100 dimensions", "bytes": 156000000}}}

A location is an address on the web, or a path relative to the registry. The size is optional.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from hyperskip.errors import VectorFileError, shown
from hyperskip.files.downloads import is_web_address
from hyperskip.files.failures import reason_of
from hyperskip.files.format_version import check_version
from hyperskip.files.remote import is_url, was_url

REGISTRY_VARIABLE = "HYPERSKIP_MODELS"  # names the file of another registry
REGISTRY_VERSION = 1
REGISTRY_PAGE = "pretrained.html#a-registry-of-models"
LONGEST_NAME = 100  # characters

_FIELDS = ("location", "sha256", "license", "about")
LONGEST_TEXT = 2000  # characters of a field
_MOST_BYTES = 1 << 20  # of a registry
_CHECK_VARIABLE = f"check the variable {REGISTRY_VARIABLE}"


@dataclass(frozen=True)
class NamedModel:
    """A model of a registry.

    Attributes:
        name: The name that `hyperskip.load` takes.
        location: A path, or an address on the web.
        sha256: Checksum of the file, in hexadecimal digits.
        license: Of the vectors, as an SPDX identifier.
        about: What it was trained on, in one line.
        bytes: The size of the file; None if the registry does not say.
    """

    name: str
    location: str
    sha256: str
    license: str
    about: str
    bytes: int | None = None


def named_models() -> dict[str, NamedModel]:
    """Return all named models; those of HYPERSKIP_MODELS replace those of the package.

    Raises:
        VectorFileError: The registry is missing or malformed.
        NewerFileError: A later version of hyperskip has written the registry.
    """
    found = read_registry(Path(str(resources.files("hyperskip.vectors") / "data" / "models.json")))
    if given := os.environ.get(REGISTRY_VARIABLE):
        found |= read_registry(Path(given))
    return found


def is_plain(name: str) -> bool:
    """Whether a text can be a name: letters, digits, hyphens and underscores, no hyphen first."""
    return re.fullmatch(rf"(?!-)[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}", name) is not None


def is_short_line(text: str) -> bool:
    """Whether a registry can have a text: one line of printable characters."""
    return text.isprintable() and len(text) <= LONGEST_TEXT


def read_registry(path: Path) -> dict[str, NamedModel]:
    """Return the models of a registry by their names.

    Raises:
        VectorFileError: The file is missing or malformed.
        NewerFileError: A later version of hyperskip has written it.
    """
    if was_url(path):
        raise VectorFileError(
            f"{REGISTRY_VARIABLE} is a URL, and must be the path of a file",
            hint="download the registry, and set the variable to its path",
            page=REGISTRY_PAGE,
        )
    try:
        if path.exists() and not path.is_file():  # a pipe has no end
            raise OSError("it is not a file")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        raise VectorFileError(
            f"cannot read the registry {path}: {reason_of(error)}",
            hint=_CHECK_VARIABLE,
            page=REGISTRY_PAGE,
        ) from error
    try:
        return _models(path, data)
    except (ValueError, RecursionError) as error:
        raise VectorFileError(
            f"{path} is not a registry of models: {error}",
            hint=f"it must have the format version {REGISTRY_VERSION} and, for each model, "
            f"{', '.join(_FIELDS)}; {_CHECK_VARIABLE}",
            page=REGISTRY_PAGE,
        ) from error


def registry_entry(model: NamedModel) -> str:
    """Return a registry with one model, as JSON."""
    fields = {field: getattr(model, field) for field in _FIELDS}
    if model.bytes is not None:
        fields["bytes"] = model.bytes
    registry = {"format_version": REGISTRY_VERSION, "models": {model.name: fields}}
    return json.dumps(registry, indent=2, ensure_ascii=False) + "\n"


def checksum(path: Path) -> str:
    """Return the checksum of a file, as registries have it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _models(path: Path, data: bytes) -> dict[str, NamedModel]:
    if len(data) > _MOST_BYTES:
        raise ValueError(f"it has more than {_MOST_BYTES >> 20} MiB")
    content = json.loads(data)
    if not isinstance(content, dict):
        raise ValueError("it must be a JSON object")
    check_version(path, content.get("format_version"), REGISTRY_VERSION)
    models = content.get("models")
    if not isinstance(models, dict):
        raise ValueError("it has no object 'models'")
    return {name: _model(name, fields, path) for name, fields in models.items()}


def _model(name: str, fields: object, registry: Path) -> NamedModel:
    """Return one entry of a registry."""
    if not is_plain(name):
        raise ValueError(
            f"{shown(name)} is not a name: use at most {LONGEST_NAME} letters, digits, hyphens "
            "and underscores, and no hyphen first"
        )
    if not isinstance(fields, Mapping):
        raise ValueError(f"the entry {name} must be a JSON object")
    missing = [field for field in _FIELDS if field not in fields]
    if missing:
        raise ValueError(f"the entry {name} has no {missing[0]}")
    texts: dict[str, Any] = {field: fields[field] for field in _FIELDS}
    for field, text in texts.items():
        if not (isinstance(text, str) and is_short_line(text)):
            raise ValueError(
                f"{field} of {name} must be one line of at most {LONGEST_TEXT:,} printable "
                f"characters, got {shown(text)}"
            )
    texts["sha256"] = texts["sha256"].lower()
    if not re.fullmatch("[0-9a-f]{64}", texts["sha256"]):
        got = shown(texts["sha256"])
        raise ValueError(f"sha256 of {name} must have 64 hexadecimal digits, got {got}")
    location = texts["location"]
    if not is_url(location.strip()):
        texts["location"] = str(registry.parent / location)
    elif not is_web_address(location):
        raise ValueError(
            f"location of {name} must be a path, or start with https:// or http:// and have no "
            f"blanks, got {shown(location)}"
        )
    size = fields.get("bytes")
    if size is not None and (type(size) is not int or size < 1):
        raise ValueError(f"bytes of {name} must be a positive integer, got {shown(size)}")
    return NamedModel(name, **texts, bytes=size)
