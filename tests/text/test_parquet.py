"""Parquet files as a corpus."""

import gzip
import io
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow as pa
import pytest
from facts import naming
from pyarrow import parquet

import hyperskip
from hyperskip.errors import CorpusError
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Piece
from hyperskip.text.reading.sources import can_be_cut, read_files

TEXTS = [f"text {number}\nof a row" for number in range(5000)]
TABLE = pa.table({"id": range(5000), "text": TEXTS, "items": [[n, n + 1] for n in range(5000)]})
EXPECTED = "".join(text.replace("\n", " ") + "\n" for text in TEXTS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    parquet.write_table(TABLE, path, row_group_size=700)
    return path


def pieces_of(*files: Path | None, **options: Any) -> list[Piece]:
    return list(read_files(files, TextOptions(**options), lambda _: None))


def text_of(*files: Path | None, **options: Any) -> str:
    pieces = pieces_of(*files, **options)
    return b"".join(piece for piece in pieces if isinstance(piece, bytes)).decode()


@pytest.mark.parametrize("name", ["a.parquet", "a.PARQUET", "part-0000", "a.txt"])
def test_a_column_of_texts(tmp_path: Path, file: Path, name: str) -> None:
    path = file.rename(tmp_path / name)
    assert text_of(path, column="text") == EXPECTED
    assert not can_be_cut(path, TextOptions())


def test_a_column_of_lists(file: Path) -> None:
    rows = [row for piece in pieces_of(file, column="items") for row in piece]
    assert rows == [[str(number), str(number + 1)] for number in range(5000)]


@pytest.mark.parametrize(
    "settings",
    [
        {"compression": "zstd", "use_dictionary": False},
        {"compression": "gzip", "data_page_version": "2.0"},
        {"use_dictionary": False, "column_encoding": {"text": "DELTA_LENGTH_BYTE_ARRAY"}},
        {"write_page_checksum": True},
    ],
)
def test_kinds_of_files(tmp_path: Path, settings: dict[str, Any]) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(TABLE.select(["text"]), path, **settings)
    assert text_of(path, column="text") == EXPECTED


@pytest.mark.parametrize(
    "kind", [pa.large_string(), pa.string_view(), pa.binary(), pa.dictionary(pa.int32(), "string")]
)
def test_types_of_texts(tmp_path: Path, kind: pa.DataType) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": pa.array(["a b", "c"]).cast(kind)}), path)
    assert text_of(path, column="text") == "a b\nc\n"


def test_a_column_must_exist(tmp_path: Path, file: Path) -> None:
    with pytest.raises(CorpusError, match=naming(file, "`column`", "'id', 'text', 'items'")):
        pieces_of(file)
    with pytest.raises(CorpusError, match=naming(file, "did you mean 'text'?")):
        pieces_of(file, column="txt")
    with pytest.raises(CorpusError, match=naming(file, "'id'", "row 1", "0 (int)", "to text")):
        pieces_of(file, column="id")
    with pytest.raises(CorpusError, match=naming(file, "`delimiter`")):
        pieces_of(file, column="text", delimiter=";")
    twice = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    parquet.write_table(twice, tmp_path / "twice.parquet")
    with pytest.raises(CorpusError, match=naming(2, "'text'")):
        pieces_of(tmp_path / "twice.parquet", column="text")


def test_names_with_dots(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"a": [{"text": "no"}], "a.text": ["yes"]}), path)
    assert text_of(path, column="a.text") == "yes\n"
    with pytest.raises(CorpusError, match=naming("'a'", "struct")):
        pieces_of(path, column="a")


@pytest.mark.parametrize(
    ("values", "facts"),
    [
        (["a", None], ["row 2", "missing", "None"]),
        ([["a"], ["b", None]], ["row 2", "None", "token 1"]),
        ([[b"a"]], ["row 1", "b'a' (bytes)", "token 0"]),
        ([b"a", b"caf\xe9"], ["row 2", "UTF-8", "0xe9", 3]),
        ([1.5], ["row 1", "1.5 (float)"]),
        (np.array(["2020-01-01"], "datetime64[s]"), ["timestamp"]),
    ],
)
def test_bad_cells_are_named(tmp_path: Path, values: Any, facts: list[object]) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"x": values}), path)
    with pytest.raises(CorpusError, match=naming(path, "'x'", *facts)):
        pieces_of(path, column="x")


def test_invalid_text_may_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"x": [b"a", b"caf\xe9"]}), path)
    assert text_of(path, column="x", encoding_errors="replace") == "a\ncaf\ufffd\n"


def test_a_file_that_is_not_parquet(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "other.parquet"
    for content in (b"text", b"", gzip.compress(file.read_bytes())):
        path.write_bytes(content)
        with pytest.raises(CorpusError, match=naming(path)):
            pieces_of(path, column="text")


@pytest.mark.parametrize("keep", [4, 100, 5000, -1, -8, -100])
def test_a_file_that_is_cut(file: Path, keep: int) -> None:
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(CorpusError, match=naming(file)):
        pieces_of(file, column="text")


def test_folders_and_urls(tmp_path: Path, file: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "_SUCCESS").touch()  # as Spark writes it
    fsspec.filesystem("memory").pipe_file("/tables/_SUCCESS", b"")
    for number in range(3):
        parquet.write_table(TABLE.slice(number, 1), folder / f"part-{number}.parquet")
        with fsspec.open(f"memory://tables/part-{number}.parquet", "wb") as remote:
            remote.write((folder / f"part-{number}.parquet").read_bytes())
    for corpus in (str(folder), f"{folder}/*", "memory://tables", "memory://tables/*"):
        encoded = hyperskip.encode(
            corpus, tmp_path / "encoded", column="text", min_count=1, force=True
        )
        assert encoded.vocabulary.words[:2] == ("text", "of")
        assert encoded.vocabulary.counts[0] == 3
        assert len(encoded.sources) == 3


def test_standard_input(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    raw = io.BufferedReader(io.BytesIO(file.read_bytes()))  # a file, as in: train - < table.parquet
    monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": raw}))
    assert text_of(None, column="text") == EXPECTED

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    pipe = io.BufferedReader(Pipe(file.read_bytes()))
    monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": pipe}))
    with pytest.raises(CorpusError, match=naming("standard input", "pipe")):
        pieces_of(None, column="text")


def test_progress_ends_at_the_size_of_the_file(file: Path) -> None:
    seen: list[int] = []
    list(read_files([file], TextOptions(column="text"), seen.append))
    assert sum(seen) == file.stat().st_size


def test_a_file_that_changes_while_it_is_read(file: Path) -> None:
    pieces = read_files([file], TextOptions(column="text"), lambda _: None)
    next(pieces)
    parquet.write_table(TABLE.slice(0, 10), file)
    with pytest.raises(CorpusError, match=naming(file)):
        list(pieces)
