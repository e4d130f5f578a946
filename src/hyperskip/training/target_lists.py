"""A block of edges in the order of training: sources, each with a list of targets."""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from hyperskip.training.backend import Limits, Tokens


class TargetLists(NamedTuple):
    """Sources, each with a list of targets."""

    sources: npt.NDArray[np.int32]  # (lists,)
    starts: npt.NDArray[np.int64]  # (lists + 1,): where the targets of each source start
    targets: npt.NDArray[np.int32]  # (edges,)
    weights: npt.NDArray[np.float32]  # (edges,), or (0,) if all are 1

    @classmethod
    def of(cls, tokens: Tokens, sentence_starts: Limits, *, weighted: bool) -> Self:
        """The lists of a block of an `EdgeText`, in its order."""
        begins, counts = sentence_starts[:-1], np.diff(sentence_starts) - 1
        is_source = np.zeros(len(tokens), dtype=np.bool_)
        is_source[begins] = True
        others = tokens[~is_source]
        weights = np.zeros(0, dtype=np.float32)
        if weighted:
            others, weights = others[::2].copy(), others[1::2].copy().view(np.float32)
            counts = counts // 2
        starts = np.concatenate(([0], np.cumsum(counts)))
        return cls(tokens[begins], starts, others, weights)

    def shuffled(self, seed: np.uint64) -> Self:
        """The same lists in a random order."""
        order = np.random.default_rng(int(seed)).permutation(len(self.sources))
        counts = np.diff(self.starts)[order]
        starts = np.concatenate(([0], np.cumsum(counts)))
        moved = np.repeat(self.starts[:-1][order] - starts[:-1], counts) + np.arange(starts[-1])
        weights = self.weights[moved] if len(self.weights) else self.weights
        return type(self)(self.sources[order], starts, self.targets[moved], weights)
