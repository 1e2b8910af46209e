"""Errors as JSON: problem documents, RFC 9457, with what to do next as `hint`."""

from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ladder.errors import tell, whose
from ladder.web.serve.visitors import tell_visitor

MEDIA_TYPE = "application/problem+json"


class ProblemDocument(msgspec.Struct, omit_defaults=True):
    """What went wrong, and what to do next."""

    status: int
    title: str
    detail: str
    hint: str = ""


class HttpProblem(Exception):
    """A request that gets a problem document."""

    def __init__(self, status: int, detail: str, hint: str = "", retry_s: int = 0) -> None:
        """Tell a program to come again after *retry_s* seconds, if that helps."""
        super().__init__(detail)
        self.status, self.hint, self.retry_s = status, hint, retry_s

    def answer(self) -> Response:
        """Return the problem document."""
        title = HTTPStatus(self.status).phrase.lower().removesuffix(" requests")
        document = ProblemDocument(self.status, title, str(self), self.hint)
        headers = {"retry-after": str(self.retry_s)} if self.retry_s else {}
        headers |= {"www-authenticate": "Bearer"} if self.status == 401 else {}
        return Response(msgspec.json.encode(document), self.status, headers, MEDIA_TYPE)


async def answer_problem(request: Request, error: Exception) -> Response:
    """Answer with *error*: its words where it is the caller's, else whose it is."""
    if isinstance(error, HttpProblem):
        return error.answer()
    status = 404 if getattr(error, "exit_code", 1) == 3 else 400 if whose(error) == "caller" else 503
    told = tell(error) or (str(error), "")
    return HttpProblem(status, tell_visitor(whose(error), told[0]), told[1] if status < 500 else "").answer()
