"""The memory of encoding is bounded for any text, by its size and by its words."""

import json
import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import hyperskip
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.sources import read_files
from hyperskip.text.word_rules import WordRules
from hyperskip.text.words.compiled import compiled
from hyperskip.text.words.lexicon import PlainLexicon

SIZE = 30_000_000
WORDS = 600_000
FIXED = 100_000_000  # tables of Unicode, and pieces of text in progress


def peak_of_encoding(corpus: Any, folder: Path, **options: Any) -> int:
    """The peak of allocated memory, without modules and tables."""
    compiled(WordRules(), PlainLexicon())
    tracemalloc.start()
    try:
        hyperskip.encode(corpus, folder / "kept", min_count=1, threads=1, **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def write_letters(path: Path, word_bytes: int) -> None:
    generator = random.Random(1)
    letters = "".join(generator.choices("abcdefghijklmnopqrstuvwxyz", k=1_000_003))
    with path.open("w") as file:
        for begin in range(0, SIZE, word_bytes):
            file.write(f"{begin:x}".translate(str.maketrans("0123456789", "ghijklmnop")))
            place = generator.randrange(len(letters))
            file.write((letters[place:] + letters * (word_bytes // len(letters) + 1))[:word_bytes])
            file.write(" ")


@pytest.mark.parametrize("word_bytes", [10_000, SIZE])
def test_text_with_few_blanks_takes_about_twice_its_size(tmp_path: Path, word_bytes: int) -> None:
    write_letters(tmp_path / "text", word_bytes)
    assert peak_of_encoding(tmp_path / "text", tmp_path) < FIXED + 3 * SIZE


@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_parquet_is_read_in_pieces(tmp_path: Path, compression: str) -> None:
    letters = "".join(random.Random(1).choices("abcdefgh ", k=20_000))
    texts = [letters[begin:] + letters[:begin] for begin in range(2000)]
    path = tmp_path / "texts.parquet"
    parquet.write_table(
        pa.table({"text": texts}),
        path,
        compression=compression,
        use_dictionary=False,
        data_page_size=1 << 20,
        write_batch_size=16,
    )
    before = pa.default_memory_pool().bytes_allocated()
    size = 0
    tracemalloc.start()
    try:
        for piece in read_files([path], TextOptions(column="text"), lambda _: None):
            size += len(piece)
            assert pa.default_memory_pool().bytes_allocated() < before + 20_000_000
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert size == 2000 * 20_001


def test_json_lines_are_read_in_pieces(tmp_path: Path) -> None:
    line = json.dumps({"id": 1, "text": "some words " * 1000}) + "\n"
    path = tmp_path / "texts.jsonl"
    path.write_text(line * 3000)
    tracemalloc.start()
    try:
        for _ in read_files([path], TextOptions(column="text"), lambda _: None):
            pass
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def as_text() -> Iterator[str]:
    for words in as_tokens():
        yield " ".join(words)


def as_tokens() -> Iterator[list[str]]:
    for begin in range(0, WORDS, 1000):
        yield [f"w{i * 2654435761 % (1 << 32):x}" for i in range(begin, begin + 1000)]


@pytest.mark.parametrize("documents", [pytest.param(as_text, marks=pytest.mark.slow), as_tokens])
def test_a_word_takes_about_a_hundred_bytes(
    tmp_path: Path, documents: Callable[[], Iterator[Any]]
) -> None:
    assert peak_of_encoding(documents(), tmp_path) < FIXED / 2 + 90 * WORDS
