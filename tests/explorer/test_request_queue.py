"""Clients take turns, and requests of disconnected clients are dropped."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial

import pytest

from hyperskip.explorer.server.request_queue import RequestQueue, TooBusyError


async def disconnected() -> bool:
    return True


async def queued(queue: RequestQueue, ask: Callable[[], None]) -> None:
    """Add requests while the only thread is busy."""
    busy, proceed = threading.Event(), threading.Event()

    def wait() -> None:
        busy.set()
        proceed.wait(30)

    first = asyncio.create_task(queue.run(wait))
    await asyncio.to_thread(busy.wait, 30)
    ask()
    await asyncio.sleep(0)  # all requests are in the queue now
    proceed.set()
    await first


def test_clients_take_turns() -> None:
    answered: list[str] = []

    async def scenario() -> None:
        queue, asked = RequestQueue(threads=1), list[asyncio.Task[None]]()

        def ask() -> None:
            for client in "aaaabbc":
                answer = queue.run(partial(answered.append, client), client=client)
                asked.append(asyncio.create_task(answer))

        await queued(queue, ask)
        await asyncio.gather(*asked)

    asyncio.run(scenario())
    assert "".join(answered) == "abcabaa"


def test_requests_of_disconnected_clients_are_dropped() -> None:
    answered: list[str] = []

    async def scenario() -> None:
        queue, asked = RequestQueue(threads=1), list[asyncio.Task[None]]()

        def ask() -> None:
            asked.append(
                asyncio.create_task(
                    queue.run(lambda: answered.append("x"), is_disconnected=disconnected)
                )
            )
            asked.append(asyncio.create_task(queue.run(lambda: answered.append("y"))))

        await queued(queue, ask)
        with pytest.raises(TooBusyError):
            await asked[0]
        await asked[1]

    asyncio.run(scenario())
    assert answered == ["y"]


def test_a_canceled_request_passes_its_turn_on() -> None:
    async def scenario() -> str:
        queue, asked = RequestQueue(threads=1), list[asyncio.Task[None]]()

        async def leave() -> None:
            with pytest.raises(TooBusyError):
                await queue.run(lambda: None, is_disconnected=disconnected)
            asked[1].cancel()  # its turn has just come

        def ask() -> None:
            asked.append(asyncio.create_task(leave()))
            asked.append(asyncio.create_task(queue.run(lambda: None)))

        await queued(queue, ask)
        await asked[0]
        with pytest.raises(asyncio.CancelledError):
            await asked[1]
        return await asyncio.wait_for(queue.run(lambda: "answered"), 30)

    assert asyncio.run(scenario()) == "answered"


def test_a_thread_that_cannot_be_started_is_not_counted_as_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def scenario() -> str:
        queue = RequestQueue(threads=1)
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refuse)
            for _ in range(2):  # the second must not wait for the thread of the first
                with pytest.raises(TooBusyError):
                    async with asyncio.timeout(5):
                        await queue.run(lambda: "none")
        return await queue.run(lambda: "answer")

    assert asyncio.run(scenario()) == "answer"
