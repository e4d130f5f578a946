"""Reads a fastText model: its words, counts and vectors, and the vectors of its n-grams."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError, VectorFileError, VectorFileWarning, shown, warn
from hyperskip.geometry.arrays import Floats
from hyperskip.subwords.ngrams import LONGEST_NGRAM
from hyperskip.subwords.scheme import SubwordScheme
from hyperskip.vectors.exchange.byte_reader import ByteReader
from hyperskip.vectors.exchange.coordinates import (
    MOST_COLUMNS,
    RowCollector,
    block_rows,
    not_finite,
)
from hyperskip.vectors.exchange.fasttext.layout import (
    DICTIONARY,
    ENTRY,
    FLAG,
    LABEL,
    NOT_PRUNED,
    READ_VERSIONS,
    SETTINGS,
    SHAPE,
    SIGNATURE,
    SUPERVISED,
    WORD,
    Settings,
    Sizes,
    is_fasttext_model,
)
from hyperskip.vectors.exchange.fasttext.ngram_sums import (
    LONGEST_WORD_BYTES,
    longest_word,
    ngram_sums,
)
from hyperskip.vectors.exchange.names import AUTO, PLAIN, SPATIAL
from hyperskip.vectors.exchange.stored_rows import StoredRows
from hyperskip.vectors.subword_table import SubwordTable

_CHUNK_BYTES = 1 << 20
_QUANTIZED = (
    "quantized models (.ftz) keep only approximate vectors: import the .bin model that it was made "
    "from"
)


class _Dictionary(NamedTuple):
    words: list[bytes]
    counts: list[int]
    labels: int  # that were left out


def read_fasttext_model(
    reader: ByteReader, path: Path, coordinates: str, tolerance: float
) -> RowCollector:
    """Read a model.

    The vector of a word is the mean of its own row and of the rows of its n-grams, as in fastText.
    The table of n-grams has every row of the file, also rows of n-grams that occur in no word:
    fastText uses them for unknown words, too.

    Args:
        reader: The file.
        path: Its path, named in errors.
        coordinates: What the numbers are; see `RowCollector`. Models with n-grams cannot have
            coordinates that are not means of others.
        tolerance: See `RowCollector`.

    Raises:
        OptionError: The model has n-grams, and its numbers cannot be such coordinates.
        VectorFileError: The file is cut off or damaged, quantized, or of another program.
    """
    file = _ModelFile(reader, path)
    settings = file.settings()
    scheme = _scheme(settings, file)
    if scheme is not None:
        if coordinates not in (AUTO, PLAIN, SPATIAL):
            raise OptionError(
                f"`coordinates={coordinates!r}`, but {path} has n-grams, and the mean of n-grams "
                "is a point only in spatial or Euclidean coordinates",
                hint=f"use `coordinates={SPATIAL!r}` for a model that hyperskip exported from the "
                f"hyperboloid, and `coordinates={PLAIN!r}` for all others",
            )
        coordinates = PLAIN if coordinates == AUTO else coordinates
    dictionary = file.dictionary(scheme)
    words = len(dictionary.words)
    file.check_shape(words + settings.buckets, settings.dimension)
    own_rows = StoredRows()
    for block in file.blocks(words, settings.dimension, "the vectors of words"):
        own_rows.add(block)
    table = None
    if scheme is None:
        file.skip(4 * settings.buckets * settings.dimension, "the rows of buckets")
    else:
        table = _table(file, scheme, settings.dimension)
    file.skip_output()
    rows = RowCollector(path, coordinates, tolerance, row_name="row")
    rows.subwords = table
    begin = 0
    for values in _word_vectors(own_rows, table, dictionary.words):
        end = begin + len(values)
        named = [rows.decoded(word) for word in dictionary.words[begin:end]]
        rows.add(named, range(begin + 1, end + 1), values, dictionary.counts[begin:end])
        begin = end
    if dictionary.labels:
        warn(
            f"{path} is a supervised model: its words are imported, and its {dictionary.labels} "
            "labels are left out",
            VectorFileWarning,
        )
    return rows


def _word_vectors(
    own_rows: StoredRows, table: SubwordTable | None, words: list[bytes]
) -> Iterator[Floats]:
    """Yield blocks of the vectors of words (words, dimension). This empties the rows."""
    with np.errstate(invalid="ignore"):  # the collector refuses what is not finite
        if table is None:
            step = block_rows(own_rows.columns)
            while count := min(len(own_rows), step):
                yield own_rows.take(count).astype(np.float64)
            return
        for sums, counts in ngram_sums(table, words):
            yield (own_rows.take(len(sums)) + sums) / (counts + 1)[:, None]


def _scheme(settings: Settings, file: "_ModelFile") -> SubwordScheme | None:
    shortest, longest = max(1, settings.shortest), settings.longest
    if settings.buckets == 0 or longest < shortest:
        return None
    if longest > LONGEST_NGRAM:
        raise file.damaged(
            f"its longest n-grams have {longest} characters", f"{LONGEST_NGRAM} at most"
        )
    return SubwordScheme(shortest=shortest, longest=longest, buckets=settings.buckets)


def _table(file: "_ModelFile", scheme: SubwordScheme, dimension: int) -> SubwordTable:
    rows = StoredRows()
    for block in file.blocks(scheme.buckets, dimension, "the vectors of n-grams"):
        bad = not_finite(block)
        if bad.any():
            raise VectorFileError(
                f"{file.path}, bucket {len(rows) + int(bad.argmax())} of n-grams: a value is NaN "
                "or infinite",
                hint="vectors must be finite: train the model again",
            )
        rows.add(block)
    return SubwordTable(scheme, np.arange(scheme.buckets), rows.take(scheme.buckets))


class _ModelFile:
    """The parts of a model, which must be read in the order of the file."""

    def __init__(self, reader: ByteReader, path: Path) -> None:
        self.path = path
        self._reader = reader

    def settings(self) -> Settings:
        """Read the signature and the settings."""
        start = self._reader.start(SIGNATURE.size)
        if not start:
            raise VectorFileError(f"{self.path} is empty", hint="check that it is the right file")
        if not is_fasttext_model(start):
            raise VectorFileError(
                f"{self.path} is not a fastText model: it starts with other bytes",
                hint="for other formats, set `format`, or leave it out",
            )
        _, version = self._numbers(SIGNATURE, "its first numbers")
        if version not in READ_VERSIONS:
            raise VectorFileError(
                f"{self.path} is a fastText model of version {version}, expected "
                f"{' or '.join(map(str, READ_VERSIONS))}",
                hint="import the .vec file that fastText writes next to it",
            )
        settings = Settings(*self._numbers(SETTINGS, "its settings"))
        if not 1 <= settings.dimension <= MOST_COLUMNS:
            raise self.damaged(f"its dimension is {settings.dimension}", f"1 to {MOST_COLUMNS}")
        if settings.buckets < 0:
            raise self.damaged(f"it has {settings.buckets} buckets of n-grams", "0 or more")
        if version == READ_VERSIONS[0] and settings.model == SUPERVISED:
            settings = settings._replace(longest=0)  # fastText does the same
        return settings

    def dictionary(self, scheme: SubwordScheme | None) -> _Dictionary:
        """Read the words, and leave out labels of a supervised model."""
        sizes = Sizes(*self._numbers(DICTIONARY, "the sizes of its dictionary"))
        if sizes.words < 1 or sizes.labels < 0 or sizes.entries != sizes.words + sizes.labels:
            raise self.damaged(
                f"its dictionary has {sizes.words} words and {sizes.labels} labels in "
                f"{sizes.entries} entries",
                "at least one word, and an entry for each",
            )
        if sizes.pruned != NOT_PRUNED:
            raise VectorFileError(
                f"{self.path} was pruned to {sizes.pruned} n-grams, which fastText does only to "
                "quantized models",
                hint=_QUANTIZED,
            )
        longest = longest_word(scheme)
        words, counts = [], []
        for number in range(1, sizes.entries + 1):
            kind = WORD if number <= sizes.words else LABEL
            word, count = self._entry(number, kind, sizes.entries)
            if len(word) > longest:
                raise self.damaged(f"word {number} has {len(word)} bytes", f"{longest} at most")
            if kind == WORD:
                words.append(word)
                counts.append(count)
        return _Dictionary(words, counts, sizes.labels)

    def check_shape(self, rows: int, columns: int) -> None:
        """Read the flag and the shape of the input matrix, and check them."""
        (is_quantized,) = self._numbers(FLAG, "the type of its vectors")
        if is_quantized:
            raise VectorFileError(f"{self.path} is a quantized model", hint=_QUANTIZED)
        shape = self._numbers(SHAPE, "the shape of its vectors")
        if shape != (rows, columns):
            raise self.damaged(
                f"it has {shape[0]} vectors of {shape[1]} numbers",
                f"{rows} of {columns}, by its settings",
            )

    def blocks(self, count: int, columns: int, what: str) -> Iterator[npt.NDArray[np.float32]]:
        """Read rows of a matrix in blocks."""
        step = block_rows(columns)
        for begin in range(0, count, step):
            rows = min(step, count - begin)
            data = self._bytes(4 * rows * columns, what)
            yield np.frombuffer(data, dtype="<f4").reshape(rows, columns)

    def skip_output(self) -> None:
        """Read the output matrix, which is not used, and check that nothing follows."""
        self._numbers(FLAG, "the type of its output")
        rows, columns = self._numbers(SHAPE, "the shape of its output")
        if rows < 0 or columns < 0:
            raise self.damaged(f"its output has the shape ({rows}, {columns})", "0 or more")
        self.skip(4 * rows * columns, "its output")
        if self._reader.rest():
            raise self.damaged("more data follows its output", "the end of the file")

    def skip(self, size: int, what: str) -> None:
        """Read bytes that are not used."""
        while size > 0:
            size -= len(self._bytes(min(size, _CHUNK_BYTES), what))

    def damaged(self, found: str, expected: str) -> VectorFileError:
        """Return the error for something that does not belong into such a file."""
        return VectorFileError(
            f"{self.path}: {found}, expected {expected}",
            hint="the file is damaged, or another program wrote it: floret's .bin files are "
            "different",
        )

    def _entry(self, number: int, kind: int, entries: int) -> tuple[bytes, int]:
        word = self._reader.until(b"\0", LONGEST_WORD_BYTES)
        if word is None:
            if self._reader.ended:
                raise self._cut(f"word {number} of {entries}")
            raise self.damaged(f"word {number} is not ended", f"{LONGEST_WORD_BYTES} bytes at most")
        count, found = self._numbers(ENTRY, f"word {number} of {entries}")
        if not word or count < 0 or found != kind:
            raise self.damaged(
                f"word {number} is {shown(word.decode('utf-8', 'replace'))} with the count {count} "
                f"and the type {found}",
                f"a word, a count of 0 or more, and the type {kind}",
            )
        return word, count

    def _numbers(self, layout: struct.Struct, what: str) -> tuple[Any, ...]:
        return layout.unpack(self._bytes(layout.size, what))

    def _bytes(self, size: int, what: str) -> bytes:
        data = self._reader.exactly(size)
        if data is None:
            raise self._cut(what)
        return data

    def _cut(self, what: str) -> VectorFileError:
        return VectorFileError(
            f"{self.path} ends in {what}", hint="the file is cut off: download it again"
        )
