"""Connections of the server: a limit on their number, timeouts, and errors of the protocol.

uvicorn implements HTTP. This module adds what it lacks: a new connection replaces an idle one, slow
clients are disconnected, and malformed requests get the same kind of error as others.
"""

import asyncio
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from hyperskip.explorer.api.responses import HINT, error_response

_MOST_CONNECTIONS = 1000
_LARGEST_BACKLOG = 64
_ACCEPT_QUEUE = 1024  # connections that wait to be accepted
_RESERVED_DESCRIPTORS = 40  # for everything that is not a connection
_DEFAULT_DESCRIPTORS = 512  # if the limit is unknown (Windows)
# An accepted connection takes up to this many iterations of the event loop until it has replaced
# another one, and each iteration may accept as many connections as the backlog.
_ITERATIONS = 4

_CHUNK = 1 << 16  # bytes of a response that are passed to a connection at a time
_SEND_BUFFER = 1 << 18  # bytes buffered by the system, whose default is megabytes


@dataclass(frozen=True)
class Limits:
    """Limits of connections.

    Attributes:
        connections: Maximum number. A further one replaces the one that has been idle longest.
        backlog: Number of connections accepted at a time.
        request_seconds: Time for a client to send the head of a request.
        keep_alive_seconds: Time until the next request on the same connection.
        reading_seconds: Time for a client to read a chunk of a response.
    """

    connections: int
    backlog: int = _LARGEST_BACKLOG
    request_seconds: float = 10
    keep_alive_seconds: int = 5
    reading_seconds: float = 20

    @staticmethod
    def for_descriptors(descriptors: int) -> "Limits":
        """Return limits for a process with this number of file descriptors."""
        available = max(descriptors - _RESERVED_DESCRIPTORS, 8)
        backlog = min(_LARGEST_BACKLOG, available // (2 * _ITERATIONS))
        return Limits(min(_MOST_CONNECTIONS, available - _ITERATIONS * backlog), backlog)


def descriptor_limit() -> int:
    """Return the number of file descriptors that this process may open."""
    try:
        import resource
    except ImportError:
        return _DEFAULT_DESCRIPTORS
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


class Server(uvicorn.Server):
    """A server with a long queue of connections that accepts a few of them at a time.

    asyncio has one setting for both. If the queue is full, a client tries again after a second,
    then after two, and so on.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_ACCEPT_QUEUE)


def connection_factory(limits: Limits, headers: Mapping[str, str]) -> type[asyncio.Protocol]:
    """Return what uvicorn makes connections with.

    Args:
        limits: Limits of each connection.
        headers: Headers of error responses.
    """
    return cast(type[asyncio.Protocol], partial(Connection, limits=limits, headers=headers))


class Connection(H11Protocol):
    """One connection, with limits."""

    def __init__(self, *arguments: Any, limits: Limits, headers: Mapping[str, str], **more: Any):
        super().__init__(*arguments, **more)
        self._limits, self._headers = limits, headers
        self._active_at = 0.0  # when it was opened, answered or read a chunk
        self._is_refused = False
        self._is_dropped = False
        self._request_timer: asyncio.TimerHandle | None = None
        self._reading_timer: asyncio.TimerHandle | None = None

    # -- called by asyncio and uvicorn

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Replace another connection if there are too many."""
        super().connection_made(transport)
        # Pause writing while anything is unsent: no response is buffered whole, and a client that
        # does not read is noticed.
        transport.set_write_buffer_limits(high=0)
        connected: socket.socket = transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        self._active_at = self.loop.time()
        self._start_request_timer()
        if len(self.connections) > self._limits.connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        super().connection_lost(exc)
        self._stop_request_timer()
        self._stop_reading_timer()

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request; this does not extend the time for its head."""
        if self._is_refused:
            return
        super().data_received(data)
        if self._has_response_to_send:  # the next request is read after it
            self._stop_request_timer()
        elif self._request_timer is None:
            self._start_request_timer()

    def on_response_complete(self) -> None:
        """Record when the connection became idle, unless the next request has begun."""
        self._active_at = self.loop.time()
        super().on_response_complete()
        begun, _ = self.conn.trailing_data
        if begun and not self._has_response_to_send:
            self._start_request_timer()

    def pause_writing(self) -> None:
        """Wait for the client to read, for a limited time."""
        super().pause_writing()
        self._active_at = self.loop.time()
        self._reading_timer = self.loop.call_later(self._limits.reading_seconds, self.drop)

    def resume_writing(self) -> None:
        """Continue to send."""
        super().resume_writing()
        self._stop_reading_timer()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request; uvicorn calls this while it handles the error of h11."""
        error = sys.exception()
        if isinstance(error, h11.RemoteProtocolError):
            self._refuse(error.error_status_hint, str(error))
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, msg)

    # -- limits

    def drop(self) -> None:
        """Close the connection now, even if data is unsent."""
        self._is_dropped = True
        self.transport.abort()

    @property
    def _has_response_to_send(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def _is_answering(self) -> bool:
        """Whether a request waits for its response."""
        return self.cycle is not None and not self.cycle.response_started

    def _make_room(self) -> None:
        others = [
            other
            for other in self.connections
            if isinstance(other, Connection) and other is not self and not other._is_dropped
        ]
        if len(others) < self._limits.connections:
            return
        idle = [other for other in others if not other._is_answering]
        if idle:
            min(idle, key=lambda other: other._active_at).drop()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "all connections are in use")

    def _start_request_timer(self) -> None:
        self._stop_request_timer()
        self._request_timer = self.loop.call_later(
            self._limits.request_seconds, self._end_slow_request
        )

    def _end_slow_request(self) -> None:
        begun, _ = self.conn.trailing_data
        if begun and not self._is_refused:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request took too long to arrive")
        else:
            self.drop()

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _stop_reading_timer(self) -> None:
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None

    # -- errors

    def _refuse(self, status: int, reason: str) -> None:
        """Answer with an error, and read no more requests."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # within another response
            self.drop()
            return
        if self.cycle is not None:
            self.cycle.disconnected = True  # so that it sends no response
        response = error_response(status, reason, HINT)
        headers = [*self._headers.items(), *response.headers.items(), ("Connection", "close")]
        phrase = HTTPStatus(status).phrase.encode()
        for event in (
            h11.Response(status_code=status, headers=headers, reason=phrase),
            h11.Data(data=bytes(response.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        # Closing now would reset the connection, and a client that is still sending would not read
        # the error. Ignore what it sends until it closes the connection or the time is up.
        self._is_refused = True
        self.transport.write_eof()
        self._start_request_timer()


def in_chunks(app: ASGIApp) -> ASGIApp:
    """Return the application with long responses sent in chunks, as fast as the client reads."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_chunks(message: Message) -> None:
            body = memoryview(message.get("body", b""))
            while len(body) > _CHUNK:
                chunk = {**message, "body": bytes(body[:_CHUNK]), "more_body": True}
                body = body[_CHUNK:]
                await send(chunk)
            await send({**message, "body": bytes(body)} if "body" in message else message)

        await app(scope, receive, send_chunks)

    return answer
