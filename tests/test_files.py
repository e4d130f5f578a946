import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from hyperskip.errors import OutputError
from hyperskip.files import opened, replacing

TEXT = "zwölf Boxkämpfer\n".encode() * 1000

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_the_first_bytes_tell_the_compression(tmp_path: Path, kind: str) -> None:
    compressed = COMPRESSORS[kind](TEXT)
    path = tmp_path / "named-misleadingly.txt"
    path.write_bytes(compressed + (compressed if kind != "plain" else b""))
    with opened(path) as (stream, _):
        assert stream.read() == TEXT * (2 if kind != "plain" else 1)  # several members, too


def test_a_file_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with replacing(target) as temporary:
        temporary.write_text("half")
        assert not target.exists()
    assert target.read_text() == "half"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
def test_a_failed_write_leaves_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    with pytest.raises(error), replacing(target) as temporary:
        temporary.write_text("new")
        raise error
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_a_clear_error(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with pytest.raises(OutputError, match="No space left"), replacing(target) as temporary:
        temporary.write_text("new")
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a folder"), replacing(tmp_path):
        pass
    with pytest.raises(OutputError, match="there is no folder"), replacing(tmp_path / "a" / "b"):
        pass
