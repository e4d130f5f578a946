"""Answers as a browser takes them: JSON, errors, and what is always the same."""

import gzip
import json
from collections.abc import Collection, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

JSON = "application/json"

_WORTH_PACKING = 1 << 12  # bytes


def json_response(content: dict[str, Any] | bytes) -> Response:
    """A plain value, or what is JSON already."""
    return Response(_as_json(content), media_type=JSON)


def error_response(
    status: int,
    error: str,
    hint: str | None = None,
    suggestions: Collection[str] = (),
    word: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An error, with what to do next."""
    content: dict[str, Any] = {"error": error}
    if hint is not None:
        content["hint"] = hint
    if suggestions:
        content["suggestions"] = list(suggestions)
    if word is not None:
        content["word"] = word
    return Response(_as_json(content), status, headers, media_type=JSON)


class Constant:
    """An answer that is made once, and packed once for those who take it so."""

    def __init__(self, content: dict[str, Any] | bytes, media_type: str = JSON) -> None:
        self._body = _as_json(content)
        self._packed = gzip.compress(self._body) if len(self._body) > _WORTH_PACKING else None
        self._media_type = media_type

    def response(self, request: Request) -> Response:
        """For whoever asks."""
        headers = {"Vary": "Accept-Encoding"}
        if self._packed is None or not _takes_gzip(request.headers.get("accept-encoding", "")):
            return Response(self._body, headers=headers, media_type=self._media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(self._packed, headers=headers, media_type=self._media_type)


def _as_json(content: dict[str, Any] | bytes) -> bytes:
    if isinstance(content, bytes):
        return content
    return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def _takes_gzip(accepted: str) -> bool:
    for entry in accepted.lower().split(","):
        coding, _, quality = entry.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    return False
