"""HTTP responses: JSON, errors, and responses that are prepared once."""

import gzip
import json
from collections.abc import Collection, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

JSON = "application/json"
HINT = "/openapi.json lists all paths and parameters"  # of errors in the request itself

_SMALLEST_COMPRESSED = 1 << 12  # bytes


def json_response(content: dict[str, Any] | bytes) -> Response:
    """Return a response with a plain value, or with bytes that are JSON already."""
    return Response(_as_json(content), media_type=JSON)


def error_response(
    status: int,
    error: str,
    hint: str | None = None,
    suggestions: Collection[str] = (),
    word: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error and what to do about it."""
    content: dict[str, Any] = {"error": error}
    if hint is not None:
        content["hint"] = hint
    if suggestions:
        content["suggestions"] = list(suggestions)
    if word is not None:
        content["word"] = word
    return Response(_as_json(content), status, headers, media_type=JSON)


class PreparedResponse:
    """A response that is encoded and compressed once."""

    def __init__(self, content: dict[str, Any] | bytes, media_type: str = JSON) -> None:
        self._body = _as_json(content)
        is_large = len(self._body) >= _SMALLEST_COMPRESSED
        self._compressed = gzip.compress(self._body) if is_large else None
        self._media_type = media_type

    def to(self, request: Request) -> Response:
        """Return the response to a request, compressed if the client accepts gzip."""
        headers = {"Vary": "Accept-Encoding"}
        accepted = request.headers.get("accept-encoding", "")
        if self._compressed is None or not _accepts_gzip(accepted):
            return Response(self._body, headers=headers, media_type=self._media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(self._compressed, headers=headers, media_type=self._media_type)


def _as_json(content: dict[str, Any] | bytes) -> bytes:
    if isinstance(content, bytes):
        return content
    return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def _accepts_gzip(accepted: str) -> bool:
    for entry in accepted.lower().split(","):
        coding, _, quality = entry.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    return False
