"""Where training happens: parameters in the memory of a device, and the kernels for them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.devices import AUTO, CPU, CUDA, gpu, why_no_gpu
from hyperskip.training.options import PAIRWISE, TrainingOptions
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.blocks import FOR_THREADS, Block, BlockSize
from hyperskip.training.start.random_positions import Parameters

Tokens = npt.NDArray[np.int32]
Limits = npt.NDArray[np.int64]


class Outcome(NamedTuple):
    """What happened in a block."""

    pairs: int
    loss: float  # sum over pairs of the negative log-likelihood
    skipped: int  # pairs left out because a word was locked


class Backend(Protocol):
    """A device at work, as a run sees it."""

    workers: int  # threads that may train blocks at once
    reads_ahead: bool  # whether it pays to load a block while another one is trained on

    def compile(self) -> None:
        """Compile, or take from the cache on disk; nothing is trained."""

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Any:
        """Take a block of text to the device, from any thread; `train_block` takes what it returns.

        Args:
            pieces: Word ids, piece by piece.
            sentence_starts: Where sentences start, and the end.
        """

    def train_block(
        self,
        text: Any,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,
        burn_in: bool,
    ) -> Outcome:
        """Train on sentences at a rate that goes from the first to the second; thread-safe.

        Args:
            text: What `load` has made of them.
            rates: At the first token, and behind the last one.
            seed: Of all draws.
            worker: The number of the calling thread, from 0.
            burn_in: Whether to train with a tenth of the negatives.
        """

    def stop(self) -> None:
        """End what other threads are training on, soon; training cannot go on after it."""

    @property
    def theta(self) -> float:
        """The shift of the product as it is now."""

    def radius(self) -> float:
        """Distance of the farthest word from the base point, or from 0; NaN if one is nowhere.

        On a product of hyperboloids, the greatest of its distances on each.
        """

    def parameters(self) -> Parameters:
        """A copy of the parameters as they are now."""


def radius_at(time: float) -> float:
    """Distance from the base point at this time coordinate; NaN if it is not a number."""
    return float(np.arccosh(max(time, 1.0))) if np.isfinite(time) else float("nan")


def chosen_device(options: TrainingOptions) -> tuple[str, str | None]:
    """The device to train on; and why it is not the GPU, where that was left open.

    Raises:
        OptionError: The GPU was asked for, and there is none.
    """
    if options.device == CUDA:
        gpu()
    if options.device not in (None, AUTO):
        return options.device, None
    pairwise = options.schedule == PAIRWISE
    reason = "the pairwise schedule needs it" if pairwise else why_no_gpu()
    return (CUDA, None) if reason is None else (CPU, reason)


def block_size(plan: TrainingPlan) -> BlockSize:
    """How large blocks are on the device of the plan."""
    if plan.device == CUDA:
        from hyperskip.training.gpu.backend import gpu_block_size

        return gpu_block_size(plan)
    return FOR_THREADS


def backend_for(
    plan: TrainingPlan,
    parameters: Parameters,
    counts: npt.NDArray[np.int64],
    fixed: npt.NDArray[np.bool_] | None,
    blocks: Sequence[Block],
) -> Backend:
    """A backend for the device of the plan and for these blocks."""
    if plan.device == CUDA:
        from hyperskip.training.gpu.backend import GpuBackend

        longest = max(block.end - block.begin for block in blocks)
        return GpuBackend(parameters, counts, plan, longest, fixed)
    from hyperskip.training.cpu.backend import CpuBackend

    # Free threads share the blocks of an epoch; a crew works on one block after another.
    workers = 1 if plan.deterministic else min(plan.threads, len(blocks))
    return CpuBackend(parameters, counts, plan, workers, fixed)
