"""The tokens by which the processes of a Ray cluster recognize each other.

Without `RAY_AUTH_MODE`, Ray turns tokens on when it starts a cluster, in the environment, in its
library and in the home folder. Here, they are on for one connection and leave nothing behind.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from hyperskip.cluster.nodes import last_line
from hyperskip.errors import ClusterError, shown

_MODE, _TOKEN = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"
_LONGEST_WAIT = 10_000  # milliseconds for an answer of a server


@contextlib.contextmanager
def token_of_new_cluster() -> Iterator[None]:
    """Protect a cluster that starts in the block with a token of its own."""
    settings = {_MODE: "token"}
    if _TOKEN not in os.environ:
        settings[_TOKEN] = secrets.token_hex(32)
    with _authentication({} if _MODE in os.environ else settings):
        yield


@contextlib.contextmanager
def token_for(address: str) -> Iterator[None]:
    """Use the token of the user in the block if the cluster at an address requires one.

    Raises:
        ClusterError: It requires a token, and there is none, or another one; or it uses no tokens,
            and RAY_AUTH_MODE requires them; or it does not answer.
    """
    mode = os.environ.get(_MODE, "").lower()
    with _authentication({_MODE: "disabled"}):
        requires_token = not _is_admitted(address)
    if not requires_token:
        if mode == "token":
            raise ClusterError(
                f"the Ray cluster at {shown(address)} does not use tokens, but {_MODE} is {mode}",
                hint=f"unset {_MODE}, or start the cluster with {_MODE}=token",
            )
        with _authentication({}):
            yield
        return
    if mode == "disabled" or not _has_token():
        raise ClusterError(
            f"the Ray cluster at {shown(address)} requires a token",
            hint=f"set {_MODE}=token, and copy ~/.ray/auth_token from the head node to all "
            "machines",
        )
    with _authentication({_MODE: "token"}):
        if not _is_admitted(address):
            raise ClusterError(
                f"the Ray cluster at {shown(address)} requires another token",
                hint="copy ~/.ray/auth_token from the head node to all machines, and unset "
                f"{_TOKEN} and {_TOKEN}_PATH if they are not for this cluster",
            )
        yield


def _is_admitted(address: str) -> bool:
    """Whether a server accepts this process; Ray itself would try for 20 seconds."""
    import ray

    library = _library()
    if library is None:
        return True
    try:
        library.InnerGcsClient.standalone(address, cluster_id=None, timeout_ms=_LONGEST_WAIT)
    except ray.exceptions.AuthenticationError:
        return False
    except ray.exceptions.RpcError as error:
        raise ClusterError(
            f"the head node of the Ray cluster at {shown(address)} does not answer: "
            f"{last_line(error)}",
            hint="run `ray status` on a node of the cluster to see whether it is running",
        ) from error
    return True


def _has_token() -> bool:
    loader = _library().AuthenticationTokenLoader.instance()
    return bool(loader.has_token(ignore_auth_mode=True))


@contextlib.contextmanager
def _authentication(settings: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables in the block; Ray's library reads them, and again at the end."""
    before = {name: os.environ.get(name) for name in (_MODE, _TOKEN)}
    os.environ.update(settings)
    _read_environment()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        _read_environment()


def _read_environment() -> None:
    """Let Ray's library read the settings of tokens again, which it caches."""
    library = _library()
    if library is not None:
        library.Config.initialize("")
        library.AuthenticationTokenLoader.instance().reset_cache()


def _library() -> Any:
    """Ray's library, most of which has no declared types; None if this version has no tokens."""
    library = import_module("ray._raylet")
    return library if hasattr(library, "AuthenticationTokenLoader") else None
