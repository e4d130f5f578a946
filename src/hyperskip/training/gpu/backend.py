"""Training on a GPU: parameters in its memory, text streamed to it block by block."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import numpy.typing as npt
import torch

from hyperskip.devices import gpu, gpu_memory_errors
from hyperskip.training.gpu.rounds import TILE, Layer, Rounds, Settings, layer_of
from hyperskip.training.gpu.thinning import Thinning, Uploaded
from hyperskip.training.gpu.uploads import Uploads
from hyperskip.training.kernel_settings import gpu_settings
from hyperskip.training.objective import sampling
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.backend import Limits, Outcome, Tokens, radius_at
from hyperskip.training.run.blocks import BlockSize
from hyperskip.training.start.random_positions import Parameters

_BLOCK_TOKENS = 1 << 23
_BLOCK_NUMBERS = 1 << 37  # products of coordinates: what a person who interrupts must wait for
_BLOCK_DRAWS = 1 << 26  # negatives, 4 bytes each


def gpu_block_size(plan: TrainingPlan) -> BlockSize:
    """Blocks as large as memory and patience allow: the tiles of a round stand far apart then."""
    rows = TILE + 2 * plan.window + plan.shared_negatives
    largest = min(
        _BLOCK_TOKENS,
        _BLOCK_NUMBERS // (rows * plan.dimension),
        _BLOCK_DRAWS * TILE // plan.shared_negatives,
    )
    return BlockSize(largest=largest, wanted=1)


class GpuBackend:
    """Triton kernels of the window schedule.

    Args:
        parameters: To start from.
        counts: How often each word occurs in the text.
        plan: Of the training.
        longest: Tokens of the longest block.
        fixed: Which words keep their vectors; None: none do.
        settings: How the kernels work; None: what follows from the plan.
    """

    workers = 1  # one thread keeps all of the device busy
    reads_ahead = True

    @gpu_memory_errors()
    def __init__(
        self,
        parameters: Parameters,
        counts: npt.NDArray[np.int64],
        plan: TrainingPlan,
        longest: int,
        fixed: npt.NDArray[np.bool_] | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._plan = plan
        self._device = gpu()
        self._settings = settings or gpu_settings(plan, counts, longest)
        self._layers = self._made_layers(parameters, fixed)
        self._theta = torch.tensor([parameters.theta], dtype=torch.float64, device=self._device)
        self._thinning = Thinning(
            longest,
            sampling.keep_thresholds(counts, plan.subsample),
            plan.window,
            shrink_window=plan.shrink_window,
            tied=self._settings.tied,
            device=self._device,
        )
        noise = sampling.noise_table(counts, plan.power).astype(np.int64)
        self._rounds = Rounds(
            centers=self._layers[0],
            contexts=self._layers[-1],
            theta=self._theta,
            noise=torch.as_tensor(noise, device=self._device),
            thinning=self._thinning,
            settings=self._settings,
        )
        self._uploads = Uploads(longest, self._device)

    def _made_layers(
        self, parameters: Parameters, fixed: npt.NDArray[np.bool_] | None
    ) -> list[Layer]:
        """Centers and, unless they are tied, contexts; what is fixed is fixed as a center."""
        words = len(parameters.centers)
        none_fixed = np.zeros(words, dtype=np.bool_)
        layers = [(parameters.centers, none_fixed if fixed is None else fixed)]
        if parameters.contexts is not None:
            layers.append((parameters.contexts, none_fixed))
        times = parameters.times
        return [
            layer_of(
                coordinates,
                None if times is None else times[i],
                held,
                self._settings,
                self._device,
            )
            for i, (coordinates, held) in enumerate(layers)
        ]

    @gpu_memory_errors()
    def compile(self) -> None:
        """Compile, or take from the cache on disk; nothing is trained."""
        if self._device.type != "cuda":
            return
        with self._chosen_gpu():
            one_word = np.zeros(1, dtype=np.int32), np.array([0, 1], dtype=np.int64)
            self._rounds.prepare(self.load([one_word[0]], one_word[1]))

    @gpu_memory_errors()
    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Uploaded:
        """Take a block of text to the device."""
        return self._uploads.upload(pieces, sentence_starts)

    @gpu_memory_errors()
    def train_block(
        self,
        text: Uploaded,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,  # noqa: ARG002 - there is one
        burn_in: bool,
    ) -> Outcome:
        """Train on sentences, as every backend does."""
        negatives = self._plan.negatives_of(burn_in=burn_in)
        with self._chosen_gpu():
            pairs, loss = self._rounds.run(text, seed, rates, negatives)
        return Outcome(pairs, loss, skipped=0)

    def _chosen_gpu(self) -> AbstractContextManager[object]:
        """Where kernels are launched on the device of the tensors: a new thread has the first."""
        return torch.cuda.device(self._device) if self._device.type == "cuda" else nullcontext()

    def stop(self) -> None:
        """End what other threads are training on, soon; training cannot go on after it."""
        self._rounds.stop()

    @property
    def theta(self) -> float:
        """The shift of the product as it is now."""
        return float(self._theta)

    def radius(self) -> float:
        """Distance of the farthest word from the base point, or from 0; NaN if one is nowhere."""
        if self._settings.hyperbolic:
            return radius_at(self._rounds.farthest_time())
        lengths = [torch.linalg.vector_norm(layer.rows, dim=-1).max() for layer in self._layers]
        return float(torch.stack(lengths).max())

    def parameters(self) -> Parameters:
        """A copy of the parameters as they are now."""
        dimension = self._settings.dimension
        # Whole: a part would be copied on the device first, whose memory may be full.
        rows = [layer.rows.cpu().numpy() for layer in self._layers]
        shape = len(rows[0]), self._plan.dimension
        coordinates = [
            np.ascontiguousarray(of_layer[..., :dimension]).reshape(shape) for of_layer in rows
        ]
        times = np.stack([of_layer[..., dimension] for of_layer in rows])
        contexts = None if self._settings.tied else coordinates[1]
        return Parameters(coordinates[0], contexts, self.theta, times)
