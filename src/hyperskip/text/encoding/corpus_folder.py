"""An encoded corpus that is kept: a folder that training opens in no time, as often as it likes.

It holds a JSON header and raw arrays, nothing that could run. The header says from which files, of
which sizes and times, and with which options it was made, so that a stale one is never used.
"""

import hashlib
import json
import os
import sys
import unicodedata
from collections.abc import Container, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import (
    CorpusError,
    HyperskipError,
    NewerFileError,
    OptionError,
    OutputError,
    StaleCorpusError,
)
from hyperskip.files.failures import reason_of
from hyperskip.files.format_version import check_version
from hyperskip.files.known_folders import ENCODED_HEADER, is_encoded
from hyperskip.files.locks import only_writer
from hyperskip.files.targets import check_writable_folder
from hyperskip.files.writing import replacing_folder
from hyperskip.options import Declaration, Range, declarations
from hyperskip.text.encoding import encoded_corpus as encoded
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus, Report
from hyperskip.text.encoding.first_pass import (
    STARTS_NAME,
    TOKENS_NAME,
    Pruned,
    numbers_in,
    writing_to,
)
from hyperskip.text.encoding.integers import IntegerFile, Number
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import Corpus
from hyperskip.text.reading.sources import SourceFile, expand
from hyperskip.text.words.scan import words_of
from hyperskip.text.words.tokens import RULES_VERSION
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.version import VERSION

Record = TypeVar("Record", SourceFile, Pruned)

FORMAT_VERSION = 1

_FORMAT = "hyperskip encoded corpus"
_LETTERS, _WORD_STARTS, _COUNTS = "words.utf8", "word-starts.i64", "word-counts.i64"
_NAMES = {ENCODED_HEADER, TOKENS_NAME, STARTS_NAME, _LETTERS, _WORD_STARTS, _COUNTS}
_THREADS = Declaration(kind=int, help="", limits=Range(at_least=0, at_most=1024))
_LARGEST_HEADER = 1 << 28
# What parts that are missing, of another kind, or do not go together lead to.
_DAMAGE = (KeyError, ValueError, TypeError, AttributeError, RecursionError, HyperskipError)


def encode(
    corpus: Corpus,
    folder: str | os.PathLike[str],
    *,
    force: bool = False,
    threads: int = 0,
    report: Report | None = None,
    **options: Any,
) -> EncodedCorpus:
    """Read and tokenize a corpus, and keep it as integers in a folder that `train` takes.

    Args:
        corpus: A path, folder or glob; several pathlib.Path; or an iterable of documents, each a
            string or a list of tokens.
        folder: Where to keep it; it is made, whole or not at all.
        force: Replace an encoded corpus that is there already.
        threads: How many tokenize; 0 takes every core. The result does not depend on it.
        report: Called with the progress, from the calling thread.
        **options: Fields of `TextOptions`.

    Raises:
        OptionError: An option is unknown or outside its range; nothing has been read then.
        CorpusError: The text is missing, unreadable or too small.
        OutputError: The folder cannot be written, or is there already, or another process is
            writing it.
    """
    text_options = TextOptions.of(options)
    threads = _THREADS.checked("threads", threads)
    target = Path(folder)
    with only_writer(target):
        check_target(target, force=force)
        with replacing_folder(target) as temporary:
            made = encoded.encode(corpus, text_options, temporary, report, threads=threads)
            with writing_to(temporary):
                _complete(made, temporary)
            del made  # its vocabulary: the one that is opened is enough
        return open_encoded(target)


def check_target(folder: Path, *, force: bool) -> None:
    """Find out that an encoded corpus cannot be kept there before any work is done for it.

    Raises:
        OutputError: Something else is there, also beside an encoded corpus, or an encoded corpus
            without `force`, or the place cannot be written to.
    """
    check_writable_folder(folder)
    if is_encoded(folder):
        if not force:
            raise OutputError(
                f"there is an encoded corpus in {folder} already",
                hint="pass --force (in Python: force=True) to replace it",
            )
        for path in sorted(folder.iterdir()):
            if path.name not in _NAMES:
                raise OutputError(
                    f"{path} is no part of the encoded corpus there, and would be lost with it",
                    hint="move it elsewhere, or choose a name that nothing has",
                )
    elif folder.is_dir() and any(folder.iterdir()):
        raise OutputError(
            f"the folder {folder} is there, and it is not an encoded corpus",
            hint="choose a name that nothing has",
        )


def _complete(corpus: EncodedCorpus, folder: Path) -> None:
    """Put vocabulary and header beside the integers."""
    vocabulary = corpus.vocabulary
    (folder / _LETTERS).write_bytes(vocabulary.letters.data)
    (folder / _WORD_STARTS).write_bytes(vocabulary.starts.data)
    (folder / _COUNTS).write_bytes(np.ascontiguousarray(vocabulary.counts).data)
    about = {
        "format": _FORMAT,
        "format_version": FORMAT_VERSION,
        "hyperskip_version": VERSION,
        "byte_order": sys.byteorder,
        "rules": _rules(),
        "options": corpus.options.as_dict(),
        "given": list(corpus.given),
        "sources": [asdict(source) for source in corpus.sources],
        "pruned": asdict(corpus.pruned),
        "words": len(corpus.vocabulary),
        "tokens": len(corpus.tokens),
        "sentences": len(corpus.sentence_starts) - 1,
    }
    about["checksum"] = checksum_of(about, folder)
    (folder / ENCODED_HEADER).write_text(json.dumps(about, indent=1), encoding="utf-8")


def _rules() -> dict[str, Any]:
    return {"version": RULES_VERSION, "unicode": unicodedata.unidata_version}


def checksum_of(about: Mapping[str, Any], folder: Path) -> str:
    """Of the header and the vocabulary: what is small, and what everything depends on."""
    summed = {name: value for name, value in about.items() if name != "checksum"}
    checksum = hashlib.sha256(json.dumps(summed, sort_keys=True).encode())
    for name in (_LETTERS, _WORD_STARTS, _COUNTS):
        with (folder / name).open("rb") as file:
            checksum.update(hashlib.file_digest(file, "sha256").digest())
    return checksum.hexdigest()


def open_encoded(folder: str | os.PathLike[str]) -> EncodedCorpus:
    """Open an encoded corpus; its integers stay on disk until they are used.

    Raises:
        StaleCorpusError: The text that it was made from has changed.
        CorpusError: There is none, or it is damaged.
        NewerFileError: A later version of hyperskip has written it.
    """
    folder = Path(folder)
    if not is_encoded(folder):
        raise CorpusError(
            f"there is no encoded corpus in {folder}",
            hint="make one by: hyperskip encode TEXT --output FOLDER",
        )
    try:
        about = _header(folder)
        vocabulary = _vocabulary(folder, about["words"])
        tokens = _integers(folder / TOKENS_NAME, np.int32, about["tokens"])
        starts = _integers(folder / STARTS_NAME, np.int64, about["sentences"] + 1)
        corpus = EncodedCorpus(
            TextOptions(**about["options"]),
            vocabulary,
            tokens.mapped,
            starts.mapped,
            _record(Pruned, about["pruned"]),
            tuple(map(str, about["given"])),
            tuple(_record(SourceFile, source) for source in about["sources"]),
            tokens,
            starts,
        )
        if about["checksum"] != checksum_of(about, folder):
            raise ValueError("header or vocabulary do not have their checksum")
        _check_integers(corpus, folder)
        _check_fresh(corpus, about["rules"], folder)
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


def _record(kind: type[Record], values: dict[str, Any]) -> Record:
    """A part of the header as what it is kept as, every field of its type."""
    record = kind(**values)
    for field in fields(kind):
        if type(getattr(record, field.name)) is not field.type:
            raise ValueError(f"{field.name} is {getattr(record, field.name)!r}"[:100])
    return record


def _header(folder: Path) -> dict[str, Any]:
    path = folder / ENCODED_HEADER
    if path.stat().st_size > _LARGEST_HEADER:
        raise ValueError(f"{ENCODED_HEADER} is far too large")
    about = json.loads(path.read_bytes())
    if not isinstance(about, dict) or about.get("format") != _FORMAT:
        raise ValueError(f"{ENCODED_HEADER} is not the header of an encoded corpus")
    check_version(folder, about["format_version"], FORMAT_VERSION)
    if about["byte_order"] != sys.byteorder:
        raise CorpusError(
            f"the encoded corpus {folder} has byte order {about['byte_order']!r}, and this machine "
            f"reads {sys.byteorder!r}",
            hint="encode the text again",
        )
    return about


def _integers(path: Path, kind: type[Number], length: int) -> IntegerFile[Number]:
    """A file that has as many numbers as the header says, and at least one."""
    expected = length * np.dtype(kind).itemsize
    size = path.stat().st_size
    if length < 1 or size != expected:
        raise ValueError(f"{path.name} has {size} bytes, and should have {expected}")
    return IntegerFile(path, kind)


def _vocabulary(folder: Path, size: int) -> Vocabulary:
    starts = _integers(folder / _WORD_STARTS, np.int64, size + 1).stretch(0, size + 1)
    counts = np.array(_integers(folder / _COUNTS, np.int64, size).stretch(0, size))
    letter_count = int(starts[-1])
    letters = _integers(folder / _LETTERS, np.uint8, letter_count).stretch(0, letter_count)
    if starts[0] != 0 or starts[-1] != len(letters) or (np.diff(starts) < 0).any():
        raise ValueError(f"{_WORD_STARTS} is inconsistent")
    if not _differ(letters, starts) or counts.min() < 1 or (np.diff(counts) > 0).any():
        raise ValueError(f"{_LETTERS} or {_COUNTS} is inconsistent")
    return Vocabulary(letters, starts, counts)


def _differ(letters: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> bool:
    """Whether no two words are the same; first by their hashes, which take far less memory."""
    size = len(starts) - 1
    hashes = np.fromiter(map(hash, words_of(letters, starts)), np.int64, size)
    hashes.sort()
    return bool((np.diff(hashes) != 0).all()) or len(set(words_of(letters, starts))) == size


def _check_integers(corpus: EncodedCorpus, folder: Path) -> None:
    """Kernels trust ids and starts, and would read beyond their arrays where those are wrong."""
    size, starts = len(corpus.vocabulary), corpus.sentence_starts
    if starts[0] != 0 or starts[-1] != len(corpus.tokens):
        raise ValueError(f"{STARTS_NAME} does not match {TOKENS_NAME}")
    if corpus.vocabulary.total != len(corpus.tokens):
        raise ValueError(f"{_COUNTS} does not match {TOKENS_NAME}")
    with (folder / STARTS_NAME).open("rb") as file:
        last = -1
        for block in numbers_in(file, np.int64):
            if (np.diff(block, prepend=last) < 1).any():
                raise ValueError(f"{STARTS_NAME}: sentences do not follow one another")
            last = int(block[-1])
    found = np.zeros(size, dtype=np.int64)
    with (folder / TOKENS_NAME).open("rb") as file:
        for ids in numbers_in(file, np.int32):
            if ids.min() < 0 or ids.max() >= size:
                raise ValueError(f"{TOKENS_NAME}: a token is not in the vocabulary")
            found += np.bincount(ids, minlength=size)
    if (found != corpus.vocabulary.counts).any():
        raise ValueError(f"{_COUNTS}: words do not occur as often as they were counted")


def _check_fresh(corpus: EncodedCorpus, rules: object, folder: Path) -> None:
    """Sources that are gone, all of them, are fine; else they must be what they were, and all."""
    there = [source for source in corpus.sources if Path(source.path).is_file()]
    if there and len(there) < len(corpus.sources):
        gone = next(source for source in corpus.sources if source not in there)
        raise StaleCorpusError(
            f"{gone.path} is gone since it was encoded in {folder}, and other sources are not",
            hint="encode what is there again, with --force; or put the file back",
        )
    for source in there:
        status = Path(source.path).stat()
        if (status.st_size, status.st_mtime_ns) != (source.size, source.modified_ns):
            raise StaleCorpusError(
                f"{source.path} has changed (its size or date) since it was encoded in {folder}",
                hint="encode it again, with --force",
            )
    if not there:
        return  # nor does anybody walk through the folders that a stranger's header names
    known = {source.path for source in corpus.sources}
    for given in corpus.given:
        for path in _files_now(given):
            if str(path.absolute()) not in known:
                raise StaleCorpusError(
                    f"{path} was not there when {given} was encoded in {folder}",
                    hint="encode it again, with --force; or move the file away, if it is no text",
                )
    if rules != _rules():
        raise StaleCorpusError(
            f"the rules of tokenizing, or Unicode, have changed since {folder} was encoded "
            f"({rules}, and now {_rules()})",
            hint="encode it again, with --force",
        )


def _files_now(given: str) -> list[Path]:
    """The files that a folder or glob stands for today; none if it is gone."""
    try:
        return [path for path in expand([given]) if path is not None and path.is_file()]
    except CorpusError:
        return []


def kept_corpus(corpus: object) -> EncodedCorpus | None:
    """The encoded corpus, if that is what was given: itself, its folder, or a list of that."""
    if isinstance(corpus, EncodedCorpus):
        return corpus
    if isinstance(corpus, list | tuple) and len(corpus) == 1 and isinstance(corpus[0], os.PathLike):
        return kept_corpus(corpus[0])
    if isinstance(corpus, str | os.PathLike) and is_encoded(Path(corpus)):
        return open_encoded(corpus)
    return None


def check_same_options(corpus: EncodedCorpus, asked: TextOptions, chosen: Container[str]) -> None:
    """Refuse options of reading that were chosen, by name, and that it was not encoded with.

    Raises:
        OptionError: One differs.
    """
    for name in declarations(TextOptions):
        value, was = getattr(asked, name), getattr(corpus.options, name)
        if name in chosen and value != was:
            flag = name.replace("_", "-")
            raise OptionError(
                f"{flag} is {value!r}, and the corpus was encoded with {was!r}",
                hint=f"encode the text again with --{flag} {value}"
                + ("" if was is None else f", or pass --{flag} {was}")
                + " (a preset may have chosen it)",
            )
