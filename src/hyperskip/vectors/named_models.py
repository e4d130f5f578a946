"""The files of named models: the small one of the package, and those of a registry."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from hyperskip.errors import OutputError, VectorFileError
from hyperskip.files.downloads import download, download_folder, is_web_address
from hyperskip.files.failures import reason_of
from hyperskip.files.writing import replacing
from hyperskip.vectors.model_registry import (
    REGISTRY_PAGE,
    REGISTRY_VARIABLE,
    NamedModel,
    checksum,
    is_plain,
    named_models,
)

_MOST_BYTES = 100 * 10**9  # of a download, if the registry has no size


def model_path(path: str | os.PathLike[str]) -> Path:
    """Return the file of a model; a name is looked up, and its file downloaded once.

    A path that is not the name of a model is returned as it is. If there is a file of that name, it
    is not looked up.

    Raises:
        VectorFileError: The file cannot be read or downloaded, or has another checksum.
    """
    name = os.fspath(path)
    known = named_models() if is_plain(name) and not Path(name).is_file() else {}
    return file_of(known[name]) if name in known else Path(path)


def file_of(model: NamedModel) -> Path:
    """Return the file of a named model; it is downloaded once.

    Raises:
        VectorFileError: The file cannot be read or downloaded, or has another checksum.
    """
    with suppress(OSError, OutputError):  # a cache that cannot be read
        if (cached := _cached(model)).is_file() and checksum(cached) == model.sha256:
            return cached
    return _downloaded(model) if is_web_address(model.location) else _copied(model)


def models_folder() -> Path:
    """The folder for named models."""
    return download_folder() / "models"


def _copied(model: NamedModel) -> Path:
    """Copy a model on disk to the cache, since maps are stored beside models."""
    source = Path(model.location)
    try:
        if not source.is_file():  # a device has no end
            reason = "it is not a file" if source.exists() else "there is no such file"
            raise _unreadable(model, reason)
        if checksum(source) != model.sha256:
            raise VectorFileError(
                f"the file of the model {model.name} does not have the checksum in its registry: "
                f"{source}",
                hint="get the file again, or report it to the owner of the registry",
                page=REGISTRY_PAGE,
            )
    except OSError as error:
        raise _unreadable(model, reason_of(error)) from error
    try:
        target = _cached(model)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            shutil.copyfile(source, temporary)
    except (OSError, OutputError):
        return source  # a cache that cannot be written
    return target


def _unreadable(model: NamedModel, reason: str) -> VectorFileError:
    return VectorFileError(
        f"cannot read the model {model.name}: {model.location}: {reason}",
        hint=f"check the location in the registry that {REGISTRY_VARIABLE} names"
        if os.environ.get(REGISTRY_VARIABLE)
        else "install hyperskip again",
        page=REGISTRY_PAGE,
    )


def _downloaded(model: NamedModel) -> Path:
    from hyperskip.progress.automatic import download_shown

    target = _cached(model)

    def failed(reason: str, hint: str | None = None) -> VectorFileError:
        return VectorFileError(
            f"the model {model.name} could not be downloaded from {model.location}: {reason}",
            hint=hint
            or "check the connection and the registry, or download the file and pass its path",
            page=REGISTRY_PAGE,
        )

    most_bytes = model.bytes or _MOST_BYTES
    with download_shown(f"{model.name} from {model.location}") as report:
        download(model.location, target, model.sha256, failed, most_bytes=most_bytes, report=report)
    return target


def _cached(model: NamedModel) -> Path:
    return models_folder() / model.sha256[:16] / f"{model.name}.safetensors"
