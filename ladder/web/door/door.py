"""Who sends a request, by the token in its header, and how many requests one may send."""

import math
import re
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection

from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.people import DamagedPeople, People, Person
from ladder.home.home import Home
from ladder.web.door.problems import HttpProblem

MINUTE: Final = 60.0
"""The seconds over which requests are counted."""
REQUESTS, WRONG_TOKENS = 60, 10
"""The most requests of a person in a minute, and the most wrong tokens of a visitor."""
IN_ADDRESS: Final = re.compile(r"ldr_[\w-]{40}", re.ASCII)
SEND_IT: Final = "send your token: Authorization: Bearer ldr_..."


class RequestRate:
    """How often each may do something in a minute."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._times: dict[str, deque[float]] = {}

    def wait_s(self, who: str) -> int:
        """Return after how many seconds *who* may do it; 0 for now."""
        before = self._clock() - MINUTE
        for name in [name for name, times in self._times.items() if times[-1] <= before]:
            del self._times[name]
        times = self._times.get(who, deque())
        while times and times[0] <= before:
            times.popleft()
        return max(1, math.ceil(times[0] - before)) if len(times) >= self._most else 0

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
            raise HttpProblem(429, "too many wrong tokens came from your address", "", wait)
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
