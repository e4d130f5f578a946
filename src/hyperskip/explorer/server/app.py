"""The web application for one model: the page, its files and the API."""

import logging
from collections.abc import Awaitable, Callable, Collection
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hyperskip.errors import HyperskipError, UnknownWordError
from hyperskip.explorer.answers.queries import Queries
from hyperskip.explorer.api.endpoints import ENDPOINTS, Endpoint
from hyperskip.explorer.api.openapi import description
from hyperskip.explorer.api.parameters import parse_query
from hyperskip.explorer.api.responses import HINT, PreparedResponse, error_response, json_response
from hyperskip.explorer.server.request_queue import RequestQueue, TooBusyError
from hyperskip.explorer.server.security import LOCAL_NAMES, SecurityMiddleware, response_headers
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.page.assets import asset, explorer_page
from hyperskip.projection.disc_map import DiscMap
from hyperskip.vectors.checksums import checksum
from hyperskip.vectors.word_vectors import WordVectors

Handler = Callable[[Request], Awaitable[Response]]

_LONGEST_PATH = 100  # characters in an error
_log = logging.getLogger("hyperskip.explorer")


def make_app(
    vectors: WordVectors,
    disc_map: DiscMap,
    *,
    name: str,
    graph: WordGraph | None = None,
    compared: Queries | None = None,
    allowed_hosts: Collection[str] = LOCAL_NAMES,
    queue: RequestQueue | None = None,
) -> Starlette:
    """Return the application that serves a model.

    Args:
        vectors: The model.
        disc_map: Positions of its words on the disc.
        name: Name of the model.
        graph: Edges between its words.
        compared: Answers about another model, to compare both.
        allowed_hosts: Host names that requests may use, in addition to IP addresses.
        queue: The threads that answer requests.
    """
    queries = Queries(vectors, disc_map, name, graph, compared)
    queue = queue or RequestQueue()
    page, content_policy = explorer_page()
    model_id = _model_id(vectors, disc_map, graph)
    if compared is not None:
        model_id = checksum(model_id + _model_id(compared.vectors, compared.disc_map, None))[:16]
    headers = response_headers(content_policy, model_id)
    app = Starlette(
        routes=[
            _route("/", _prepared(PreparedResponse(page.encode(), "text/html; charset=utf-8"))),
            _route("/openapi.json", _prepared(PreparedResponse(description()))),
            _route("/page/{name}", _page_file),
            _route("/favicon.ico", _no_icon),
            *(_route(endpoint.path, _answered(endpoint, queries, queue)) for endpoint in ENDPOINTS),
        ],
        middleware=[Middleware(SecurityMiddleware, headers=headers, hosts=allowed_hosts)],
        exception_handlers={HTTPException: _http_error},
    )
    app.router.redirect_slashes = False
    app.state.headers = headers  # also for errors that the server answers without the application
    return app


def _model_id(vectors: WordVectors, disc_map: DiscMap, graph: WordGraph | None) -> str:
    """Return a checksum of words, vectors, n-grams, hierarchy, positions and edges."""
    numbers = (vectors.coordinates, vectors.counts, disc_map.rows, disc_map.places)
    edges = () if graph is None else (graph.edges.sources, graph.edges.targets)
    hierarchy = () if vectors.hierarchy is None else (vectors.hierarchy.coordinates,)
    table = vectors.subwords
    ngrams = () if table is None else (table.buckets, table.coordinates)
    return checksum("\0".join(vectors.words), *numbers, *edges, *hierarchy, *ngrams)[:16]


def _answered(endpoint: Endpoint, queries: Queries, queue: RequestQueue) -> Handler:
    """Handle requests to an endpoint; the answer to its default values is computed only once."""
    defaults = endpoint.defaults
    prepared = None if defaults is None else PreparedResponse(endpoint.answer(queries, **defaults))

    async def answer(request: Request) -> Response:
        values = parse_query(request.scope["query_string"], endpoint.parameters)
        if prepared is not None and values == defaults:
            return prepared.to(request)
        return await queue.run(
            lambda: json_response(endpoint.answer(queries, **values)),
            client=request.client.host if request.client else "",
            is_disconnected=request.is_disconnected,
        )

    return answer


def _prepared(response: PreparedResponse) -> Handler:
    async def answer(request: Request) -> Response:
        return response.to(request)

    return answer


async def _page_file(request: Request) -> Response:
    found = asset(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    content, media_type = found
    return Response(content, media_type=media_type)


async def _no_icon(_: Request) -> Response:
    return Response(status_code=204)


def _route(path: str, handler: Handler) -> Route:
    """Return a route that answers exceptions with error responses."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except UnknownWordError as error:
            return error_response(404, error.message, error.hint, error.suggestions, error.word)
        except HyperskipError as error:
            return error_response(400, error.message, error.hint)
        except TooBusyError:
            hint, headers = "try again in a second", {"Retry-After": "1"}
            return error_response(503, "too many requests at the same time", hint, headers=headers)
        except HTTPException:
            raise
        except Exception:
            _log.exception("error while answering %s", request.url.path)
            hint = "the terminal that runs the explorer shows the details"
            return error_response(500, "internal error", hint)

    return Route(path, answer, methods=["GET"])


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase.lower()
    message = f"{phrase}: {request.url.path[:_LONGEST_PATH]!r}"
    return error_response(error.status_code, message, HINT, headers=error.headers)
