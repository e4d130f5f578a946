"""What stands before every answer: who may ask, and the headers that keep a browser careful."""

import ipaddress
from collections.abc import Collection, Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hyperskip.explorer.answers.identity import HEADER
from hyperskip.explorer.api.responses import error_response

LOCAL = frozenset({"localhost"})

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # the next model may have the same address
}


def guarding_headers(content_policy: str, identity: str) -> dict[str, str]:
    """Headers of all responses.

    Args:
        content_policy: The Content-Security-Policy.
        identity: Of the model that is explored.
    """
    return {"Content-Security-Policy": content_policy, HEADER: identity, **_HEADERS}


class Guard:
    """Lets requests through that name a host they may name, and adds headers to all responses.

    A page from elsewhere can make its own name lead to this machine (DNS rebinding), and would then
    read the answers as if they were its own; but the browser still says which name was asked.

    Args:
        app: What answers.
        headers: Of all responses.
        hosts: Names that may be asked for, without a port. Any address in numbers may be, too: it
            is nobody's name.
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

        app = self._app if self._is_allowed(scope) else _refusal
        await app(scope, receive, send_with_headers)

    def _is_allowed(self, scope: Scope) -> bool:
        asked = [value for name, value in scope["headers"] if name == b"host"]
        if len(asked) != 1:
            return False
        host = _without_port(asked[0].decode("latin-1"))
        return host in self._hosts or _is_in_numbers(host)


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and (port.isdecimal() or not port) else host).lower()


def _is_in_numbers(host: str) -> bool:
    try:
        ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


_refusal = error_response(
    400,
    "this host does not answer under that name",
    hint="ask for localhost, or in numbers; to be asked by others, start with --host",
)
