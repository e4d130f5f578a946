import gzip
import io
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compressors import COMPRESSORS
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from wiki_dumps import dump, page

from hyperskip import WordVectors
from hyperskip.errors import CorpusError, OptionError
from hyperskip.files.known_folders import ENCODED_HEADER
from hyperskip.files.remote import Location
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Sizes
from hyperskip.text.reading.corpus import CorpusReader
from hyperskip.text.reading.paths import corpus_files
from hyperskip.text.reading.sources import read_files, total_bytes
from hyperskip.text.reading.tables import column_text


def text_of(*files: Location | None, sizes: Sizes = DEFAULT_SIZES, **options: Any) -> str:
    return "".join(pieces_of(*files, sizes=sizes, **options))


def pieces_of(*files: Location | None, sizes: Sizes = DEFAULT_SIZES, **options: Any) -> list[str]:
    pieces = read_files(files, TextOptions(**options), lambda _: None, sizes=sizes)
    return [piece.decode() for piece in pieces if isinstance(piece, bytes)]


def test_files_folders_and_globs(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "sub/c.txt", ".hidden", "sub/.git/d.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    a, b, c = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "sub" / "c.txt"
    assert corpus_files([tmp_path]) == [a, b, c]
    assert corpus_files([f"{tmp_path}/*.txt", c]) == [a, b, c]
    assert corpus_files([f"{tmp_path}/**/*.txt"]) == [a, b, c]
    assert corpus_files(["-", a]) == [None, a]
    assert total_bytes([a, b]) == 10
    assert total_bytes([a, None]) is None


def test_encoded_corpora_are_left_out(tmp_path: Path) -> None:
    for name in ("a.txt", f"sub/kept/{ENCODED_HEADER}", "sub/kept/tokens.i32", "sub/b.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    expected = [tmp_path / "a.txt", tmp_path / "sub" / "b.txt"]
    assert corpus_files([tmp_path]) == expected
    assert corpus_files([f"{tmp_path}/**"]) == expected
    with pytest.raises(CorpusError, match=naming(f"{tmp_path}/sub/kept/*")):
        corpus_files([f"{tmp_path}/sub/kept/*"])


@pytest.mark.parametrize("name", ["none.txt", "*.none", "empty"])
def test_missing_files_are_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match=naming(tmp_path / name)):
        corpus_files([tmp_path / name])


def test_every_file_ends_a_document(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo")
    (tmp_path / "b").write_bytes(b"\xef\xbb\xbfthree\r\n")
    assert text_of(tmp_path / "a", tmp_path / "b") == "one\ntwo\nthree\r\n\n"


def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BufferedReader(io.BytesIO(gzip.compress(b"from a pipe")))
    monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": raw}))
    assert text_of(None) == "from a pipe\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"from a pipe", "from a pipe\n"),
        (gzip.compress(b"from a pipe"), "from a pipe\n"),
        (dump([page("a", "an ''article''")]).encode(), "an article\n"),
        (gzip.compress(dump([page("a", "an ''article''")]).encode()), "an article\n"),
    ],
    ids=["text", "packed text", "dump", "packed dump"],
)
def test_a_pipe_may_be_slow(monkeypatch: pytest.MonkeyPatch, content: bytes, expected: str) -> None:
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb", buffering=0) as file:
            for byte in content[:20]:
                file.write(bytes([byte]))
                time.sleep(0.01)
            file.write(content[20:])

    writer = threading.Thread(target=write)
    writer.start()
    with os.fdopen(reading, "rb") as raw:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": raw}))
        assert text_of(None) == expected
    writer.join()


def test_one_line_is_cut_at_blanks_only(tmp_path: Path) -> None:
    line = " ".join(f"wörd{i}" for i in range(500))
    (tmp_path / "long").write_text(line)
    chunks = pieces_of(tmp_path / "long", sizes=Sizes(piece_bytes=64))
    assert len(chunks) > 50
    assert all(chunk[-1] in " \n" for chunk in chunks)
    assert "".join(chunks) == line + "\n"


def test_text_without_blanks_is_read_in_bounded_pieces(tmp_path: Path) -> None:
    (tmp_path / "long").write_text("日本" * 100)
    chunks = pieces_of(tmp_path / "long", sizes=Sizes(piece_bytes=10, longest_word_bytes=40))
    assert max(len(chunk.encode()) for chunk in chunks) <= 51
    assert "".join(chunks) == "日本" * 100 + "\n"


def test_invalid_utf8_is_named_with_file_and_offset(tmp_path: Path) -> None:
    sizes = Sizes(piece_bytes=16)
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"one two three four five " + b"caf\xe9 six\n")
    with pytest.raises(CorpusError, match=naming(path, "UTF-8", "0xe9", 27)):
        text_of(path, sizes=sizes)
    assert "caf\ufffd six" in text_of(path, sizes=sizes, encoding_errors="replace")


def test_the_offset_counts_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "bom.txt"
    path.write_bytes(b"\xef\xbb\xbfab\xff")
    with pytest.raises(CorpusError, match=naming(path, "0xff", 5)):
        text_of(path)


def test_binary_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "zeros").write_bytes(bytes(1000))
    with pytest.raises(CorpusError, match=naming(tmp_path / "zeros", "NUL", 0)):
        text_of(tmp_path / "zeros")
    (tmp_path / "random").write_bytes(os.urandom(1000))
    with pytest.raises(CorpusError, match=naming(tmp_path / "random")):
        text_of(tmp_path / "random")


@pytest.mark.parametrize("keep", [30, 10, 2])
def test_damaged_compression_is_named(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"word " * 1000)[:keep])
    with pytest.raises(CorpusError, match=naming(path)):
        text_of(path)


def test_a_column_by_name_or_number(tmp_path: Path) -> None:
    table = tmp_path / "articles.csv"
    table.write_text('id,text\n1,"The cat, ""Tom"",\nsat"\n\n2,dogs bark\n')
    assert text_of(table, column="text") == 'The cat, "Tom", sat\ndogs bark\n'
    assert text_of(table, column="2") == 'text\nThe cat, "Tom", sat\ndogs bark\n'
    packed = tmp_path / "articles.csv.gz"
    packed.write_bytes(gzip.compress(table.read_bytes()))
    assert text_of(packed, column="text") == text_of(table, column="text")


def test_tsv_quotes_are_characters(tmp_path: Path) -> None:
    table = tmp_path / "rows.tsv"
    table.write_text('id\ttext\n1\t"an open quote\n2\tnext row\n')
    assert text_of(table, column="text") == '"an open quote\nnext row\n'


def test_the_name_distinguishes_csv_from_tsv(tmp_path: Path) -> None:
    comma = tmp_path / "a.csv"
    comma.write_text('1,"a\ttab"\n2,b\n')
    assert text_of(comma, column="2") == "a\ttab\nb\n"
    unnamed = tmp_path / "a.dat"
    unnamed.write_text("1\tone, two\n")
    assert text_of(unnamed, column="2") == "one, two\n"


def test_semicolons_are_found_in_the_header(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text('id;text\n1;"one; two\nthree"\n2;four, five\n')
    assert text_of(table, column="text") == "one; two three\nfour, five\n"
    assert text_of(table, column="2") == "text\none; two three\nfour, five\n"
    with pytest.raises(CorpusError, match=naming("did you mean 'text'?", "'id', 'text'")):
        text_of(table, column="txt")
    with pytest.raises(CorpusError, match=naming("`column`", "'id', 'text'")):
        text_of(table)


def test_commas_come_before_semicolons(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("id,text;more\n1,one;two\n")
    assert text_of(table, column="text;more") == "one;two\n"
    table.write_text("one;two;three\n")
    assert text_of(table, column="1") == "one;two;three\n"


def test_any_delimiter_may_be_chosen(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text('id|text\n1|"one| two"\n')
    with pytest.raises(CorpusError, match=naming("'id|text'", "`delimiter`")):
        text_of(table, column="text")
    with pytest.raises(CorpusError, match=naming("1 columns", "`delimiter`")):
        text_of(table, column="2")
    assert text_of(table, column="text", delimiter="|") == "one| two\n"
    for delimiter in ("\t", "tab", r"\t"):
        table.write_text('id\ttext, more\n1\t"one\n')
        assert text_of(table, column="text, more", delimiter=delimiter) == '"one\n'
    other = tmp_path / "a.txt"
    other.write_text("one;two\n")
    with pytest.raises(CorpusError, match=naming("`column`", "'one', 'two'")):
        text_of(other, delimiter=";")


@pytest.mark.parametrize("delimiter", ["", "ab", "\n", "\r", '"', "\0", 5])
def test_delimiters_that_are_not_allowed(delimiter: Any) -> None:
    with pytest.raises(OptionError, match=naming("`delimiter`", "one character", repr(delimiter))):
        TextOptions(delimiter=delimiter)


def test_carriage_returns_in_tables(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_bytes(b"id,text\r\n1,one\rtwo\r\n2,three\r\n")
    assert text_of(table, column="text") == "one two\nthree\n"


def test_a_table_without_lines_is_not_kept_in_memory() -> None:
    chunks = iter(["word " * 20] * 50)
    with pytest.raises(CorpusError, match=naming("a.csv", "1,000")):
        list(column_text(chunks, "a.csv", "1", ",", longest_row=1000))
    assert len(list(chunks)) > 30  # the rest was not read


def test_invalid_text_is_cut_too(tmp_path: Path) -> None:
    sizes = Sizes(piece_bytes=10, longest_word_bytes=40)
    (tmp_path / "garbage").write_bytes(b"\x80" * 1000)
    chunks = pieces_of(tmp_path / "garbage", sizes=sizes, encoding_errors="replace")
    assert max(map(len, chunks)) <= 51


@settings(max_examples=200)
@given(st.text(st.sampled_from("ab é日\n\r\t _1"), max_size=60), st.integers(1, 9), st.booleans())
def test_joined_pieces_equal_the_text(
    tmp_path_factory: pytest.TempPathFactory, text: str, size: int, mark: bool
) -> None:
    path = tmp_path_factory.mktemp("chunks") / "text"
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + text.encode())
    chunks = pieces_of(path, sizes=Sizes(piece_bytes=size))
    assert "".join(chunks) == text + "\n"
    assert all(chunk[-1] in " \n" for chunk in chunks if chunk)


@pytest.mark.parametrize(
    ("column", "facts"),
    [
        ("body", ["articles.csv", "body", "id", "text"]),
        ("7", ["articles.csv", 1, 2, 7]),
        ("0", [0, 1]),
        (None, ["articles.csv", "column", "id", "text"]),
    ],
)
def test_columns_that_do_not_exist(tmp_path: Path, column: str | None, facts: list[object]) -> None:
    table = tmp_path / "articles.csv"
    table.write_text("id,text\n1,cats\n")
    with pytest.raises(CorpusError, match=naming(*facts)):
        text_of(table, column=column)


def test_a_column_that_occurs_twice(tmp_path: Path) -> None:
    table = tmp_path / "articles.csv"
    table.write_text("text,id,text\ncats,1,dogs\n")
    with pytest.raises(CorpusError, match=naming("articles.csv", 2, "'text'", "name")):
        text_of(table, column="text")
    assert text_of(table, column="id") == "1\n"


def test_an_unclosed_quote_does_not_consume_the_rest(tmp_path: Path) -> None:
    table = tmp_path / "a.CSV"  # in any case
    table.write_text('id,text\n1,"unclosed\n2,more\n')
    with pytest.raises(CorpusError, match=naming(table)):
        text_of(table, column="text")


def test_utf16_gets_the_right_hint(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text", encoding="utf-16")
    with pytest.raises(CorpusError, match=naming(tmp_path / "a.txt", "iconv -f utf-16")):
        text_of(tmp_path / "a.txt")


def test_a_model_is_not_text(tmp_path: Path) -> None:
    WordVectors(["a", "b"], np.eye(2, dtype=np.float32), geometry="euclidean").save(
        tmp_path / "model"
    )
    with pytest.raises(CorpusError, match=naming(tmp_path / "model", "safetensors")):
        text_of(tmp_path / "model")


def test_an_empty_path_is_not_the_current_folder() -> None:
    with pytest.raises(CorpusError) as caught:
        corpus_files([""])
    for corpus in ("", "none.txt", "a whole text"):
        with pytest.raises(CorpusError) as caught:
            list(CorpusReader(corpus, TextOptions(), 1))
        assert "[text]" in str(caught.value.hint)
    with pytest.raises(CorpusError) as caught:
        corpus_files([Path("none.txt")])
    assert "[text]" not in str(caught.value.hint)


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(CorpusError, match="standard input"):
        text_of(None)


def test_folders_that_cannot_be_read_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(folder: Path, onerror: Callable[[OSError], None]) -> list[Any]:
        onerror(PermissionError(13, "Permission denied", str(folder)))
        return []

    monkeypatch.setattr(os, "walk", denied)
    with pytest.raises(CorpusError, match=naming(tmp_path, "Permission denied")):
        corpus_files([tmp_path])


def test_a_long_cell_is_one_document(tmp_path: Path) -> None:
    words = "word " * 100_000  # above the default limit of the csv module
    table = tmp_path / "long.csv"
    table.write_text(f"1,{words}\n2,short\n")
    assert text_of(table, column="2").split("\n") == [words, "short", ""]


def test_progress_counts_bytes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"some words here\n" * 100_000))
    seen: list[int] = []
    list(read_files([path], TextOptions(), seen.append))
    assert sum(seen) == path.stat().st_size


# -- files that change while they are read


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def shorten(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def replace(path: Path) -> None:
    new = path.with_suffix(".new")
    new.write_bytes(path.read_bytes() + b"more")
    new.replace(path)


def touch(path: Path) -> None:
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


@pytest.mark.parametrize("change", [append, shorten, replace, touch])
@pytest.mark.parametrize("kind", [".txt", ".csv", ".xml", *COMPRESSORS])
def test_a_file_that_changes_while_it_is_read(
    tmp_path: Path, kind: str, change: Callable[[Path], None]
) -> None:
    path = tmp_path / f"changing{kind}"
    random = np.random.default_rng(1).integers(10**9, size=120_000)
    text = "\n".join(map(str, random))  # it compresses badly
    if kind == ".xml":
        text = dump(page(str(i), part) for i, part in enumerate(text.split("99")))
    path.write_bytes(COMPRESSORS.get(kind, bytes)(text.encode()))
    size = path.stat().st_size
    pieces = read_files([path], TextOptions(column="1" if kind == ".csv" else None), lambda _: None)
    next(pieces)
    change(path)
    with pytest.raises(CorpusError) as caught:
        list(pieces)
    assert re.search(naming(path, f"{size:,}", f"{path.stat().st_size:,}"), caught.value.message)
    assert caught.value.hint


def test_a_file_that_changes_before_it_is_read(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for path in (first, second):
        path.write_text("some words")
    pieces = read_files([first, second], TextOptions(), lambda _: None)
    next(pieces)
    append(second)
    with pytest.raises(CorpusError, match=naming(second, 10, 14)):
        list(pieces)


def test_a_file_that_is_deleted_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "removed"
    path.write_bytes(b"words " * 1_000_000)
    pieces = read_files([path], TextOptions(), lambda _: None)
    read = [next(pieces)]
    path.unlink()
    read += pieces
    assert (
        b"".join(piece for piece in read if isinstance(piece, bytes))
        == b"words " * 1_000_000 + b"\n"
    )


def test_a_file_that_is_deleted_before_it_is_opened_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).write_text("some words")
    files = corpus_files([tmp_path])
    (tmp_path / "second").unlink()
    message = naming(tmp_path / "second", "No such file or directory")
    with pytest.raises(CorpusError, match=message):
        text_of(*files)
    assert total_bytes(files) is None
    monkeypatch.setattr(Path, "is_file", lambda _: True)  # as if it were deleted just now
    with pytest.raises(CorpusError, match=message):
        total_bytes(files)
