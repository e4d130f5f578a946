"""Training by ranking on a GPU: nodes in its memory, edges copied to it block by block."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import triton

from hyperskip.devices import gpu, gpu_memory_errors
from hyperskip.training.backend import NO_CEILINGS, Limits, Outcome, Tokens, Words
from hyperskip.training.edge_text import MOST_TARGETS
from hyperskip.training.gpu import ranking_kernels as kernels
from hyperskip.training.kernel_settings import ranking_settings
from hyperskip.training.objective.ranking import GROUP, Nodes
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.ranking_state import lists_of, nodes_at_start, parameters_of, steps_of
from hyperskip.training.target_lists import TargetLists

_DERIVED = 4  # numbers of a row after its direction
_SAMPLES = 32  # negative samples at once
_MOST_PARTS = 16  # that the negative samples of a group are divided into
_ROWS = 64  # nodes of a program that moves them
_TARGETS = triton.next_power_of_2(MOST_TARGETS)


class GpuRankingBackend:
    """Triton kernels of the method `ranking`.

    Args:
        parameters: Where to start.
        plan: The plan of the training.
        fixed: Which nodes must not move; None: all may.
        levels: The largest radius of each node, as a share of the plan's; None: all 1.
    """

    workers = 1  # one thread keeps the whole GPU busy
    reads_ahead = False
    theta = 0.0

    @gpu_memory_errors()
    def __init__(
        self,
        parameters: InitialParameters | Parameters,
        plan: RankingPlan,
        fixed: npt.NDArray[np.bool_] | None = None,
        levels: npt.NDArray[np.float32] | None = None,
    ) -> None:
        self._plan = plan
        self._device = gpu()
        self._settings = settings = ranking_settings(plan)
        start = nodes_at_start(parameters, fixed, levels)
        self._steps = steps_of(start.moments)
        self._nodes = tuple(torch.as_tensor(array, device=self._device) for array in start)
        nodes, dimension = self._nodes[0].shape
        groups = -(-plan.batch // GROUP)
        self._parts = min(_MOST_PARTS, -(-settings.negatives // _SAMPLES))
        self._chunks = -(-settings.negatives // (_SAMPLES * self._parts))

        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=self._device)

        self._rows = zeros(nodes, dimension + _DERIVED)
        self._gradients = zeros(nodes, dimension + 1, dtype=torch.int64)
        self._touched = zeros(nodes, dtype=torch.int8)
        self._samples = zeros(groups, settings.negatives, dtype=torch.int32)
        self._sums = zeros(self._parts * plan.batch)
        self._pulls = zeros(plan.batch)
        self._own_gradients = zeros(self._parts * (dimension + 1) * plan.batch)
        self._is_stopped = False

    def compile(self) -> None:
        """Kernels are compiled, or loaded from the cache on disk, when they are first used."""

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> TargetLists:
        """Return the edges of a block."""
        return lists_of(pieces, sentence_starts, self._plan)

    @gpu_memory_errors()
    def train_block(
        self,
        text: TargetLists,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,  # noqa: ARG002 - there is only one
        burn_in: bool,  # noqa: ARG002 - there is none
        ceilings: tuple[float, float] = NO_CEILINGS,
    ) -> Outcome:
        """Train on a block."""
        lists = [torch.as_tensor(array, device=self._device) for array in text.shuffled(seed)]
        count = len(text.sources)
        batches = -(-count // self._plan.batch)
        losses = torch.zeros(count, device=self._device)
        groups_of_a_batch = -(-self._plan.batch // GROUP)
        with self._chosen_gpu():
            # Kernels round differently: after a checkpoint, these rows must be the same as here.
            self._derive_rows()
            for batch in range(batches):
                if self._is_stopped:
                    break
                begin, end = batch * count // batches, (batch + 1) * count // batches
                share = batch / batches
                rate, ceiling = (at[0] + (at[1] - at[0]) * share for at in (rates, ceilings))
                self._draw(seed, batch * groups_of_a_batch, -(-(end - begin) // GROUP))
                self._add_gradients(lists, begin, end, losses)
                self._step(rate, ceiling)
            loss = float(losses.sum(dtype=torch.float64))
        return Outcome(len(text.targets), loss, skipped=0)

    def _draw(self, seed: np.uint64, first: int, groups: int) -> None:
        negatives, size = self._settings.negatives, 256
        kernels.draw[groups, -(-negatives // size)](
            *(self._samples, int(seed.astype(np.int64)), first, len(self._rows)),
            *(negatives, size),
        )
        self._samples[:groups] = self._samples[:groups].sort(dim=1).values  # to be searched

    def _add_gradients(
        self, lists: list[torch.Tensor], begin: int, end: int, losses: torch.Tensor
    ) -> None:
        """Add the gradients of a batch of lists."""
        settings, count = self._settings, end - begin
        sources, starts, targets, weights = lists
        of_batch = sources[begin:end]
        groups = -(-count // GROUP)
        sizes = self._sizes | {"HYPERBOLIC": settings.hyperbolic}
        chunks = sizes | {"GROUP": GROUP, "SAMPLES": _SAMPLES, "CHUNKS": self._chunks}
        kernels.sum_likelihoods[groups, self._parts](
            *(self._rows, of_batch, self._samples, count, settings.sharpness, self._sums),
            settings.negatives,
            **chunks,
            num_warps=8,
        )
        kernels.pull[count,](
            *(self._rows, sources, starts, targets, weights, self._samples, self._sums),
            *(self._pulls, losses, self._gradients, self._touched),
            *(begin, count, settings.sharpness, settings.negatives),
            **sizes,
            WEIGHTED=self._plan.weighted,
            GROUP=GROUP,
            TARGETS=_TARGETS,
            PARTS=self._parts,
            STEPS=settings.negatives.bit_length() + 1,
            num_warps=2,
        )
        kernels.push[groups, self._parts](
            *(self._rows, of_batch, self._samples, self._pulls, count, settings.sharpness),
            *(self._own_gradients, self._gradients, self._touched, settings.negatives),
            **chunks,
            num_warps=8,
        )
        dimension = settings.dimension
        kernels.combine[-(-count // _ROWS),](
            *(of_batch, self._own_gradients, self._gradients, count),
            DIMENSION=dimension,
            COLUMNS=dimension + 1 if settings.hyperbolic else dimension,
            PARTS=self._parts,
            SIZE=_ROWS,
        )

    def _step(self, rate: float, ceiling: float) -> None:
        self._steps += 1
        points, moments, fixed, levels = self._nodes
        kernels.step[-(-len(points) // self._rows_at_once),](
            *(points, self._rows, moments, self._gradients, self._touched, fixed, levels),
            *(len(points), rate, ceiling, self._settings.max_step, float(self._steps)),
            **self._sizes,
            HYPERBOLIC=self._settings.hyperbolic,
            SIZE=self._rows_at_once,
            COLUMNS=self._columns,
        )

    def _derive_rows(self) -> None:
        points = self._nodes[0]
        kernels.derive_rows[-(-len(points) // self._rows_at_once),](
            *(points, self._rows, len(points)),
            **self._sizes,
            HYPERBOLIC=self._settings.hyperbolic,
            SIZE=self._rows_at_once,
            COLUMNS=self._columns,
        )

    @property
    def _sizes(self) -> dict[str, Any]:
        dimension = self._settings.dimension
        return {"DIMENSION": dimension, "WIDTH": dimension + _DERIVED}

    @property
    def _columns(self) -> int:
        return int(triton.next_power_of_2(max(self._settings.dimension, 2)))

    @property
    def _rows_at_once(self) -> int:
        return max(1, min(_ROWS, 4096 // self._columns))

    def stop(self) -> None:
        """Make other threads stop soon; training cannot continue after that."""
        self._is_stopped = True

    def radius(self) -> float:
        """Distance of the farthest node from the base point; NaN if a node has NaN."""
        length = self._nodes[0].double().square().sum(dim=1).max().sqrt()
        return float(length.arcsinh() if self._plan.space.is_curved else length)

    def parameters(self) -> Parameters:
        """A copy of the current parameters."""
        copies = Nodes(*(array.cpu().numpy().copy() for array in self._nodes))
        return parameters_of(copies, self._plan, self._steps)

    def coordinates(self, words: Words) -> npt.NDArray[np.float32]:
        """A copy of the coordinates and moments of some nodes: (1, nodes, columns)."""
        rows = words if isinstance(words, slice) else torch.as_tensor(words, device=self._device)
        points, moments = self._nodes[:2]
        return np.asarray(torch.cat((points[rows], moments[rows]), dim=1)[None].cpu().numpy())

    def place(
        self,
        words: Words,
        coordinates: npt.NDArray[np.float32],
        theta: float | None = None,  # noqa: ARG002 - there is none
    ) -> None:
        """Set coordinates and moments of nodes (1, nodes, columns), between two blocks."""
        rows = words if isinstance(words, slice) else torch.as_tensor(words, device=self._device)
        points, moments = self._nodes[:2]
        placed = torch.as_tensor(coordinates[0], device=self._device)
        points[rows], moments[rows] = placed.split((points.shape[1], moments.shape[1]), dim=1)
        self._steps = steps_of(moments)

    def _chosen_gpu(self) -> AbstractContextManager[None]:
        """Launch kernels on this GPU, also from other threads."""
        return torch.cuda.device(self._device) if self._device.type == "cuda" else nullcontext()
