"""Which address below api/v1/ answers what, one line each."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount

from ladder.errors import LadderError
from ladder.web.door.door import Door
from ladder.web.door.problems import HttpProblem, answer_problem
from results.errors import ResultsError

ROOT = "/api/v1"


def mount_api(door: Door) -> Mount:
    """Return all addresses below ROOT."""
    routes: list[BaseRoute] = []
    handlers = {HTTPException: _answer_http, **dict.fromkeys(_ERRORS, answer_problem)}
    return Mount("/api", Starlette(routes=[Mount("/v1", routes=routes)], exception_handlers=handlers))


_ERRORS = (HttpProblem, LadderError, ResultsError, Exception)


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "there is nothing at this address", 405: f"this address does not answer {request.method}"}
    hint = "GET api/v1/openapi.json lists all addresses"
    return HttpProblem(error.status_code, words.get(error.status_code, error.detail), hint).answer()
