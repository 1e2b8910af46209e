"""Which address below api/v1/ answers what, one line each.

`python -m ladder.web.door.api` writes openapi.json, which describes them.
"""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Router

from ladder.errors import LadderError
from ladder.web.door.openapi import OPENAPI, describe
from ladder.web.door.problems import HttpProblem, answer_problem
from ladder.web.door.results_api import RESULTS, results_routes
from ladder.web.door.uploads_api import UPLOADS, UploadsApi
from ladder.web.serve.edition import Editions
from results.errors import ResultsError

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


if __name__ == "__main__":
    OPENAPI.write_text(describe(ROUTES), encoding="utf-8")
