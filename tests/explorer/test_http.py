"""Requests that the server refuses, and the headers of all responses."""

import asyncio
import gzip
import json
import logging
import re
import threading
from typing import Any

import httpx
import numpy as np
import pytest
from api_client import Client
from facts import naming
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hyperskip import WordVectors
from hyperskip.errors import InputError
from hyperskip.explorer.api.endpoints import ENDPOINTS
from hyperskip.explorer.server.app import make_app
from hyperskip.explorer.server.request_queue import RequestQueue
from hyperskip.projection.disc_map import DiscMap
from hyperskip.vectors.found_words import FoundWords

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def has_security_headers(response: httpx.Response) -> bool:
    policy = response.headers["content-security-policy"]
    return "default-src 'none'" in policy and HEADERS.items() <= response.headers.items()


# -- parameters


@pytest.mark.parametrize(
    ("query", "facts"),
    [
        ("word", ["`word`"]),
        ("word?word=", ["word", "''"]),
        ("word?word=" + "x" * 1001, ["word"]),
        ("word?word=dog&word=cat", ["`word`"]),
        ("word?word=dog&words=cat", ["`words`"]),
        ("word?word=%FF%FE", ["UTF-8"]),
        ("word?" + "&".join(f"a{i}=1" for i in range(30)), []),
        ("model?verbose=1", ["verbose"]),
        ("neighbors?word=dog&count=0", ["count", 0]),
        ("neighbors?word=dog&count=101", ["count", 101]),
        ("neighbors?word=dog&count=1e1", ["count", "'1e1'"]),
        ("neighbors?word=dog&count=%D9%A1", ["count", "'١'"]),
        ("neighbors?word=dog&count=1_0", ["count", "'1_0'"]),
        ("neighbors?word=dog&count=" + "9" * 5000, ["count"]),
        ("neighbors?word=dog&count=", ["count", "''"]),
        ("neighbors?word=dog&measure=cosine", ["measure", "'cosine'"]),
        ("words?limit=-1", ["limit", -1]),
        ("words?limit=101", ["limit", 101]),
        ("path?a=dog&b=cat&steps=1", ["steps", 1]),
        ("path?a=dog&b=cat&steps=51", ["steps", 51]),
        ("path?a=dog", ["`b`"]),
        ("points?limit=50001", ["limit", 50001]),
        ("points?radius=nan", ["radius", "'nan'"]),
        ("points?radius=inf", ["radius", "'inf'"]),
        ("points?radius=1e999", ["radius", "inf"]),
        ("points?radius=-1", ["radius", -1.0]),
        ("points?x=NaN", ["x", "'NaN'"]),
        ("points?x=1&y=0", [1.0, 0.0]),
        ("points?x=0.8&y=-0.8", [0.8, -0.8]),
    ],
)
def test_bad_parameters_are_refused(client: Client, query: str, facts: list[object]) -> None:
    response = client.get("/api/" + query)
    assert response.status_code == 400
    assert re.search(naming(*facts), response.json()["error"])
    assert response.json()["hint"]
    assert len(response.content) < 1000
    assert has_security_headers(response)


PATHS = [endpoint.path for endpoint in ENDPOINTS]
NAMES = sorted({parameter.name for endpoint in ENDPOINTS for parameter in endpoint.parameters})


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    path=st.sampled_from(PATHS),
    fields=st.lists(
        st.tuples(
            st.sampled_from(NAMES) | st.text(max_size=5),
            st.sampled_from(["dog", "cat", "1", "0.5", "-0", "1e-300", "angle"])
            | st.text(max_size=20)
            | st.floats().map(str)
            | st.integers().map(str),
        ),
        max_size=5,
    ),
)
def test_no_query_breaks_the_server(
    client: Client, path: str, fields: list[tuple[str, str]]
) -> None:
    encodable = [(name, text.encode("utf-8", "replace").decode()) for name, text in fields]
    response = client.get(path, params=encodable)
    assert response.status_code in (200, 400, 404)
    assert ("error" in response.json()) == (response.status_code != 200)


@settings(
    max_examples=200,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(path=st.sampled_from(PATHS), query=st.binary(max_size=40))
def test_no_bytes_in_a_url_break_the_server(client: Client, path: str, query: bytes) -> None:
    messages = asyncio.run(messages_of(client.app, path, query))
    assert messages[0]["status"] in (200, 400, 404)


async def messages_of(app: Any, path: str, query: bytes) -> list[dict[str, Any]]:
    """Send a request without a client that would correct the URL, and return the messages."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query,
        "headers": [(b"host", b"localhost")],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent


# -- unknown words


@pytest.mark.parametrize(
    ("word", "expected"), [("dgo", "dog"), ("Dogg", "dog"), ("dogg", "dog"), ("dg", "dog")]
)
def test_an_unknown_word_is_answered_with_similar_words(
    client: Client, word: str, expected: str
) -> None:
    response = client.get("/api/neighbors", params={"word": word})
    assert response.status_code == 404
    answer = response.json()
    assert repr(word) in answer["error"]
    assert answer["word"] == word
    assert expected in answer["suggestions"]
    assert len(answer["suggestions"]) <= 5
    assert has_security_headers(response)


@pytest.mark.parametrize("word", ["q" * 1000, "日本語", "..", "\x00", "ａ" * 40])
def test_a_word_without_similar_words_has_no_suggestions(client: Client, word: str) -> None:
    response = client.get("/api/word", params={"word": word})
    assert response.status_code == 404
    assert "suggestions" not in response.json()


# -- paths, methods, hosts


@pytest.mark.parametrize(
    "path", ["/nothing", "/api", "/api/word/", "/page/../app.py", "/page/nothing.js"]
)
def test_an_unknown_path(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert response.json()["error"]
    assert has_security_headers(response)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
@pytest.mark.parametrize("path", ["/", "/api/model", "/api/word?word=dog"])
def test_other_methods_are_refused(client: Client, method: str, path: str) -> None:
    response = client.request(method, path)
    assert response.status_code == 405
    assert response.json()["error"]
    assert response.headers["allow"] in ("GET, HEAD", "HEAD, GET")
    assert has_security_headers(response)


@pytest.mark.parametrize("path", ["/", "/api/model", "/api/points", "/api/word?word=dog"])
def test_head_has_the_headers_of_get(client: Client, path: str) -> None:
    got, head = client.get(path), client.request("HEAD", path)
    assert head.status_code == got.status_code == 200
    assert head.headers["content-type"] == got.headers["content-type"]
    assert has_security_headers(head)


def test_the_page_and_its_icon(client: Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.text.lower().startswith("<!doctype html>")
    assert has_security_headers(page)
    assert client.get("/favicon.ico").status_code == 204


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8400", "127.0.0.1:1", "[::1]:8400", "[::1]", "192.168.0.7"]
)
def test_local_names_and_ip_addresses_are_allowed(client: Client, host: str) -> None:
    assert client.get("/api/model", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example:8400", "", "::1", "localhost:x", "1.2.3.4.5"]
)
@pytest.mark.parametrize("path", ["/", "/api/model", "/nothing"])
def test_other_host_names_are_refused(client: Client, host: str, path: str) -> None:
    response = client.get(path, headers={"host": host})
    assert response.status_code == 400
    assert response.json()["error"]
    assert has_security_headers(response)


def test_allowed_host_names_are_accepted(trained: WordVectors, disc_map: DiscMap) -> None:
    app = make_app(trained, disc_map, name="m", allowed_hosts=["elsewhere"])
    assert Client(app, base_url="http://elsewhere").get("/api/model").status_code == 200


# -- compression


def test_the_map_is_compressed_if_the_client_accepts_it(client: Client) -> None:
    plain = client.get("/api/points", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    for accepted in ("gzip", "br, GZIP;q=0.5"):
        compressed = client.get("/api/points", headers={"accept-encoding": accepted})
        assert compressed.headers["content-encoding"] == "gzip"
        assert compressed.headers["vary"] == "Accept-Encoding"
        assert compressed.content == plain.content  # the client decompresses
    for refused in ("gzip;q=0", "gzip; q=0.0", "deflate", ""):
        response = client.get("/api/points", headers={"accept-encoding": refused})
        assert "content-encoding" not in response.headers
    assert len(gzip.compress(plain.content)) < len(plain.content)


# -- failures


def test_details_of_an_internal_error_are_only_logged(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(WordVectors, "find", fail)
    with caplog.at_level(logging.ERROR):
        response = client.get("/api/word?word=dog")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.json()["error"]
    assert "secret" in caplog.text
    assert has_security_headers(response)


def test_a_model_without_words_is_refused(disc_map: DiscMap) -> None:

    vectors = WordVectors([], np.empty((0, 3), dtype=np.float32))
    with pytest.raises(InputError):
        make_app(vectors, disc_map, name="nothing")


# -- many requests at the same time


def test_a_request_that_waits_too_long_is_refused(
    trained: WordVectors, disc_map: DiscMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(trained, disc_map, name="m", queue=RequestQueue(threads=2, patience=0.01))
    proceed = threading.Event()
    find = WordVectors.find

    def wait(vectors: WordVectors, words: list[str]) -> FoundWords:
        proceed.wait(30)
        return find(vectors, words)

    monkeypatch.setattr(WordVectors, "find", wait)

    async def requests() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            asked = [asyncio.create_task(client.get("/api/word?word=dog")) for _ in range(8)]
            while sum(task.done() for task in asked) < 6:
                await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED, timeout=0.01)
            proceed.set()
            responses = list(await asyncio.gather(*asked))
            responses.append(await client.get("/api/word?word=dog"))  # threads are free again
            return responses

    *responses, last = asyncio.run(requests())
    assert sorted(response.status_code for response in responses) == [200] * 2 + [503] * 6
    refused = next(response for response in responses if response.status_code == 503)
    assert refused.headers["retry-after"] == "1"
    assert has_security_headers(refused)
    assert last.status_code == 200


def test_many_clients_get_their_own_answers(trained: WordVectors, disc_map: DiscMap) -> None:
    app = make_app(trained, disc_map, name="m")

    async def requests() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await asyncio.gather(
                *(
                    client.get("/api/neighbors", params={"word": word, "count": 3})
                    for word in trained.words[-60:]
                )
            )

    for word, response in zip(trained.words[-60:], asyncio.run(requests()), strict=True):
        found = [near["word"] for near in response.json()["neighbors"]]
        assert found == [near.word for near in trained.neighbors(word, 3)]


# -- the description


def test_the_description_has_every_endpoint_and_parameter(client: Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == set(PATHS)
    text = json.dumps(document)
    for endpoint in ENDPOINTS:
        described = document["paths"][endpoint.path]["get"]["parameters"]
        assert [p["name"] for p in described] == [p.name for p in endpoint.parameters]
    for reference in set(text.split('"#/components/schemas/')[1:]):
        assert reference.split('"')[0] in document["components"]["schemas"]


@pytest.mark.parametrize(
    ("fixture", "refused"),
    [
        ("client", {"/api/relatives", "/api/hierarchy", "/api/compare"}),
        ("graph_client", {"/api/hierarchy", "/api/compare"}),
        ("hierarchy_client", set()),
    ],
)
def test_answers_are_as_described(
    request: pytest.FixtureRequest, fixture: str, refused: set[str]
) -> None:
    client: Client = request.getfixturevalue(fixture)
    document = client.get("/openapi.json").json()
    words = {"a": "dog", "b": "cat", "c": "animal", "word": "dog"}
    for path, methods in document["paths"].items():
        if path in refused:
            continue
        operation = methods["get"]
        asked = {
            parameter["name"]: words.get(parameter["name"], parameter["example"])
            for parameter in operation["parameters"]
        }
        answer = client.get(path, params=asked)
        assert answer.status_code == 200, answer.text
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        check(answer.json(), schema, document["components"]["schemas"])


def check(value: Any, schema: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Check the part of JSON schema that the description uses."""
    if "anyOf" in schema:
        schema = next(one for one in schema["anyOf"] if (one.get("type") == "null") == (not value))
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[1]]
    kinds: dict[str, Any] = {
        "object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
        "boolean": bool, "null": type(None),
    }  # fmt: skip
    allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    assert any(isinstance(value, kinds[kind]) for kind in allowed), (value, schema)
    if isinstance(value, dict):
        assert set(schema.get("required", ())) <= set(value)
        for name, member in value.items():
            check(
                member,
                schema.get("properties", {}).get(name) or schema["additionalProperties"],
                schemas,
            )
    if isinstance(value, list):
        for item in value[:20]:
            check(item, schema["items"], schemas)
