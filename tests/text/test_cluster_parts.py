"""The text in parts, without a cluster: pieces and words are those of the whole text."""

import gzip
from pathlib import Path

import fsspec
import numpy as np
import pytest
from facts import naming
from hypothesis import given, reject
from hypothesis import strategies as st

from hyperskip.errors import CorpusError
from hyperskip.files.remote import Location, RemotePath
from hyperskip.text.encoding.cluster.parts import Part, cut_into_parts, default_part_bytes
from hyperskip.text.encoding.cluster.scanned_parts import restored_scans, scanned, scanner_for
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Sizes
from hyperskip.text.reading.sources import read_files, read_spans, source_file
from hyperskip.text.words.scan import Scan

TEXTS = st.text(alphabet="ab \nλΣé\x00", max_size=200).map(lambda text: text.encode())
BYTES = st.binary(max_size=100) | TEXTS
TINY = st.builds(Sizes, piece_bytes=st.integers(1, 20), longest_word_bytes=st.integers(4, 30))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("text")


def write(folder: Path, contents: list[bytes]) -> list[Location]:
    files: list[Location] = []
    for number, content in enumerate(contents):
        file = folder / f"{number}.txt"
        file.write_bytes(content)
        files.append(file)
    return files


def parts_of(
    files: list[Location], options: TextOptions, part_bytes: int, sizes: Sizes
) -> list[Part]:
    sources = [source for file in files if (source := source_file(file))]
    return list(cut_into_parts(files, sources, options, part_bytes, sizes))


def nothing(_: int) -> None:
    """Ignore the progress."""


@given(st.lists(BYTES, min_size=1, max_size=4), st.integers(1, 60), TINY)
def test_the_pieces_of_parts_are_those_of_the_files(
    folder: Path, contents: list[bytes], part_bytes: int, sizes: Sizes
) -> None:
    files = write(folder, contents)
    options = TextOptions(encoding_errors="replace")
    try:
        whole = list(read_files(files, options, nothing, sizes=sizes))
    except CorpusError:  # the first bytes are those of a compressed file, or of Parquet
        reject()
    read = [0]
    pieces = [
        piece
        for part in parts_of(files, options, part_bytes, sizes)
        for piece in read_spans(part.spans, options, read.append, sizes=sizes)
    ]
    assert pieces == whole
    assert sum(read) == sum(map(len, contents))


@given(TEXTS, st.integers(1, 60), TINY)
def test_words_of_parts_are_restored(
    folder: Path, content: bytes, part_bytes: int, sizes: Sizes
) -> None:
    files = write(folder, [content])
    options = TextOptions(encoding_errors="replace")
    scan, new_lexicon = scanner_for(options.word_rules, compiled=False)
    pieces = list(read_files(files, options, nothing, sizes=sizes))
    restored = [
        each
        for words, text in scanned(iter(pieces), scan, new_lexicon, part_bytes, lambda: 0)
        for each in restored_scans(words, text)
    ]
    assert limits(restored) == limits(map(scan, pieces))
    for expected, found in zip(map(scan, pieces), restored, strict=True):
        for name in ("tokens", "letters", "starts", "counts"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
            assert getattr(found, name).dtype == getattr(expected, name).dtype


def limits(scans: "map[Scan] | list[Scan]") -> set[int]:
    """The ends of all documents; which of two pieces has an end between them does not matter."""
    count, found = 0, set[int]()
    for scan in scans:
        found.update((count + scan.breaks).tolist())
        count += len(scan.tokens)
    return found


def test_files_are_cut_if_they_are_plain_text(tmp_path: Path) -> None:
    text = b"some words of a text\n" * 50
    sizes = Sizes(piece_bytes=16)
    files = write(tmp_path, [text, gzip.compress(text, 0), b"x", b"y", b"", text])
    parts = parts_of(files, TextOptions(), 200, sizes)
    assert [len({span.name for span in part.spans}) for part in parts] == [1] * 7 + [3] + [1] * 6
    assert sum(len(part.spans) for part in parts) == 6 + 1 + 3 + 6
    table = tmp_path / "table.csv"
    table.write_bytes(text)
    assert len(parts_of([table], TextOptions(), 200, sizes)) == 1
    assert len(parts_of(files[:1], TextOptions(column="1"), 200, sizes)) == 1
    names = [span.name for part in parts for span in part.spans]
    assert names == sorted(names)


def test_a_line_without_blanks_is_not_cut(tmp_path: Path) -> None:
    files = write(tmp_path, [b"word " * 20 + b"x" * 1000 + b" word" * 20])
    sizes = Sizes(piece_bytes=10, longest_word_bytes=100)
    spans = [part.spans[0] for part in parts_of(files, TextOptions(), 100, sizes)]
    assert [(span.begin, span.end) for span in spans] == [(0, 100), (100, 1106), (1106, None)]


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    files = write(tmp_path, [b"words\n" * 100])
    source = source_file(files[0])
    assert source is not None
    parts = cut_into_parts(files, [source], TextOptions(), 100, Sizes(piece_bytes=10))
    next(parts)
    assert isinstance(files[0], Path)
    files[0].unlink()
    late = cut_into_parts(files, [source], TextOptions(), 100, Sizes(piece_bytes=10))
    (part,) = late  # a task reports that it cannot be read
    with pytest.raises(CorpusError, match=naming(files[0])):
        list(read_spans(part.spans, TextOptions(), nothing))


def test_small_texts_give_work_to_all_cpus() -> None:
    assert default_part_bytes(8000, 2) == 1000
    assert default_part_bytes(1 << 40, 2) == 1 << 26
    assert default_part_bytes(0, 2) == 1


def test_remote_files_are_cut(folder: Path) -> None:
    content = b"some words of a text\n" * 50
    remote = RemotePath("memory://parts/text.txt")
    with fsspec.open(remote.url, "wb") as file:
        file.write(content)
    sizes, options = Sizes(piece_bytes=16), TextOptions()
    parts = parts_of([remote], options, 200, sizes)
    assert len(parts) == 6
    pieces = [
        piece for part in parts for piece in read_spans(part.spans, options, nothing, sizes=sizes)
    ]
    assert pieces == list(read_files(write(folder, [content]), options, nothing, sizes=sizes))
