"""A stream of items: in batches, and worked on by several threads with results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Sized = TypeVar("Sized", bound=Sequence[str])  # a text, or a list of tokens


def batched(items: Iterable[Sized], size: int) -> Iterator[list[Sized]]:
    """Items in batches that have a length of at least `size` in all, but for the last one."""
    batch: list[Sized] = []
    length = 0
    for item in items:
        batch.append(item)
        length += len(item)
        if length >= size:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int,
    stop: Callable[[], None] = lambda: None,
) -> Iterator[Result]:
    """What `work` makes of each item, while a few items more are in work.

    Items are taken in this thread: what reads and unpacks them goes on while others work. After an
    error, Ctrl-C, or when no more results are wanted, `stop` is called: it should make `work` that
    takes long return, because the threads end only then.
    """
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="hyperskip") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                while len(waiting) > 2 * threads or (waiting and waiting[0].done()):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            for future in waiting:
                future.cancel()
            stop()
            raise
