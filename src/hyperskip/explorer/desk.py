"""Threads that answer, and a bound on how many questions wait for them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")

THREADS = 4  # NumPy and the index work without the interpreter's lock
WAITING = 64


class TooBusyError(Exception):
    """So many questions wait that one more is not taken."""


class Desk:
    """Answers questions in threads of its own. For one event loop.

    Args:
        threads: How many questions are answered at once.
        waiting: How many more may wait.
    """

    def __init__(self, threads: int = THREADS, waiting: int = WAITING) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="hyperskip-explorer")
        self._most = threads + waiting
        self._taken = 0

    async def answer(self, question: Callable[[], Answer]) -> Answer:
        """What the question returns, or raises.

        Raises:
            TooBusyError: It is not taken.
        """
        if self._taken >= self._most:
            raise TooBusyError
        self._taken += 1
        # A client that gives up does not stop the thread: the place is free when that is.
        future = self._threads.submit(question)
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: self._free(loop))
        return await asyncio.wrap_future(future)

    def _free(self, loop: asyncio.AbstractEventLoop) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self._taken -= 1
