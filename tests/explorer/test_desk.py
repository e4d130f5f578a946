"""Questions wait in turns, and only as long as somebody waits for the answer."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial

import pytest

from hyperskip.explorer.server.request_queue import Desk, TooBusyError


async def gone() -> bool:
    return True


async def queued(desk: Desk, ask: Callable[[], None]) -> None:
    """Ask while the only thread is busy."""
    busy, proceed = threading.Event(), threading.Event()

    def wait() -> None:
        busy.set()
        proceed.wait(30)

    first = asyncio.create_task(desk.answer(wait))
    await asyncio.to_thread(busy.wait, 30)
    ask()
    await asyncio.sleep(0)  # all that was asked has a place in the queue now
    proceed.set()
    await first


def test_clients_take_turns() -> None:
    answered: list[str] = []

    async def scenario() -> None:
        desk, asked = Desk(threads=1), list[asyncio.Task[None]]()

        def ask() -> None:
            for client in "aaaabbc":
                answer = desk.answer(partial(answered.append, client), client=client)
                asked.append(asyncio.create_task(answer))

        await queued(desk, ask)
        await asyncio.gather(*asked)

    asyncio.run(scenario())
    assert "".join(answered) == "abcabaa"


def test_nobody_works_for_a_client_that_has_gone() -> None:
    answered: list[str] = []

    async def scenario() -> None:
        desk, asked = Desk(threads=1), list[asyncio.Task[None]]()

        def ask() -> None:
            asked.append(
                asyncio.create_task(desk.answer(lambda: answered.append("x"), is_gone=gone))
            )
            asked.append(asyncio.create_task(desk.answer(lambda: answered.append("y"))))

        await queued(desk, ask)
        with pytest.raises(TooBusyError):
            await asked[0]
        await asked[1]

    asyncio.run(scenario())
    assert answered == ["y"]


def test_a_question_that_is_cancelled_in_its_turn_passes_it_on() -> None:
    async def scenario() -> str:
        desk, asked = Desk(threads=1), list[asyncio.Task[None]]()

        async def leave() -> None:
            with pytest.raises(TooBusyError):
                await desk.answer(lambda: None, is_gone=gone)
            asked[1].cancel()  # whose turn it is since the line above

        def ask() -> None:
            asked.append(asyncio.create_task(leave()))
            asked.append(asyncio.create_task(desk.answer(lambda: None)))

        await queued(desk, ask)
        await asked[0]
        with pytest.raises(asyncio.CancelledError):
            await asked[1]
        return await asyncio.wait_for(desk.answer(lambda: "answered"), 30)

    assert asyncio.run(scenario()) == "answered"


def test_a_thread_that_cannot_be_started_is_not_counted_as_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def scenario() -> str:
        desk = Desk(threads=1)
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refuse)
            for _ in range(2):  # the second one must not wait for the first one's thread
                with pytest.raises(TooBusyError):
                    async with asyncio.timeout(5):
                        await desk.answer(lambda: "none")
        return await desk.answer(lambda: "answer")

    assert asyncio.run(scenario()) == "answer"
