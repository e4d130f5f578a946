"""A block of text on the device: what subsampling leaves of it, with windows and negatives."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from hyperskip.training.gpu import kernels

_SIZE = 1024  # tokens, or draws, of a program


class Uploaded(NamedTuple):
    """A block as it was read."""

    tokens: torch.Tensor  # (tokens,) int32
    sentence_starts: torch.Tensor  # (sentences + 1,) int32: the last one is the end


class Thinning:
    """Room for what is left of a block.

    Args:
        capacity: Tokens of the longest block.
        keep: Thresholds of sampling.py.
        window: How many words on each side are context.
        shrink_window: Whether windows are drawn from 1 to that.
        tied: Whether a word may not be its own context.
        device: Where.
    """

    def __init__(
        self,
        capacity: int,
        keep: npt.NDArray[np.uint32],
        window: int,
        *,
        shrink_window: bool,
        tied: bool,
        device: torch.device,
    ) -> None:
        def room(*shape: int) -> torch.Tensor:
            return torch.zeros(shape, dtype=torch.int32, device=device)

        self._window, self._shrink_window, self._tied = window, shrink_window, tied
        self._keep = torch.as_tensor(keep.astype(np.int64), device=device)
        self._survivors, self._before = room(capacity), room(capacity + 1)
        self.kept = room(capacity)  # words
        self.reaches = room(capacity, 2)  # first and last place of the window
        self.context_counts = room(capacity)

    def thin(self, text: Uploaded, seed: torch.Tensor) -> int:
        """Fill in what is left, by the draws from a seed, (1,) int64; returns how many tokens."""
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
            *(self._before, self.kept, self.reaches, self.context_counts, count, self._window),
            TIED=self._tied,
            SIZE=_SIZE,
            **kernels.FUSED,
        )
        return int(before[-1])


def draw_negatives(
    noise: torch.Tensor, numbers: torch.Tensor, negatives: torch.Tensor, draws: int
) -> None:
    """Draw from an alias table, (words, 2) int64, as `numbers` of `kernels.draw` say."""
    grid = (-(-draws // _SIZE),)
    kernels.draw[grid](noise, numbers, negatives, len(noise), draws, SIZE=_SIZE, **kernels.FUSED)
