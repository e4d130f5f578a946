"""A pool of threads whose caller can be interrupted by signals at any moment.

A signal raises an exception in the main thread, also while that thread holds a lock of
`concurrent.futures`. The lock is then never released, and threads that need it wait forever.
"""

from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, ParamSpec, TypeVar

from hyperskip.interruption import signals_postponed

_WATCH_SECONDS = 0.1  # a signal waits no longer than this

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class ThreadPool:
    """Threads that work for another thread, usually the main thread.

    As a context manager, it ends with the block: it waits for work that has begun, and drops other
    work.

    Args:
        threads: Number of threads. Each starts when it is needed.
        name: First part of the names of the threads.
    """

    def __init__(self, threads: int, name: str = "hyperskip") -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._unfinished: set[Future[Any]] = set()

    def __enter__(self) -> "ThreadPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Wait for work that has begun, drop other work, and end the threads."""
        with signals_postponed():
            self._pool.shutdown(wait=False, cancel_futures=True)
        self.wait(self._unfinished.copy())
        with signals_postponed():
            self._pool.shutdown()

    def submit(
        self,
        work: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Future[Result]:
        """Call a function in a thread.

        Raises:
            RuntimeError: No thread can be started.
        """
        with signals_postponed():
            future = self._pool.submit(work, *arguments, **named)
            self._unfinished.add(future)
            future.add_done_callback(self._unfinished.discard)
            return future

    def result(self, future: Future[Result]) -> Result:
        """Wait for work of this pool, and return or raise what it did."""
        self.wait([future])
        return future.result()

    def wait(self, futures: Collection[Future[Any]]) -> None:
        """Wait until all of this work is done or canceled."""
        waiting = set(futures)
        while waiting:
            waiting -= self.finished(waiting)

    def finished(self, futures: Collection[Future[Any]]) -> set[Future[Any]]:
        """Wait for a short time, until all of this work is done; returns what is done."""
        with signals_postponed():
            return wait(futures, timeout=_WATCH_SECONDS).done
