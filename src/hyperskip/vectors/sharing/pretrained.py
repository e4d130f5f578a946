"""A folder with a model and its card, here or on the Hugging Face Hub."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from hyperskip.errors import InputError, OutputError, VectorFileError
from hyperskip.files.scratch import scratch_folder
from hyperskip.files.targets import check_writable_folder
from hyperskip.files.writing import existing_folder, replacing_files
from hyperskip.options import checked_path, named_arguments
from hyperskip.vectors.model_file import load, save
from hyperskip.vectors.sharing import hub
from hyperskip.vectors.sharing.model_card import Scores, model_card
from hyperskip.vectors.word_vectors import WordVectors

MODEL_FILE, CONFIG_FILE, CARD_FILE = "model.safetensors", "config.json", "README.md"


def save_pretrained(
    vectors: WordVectors,
    folder: str | os.PathLike[str],
    *,
    scores: Scores | None = None,
    license: str | None = None,  # noqa: A002 - as the Hub calls it
    replace_card: bool = False,
    compact: bool = False,
) -> None:
    """Write a model and its card to a folder; see `WordVectors.save_pretrained`."""
    folder = checked_path("folder", folder)
    check_writable_folder(folder)
    name = folder.resolve().name
    card = model_card(vectors, name, scores, license, loading=f"from_pretrained({name!r})")
    texts = {CONFIG_FILE: config_text(vectors)}
    if replace_card or not (folder / CARD_FILE).exists():
        texts[CARD_FILE] = card
    with existing_folder(folder):
        write_files(vectors, folder, texts, compact=compact)


def push_to_hub(
    vectors: WordVectors,
    repository: str,
    *,
    token: str | bool | None = None,
    private: bool | None = None,
    revision: str | None = None,
    message: str = "Upload word vectors",
    scores: Scores | None = None,
    replace_card: bool = False,
) -> str:
    """Upload a model and its card; see `WordVectors.push_to_hub`."""
    if not _is_repository(repository):
        raise hub.not_a_repository(repository, OutputError)
    card = model_card(vectors, repository, scores, loading=f"from_pretrained({repository!r})")
    with scratch_folder() as folder:
        write_files(vectors, folder, {CONFIG_FILE: config_text(vectors), CARD_FILE: card})
        return hub.upload(
            folder,
            repository,
            token=token,
            private=private,
            revision=revision,
            message=message,
            keep=None if replace_card else CARD_FILE,
        )


@named_arguments
def from_pretrained(
    name: str | os.PathLike[str],
    *,
    revision: str | None = None,
    token: str | bool | None = None,
) -> WordVectors:
    """Load a model from a folder or from the Hugging Face Hub.

    Files of the Hub are downloaded once and kept in its cache. Nothing in them is executed.

    Args:
        name: A folder that `WordVectors.save_pretrained` wrote, or else the name of a repository,
            such as "user/name".
        revision: A branch, tag or commit of the repository; by default, the main branch.
        token: An access token for a private repository; by default, the one that was saved.

    Raises:
        VectorFileError: There is no such folder, repository or revision, it contains no model, or
            the Hub cannot be reached.
        MissingPackageError: A repository requires the extra `hub`.
    """
    path = checked_path("name", name)
    if path.is_dir() or not isinstance(name, str):
        if revision is not None:
            raise InputError(
                f"{path} is a folder, and has no revision {revision!r}",
                hint="leave out `revision`, or pass the name of a repository",
            )
        if not (path / MODEL_FILE).exists():
            raise VectorFileError(
                f"there is no model {path / MODEL_FILE}",
                hint="vectors.save_pretrained(folder) writes one; for a model file, use "
                "hyperskip.load(path)",
            )
        return load(path / MODEL_FILE)
    if path.is_file():
        raise VectorFileError(f"{path} is a file", hint=f"use hyperskip.load({name!r})")
    if not _is_repository(name):
        raise VectorFileError(
            f"there is no folder {name}, and it is not the name of a repository", hint=hub.NAMES
        )
    return load(hub.download(name, MODEL_FILE, revision=revision, token=token))


def config_text(vectors: WordVectors) -> str:
    """Return a description of a model for other programs, as JSON."""
    config = {
        "library_name": "hyperskip",
        "geometry": vectors.geometry,
        "dimension": vectors.dimension,
        "factors": vectors.factors,
        "words": len(vectors),
    }
    if vectors.hierarchy is not None:
        config["hierarchy_dimension"] = vectors.hierarchy.dimension
    return json.dumps(config, indent=2) + "\n"


def write_files(
    vectors: WordVectors,
    folder: Path,
    texts: Mapping[str, str | Callable[[Path], str]],
    *,
    compact: bool = False,
) -> None:
    """Write a model and texts to a folder: all files or none.

    Args:
        vectors: The model.
        folder: The folder, which exists.
        texts: The text of each file, or a function that makes it from the file of the model.
        compact: Whether to write coordinates with 16 bits.
    """
    targets = [folder / name for name in (MODEL_FILE, *texts)]
    with replacing_files(*targets) as (model_file, *text_files):
        save(vectors, model_file, compact=compact)
        for file, text in zip(text_files, texts.values(), strict=True):
            file.write_text(text if isinstance(text, str) else text(model_file), encoding="utf-8")


def _is_repository(name: object) -> bool:
    if not isinstance(name, str):
        return False
    parts = name.split("/")
    return len(parts) == 2 and all(parts) and parts[0] not in (".", "..", "~")
