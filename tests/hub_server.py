"""A stand-in for the Hugging Face Hub on this machine: repositories in memory."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "hf_test"
_FILE = re.compile(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)")
_COMMIT = re.compile(r"/api/models/([^/]+/[^/]+)/(preupload|commit)/([^/?]+)")
_REVISION = re.compile(r"/api/models/([^/]+/[^/]+)(?:/revision/([^/?]+))?")


class Hub:
    """The repositories: their files by revision, and which are private."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.files: dict[str, dict[str, dict[str, bytes]]] = {}
        self.private: set[str] = set()
        self.messages: list[str] = []


@contextmanager
def hub_server() -> Iterator[Hub]:
    """Run a server while the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    hub = Hub(f"http://127.0.0.1:{server.server_port}")
    server.hub = hub  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def hub(self) -> Hub:
        found: Hub = self.server.hub  # type: ignore[attr-defined]
        return found

    def log_message(self, *arguments: Any) -> None:
        """Print nothing."""

    def do_HEAD(self) -> None:
        self._get()

    def do_GET(self) -> None:
        self._get()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/api/validate-yaml":
            self._reply(200, {"errors": [], "warnings": []})
            return
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._reply(401, {"error": "Invalid credentials"})
            return
        if self.path == "/api/repos/create":
            self._create(json.loads(body))
            return
        match = _COMMIT.match(self.path)
        assert match is not None, self.path
        repository, action, revision = match.groups()
        if action == "preupload":
            files = [
                {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False}
                for file in json.loads(body)["files"]
            ]
            self._reply(200, {"files": files})
            return
        commit = self.hub.files[repository].setdefault(revision, {})
        for line in body.splitlines():
            entry = json.loads(line)
            if entry["key"] == "header":
                self.hub.messages.append(entry["value"]["summary"])
            elif entry["key"] == "file":
                commit[entry["value"]["path"]] = base64.b64decode(entry["value"]["content"])
        self._reply(
            200, {"commitUrl": f"{self.hub.address}/{repository}/commit/1", "commitOid": "1" * 40}
        )

    def _create(self, asked: dict[str, Any]) -> None:
        name = "/".join(filter(None, (asked.get("organization"), asked["name"])))
        is_new = name not in self.hub.files
        self.hub.files.setdefault(name, {"main": {}})
        if is_new and (asked.get("private") or asked.get("visibility") == "private"):
            self.hub.private.add(name)
        self._reply(200 if is_new else 409, {"url": f"{self.hub.address}/{name}", "name": name})

    def _get(self) -> None:
        file, info = _FILE.match(self.path), _REVISION.match(self.path)
        match = file or info
        if match is None:
            self._reply(404, {"error": self.path})
            return
        repository, revision = match.group(1), match.group(2) or "main"
        allowed = self.headers.get("Authorization") == f"Bearer {TOKEN}"
        if repository not in self.hub.files or (repository in self.hub.private and not allowed):
            self._reply(404 if allowed else 401, {"error": "none"}, code="RepoNotFound")
        elif revision not in self.hub.files[repository]:
            self._reply(404, {"error": "none"}, code="RevisionNotFound")
        elif file is None:
            self._reply(200, {"id": repository, "sha": "1" * 40, "siblings": []})
        elif file.group(3) not in self.hub.files[repository][revision]:
            self._reply(404, {"error": "none"}, code="EntryNotFound")
        else:
            self._send_file(self.hub.files[repository][revision][file.group(3)], revision)

    def _send_file(self, content: bytes, revision: str) -> None:
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", hashlib.sha1(revision.encode() + content).hexdigest())
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def _reply(self, status: int, answer: dict[str, Any], *, code: str | None = None) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        if code is not None:
            self.send_header("X-Error-Code", code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
