"""Copies text to the GPU through pinned memory while kernels run."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import numpy.typing as npt
import torch

from hyperskip.training.gpu.subsampling import Uploaded


class Uploads:
    """Copies blocks of text to the GPU, one at a time, on a separate stream.

    Args:
        capacity: Number of tokens in the longest block.
        device: The GPU.
    """

    def __init__(self, capacity: int, device: torch.device) -> None:
        self._device = device
        self._on_gpu = device.type == "cuda"
        self._stream = torch.cuda.Stream() if self._on_gpu else None
        # The GPU copies from pinned memory without the processor. No sentence is empty, so there
        # are at most as many sentences as tokens.
        self._tokens = torch.empty(capacity, dtype=torch.int32, pin_memory=self._on_gpu)
        self._starts = torch.empty(capacity + 1, dtype=torch.int32, pin_memory=self._on_gpu)

    def upload(
        self, pieces: Iterable[npt.NDArray[np.int32]], sentence_starts: npt.NDArray[np.int64]
    ) -> Uploaded:
        """Copy a block, given in pieces, and wait until it is there."""
        with self._own_stream():
            uploaded = Uploaded(
                self._copied(pieces, self._tokens), self._copied([sentence_starts], self._starts)
            )
        if self._stream is not None:
            self._stream.synchronize()
        return uploaded

    def _own_stream(self) -> AbstractContextManager[object]:
        return nullcontext() if self._stream is None else torch.cuda.stream(self._stream)

    def _copied(
        self, pieces: Iterable[npt.NDArray[np.integer]], pinned: torch.Tensor
    ) -> torch.Tensor:
        numbers = pinned.numpy()
        end = 0
        for piece in pieces:
            begin, end = end, end + len(piece)
            np.copyto(numbers[begin:end], piece, casting="same_kind")
        return pinned[:end].to(self._device, non_blocking=True, copy=True)
