"""A folder that gives a model a name: the model, its card, and a registry with one entry."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hyperskip.errors import OptionError, OutputError, VectorFileError, shown
from hyperskip.files.downloads import is_web_address
from hyperskip.files.targets import check_writable, check_writable_folder
from hyperskip.files.writing import existing_folder
from hyperskip.vectors.model_registry import (
    LONGEST_NAME,
    LONGEST_TEXT,
    REGISTRY_VARIABLE,
    NamedModel,
    checksum,
    is_plain,
    is_short_line,
    read_registry,
    registry_entry,
)
from hyperskip.vectors.sharing.model_card import Scores, check_license, model_card
from hyperskip.vectors.sharing.pretrained import (
    CARD_FILE,
    CONFIG_FILE,
    MODEL_FILE,
    config_text,
    write_files,
)
from hyperskip.vectors.word_vectors import WordVectors

REGISTRY_FILE = "models.json"


def check_publication(
    folder: Path,
    model: Path,
    *,
    name: str,
    license: str,  # noqa: A002 - as the Hub calls it
    url: str | None,
    about: str,
) -> None:
    """Check everything that can be checked before the work.

    Args:
        folder: The folder to write.
        model: The file of the model.
        name: The name that users load the model by.
        license: Of the vectors: an SPDX identifier.
        url: Where the model file will be.
        about: What the model is.

    Raises:
        OptionError: A text is not as it should be.
        OutputError: The folder cannot be written, or has other files than an earlier publication.
    """
    if not is_plain(name):
        raise OptionError(
            f"`name` must have at most {LONGEST_NAME} letters, digits, hyphens and underscores, "
            f"and no hyphen first, got {shown(name)}",
            hint="choose a name such as wiki-en-100",
        )
    if url is not None and not (is_web_address(url) and is_short_line(url)):
        raise OptionError(
            f"`url` must start with https:// or http:// and have at most {LONGEST_TEXT:,} "
            f"characters without blanks, got {shown(url)}",
            hint="pass the address where the model file will be",
        )
    if not is_short_line(about):
        raise OptionError(
            f"`about` must be one line of at most {LONGEST_TEXT:,} printable characters, "
            f"got {shown(about)}",
            hint="shorten it, and leave out tabs and line breaks",
        )
    check_license(license)
    check_writable_folder(folder)
    if folder.is_dir():
        for file in (MODEL_FILE, CONFIG_FILE, CARD_FILE, REGISTRY_FILE):
            check_writable(folder / file, inputs=[model])
        if any(folder.iterdir()) and _published(folder) != {name}:
            raise OutputError(
                f"the folder {folder} is not empty, and has no earlier publication of "
                f"{shown(name)} alone",
                hint="choose a new or empty folder",
            )


def publish(
    vectors: WordVectors,
    folder: Path,
    *,
    name: str,
    license: str,  # noqa: A002 - as the Hub calls it
    scores: Scores | None,
    url: str | None,
    about: str,
    compact: bool,
) -> None:
    """Write the folder: all files or none; see `check_publication`."""
    card = model_card(vectors, name, scores, license, loading=f"load({MODEL_FILE!r})", about=about)
    card += (
        f"\n## Load it by its name\n\nSet the variable {REGISTRY_VARIABLE} to the path of "
        f"`{REGISTRY_FILE}`. Then `hyperskip.load({name!r})` loads the model.\n"
    )

    def registry(model: Path) -> str:
        digits, size = checksum(model), model.stat().st_size
        return registry_entry(NamedModel(name, url or MODEL_FILE, digits, license, about, size))

    texts: dict[str, str | Callable[[Path], str]]
    texts = {CONFIG_FILE: config_text(vectors), CARD_FILE: card, REGISTRY_FILE: registry}
    with existing_folder(folder):
        write_files(vectors, folder, texts, compact=compact)


def most_frequent(vectors: WordVectors, count: int) -> WordVectors:
    """Return the most frequent words of a model, in the order of the model."""
    rows = np.sort(np.argsort(-vectors.counts, kind="stable")[:count])
    return vectors.subset([vectors.words[row] for row in rows])


def _published(folder: Path) -> set[str]:
    """The names in the registry of a folder."""
    try:
        return set(read_registry(folder / REGISTRY_FILE))
    except VectorFileError:
        return set()
