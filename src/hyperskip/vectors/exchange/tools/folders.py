"""The folder of each tool: what it contains, and how it is written."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hyperskip.errors import OutputError
from hyperskip.files.failures import not_writable
from hyperskip.files.targets import check_writable_folder
from hyperskip.files.writing import replacing_folder
from hyperskip.vectors.exchange.binary_formats import check_table_of_words
from hyperskip.vectors.exchange.coordinates import default_coordinates
from hyperskip.vectors.exchange.held_words import check_words
from hyperskip.vectors.exchange.kept_ngrams import check_ngrams, check_room, format_with_ngrams
from hyperskip.vectors.exchange.names import (
    FAISS,
    FLORET,
    MODEL2VEC,
    SENTENCE_TRANSFORMERS,
    SPACY,
    TORCH,
)
from hyperskip.vectors.exchange.tools import (
    faiss_index,
    spacy_pipeline,
    static_embedding,
    torch_state,
)
from hyperskip.vectors.word_vectors import WordVectors

HINT_OTHER_TOOL = f"use `tool={FAISS!r}` or `tool={TORCH!r}`, which hold every word"


class _Folder(NamedTuple):
    files: tuple[str, ...]
    write: Callable[[Path, WordVectors, str], None]  # with the measure


_STATIC = _Folder(
    static_embedding.FILES, lambda folder, vectors, _: static_embedding.write(folder, vectors)
)
_FOLDERS = {
    SENTENCE_TRANSFORMERS: _STATIC,
    MODEL2VEC: _STATIC,
    SPACY: _Folder(
        spacy_pipeline.FILES, lambda folder, vectors, _: spacy_pipeline.write(folder, vectors)
    ),
    TORCH: _Folder(
        torch_state.FILES, lambda folder, vectors, _: torch_state.write(folder, vectors)
    ),
    FAISS: _Folder(faiss_index.FILES, faiss_index.write),
}


def check_folder(vectors: WordVectors, folder: Path, tool: str) -> None:
    """Check that the vectors can be written for a tool, to a folder that replaces no other files.

    Raises:
        OutputError: They cannot.
    """
    check_writable_folder(folder)
    known = _FOLDERS[tool].files
    others = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    others = [name for name in others if name not in known]
    if others:
        raise OutputError(
            f"cannot write {folder}: the folder contains other files, for example {others[0]}",
            hint="choose a new or empty folder, or one that was exported for the same tool",
        )
    if tool in (SENTENCE_TRANSFORMERS, MODEL2VEC):
        check_words(vectors.words, f"a tokenizer for {tool}", separators=None, hint=HINT_OTHER_TOOL)
    elif tool == SPACY:
        check_words(vectors.words, tool, separators="", hint=HINT_OTHER_TOOL)
        check_table_of_words(vectors.words, tool, hint=HINT_OTHER_TOOL)
        if format_with_ngrams(vectors) == FLORET:
            check_ngrams(vectors, FLORET, default_coordinates(vectors, FLORET))
            check_room(vectors, folder, None)


def write_folder(vectors: WordVectors, folder: Path, tool: str, measure: str) -> list[Path]:
    """Write the folder of a tool completely or not at all, and return the files in it.

    Raises:
        OutputError: It cannot be written.
    """
    try:
        with replacing_folder(folder) as temporary:
            _FOLDERS[tool].write(temporary, vectors, measure)
    except OSError as error:
        raise not_writable(folder, error) from error
    return sorted(path for path in folder.rglob("*") if path.is_file())
