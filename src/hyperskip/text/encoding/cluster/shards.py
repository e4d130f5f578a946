"""The encoded text in the object store of a Ray cluster, in shards that any node can read."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.files.remote import Location
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.integers import Integers

_SHARD_TOKENS = 1 << 24


@dataclass(frozen=True)
class Shard:
    """Consecutive tokens, in the object store."""

    first: int  # index of the first token in the text
    count: int
    tokens: Any  # reference to their ids, int32
    starts: Any  # reference to the sentence starts within, relative to the first token, int64
    # What Ray requires to make the shard again if its node dies.
    origin: tuple[Any, ...] = ()


class Shards(Integers[np.int32]):
    """The word ids of a corpus, read from shards.

    It can be passed to tasks and actors. Any number of threads may read it at the same time.

    Args:
        path: The file to name in messages.
        shards: The shards, in order; none is empty.
    """

    def __init__(self, path: Location, shards: Sequence[Shard]) -> None:
        self.shards = tuple(shards)
        length = self.shards[-1].first + self.shards[-1].count
        super().__init__(path, np.dtype(np.int32), length)
        self._firsts = [shard.first for shard in self.shards]
        self._recent: tuple[Any, Any] = (None, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.shards)

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Read the sentence starts in the half-open range of tokens."""
        import ray

        found = [np.zeros(0, dtype=np.int64)]
        for shard in self._overlapping(begin, end):
            starts = ray.get(shard.starts)
            first, last = np.searchsorted(starts, (begin - shard.first, end - shard.first))
            found.append(starts[first:last] + shard.first)
        return np.concatenate(found)

    def _read(self, offset: int, size: int) -> bytes:
        begin = offset // self._item_size
        end = begin + size // self._item_size
        return b"".join(
            self._ids(shard)[max(begin - shard.first, 0) : end - shard.first].tobytes()
            for shard in self._overlapping(begin, end)
        )

    def _overlapping(self, begin: int, end: int) -> Sequence[Shard]:
        if begin >= end:
            return ()
        first = bisect_right(self._firsts, begin) - 1
        return self.shards[first : bisect_right(self._firsts, end - 1)]

    def _ids(self, shard: Shard) -> npt.NDArray[np.int32]:
        """Read the ids of a shard; holding the last one keeps it in the memory of this node."""
        import ray

        recent, ids = self._recent
        if recent is not shard:
            ids = ray.get(shard.tokens)
            self._recent = shard, ids
        checked: npt.NDArray[np.int32] = ids
        return checked


def shards_of(corpus: EncodedCorpus, path: Location, tokens: int = _SHARD_TOKENS) -> Shards:
    """Copy the text of a corpus that only this process can read into the object store.

    Args:
        corpus: The corpus.
        path: The file to name in messages.
        tokens: The number of tokens in a shard.
    """
    import ray

    shards = []
    for first in range(0, corpus.token_count, tokens):
        end = min(first + tokens, corpus.token_count)
        ids, starts = corpus.stretch(first, end), corpus.starts_within(first, end) - first
        shards.append(Shard(first, end - first, ray.put(ids), ray.put(starts)))
    return Shards(path, shards)
