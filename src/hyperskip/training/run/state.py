"""The state of a training, complete enough to resume exactly.

Random numbers need no state: those of a block follow from seed, epoch and block.
"""

from dataclasses import dataclass, field, replace

from hyperskip.training.backend import Outcome
from hyperskip.training.blocks import Block
from hyperskip.training.parameters import InitialParameters, Parameters


@dataclass(frozen=True)
class EpochSummary:
    """The result of an epoch; stored in the history of the vectors."""

    epoch: int  # from 1, including burn-in epochs
    burn_in: bool
    loss: float  # mean negative log-likelihood of a pair with its negative samples
    pairs: int
    skipped: int  # pairs skipped because a word was locked
    seconds: float
    theta: float


@dataclass(frozen=True)
class Sums:
    """Sums over the blocks of an epoch so far."""

    tokens: int = 0
    pairs: int = 0
    loss: float = 0.0
    skipped: int = 0
    seconds: float = 0.0

    def with_block(self, block: Block, outcome: Outcome) -> "Sums":
        """The sums including one more block."""
        return self.with_sums(Sums(block.end - block.begin, *outcome))

    def with_sums(self, other: "Sums") -> "Sums":
        """The sums including those of other blocks, which were trained in the same time."""
        return replace(
            self,
            tokens=self.tokens + other.tokens,
            pairs=self.pairs + other.pairs,
            loss=self.loss + other.loss,
            skipped=self.skipped + other.skipped,
        )

    @property
    def mean_loss(self) -> float:
        """Mean loss of a pair; NaN before the first pair."""
        return self.loss / self.pairs if self.pairs else float("nan")


@dataclass(frozen=True)
class Position:
    """The position of a training, always between two blocks."""

    epoch: int = 0  # from 0
    block: int = 0  # the next block
    sums: Sums = field(default_factory=Sums)
    history: tuple[EpochSummary, ...] = ()


@dataclass(frozen=True)
class InitialState:
    """The state before the first epoch."""

    parameters: InitialParameters
    position: Position = field(default_factory=Position)


@dataclass(frozen=True)
class State:
    """The position and the parameters of a training."""

    position: Position
    parameters: Parameters
