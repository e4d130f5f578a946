"""Everything that training changes: enough to go on from, exactly.

Random numbers need no state of their own: each block's are made from seed, epoch and block.
"""

from dataclasses import dataclass, field, replace

from hyperskip.training.parameters import Parameters
from hyperskip.training.run.backend import Outcome
from hyperskip.training.run.blocks import Block


@dataclass(frozen=True)
class EpochSummary:
    """What an epoch did; kept in the vectors' history."""

    epoch: int  # from 1; burn-in epochs are counted too
    burn_in: bool
    loss: float  # mean negative log-likelihood of a pair with its negatives
    pairs: int
    skipped: int  # pairs left out because a word was locked
    seconds: float
    theta: float


@dataclass(frozen=True)
class Sums:
    """What the blocks of an epoch add up to so far."""

    tokens: int = 0
    pairs: int = 0
    loss: float = 0.0
    skipped: int = 0
    seconds: float = 0.0

    def with_block(self, block: Block, outcome: Outcome) -> "Sums":
        """These sums and what happened in one more block."""
        return replace(
            self,
            tokens=self.tokens + block.end - block.begin,
            pairs=self.pairs + outcome.pairs,
            loss=self.loss + outcome.loss,
            skipped=self.skipped + outcome.skipped,
        )

    @property
    def mean_loss(self) -> float:
        """Of a pair; NaN before the first."""
        return self.loss / self.pairs if self.pairs else float("nan")


@dataclass(frozen=True)
class Position:
    """How far a training is; between blocks, never inside one."""

    epoch: int = 0  # from 0
    block: int = 0  # the next one
    sums: Sums = field(default_factory=Sums)
    history: tuple[EpochSummary, ...] = ()


@dataclass(frozen=True)
class State:
    """Where a training is and what it has learned."""

    position: Position
    parameters: Parameters
