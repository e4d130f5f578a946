from pathlib import Path

import pytest
from packing import COMPRESSORS

from hyperskip.errors import OutputError
from hyperskip.files import READING_ERRORS, opened, replacing

TEXT = "zwölf Boxkämpfer\n".encode() * 1000


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_the_first_bytes_tell_the_compression(tmp_path: Path, kind: str) -> None:
    compressed = COMPRESSORS[kind](TEXT)
    path = tmp_path / "named-misleadingly.txt"
    path.write_bytes(compressed + compressed)
    with opened(path) as (stream, _):
        assert stream.read() == TEXT + TEXT  # several members, too
    path.write_bytes(TEXT)
    with opened(path) as (stream, _):
        assert stream.read() == TEXT


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_a_file_that_is_cut_does_not_end_quietly(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "cut"
    path.write_bytes(COMPRESSORS[kind](TEXT)[:-6])
    with pytest.raises(READING_ERRORS), opened(path) as (stream, _):
        stream.read()


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
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="there is no folder"), replacing(tmp_path / "file" / "b"):
        pass
