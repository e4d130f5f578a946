"""The address that the explorer listens at."""

import errno
import ipaddress
import os
import socket
from dataclasses import dataclass
from typing import Self

from hyperskip.errors import OptionError
from hyperskip.explorer.port import DEFAULT_PORT, PORT
from hyperskip.explorer.server.security import LOCAL_NAMES


@dataclass(frozen=True)
class Address:
    """A host and a socket that listens there."""

    host: str
    listening: socket.socket

    @classmethod
    def bind(cls, host: str, port: int | None, *, default_port: int = DEFAULT_PORT) -> Self:
        """Listen at a port; without one, at the default port, or at any free one.

        Raises:
            OptionError: The port is out of range, in use or not permitted, or the host is not an
                address of this machine.
        """
        PORT.checked("port", port)
        if port is not None:
            return cls(host, _listen(host, port))
        try:
            return cls(host, _listen(host, default_port))
        except _PortInUseError:
            return cls(host, _listen(host, 0))

    @property
    def port(self) -> int:
        """The port."""
        return int(self.listening.getsockname()[1])

    @property
    def url(self) -> str:
        """The URL for a browser on this machine, with an IP address: a name may be ambiguous."""
        bound = self._bound
        if bound.is_unspecified:
            bound = ipaddress.ip_address("127.0.0.1" if bound.version == 4 else "::1")
        return f"http://{f'[{bound}]' if bound.version == 6 else bound}:{self.port}/"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect."""
        bound = self._bound
        mapped = bound.ipv4_mapped if isinstance(bound, ipaddress.IPv6Address) else None
        return (mapped or bound).is_loopback

    @property
    def names(self) -> frozenset[str]:
        """Host names that requests may use; on the network, also the names of this machine."""
        names = LOCAL_NAMES | {self.host.lower()}
        if self.is_local:
            return names
        return names | {socket.gethostname().lower(), socket.getfqdn().lower()}

    @property
    def _bound(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
        return ipaddress.ip_address(self.listening.getsockname()[0])


class _PortInUseError(OptionError):
    """Another program listens at the port."""


def _listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise OptionError(
            f"`host` must be a name or an address of this machine, got {host!r}: {error}",
            hint="for this machine only: `host='localhost'`",
        ) from error
    # Prefer IPv4: clients of localhost try both, but clients of 127.0.0.1 only IPv4.
    family, kind, protocol, _, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows it would allow two servers to share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen()
    except OSError as error:
        listening.close()
        raise _listening_error(host, port, error) from error
    return listening


def _listening_error(host: str, port: int, error: OSError) -> OptionError:
    if error.errno == errno.EADDRINUSE:
        return _PortInUseError(
            f"port {port} is in use by another program",
            hint="choose another `port`, or leave it out to use any free one",
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return OptionError(
            f"port {port} needs more permissions than this user has",
            hint="choose a `port` of 1024 or above",
        )
    return OptionError(
        f"cannot listen at {host}: {error.strerror or error}",
        hint="`host` must be a name or an address of this machine, such as localhost",
    )
