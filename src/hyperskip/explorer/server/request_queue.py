"""Worker threads that answer requests, and the order in which requests wait for them."""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

from hyperskip.devices import core_count

Answer = TypeVar("Answer")

_MOST_THREADS = 4  # only NumPy and the search run without the interpreter's lock
_PATIENCE = 10.0  # seconds


class TooBusyError(Exception):
    """A request waited too long, its client disconnected, or no thread could be started."""


async def _never() -> bool:
    return False


class RequestQueue:
    """Answers requests in its own threads, for one event loop.

    Clients take turns: a client with many requests delays only itself. The number of waiting
    requests is limited by the number of connections.

    Args:
        threads: Number of requests answered at the same time. Default: one per core, at most four.
        patience: Seconds that a request may wait.
    """

    def __init__(self, threads: int | None = None, patience: float = _PATIENCE) -> None:
        threads = threads or min(core_count(), _MOST_THREADS)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="hyperskip-explorer")
        self._patience = patience
        self._free = threads
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by client, next one first

    async def run(
        self,
        work: Callable[[], Answer],
        *,
        client: str = "",
        is_disconnected: Callable[[], Awaitable[bool]] = _never,
    ) -> Answer:
        """Call a function in a thread, and return or raise what it does.

        Args:
            work: The function.
            client: Who sent the request.
            is_disconnected: Whether the client has disconnected; called when its turn comes.

        Raises:
            TooBusyError: The function was not called.
        """
        await self._wait_for_turn(client)
        is_gone = True
        try:
            is_gone = await is_disconnected()
        finally:
            if is_gone:
                self._start_next()
        if is_gone:
            raise TooBusyError
        # A client that disconnects from now on does not stop the thread.
        is_cancelled = threading.Event()
        try:
            future = self._threads.submit(lambda: None if is_cancelled.is_set() else work())
        except RuntimeError:  # no thread could be started, but the pool has queued the work
            is_cancelled.set()
            self._start_next()
            raise TooBusyError from None
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: self._thread_done(loop))
        return cast(Answer, await asyncio.wrap_future(future))

    async def _wait_for_turn(self, client: str) -> None:
        """Wait for a free thread and reserve it."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            async with asyncio.timeout(self._patience):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # the turn came at the same moment
                self._start_next()
            if isinstance(error, TimeoutError):
                raise TooBusyError from None
            raise

    def _start_next(self) -> None:
        """Give a free thread to the next request."""
        while self._waiting:
            client = next(iter(self._waiting))
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns  # after all other clients
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _thread_done(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            loop.call_soon_threadsafe(self._start_next)
