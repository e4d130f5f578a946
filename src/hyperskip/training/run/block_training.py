"""Training on blocks of text: threads that share the parameters of a backend."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

from hyperskip.thread_pool import ThreadPool
from hyperskip.training.backend import Backend, Outcome
from hyperskip.training.blocks import Block, block_seed, sentence_limits
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import BlockText

_PIECE = 1 << 20  # tokens to read at a time; they fit into the cache of the processor


class EpochBlock(NamedTuple):
    """A block in an epoch, which may have a text of its own."""

    epoch: int
    block: Block


class BlockTraining:
    """Trains a backend on blocks of a text.

    Args:
        backend: Holds the parameters.
        text_of: Returns the text of an epoch.
        token_count: Number of tokens in the text.
        plan: The plan of the training.
    """

    def __init__(
        self,
        backend: Backend,
        text_of: Callable[[int], BlockText],
        token_count: int,
        plan: Plan,
    ) -> None:
        self._backend = backend
        self._text_of = text_of
        self._token_count = token_count
        self._plan = plan
        self._reader = _BlockReader(self._load, ahead=backend.reads_ahead)

    def train(
        self,
        blocks: Sequence[Block],
        epoch: int,
        finished: Callable[[Block, Outcome], None],
        watch: Callable[[], bool] = lambda: False,
        following: Block | None = None,
    ) -> int:
        """Train on blocks, in order, until all are done or `watch` asks for a pause.

        Args:
            blocks: The blocks.
            epoch: The epoch, from 0.
            finished: Called after each block, by one thread at a time.
            watch: Called by this thread, several times a second; whether to start no more blocks.
            following: The first block of the next epoch, to be read ahead.

        Returns:
            The number of blocks that were trained.
        """
        queue = _BlockQueue(
            [EpochBlock(epoch, block) for block in blocks],
            None if following is None else EpochBlock(epoch + 1, following),
        )
        guard = threading.Lock()

        def work(worker: int) -> None:
            for item, following in queue.blocks():
                outcome = self._train_block(item, following, worker)
                with guard:
                    finished(item.block, outcome)

        workers = self._backend.workers
        with ThreadPool(workers) as pool:
            try:
                working = {pool.submit(work, worker) for worker in range(workers)}
                while working:
                    ended = pool.finished(working)
                    working -= ended
                    for future in ended:
                        future.result()
                    if watch():
                        queue.pause()
            except BaseException:  # an error, or a second Ctrl-C
                queue.pause()
                self._backend.stop()
                raise
        return queue.taken

    def _train_block(self, item: EpochBlock, following: EpochBlock | None, worker: int) -> Outcome:
        epoch, block = item
        plan, begin, end = self._plan, *(edge / self._token_count for edge in block[1:])
        return self._backend.train_block(
            self._reader.text_of(item, following),
            (plan.rate_at(epoch, begin), plan.rate_at(epoch, end)),
            block_seed(plan.seed, epoch, block.number),
            worker=worker,
            burn_in=epoch < plan.burn_in_epochs,
            ceilings=(plan.ceiling_at(epoch, begin), plan.ceiling_at(epoch, end)),
        )

    def _load(self, item: EpochBlock) -> Any:
        block, text = item.block, self._text_of(item.epoch)
        starts_inside = text.starts_within(block.begin + 1, block.end)
        pieces = (
            text.stretch(begin, min(begin + _PIECE, block.end))
            for begin in range(block.begin, block.end, _PIECE)
        )
        return self._backend.load(pieces, sentence_limits(block, starts_inside))


class _BlockQueue:
    """Hands out blocks to threads, in order, each with the block after it."""

    def __init__(self, blocks: Sequence[EpochBlock], following: EpochBlock | None) -> None:
        self.taken = 0
        self._pairs = list(zip(blocks, (*blocks[1:], following), strict=True))
        self._paused = False
        self._guard = threading.Lock()

    def blocks(self) -> Iterator[tuple[EpochBlock, EpochBlock | None]]:
        """Take blocks for one thread until none is left, or until a pause."""
        while True:
            with self._guard:
                if self._paused or self.taken == len(self._pairs):
                    return
                pair = self._pairs[self.taken]
                self.taken += 1
            yield pair

    def pause(self) -> None:
        """Hand out no more blocks."""
        self._paused = True


class _BlockReader:
    """Loads the text of blocks: on demand, or the next block while one is trained on.

    When reading ahead, only one thread may use it.
    """

    def __init__(self, load: Callable[[EpochBlock], Any], *, ahead: bool) -> None:
        self._load = load
        self._is_ahead = ahead
        self._pool = ThreadPool(1)  # starts no thread until it is used
        self._next: tuple[EpochBlock, Future[Any]] | None = None

    def text_of(self, block: EpochBlock, following: EpochBlock | None) -> Any:
        """The text of a block, as the backend loads it; `following` is read ahead."""
        if not self._is_ahead:
            return self._load(block)
        if self._next is None or self._next[0] != block:
            self._begin(block)
        assert self._next is not None  # set by `_begin`
        text = self._next[1].result()
        if following is not None:
            self._begin(following)
        return text

    def _begin(self, block: EpochBlock) -> None:
        self._next = block, self._pool.submit(self._load, block)
