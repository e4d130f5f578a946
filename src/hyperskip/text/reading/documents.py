"""Documents, each a text or a list of tokens: their types are checked, and they become pieces.

An integer is a token: the word is its decimal notation. Every error names the document.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from numbers import Integral, Real
from typing import Any, NamedTuple

from hyperskip.errors import CorpusError, shown
from hyperskip.text.pieces import Piece, batched

Document = str | Sequence[str]

IF_MISSING = "leave out missing texts, or replace them by ''"

_GATHERED_CHARACTERS = 1 << 18
_PIECE_TOKENS = 1 << 16
_DOCUMENT = "a document is a string, or a list of strings or integers (its tokens)"
_IF_NUMBER = "to train on items, pass lists of them: [[1, 2], [3, 4]]"
_NOT_TOKENS = (bytes, bytearray, memoryview, AbstractSet)


def _typed(value: object) -> str:
    text = shown(value)
    if "\n" in text:  # such as a Series
        text = " ".join(text.split())
    return text if is_missing(value) else f"{text} ({type(value).__name__})"


class Cells(NamedTuple):
    """Values that should be documents, from a column or any other source."""

    values: Iterable[object]
    place: Callable[[int], str]  # the name of a value in messages, by its index
    if_missing: str  # the hint for None and NaN
    if_number: str = _IF_NUMBER  # the hint for a single number
    described: Callable[[object], str] = _typed  # a value in messages

    def documents(self) -> Iterator[Document]:
        """Check each value.

        Raises:
            CorpusError: One is not a document.
        """
        for index, value in enumerate(self.values):
            yield value if type(value) is str else self._document(index, value)

    def _document(self, index: int, value: object) -> Document:
        if isinstance(value, str):
            return str.__str__(value)  # of a subclass, such as NumPy's
        tokens = value if type(value) is list else self._tokens(index, value)
        kinds = set(map(type, tokens))
        if kinds <= {str}:
            return tokens
        if kinds == {int}:
            return list(map(str, tokens))
        return [self._token(index, number, token) for number, token in enumerate(tokens)]

    def _tokens(self, index: int, value: object) -> Sequence[Any]:
        if is_missing(value):
            raise CorpusError(
                f"{self.place(index)} is missing: {self.described(value)}", hint=self.if_missing
            )
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            raise CorpusError(
                f"{self.place(index)} is {self.described(value)}, a named tuple",
                hint="pass one field of each: train(row.text for row in rows)",
            )
        tokens = _as_sequence(value)
        if tokens is None:
            hint = f"decode it first; {_DOCUMENT}" if isinstance(value, bytes) else _DOCUMENT
            if isinstance(value, AbstractSet):
                hint = f"a set has no order; {_DOCUMENT}"
            elif isinstance(value, Integral):
                hint = f"{self.if_number}; {_DOCUMENT}"
            raise CorpusError(f"{self.place(index)} is {self.described(value)}", hint=hint)
        return tokens

    def _token(self, index: int, number: int, token: object) -> str:
        if isinstance(token, str):
            return str.__str__(token)
        if isinstance(token, Integral) and not isinstance(token, bool):
            return str(int(token))
        hint = f"convert its tokens first; {_DOCUMENT}"
        if is_missing(token):
            hint = f"remove missing tokens first; {_DOCUMENT}"
        elif isinstance(token, Real) and not isinstance(token, bool):
            hint = f"convert numbers to integers or strings first; {_DOCUMENT}"
        raise CorpusError(
            f"{self.place(index)} contains {self.described(token)}, as token {number} "
            "(counted from 0)",
            hint=hint,
        )


def document_cells(documents: Iterable[object]) -> Cells:
    """Documents of an iterable that has no columns."""
    return Cells(documents, place_of_document, IF_MISSING)


def place_of_document(index: int) -> str:
    """The name of a document in messages."""
    return f"document {index} of the corpus (counted from 0)"


def is_missing(value: object) -> bool:
    """Whether a value stands for a missing one: None, NaN, or the NA and NaT of pandas."""
    if isinstance(value, Real):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def as_pieces(documents: Iterable[Document]) -> Iterator[Piece]:
    """Join documents into pieces large enough for a thread: of text, or of lists of tokens."""
    for are_texts, group in groupby(documents, key=lambda document: type(document) is str):
        if are_texts:
            yield from gathered(str(text).replace("\n", " ") + "\n" for text in group)
        else:
            yield from batched(group, _PIECE_TOKENS)


def gathered(documents: Iterable[str]) -> Iterator[bytes]:
    """Join texts, each ended by a newline, into pieces."""
    for batch in batched(documents, _GATHERED_CHARACTERS):
        yield "".join(batch).encode("utf-8", "surrogatepass")


def _as_sequence(value: Any) -> Sequence[Any] | None:
    """The tokens of a document: a sequence, a NumPy or Arrow array, or an iterator."""
    if isinstance(value, _NOT_TOKENS):
        return None
    if isinstance(value, Sequence):
        return value
    if isinstance(value, Iterator):
        return list(value)
    for convert in ("tolist", "to_list"):
        if hasattr(value, convert):
            converted = getattr(value, convert)()
            return converted if isinstance(converted, list) else None
    return None
