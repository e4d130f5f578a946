"""Progress events that training reports."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hyperskip.text.encoding.encoding_events import EncodingEvent
from hyperskip.text.relations.relation_events import RelationEvent
from hyperskip.training.run.state import EpochSummary

if TYPE_CHECKING:
    from hyperskip.graphs.closure import GraphSummary  # imports SciPy


@dataclass(frozen=True)
class GraphRead:
    """The graph was read."""

    summary: "GraphSummary"  # with the held-out edges
    counted: str  # what progress counts: edge, or node (of walks)
    tokens: float  # of each of them, on average
    held_out: int = 0  # edges


@dataclass(frozen=True)
class OnDevice:
    """The device was chosen."""

    name: str  # of the device
    reason: str | None  # why it is not the GPU, if the choice was automatic


@dataclass(frozen=True)
class OnCluster:
    """The nodes of a cluster, and the device that all of them use, were chosen."""

    nodes: tuple[str, ...]  # their names
    device: str  # cpu or cuda
    address: str  # of the cluster
    is_started_here: bool  # for this training


@dataclass(frozen=True)
class SubwordsFound:
    """The words were divided into n-grams."""

    words: int
    ngrams: int  # vectors; several n-grams may share one
    bytes: int  # of memory at most, in addition to that of words


@dataclass(frozen=True)
class Compiling:
    """Kernels are being compiled, or loaded from the cache on disk."""


@dataclass(frozen=True)
class Resuming:
    """Training resumes from a checkpoint, or starts from the beginning if there is none."""

    checkpoint: Path | None
    epoch: int  # from 1
    epochs: int
    tokens: int  # trained so far, over all epochs


@dataclass(frozen=True)
class NodeProgress:
    """What a node of a cluster does."""

    name: str
    words_per_second: float  # while it trains, without merges


@dataclass(frozen=True)
class ClusterProgress:
    """The nodes of a cluster, and how they exchange what they learn."""

    nodes: tuple[NodeProgress, ...]
    seconds_since_merge: float | None  # None before the first merge
    merge_share: float  # of the time so far that nodes spent on merges
    bytes_sent: int  # between nodes, since training started or resumed


@dataclass(frozen=True)
class NodeLost:
    """A node of the cluster ended or is too slow; the others repeat its work."""

    name: str
    reason: str


@dataclass(frozen=True)
class NodeRefused:
    """A node of the cluster cannot take part in the training, and has not trained so far."""

    name: str
    reason: str


@dataclass(frozen=True)
class NodeJoined:
    """A node joined the cluster and takes part in the training."""

    name: str


@dataclass(frozen=True)
class TrainingProgress:
    """Training has advanced."""

    epoch: int  # from 1, including burn-in epochs
    epochs: int
    tokens: int
    tokens_total: int
    rate: float
    loss: float  # mean over the pairs of this epoch so far; NaN before the first
    seconds: float
    words_per_second: float  # since training started or resumed
    cluster: ClusterProgress | None = None  # None in a training of one process


@dataclass(frozen=True)
class HierarchyAdded:
    """Words were placed in a hierarchy."""

    known: int  # words with relations
    words: int
    seconds: float


@dataclass(frozen=True)
class Interrupted:
    """The user interrupted; training finishes the current blocks and writes a checkpoint."""


@dataclass(frozen=True)
class Stopped:
    """Training was interrupted and can be resumed from a checkpoint."""

    checkpoint: Path
    epoch: int  # from 1
    epochs: int


Progress = (
    EncodingEvent
    | RelationEvent
    | GraphRead
    | OnDevice
    | OnCluster
    | SubwordsFound
    | Compiling
    | NodeJoined
    | NodeLost
    | NodeRefused
    | Resuming
    | TrainingProgress
    | EpochSummary
    | HierarchyAdded
    | Interrupted
    | Stopped
)
Report = Callable[[Progress], None]
