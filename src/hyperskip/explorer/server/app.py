"""The web application: the page, its parts, and the API, for one model."""

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
from hyperskip.explorer.answers.identity import identity_of
from hyperskip.explorer.answers.questions import Questions
from hyperskip.explorer.api.endpoints import ENDPOINTS, Endpoint
from hyperskip.explorer.api.openapi import description
from hyperskip.explorer.api.parameters import values_of
from hyperskip.explorer.api.responses import Constant, error_response, json_response
from hyperskip.explorer.server.guard import LOCAL, Guard, guarding_headers
from hyperskip.explorer.server.request_queue import Desk, TooBusyError
from hyperskip.page.assets import asset, explorer_page
from hyperskip.projection.disc_map import DiscMap
from hyperskip.vectors.word_vectors import WordVectors

Handler = Callable[[Request], Awaitable[Response]]

_log = logging.getLogger("hyperskip.explorer")


def make_app(
    vectors: WordVectors,
    disc_map: DiscMap,
    *,
    name: str,
    allowed_hosts: Collection[str] = LOCAL,
    desk: Desk | None = None,
) -> Starlette:
    """The application that explores a model.

    Args:
        vectors: The model's words.
        disc_map: Where they are on the disc.
        name: Of the model.
        allowed_hosts: Names that requests may call this host by, beside its addresses in numbers.
        desk: The threads that answer.
    """
    questions = Questions(vectors, disc_map, name)
    desk = desk or Desk()
    page, content_policy = explorer_page()
    headers = guarding_headers(content_policy, identity_of(vectors, disc_map))
    # What the browser asks for first, and what is always the same.
    prepared = {
        "/api/model": Constant(questions.model()),
        "/api/points": Constant(questions.whole_map()),
    }
    app = Starlette(
        routes=[
            _route("/", _constant(Constant(page.encode(), "text/html; charset=utf-8"))),
            _route("/openapi.json", _constant(Constant(description()))),
            _route("/page/{name}", _part_of_page),
            _route("/favicon.ico", _no_icon),
            *(
                _route(endpoint.path, _asked(endpoint, questions, desk, prepared))
                for endpoint in ENDPOINTS
            ),
        ],
        middleware=[Middleware(Guard, headers=headers, hosts=allowed_hosts)],
        exception_handlers={HTTPException: _refused},
    )
    app.router.redirect_slashes = False
    app.state.headers = headers  # also of what the server answers by itself
    return app


def _asked(
    endpoint: Endpoint, questions: Questions, desk: Desk, prepared: dict[str, Constant]
) -> Handler:
    usual = {parameter.name: parameter.default for parameter in endpoint.parameters}

    async def answer(request: Request) -> Response:
        values = values_of(request.scope["query_string"], endpoint.parameters)
        if endpoint.path in prepared and values == usual:
            return prepared[endpoint.path].response(request)
        return await desk.answer(
            lambda: json_response(endpoint.answer(questions, **values)),
            client=request.client.host if request.client else "",
            is_gone=request.is_disconnected,
        )

    return answer


def _constant(constant: Constant) -> Handler:
    async def answer(request: Request) -> Response:
        return constant.response(request)

    return answer


async def _part_of_page(request: Request) -> Response:
    found = asset(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    content, media_type = found
    return Response(content, media_type=media_type)


async def _no_icon(_: Request) -> Response:
    return Response(status_code=204)


def _route(path: str, handler: Handler) -> Route:
    """A route whose errors are answers, too."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except UnknownWordError as error:
            return error_response(404, error.message, error.hint, error.suggestions, error.word)
        except HyperskipError as error:
            return error_response(400, error.message, error.hint)
        except TooBusyError:
            hint, headers = "ask again in a second", {"Retry-After": "1"}
            return error_response(503, "too many questions at once", hint, headers=headers)
        except HTTPException:
            raise
        except Exception:
            _log.exception("no answer to %s", request.url.path)
            hint = "the terminal that the explorer runs in says more"
            return error_response(500, "something went wrong", hint)

    return Route(path, answer, methods=["GET"])


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    hint = "see /openapi.json for what there is"
    phrase = HTTPStatus(error.status_code).phrase.lower()
    return error_response(error.status_code, phrase, hint, headers=error.headers)
