"""Text on its way to the device, through pinned memory, while kernels run."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import numpy.typing as npt
import torch

from hyperskip.training.gpu.thinning import Uploaded


class Uploads:
    """Takes blocks of text to the device, on a stream of its own; one at a time.

    Args:
        capacity: Tokens of the longest block.
        device: Where to.
    """

    def __init__(self, capacity: int, device: torch.device) -> None:
        self._device = device
        self._on_gpu = device.type == "cuda"
        self._stream = torch.cuda.Stream() if self._on_gpu else None
        # From pinned memory, the device copies by itself. No sentence is empty.
        self._tokens = torch.empty(capacity, dtype=torch.int32, pin_memory=self._on_gpu)
        self._starts = torch.empty(capacity + 1, dtype=torch.int32, pin_memory=self._on_gpu)

    def upload(
        self, pieces: Iterable[npt.NDArray[np.int32]], sentence_starts: npt.NDArray[np.int64]
    ) -> Uploaded:
        """Copy a block, whose tokens come in pieces, and wait for it."""
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
