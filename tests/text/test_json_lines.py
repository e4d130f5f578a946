"""JSON Lines as a corpus."""

import gzip
import io
import json
import threading
from pathlib import Path
from typing import Any

import fsspec
import pytest
from compressors import COMPRESSORS
from facts import naming

import hyperskip
from hyperskip.errors import CorpusError
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Piece
from hyperskip.text.reading.json_lines import json_documents
from hyperskip.text.reading.sources import can_be_cut, read_files

RECORDS = '{"id": 1, "text": "a b"}\n\r\n{"text": "c\\nd", "id": 2}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text(RECORDS)
    return path


def pieces_of(file: Path | None, **options: Any) -> list[Piece]:
    return list(read_files([file], TextOptions(**options), lambda _: None))


def test_one_key_of_each_record(file: Path) -> None:
    assert pieces_of(file, column="text") == [b"a b\nc d\n"]


@pytest.mark.parametrize("name", ["a.JSONL", "a.ndjson", "a.json", "a.txt", "a"])
def test_records_are_recognized(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("\ufeff \n" + RECORDS)
    assert pieces_of(path, column="text") == [b"a b\nc d\n"]
    with pytest.raises(CorpusError, match=naming(path, "`column`", "line 2", "'id', 'text'")):
        pieces_of(path)
    assert not can_be_cut(path, TextOptions())


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_records_may_be_compressed(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"records.jsonl{kind}"
    path.write_bytes(COMPRESSORS[kind](RECORDS.encode()))
    assert pieces_of(path, column="text") == [b"a b\nc d\n"]


def test_records_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (RECORDS.encode(), gzip.compress(RECORDS.encode())):
        raw = io.BufferedReader(io.BytesIO(content))
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": raw}))
        assert pieces_of(None, column="text") == [b"a b\nc d\n"]


def test_records_behind_a_url(tmp_path: Path) -> None:
    with fsspec.open("memory://records/a.jsonl", "w") as remote:
        remote.write(RECORDS)
    corpus = hyperskip.encode(
        "memory://records/*.jsonl",
        tmp_path / "encoded",
        column="text",
        min_count=1,
        tokenizer="whitespace",
    )
    assert set(corpus.vocabulary.words) == set("abcd")


def test_text_that_only_looks_like_json(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    for text in ("{not a record}\n", "[1] a reference\n", '"quoted": text\n'):
        path.write_text(text)
        assert pieces_of(path) == [text.encode() + b"\n"] or len(pieces_of(path)) > 1


def test_lists_of_tokens(tmp_path: Path) -> None:
    path = tmp_path / "sessions.jsonl"
    path.write_text('{"items": ["a", "b c"]}\n{"items": [1, 2]}\n{"items": "a text"}\n')
    assert pieces_of(path, column="items") == [[["a", "b c"], ["1", "2"]], b"a text\n"]
    path.write_text("[1, 2]\n[3]\n")
    assert pieces_of(path) == [[["1", "2"], ["3"]]]
    with pytest.raises(CorpusError, match=naming("`column`", "line 1")):
        pieces_of(path, column="items")


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ('{"text": "a"', ["JSON", "column 13"]),
        ('{"text": "a"} extra', ["JSON", "column 15"]),
        ("text", ["JSON"]),
        ('{"text": "a", "text": "b"}', ["'text'", "twice"]),
        ('{"other": {"a": 1, "a": 2}, "text": "a"}', ["'a'", "twice"]),
        ('{"text": null}', ["'text'", "missing: null"]),
        ('{"text": NaN}', ["'text'", "NaN"]),
        ('{"text": 5}', ["'text'", 5, "[1, 2]"]),
        ('{"text": true}', ["'text'", "true"]),
        ('{"text": {"a": 1}}', ["'text'", '{"a": 1}']),
        ('{"text": ["a", 1.5]}', ["'text'", "1.5", "token 1"]),
        ('{"text": ["a", null]}', ["'text'", "null", "token 1"]),
        ('{"txt": "a"}', ["'text'", "did you mean 'txt'?"]),
        ("5", ["5", "'text'", "remove", "`column`"]),
        ("null", ["null", "'text'"]),
        ('[{"text": "a"}]', ["array", "jq"]),
        ('{"text": ' + "[" * 100_000, ["nested"]),
        ('{"text": ' + "9" * 5000 + "}", ["JSON", "4300"]),
        pytest.param(
            '{"text": "\\ud800"}', ["surrogate", "`encoding_errors='replace'`"], id="surrogate"
        ),
        pytest.param('{"text": ["a", "\\udc00b"]}', ["surrogate"], id="surrogate in a token"),
        (b'{"text": "caf\xe9"}', ["UTF-8", "0xe9", 13, "`encoding_errors='replace'`"]),
        (b'{"text": "\x00"}', ["JSON"]),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str | bytes, facts: list[object]) -> None:
    path = tmp_path / "bad.jsonl"
    content = line if isinstance(line, bytes) else line.encode()
    path.write_bytes(b'{"text": "a"}\n\n' + content + b"\n")
    with pytest.raises(CorpusError, match=naming("line 3", path, *facts)) as caught:
        pieces_of(path, column="text")
    assert caught.value.hint


def test_other_values_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"score": NaN, "text": "a", "more": [null, -Infinity]}')
    assert pieces_of(path, column="text") == [b"a\n"]


def test_invalid_text_may_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "caf\xe9 \\ud800 \\ud83d\\ude00"}\n{"text": ["\\udc00"]}')
    found = pieces_of(path, column="text", encoding_errors="replace")
    assert found == ["caf\ufffd \ufffd \U0001f600\n".encode(), [["\ufffd"]]]


def test_an_array_of_records_gets_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for content in (json.dumps([{"text": "a"}]), json.dumps([{"text": "a"}], indent=1)):
        path.write_text(content)
        for column in ("text", None):
            with pytest.raises(CorpusError, match=naming(path, "jq")):
                pieces_of(path, column=column)


def test_a_long_line_is_not_kept_in_memory() -> None:
    stream = io.BytesIO(b'{"text": "a"}\n' + b"[" * 5000)
    documents = json_documents(stream, "a.jsonl", "text", longest_line=1000)
    assert next(documents) == "a"
    with pytest.raises(CorpusError, match=naming("a.jsonl", "line 2", "1,000")):
        next(documents)
    assert stream.tell() < 2000


def test_a_pipe_is_read_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            for byte in RECORDS.encode():
                pipe.write(bytes([byte]))

    writer = threading.Thread(target=write)
    writer.start()
    with os.fdopen(reading, "rb") as raw:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": raw}))
        assert pieces_of(None, column="text") == [b"a b\nc d\n"]
    writer.join()
