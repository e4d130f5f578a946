"""What the plans of all trainings share, skip-gram or ranking: space, epochs, rates, device."""

import math
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from hyperskip.devices import CUDA
from hyperskip.geometry.spaces import Space, space_named


class Plan(ABC):
    """The base of every plan, which is a frozen dataclass with the fields named here."""

    geometry: str
    dimension: int
    factors: int
    curvature: float  # 0 in Euclidean space
    epochs: int
    burn_in_epochs: int
    rate: float
    end_rate: float
    burn_in_rate: float  # 0 without burn-in
    max_step: float
    tied: bool  # whether each word has one vector
    theta: float  # at the start; 0 if there is none
    initial_deviation: float
    freeze: bool
    deterministic: bool
    device: str
    threads: int
    seed: int

    @cached_property
    def space(self) -> Space:
        """The space that words are points of."""
        return space_named(self.geometry, self.factors)

    @property
    def factor_dimension(self) -> int:
        """Dimension of each factor of the space."""
        return self.dimension // self.factors

    @property
    def threads_matter(self) -> bool:
        """Whether the result depends on the number of threads."""
        return not self.deterministic and self.device != CUDA

    def rate_at(self, epoch: int, share: float) -> float:
        """The learning rate after a share of an epoch: constant in the burn-in, then falling."""
        if epoch < self.burn_in_epochs:
            return self.burn_in_rate
        done = (epoch - self.burn_in_epochs + share) / self.epochs
        return self.rate + (self.end_rate - self.rate) * done

    def ceiling_at(self, epoch: int, share: float) -> float:  # noqa: ARG002 - there is none
        """The largest radius that words may have after a share of an epoch."""
        return math.inf

    @property
    @abstractmethod
    def starts_by_guessing(self) -> bool:
        """Whether words start so close together that the loss is that of guessing."""

    @abstractmethod
    def loss_of_guessing(self, *, burn_in: bool) -> float:
        """The loss of a pair if all words are at the base point."""

    @abstractmethod
    def as_options(self, *, with_threads: bool) -> dict[str, Any]:
        """The options as they are stored: None for what this training does not have."""
