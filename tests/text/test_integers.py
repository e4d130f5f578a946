"""Reading parts of an encoded corpus gives valid integers or an error if its files change."""

import errno
import gc
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from facts import naming

from hyperskip import encode, open_encoded
from hyperskip.errors import CorpusError
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.integers import IntegerFile
from hyperskip.text.options import TextOptions

SENTENCES = [[f"w{(7 * i + j) % 11}" for j in range(1 + i % 9)] for i in range(400)]


@pytest.fixture
def kept(tmp_path: Path) -> EncodedCorpus:
    return encode(SENTENCES, tmp_path / "kept", min_count=1)


def in_memory(corpus: EncodedCorpus) -> EncodedCorpus:
    return EncodedCorpus(
        TextOptions(),
        corpus.vocabulary,
        np.array(corpus.tokens),
        np.array(corpus.sentence_starts),
    )


def test_stretches_equal_the_mapping(kept: EncodedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, starts = kept.tokens.tolist(), kept.sentence_starts.tolist()
    pairs = [(0, len(tokens)), (0, 0), (3, 4), (5, 700), (len(tokens) - 1, len(tokens))]
    pairs += [(begin, begin + 37) for begin in range(0, len(tokens), 13)]
    for without_pread in (False, True):
        if without_pread:
            monkeypatch.delattr(os, "pread")
        for corpus in (kept, in_memory(kept)):
            for begin, end in pairs:
                ids, within = corpus.stretch(begin, end), corpus.starts_within(begin, end)
                assert (ids.dtype.name, within.dtype.name) == ("int32", "int64")
                assert ids.tolist() == tokens[begin:end]
                assert within.tolist() == [start for start in starts if begin <= start < end]


def test_long_stretches_are_read_in_parts(
    kept: EncodedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    pread = os.pread
    monkeypatch.setattr(os, "pread", lambda file, size, at: pread(file, min(size, 100), at))
    assert kept.stretch(0, 10**9).tolist() == kept.tokens.tolist()


def test_threads_may_read_at_once(kept: EncodedCorpus) -> None:
    total = len(kept.tokens)
    with ThreadPoolExecutor(4) as pool:
        read = pool.map(lambda begin: kept.stretch(begin, begin + 50).tolist(), range(total - 50))
        for begin, ids in enumerate(read):
            assert ids == kept.tokens[begin : begin + 50].tolist()


def test_truncated_files_are_an_error(kept: EncodedCorpus, tmp_path: Path) -> None:
    tokens, starts = tmp_path / "kept" / "tokens.i32", tmp_path / "kept" / "sentence-starts.i64"
    size = tokens.stat().st_size
    os.truncate(tokens, 1001)
    assert len(kept.stretch(0, 250)) == 250
    for begin, end in ((0, 251), (250, 251), (1000, 1100)):
        with pytest.raises(CorpusError, match=naming("tokens.i32", f"{size:,}", "1,001")):
            kept.stretch(begin, end)
    os.truncate(starts, 0)
    with pytest.raises(CorpusError, match=naming("sentence-starts.i64")):
        kept.starts_within(0, 100)


def test_changed_files_are_an_error(kept: EncodedCorpus, tmp_path: Path) -> None:
    tokens, starts = tmp_path / "kept" / "tokens.i32", tmp_path / "kept" / "sentence-starts.i64"
    for wrong in (-1, 11):
        overwrite(tokens, 4 * 20, np.int32(wrong).tobytes())
        with pytest.raises(CorpusError):
            kept.stretch(0, 100)
        kept.stretch(21, 100)
    for wrong in (-1, 10**12, int(kept.sentence_starts[1])):
        overwrite(starts, 8 * 2, np.int64(wrong).tobytes())
        with pytest.raises(CorpusError):
            kept.starts_within(0, 50)


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("rb+") as file:
        file.seek(offset)
        file.write(data)


def test_an_open_corpus_survives_being_replaced_or_removed(
    kept: EncodedCorpus, tmp_path: Path
) -> None:
    before = kept.tokens.tolist()
    encode([["other", "words"]] * 1000, tmp_path / "kept", min_count=1, force=True)
    assert kept.stretch(0, len(before)).tolist() == before
    assert open_encoded(tmp_path / "kept").vocabulary.words == ("other", "words")
    for path in (tmp_path / "kept").iterdir():
        path.unlink()
    assert kept.stretch(0, len(before)).tolist() == before


def test_a_failing_disk_is_an_error(kept: EncodedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    monkeypatch.setattr(os, "pread", fail)
    with pytest.raises(CorpusError, match=naming("tokens.i32", os.strerror(errno.ESTALE))):
        kept.stretch(0, 10)


def test_files_are_closed_with_the_corpus(tmp_path: Path) -> None:
    np.arange(10, dtype=np.int64).tofile(tmp_path / "numbers")
    file = IntegerFile(tmp_path / "numbers", np.int64)
    stream = file._file
    assert (len(file), file[7]) == (10, 7)
    del file
    gc.collect()
    assert stream.closed
