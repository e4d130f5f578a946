"""Connections of the explorer's server: a limit on their number, timeouts, and error responses.

The HTTP protocol is uvicorn's. This adds what it lacks: idle connections make room for new ones,
slow clients are disconnected, and a malformed request gets the same kind of error as any other.
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

from hyperskip.explorer.api.responses import error_response

_MOST_CONNECTIONS = 1000
_LARGEST_BACKLOG = 64
_QUEUE = 1024  # connections that wait to be accepted
_RESERVED_DESCRIPTORS = 40  # for everything that is not a connection
_USUAL_DESCRIPTORS = 512  # where the limit cannot be asked for (Windows)
# An accepted connection takes up to this many turns of the event loop until it has replaced another
# one, and each turn may accept as many as the backlog.
_TURNS = 4

_PIECE = 1 << 16  # bytes of a response that are handed to a connection at once
_SENDING = 1 << 18  # bytes that the system buffers; by itself it would take megabytes


@dataclass(frozen=True)
class Limits:
    """What connections may take up.

    Attributes:
        connections: How many there may be. One more replaces the one that was idle longest.
        backlog: How many are accepted at once.
        request_seconds: Until the head of a request must be complete.
        keep_alive_seconds: Until the next request must begin.
        reading_seconds: In which a client must take a piece of a response.
    """

    connections: int
    backlog: int = _LARGEST_BACKLOG
    request_seconds: float = 10
    keep_alive_seconds: int = 5
    reading_seconds: float = 20

    @staticmethod
    def below(descriptors: int) -> "Limits":
        """Limits for a process that may have this many open file descriptors."""
        available = max(descriptors - _RESERVED_DESCRIPTORS, 8)
        backlog = min(_LARGEST_BACKLOG, available // (2 * _TURNS))
        return Limits(min(_MOST_CONNECTIONS, available - _TURNS * backlog), backlog)


def descriptor_limit() -> int:
    """How many file descriptors this process may have open."""
    try:
        import resource
    except ImportError:
        return _USUAL_DESCRIPTORS
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


class Server(uvicorn.Server):
    """A server with a long queue of connections, of which it accepts a few at once.

    asyncio takes one number for both. Where the queue is full, a client tries again after a second,
    then after two, and so on.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_QUEUE)


def protocol(limits: Limits, headers: Mapping[str, str]) -> type[asyncio.Protocol]:
    """What uvicorn makes connections with; the headers are those of error responses."""
    return cast(type[asyncio.Protocol], partial(Connection, limits=limits, headers=headers))


class Connection(H11Protocol):
    """One connection, within limits."""

    def __init__(self, *arguments: Any, limits: Limits, headers: Mapping[str, str], **more: Any):
        super().__init__(*arguments, **more)
        self._limits, self._headers = limits, headers
        self._active_at = 0.0  # when it was opened, answered, or read a piece of a response
        self._is_refused = False
        self._is_dropped = False
        self._request_timer: asyncio.TimerHandle | None = None
        self._reading_timer: asyncio.TimerHandle | None = None

    # -- what asyncio and uvicorn call

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the place of another connection where there are too many."""
        super().connection_made(transport)
        # Writing is paused while anything is unsent: no response is buffered whole, and an unread
        # one is noticed.
        transport.set_write_buffer_limits(high=0)
        connected: socket.socket = transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENDING)
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
        """Take a part of a request; slow bytes do not extend the time for its head."""
        if self._is_refused:
            return
        super().data_received(data)
        if self._has_response_to_send:  # the next request is read after it
            self._stop_request_timer()
        elif self._request_timer is None:
            self._start_request_timer()

    def on_response_complete(self) -> None:
        """Note when the connection became idle, unless the next request is there already."""
        self._active_at = self.loop.time()
        super().on_response_complete()
        begun, _ = self.conn.trailing_data
        if begun and not self._has_response_to_send:
            self._start_request_timer()

    def pause_writing(self) -> None:
        """Wait until the client has read what was sent, but not forever."""
        super().pause_writing()
        self._active_at = self.loop.time()
        self._reading_timer = self.loop.call_later(self._limits.reading_seconds, self.drop)

    def resume_writing(self) -> None:
        """Send more."""
        super().resume_writing()
        self._stop_reading_timer()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request: uvicorn calls this where it handles h11's error."""
        error = sys.exception()
        if isinstance(error, h11.RemoteProtocolError):
            self._refuse(error.error_status_hint, str(error))
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, msg)

    # -- limits

    def drop(self) -> None:
        """Close the connection now, whatever is unsent."""
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
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "every connection waits for an answer")

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
        """Answer with an error, and read no further request."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # within another response
            self.drop()
            return
        if self.cycle is not None:
            self.cycle.disconnected = True  # it has no response to send any more
        response = error_response(status, reason, hint="see /openapi.json for what there is")
        headers = [*self._headers.items(), *response.headers.items(), ("Connection", "close")]
        phrase = HTTPStatus(status).phrase.encode()
        for event in (
            h11.Response(status_code=status, headers=headers, reason=phrase),
            h11.Data(data=bytes(response.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        # Closing now would reset the connection while the client still sends, and it would never
        # read the error: what else it sends is ignored until it closes, or time is up.
        self._is_refused = True
        self.transport.write_eof()
        self._start_request_timer()


def in_pieces(app: ASGIApp) -> ASGIApp:
    """The application, with long responses sent piece by piece, as fast as the client reads."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_pieces(message: Message) -> None:
            body = memoryview(message.get("body", b""))
            while len(body) > _PIECE:
                piece = {**message, "body": bytes(body[:_PIECE]), "more_body": True}
                body = body[_PIECE:]
                await send(piece)
            await send({**message, "body": bytes(body)} if "body" in message else message)

        await app(scope, receive, send_pieces)

    return answer
