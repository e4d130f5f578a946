"""Objects that cannot be read as a corpus, each with what to pass instead."""

import inspect
import io
from collections.abc import AsyncIterable, Awaitable, ItemsView, Iterable, KeysView
from collections.abc import Set as AbstractSet
from typing import Any

from hyperskip.errors import CorpusError

_PASS = "pass a path, a data frame, or an iterable of texts, token lists or pathlib.Path objects"
_PAIRS = "it gives tuples; pass texts: train(text for _, text in pairs)"


def check_iterable(corpus: object) -> None:
    """Check that a corpus is an iterable of documents, as far as its type shows.

    Raises:
        CorpusError: It is not; the hint says what to pass.
    """
    hint = what_instead(corpus)
    if hint is not None:
        kind = type(corpus).__name__
        raise CorpusError(
            f"`corpus` must be a path, a data frame or an iterable of documents, got {kind}",
            hint=hint,
        )


def what_instead(corpus: Any) -> str | None:
    """What to pass instead of an object that has no documents; None if it may have some."""
    if isinstance(corpus, bytes | bytearray | memoryview):
        return "decode it first: train([data.decode()])"
    if isinstance(corpus, AsyncIterable | Awaitable):
        return "collect it first: documents = [text async for text in source]"
    if isinstance(corpus, zip | enumerate | ItemsView):
        return _PAIRS
    if isinstance(corpus, AbstractSet) and not isinstance(corpus, KeysView):
        return "a set has no order; pass a list: train(sorted(texts))"
    if isinstance(corpus, io.RawIOBase | io.BufferedIOBase):
        return "open the file as text, or pass its path"
    if type(corpus).__module__ == "_csv":
        return "pass the path of the table and `column`, or a csv.DictReader and `column`"
    if getattr(corpus, "ndim", 1) == 0:
        return "an array without dimensions has no documents; pass a list"
    if getattr(corpus, "ndim", 1) == 2 and str(getattr(corpus, "dtype", "")) == "object":
        return "pass the column with the texts: array[:, 0]; if each row has tokens: array.tolist()"
    if type(corpus).__name__ in ("DataFrameGroupBy", "SeriesGroupBy"):
        return "pass a list for each group: frame.groupby('session')['item'].agg(list)"
    if type(corpus).__name__ in ("GroupBy", "LazyGroupBy"):  # of polars
        return "pass a list for each group: frame.group_by('session').agg('item'), with `column`"
    if hasattr(type(corpus), "columns"):  # a frame of another library gives names of columns
        return "convert it first: to_pandas(), toPandas() or compute()"
    if isinstance(corpus, Iterable) and not isinstance(corpus, type):
        return None
    if inspect.isroutine(corpus):
        return "call it, and pass what it returns: train(documents())"
    return _PASS
