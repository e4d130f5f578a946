"""Checkpoint files: the model of an unfinished training, and all that is needed to resume it.

A checkpoint is a model file, so that every command can read it. In addition it holds the second
layer and the state of the optimizer (if there are any), the position in the training, and the key
of the training: its options, and checksums of its text and of its initial model. A checksum of the
file itself detects damage.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

from hyperskip.errors import VectorFileError
from hyperskip.files.targets import is_same_path
from hyperskip.options import declarations
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.options import TrainingOptions, with_current_options
from hyperskip.training.parameters import Parameters
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.run.state import EpochSummary, Position, State, Sums
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import TrainingText
from hyperskip.vectors import model_file
from hyperskip.vectors.checksums import vectors_checksum
from hyperskip.vectors.word_vectors import WordVectors

PARTIAL_MARK = "checkpoint-"  # in the names of files that are being written
RESUMING_PAGE = "training.html#stop-and-resume"

_SECTION = "checkpoint"  # of the metadata of the file
_CONTEXTS, _TIMES, _MOMENTS = "contexts", "times", "moments"
# Their defaults depend on the text.
_FROM_TEXT = {"rate", "burn_in_rate", "distance_decay", "subsample", "theta"}
_PHRASE_FILE = "phrase_file"
_METHOD = "method"  # of trainings of graphs
_OF_GRAPHS = "edge_count"  # stored by trainings of graphs only
_FROM_GRAPH = {
    *(_OF_GRAPHS, *_FROM_TEXT, "batch", "curvature", "epochs", "first_ceiling", "max_radius"),
    "negatives",
}
_FROM_DIMENSION = {  # on the dimension
    *("curvature", "first_ceiling", "initial_deviation", "max_radius", "negatives", "theta"),
}
_FROM_SUBWORDS = {"subword_min", "subword_max", "buckets", "bucket_hashes"}  # without them, None
_LARGEST = 2**63 - 1
_DAMAGE = (KeyError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)

Numbers = TypeVar("Numbers", Sums, EpochSummary)


class Key(NamedTuple):
    """What must be equal for a training to be resumed."""

    options: dict[str, Any]  # of text and training
    corpus: str  # a checksum
    start: str | None  # a checksum of the initial model

    @classmethod
    def of(cls, corpus: TrainingText, plan: Plan, model: WordVectors | None) -> "Key":
        """The key of a training on this text; `model` is the initial model."""
        return cls(
            corpus.options.as_dict() | plan.as_options(with_threads=False),
            corpus.checksum(),
            None if model is None else vectors_checksum(model),
        )

    def differences(self, stored: "Key") -> list[str]:
        """Describe each difference from the key that is stored in a checkpoint."""
        if self.options.get("distance_decay") is not None and not (
            stored.options.keys() & {"distance_decay", _METHOD}
        ):
            return [
                "the training was started by an earlier version, whose deterministic training had "
                "other blocks"
            ]
        names = self.options.keys() | stored.options.keys()
        if self.options.get(_METHOD) != stored.options.get(_METHOD):
            names = {_METHOD}  # each method has its own options
        differing = {name for name in names if self.options.get(name) != stored.options.get(name)}
        is_other_text = self.corpus != stored.corpus
        ours, theirs = self.options.get(_PHRASE_FILE), stored.options.get(_PHRASE_FILE)
        # The checksum of a text depends on the phrases that were joined in it.
        if ours and theirs and (not is_other_text or is_same_path(str(ours), str(theirs))):
            differing.discard(_PHRASE_FILE)
        is_graph = _OF_GRAPHS in names
        following: set[str] = set()
        if is_other_text:
            following |= _FROM_GRAPH if is_graph else _FROM_TEXT
        if "dimension" in differing:
            following |= _FROM_DIMENSION
        if "subwords" in differing:
            following |= _FROM_SUBWORDS
        found = [
            _difference(name, self.options.get(name), stored.options.get(name))
            for name in sorted(differing - following)
        ]
        learning = declarations(TrainingOptions).keys() | declarations(RankingOptions).keys()
        if is_other_text and not differing - following - learning:  # how it was read
            noun = "graph" if is_graph else "text"
            found.append(f"the {noun} is not the same as when the training started")
        if self.start != stored.start:
            found.append("the initial model is not the same as when the training started")
        return found


def _difference(name: str, now: object, before: object) -> str:
    if now is None:
        return f"`{name}` is not given, but was {before!r} when the training started"
    was = "not given" if before is None else repr(before)
    return f"`{name}` is {now!r}, but was {was} when the training started"


@dataclass(frozen=True)
class Checkpoint:
    """The content of a checkpoint file."""

    path: Path
    key: Key
    vectors: WordVectors
    contexts: npt.NDArray[np.float32] | None
    times: npt.NDArray[np.float32]
    theta: float
    position: Position
    moments: npt.NDArray[np.float32] | None = None

    def state_for(self, words: tuple[str, ...], index: NgramIndex | None = None) -> State:
        """The state of a training of these words and n-grams; the model may have others too."""
        rows = self.vectors.rows_of(words)
        centers = self.vectors.coordinates[rows]
        layers = (centers,) if self.contexts is None else (centers, self.contexts)
        shape = len(layers), len(words), self.vectors.factors
        if (
            layers[-1].shape != centers.shape
            or self.times.shape not in (shape, shape[:2])
            or (self.moments is not None and self.moments.shape[:-1] != (len(words),))
        ):
            raise VectorFileError(
                f"{self.path} is damaged: its layers differ in shape",
                hint="remove it",
                page=RESUMING_PAGE,
            )
        times = self.times.reshape(shape)  # older files have no axis for factors
        parameters = Parameters(
            *(centers, self.contexts, self.theta, times, self.moments), self._ngrams(index)
        )
        return State(self.position, parameters)

    def _ngrams(self, index: NgramIndex | None) -> npt.NDArray[np.float32] | None:
        if index is None:
            return None
        table = self.vectors.subwords
        if table is None or not np.isin(index.buckets, table.buckets).all():
            raise VectorFileError(
                f"{self.path} is damaged: it has other n-grams than its words",
                hint="remove it",
                page=RESUMING_PAGE,
            )
        return table.coordinates[np.searchsorted(table.buckets, np.sort(index.buckets))]


def save(path: Path, key: Key, vectors: WordVectors, state: State) -> None:
    """Write a checkpoint; the file appears complete or not at all.

    Args:
        path: The file.
        key: The key of the training.
        vectors: The model so far.
        state: The state of the training; its centers are rows of `vectors`.

    Raises:
        OutputError: It cannot be written.
    """
    tensors, about = model_file.parts(vectors)
    tensors[_TIMES] = np.ascontiguousarray(state.parameters.times, dtype=np.float32)
    if state.parameters.contexts is not None:
        tensors[_CONTEXTS] = np.ascontiguousarray(state.parameters.contexts, dtype=np.float32)
    if state.parameters.moments is not None:
        tensors[_MOMENTS] = np.ascontiguousarray(state.parameters.moments, dtype=np.float32)
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
    model_file.write(path, tensors, about, mark=PARTIAL_MARK)


def load(path: Path) -> Checkpoint:
    """Read a checkpoint into memory.

    Raises:
        VectorFileError: It is missing, damaged, or not a checkpoint.
        NewerFileError: A later version of hyperskip has written it.
    """
    vectors, tensors, about = model_file.read(path)
    try:
        if _SECTION not in about:
            raise ValueError("it is a model without a training position")
        section = about[_SECTION]
        if about["checksum"] != checksum_of(tensors, about):
            raise ValueError("the checksum does not match")
        contexts, moments = (
            None if name not in tensors else np.asarray(tensors[name], dtype=np.float32)
            for name in (_CONTEXTS, _MOMENTS)
        )
        return Checkpoint(
            path,
            _key(**section["key"]),
            vectors,
            contexts,
            np.asarray(tensors[_TIMES], dtype=np.float32),
            float(section["theta"]),
            Position(
                epoch=_natural(section["epoch"]),
                block=_natural(section["block"]),
                sums=_filled(Sums, section["sums"]),
                history=tuple(_filled(EpochSummary, summary) for summary in section["history"]),
            ),
            moments,
        )
    except _DAMAGE as error:
        raise VectorFileError(
            f"{path} is damaged, or not a checkpoint: {error}",
            hint="resume from another checkpoint, or train again",
            page=RESUMING_PAGE,
        ) from error


def _key(options: Any, corpus: Any, start: Any) -> Key:
    return Key(
        with_current_options(dict(options)), str(corpus), None if start is None else str(start)
    )


def _natural(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value <= _LARGEST:
        raise ValueError(f"{value!r} is not a position in a training")
    return value


def checksum_of(tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> str:
    """Checksum of a checkpoint, except for the checksum itself."""
    summed = {name: value for name, value in about.items() if name != "checksum"}
    checksum = hashlib.sha256(json.dumps(summed, sort_keys=True).encode())
    for name in sorted(tensors):
        checksum.update(f"{name} {tensors[name].dtype} {tensors[name].shape}".encode())
        checksum.update(np.ascontiguousarray(tensors[name]).data)
    return checksum.hexdigest()


def _filled(kind: type[Numbers], values: Mapping[str, Any]) -> Numbers:
    """A dataclass of numbers, each converted to its declared type."""
    types = get_type_hints(kind)
    numbers = {name: types[name](values[name]) for name in types}
    if any(isinstance(number, int) and abs(number) > _LARGEST for number in numbers.values()):
        raise ValueError("a number is too large")
    return kind(**numbers)
