"""What stands before every answer: who may ask, and the headers that keep a browser careful."""

from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hyperskip.explorer.responses import error_response

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # the next model may have the same address
}


class Guard:
    """Lets requests through that name a host they may name, and adds headers to all responses.

    A page from elsewhere can make its own name lead to this machine (DNS rebinding), and would then
    read the answers as if they were its own; but the browser still says which name was asked.

    Args:
        app: What answers.
        content_policy: The Content-Security-Policy.
        hosts: Names that may be asked for, without a port; None for any.
    """

    def __init__(self, app: ASGIApp, content_policy: str, hosts: Collection[str] | None) -> None:
        self._app, self._hosts = app, hosts
        self._headers = {"Content-Security-Policy": content_policy, **_HEADERS}

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
        if self._hosts is None:
            return True
        asked = [value for name, value in scope["headers"] if name == b"host"]
        return len(asked) == 1 and _without_port(asked[0].decode("latin-1")) in self._hosts


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and (port.isdecimal() or not port) else host).lower()


_refusal = error_response(
    400,
    "this host does not answer under that name",
    hint="ask for localhost; to be asked by others, start with --host",
)
