"""What a person does with a token: hand in, wish, and look what became of it."""

import asyncio
import errno
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import date
from functools import partial
from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from ladder.admission import arrivals
from ladder.admission.arrivals import ENDINGS, Arrival
from ladder.admission.grants import bots_of
from ladder.admission.inbox_answers import LOG, Taken, times_of_a_day
from ladder.admission.people import Person, most_bots
from ladder.admission.upload_states import InboxWork, UploadState, UploadStates, count_unanswered
from ladder.admission.wishes import EXAMPLES, SUFFIX, Wish, wish_text
from ladder.errors import UsageProblem
from ladder.home.home import Home, open_home
from ladder.home.json_lines import read_lines
from ladder.web.door.door import ApiRoute, Door, HttpProblem
from ladder.web.serve.guard import UPLOAD_BYTES
from ladder.web.serve.visitors import Shares

AT_ONCE, AT_ONCE_OF_ONE = 8, 2
"""The most uploads at once, and of one person."""
LEAST_BYTES: Final = 16_384
"""An upload sends at least this much a second..."""
WINDOW_S: Final = 30.0
"""...in each time of this length..."""
MOST_S: Final = 1_200.0
"""...and ends after that time."""
OLD_S: Final = 3_600.0
"""After this time, what did not arrive whole is removed."""
AGAIN: Final = ("refused", "kept back", "replaced")
"""The states in which the same bytes are another upload."""
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
NOT_WHOLE: Final = "the body did not arrive whole"
IN_JSON: Final = "\n".join(map(json.dumps, EXAMPLES))
"""How wishes are written in a request."""


class OwnBot(msgspec.Struct, frozen=True):
    """A bot of a person."""

    bot: str
    versions: list[int]
    plays: int | None
    """The number of the version that plays; None: it is retired."""


class Myself(msgspec.Struct, frozen=True):
    """Who one is here, and what one may still do; None: as much as one likes."""

    person: str
    ends: date | None
    bots: list[OwnBot]
    bots_left: int | None
    uploads_left: int | None
    """In 24 hours."""
    wishes_left: int | None
    challenges_left: int
    waiting_left: int | None
    inbox: InboxWork


class UploadsApi:
    """Answers the people of a door."""

    def __init__(self, door: Door) -> None:
        """Take files for the inbox of *door*."""
        self._door, self._inbox = door, door.folders.inbox
        self._states = UploadStates(door.folders)
        self._uploads = Shares(AT_ONCE, AT_ONCE_OF_ONE)
        arrivals.remove_parts(self._inbox, 0.0)

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses below api/v1/."""
        return [
            Route(f"/{each.path}", partial(answer, self), methods=[each.method.upper()])
            for each, answer in UPLOADS.items()
        ]

    async def look_after(self) -> None:
        """Remove again and again what did not arrive whole, until cancelled."""
        while True:
            await asyncio.sleep(OLD_S)
            await run_in_threadpool(arrivals.remove_parts, self._inbox, OLD_S)

    # -- requests

    async def put(self, request: Request) -> Response:
        """Take a file of a bot."""
        person, name = self._door.person_of(request), request.path_params["name"]
        home = await run_in_threadpool(open_home, self._door.home.path)
        if not arrivals.is_file_name(name):
            what = f"a file is called by {arrivals.NAME_RULE}, and ends in one of: {' '.join(ENDINGS)}"
            raise HttpProblem(422, what, "rename the file; its name is the bot's")
        if await run_in_threadpool(arrivals.is_of_other, home, person.name, name):
            raise HttpProblem(409, "a bot of this name is another person's", "rename the file")
        size = int(request.headers.get("content-length", UPLOAD_BYTES))
        async with self._arriving(request, person.name, size) as arrival:
            self._check_waiting(home, person.name, name)
            async for data in _chunks(request):
                arrival.write(data)
            if not arrival.size:
                raise HttpProblem(400, "the file is empty", "curl -T FILE sends one")
            before = await run_in_threadpool(self._find_before, home, person.name, name)
            if before and before.sha256 == arrival.sha256:
                return _json(before)
            self._door.find_person(request)  # its token may have ended meanwhile
            await self._keep(home, person.name, name, arrival)
        return await self._answer(home, person.name, name, 202)

    async def wish(self, request: Request) -> Response:
        """Take a wish."""
        person = self._door.person_of(request)
        home = await run_in_threadpool(open_home, self._door.home.path)
        try:
            body = await request.body()
        except ClientDisconnect:
            raise HttpProblem(400, NOT_WHOLE) from None
        try:
            fields = msgspec.convert(json.loads(body, object_pairs_hook=_read_once), dict[str, Any])
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise HttpProblem(400, "a wish is an object in JSON", IN_JSON) from None
        try:
            text = wish_text(fields).encode()
        except UsageProblem as error:
            raise HttpProblem(422, str(error), IN_JSON) from None
        name = f"{fields['wish']}-{time.time_ns():x}{SUFFIX}"
        async with self._arriving(request, person.name, len(text)) as arrival:
            arrival.write(text)
            await self._keep(home, person.name, name, arrival)
        return await self._answer(home, person.name, name, 202)

    async def uploads(self, request: Request) -> Response:
        """Tell the states of all uploads, without their pages."""
        person, path = self._door.person_of(request), self._door.home.path
        found = await run_in_threadpool(lambda: [*self._states.states(open_home(path), person.name)])
        return _json([msgspec.structs.replace(state, page="") for state in found])

    async def upload(self, request: Request) -> Response:
        """Tell the state of one upload."""
        person = self._door.person_of(request)
        home = await run_in_threadpool(open_home, self._door.home.path)
        return await self._answer(home, person.name, request.path_params["name"], 200)

    async def me(self, request: Request) -> Response:
        """Tell who one is here, and what one may still do."""
        person = self._door.person_of(request)
        return _json(await run_in_threadpool(self._myself, person))

    async def feedback(self, request: Request) -> Response:
        """Show the page on a bot of one's own."""
        person, bot = self._door.person_of(request), request.path_params["name"]
        page = self._door.folders.outbox / person.name / "bots" / f"{bot}.md"
        if not arrivals.NAME.fullmatch(bot) or not page.is_file():
            what = "there is no page on such a bot of yours"
            raise HttpProblem(404, what, "it is written when a run has ended")
        text = await run_in_threadpool(page.read_text, "utf-8")
        return PlainTextResponse(text, media_type="text/markdown")

    # -- how they are answered

    async def _answer(self, home: Home, person: str, name: str, status: int) -> Response:
        state = await run_in_threadpool(self._states.find, home, person, name)
        if state is None:
            raise HttpProblem(404, "there is no such upload of yours", "GET api/v1/uploads")
        return _json(state, status)

    def _find_before(self, home: Home, person: str, name: str) -> UploadState | None:
        """Return the state of the upload called *name*; None if the same bytes would be another one."""
        state = self._states.find(home, person, name)
        if state is None or state.state in AGAIN:
            return None
        rests = state.number and state.bot not in {version.bot for version in home.roster.active()}
        return None if rests else state

    def _check_waiting(self, home: Home, person: str, name: str) -> None:
        most = home.settings.inbox.waiting
        if most and count_unanswered(self._door.folders, person, name) >= most:
            what = f"{most} of your uploads wait for their answers"
            raise HttpProblem(429, what, "wait for one of them: GET api/v1/uploads", 30)

    @asynccontextmanager
    async def _arriving(self, request: Request, person: str, size: int) -> AsyncIterator[Arrival]:
        """Yield a file in the folder of *person*, which is removed unless it is kept.  Raises HttpProblem."""
        full = HttpProblem(507, "the disk is full", "tell those who run this ladder", 600)
        if not arrivals.has_room(self._inbox, size):
            raise full
        if not self._uploads.take(person):
            raise HttpProblem(429, "too many uploads are on their way", "send one after the other", 10)
        request.scope["state"]["upload"] = True  # its time is counted here
        try:
            with Arrival(self._inbox, person) as arrival:
                yield arrival
        except OSError as error:
            if error.errno not in FULL:
                raise
            raise full from error
        finally:
            request.scope["state"]["upload"] = False
            self._uploads.give_back(person)

    async def _keep(self, home: Home, person: str, name: str, arrival: Arrival) -> None:
        await run_in_threadpool(arrival.sync)
        self._check_waiting(home, person, name)  # nothing else runs between this and the next line
        arrival.keep(name)
        await run_in_threadpool(arrival.sync_name)

    def _myself(self, person: Person) -> Myself:
        home, name = open_home(self._door.home.path), person.name
        limits, mine = (
            home.settings.inbox,
            [line for line in read_lines(home.path / LOG, Taken) if line.person == name],
        )
        uploads, wishes, challenges = (
            len(times_of_a_day([line for line in mine if is_one(line.wish)]))
            for is_one in (lambda wish: not wish, bool, lambda wish: wish == "challenge")
        )
        plays, roster = {version.bot: version.number for version in home.roster.active()}, home.roster
        bots = [
            OwnBot(bot, [each.number for each in roster.versions_of(bot)], plays.get(bot))
            for bot in sorted(bots_of(home, name))
        ]
        return Myself(
            person=name,
            ends=person.ends,
            bots=bots,
            bots_left=_left(most_bots(home, name), sum(each.plays is not None for each in bots)),
            uploads_left=_left(limits.submissions_a_day, uploads),
            wishes_left=_left(limits.wishes_a_day, wishes),
            challenges_left=max(0, limits.challenges_a_day - challenges),
            waiting_left=_left(limits.waiting, count_unanswered(self._door.folders, name)),
            inbox=self._states.work(),
        )


def _read_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(fields := dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return fields


def _left(most: int, used: int) -> int | None:
    return max(0, most - used) if most else None


_route = partial(ApiRoute, needs_token=True)
UPLOADS: Final[Mapping[ApiRoute, Callable[[UploadsApi, Request], Coroutine[Any, Any, Response]]]] = {
    _route("bots/{name}", "Hand in a bot.", UploadState, method="put", body=bytes): UploadsApi.put,
    _route("uploads", "List what was handed in.", list[UploadState]): UploadsApi.uploads,
    _route("uploads/{name}", "Read what became of it.", UploadState): UploadsApi.upload,
    _route("me", "Read who one is, and what one may do.", Myself): UploadsApi.me,
    _route("wishes", "Wish something.", UploadState, method="post", body=Wish): UploadsApi.wish,
    _route("bots/{name}/feedback", "Read how a bot did.", str, kind="text/markdown"): UploadsApi.feedback,
}
"""What answers a person, by the address."""


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    """Yield the body of *request* as it comes.  Raises HttpProblem if it is cut off, or comes too slowly."""
    began = window = time.monotonic()
    came, more = 0, True
    while more:
        try:
            async with asyncio.timeout(window + WINDOW_S - time.monotonic()):
                message = await request.receive()
        except TimeoutError:
            message = {"type": "http.request", "more_body": True}
        if message["type"] != "http.request":
            raise HttpProblem(400, NOT_WHOLE)
        if data := message.get("body", b""):
            came += len(data)
            yield data
        more = message.get("more_body", False)
        if more and (now := time.monotonic()) >= window + WINDOW_S:
            if came < LEAST_BYTES * WINDOW_S or now >= began + MOST_S:
                raise HttpProblem(408, f"a body has {LEAST_BYTES:,} bytes a second at least", "try again")
            window, came = now, 0


def _json(told: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(told), status, media_type="application/json")
