"""The n-grams of a training in the memory of a GPU, and the launches that move them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
import triton

from hyperskip.training.gpu.rounds import Layer, Settings
from hyperskip.training.gpu.subword_kernels import compute_residuals, move_ngrams
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.objective.subwords import Fit, row_weights

_NUMBERS_AT_ONCE = 2048  # of vectors that a program adds up together


class GpuSubwords:
    """Moves words and n-grams toward each other, in the memory of a GPU.

    Args:
        ngrams: (rows, dimension): the vectors of n-grams at the start, as in `Parameters`.
        index: The n-grams of the words.
        layers: The words: centers, and contexts if there are two layers.
        settings: Settings of the kernels.
        sharing_power: See `row_weights`.
        fixed: Which of these vectors must not move; None: all may.
    """

    def __init__(
        self,
        ngrams: npt.NDArray[np.float32],
        index: NgramIndex,
        layers: Sequence[Layer],
        settings: Settings,
        sharing_power: float,
        fixed: npt.NDArray[np.bool_] | None,
    ) -> None:
        device = layers[0].rows.device
        self._layers, self._settings = layers, settings
        self._order = index.order
        self._ngrams = torch.tensor(
            ngrams[np.argsort(self._order)], dtype=torch.float32, device=device
        )
        weights = row_weights(np.diff(index.word_starts), sharing_power).astype(np.float32)
        if fixed is not None:
            weights[self._order[fixed]] = 0.0
        self._weights = torch.tensor(weights, device=device)
        self._row_starts, self._rows, self._word_starts, self._words = (
            torch.tensor(array, device=device) for array in index[1:]
        )
        words = len(layers[0].rows)
        self._residuals = torch.zeros((words, ngrams.shape[1]), device=device)
        width = triton.next_power_of_2(settings.dimension)
        self._shape = {
            "FACTORS": settings.factors,
            "DIMENSION": settings.dimension,
            "WIDTH": width,
            "AT_ONCE": max(1, _NUMBERS_AT_ONCE // width),
        }

    def ngrams(self) -> npt.NDArray[np.float32]:
        """A copy of the vectors of n-grams, as in `Parameters`."""
        on_host: npt.NDArray[np.float32] = self._ngrams.cpu().numpy()
        return on_host[self._order]

    def fit(self, fit: Fit) -> None:
        """Move n-grams and words toward each other."""
        self._fit(fit, len(self._residuals), len(self._ngrams))

    def compile(self) -> None:
        """Compile the kernels, or load them from the cache on disk; n-grams move by nothing."""
        self._fit(Fit(step=0.0, pull=0.0, iterations=1), 1, 1)

    def _fit(self, fit: Fit, words: int, rows: int) -> None:
        """Fit the first words and the first rows of n-grams."""
        factors, centers = self._settings.factors, self._layers[0]
        for _ in range(fit.iterations):
            compute_residuals[(words, factors)](
                *(centers.rows, self._ngrams, self._row_starts, self._rows, self._residuals),
                **self._shape,
                COLUMNS=self._settings.columns,
            )
            if len(self._ngrams):
                move_ngrams[(rows, factors)](
                    *(self._ngrams, self._word_starts, self._words, self._residuals),
                    *(self._weights, fit.step),
                    **self._shape,
                )
        if fit.pull > 0.0:
            self._move(centers, fit.pull * self._residuals)

    def center(self) -> None:
        """Move all words and n-grams together, so that the mean of the words is 0.

        A second layer moves along.
        """
        words = self._coordinates(self._layers[0])
        shift = words.mean(dim=0, dtype=torch.float64).to(torch.float32)  # (factors, dimension)
        self._ngrams -= shift.reshape(-1)
        for layer in self._layers:
            self._move(layer, shift.reshape(1, -1))

    def _coordinates(self, layer: Layer) -> torch.Tensor:  # (words, factors, dimension)
        """The spatial coordinates, not copied."""
        return layer.rows[..., : self._settings.dimension]

    def _move(self, layer: Layer, back: torch.Tensor) -> None:
        """Move words that may move by -back, which is (words or 1, factors * dimension)."""
        moving = (layer.fixed == 0).to(torch.float32)[:, None, None]
        coordinates = self._coordinates(layer)
        coordinates -= moving * back.reshape(len(back), self._settings.factors, -1)
        if self._settings.hyperbolic:
            squares = coordinates.to(torch.float64).square().sum(dim=-1)
            times = torch.sqrt(1.0 + squares).to(torch.float32)
            old = layer.rows[..., self._settings.dimension]
            old.copy_(torch.where(layer.fixed[:, None] == 0, times, old))
