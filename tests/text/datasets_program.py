"""Reads datasets of Hugging Face in each of their forms; a test runs it as a process."""

from collections.abc import Iterator
from typing import Any

import datasets

from hyperskip.errors import CorpusError
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import CorpusReader

TEXTS = [f"text {number}" for number in range(3000)]
EXPECTED = "\n".join(TEXTS) + "\n"


def text_of(corpus: Any, column: str | None = None) -> str:
    """All text of a corpus."""
    pieces = CorpusReader(corpus, TextOptions(column=column), 1)
    return b"".join(piece for piece in pieces if isinstance(piece, bytes)).decode()


def error_of(corpus: Any, column: str | None = None) -> str:
    """The message and hint of the error for a corpus."""
    try:
        text_of(corpus, column)
    except CorpusError as error:
        return str(error)
    raise AssertionError("it was read")


def records() -> Iterator[dict[str, Any]]:
    """Records, one at a time."""
    for number, text in enumerate(TEXTS):
        yield {"text": text, "label": number}


def main() -> None:
    """Check everything."""
    dataset = datasets.Dataset.from_dict({"text": TEXTS, "label": list(range(3000))})
    assert text_of(dataset, "text") == EXPECTED
    assert text_of(dataset["text"]) == EXPECTED
    assert text_of(dataset.with_format("numpy"), "text") == EXPECTED
    shuffled = dataset.select(list(reversed(range(3000))))
    assert text_of(shuffled, "text") == "\n".join(reversed(TEXTS)) + "\n"
    stream = datasets.IterableDataset.from_generator(records)
    assert text_of(stream, "text") == EXPECTED
    assert text_of(dataset.to_iterable_dataset(), "text") == EXPECTED
    for corpus in (dataset, stream):
        assert "'text', 'label'" in error_of(corpus)
        assert "did you mean 'text'?" in error_of(corpus, "txt")
    assert "row 0 of column 'label'" in error_of(dataset, "label")
    splits = datasets.DatasetDict({"train": dataset, "test": dataset})
    assert "'train', 'test'" in error_of(splits, "text")
    assert "dataset['train']" in error_of(splits)
    missing = datasets.Dataset.from_dict({"text": ["a", None]})
    assert "row 1 of column 'text'" in error_of(missing, "text")
    tokens = datasets.Dataset.from_dict({"items": [[1, 2], [3]]})
    assert list(CorpusReader(tokens, TextOptions(column="items"), 1)) == [[["1", "2"], ["3"]]]


if __name__ == "__main__":
    main()
