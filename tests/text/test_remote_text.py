"""Text in remote storage is read by the same rules as local text, and changes are noticed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from compressors import COMPRESSORS
from facts import naming
from fsspec.implementations.memory import MemoryFileSystem
from wiki_dumps import dump, page

from hyperskip import CorpusWarning, RemotePath, builtin, encode, open_encoded, train
from hyperskip.errors import CorpusError, StaleCorpusError
from hyperskip.files.known_folders import ENCODED_HEADER
from hyperskip.text.encoding.freshness import check_fresh, tokenizing_rules
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import CorpusReader
from hyperskip.text.reading.paths import corpus_files
from hyperskip.text.reading.sources import SourceFile

QUICK: dict[str, Any] = {"dimension": 3, "epochs": 1, "threads": 1, "subsample": 1e-3}
TREE = (
    *("a.txt", "b/c.txt", "b.txt", ".hidden", ".folder/d.txt", "b/.hidden.txt"),
    *("model.checkpoints/text", f"kept/{ENCODED_HEADER}", "kept/tokens.i32", "b/e [1].txt"),
)


def text_of(corpus: Any, **options: Any) -> str:
    return b"".join(CorpusReader(corpus, TextOptions(**options), 1)).decode()  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", ["", *COMPRESSORS])
def test_any_compression_is_read(memory: MemoryFileSystem, suffix: str) -> None:
    data = "\n".join(builtin.sentences(5_000)).encode()
    memory.pipe_file("/text", COMPRESSORS.get(suffix, bytes)(data))
    reader = CorpusReader("memory://text", TextOptions(), 1)
    assert b"".join(reader) == data + b"\n"  # type: ignore[arg-type]
    assert reader.bytes_read == reader.bytes_total == len(memory.cat_file("/text"))
    assert reader.given == ("memory://text",)


def test_tables_and_dumps_are_read(memory: MemoryFileSystem) -> None:
    memory.pipe_file("/table.csv.gz", COMPRESSORS[".gz"](b"id,text\n1,one two\n"))
    assert text_of("memory://table.csv.gz", column="text") == "one two\n"
    with pytest.raises(CorpusError, match=naming("memory://table.csv.gz", "column")):
        text_of("memory://table.csv.gz")
    memory.pipe_file("/dump.xml.bz2", COMPRESSORS[".bz2"](dump([page("A", "b ''c''")]).encode()))
    assert "b c" in text_of("memory://dump.xml.bz2")


@pytest.mark.parametrize(
    "given", ["", "/", "/*", "/*.txt", "/**/*.txt", "/**", "/b/*", "/b/e [1].txt", "/?.txt", "/*/*"]
)
def test_folders_and_globs_name_the_same_files_as_local_ones(
    memory: MemoryFileSystem, tmp_path: Path, given: str
) -> None:
    for name in TREE:
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text("text")
        memory.pipe_file(f"/tree/{name}", b"text")
    local = corpus_files([f"{tmp_path}/tree{given}"])
    remote = corpus_files([f"memory://tree{given}"])
    assert remote == [
        RemotePath(f"memory://tree/{path.relative_to(tmp_path / 'tree').as_posix()}")
        for path in local
        if isinstance(path, Path)
    ]
    chained = corpus_files([f"simplecache::memory://tree{given}"])
    assert chained == [RemotePath(f"simplecache::{path}") for path in remote]
    assert corpus_files([f"file://{tmp_path}/tree{given}"]) == local


def test_urls_and_paths_can_be_mixed(memory: MemoryFileSystem, tmp_path: Path) -> None:
    memory.pipe_file("/a.txt", b"one")
    (tmp_path / "b.txt").write_text("two")
    paths = [RemotePath("memory://a.txt"), tmp_path / "b.txt", RemotePath("memory://*.txt")]
    assert text_of(paths) == "one\ntwo\none\n"
    assert text_of(f"file://{tmp_path}/b.txt") == "two\n"


def test_training_equals_training_on_a_local_file(memory: MemoryFileSystem, corpus: Path) -> None:
    memory.pipe_file("/text.txt", corpus.read_bytes())
    vectors, expected = train("memory://text.txt", **QUICK), train(corpus, **QUICK)
    assert vectors.words == expected.words
    assert (vectors.coordinates == expected.coordinates).all()


@pytest.mark.parametrize(
    ("url", "facts"),
    [
        ("memory://none", ["memory://none"]),
        ("memory://none/*.txt", ["memory://none/*.txt"]),
        ("memory://empty", ["memory://empty"]),
        ("memory://binary", ["memory://binary", "NUL"]),
        ("memory://cut.gz", ["memory://cut.gz", "incomplete"]),
    ],
)
def test_bad_text_is_named(memory: MemoryFileSystem, url: str, facts: list[str]) -> None:
    memory.mkdir("/empty")
    memory.pipe_file("/binary", b"one\0two")
    memory.pipe_file("/cut.gz", COMPRESSORS[".gz"](b"one two " * 100)[:-10])
    with pytest.raises(CorpusError, match=naming(*facts)):
        text_of(url)


@pytest.mark.parametrize("method", ["info", "find", "glob", "_open"])
def test_a_storage_that_refuses_is_an_error(
    memory: MemoryFileSystem, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("Unable to locate credentials")

    memory.pipe_file("/folder/text", b"one two")
    monkeypatch.setattr(MemoryFileSystem, method, fail)
    url = "memory://folder" + ("/*" if method == "glob" else "")
    with pytest.raises(
        CorpusError, match=naming("memory://folder", "Unable to locate credentials")
    ):
        text_of(url)


def test_a_connection_that_ends_while_text_is_read(
    memory: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ending:
        def read(self, _: int) -> bytes:
            raise ConnectionResetError("Connection reset by peer")

        def close(self) -> None:
            pass

    memory.pipe_file("/text", b"one two")
    monkeypatch.setattr(MemoryFileSystem, "open", lambda *_: Ending())
    with pytest.raises(CorpusError, match=naming("memory://text", "Connection reset", "network")):
        text_of("memory://text")


def test_a_text_that_changes_while_it_is_read(memory: MemoryFileSystem) -> None:
    memory.pipe_file("/text", b"one two")
    pieces = iter(CorpusReader("memory://text", TextOptions(), 1))
    next(pieces)
    memory.pipe_file("/text", b"one two three")
    with pytest.raises(CorpusError, match=naming("memory://text", 7, 13)):
        list(pieces)


def test_several_urls_are_not_texts(memory: MemoryFileSystem) -> None:
    with pytest.raises(CorpusError, match=naming("memory://a", "hyperskip.RemotePath")):
        text_of(["memory://a", "memory://b"])
    with pytest.raises(CorpusError, match=naming("s3:/bucket", "hyperskip.RemotePath")):
        text_of(Path("s3://bucket"))
    assert text_of(["https://example.org", "s3://bucket is a text"]).count("\n") == 2


@pytest.fixture
def kept(memory: MemoryFileSystem, tmp_path: Path) -> Path:
    """A corpus that was encoded from two files in remote storage."""
    for name in ("a", "b"):
        memory.pipe_file(f"/folder/{name}", b"one two " * 20)
    encode("memory://folder", tmp_path / "kept")
    return tmp_path / "kept"


def test_the_sources_of_a_corpus_are_urls(memory: MemoryFileSystem, kept: Path) -> None:
    corpus = open_encoded(kept)
    assert corpus.given == ("memory://folder",)
    created = memory.info("/folder/a")["created"].timestamp()
    assert [(source.path, source.size) for source in corpus.sources] == [
        ("memory://folder/a", 160),
        ("memory://folder/b", 160),
    ]
    assert corpus.sources[0].modified_ns == int(created) * 10**9


def test_a_changed_text_is_noticed(
    memory: MemoryFileSystem, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.pipe_file("/folder/c", b"new")
    with pytest.raises(StaleCorpusError, match=naming("memory://folder/c", kept)):
        open_encoded(kept)
    memory.rm_file("/folder/c")
    with monkeypatch.context() as patch:
        later = memory.info("/folder/a")["created"].replace(year=2100)
        patch.setattr(memory.store["/folder/a"], "created", later)
        with pytest.raises(StaleCorpusError, match=naming("memory://folder/a", kept)):
            open_encoded(kept)
    open_encoded(kept)
    memory.pipe_file("/folder/b", b"one two")
    with pytest.raises(StaleCorpusError, match=naming("memory://folder/b", kept)):
        open_encoded(kept)
    memory.rm_file("/folder/b")
    with pytest.raises(StaleCorpusError, match=naming("memory://folder/b", kept)):
        open_encoded(kept)
    memory.rm_file("/folder/a")
    open_encoded(kept)


def test_a_storage_that_cannot_be_reached_is_a_warning(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("Unable to locate credentials")

    monkeypatch.setattr(MemoryFileSystem, "info", fail)
    with pytest.warns(CorpusWarning, match=naming("memory://folder/a", "Unable to locate")):
        open_encoded(kept)


@pytest.mark.parametrize(
    "url", ["simplecache::memory://text", "smb://host/text", "s3://a::smb://b"]
)
def test_hosts_in_a_header_are_not_contacted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """The header may come from a stranger."""
    (tmp_path / "text").write_text("one two " * 20)
    corpus = encode(tmp_path / "text", tmp_path / "kept")
    monkeypatch.setattr(RemotePath, "_storage", lambda _: pytest.fail("it was contacted"))
    foreign = replace(corpus, sources=(SourceFile(url, 7, 0), *corpus.sources), given=(url,))
    check_fresh(foreign, tokenizing_rules(TextOptions()), tmp_path / "kept")
