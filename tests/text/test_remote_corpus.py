"""An encoded corpus in remote storage: the same files, written with the header last."""

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from fsspec.implementations.memory import MemoryFileSystem

from hyperskip import RemotePath, encode, open_encoded, train
from hyperskip.errors import CorpusError, OptionError, OutputError
from hyperskip.files.known_folders import ENCODED_HEADER, is_encoded
from hyperskip.text.encoding.corpus_folder import open_ranges
from hyperskip.text.encoding.integers import RemoteIntegers

QUICK: dict[str, Any] = {"dimension": 3, "epochs": 1, "threads": 1, "subsample": 1e-3}
WIKI = "memory://store/wiki"


@pytest.fixture
def wiki(memory: MemoryFileSystem, corpus: Path) -> MemoryFileSystem:
    encode(corpus, WIKI)
    return memory


def refuse(*_: object, **__: object) -> None:
    raise PermissionError("Access Denied")


def test_the_files_are_those_of_a_local_folder(
    wiki: MemoryFileSystem, corpus: Path, tmp_path: Path
) -> None:
    encode(corpus, tmp_path / "kept")
    stored = {path.rpartition("/")[2]: wiki.cat_file(path) for path in wiki.find("/store")}
    assert stored == {path.name: path.read_bytes() for path in (tmp_path / "kept").iterdir()}


def test_a_copy_is_read_and_leaves_nothing_behind(
    wiki: MemoryFileSystem, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    opened = open_encoded(WIKI)
    assert is_encoded(RemotePath(WIKI))
    assert opened.folder == RemotePath(WIKI)
    assert WIKI in repr(opened)
    wiki.rm("/store", recursive=True)
    assert not list(temporary.iterdir())
    assert opened.stretch(0, opened.token_count).tolist() == opened.tokens.tolist()
    vectors, expected = train(opened, **QUICK), train(corpus, **QUICK)
    assert (vectors.coordinates == expected.coordinates).all()


def test_training_takes_the_url(wiki: MemoryFileSystem) -> None:
    expected = train(open_encoded(WIKI), **QUICK)
    for given in (WIKI, RemotePath(WIKI), [RemotePath(WIKI)]):
        assert (train(given, **QUICK).coordinates == expected.coordinates).all()
    with pytest.raises(OptionError, match=naming("min_count")):
        train(WIKI, min_count=3)
    with pytest.raises(CorpusError, match=naming(WIKI)):
        train([RemotePath(WIKI), RemotePath(WIKI)], **QUICK)
    with pytest.raises(CorpusError, match=naming("memory://store")):
        train("memory://store", **QUICK)


def test_a_corpus_is_replaced_only_if_asked(wiki: MemoryFileSystem) -> None:
    other = [["one", "two"] * 10]
    with pytest.raises(OutputError, match=naming(WIKI, "force=True")):
        encode(other, WIKI)
    assert encode(other, WIKI, force=True).vocabulary.words == ("one", "two")
    assert open_encoded(WIKI).vocabulary.words == ("one", "two")


def test_other_files_are_never_replaced(wiki: MemoryFileSystem) -> None:
    other = [["one", "two"] * 10]
    wiki.pipe_file("/store/wiki/notes", b"mine")
    wiki.pipe_file("/store/text/notes", b"mine")
    for folder, named in (
        (WIKI, f"{WIKI}/notes"),
        ("memory://store/text", "memory://store/text"),
        ("memory://store/text/notes", "memory://store/text/notes"),
        (f"{WIKI}/deep/inside", WIKI),
    ):
        before = sorted(wiki.find("/"))
        with pytest.raises(OutputError, match=naming(named)):
            encode(other, folder, force=True)
        assert sorted(wiki.find("/")) == before


def test_the_rest_of_an_upload_is_no_corpus(wiki: MemoryFileSystem) -> None:
    wiki.rm_file(f"/store/wiki/{ENCODED_HEADER}")
    assert not is_encoded(RemotePath(WIKI))
    with pytest.raises(CorpusError, match=naming(WIKI)):
        open_encoded(WIKI)
    with pytest.raises(OutputError, match=naming(WIKI, "force=True")):
        encode([["one", "two"] * 10], WIKI)
    encode([["one", "two"] * 10], WIKI, force=True)


@pytest.mark.parametrize("method", ["info", "ls", "pipe_file", "put_file"])
def test_a_storage_that_refuses_is_an_error(
    memory: MemoryFileSystem, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.mkdir("/store/wiki")
    monkeypatch.setattr(MemoryFileSystem, method, refuse)
    with pytest.raises(OutputError, match=naming(WIKI, "Access Denied", "credentials")):
        encode([["one", "two"] * 10], WIKI)
    monkeypatch.undo()
    assert memory.find("/") == []


def test_an_unusable_text_writes_nothing(memory: MemoryFileSystem) -> None:
    with pytest.raises(CorpusError):
        encode([["one"]], WIKI)
    assert memory.find("/") == []


def test_a_corpus_that_cannot_be_read(
    wiki: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(MemoryFileSystem, "get_file", refuse)
        with pytest.raises(CorpusError, match=naming(WIKI, "Access Denied")):
            open_encoded(WIKI)
    wiki.rm_file("/store/wiki/words.utf8")
    with pytest.raises(CorpusError, match=naming(WIKI)):
        open_encoded(WIKI)
    wiki.pipe_file("/store/wiki/words.utf8", b"abc")
    with pytest.raises(CorpusError, match=naming(WIKI, "words.utf8")):
        open_encoded(WIKI)


def test_parts_are_read_by_range(wiki: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = open_encoded(WIKI)
    parts = open_ranges(RemotePath(WIKI))
    assert isinstance(parts.token_file, RemoteIntegers)
    assert parts.token_count == whole.token_count
    assert parts.folder == whole.folder
    assert len(parts.tokens) == 0
    read = []
    cat_file = MemoryFileSystem.cat_file

    def cat(storage: MemoryFileSystem, path: str, start: int, end: int) -> bytes:
        read.append((path, start, end))
        return bytes(cat_file(storage, path, start, end))

    monkeypatch.setattr(MemoryFileSystem, "cat_file", cat)
    for begin, end in ((0, 10), (100, 2000), (7, 7), (whole.token_count - 1, 10**9)):
        assert parts.stretch(begin, end).tolist() == whole.stretch(begin, end).tolist()
        assert parts.starts_within(begin, min(end, whole.token_count)).tolist() == (
            whole.starts_within(begin, min(end, whole.token_count)).tolist()
        )
    assert read[0] == ("/store/wiki/tokens.i32", 0, 40)
    assert parts.checksum() == whole.checksum()
    vectors, expected = train(parts, **QUICK), train(whole, **QUICK)
    assert (vectors.coordinates == expected.coordinates).all()


def test_parts_of_a_changed_corpus_are_an_error(wiki: MemoryFileSystem) -> None:
    parts = open_ranges(RemotePath(WIKI))
    size = 4 * parts.token_count
    wiki.pipe_file("/store/wiki/tokens.i32", np.full(parts.token_count, -1, np.int32).tobytes())
    with pytest.raises(CorpusError, match="vocabulary"):
        parts.stretch(0, 10)
    wiki.pipe_file("/store/wiki/tokens.i32", bytes(1001))
    assert parts.stretch(0, 250).tolist() == [0] * 250
    with pytest.raises(CorpusError, match=naming(f"{WIKI}/tokens.i32", f"{size:,}", "1,001")):
        parts.stretch(250, 251)
    with pytest.raises(CorpusError, match=naming(f"{WIKI}/tokens.i32", "1,001")):
        open_ranges(RemotePath(WIKI))
    wiki.rm_file("/store/wiki/tokens.i32")
    with pytest.raises(CorpusError, match=naming(f"{WIKI}/tokens.i32", os.strerror(2))):
        parts.stretch(0, 1)


def test_a_range_that_a_storage_does_not_return(
    wiki: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = open_ranges(RemotePath(WIKI))
    with monkeypatch.context() as patch:
        patch.setattr(MemoryFileSystem, "cat_file", lambda *_, **__: b"1234567")
        with pytest.raises(CorpusError, match=naming(f"{WIKI}/tokens.i32", 7, 40)):
            parts.stretch(0, 10)
    monkeypatch.setattr(MemoryFileSystem, "cat_file", refuse)
    with pytest.raises(CorpusError, match=naming(f"{WIKI}/tokens.i32", "Access Denied")):
        parts.stretch(0, 10)
    wiki.pipe_file("/store/wiki/tokens.i32", bytes(1001))
    with pytest.raises(CorpusError, match=naming(f"{WIKI}/tokens.i32", "truncated", "1,001")):
        parts.stretch(0, 10)
