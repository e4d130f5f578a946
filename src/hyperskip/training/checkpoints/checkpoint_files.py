"""Checkpoints: models of unfinished trainings, with everything that it takes to go on exactly.

A checkpoint is a model file, so that every command can look at it, with three things more: the
second layer, where there is one; the position; and the key of the training: its options and
checksums of its text and of the model that it started from. A checksum of all that tells a whole
one from a damaged one.
"""

import contextlib
import errno
import hashlib
import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OutputError, VectorFileError, VectorFileWarning
from hyperskip.files.failures import reason_of
from hyperskip.files.targets import check_writable_folder
from hyperskip.files.writing import remove_partial_files
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.options import CheckpointOptions
from hyperskip.training.run.state import EpochSummary, Position, State, Sums
from hyperskip.training.start.random_positions import Parameters
from hyperskip.vectors import model_file as store
from hyperskip.vectors.word_vectors import WordVectors

_SECTION = "checkpoint"  # of what is known about a model
_CONTEXTS, _TIMES = "contexts", "times"
_NAME = re.compile(r"epoch-(\d{6})-block-(\d{9})\.safetensors")
_OF_THE_TEXT = ("rate", "burn_in_rate", "subsample")
_MARK = "checkpoint-"  # of files that are being written
_LARGEST = 2**63 - 1
_STRETCH = 1 << 20  # tokens to read at a time
_DAMAGE = (KeyError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)

Numbers = TypeVar("Numbers", Sums, EpochSummary)


class Key(NamedTuple):
    """What must be the same for a training to go on."""

    options: dict[str, Any]  # of text and training
    corpus: str  # a checksum
    start: str | None  # a checksum of the model that training started from

    def differences(self, other: "Key") -> list[str]:
        """In words, all that this one has otherwise than the other, which was there before."""
        found = []
        for name in sorted(self.options.keys() | other.options.keys()):
            ours, theirs = self.options.get(name), other.options.get(name)
            follows = name in _OF_THE_TEXT and self.corpus != other.corpus  # perhaps from the text
            if ours != theirs and not follows:
                flag = name.replace("_", "-")
                found.append(f"{flag} is {ours!r}, and the training was begun with {theirs!r}")
        if self.corpus != other.corpus:
            found.append("the text is not the one that the training was begun with")
        if self.start != other.start:
            found.append("the model to start from is not the one that the training was begun with")
        return found


@dataclass(frozen=True)
class Checkpoint:
    """An unfinished training."""

    path: Path
    key: Key
    vectors: WordVectors
    contexts: npt.NDArray[np.float32] | None
    times: npt.NDArray[np.float32]
    theta: float
    position: Position

    def state_for(self, words: tuple[str, ...]) -> State:
        """The state of a training of these words; the model may have more."""
        rows = [self.vectors.index_of(word) for word in words]
        centers = self.vectors.coordinates[rows]
        layers = (centers,) if self.contexts is None else (centers, self.contexts)
        shape = len(layers), len(words), self.vectors.factors
        if layers[-1].shape != centers.shape or self.times.shape not in (shape, shape[:2]):
            raise VectorFileError(
                f"{self.path} is damaged: its layers do not go together", hint="remove it"
            )
        times = self.times.reshape(shape)  # an older file has no axis for factors
        return State(self.position, Parameters(centers, self.contexts, self.theta, times))


def corpus_checksum(corpus: EncodedCorpus) -> str:
    """Of all that training sees of a text."""
    checksum = hashlib.sha256(np.ascontiguousarray(corpus.vocabulary.counts).data)
    for begin in range(0, len(corpus.tokens), _STRETCH):
        end = min(begin + _STRETCH, len(corpus.tokens))
        checksum.update(corpus.starts_within(begin, end).data)
        checksum.update(corpus.stretch(begin, end).data)
    checksum.update("\n".join(corpus.vocabulary.words).encode("utf-8", "surrogatepass"))
    return checksum.hexdigest()


def vectors_checksum(vectors: WordVectors) -> str:
    """Of words and where they are."""
    checksum = hashlib.sha256(np.ascontiguousarray(vectors.coordinates).data)
    checksum.update("\n".join(vectors.words).encode("utf-8", "surrogatepass"))
    return checksum.hexdigest()


def save(path: Path, key: Key, vectors: WordVectors, state: State) -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        path: The file.
        key: Of the training.
        vectors: The model so far.
        state: It is from, whose centers are among the vectors.

    Raises:
        OutputError: It cannot be written.
    """
    tensors, about = store.parts(vectors)
    assert state.parameters.times is not None  # of a training that runs
    tensors[_TIMES] = np.ascontiguousarray(state.parameters.times, dtype=np.float32)
    if state.parameters.contexts is not None:
        tensors[_CONTEXTS] = np.ascontiguousarray(state.parameters.contexts, dtype=np.float32)
    section = {
        "key": key._asdict(),
        "theta": state.parameters.theta,
        "epoch": state.position.epoch,
        "block": state.position.block,
        "sums": asdict(state.position.sums),
        "history": [asdict(summary) for summary in state.position.history],
    }
    about[_SECTION] = section
    about["checksum"] = checksum_of(tensors, about)
    store.write(path, tensors, about, mark=_MARK)


def load(path: Path) -> Checkpoint:
    """Read a checkpoint into memory.

    Raises:
        VectorFileError: It is missing, damaged, or not a checkpoint.
        NewerFileError: A later version of hyperskip has written it.
    """
    vectors, tensors, about = store.read(path)
    try:
        if _SECTION not in about:
            raise ValueError("it has no place in a training")
        section = about[_SECTION]
        if about["checksum"] != checksum_of(tensors, about):
            raise ValueError("it does not have its checksum")
        contexts = tensors.get(_CONTEXTS)
        return Checkpoint(
            path,
            _key(**section["key"]),
            vectors,
            None if contexts is None else np.asarray(contexts, dtype=np.float32),
            np.asarray(tensors[_TIMES], dtype=np.float32),
            float(section["theta"]),
            Position(
                epoch=_natural(section["epoch"]),
                block=_natural(section["block"]),
                sums=_filled(Sums, section["sums"]),
                history=tuple(_filled(EpochSummary, summary) for summary in section["history"]),
            ),
        )
    except _DAMAGE as error:
        raise VectorFileError(
            f"{path} is damaged, or not a checkpoint: {error}",
            hint="train again, or go on from another one",
        ) from error


def _key(options: Any, corpus: Any, start: Any) -> Key:
    return Key(dict(options), str(corpus), None if start is None else str(start))


def _natural(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value <= _LARGEST:
        raise ValueError(f"{value!r} is no place in a training")
    return value


def checksum_of(tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> str:
    """Of all that a checkpoint holds, but for the checksum itself."""
    summed = {name: value for name, value in about.items() if name != "checksum"}
    checksum = hashlib.sha256(json.dumps(summed, sort_keys=True).encode())
    for name in sorted(tensors):
        checksum.update(f"{name} {tensors[name].dtype} {tensors[name].shape}".encode())
        checksum.update(np.ascontiguousarray(tensors[name]).data)
    return checksum.hexdigest()


def _filled(kind: type[Numbers], values: Mapping[str, Any]) -> Numbers:
    """A dataclass of numbers, each of the type that it should have."""
    types = get_type_hints(kind)
    numbers = {name: types[name](values[name]) for name in types}
    if any(isinstance(number, int) and abs(number) > _LARGEST for number in numbers.values()):
        raise ValueError("a number is far too large")
    return kind(**numbers)


def _check_readable(path: Path) -> None:
    try:
        path.open("rb").close()
    except OSError as error:
        raise VectorFileError(
            f"cannot read the checkpoint {path}: {reason_of(error)}",
            hint="make it readable, or begin anew with --restart",
        ) from error


class CheckpointFolder:
    """The checkpoints of one training, in a folder of their own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def files(self) -> list[Path]:
        """Newest first."""
        try:
            named = (path for path in self.path.iterdir() if _NAME.fullmatch(path.name))
            return sorted((path for path in named if path.is_file()), reverse=True)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # a name that no folder has
                return []
            raise OutputError(
                f"cannot look into the folder {self.path}: {reason_of(error)}",
                hint="choose another name for the output",
            ) from error

    def has(self, path: Path) -> bool:
        """Whether this is one of them."""
        return any(path.exists() and path.samefile(own) for own in self.files())

    def newest(self) -> Checkpoint | None:
        """The newest that is whole; what is damaged is skipped with a warning.

        Raises:
            VectorFileError: One cannot be read: it may be whole.
            NewerFileError: A later version of hyperskip has written one.
        """
        for path in self.files():
            _check_readable(path)
            try:
                return load(path)
            except VectorFileError as error:
                if isinstance(error.__cause__, OSError):  # of the disk: the file may be whole
                    raise
                warnings.warn(
                    f"a checkpoint is skipped: {error.message}", VectorFileWarning, stacklevel=2
                )
        return None

    def check(self, options: CheckpointOptions) -> None:
        """Find out early that a training would run over what another one left, or cannot be kept.

        Raises:
            OutputError: Something is there, and neither resume nor restart was asked for; or it is
                no place for a folder.
        """
        if options.checkpoint_minutes > 0:
            check_writable_folder(self.path)
        if self.files() and not (options.resume or options.restart):
            raise OutputError(
                f"{self.path} has checkpoints of another training, which was perhaps not finished",
                hint="pass --resume to go on with it, or --restart to begin anew, which removes "
                "them; or choose another name for the output",
            )

    def save(self, key: Key, vectors: WordVectors, state: State, last: Path | None) -> Path:
        """Write a checkpoint, then remove all others but the last one, as this may get damaged.

        Raises:
            OutputError: It cannot be written; then nothing is removed.
        """
        position = state.position
        path = self.path / f"epoch-{position.epoch:06d}-block-{position.block:09d}.safetensors"
        try:
            self.path.mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(
                f"cannot make the folder {self.path}: {reason_of(error)}",
                hint="choose another name for the output",
            ) from error
        save(path, key, vectors, state)
        remove_partial_files(self.path, _MARK)
        for other in self.files():
            if other not in (path, last):
                with contextlib.suppress(OSError):
                    other.unlink()
        return path

    def discard(self) -> None:
        """Remove all checkpoints, and the folder if nothing else is in it."""
        for path in self.files():
            with contextlib.suppress(OSError):
                path.unlink()
        remove_partial_files(self.path, _MARK)
        with contextlib.suppress(OSError):
            self.path.rmdir()
