"""Paths behind a URL: recognized, listed and read like local ones, with errors of our own."""

import errno
import os
import pickle
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from facts import naming
from fsspec.implementations.memory import MemoryFileSystem

import hyperskip
from hyperskip import RemotePath, WordVectors
from hyperskip.errors import (
    DatasetError,
    InputError,
    MissingPackageError,
    OutputError,
    VectorFileError,
)
from hyperskip.files.remote import Location, is_url, location
from hyperskip.files.remote_folders import download_files, upload_folder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s3://bucket/key", RemotePath("s3://bucket/key")),
        ("memory://a", RemotePath("memory://a")),
        ("simplecache::s3://b/k", RemotePath("simplecache::s3://b/k")),
        ("zip://a.txt::s3://b/k.zip", RemotePath("zip://a.txt::s3://b/k.zip")),
        ("file:///tmp/text.txt", Path("/tmp/text.txt")),
        ("local://text.txt", Path("text.txt")),
        ("text.txt", Path("text.txt")),
        ("/s3://bucket", Path("/s3:/bucket")),
        ("C://text.txt", Path("C:/text.txt")),
        ("c:/text.txt", Path("c:/text.txt")),
        ("-", Path("-")),
        ("a text with a URL: s3://bucket", Path("a text with a URL: s3:/bucket")),
    ],
)
def test_urls_are_recognized(text: str, expected: Location) -> None:
    assert location(text) == expected
    assert location(RemotePath(text) if is_url(text) else Path(text)) == location(expected)


def test_a_local_file_may_look_like_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:").mkdir()
    (tmp_path / "s3:" / "text.txt").write_text("one two " * 20)
    for name in ("s3://text.txt", "s3://*.txt", "s3:/text.txt"):
        assert not is_url(name)
        assert hyperskip.encode(name, "kept", force=True).vocabulary.words == ("one", "two")


def test_parts_of_a_url() -> None:
    path = RemotePath("zip://a/b.csv.gz::s3://bucket/c.zip")
    assert path.name == "b.csv.gz"
    assert path.suffixes == [".csv", ".gz"]
    assert path.parent == RemotePath("zip://a::s3://bucket/c.zip")
    assert path.parent / "d" == RemotePath("zip://a/d::s3://bucket/c.zip")
    assert path.protocol == "zip"
    assert RemotePath("s3://bucket/").parent == RemotePath("s3://bucket/")
    assert RemotePath("memory://") / "a" == RemotePath("memory://a")
    assert os.fspath(path) == str(path) == path.url
    assert pickle.loads(pickle.dumps(path)) == path
    assert repr(path) == f"RemotePath(url={path.url!r})"


def test_a_file_is_read_in_any_order(memory: MemoryFileSystem) -> None:
    data = bytes(range(256)) * 20_000
    memory.pipe_file("/data", data)
    path = RemotePath("memory://data")
    with path.open() as file:
        assert file.read(10) == data[:10]
        assert file.tell() == 10
        file.seek(-5, os.SEEK_END)
        assert file.read() == data[-5:]
    assert path.read_range(300, 1000) == data[300:1000]
    assert path.read_range(300, 300) == b""
    assert path.read_range(len(data) - 3, len(data) + 100) == data[-3:]


def test_an_object_for_the_folder_itself_is_not_in_it(
    memory: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The console of S3 makes one for an empty folder."""
    monkeypatch.setattr(MemoryFileSystem, "ls", lambda *_, **__: ["/folder/", "/folder/a"])
    assert RemotePath("memory://folder").iterdir() == [RemotePath("memory://folder/a")]


@pytest.mark.parametrize(
    ("about", "status"),
    [
        ({"size": 3, "mtime": 1.5}, (3, 10**9)),
        ({"size": 3, "LastModified": datetime(2020, 1, 1, tzinfo=UTC)}, (3, 1577836800 * 10**9)),
        ({"size": 3, "created": datetime(2020, 1, 1)}, (3, 1577836800 * 10**9)),
        ({"size": 3, "updated": "2020-01-01T00:00:00.123Z"}, (3, 1577836800 * 10**9)),
        ({"size": 3, "updated": "yesterday"}, (3, 0)),
        ({"size": 3}, (3, 0)),
        ({"size": None, "mtime": 1}, None),
        ({"size": 3, "type": "directory"}, None),
    ],
    ids=range(8),
)
def test_storages_report_times_in_several_ways(
    about: dict[str, Any], status: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MemoryFileSystem, "info", lambda *_: {"type": "file"} | about)
    assert RemotePath("memory://a").status() == status


@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        (FileNotFoundError("bucket/key"), FileNotFoundError, os.strerror(errno.ENOENT)),
        (FileNotFoundError("The bucket does not exist"), FileNotFoundError, "bucket does not"),
        (PermissionError("Access Denied"), PermissionError, "Access Denied"),
        (PermissionError(errno.EPERM, "not allowed"), PermissionError, "not allowed"),
        (TimeoutError(), TimeoutError, os.strerror(errno.ETIMEDOUT)),
        (RuntimeError("Unable to locate credentials"), OSError, "Unable to locate credentials"),
        (KeyError("x"), OSError, "KeyError"),
        (NotImplementedError(), OSError, "memory:// does not support this"),
        (ValueError("two\n  lines " * 100), OSError, "two lines two lines"),
    ],
    ids=range(9),
)
def test_every_error_of_a_storage_is_an_oserror(
    error: Exception, kind: type[OSError], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(MemoryFileSystem, "cat_file", fail)
    with pytest.raises(kind, match=re.escape(reason)) as raised:
        RemotePath("memory://a").read_range(0, 1)
    assert raised.value.filename == "memory://a"
    assert len(str(raised.value.strerror)) <= 300


def test_interruptions_are_not_errors_of_a_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(MemoryFileSystem, "cat_file", interrupt)
    with pytest.raises(KeyboardInterrupt):
        RemotePath("memory://a").read_range(0, 1)


@pytest.mark.parametrize(
    ("url", "facts"),
    [
        ("s4://bucket", ["s4://", "s3://", "hdfs"]),
        ("memroy://text", ["memroy://", "memory://"]),
        ("nothing+like+it://text", ["nothing+like+it://", "memory", "fsspec"]),
    ],
)
def test_an_unknown_protocol(url: str, facts: list[str]) -> None:
    with pytest.raises(InputError, match=naming(*facts)):
        hyperskip.train(url)


@pytest.mark.parametrize(
    ("protocol", "module", "advice"),
    [
        ("s3", "s3fs", "pip install s3fs"),
        ("gs", "gcsfs", "pip install gcsfs"),
        ("hdfs", "pyarrow", "pip install pyarrow"),
        ("smb", "smbclient", "smbprotocol"),
    ],
)
def test_a_protocol_without_its_package(
    protocol: str, module: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [module, *(name for name in sys.modules if name.startswith(f"{module}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingPackageError, match=naming(f"{protocol}://", module)) as raised:
        hyperskip.train(f"{protocol}://bucket/text")
    assert advice in str(raised.value.hint)


def test_only_a_corpus_may_be_a_url(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "b"], [[0.0], [1.0]])
    url = "s3://bucket/name"
    attempts: list[tuple[type[InputError], Any]] = [
        (VectorFileError, lambda: hyperskip.load(url)),
        (VectorFileError, lambda: hyperskip.import_vectors(url)),
        (VectorFileError, lambda: hyperskip.train([["a", "b"]], init=url)),
        (OutputError, lambda: hyperskip.train([["a", "b"]], checkpoints=url)),
        (OutputError, lambda: vectors.save(url)),
        (OutputError, lambda: hyperskip.export_vectors(vectors, url + ".txt")),
        (OutputError, lambda: vectors.plot(path=url + ".html")),
        (InputError, lambda: vectors.plot(categories=url)),
        (DatasetError, lambda: hyperskip.evaluate(vectors, similarity=url)),
        (DatasetError, lambda: hyperskip.evaluate(vectors, data=url)),
    ]
    for kind, attempt in attempts:
        with pytest.raises(kind, match=naming(url, "local paths")):
            attempt()


def test_a_folder_is_complete_when_its_last_file_is_there(
    memory: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "header", "z"):
        (tmp_path / name).write_text(name)
    folder = RemotePath("memory://folder")
    memory.pipe_file("/folder/header", b"old")
    written: list[str] = []
    put_file = MemoryFileSystem.put_file

    def put(storage: MemoryFileSystem, source: str, path: str) -> None:
        assert not storage.exists("/folder/header")
        put_file(storage, source, path)
        written.append(path)

    monkeypatch.setattr(MemoryFileSystem, "put_file", put)
    upload_folder(tmp_path, folder, last="header")
    assert written == ["/folder/z", "/folder/a", "/folder/header"]
    assert memory.cat_file("/folder/header") == b"header"


@pytest.mark.parametrize("error", [PermissionError("Access Denied"), KeyboardInterrupt()], ids=type)
@pytest.mark.parametrize("moment", range(3))
def test_a_failed_upload_leaves_nothing(
    memory: MemoryFileSystem,
    tmp_path: Path,
    error: BaseException,
    moment: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("a", "header", "z"):
        (tmp_path / name).write_text(name)
    put_file = MemoryFileSystem.put_file
    written: list[str] = []

    def put(storage: MemoryFileSystem, source: str, path: str) -> None:
        if len(written) == moment:
            raise error
        put_file(storage, source, path)
        written.append(path)

    monkeypatch.setattr(MemoryFileSystem, "put_file", put)
    kind = KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else OutputError
    with pytest.raises(kind):
        upload_folder(tmp_path, RemotePath("memory://folder"), last="header")
    assert memory.find("/") == []


def test_no_space_for_a_copy(
    memory: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(MemoryFileSystem, "get_file", fail)
    with pytest.raises(InputError, match=naming("memory://a/b", "TMPDIR")):
        download_files(RemotePath("memory://a"), ["b"], tmp_path)
