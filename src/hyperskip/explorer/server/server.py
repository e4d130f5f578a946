"""The explorer at an address of this machine, until a signal ends it."""

import contextlib
import errno
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from dataclasses import dataclass
from typing import Self

import uvicorn
from starlette.applications import Starlette
from threadpoolctl import threadpool_limits

from hyperskip.errors import OptionError
from hyperskip.explorer.server.connections import (
    Limits,
    Server,
    descriptor_limit,
    in_pieces,
    protocol,
)
from hyperskip.explorer.server.guard import LOCAL
from hyperskip.interruption import Interruption

PORT = 8400
_LAST_PORT = 65535

_SHUTDOWN_SECONDS = 1  # for answers that are on their way


@dataclass(frozen=True)
class Address:
    """A place where nobody else listens, and a socket there."""

    host: str
    listening: socket.socket

    @classmethod
    def taken(cls, host: str, port: int | None, *, usual_port: int = PORT) -> Self:
        """Take an address: this port, or if none is asked for the usual one, or else any.

        Raises:
            OptionError: There is no such port, it is taken, or the host is not one of this
                machine's.
        """
        if port is not None and not 1 <= port <= _LAST_PORT:
            raise OptionError(
                f"port is {port}", hint=f"port takes a whole number from 1 to {_LAST_PORT}"
            )
        if port is not None:
            return cls(host, _listening(host, port))
        try:
            return cls(host, _listening(host, usual_port))
        except _TakenError:
            return cls(host, _listening(host, 0))

    @property
    def port(self) -> int:
        """The port that it is."""
        return int(self.listening.getsockname()[1])

    @property
    def url(self) -> str:
        """What a browser on this machine asks for: in numbers, as a name may lead elsewhere."""
        bound = self._bound
        if bound.is_unspecified:
            bound = ipaddress.ip_address("127.0.0.1" if bound.version == 4 else "::1")
        return f"http://{f'[{bound}]' if bound.version == 6 else bound}:{self.port}/"

    @property
    def is_for_this_machine_only(self) -> bool:
        """Whether nobody on the network can ask."""
        bound = self._bound
        mapped = bound.ipv4_mapped if isinstance(bound, ipaddress.IPv6Address) else None
        return (mapped or bound).is_loopback

    @property
    def names(self) -> frozenset[str]:
        """What the address may be called, beside its numbers.

        On the network these are, too, the names that this machine knows of itself.
        """
        names = LOCAL | {self.host.lower()}
        if self.is_for_this_machine_only:
            return names
        return names | {socket.gethostname().lower(), socket.getfqdn().lower()}

    @property
    def _bound(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
        return ipaddress.ip_address(self.listening.getsockname()[0])


class _TakenError(OptionError):
    """Somebody listens there already."""


def _listening(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise OptionError(
            f"host is {host!r}: {error}", hint="host takes a name or address of this machine"
        ) from error
    # Whoever asks for localhost tries both; whoever asks for 127.0.0.1 means the old one.
    family, kind, protocol, _, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen()
    except OSError as error:
        listening.close()
        raise _refused(host, port, error) from error
    return listening


def _refused(host: str, port: int, error: OSError) -> OptionError:
    if error.errno == errno.EADDRINUSE:
        return _TakenError(
            f"port is {port}, and another program listens there",
            hint="choose another --port, or none: then a free one is found",
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return OptionError(
            f"port is {port}, which this user may not take", hint="choose a --port from 1024 on"
        )
    return OptionError(
        f"cannot listen at {host}: {error.strerror or error}",
        hint="host takes a name or address of this machine, such as localhost",
    )


def serve(app: Starlette, listening: socket.socket, limits: Limits | None = None) -> int | None:
    """Answer until a signal ends it; returns the signal's number.

    The signal is only noted, also before the server is ready and after it has ended: an exception
    that a handler raises inside the event loop may be printed, lost, or keep the loop from ending.

    Args:
        app: What `make_app` made.
        listening: The socket.
        limits: Of connections; as many as there are file descriptors for unless given.
    """
    limits = limits or Limits.below(descriptor_limit())
    configuration = uvicorn.Config(
        in_pieces(app),
        http=protocol(limits, app.state.headers),
        backlog=limits.backlog,
        timeout_keep_alive=limits.keep_alive_seconds,
        log_level="error",  # what clients do wrong is told to them
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    server = Server(configuration)

    def stop() -> None:
        server.should_exit = True

    # Questions are answered in several threads. If each product took several threads more, they
    # would wait for one another, the longer the busier the machine is.
    with Interruption(stop) as interruption, threadpool_limits(limits=1, user_api="blas"):
        server.run(sockets=[listening])
    return interruption.requested


def open_browser(url: str) -> None:
    """Show a page in the person's browser, if there is one with windows."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return  # a browser in the terminal would take it over
    with contextlib.suppress(RuntimeError):  # no thread can be started; the person knows the url
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
