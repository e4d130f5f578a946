"""Threads that answer questions, and the order in which questions wait for them."""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

from hyperskip.devices import core_count

Answer = TypeVar("Answer")

MOST_THREADS = 4  # NumPy and the index work without the interpreter's lock, all else with it
PATIENCE = 10.0  # seconds


class TooBusyError(Exception):
    """The question waited too long, its client has gone, or no thread can be started for it."""


async def _never() -> bool:
    return False


class Desk:
    """Answers questions in threads of its own. For one event loop.

    Clients take turns: one that asks a lot waits for itself, and not the others for it. The number
    of questions that wait is limited by the number of connections.

    Args:
        threads: How many questions are answered at once; as many as there are cores, and at most
            four, unless given.
        patience: How many seconds a question may wait.
    """

    def __init__(self, threads: int | None = None, patience: float = PATIENCE) -> None:
        threads = threads or min(core_count(), MOST_THREADS)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="hyperskip-explorer")
        self._patience = patience
        self._free = threads
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by client, next one first

    async def answer(
        self,
        question: Callable[[], Answer],
        *,
        client: str = "",
        is_gone: Callable[[], Awaitable[bool]] = _never,
    ) -> Answer:
        """What the question returns, or raises.

        Args:
            question: Is called in a thread.
            client: Who asks.
            is_gone: Whether the client has given up; asked when it is its turn.

        Raises:
            TooBusyError: It is not answered.
        """
        await self._turn(client)
        gone = True
        try:
            gone = await is_gone()
        finally:
            if gone:
                self._pass_on()
        if gone:
            raise TooBusyError
        # A client that gives up now does not stop the thread: the next turn is when that is free.
        is_refused = threading.Event()
        try:
            future = self._threads.submit(lambda: None if is_refused.is_set() else question())
        except RuntimeError:  # no thread could be started, but the question is in the queue
            is_refused.set()
            self._pass_on()
            raise TooBusyError from None
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: self._done(loop))
        return cast(Answer, await asyncio.wrap_future(future))

    async def _turn(self, client: str) -> None:
        """Wait for a free thread, which is then taken."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            async with asyncio.timeout(self._patience):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # its turn came at the same moment
                self._pass_on()
            if isinstance(error, TimeoutError):
                raise TooBusyError from None
            raise

    def _pass_on(self) -> None:
        """Give a thread that is free to the next question."""
        while self._waiting:
            client = next(iter(self._waiting))
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns  # behind all other clients
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may close at any moment
            loop.call_soon_threadsafe(self._pass_on)
