"""A client that calls an application without a network."""

import asyncio
from typing import Any

import httpx
from starlette.applications import Starlette


class Client:
    """Sends requests, each in a new event loop."""

    def __init__(self, app: Starlette, base_url: str = "http://localhost:8400") -> None:
        self.app, self._base_url = app, base_url

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return asyncio.run(self._asked(method, path, **more))

    async def _asked(self, method: str, path: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url=self._base_url) as client:
            return await client.request(method, path, **more)


class Ask:
    """Sends a request that must succeed, and returns the JSON of the answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __call__(self, path: str, **parameters: Any) -> Any:
        response = self._client.get(path, params=parameters)
        assert response.status_code == 200, response.text
        return response.json()
