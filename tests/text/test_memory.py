"""The memory of encoding is bounded for any text, by its size and by its words."""

import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hyperskip
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
