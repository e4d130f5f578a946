"""Idle, slow and malformed connections, in an event loop whose clock can be advanced."""

import asyncio
import inspect
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
import uvicorn
from api_client import Client
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from hyperskip.explorer.api.responses import error_response
from hyperskip.explorer.server.connections import Connection, Limits, in_chunks
from hyperskip.explorer.server.security import MODEL_HEADER

HEAD = b"GET /api/model HTTP/1.1\r\nHost: localhost\r\n"
LIMITS = Limits(3, request_seconds=1000, keep_alive_seconds=2000, reading_seconds=3000)
HEADERS = {MODEL_HEADER: "some model"}


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose clock can be advanced."""

    offset = 0.0

    def time(self) -> float:
        return super().time() + self.offset


async def advance(seconds: float) -> None:
    """Advance the clock, and run all timers that are due."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Clock)
    loop.offset += seconds
    for _ in range(5):
        await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


@dataclass
class Server:
    """A server with the protocol of the explorer."""

    port: int
    made: list[Connection] = field(default_factory=list)
    clients: list["Peer"] = field(default_factory=list)

    async def connect(self) -> "Peer":
        count = len(self.made)
        peer = Peer(*await asyncio.open_connection("127.0.0.1", self.port))
        self.clients.append(peer)
        await until(lambda: len(self.made) > count and self.made[-1].transport is not None)
        return peer


@dataclass
class Peer:
    """A client."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def response(self) -> tuple[int, dict[str, str], bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        return (
            int(lines[0].split()[1]),
            headers,
            await self.reader.readexactly(int(headers["content-length"])),
        )

    async def is_closed(self) -> bool:
        """Whether the server closes the connection; otherwise the test times out."""
        try:
            return await self.reader.read() == b""
        except ConnectionError:
            return True

    def is_open(self) -> bool:
        return not self.reader.at_eof()


@asynccontextmanager
async def serving(app: ASGIApp, limits: Limits = LIMITS) -> AsyncIterator[Server]:
    config = uvicorn.Config(
        in_chunks(app),
        log_config=None,
        server_header=False,
        timeout_keep_alive=limits.keep_alive_seconds,
    )
    listening = socket.create_server(("127.0.0.1", 0))
    server, state = Server(listening.getsockname()[1]), ServerState()

    def made() -> Connection:
        server.made.append(
            Connection(
                config=config, server_state=state, app_state={}, limits=limits, headers=HEADERS
            )
        )
        return server.made[-1]

    running = await asyncio.get_running_loop().create_server(made, sock=listening)
    yield server
    running.close()
    for client in server.clients:
        client.writer.close()
    for connection in server.made:
        connection.drop()
    await until(lambda: not state.connections)


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def checked() -> None:
        failures: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, about: failures.append(about))
        await scenario()
        assert not failures

    with asyncio.Runner(loop_factory=Clock) as runner:
        runner.run(checked())


def test_overridden_methods_exist() -> None:
    ours = {name for name in vars(Connection) if not name.startswith("_")} - {"drop"}
    assert ours == {
        *("connection_made", "connection_lost", "data_received", "on_response_complete"),
        *("pause_writing", "resume_writing", "send_400_response"),
    }
    for name in ours:
        theirs = inspect.signature(getattr(H11Protocol, name))
        assert inspect.signature(getattr(Connection, name)).parameters.keys() == (
            theirs.parameters.keys()
        )


@pytest.mark.parametrize("descriptors", [20, 64, 256, 1024, 1 << 20])
def test_limits_are_below_the_number_of_descriptors(descriptors: int) -> None:
    limits = Limits.for_descriptors(descriptors)
    assert 1 <= limits.connections <= 1000
    assert limits.backlog >= 1
    if descriptors >= 64:
        assert limits.connections + 4 * limits.backlog < descriptors - 30


# -- timeouts


def test_a_request_must_arrive_in_time(client: Client) -> None:
    async def scenario() -> None:
        async with serving(client.app) as server:
            silent, slow, busy = [await server.connect() for _ in range(3)]
            slow.writer.write(HEAD)
            await until(lambda: bool(server.made[1].conn.trailing_data[0]))
            await advance(LIMITS.request_seconds / 2)
            slow.writer.write(b"X-More: 1\r\n")
            busy.writer.write(HEAD + b"\r\n")
            assert (await busy.response())[0] == 200
            await advance(LIMITS.request_seconds / 2 + 1)
            status, headers, body = await slow.response()
            assert status == 408
            assert headers[MODEL_HEADER.lower()] == HEADERS[MODEL_HEADER]
            assert "too long" in json.loads(body)["error"]
            assert await silent.is_closed()
            assert busy.is_open()

    run(scenario)


def test_the_next_request_must_arrive_in_time_too(client: Client) -> None:
    async def scenario() -> None:
        async with serving(client.app) as server:
            idle, slow = [await server.connect() for _ in range(2)]
            for peer in (idle, slow):
                peer.writer.write(HEAD + b"\r\n")
                assert (await peer.response())[0] == 200
            slow.writer.write(b"GET")
            await until(lambda: bool(server.made[1].conn.trailing_data[0]))
            await advance(LIMITS.request_seconds + 1)
            assert (await slow.response())[0] == 408
            assert idle.is_open()
            await advance(LIMITS.keep_alive_seconds)
            assert await idle.is_closed()

    run(scenario)


LONG = 50_000_000  # bytes: more than the buffers of the system hold


async def long_response(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"content-length", str(LONG).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": bytes(LONG)})


def test_the_timeout_of_a_request_does_not_end_the_previous_response() -> None:
    async def scenario() -> None:
        async with serving(long_response) as server:
            peer = await server.connect()
            peer.writer.write(HEAD + b"\r\n")
            await until(lambda: server.made[0].flow.write_paused)
            peer.writer.write(HEAD + b"\r\n")
            await until(lambda: bool(server.made[0].conn.trailing_data[0]))
            await advance(LIMITS.request_seconds + 1)
            for _ in range(2):
                assert len((await peer.response())[2]) == LONG

    run(scenario)


def test_a_long_response_waits_for_its_reader_for_a_limited_time() -> None:
    async def scenario() -> None:
        async with serving(long_response) as server:
            reading, unread = [await server.connect() for _ in range(2)]
            unread.writer.write(HEAD + b"\r\n")
            await until(lambda: server.made[1].flow.write_paused)
            assert 0 < server.made[1].transport.get_write_buffer_size() <= 1 << 16
            reading.writer.write(HEAD + b"\r\n")
            assert len((await reading.response())[2]) == LONG
            await advance(LIMITS.reading_seconds / 2)
            assert server.made[1] in server.made[1].connections
            await advance(LIMITS.reading_seconds / 2 + 1)
            await until(lambda: server.made[1] not in server.made[1].connections)

    run(scenario)


# -- the number of connections


def test_a_new_connection_replaces_the_longest_idle_one(client: Client) -> None:
    async def scenario() -> None:
        async with serving(client.app) as server:
            first, second, third = [await server.connect() for _ in range(3)]
            await advance(1)
            first.writer.write(HEAD + b"\r\n")
            assert (await first.response())[0] == 200
            new = await server.connect()
            assert await second.is_closed()
            new.writer.write(HEAD + b"\r\n")
            assert (await new.response())[0] == 200
            assert first.is_open()
            assert third.is_open()

    run(scenario)


def test_a_connection_that_waits_for_an_answer_is_not_replaced() -> None:
    proceed = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await proceed.wait()
        await error_response(404, "answered")(scope, receive, send)

    async def scenario() -> None:
        async with serving(app) as server:
            waiting = [await server.connect() for _ in range(3)]
            for peer in waiting:
                peer.writer.write(HEAD + b"\r\n")
            await until(lambda: all(connection.cycle for connection in server.made))
            status, headers, body = await (await server.connect()).response()
            assert status == 503
            assert headers[MODEL_HEADER.lower()] == HEADERS[MODEL_HEADER]
            assert "error" in json.loads(body)
            proceed.set()
            assert [(await peer.response())[0] for peer in waiting] == [404] * 3

    run(scenario)


# -- malformed requests

MALFORMED = {
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two hosts": (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    "no HTTP": (b"\x16\x03\x01 hello\r\n\r\n", 400),
    "a long address": (b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
    "a long header": (HEAD + b"X-Long: " + b"a" * 1_000_000 + b"\r\n\r\n", 431),
    "an unknown encoding": (HEAD + b"Transfer-Encoding: magic\r\n\r\n", 501),
    "a bad length": (HEAD + b"Content-Length: many\r\n\r\n", 400),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_request_gets_an_error_like_any_other(client: Client, name: str) -> None:
    request, expected = MALFORMED[name]

    async def scenario() -> None:
        async with serving(client.app) as server:
            peer = await server.connect()
            peer.writer.write(request)
            status, headers, body = await peer.response()
            assert status == expected
            assert headers[MODEL_HEADER.lower()] == HEADERS[MODEL_HEADER]
            assert headers["content-type"] == "application/json"
            assert json.loads(body).keys() == {"error", "hint"}
            assert await peer.is_closed()
            await advance(LIMITS.request_seconds + 1)  # the server does not wait for the client
            await until(lambda: server.made[0] not in server.made[0].connections)

    run(scenario)


def test_a_malformed_body_ends_a_request_that_is_being_answered() -> None:
    proceed, answered = asyncio.Event(), asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await proceed.wait()
        await error_response(404, "answered")(scope, receive, send)
        answered.set()

    async def scenario() -> None:
        async with serving(app) as server:
            peer = await server.connect()
            peer.writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\nno chunk\r\n")
            assert (await peer.response())[0] == 400
            proceed.set()
            await answered.wait()
            assert await peer.is_closed()

    run(scenario)
