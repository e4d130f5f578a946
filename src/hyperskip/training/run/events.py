"""What training reports on its way."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hyperskip.text.encoding.events import EncodingEvent as EncodingProgress
from hyperskip.training.run.state import EpochSummary


@dataclass(frozen=True)
class OnDevice:
    """Progress: where training runs."""

    name: str  # of the device
    reason: str | None  # why it is not the GPU, where that was left open


@dataclass(frozen=True)
class Compiling:
    """Progress: kernels are being compiled, or taken from the cache on disk."""


@dataclass(frozen=True)
class Resuming:
    """Progress: training goes on from a checkpoint, or from the beginning if there is none."""

    checkpoint: Path | None
    epoch: int  # from 1
    epochs: int
    tokens: int  # trained before, over all epochs


@dataclass(frozen=True)
class TrainingProgress:
    """Progress: how far training is, over all epochs."""

    epoch: int  # from 1; burn-in epochs are counted too
    epochs: int
    tokens: int
    tokens_total: int
    rate: float
    loss: float  # mean over the pairs of this epoch so far; NaN before the first
    seconds: float
    words_per_second: float  # since this program began to train


@dataclass(frozen=True)
class Interrupted:
    """Progress: training was told to stop, and finishes the blocks in hand for a checkpoint."""


@dataclass(frozen=True)
class Stopped:
    """Progress: training stops here, and a checkpoint is kept to go on from."""

    checkpoint: Path
    epoch: int  # from 1
    epochs: int


Progress = (
    EncodingProgress
    | OnDevice
    | Compiling
    | Resuming
    | TrainingProgress
    | EpochSummary
    | Interrupted
    | Stopped
)
Report = Callable[[Progress], None]
