"""All addresses below api/v1/; `python -m ladder.web.door.api` writes openapi.json (OpenAPI 3.1) of them."""

import re
from collections.abc import Iterable

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Router

from ladder.errors import LadderError
from ladder.web.door.door import OPENAPI, ApiRoute, HttpProblem, ProblemDocument, answer_problem
from ladder.web.door.results_api import RESULTS, results_routes
from ladder.web.door.uploads_api import UPLOADS, UploadsApi
from ladder.web.serve.edition import Editions
from results.errors import ResultsError
from results.record import Json

ROUTES = (*RESULTS, *UPLOADS)
"""All that openapi.json describes."""


def mount_api(uploads: UploadsApi, editions: Editions) -> Mount:
    """Return all addresses below api/."""
    routes: list[BaseRoute] = [*uploads.routes, *results_routes(editions)]
    handlers = {HTTPException: _answer_http, **dict.fromkeys(_ERRORS, answer_problem)}
    router = Router(routes, redirect_slashes=False)  # a redirect would leave the path of a proxy
    return Mount("/api", Starlette(routes=[Mount("/v1", router)], exception_handlers=handlers))


_ERRORS = (HttpProblem, LadderError, ResultsError, OSError, Exception)


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "there is nothing at this address", 405: f"this address does not answer {request.method}"}
    hint = "GET api/v1/openapi.json lists all addresses"
    return HttpProblem(error.status_code, words.get(error.status_code, error.detail), hint).answer()


def describe(routes: Iterable[ApiRoute]) -> str:
    """Return what is told of *routes*, as the text of a file."""
    listed = [*routes]
    kinds = [ProblemDocument, *(each.answer for each in listed), *(each.body for each in listed)]
    at = "#/components/schemas/{name}"
    (problem, *refs), schemas = msgspec.json.schema_components(kinds, ref_template=at)
    failed = _content("A problem.", problem, "application/problem+json")
    paths: dict[str, dict[str, Json]] = {}
    for route, answer, body in zip(listed, refs, refs[len(listed) :], strict=False):
        told = {
            "summary": route.what,
            "parameters": _parameters(route),
            "responses": {"2XX": _content("The answer.", answer, route.kind), "default": failed},
        }
        if route.body:
            kind = "application/octet-stream" if route.body is bytes else "application/json"
            told["requestBody"] = _content("What is sent.", {} if route.body is bytes else body, kind)
        if route.needs_token:
            told["security"] = [{"token": []}]
        paths.setdefault(f"/{route.path}", {})[route.method] = told
    token = {"type": "http", "scheme": "bearer"}
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "ladder", "version": "1"},
        "servers": [{"url": "../v1"}],  # as seen from the file: a proxy may show it below any path
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": token}},
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _content(what: str, schema: Json, kind: str = "application/json") -> Json:
    return {"description": what, "content": {kind: {"schema": schema}}}


def _parameters(route: ApiRoute) -> list[Json]:
    names = re.findall(r"{(\w+)}", route.path)
    parts = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
    _, queries = msgspec.json.schema_components([route.query] if route.query else [])
    asked = [field for query in queries.values() for field in query["properties"].items()]
    return parts + [{"name": name, "in": "query", "schema": schema} for name, schema in asked]


if __name__ == "__main__":
    OPENAPI.write_text(describe(ROUTES), encoding="utf-8")
