"""The device to train on, and the backend for it."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hyperskip.devices import AUTO, CPU, CUDA, device_name, gpu, why_no_gpu
from hyperskip.training.backend import Backend
from hyperskip.training.blocks import (
    FOR_THREADS,
    FOR_THREADS_THAT_MEET,
    Block,
    BlockSize,
    for_a_team,
)
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.objective.subwords import FITS
from hyperskip.training.options import PAIRWISE, TrainingOptions
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.run.training_events import OnDevice, Report
from hyperskip.training.shared_plan import Plan


def choose_device(options: TrainingOptions | RankingOptions, report: Report) -> str:
    """Choose the device to train on, and report it.

    Raises:
        OptionError: A GPU was chosen, and there is none.
    """
    device, reason = _device(options)
    report(OnDevice(device_name(device), reason))
    return device


def check_can_train(options: TrainingOptions | RankingOptions) -> None:
    """Check that training is possible, before the text is read.

    Raises:
        OptionError: A GPU was chosen, and there is none.
        HyperskipError: The compiler is switched off.
    """
    device, _ = _device(options)
    if device == CPU:
        from hyperskip.training.cpu.backend import check_compiler

        check_compiler()


def _device(options: TrainingOptions | RankingOptions) -> tuple[str, str | None]:
    """The device; and why it is not the GPU, if the choice is automatic."""
    if options.device == CUDA:
        gpu()
    if options.device not in (None, AUTO):
        return options.device, None
    pairwise = isinstance(options, TrainingOptions) and options.schedule == PAIRWISE
    reason = "the pairwise schedule does not run on a GPU" if pairwise else why_no_gpu()
    return (CUDA, None) if reason is None else (CPU, reason)


def block_size(plan: Plan) -> BlockSize:
    """The size of blocks for the device of the plan."""
    if isinstance(plan, RankingPlan):
        return plan.block_size
    assert isinstance(plan, TrainingPlan)
    if plan.device == CUDA:
        from hyperskip.training.gpu.backend import gpu_block_size

        return gpu_block_size(plan)
    if plan.deterministic:
        return for_a_team(plan.dimension)
    return FOR_THREADS if plan.subwords is None else FOR_THREADS_THAT_MEET


def backend_for(
    plan: Plan,
    parameters: InitialParameters | Parameters,
    counts: npt.NDArray[np.int64],
    fixed: npt.NDArray[np.bool_] | None,
    blocks: Sequence[Block],
    *,
    levels: npt.NDArray[np.float32] | None = None,
    index: NgramIndex | None = None,
    fixed_ngrams: npt.NDArray[np.bool_] | None = None,
    token_count: int = 0,
) -> Backend:
    """A backend for the method and the device of the plan, and for these blocks."""
    if isinstance(plan, RankingPlan):
        if plan.device == CUDA:
            from hyperskip.training.gpu.ranking_backend import GpuRankingBackend

            return GpuRankingBackend(parameters, plan, fixed, levels)
        from hyperskip.training.cpu.ranking_backend import RankingBackend

        return RankingBackend(parameters, plan, fixed, levels)
    assert isinstance(plan, TrainingPlan)
    longest = max(block.end - block.begin for block in blocks)
    if plan.device == CUDA:
        from hyperskip.training.gpu.backend import GpuBackend

        return GpuBackend(
            *(parameters, counts, plan, longest, fixed),
            index=index,
            fixed_ngrams=fixed_ngrams,
            fit_tokens=max(1, token_count // FITS),
        )
    from hyperskip.training.cpu.backend import CpuBackend

    # Independent threads share the blocks of an epoch; a team works on one block at a time.
    workers = 1 if plan.deterministic else min(plan.threads, len(blocks))
    return CpuBackend(
        *(parameters, counts, plan, workers, longest, fixed),
        index=index,
        fixed_ngrams=fixed_ngrams,
    )
