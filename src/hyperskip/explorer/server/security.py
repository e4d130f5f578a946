"""Security of the API: which host names a request may use, and headers that restrict browsers."""

import ipaddress
from collections.abc import Collection, Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hyperskip.explorer.api.responses import error_response

MODEL_HEADER = "Hyperskip-Model"  # an open page notices by it that another model is served
LOCAL_NAMES = frozenset({"localhost"})

_LONGEST_HOST = 100  # characters in an error

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # another model may be served at the same address later
}


def response_headers(content_policy: str, model_id: str) -> dict[str, str]:
    """Return the headers that every response has.

    Args:
        content_policy: The Content-Security-Policy.
        model_id: Identifies the served model.
    """
    return {"Content-Security-Policy": content_policy, MODEL_HEADER: model_id, **_HEADERS}


class SecurityMiddleware:
    """Checks the Host header of each request, and adds headers to each response.

    A malicious page can make its own domain point to this machine (DNS rebinding), and could then
    read the answers. The browser still sends that domain in the Host header.

    Args:
        app: The application that answers.
        headers: Headers of every response.
        hosts: Allowed host names, without a port. IP addresses are always allowed, because they
            cannot be rebound.
    """

    def __init__(self, app: ASGIApp, headers: Mapping[str, str], hosts: Collection[str]) -> None:
        self._app, self._headers, self._hosts = app, headers, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        app = self._app if self._is_allowed(scope) else _unknown_host
        await app(scope, receive, send_with_headers)

    def _is_allowed(self, scope: Scope) -> bool:
        hosts = _hosts(scope)
        if len(hosts) != 1:
            return False
        host = _without_port(hosts[0].decode("latin-1"))
        return host in self._hosts or _is_ip_address(host)


def _hosts(scope: Scope) -> list[bytes]:
    return [value for name, value in scope["headers"] if name == b"host"]


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and (port.isdecimal() or not port) else host).lower()


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


async def _unknown_host(scope: Scope, receive: Receive, send: Send) -> None:
    host = ", ".join(value.decode("latin-1") for value in _hosts(scope))
    response = error_response(
        400,
        f"this server does not answer under the host name {host[:_LONGEST_HOST]!r}",
        hint="use localhost or the IP address of the server",
    )
    await response(scope, receive, send)
