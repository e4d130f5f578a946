"""Subsampling on the GPU: the tokens of a block that are kept, their windows, and negatives."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from hyperskip.training.gpu import kernels

_SIZE = 1024  # tokens, or draws, for each program


class Uploaded(NamedTuple):
    """A block of text in the memory of the GPU."""

    tokens: torch.Tensor  # (tokens,) int32
    sentence_starts: torch.Tensor  # (sentences + 1,) int32: the last one is the end


class Subsampler:
    """Subsamples blocks of text, and holds the result for the kernels.

    Args:
        capacity: Number of tokens in the longest block.
        keep: Thresholds from sampling.py.
        shrink_window: Whether the window of each center is drawn from 1 to `window`.
        tied: Whether each word has one vector; then it is not its own context.
        distance_weights: The weight of a context by its distance: (window + 1,).
        device: The GPU.
    """

    def __init__(
        self,
        capacity: int,
        keep: npt.NDArray[np.uint32],
        *,
        shrink_window: bool,
        tied: bool,
        distance_weights: npt.NDArray[np.float64],
        device: torch.device,
    ) -> None:
        def room(*shape: int) -> torch.Tensor:
            return torch.zeros(shape, dtype=torch.int32, device=device)

        self._window = len(distance_weights) - 1
        self._shrink_window, self._tied = shrink_window, tied
        self._keep = torch.as_tensor(keep.astype(np.int64), device=device)
        self._survivors, self._before = room(capacity), room(capacity + 1)
        self.kept = room(capacity)  # words
        self.reaches = room(capacity, 2)  # first and last position of the window
        self.distance_weights = torch.as_tensor(distance_weights.astype(np.float32), device=device)
        self.context_counts = room(capacity)
        self.context_weights = torch.zeros(capacity, dtype=torch.float32, device=device)

    def subsample(self, text: Uploaded, seed: torch.Tensor) -> int:
        """Subsample a block with this seed, (1,) int64; returns the number of tokens kept."""
        count, sentences = len(text.tokens), len(text.sentence_starts) - 1
        grid = (-(-count // _SIZE),)
        kernels.survive[grid](
            *(text.tokens, self._keep, seed, self._survivors, count), SIZE=_SIZE, **kernels.FUSED
        )
        before = self._before[1 : count + 1]
        torch.cumsum(self._survivors[:count], 0, dtype=torch.int32, out=before)
        kernels.arrange[grid](
            *(text.tokens, seed, text.sentence_starts, self._before, self.kept, self.reaches),
            *(count, sentences, self._window, sentences.bit_length()),
            SHRINK=self._shrink_window,
            SIZE=_SIZE,
            **kernels.FUSED,
        )
        kernels.count_contexts[grid](
            *(self._before, self.kept, self.reaches, self.distance_weights),
            *(self.context_counts, self.context_weights, count, self._window),
            TIED=self._tied,
            SIZE=_SIZE,
            **kernels.FUSED,
        )
        return int(before[-1])


def draw_negatives(
    noise: torch.Tensor, numbers: torch.Tensor, negatives: torch.Tensor, draws: int
) -> None:
    """Draw from an alias table, (words, 2) int64; see `kernels.draw` for `numbers`."""
    grid = (-(-draws // _SIZE),)
    kernels.draw[grid](noise, numbers, negatives, len(noise), draws, SIZE=_SIZE, **kernels.FUSED)
