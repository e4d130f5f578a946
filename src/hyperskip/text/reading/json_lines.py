"""JSON Lines: one key of each record as text or tokens, each a document.

The file is read line by line, in bounded memory. A line that is a list or a string, instead of a
record with keys, is a document itself.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import IO, Any

from hyperskip.errors import CorpusError, shown
from hyperskip.files.remote import Location
from hyperskip.text.reading.columns import column_required, no_such_column
from hyperskip.text.reading.documents import Cells, Document

Place = Callable[[], str]  # the name of the current line in messages

_SUFFIXES = (".jsonl", ".ndjson")
# A record that has at least one key; what it matches is possessive, so that it takes linear time.
_RECORD = re.compile(rb'(?:\xef\xbb\xbf)?\s*+\{\s*+"(?:[^"\\\n]|\\.)*+"\s*+:')
_LONGEST_LINE_BYTES = 1 << 24
_LONGEST_SHOWN = 100  # characters of a value in messages
_ONE_EACH_LINE = (
    'each record, such as {"text": "..."}, must be complete on one line; to convert a JSON array, '
    "use: jq -c '.[]' FILE"
)


def is_json_lines(file: Location | None, start: bytes) -> bool:
    """Whether a file is JSON Lines, from its name or from its first bytes."""
    suffixes = [] if file is None else [suffix.lower() for suffix in file.suffixes[-2:]]
    if any(suffix in suffixes for suffix in _SUFFIXES) or _RECORD.match(start):
        return True
    return ".json" in suffixes and start.lstrip()[:1] in (b"[", b"{")


def json_documents(
    stream: IO[bytes],
    name: str,
    column: str | None,
    encoding_errors: str = "strict",
    *,
    longest_line: int = _LONGEST_LINE_BYTES,
) -> Iterator[Document]:
    """Read one key of each record.

    Args:
        stream: The file.
        name: The name of the file in messages.
        column: The key; None if the lines are lists or strings.
        encoding_errors: What to do about bytes that are not UTF-8.
        longest_line: Maximum number of bytes of a line.

    Raises:
        CorpusError: A line is not valid, or has no such key; the error names the line.
    """
    records = JsonLines(stream, name, encoding_errors, longest_line=longest_line)
    of_key = "" if column is None else f"{column!r} in "
    # A value is checked before the next line is read.
    return Cells(
        (records.complete(_value(record, column, records.place)) for record in records),
        lambda _: of_key + records.place(),
        "write an empty string instead, or remove the line",
        "to train on items, write lists of them, such as [1, 2]",
        _json,
    ).documents()


class JsonLines:
    """The values of the lines of a file; the arguments and errors are those of `json_documents`."""

    def __init__(
        self,
        stream: IO[bytes],
        name: str,
        encoding_errors: str = "strict",
        *,
        longest_line: int = _LONGEST_LINE_BYTES,
    ) -> None:
        self._stream = stream
        self._name = name
        self._encoding_errors = encoding_errors
        self._longest_line = longest_line
        self.number = 0  # of the current line
        self._line = b""

    def place(self) -> str:
        """The name of the current line in messages."""
        return f"line {self.number} of {self._name}"

    def __iter__(self) -> Iterator[Any]:
        while line := self._stream.readline(self._longest_line + 1):
            self.number += 1
            if len(line) > self._longest_line:
                raise CorpusError(
                    f"{self.place()} is longer than {self._longest_line:,} bytes",
                    hint="is it JSON Lines, with one record on each line?",
                )
            if self.number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if line.isspace():
                continue
            self._line = line
            yield _parsed(line, self.place, self._encoding_errors)

    def complete(self, value: object) -> object:
        """Replace, or refuse, each half of a surrogate pair in a part of the current line.

        Raises:
            CorpusError: There is one, and encoding errors are strict.
        """
        # Only an escape can be half of a surrogate pair: UTF-8 cannot contain one.
        if rb"\ud" in self._line or rb"\uD" in self._line:
            return _complete(value, self.place, self._encoding_errors)
        return value


def _json(value: object) -> str:
    """A value in messages, as JSON has it: null, not None."""
    text = json.dumps(value)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def _parsed(line: bytes, place: Place, encoding_errors: str) -> Any:
    try:
        text = line.decode("utf-8", encoding_errors).rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{place()} is not UTF-8: byte {line[error.start]:#04x} at offset {error.start}",
            hint="if it is text in another encoding, convert it (iconv -f latin1 -t utf-8) or use "
            "`encoding_errors='replace'`",
        ) from None
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise CorpusError(f"{place()} is nested too deeply", hint="remove the line") from None
    except ValueError as error:
        at = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        reason = error.msg if isinstance(error, json.JSONDecodeError) else error
        raise CorpusError(
            f"{place()} is not valid JSON: {reason}{at}", hint=_ONE_EACH_LINE
        ) from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {shown(twice)} occurs twice")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_without_duplicates)


def _value(record: Any, column: str | None, place: Place) -> object:
    if isinstance(record, list) and record and isinstance(record[0], dict):
        raise CorpusError(f"{place()} is an array of records", hint=_ONE_EACH_LINE)
    if isinstance(record, dict):
        if column is None:
            raise column_required(record, f"{place()} is a record that", "key")
        if column not in record:
            raise no_such_column(column, record, place(), "key")
        return record[column]
    if column is not None:
        raise CorpusError(
            f"{place()} is {_json(record)}, not a record with the key {column!r}",
            hint="correct or remove the line; if no line is a record, leave out `column`",
        )
    return record


def _complete(value: object, place: Place, encoding_errors: str) -> object:
    """Replace, or refuse, each half of a surrogate pair in a text or in a list of texts."""
    if isinstance(value, list):
        return [_complete(item, place, encoding_errors) for item in value]
    if not isinstance(value, str):
        return value
    try:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", encoding_errors)
    except UnicodeDecodeError:
        raise CorpusError(
            f"{place()} contains half of a surrogate pair, such as \\ud800, which is no character",
            hint="correct the line, or use `encoding_errors='replace'`",
        ) from None
