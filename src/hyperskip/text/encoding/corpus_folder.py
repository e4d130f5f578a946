"""The folder of an encoded corpus: a JSON header and raw arrays.

The header states which files, of which sizes and dates, the corpus was made from, and with which
options, so that a stale corpus is never used. Nothing in the folder is executable.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError, HyperskipError, NewerFileError, OutputError
from hyperskip.files.failures import reason_of
from hyperskip.files.format_version import check_version
from hyperskip.files.known_folders import ENCODED_HEADER, is_encoded
from hyperskip.files.locks import only_writer
from hyperskip.files.remote import CHECK_ACCESS, Location, RemotePath, location
from hyperskip.files.remote_folders import download_files, upload_folder
from hyperskip.files.scratch import scratch_folder
from hyperskip.files.targets import check_remote_folder, check_writable_folder
from hyperskip.files.writing import replacing_folder
from hyperskip.options import checked_path
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoding_events import Pruned
from hyperskip.text.encoding.freshness import check_fresh, tokenizing_rules
from hyperskip.text.encoding.integers import IntegerFile, Integers, Number, RemoteIntegers
from hyperskip.text.encoding.unfiltered_corpus import STARTS_NAME, TOKENS_NAME, numbers_in
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.sources import SourceFile
from hyperskip.text.words.scan import words_of
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.version import VERSION

Record = TypeVar("Record", SourceFile, Pruned)

FORMAT_VERSION = 3  # folders with fewer options are of earlier versions

_FORMAT = "hyperskip encoded corpus"
_LETTERS, _WORD_STARTS, _COUNTS = "words.utf8", "word-starts.i64", "word-counts.i64"
_NAMES = {ENCODED_HEADER, TOKENS_NAME, STARTS_NAME, _LETTERS, _WORD_STARTS, _COUNTS}
_LARGEST_HEADER = 1 << 28
# The errors that missing, mistyped or inconsistent parts of a folder cause.
_DAMAGE = (KeyError, ValueError, TypeError, AttributeError, RecursionError, HyperskipError)


def checked_folder(folder: str | os.PathLike[str]) -> Location:
    """Return the folder of an encoded corpus, which may be a URL, as an object.

    Raises:
        InputError: It is not a path, or it is empty.
    """
    checked_path("folder", folder)
    return location(folder)


def write_corpus(folder: Location, write: Callable[[Path], None], *, force: bool) -> EncodedCorpus:
    """Write an encoded corpus completely or not at all, and open it.

    A corpus in remote storage is made on this machine and uploaded, its header last: without a
    header, a folder is never taken for a corpus.

    Args:
        folder: The folder to create.
        write: Called with a local folder, into which it writes all files of the corpus.
        force: Whether to replace an encoded corpus.

    Raises:
        OutputError: As `check_target`, or writing fails.
    """
    with only_writer(folder):
        check_target(folder, force=force)
        if isinstance(folder, RemotePath):
            with scratch_folder() as temporary:
                write(temporary)
                upload_folder(temporary, folder, last=ENCODED_HEADER)
                return _opened(temporary, folder)
        with replacing_folder(folder) as temporary:
            write(temporary)
        return _opened(folder, folder)


def check_target(folder: Location, *, force: bool) -> None:
    """Check that an encoded corpus can be written to a folder, before any work is done for it.

    Raises:
        OutputError: An encoded corpus exists and `force` is False, the folder contains other files,
            or it cannot be written.
    """
    if isinstance(folder, RemotePath):
        _check_remote_content(folder, force=force)
        check_remote_folder(folder)
        return
    check_writable_folder(folder)
    if is_encoded(folder):
        _check_replaceable(folder, sorted(folder.iterdir()), force=force)
    elif folder.is_dir() and any(folder.iterdir()):
        raise OutputError(
            f"the folder {folder} exists and is not an encoded corpus",
            hint="choose a folder that does not exist",
        )


def _check_remote_content(folder: RemotePath, *, force: bool) -> None:
    """Check what a remote folder contains; an interrupted upload may have left some files."""
    try:
        folder.refresh()
        found = folder.iterdir() if folder.is_dir() else []
    except OSError as error:
        raise OutputError(
            f"cannot list the folder {folder}: {reason_of(error)}", hint=CHECK_ACCESS
        ) from error
    if found:
        _check_replaceable(folder, found, force=force)


def _check_replaceable(folder: Location, found: Sequence[Location], *, force: bool) -> None:
    """Check that a folder may be replaced by an encoded corpus, and contains nothing else."""
    foreign = [path for path in found if path.name not in _NAMES]
    if foreign and not any(path.name == ENCODED_HEADER for path in found):
        raise OutputError(
            f"the folder {folder} exists and is not an encoded corpus",
            hint="choose a folder that does not exist",
        )
    if not force:
        raise OutputError(
            f"{folder} already contains an encoded corpus",
            hint="pass `force=True` to replace it",
        )
    if foreign:
        raise OutputError(
            f"{foreign[0]} is not part of the encoded corpus in {folder} and would be deleted "
            "with it",
            hint="move it elsewhere, or choose a folder that does not exist",
        )


def complete_folder(corpus: EncodedCorpus, folder: Path) -> None:
    """Write vocabulary and header next to the integers."""
    vocabulary = corpus.vocabulary
    (folder / _LETTERS).write_bytes(vocabulary.letters.data)
    (folder / _WORD_STARTS).write_bytes(vocabulary.starts.data)
    (folder / _COUNTS).write_bytes(np.ascontiguousarray(vocabulary.counts).data)
    header = {
        "format": _FORMAT,
        "format_version": corpus.options.format_version,
        "hyperskip_version": VERSION,
        "byte_order": sys.byteorder,
        "rules": tokenizing_rules(corpus.options),
        "options": corpus.options.as_dict(),
        "given": list(corpus.given),
        "sources": [asdict(source) for source in corpus.sources],
        "pruned": asdict(corpus.pruned),
        "words": len(corpus.vocabulary),
        "tokens": corpus.token_count,
        "sentences": len(corpus.sentence_starts) - 1,
    }
    if corpus.phrase_file is not None:
        header["phrase_file"] = asdict(corpus.phrase_file)
    header["checksum"] = checksum_of(header, folder)
    (folder / ENCODED_HEADER).write_text(json.dumps(header, indent=1), encoding="utf-8")


def checksum_of(header: Mapping[str, Any], folder: Path) -> str:
    """Compute the checksum of header and vocabulary, on which the meaning of all ids depends."""
    summed = {name: value for name, value in header.items() if name != "checksum"}
    checksum = hashlib.sha256(json.dumps(summed, sort_keys=True).encode())
    for name in (_LETTERS, _WORD_STARTS, _COUNTS):
        with (folder / name).open("rb") as file:
            checksum.update(hashlib.file_digest(file, "sha256").digest())
    return checksum.hexdigest()


def open_if_encoded(corpus: object) -> EncodedCorpus | None:
    """Return the encoded corpus if this is one, its folder, or a list with only its folder."""
    if isinstance(corpus, EncodedCorpus):
        return corpus
    if isinstance(corpus, list | tuple) and len(corpus) == 1 and isinstance(corpus[0], os.PathLike):
        return open_if_encoded(corpus[0])
    if isinstance(corpus, str | os.PathLike) and is_encoded(location(corpus)):
        return open_encoded(corpus)
    return None


def open_encoded(folder: str | os.PathLike[str]) -> EncodedCorpus:
    """Open the folder of an encoded corpus; its integers stay on disk until they are used.

    Args:
        folder: The folder that `hyperskip.encode` wrote. If it is a URL, the corpus is copied to
            this machine, and the copy is removed when it is no longer used.

    Raises:
        StaleCorpusError: The text has changed since it was encoded.
        CorpusError: The folder is not an encoded corpus, or it is damaged.
        NewerFileError: A later version of hyperskip has written it.
    """
    place = checked_folder(folder)
    if not isinstance(place, RemotePath):
        return _opened(place, place)
    with scratch_folder() as copy:  # an open file stays readable after its folder is removed
        download_files(place, sorted(_NAMES), copy)
        return _opened(copy, place)


def open_ranges(folder: RemotePath) -> EncodedCorpus:
    """Open an encoded corpus in remote storage to read parts of it, such as on a cluster's node.

    Vocabulary and sentence starts are copied to this machine. Word ids are read by
    `EncodedCorpus.stretch`, and checked then; `EncodedCorpus.tokens` is empty. Whether the text has
    changed is not checked: another process has opened the corpus with `open_encoded`.

    Raises:
        CorpusError: The folder is not an encoded corpus, or it is damaged.
        NewerFileError: A later version of hyperskip has written it.
    """
    with scratch_folder() as copy:
        download_files(folder, sorted(_NAMES - {TOKENS_NAME}), copy)
        return _opened(copy, folder, by_range=folder)


def _opened(copy: Path, folder: Location, *, by_range: RemotePath | None = None) -> EncodedCorpus:
    """Open the files of an encoded corpus and check them.

    Args:
        copy: The local folder with the files.
        folder: The folder to name in messages.
        by_range: The folder to read word ids from, if they are not in the local folder.
    """
    if not is_encoded(copy):
        raise CorpusError(
            f"there is no encoded corpus in {folder}",
            hint="create one with hyperskip.encode(...) or the command hyperskip encode",
        )
    try:
        header = _read_header(copy, folder)
        vocabulary = _read_vocabulary(copy, header["words"])
        starts = _integers(copy, folder, STARTS_NAME, np.int64, header["sentences"] + 1)
        tokens: Integers[np.int32]
        if by_range is None:
            tokens = _integers(copy, folder, TOKENS_NAME, np.int32, header["tokens"])
            mapped = tokens.mapped
        else:
            tokens = RemoteIntegers(by_range / TOKENS_NAME, np.int32, header["tokens"])
            mapped = np.zeros(0, np.int32)
        corpus = EncodedCorpus(
            TextOptions(**header["options"]),
            vocabulary,
            mapped,
            starts.mapped,
            _record(Pruned, header["pruned"]),
            tuple(map(str, header["given"])),
            tuple(_record(SourceFile, source) for source in header["sources"]),
            tokens,
            starts,
            _record(SourceFile, header["phrase_file"]) if "phrase_file" in header else None,
        )
        if header["checksum"] != checksum_of(header, copy):
            raise ValueError("header or vocabulary does not match its checksum")
        if by_range is None:
            _check_integers(corpus, copy)
            check_fresh(corpus, header["rules"], folder)
    except (CorpusError, NewerFileError):
        raise
    except OSError as error:
        raise CorpusError(
            f"cannot read the encoded corpus {folder}: {reason_of(error)}",
            hint="encode the text again",
        ) from error
    except _DAMAGE as error:
        reason = error.message if isinstance(error, HyperskipError) else error
        raise CorpusError(
            f"the encoded corpus {folder} is damaged: {reason}", hint="encode the text again"
        ) from error
    return corpus


def _read_header(copy: Path, folder: Location) -> dict[str, Any]:
    path = copy / ENCODED_HEADER
    if path.stat().st_size > _LARGEST_HEADER:
        raise ValueError(f"{ENCODED_HEADER} is far too large")
    header = json.loads(path.read_bytes())
    if not isinstance(header, dict) or header.get("format") != _FORMAT:
        raise ValueError(f"{ENCODED_HEADER} is not the header of an encoded corpus")
    check_version(folder, header["format_version"], FORMAT_VERSION)
    if header["byte_order"] != sys.byteorder:
        raise CorpusError(
            f"the encoded corpus {folder} has byte order {header['byte_order']!r}, but this "
            f"machine uses {sys.byteorder!r}",
            hint="encode the text again",
        )
    return header


def _record(kind: type[Record], values: dict[str, Any]) -> Record:
    """Make a dataclass from a part of the header, and check the type of every field."""
    record = kind(**values)
    for field in fields(kind):
        if type(getattr(record, field.name)) is not field.type:
            raise ValueError(f"{field.name} is {getattr(record, field.name)!r}"[:100])
    return record


def _integers(
    copy: Path, folder: Location, name: str, kind: type[Number], length: int
) -> IntegerFile[Number]:
    """Open a file of integers; its size must be what the header states, and not 0."""
    expected = length * np.dtype(kind).itemsize
    size = (copy / name).stat().st_size
    if length < 1 or size != expected:
        raise ValueError(f"{name} has {size} bytes instead of {expected}")
    return IntegerFile(copy / name, kind, folder / name)


def _read_vocabulary(folder: Path, size: int) -> Vocabulary:
    starts = _integers(folder, folder, _WORD_STARTS, np.int64, size + 1).stretch(0, size + 1)
    counts = np.array(_integers(folder, folder, _COUNTS, np.int64, size).stretch(0, size))
    letter_count = int(starts[-1])
    letters = _integers(folder, folder, _LETTERS, np.uint8, letter_count).stretch(0, letter_count)
    if starts[0] != 0 or starts[-1] != len(letters) or (np.diff(starts) < 0).any():
        raise ValueError(f"{_WORD_STARTS} is inconsistent")
    if not _are_distinct(letters, starts) or counts.min() < 1 or (np.diff(counts) > 0).any():
        raise ValueError(f"{_LETTERS} or {_COUNTS} is inconsistent")
    return Vocabulary(letters, starts, counts)


def _are_distinct(letters: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> bool:
    """Whether all words differ; compares hashes first, which take far less memory."""
    size = len(starts) - 1
    hashes = np.fromiter(map(hash, words_of(letters, starts)), np.int64, size)
    hashes.sort()
    return bool((np.diff(hashes) != 0).all()) or len(set(words_of(letters, starts))) == size


def _check_integers(corpus: EncodedCorpus, folder: Path) -> None:
    """Check every id and start: kernels do not, and would read beyond their arrays."""
    size, starts = len(corpus.vocabulary), corpus.sentence_starts
    if starts[0] != 0 or starts[-1] != corpus.token_count:
        raise ValueError(f"{STARTS_NAME} does not match {TOKENS_NAME}")
    if corpus.vocabulary.total != corpus.token_count:
        raise ValueError(f"{_COUNTS} does not match {TOKENS_NAME}")
    with (folder / STARTS_NAME).open("rb") as file:
        last = -1
        for block in numbers_in(file, np.int64):
            if (np.diff(block, prepend=last) < 1).any():
                raise ValueError(f"{STARTS_NAME}: sentence starts are not in order")
            last = int(block[-1])
    found = np.zeros(size, dtype=np.int64)
    with (folder / TOKENS_NAME).open("rb") as file:
        for ids in numbers_in(file, np.int32):
            if ids.min() < 0 or ids.max() >= size:
                raise ValueError(f"{TOKENS_NAME}: a token is not in the vocabulary")
            found += np.bincount(ids, minlength=size)
    if (found != corpus.vocabulary.counts).any():
        raise ValueError(f"{_COUNTS} does not match the words in {TOKENS_NAME}")
