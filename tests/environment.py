"""The environment of tests: the same for every user, on every machine, without a network."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any

import pytest

LONGEST_ID = 100

# Variables of the shell that change an output or lead to the user's own files.
_UNSET = (
    *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS"),
    *("TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
    *("MPLCONFIGDIR", "MPLBACKEND", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS"),
    *("PYTHONWARNINGS", "PYTHONIOENCODING", "PYTHONUTF8"),
)
_HANDLERS: dict[str, Any] = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}


def settle() -> None:
    """Remove the user's settings from this process and its children.

    Also in workers: pytest-xdist sets COLUMNS there.
    """
    for name in _UNSET:
        os.environ.pop(name, None)
    if "HYPERSKIP_CORPUS" not in os.environ:  # both are for tests on real data
        os.environ.pop("HYPERSKIP_DATA", None)
    for name, usual in _HANDLERS.items():  # ignored if a script runs tests in the background
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, usual)


def fixed_id(value: object, name: str) -> str | None:
    """The id of a parameter in the name of a test; None if pytest's own id is short and fixed.

    Compressed bytes may contain the time, and two workers would give a test different names.
    """
    readable = not isinstance(value, str) or (
        len(value) <= LONGEST_ID and value.isascii() and value.isprintable()
    )
    return None if readable and not isinstance(value, bytes) else name


@contextmanager
def no_network() -> Iterator[None]:
    """Refuse connections to other machines, and lookups of their addresses."""
    look_up = socket.getaddrinfo

    def look_up_here(host: Any, *arguments: Any, **options: Any) -> Any:
        if _is_name(host) and not _is_here(host):
            raise socket.gaierror(socket.EAI_NONAME, f"tests have no network, but look up {host}")
        return look_up(host, *arguments, **options)

    def only_here(connect: Callable[..., Any]) -> Callable[..., Any]:
        def connected(connection: socket.socket, address: Any) -> Any:
            if isinstance(address, tuple) and not _is_here(address[0]):
                raise ConnectionRefusedError(f"tests have no network, but connect to {address}")
            return connect(connection, address)

        return connected

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", look_up_here)
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, only_here(getattr(socket.socket, name)))
        yield


def _is_name(host: Any) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return isinstance(host, str) and host != ""
    return False


def _is_here(host: str) -> bool:
    if _is_name(host):
        return host in ("localhost", socket.gethostname())
    return host == "" or ip_address(host).is_loopback or _is_own(host)


def _is_own(address: str) -> bool:
    """Whether this machine has an address: only then can a socket be bound to it."""
    family = socket.AF_INET6 if ip_address(address).version == 6 else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((address, 0))
        except OSError:
            return False
    return True
