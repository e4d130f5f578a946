"""Training on a GPU: parameters in its memory, text copied to it block by block."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import numpy.typing as npt
import torch

from hyperskip.devices import gpu, gpu_memory_errors
from hyperskip.training.backend import NO_CEILINGS, Limits, Outcome, Tokens, Words, radius_at
from hyperskip.training.blocks import BlockSize
from hyperskip.training.gpu.rounds import TILE, Layer, Rounds, Settings, filled_rows, layer_of
from hyperskip.training.gpu.subsampling import Subsampler, Uploaded
from hyperskip.training.gpu.subword_backend import GpuSubwords
from hyperskip.training.gpu.uploads import Uploads
from hyperskip.training.kernel_settings import gpu_settings
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.objective import sampling
from hyperskip.training.objective.subwords import Fit, fit_at
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.plan import TrainingPlan

_BLOCK_TOKENS = 1 << 23
_BLOCK_NUMBERS = 1 << 37  # products of coordinates: bounds the wait after an interruption
_BLOCK_DRAWS = 1 << 26  # negative samples, 4 bytes each


def gpu_block_size(plan: TrainingPlan) -> BlockSize:
    """Blocks as large as is practical, so that the tiles of a round are far apart in the text."""
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
        parameters: Where to start.
        counts: How often each word occurs in the text.
        plan: The plan of the training.
        longest: Number of tokens in the longest block.
        fixed: Which words must not move; None: all may.
        settings: Settings of the kernels; None: those of the plan.
        index: The n-grams of the words; None without subwords.
        fixed_ngrams: Which n-grams must not move; None: all may.
        fit_tokens: Number of tokens between two fits of n-grams.
    """

    workers = 1  # one thread keeps the whole GPU busy
    reads_ahead = True
    fits_in_blocks = True

    @gpu_memory_errors()
    def __init__(
        self,
        parameters: InitialParameters | Parameters,
        counts: npt.NDArray[np.int64],
        plan: TrainingPlan,
        longest: int,
        fixed: npt.NDArray[np.bool_] | None = None,
        settings: Settings | None = None,
        index: NgramIndex | None = None,
        fixed_ngrams: npt.NDArray[np.bool_] | None = None,
        fit_tokens: int = 1,
    ) -> None:
        self._plan = plan
        self._device = gpu()
        self._settings = settings or gpu_settings(plan, counts, longest)
        self._layers = self._made_layers(parameters, fixed)
        self._theta = torch.tensor([parameters.theta], dtype=torch.float64, device=self._device)
        self._subsampler = Subsampler(
            longest,
            sampling.keep_thresholds(counts, plan.subsample),
            shrink_window=plan.shrink_window,
            tied=self._settings.tied,
            distance_weights=sampling.distance_weights(plan.window, plan.distance_decay),
            device=self._device,
        )
        noise = sampling.noise_table(counts, plan.power).astype(np.int64)
        loads = sampling.loads(
            *(counts, plan.subsample, TILE * self._settings.tiles),
            curved=self._settings.hyperbolic,
        )
        word_rates = sampling.word_rates(counts, plan.subsample, plan.rate_power)
        self._rounds = Rounds(
            centers=self._layers[0],
            contexts=self._layers[-1],
            theta=self._theta,
            noise=torch.as_tensor(noise, device=self._device),
            word_rates=torch.as_tensor(word_rates.astype(np.float32), device=self._device),
            loads=torch.as_tensor(loads.astype(np.float32), device=self._device),
            subsampler=self._subsampler,
            settings=self._settings,
        )
        self._uploads = Uploads(longest, self._device)
        self._fit_tokens = fit_tokens
        self._subwords: GpuSubwords | None = None
        if index is not None and parameters.ngrams is not None:
            self._subwords = GpuSubwords(
                *(parameters.ngrams, index, self._layers, self._settings),
                *(plan.sharing_power, fixed_ngrams),
            )

    def _made_layers(
        self, parameters: InitialParameters | Parameters, fixed: npt.NDArray[np.bool_] | None
    ) -> list[Layer]:
        """Centers and, if there are two layers, contexts; words are fixed as centers only."""
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
                fixed_words,
                self._settings,
                self._device,
            )
            for i, (coordinates, fixed_words) in enumerate(layers)
        ]

    @gpu_memory_errors()
    def compile(self) -> None:
        """Compile the kernels, or load them from the cache on disk."""
        if self._device.type != "cuda":
            return
        with self._chosen_gpu():
            one_word = np.zeros(1, dtype=np.int32), np.array([0, 1], dtype=np.int64)
            self._rounds.prepare(self.load([one_word[0]], one_word[1]))
            if self._subwords is not None:
                self._subwords.compile()

    @gpu_memory_errors()
    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Uploaded:
        """Copy a block of text to the GPU."""
        return self._uploads.upload(pieces, sentence_starts)

    @gpu_memory_errors()
    def train_block(
        self,
        text: Uploaded,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,  # noqa: ARG002 - there is only one
        burn_in: bool,
        ceilings: tuple[float, float] = NO_CEILINGS,  # noqa: ARG002 - radii have no limit
    ) -> Outcome:
        """Train on a block."""
        negatives = self._plan.negatives_of(burn_in=burn_in)
        parts = 1
        if self._subwords is not None:
            parts = max(1, round(len(text.tokens) / self._fit_tokens))

        def end_part(share: float) -> None:
            if self._subwords is not None:
                rate = rates[0] + (rates[1] - rates[0]) * share
                strength, dimension = self._plan.strength_at(rate), self._plan.dimension
                own_vectors = self._plan.has_word_rows
                self._subwords.fit(fit_at(strength, dimension, own_vectors=own_vectors))

        with self._chosen_gpu():
            pairs, loss = self._rounds.run(text, seed, rates, negatives, parts, end_part)
        return Outcome(pairs, loss, skipped=0)

    def fit_subwords(self, fit: Fit) -> None:
        """Move words and n-grams toward each other, between two blocks."""
        assert self._subwords is not None
        with self._chosen_gpu():
            self._subwords.fit(fit)

    def center_words(self) -> None:
        """Move all words and n-grams together, so that the mean of the words is 0."""
        assert self._subwords is not None
        with self._chosen_gpu():
            self._subwords.center()

    def _chosen_gpu(self) -> AbstractContextManager[object]:
        """Launch kernels on the GPU of the tensors; a new thread would use the first GPU."""
        return torch.cuda.device(self._device) if self._device.type == "cuda" else nullcontext()

    def stop(self) -> None:
        """Make other threads stop soon; training cannot continue after that."""
        self._rounds.stop()

    @property
    def theta(self) -> float:
        """The current theta."""
        return float(self._theta)

    def radius(self) -> float:
        """Distance of the farthest word from the base point; NaN if a word has NaN."""
        if self._settings.hyperbolic:
            return radius_at(self._rounds.farthest_time())
        lengths = [torch.linalg.vector_norm(layer.rows, dim=-1).max() for layer in self._layers]
        return float(torch.stack(lengths).max())

    @gpu_memory_errors()
    def coordinates(self, words: Words) -> npt.NDArray[np.float32]:
        """A copy of the spatial coordinates of some words: (layers, words, dimension)."""
        chosen = self._index(words)
        dimension = self._settings.dimension
        rows = [layer.rows[chosen].cpu().numpy()[..., :dimension] for layer in self._layers]
        return np.stack([of_layer.reshape(-1, self._plan.dimension) for of_layer in rows])

    @gpu_memory_errors()
    def place(
        self, words: Words, coordinates: npt.NDArray[np.float32], theta: float | None = None
    ) -> None:
        """Move words to spatial coordinates (layers, words, dimension), between two blocks."""
        chosen = self._index(words)
        for layer, placed in zip(self._layers, coordinates, strict=True):
            rows = filled_rows(placed, None, self._settings)
            layer.rows[chosen] = torch.as_tensor(rows, device=self._device)
        if theta is not None:
            self._theta.fill_(theta)

    def _index(self, words: Words) -> slice | torch.Tensor:
        if isinstance(words, slice):
            return words
        return torch.tensor(words, device=self._device)  # a copy: `words` may be read-only

    def parameters(self) -> Parameters:
        """A copy of the current parameters."""
        dimension = self._settings.dimension
        # Whole rows: a part would first be copied within the memory of the GPU, which may be full.
        rows = [layer.rows.cpu().numpy() for layer in self._layers]
        shape = len(rows[0]), self._plan.dimension
        coordinates = [
            np.ascontiguousarray(of_layer[..., :dimension]).reshape(shape) for of_layer in rows
        ]
        times = np.stack([of_layer[..., dimension] for of_layer in rows])
        contexts = None if self._settings.tied else coordinates[1]
        ngrams = None if self._subwords is None else self._subwords.ngrams()
        return Parameters(coordinates[0], contexts, self.theta, times, ngrams=ngrams)
