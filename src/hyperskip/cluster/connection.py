"""Connecting to a Ray cluster: the one that is running, or one started on this machine.

Ray waits for minutes for a server that does not exist, so addresses are tried first. Ray's messages
are suppressed unless the caller has connected to Ray before.
"""

import contextlib
import logging
import os
import re
import signal
import socket
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from hyperskip.cluster.nodes import Cluster, last_line
from hyperskip.cluster.options import AUTO
from hyperskip.cluster.tokens import token_for, token_of_new_cluster
from hyperskip.errors import ClusterError, MissingPackageError, OptionError, shown

_LOCAL = "local"  # Ray's name for a cluster that is started on this machine
_STARTING = {"RAY_USAGE_STATS_ENABLED": "0"}
_JOINING = {"RAY_BACKEND_LOG_LEVEL": "fatal"}  # no messages if a node dies
_ADDRESS = "RAY_ADDRESS"
_PORTS = range(1, 1 << 16)
_STANDARD_ERROR = 2
_LONGEST_WAIT = 10.0  # seconds for an answer of a server
# The first bytes of every HTTP/2 connection: a fixed text and an empty frame of settings. The
# server answers with its settings.
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
_FRAME_KIND, _KIND_OFFSET = 4, 3  # a frame starts with its length, in 3 bytes


@contextlib.contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a Ray cluster, and disconnect at the end, unless the caller was connected before.

    Args:
        address: HOST:PORT of the head node; or "auto" for the address in RAY_ADDRESS, the cluster
            that was started on this machine with `ray start`, or else a new one on this machine.
            A cluster that was started with `ray start --temp-dir` is not found. RAY_ADDRESS=local
            starts a new one.

    Raises:
        ClusterError: There is no cluster at this address, or its versions differ.
        MissingPackageError: Ray is not installed.
        OptionError: It is not an address, or this process is connected to another cluster.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingPackageError("Ray", "cluster", "`cluster`") from error
    if ray.is_initialized():
        _check_connected(address, ray.get_runtime_context().gcs_address)
        yield Cluster(ray.get_runtime_context().gcs_address)
        return
    found = _found(address)
    with _quiet(), contextlib.ExitStack() as stack:
        if found == _LOCAL:
            stack.enter_context(token_of_new_cluster())
        else:
            with _no_announcement():
                stack.enter_context(token_for(found))
        cluster: Cluster | None = None
        try:
            _connect(found)
            cluster = Cluster(
                ray.get_runtime_context().gcs_address, is_started_here=found == _LOCAL
            )
            yield cluster
        finally:
            # Without the head node, this takes a minute, and then Ray ends the process.
            if cluster is None or cluster.head_answers():
                ray.shutdown()


def _check_connected(address: str, current: str) -> None:
    """Check that an address is that of the cluster to which this process is connected.

    Raises:
        OptionError: It is not.
    """
    if address == AUTO:
        return
    host, port = _parsed(address, "`cluster`")
    hosts: set[object] = {host}
    with contextlib.suppress(OSError, UnicodeError):
        hosts.update(found[4][0] for found in socket.getaddrinfo(host, port))
    current_host, current_port = _parsed(current, "`cluster`")
    if current_host not in hosts or port != current_port:
        raise OptionError(
            f"`cluster` is {shown(address)}, but this process is connected to the Ray cluster at "
            f"{shown(current)}",
            hint=f"pass `cluster={AUTO!r}`, or call ray.shutdown() first",
        )


def _found(address: str) -> str:
    """The address to connect to; "local" to start a cluster on this machine."""
    if address != AUTO:
        _check_server(address, "`cluster`")
        return address
    from_environment = os.environ.get(_ADDRESS)
    if from_environment == _LOCAL:
        return _LOCAL
    if from_environment and from_environment != AUTO:
        _check_server(from_environment, _ADDRESS)
        return from_environment
    # The file in which `ray start` leaves the address; it may be of a cluster that has ended. Ray
    # itself would also join the private cluster of any other process on this machine.
    default = "/tmp" if os.name == "posix" else tempfile.gettempdir()
    file = Path(os.environ.get("RAY_TMPDIR") or default, "ray", "ray_current_cluster")
    with contextlib.suppress(OSError, UnicodeError, ClusterError, OptionError):
        running = file.read_text().strip()
        _check_server(running, str(file))
        return running
    return _LOCAL


def _check_server(address: str, origin: str) -> None:
    """Check that the server of a Ray cluster answers at an address.

    Args:
        address: The address.
        origin: Where it comes from, for errors.

    Raises:
        OptionError: It is not an address.
        ClusterError: No server answers, or another kind of server.
    """
    host, port = _parsed(address, origin)
    try:
        with socket.create_connection((host, port), timeout=_LONGEST_WAIT) as connection:
            if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
                return
            connection.sendall(_GREETING)
            answer = connection.recv(16)
    except (OSError, UnicodeError) as error:
        reason: object = "no answer"
        if isinstance(error, UnicodeError):
            reason = "it is not the name of a host"
        elif not isinstance(error, TimeoutError):
            reason = error.strerror or error
        raise ClusterError(
            f"there is no Ray cluster at {shown(address)} (from {origin}): {reason}",
            hint="start Ray there with: ray start --head --port 6379, and "
            + _advice(origin, "that host and port"),
        ) from error
    if answer[_KIND_OFFSET : _KIND_OFFSET + 1] != bytes((_FRAME_KIND,)):
        raise ClusterError(
            f"the server at {shown(address)} (from {origin}) is not the head node of a Ray cluster",
            hint=_advice(origin, "the port of the head node, 6379 unless another was chosen")
            + "; the dashboard has a port of its own",
        )


def _advice(origin: str, what: str) -> str:
    """Advise to pass another address, where this one comes from."""
    if origin == _ADDRESS:
        return f"set {_ADDRESS} to {what}, or unset it"
    return f"pass {what}"


def _parsed(address: str, origin: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    malformed = f"{origin} must be {AUTO!r} or HOST:PORT, got {shown(address)}"
    head = "the address of the head node, such as 10.0.0.1:6379"
    if "://" in address:
        raise OptionError(
            malformed,
            hint="clients of Ray (ray://) cannot be used: run hyperskip on a node of the cluster, "
            "and " + _advice(origin, head),
        )
    is_text = address.isprintable() and " " not in address
    if not host or not is_text or not re.fullmatch("[0-9]{1,5}", port) or int(port) not in _PORTS:
        raise OptionError(malformed, hint=_advice(origin, head))
    if host in ("localhost", "127.0.0.1"):  # Ray connects to the other address of this machine
        from ray.util import get_node_ip_address

        host = get_node_ip_address()
    return host, int(port)


def _connect(address: str) -> None:
    import ray

    handler = signal.getsignal(signal.SIGTERM)
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(warnings.catch_warnings(action="ignore"))
            if address == _LOCAL:
                stack.enter_context(_environment(_STARTING))
            else:
                stack.enter_context(_environment(_JOINING))
                stack.enter_context(_no_announcement())
            ray.init(
                address=address,
                include_dashboard=False if address == _LOCAL else None,
                configure_logging=False,
                log_to_driver=False,
            )
    except (ray.exceptions.RayError, RuntimeError, ValueError, OSError) as error:
        where = "on this machine" if address == _LOCAL else f"at {shown(address)}"
        cause = error.__cause__ or error
        differs = "mismatch" in str(cause)
        reason = " ".join(str(cause).split()) if differs else last_line(cause)
        raise ClusterError(
            f"cannot connect to the Ray cluster {where}: {reason}",
            hint="install the same versions of Python and Ray on all nodes"
            if differs
            else "run `ray status` on a node of the cluster to see whether it is running",
        ) from error
    finally:
        # Ray installs its own handler, which ends the process.
        if threading.current_thread() is threading.main_thread() and handler is not None:
            signal.signal(signal.SIGTERM, handler)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress messages of Ray: they would mix with the output of a command."""
    from ray._private import worker

    logger = logging.getLogger("ray")
    level = logger.level
    # No option of Ray turns off the notices about nodes and processes that died.
    show = worker.print_to_stdstream
    logger.setLevel(logging.CRITICAL + 1)
    worker.print_to_stdstream = lambda *_, **__: None
    try:
        yield
    finally:
        logger.setLevel(level)
        worker.print_to_stdstream = show


@contextlib.contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables in the block, except those that the user has set."""
    added = {name: value for name, value in settings.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]


@contextlib.contextmanager
def _no_announcement() -> Iterator[None]:
    """Close the standard error stream in the block: Ray's library announces its log level there."""
    try:
        before = os.dup(_STANDARD_ERROR)
    except OSError:  # it is closed
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, _STANDARD_ERROR)
    try:
        yield
    finally:
        os.dup2(before, _STANDARD_ERROR)
        os.close(before)
        os.close(null)
