"""Who sends a request, by the token in its header; limits of requests; errors as JSON (RFC 9457)."""

import math
import re
import time
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.people import DamagedPeople, People, Person
from ladder.errors import tell, whose
from ladder.home.home import Home
from ladder.web.serve.visitors import tell_visitor

OPENAPI: Final = Path(__file__).with_name("openapi.json")

MINUTE: Final = 60.0
"""The seconds over which requests are counted."""
REQUESTS, WRONG_TOKENS = 60, 10
"""The most requests of a person in a minute, and the most wrong tokens of a visitor."""
IN_ADDRESS: Final = re.compile(r"ldr_[\w-]{40}", re.ASCII)
SEND_IT: Final = "send your token: Authorization: Bearer ldr_..."


class ApiRoute(NamedTuple):
    """An address, with the types of the JSON that it answers, of its parameters and of its body."""

    path: str
    what: str
    answer: Any
    query: Any = None
    method: str = "get"
    body: Any = None
    """What is sent: bytes are a file, all else is JSON."""
    needs_token: bool = False
    kind: str = "application/json"
    """The media type of the answer."""


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
        return Response(msgspec.json.encode(document), self.status, headers, "application/problem+json")


async def answer_problem(request: Request, error: Exception) -> Response:
    """Answer with *error*: its words where it is the caller's, else whose it is."""
    if isinstance(error, HttpProblem):
        return error.answer()
    status = 404 if getattr(error, "exit_code", 1) == 3 else 400 if whose(error) == "caller" else 503
    told = tell(error) or (str(error), "")
    return HttpProblem(status, tell_visitor(whose(error), told[0]), told[1] if status < 500 else "").answer()


class RequestRate:
    """How often each may do something in a minute."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._times: dict[str, deque[float]] = {}

    def wait_s(self, who: str) -> int:
        """Return after how many seconds *who* may do it; 0 for now."""
        before = self._clock() - MINUTE
        self._times = {name: times for name, times in self._times.items() if times[-1] > before}
        times = self._times.get(who, deque())
        wait = times[0] - before if len(times) == self._most else 0  # more than that are not kept
        return math.ceil(max(wait, 0))

    def count(self, who: str) -> None:
        """Count that *who* did it now."""
        self._times.setdefault(who, deque(maxlen=self._most)).append(self._clock())


class Door:
    """Who may come in."""

    def __init__(self, home: Home, folders: InboxFolders) -> None:
        """Let the people of *home* in, whose files go to the inbox of *folders*."""
        self.home, self.folders = home, folders
        self.requests, self._wrong = RequestRate(REQUESTS), RequestRate(WRONG_TOKENS)

    def person_of(self, request: HTTPConnection) -> Person:
        """Return who sends *request*, a websocket's or another, and count it.  Raises HttpProblem."""
        person = self.find_person(request)
        if wait := self.requests.wait_s(person.name):
            what = f"you have sent {REQUESTS} requests in a minute"
            raise HttpProblem(429, what, f"wait {wait} s; a state changes no faster than every 2 s", wait)
        self.requests.count(person.name)
        return person

    def find_person(self, request: HTTPConnection) -> Person:
        """Return whose token is in *request*.  Raises HttpProblem."""
        visitor = str(request.scope.get("state", {}).get("visitor", ""))
        if IN_ADDRESS.search(str(request.url)):
            raise HttpProblem(400, "a token stands in the address, where logs keep it", "ladder people renew")
        if len(lines := request.headers.getlist("authorization")) > 1:
            raise HttpProblem(400, "there are two lines Authorization", SEND_IT)
        if wait := self._wrong.wait_s(visitor):
            hint = f"wait {wait} s, then send the token that you were given"
            raise HttpProblem(429, "too many wrong tokens came from your address", hint, wait)
        scheme, _, token = (lines or [""])[0].partition(" ")
        try:
            person = People.read(self.home).of_token(token.strip()) if scheme.lower() == "bearer" else None
        except DamagedPeople as error:
            raise HttpProblem(
                503, "the list of people cannot be read", "tell those who run this ladder"
            ) from error
        if person is None:
            if token:
                self._wrong.count(visitor)
            raise HttpProblem(401, "this is no valid token", SEND_IT)
        return person
