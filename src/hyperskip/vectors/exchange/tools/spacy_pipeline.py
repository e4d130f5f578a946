"""A spaCy pipeline of a tokenizer and vectors, as `nlp.to_disk` writes it."""

import json
import re
from pathlib import Path

import numpy as np

from hyperskip.vectors.exchange.bucket_rows import bucket_rows
from hyperskip.vectors.exchange.floret import floret_settings
from hyperskip.vectors.exchange.kept_ngrams import format_with_ngrams
from hyperskip.vectors.exchange.names import FLORET
from hyperskip.vectors.exchange.tools.rows import cosine_rows, write_rows
from hyperskip.vectors.word_vectors import WordVectors
from hyperskip.version import VERSION

_META = {
    "lang": "xx",
    "name": "hyperskip",
    "version": VERSION,
    "spacy_version": ">=3.5,<4.0",
    "description": "Word vectors of hyperskip",
}
_CONFIG = """\
[nlp]
lang = "xx"
pipeline = []
disabled = []
before_creation = null
after_creation = null
after_pipeline_creation = null
batch_size = 1000

[nlp.tokenizer]
@tokenizers = "spacy.Tokenizer.v1"
"""
FILES = ("config.cfg", "meta.json", "tokenizer", "vocab")


def write(folder: Path, vectors: WordVectors) -> None:
    """Write FILES to a folder.

    If the model has the n-grams of floret, spaCy composes the vector of any word from them, and the
    folder has no vectors of words.
    """
    vocabulary = folder / "vocab"
    vocabulary.mkdir()
    (folder / "meta.json").write_text(json.dumps(_META), encoding="ascii")
    (folder / "config.cfg").write_text(_CONFIG, encoding="ascii")
    (folder / "tokenizer").write_bytes(_tokenizer(vectors.words))
    (vocabulary / "strings.json").write_text(json.dumps(vectors.words), encoding="ascii")
    table = vectors.subwords
    if table is not None and format_with_ngrams(vectors) == FLORET:
        settings = {"mode": FLORET, **floret_settings(table)}
        (vocabulary / "vectors.cfg").write_text(json.dumps(settings), encoding="ascii")
        rows, shape = bucket_rows(table), (table.scheme.buckets, vectors.dimension)
    else:
        rows, shape = cosine_rows(vectors), (len(vectors), vectors.dimension)
        with (vocabulary / "keys").open("wb") as file:  # spaCy computes its keys from the words
            np.save(file, np.array(vectors.words, dtype=np.str_), allow_pickle=False)
    with (vocabulary / "vectors").open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f4", "fortran_order": False, "shape": shape}
        )
        write_rows(file, rows)


def _tokenizer(words: tuple[str, ...]) -> bytes:
    """Return a tokenizer in MessagePack for which every word without blanks is one token.

    Tokens consist of letters, numbers and all other characters that occur in words. Any other
    character is a token of its own.
    """
    letters = set().union(*words)
    others = "".join(letter for letter in sorted(letters) if not letter.isalnum())
    separator = rf"[^\w{re.escape(others)}]" + ("" if "_" in letters else "|_")
    rules = {
        "prefix_search": f"^(?:{separator})",
        "suffix_search": f"(?:{separator})$",
        "infix_finditer": f"(?:{separator})",
    }
    packed = [_packed(text) for rule in rules.items() for text in rule]
    return bytes([0x80 + len(rules)]) + b"".join(packed)


def _packed(text: str) -> bytes:
    """Return a string in MessagePack, with a length of 32 bits."""
    data = text.encode()
    return b"\xdb" + len(data).to_bytes(4, "big") + data
