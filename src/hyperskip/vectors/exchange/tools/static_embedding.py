"""A static embedding: a tokenizer and one row for each token, averaged over a text.

sentence-transformers and model2vec read the same folder. The mean of the rows of a text has the
direction of the Lorentzian centroid of its words.
"""

import json
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np

from hyperskip.vectors.exchange.tools.rows import (
    cosine_rows,
    write_rows,
    write_safetensors_header,
)
from hyperskip.vectors.word_vectors import WordVectors

_MODULE = "sentence_transformers.models.StaticEmbedding"
FILES = ("config.json", "model.safetensors", "modules.json", "tokenizer.json")


def write(folder: Path, vectors: WordVectors) -> None:
    """Write FILES to a folder. The words must not contain white space."""
    config = {"model_type": "model2vec", "normalize": False, "max_length": None}
    modules = [{"idx": 0, "name": "0", "path": "", "type": _MODULE}]
    for name, value in (
        ("config.json", config),
        ("modules.json", modules),
        ("tokenizer.json", _tokenizer(vectors.words)),
    ):
        (folder / name).write_text(json.dumps(value), encoding="ascii")
    with (folder / "model.safetensors").open("wb") as file:
        write_safetensors_header(file, "embeddings", (len(vectors) + 1, vectors.dimension))
        write_rows(file, cosine_rows(vectors))
        # Unknown words have no direction, so they do not change that of a text.
        file.write(np.zeros(vectors.dimension, dtype="<f4").data)


def _tokenizer(words: tuple[str, ...]) -> dict[str, Any]:
    """Return a tokenizer for which every word is one token.

    Tokens consist of letters, marks, numbers and all other characters that occur in words. Text is
    read in lower case if all words are.
    """
    unknown = "[UNK]"
    known = set(words)
    while unknown in known:
        unknown = f"[{unknown}]"
    vocabulary = {word: row for row, word in enumerate(words)} | {unknown: len(words)}
    others = "".join(
        letter
        for letter in sorted(set().union(*words))
        if unicodedata.category(letter)[0] not in "LMN"
    )
    separator = rf"[^\p{{L}}\p{{M}}\p{{N}}{_escaped(others)}]+"
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"} if _is_lower_case(words) else None,
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": separator},
            "behavior": "Removed",
            "invert": False,
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": unknown},
    }


def _is_lower_case(words: tuple[str, ...]) -> bool:
    return all(word == word.lower() for word in words)


def _escaped(letters: str) -> str:
    """Return characters as they are written inside of a class of a regular expression."""
    return "".join(
        f"\\{letter}" if letter.isascii() and letter.isprintable() else letter for letter in letters
    )
