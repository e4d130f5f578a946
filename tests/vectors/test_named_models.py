"""A model can be loaded by its name; a wrong checksum or a malformed registry is an error."""

import gc
import hashlib
import json
import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer
from typing import Any

import numpy as np
import pytest
from subword_models import table_of

import hyperskip
from hyperskip import (
    HierarchyPoints,
    InputError,
    NewerFileError,
    OutputError,
    VectorFileError,
    WordVectors,
)
from hyperskip.vectors.container import read_header
from hyperskip.vectors.model_registry import NamedModel, checksum, named_models, registry_entry
from hyperskip.vectors.named_models import model_path

WORDS = ("dog", "cat", "car")


def vectors(scale: float = 1.0, **more: Any) -> WordVectors:
    rows = np.random.default_rng(5).normal(size=(len(WORDS), 4)) * scale
    return WordVectors(WORDS, rows, counts=[3, 2, 1], **more)


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry with the model `pets`, which HYPERSKIP_MODELS names."""
    vectors().save(tmp_path / "pets.safetensors")
    file = tmp_path / "pets.safetensors"
    registry = tmp_path / "models.json"
    registry.write_text(
        registry_entry(NamedModel("pets", file.name, checksum(file), "MIT", "Pets"))
    )
    monkeypatch.setenv("HYPERSKIP_MODELS", str(registry))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return registry


def change(registry: Path, **fields: Any) -> None:
    content = json.loads(registry.read_text())
    content["models"]["pets"] |= fields
    registry.write_text(json.dumps(content))


def test_the_small_model_comes_with_the_package() -> None:
    small = hyperskip.load("small")
    assert len(small) == 32_000
    assert small.dimension == 20
    assert small.is_a("dog", "animal") > 0.9 > 0.5 > small.is_a("animal", "dog")
    assert "cat" in [neighbor.word for neighbor in small.neighbors("dog", 5)]
    assert model_path("small").stat().st_size < 5_000_000


def test_a_registry_of_the_user_adds_names(published: Path) -> None:
    assert set(named_models()) == {"small", "pets"}
    loaded = hyperskip.load("pets")
    assert loaded.words == WORDS
    assert (loaded.coordinates == vectors().coordinates).all()


def test_a_file_of_that_name_is_read_instead(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small").mkdir()
    assert len(hyperskip.load("small")) == 32_000
    vectors(2.0).save(tmp_path / "pets")
    assert (hyperskip.load("pets").coordinates == vectors(2.0).coordinates).all()


def test_a_model_is_used_without_a_cache(published: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("not a folder")
    assert hyperskip.load("pets").words == WORDS
    assert model_path("pets") == tmp_path / "pets.safetensors"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=tmp_path)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_model_is_downloaded_once(
    published: Path, tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(published, location=f"{address}/pets.safetensors")
    assert hyperskip.load("pets").words == WORDS
    assert capsys.readouterr().err == f"downloading pets from {address}/pets.safetensors\n"
    (tmp_path / "pets.safetensors").unlink()
    assert hyperskip.load("pets").words == WORDS
    assert capsys.readouterr().err == ""


def test_a_missing_download_names_the_address(published: Path, address: str) -> None:
    change(published, location=f"{address}/absent.safetensors")
    with pytest.raises(VectorFileError, match=r"pets could not be downloaded from .*absent"):
        hyperskip.load("pets")


@pytest.mark.parametrize("is_remote", [False, True])
def test_a_wrong_checksum_is_refused(
    published: Path, tmp_path: Path, address: str, is_remote: bool
) -> None:
    if is_remote:
        change(published, location=f"{address}/pets.safetensors")
    change(published, sha256=hashlib.sha256(b"other").hexdigest())
    with pytest.raises(VectorFileError, match="checksum"):
        hyperskip.load("pets")
    assert not list((tmp_path / "cache").rglob("*.safetensors"))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"models": {}}',
        '{"format_version": 1}',
        '{"format_version": 0, "models": {}}',
        '{"format_version": 1, "models": {"a": {}}}',
        '{"format_version": 1, "models": []}',
    ],
)
def test_a_malformed_registry_is_refused(published: Path, content: str) -> None:
    published.write_text(content)
    with pytest.raises(VectorFileError, match="is not a registry of models") as caught:
        hyperskip.load("pets")
    assert "HYPERSKIP_MODELS" in str(caught.value.hint)


@pytest.mark.parametrize(
    "fields",
    [
        {"sha256": "abc"},
        {"sha256": "G" * 64},
        {"about": None},
        {"about": "two\nlines"},
        {"about": "x" * 2001},
        {"location": 1},
        {"location": " http://host/m"},
        {"bytes": 0},
        {"bytes": "1"},
        {"bytes": True},
    ],
)
def test_a_malformed_entry_is_refused(published: Path, fields: dict[str, Any]) -> None:
    change(published, **fields)
    with pytest.raises(VectorFileError, match="is not a registry of models"):
        named_models()


def test_a_missing_field_is_named(published: Path) -> None:
    content = json.loads(published.read_text())
    del content["models"]["pets"]["license"]
    published.write_text(json.dumps(content))
    with pytest.raises(VectorFileError, match=r"the entry pets has no license"):
        named_models()


def test_a_checksum_may_have_upper_case_letters(published: Path) -> None:
    digits = named_models()["pets"].sha256
    change(published, sha256=digits.upper())
    assert named_models()["pets"].sha256 == digits


def test_a_registry_that_is_a_pipe_is_refused(published: Path) -> None:
    published.unlink()
    os.mkfifo(published)
    with pytest.raises(VectorFileError, match="it is not a file"):
        named_models()


def test_a_newer_registry_is_refused(published: Path) -> None:
    published.write_text('{"format_version": 2}')
    with pytest.raises(NewerFileError, match="format version 2"):
        named_models()


def test_a_missing_registry_is_refused(published: Path) -> None:
    published.unlink()
    with pytest.raises(VectorFileError, match="cannot read the registry"):
        named_models()


@pytest.mark.parametrize(
    "location",
    [
        "s3://bucket/m",
        "memory://m",
        "file:///m",
        "ftp://host/m",
        "http://",
        "http://[bad/m",
        "a\0b",
    ],
)
def test_a_location_that_cannot_be_read_is_refused(published: Path, location: str) -> None:
    change(published, location=location)
    with pytest.raises(VectorFileError, match=r"is not a registry of models: .*location"):
        hyperskip.load("pets")


@pytest.mark.parametrize("location", ["absent", "folder", "/dev/full"])
def test_a_location_without_a_file_is_named(published: Path, tmp_path: Path, location: str) -> None:
    (tmp_path / "folder").mkdir()
    change(published, location=location)
    with pytest.raises(VectorFileError, match=f"cannot read the model pets: .*{location}: "):
        hyperskip.load("pets")


def test_a_large_registry_is_refused(published: Path) -> None:
    published.write_text(" " * 1_100_000)
    with pytest.raises(VectorFileError, match="more than 1 MiB"):
        named_models()


def test_a_registry_on_the_web_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERSKIP_MODELS", "https://example.invalid/models.json")
    with pytest.raises(VectorFileError, match="HYPERSKIP_MODELS is a URL"):
        named_models()


def test_a_cache_that_cannot_be_written_is_named(
    published: Path, tmp_path: Path, address: str
) -> None:
    change(published, location=f"{address}/pets.safetensors")
    (tmp_path / "cache").write_text("not a folder")
    with pytest.raises(VectorFileError, match=r"downloaded from .*: cannot write ") as caught:
        hyperskip.load("pets")
    assert "XDG_CACHE_HOME" in str(caught.value.hint)


def test_a_model_on_disk_needs_no_cache(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ("x" * 300)))  # cannot be searched
    assert hyperskip.load("pets").words == WORDS

    def no_home(*_: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("platformdirs.user_cache_path", no_home)
    assert hyperskip.load("pets").words == WORDS
    change(published, location="http://127.0.0.1:9/pets")
    with pytest.raises(OutputError, match="no home folder"):
        hyperskip.load("pets")


@pytest.mark.parametrize("is_in_registry", [False, True])
def test_a_download_that_does_not_end_is_given_up(
    published: Path,
    tmp_path: Path,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    is_in_registry: bool,
) -> None:
    (tmp_path / "long").write_bytes(bytes(3_000_000))
    change(published, location=f"{address}/long")
    if is_in_registry:
        change(published, bytes=10_000)
    else:
        monkeypatch.setattr("hyperskip.vectors.named_models._MOST_BYTES", 10_000)
    with pytest.raises(VectorFileError, match=r"more than 10,000 bytes"):
        hyperskip.load("pets")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.0 302 Found\r\nLocation: http://[\r\n\r\n", "invalid"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nshort", "before the file was complete"),
        (b"HTTP/1.0 503 Busy\r\nContent-Length: 0\r\n\r\n", "503"),
    ],
    ids=["redirect", "cut off", "busy"],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_failed_download_says_why(published: Path, answer: bytes, reason: str) -> None:
    class Answer(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            self.request.sendall(answer)

    with TCPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            change(published, location=f"http://127.0.0.1:{server.server_address[1]}/pets")
            with pytest.raises(VectorFileError, match=reason) as caught:
                hyperskip.load("pets")
        finally:
            server.shutdown()
            thread.join()
    assert "checksum" not in str(caught.value)
    del caught
    gc.collect()  # requests leaves a socket open, which would be a warning in another test


def test_an_unknown_name_is_a_missing_file(published: Path) -> None:
    with pytest.raises(VectorFileError, match="there is no file petz") as caught:
        hyperskip.load("petz")
    assert "did you mean 'pets'? hyperskip download" in str(caught.value.hint)
    for unlike in ("dissertation", "petz.safetensors"):
        with pytest.raises(VectorFileError, match="there is no file") as caught:
            hyperskip.load(unlike)
        assert "check the path; hyperskip download" in str(caught.value.hint)


def test_a_compact_file_keeps_everything_in_half_precision(tmp_path: Path) -> None:
    hierarchy = HierarchyPoints(
        np.random.default_rng(2).normal(size=(3, 5)), slope=1.0, offset=0.5, evidence=[1, 2, 3]
    )
    table = table_of(WORDS, dimension=4)
    given = vectors(hierarchy=hierarchy, subwords=table)
    given.save(tmp_path / "full.safetensors")
    given.save(tmp_path / "compact.safetensors", compact=True)
    about = read_header(tmp_path / "compact.safetensors").about
    assert about is not None
    assert about["format_version"] == 5
    loaded = hyperskip.load(tmp_path / "compact.safetensors")
    assert loaded.words == given.words
    assert (loaded.counts == given.counts).all()
    np.testing.assert_allclose(loaded.coordinates, given.coordinates, rtol=2**-11)
    assert loaded.hierarchy is not None
    assert loaded.subwords is not None
    np.testing.assert_allclose(loaded.hierarchy.coordinates, hierarchy.coordinates, rtol=2**-11)
    assert (loaded.hierarchy.heights >= 0).all()
    np.testing.assert_allclose(
        loaded.subwords.coordinates, table.coordinates, rtol=2**-11, atol=2**-24
    )
    sizes = [(tmp_path / f"{name}.safetensors").stat().st_size for name in ("full", "compact")]
    assert sizes[0] > sizes[1]
    loaded.save(tmp_path / "again.safetensors", compact=True)
    again = hyperskip.load(tmp_path / "again.safetensors")
    assert (again.coordinates == loaded.coordinates).all()


def test_too_large_coordinates_are_not_compacted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="16 bits cannot hold"):
        vectors(1e6).save(tmp_path / "far.safetensors", compact=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("compact", [1, "yes", None])
def test_compact_is_a_flag(tmp_path: Path, compact: Any) -> None:
    with pytest.raises(InputError, match="compact"):
        vectors().save(tmp_path / "a.safetensors", compact=compact)
