"""Which address shows what.  GET changes nothing; what changes something is a form with a token.

All links, forms and redirects are relative, so that a proxy may show all of this below a path of its own.

/                    the leaderboards and the newest matches; /live tells when there are newer ones
/match/RUN/NUMBER    a match that is over, to step through; POST .../review asks where it was lost, and
                     GET .../review tells how far that is
/play                choose a game and bots; POST opens a table
/table/ID            a match in play; .../news tells what changes, POST .../move and .../leave
"""

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from hmac import compare_digest, digest
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import parse_qs, urlencode

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from engines import GameNotLoaded
from ladder.admission.arrivals import ENDINGS
from ladder.admission.inbox_answers import InboxFolders
from ladder.errors import LadderError, NotFound, whose
from ladder.home.home import Home
from ladder.live import connect
from ladder.live.live_request import plan_match
from ladder.replay.replay import bare_fault, find_match, make_whole
from ladder.replay.review.match_review import judge_for
from ladder.replay.review.reviewing import shown_review
from ladder.web.door.api import mount_api
from ladder.web.door.door import Door
from ladder.web.door.remote_seats import RemoteSeats
from ladder.web.door.uploads_api import IN_JSON, UploadsApi
from ladder.web.pages.assets import ASSETS, asset_file, asset_of, read_asset
from ladder.web.pages.environment import render
from ladder.web.pages.frame import Frame
from ladder.web.pages.viewer import Asking, render_match, viewer_assets, viewer_block
from ladder.web.serve.edition import BEAT, PLAY, UPLOAD, Editions
from ladder.web.serve.guard import Guard, Hosts
from ladder.web.serve.hosted_matches import DECIDED, NO_DOUBT, Doubt, Full, HostedMatch, HostedMatches
from ladder.web.serve.own_tables import find_own_tables, remember_table
from ladder.web.serve.play_page import Offer, newest_played, offer_of, offers, opponents, request_of
from ladder.web.serve.public_address import PublicAddress
from ladder.web.serve.review_queue import LOOK_S, ReviewQueue
from ladder.web.serve.sending import send_text
from ladder.web.serve.visitors import Shares, tell_visitor
from ladder.web.site.format import page_of_rules, pitch_of
from results.errors import ResultsError
from results.reports.labels import display_of
from results.reviewed import ReviewedStep
from results.storage.unrated import contents_with

T = TypeVar("T")
Answer: TypeAlias = Coroutine[Any, Any, Response]
KINDS: Final = {"css": "text/css", "js": "text/javascript"}
PATIENCE: Final = 8.0
"""How long a page without JavaScript waits for the bots, in seconds."""
MOST_STREAMS: Final = 480
"""The most streams of events at once: a class of 60 has two pages open each, four times as many fit, and
one visitor has a quarter: as many as the class, if it has one address."""
MOST_FIELDS: Final = 500
"""The most fields of a form."""
STRANGE_FORM: Final = (
    "This form is not from this server, or from before it was started again. Go back and load the page again."
)
STATUS: Final = {"caller": 400, "machine": 503}
"""The status of an answer that tells of an error, by whose it is."""
FIRST: Final = "index.html"
MATCH_PAGE: Final = re.compile(r"matches/(d?[0-9]{1,9})-([0-9]{1,18})\.html")
"""How the pages of a site call the page of a match; here every match has one, and they are made on demand."""


def create_app(
    home: Home,
    address: str = "127.0.0.1",
    public: PublicAddress | None = None,
    uploads: InboxFolders | None = None,
    reviews: int = 2,
) -> Guard:
    """Return the application that shows *home* on *address*, and by a proxy as *public*.

    A visitor may ask for *reviews* reviews an hour.  With *uploads*, it also answers programs, and takes
    files for that inbox.
    """
    pages = _Pages(home, public, reviews, has_door=uploads is not None)
    door = Door(home, uploads) if uploads else None
    people = UploadsApi(door) if door else None
    seats = RemoteSeats(door) if door else None

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        caring = [
            asyncio.create_task(each.look_after()) for each in (pages.tables, pages.reviews, people) if each
        ]
        try:
            async with seats.listening() if seats else nullcontext():
                yield
        finally:
            for each in caring:
                each.cancel()
            pages.tables.close()

    def route(path: str, answer: Callable[[Request], Answer], *methods: str) -> Route:
        return Route(path, answer, methods=methods or ("GET",))

    app = Starlette(
        routes=[
            *([WebSocketRoute("/api/v1/seat", seats.join)] if seats else []),
            *([mount_api(people, pages.editions), route("/upload", pages.upload)] if people else []),
            *([route("/connect.py", pages.client)] if seats else []),
            route("/live", pages.live),
            route("/match/{run}/{number}", pages.match),
            route("/match/{run}/{number}/review", pages.review_news),
            route("/match/{run}/{number}/review", pages.review, "POST"),
            route("/play", pages.choose),
            route("/play", pages.open, "POST"),
            route("/table/{id}", pages.table),
            route("/table/{id}/news", pages.news),
            route("/table/{id}/move", pages.move, "POST"),
            route("/table/{id}/leave", pages.leave, "POST"),
            route("/{path:path}", pages.results),
        ],
        exception_handlers={
            HTTPException: pages.http_problem,
            LadderError: pages.problem,
            ResultsError: pages.problem,
            Exception: pages.problem,
        },
        lifespan=living,
    )
    return Guard(app, Hosts(address, public), pages.ending, has_door=uploads is not None)


class _Pages:
    """Answers requests."""

    def __init__(
        self, home: Home, public: PublicAddress | None = None, reviews: int = 2, *, has_door: bool = False
    ) -> None:
        self.ending = asyncio.Event()
        self.tables = HostedMatches(home)
        self.reviews = ReviewQueue(home.results, reviews)
        self._home = home
        self._path = public.path if public else ""
        self._url = f"{public.origin}{public.path}/" if public else ""
        self._has_tls = bool(public and public.origin.startswith("https:"))
        self._token = secrets.token_urlsafe(24)
        """What a form of ours holds: a page elsewhere cannot know it."""
        self._streams = Shares(MOST_STREAMS)
        self._tabs = (PLAY, UPLOAD) if has_door else (PLAY,)
        self.editions = Editions(home, has_door=has_door)

    # -- results

    async def results(self, request: Request) -> Response:
        """Show a page of the site of the home, or one of its style sheets and scripts."""
        path = request.path_params.get("path") or FIRST
        if (asset := asset_of(path)) in ASSETS:
            kind = KINDS[path.rpartition(".")[2]]
            return send_text(request, read_asset(asset), kind, forever=path == asset_file(asset))
        if found := MATCH_PAGE.fullmatch(path):
            return RedirectResponse(f"{_root(request)}match/{found[1]}/{found[2]}")
        edition = await self.editions.read()
        text = await asyncio.to_thread(edition.page, path)
        if text is None:
            raise HTTPException(404, "There is no such page." + self._hint_at_path(path))
        return send_text(request, text)

    async def client(self, request: Request) -> Response:
        """Give away the program that plays from another machine."""
        return send_text(request, Path(connect.__file__).read_text("utf-8"), "text/x-python")

    async def live(self, request: Request) -> Response:
        """Tell when there are newer results than the page shows."""
        shown = request.headers.get("last-event-id") or request.query_params.get("edition", "")
        return self._stream(request, self.editions.changes(shown))

    async def match(self, request: Request) -> Response:
        """Show a match that is over, and where it was lost or how to ask for that."""
        name = _match(request)

        def page() -> str:
            record, review = self._read_match(name)
            asking = Asking()
            if self.reviews.an_hour and not review:
                refused = _not_reviewed(record)
                why = refused or self.reviews.problems.get(name, "")
                asking = Asking(self.reviews.tell(name), why, not refused, self._token_of(name))
            record["faults"] = [bare_fault(fault) for fault in record["faults"]]
            numbers = self._home.roster.numbers()
            return render_match(
                self._frame(request, "matches.html", viewer_assets(review, finding=bool(asking.finding))),
                record,
                viewer_block(record, notes=False, numbers=numbers, review=review),
                numbers=numbers,
                rules=page_of_rules(record["game"]),
                asking=asking,
            )

        return send_text(request, await asyncio.to_thread(page))

    async def review(self, request: Request) -> Response:
        """Let a match be reviewed, if it is not and can be; its page says how far that is, or why not."""
        name = _match(request)
        await self._form(request, self._token_of(name))
        record, review = await asyncio.to_thread(self._read_match, name)
        if not review and not _not_reviewed(record):
            try:
                self.reviews.ask(name, _visitor(request))
            except LadderError as error:
                raise HTTPException(503, f"{str(error).capitalize()}: {error.hint}.") from None
        return RedirectResponse(f"{_root(request)}match/{name}{'#guess' if review else ''}", 303)

    async def review_news(self, request: Request) -> Response:
        """Tell how far the review of a match is."""
        name = _match(request)

        async def changes() -> AsyncIterator[str]:
            told = ""
            while line := self.reviews.tell(name):
                if line != told:
                    yield f"data: {line}\n\n"
                told = line
                await asyncio.sleep(LOOK_S)
            yield "event: done\ndata: \n\n"

        return self._stream(request, changes())

    def _read_match(self, wanted: str) -> tuple[dict[str, Any], Sequence[ReviewedStep]]:
        """Return the record of a stored match, and its review; what is in play is in no results."""
        contents, name = contents_with(self._home.results, wanted)
        match = find_match(contents, name)
        return make_whole(contents, match, dealt=False), shown_review(contents, match)

    def _token_of(self, match: str) -> str:
        """Return what a form holds on a page that is sent compressed: it is good for *match* alone."""
        return digest(self._token.encode(), match.encode(), "sha256").hex()

    async def upload(self, request: Request) -> Response:
        """Offer to send a bot."""
        await self.editions.read()
        return self._page(
            request,
            "upload.html",
            UPLOAD.address,
            endings=ENDINGS,
            wishes=IN_JSON,
            url=self._url or str(request.base_url),
            more=("play.css", "upload.js"),
        )

    # -- a seat for a person

    async def choose(self, request: Request) -> Response:
        """Offer games, and for one of them the bots and the seats."""
        await self.editions.read()
        found = await asyncio.to_thread(offers, self._home)
        game, seats = request.query_params.get("game"), request.query_params.get("seats")
        chosen = offer_of(found, game, seats) if game else None
        return await self._choice(request, found, chosen)

    async def _choice(
        self, request: Request, found: list[Offer], chosen: Offer | None, problem: str = "", status: int = 200
    ) -> Response:
        played = await asyncio.to_thread(newest_played, self._home)
        leaders = (await self.editions.read()).facts.leaders.get(chosen.game, ()) if chosen else ()
        proposed, strengths = opponents(chosen, [row["bot"] for row in leaders]) if chosen else ([], {})
        return self._page(
            request,
            "choose.html",
            PLAY.address,
            games=[list(tables) for _, tables in groupby(found, lambda offer: offer.game)],
            chosen=chosen,
            pitch=pitch_of(chosen.game) if chosen else "",
            called=partial(display_of, numbers=self._home.roster.numbers()),
            at_first=request.query_params.getlist("bot") or proposed,
            strengths=strengths,
            problem=problem,
            played=played,
            going_on=find_own_tables(request, self.tables),
            token=self._token,
            more=("play.css",),
            status=status,
        )

    async def open(self, request: Request) -> Response:
        """Open a table: start the match, and lead to its page."""
        form = await self._form(request)
        found = await asyncio.to_thread(offers, self._home)
        chosen = offer_of(found, *(form.get(name, [""])[0] for name in ("game", "seats")))
        try:
            wanted = request_of(found, chosen, form)
            plan = await asyncio.to_thread(plan_match, self._home, wanted, _take_no_path)
            table = await self.tables.open(plan, _visitor(request))
        except Full as error:
            return await self._choice(request, found, chosen, f"{error}: {error.hint}", 503)
        except LadderError as error:
            words = tell_visitor(whose(error), str(error))
            return await self._choice(request, found, chosen, words, STATUS.get(whose(error), 500))
        answer = RedirectResponse(f"{_root(request)}table/{table.id}", 303)
        remember_table(request, answer, table, secure=self._has_tls)
        return answer

    async def table(self, request: Request) -> Response:
        """Show a match in play."""
        table = self._table(request)
        if "text/html" in request.headers.get("accept", "") and request.query_params.get("wait") != "no":
            await self._unless_ending(table.next_decision(PATIENCE if table.version else 1.0))
        step = request.query_params.get("step", "")
        return self._page(
            request,
            "table.html",
            PLAY.address,
            description=f"{table.head()}. {table.title}" if table.result else "",
            table=table,
            state=self._state(table, table.doubt(step, request.query_params.getlist("option"))),
            more=("board.css", "play.css", "boards.js", "play.js"),
        )

    async def news(self, request: Request) -> Response:
        """Tell what changes at a table."""
        table = self._table(request)

        async def changes() -> AsyncIterator[str]:
            version = -1
            table.pages += 1
            try:
                while True:
                    if version != table.version:
                        version = table.version
                        state = {"version": str(version), "over": table.is_over, "html": self._state(table)}
                        yield f"data: {json.dumps(state)}\n\n"
                        if table.is_over:
                            return
                    else:
                        yield ": still here\n\n"
                    await table.next_change(version, BEAT)
                    await asyncio.sleep(0.1)  # several steps in a row are shown together
            finally:
                table.pages -= 1
                table.touch()

        return self._stream(request, changes())

    async def move(self, request: Request) -> Response:
        """Make a move."""
        table = self._table(request)
        form = await self._form(request)
        step, options = form.get("step", [""])[0], form.get("option", [])
        has_script = "application/json" in request.headers.get("accept", "")
        table.confirms = "each" in form
        if not (has_script or "sure" in form) and (doubt := table.doubt(step, options)).options:
            query = urlencode([("step", step), *(("option", option) for option in doubt.options)])
            return RedirectResponse(f"{_root(request)}table/{table.id}?{query}", 303)
        problem = table.move(step, options)
        if has_script:
            return Response(
                json.dumps({"problem": problem}), 409 if problem else 200, media_type="application/json"
            )
        if problem and problem != DECIDED:  # else a second click, or another tab: the table shows what is now
            raise HTTPException(409, f"{problem[:1].upper()}{problem[1:]}.")
        return RedirectResponse(f"{_root(request)}table/{table.id}", 303)

    async def leave(self, request: Request) -> Response:
        """End a match."""
        table = self._table(request)
        await self._form(request)
        await table.end("you left; the match is not kept")
        return RedirectResponse(f"{_root(request)}table/{table.id}", 303)

    def _table(self, request: Request) -> HostedMatch:
        try:
            table = self.tables[request.path_params["id"]]
        except KeyError:
            raise HTTPException(404, "There is no such table, or it is gone.") from None
        table.touch()
        return table

    def _state(self, table: HostedMatch, doubt: Doubt = NO_DOUBT) -> Markup:
        text = render(
            "serve/templates/state.html",
            Frame(self._home.settings.site.title, root="../"),  # it is shown at /table/ID alone
            table=table,
            doubt=doubt,
            rules=page_of_rules(table.plan.game),
            board=Markup(table.picture()),  # noqa: S704 - a picture of engines.drawing, which escapes its texts
            token=self._token,
            reviews=self.reviews.an_hour,
            review_token=self._token_of(table.kept),
        )
        return Markup(text)  # noqa: S704 - a template of this package, which escapes its values

    async def _form(self, request: Request, token: str = "") -> dict[str, list[str]]:
        """Return the fields of a form of ours, with its own *token* if it has one.  Raises HTTPException."""
        try:
            text = (await request.body()).decode("ascii", "replace")
        except ClientDisconnect:  # or it was too slow
            raise HTTPException(400, "This form did not arrive whole.") from None
        try:
            form = parse_qs(text, keep_blank_values=True, strict_parsing=True, max_num_fields=MOST_FIELDS)
        except ValueError:
            raise HTTPException(400, "This form cannot be read.") from None
        tokens = form.get("token", [])
        if len(tokens) != 1 or not compare_digest(tokens[0].encode(), (token or self._token).encode()):
            raise HTTPException(403, STRANGE_FORM)
        return form

    # -- answers

    async def http_problem(self, request: Request, error: Exception) -> Response:
        """Say on a page what is wrong with a request."""
        assert isinstance(error, HTTPException)
        text = error.detail if error.status_code != 405 else "This page cannot do that."
        return self._problem(request, text, error.status_code)

    async def problem(self, request: Request, error: Exception) -> Response:
        """Say on a page what is wrong with what was asked for, or that something is wrong here."""
        status = 404 if getattr(error, "exit_code", 1) == 3 else STATUS.get(whose(error), 500)
        words = tell_visitor(whose(error), str(error))
        text = f"{words[:1].upper()}{words[1:]}."
        return self._problem(request, text, status)

    def _problem(self, request: Request, text: str, status: int) -> Response:
        """Return a page that says what is wrong, with a way back to a match whose review was asked for."""
        asked = re.fullmatch(r"/(match/[^/]+/[^/]+)/review", request.scope["path"])
        match = asked[1] if asked else ""
        return self._page(request, "problem.html", "", problem=text, match=match, status=status)

    def _hint_at_path(self, path: str) -> str:
        """Return what is wrong with a *path* that begins with that of the proxy."""
        if not (self._path and f"/{path}/".startswith(f"{self._path}/")):
            return ""
        return f" The proxy must take {self._path} away from the addresses that it passes on."

    def _page(
        self,
        request: Request,
        template: str,
        tab: str,
        *,
        status: int = 200,
        more: tuple[str, ...] = (),
        description: str = "",
        **values: Any,
    ) -> Response:
        """Return a page of ours, which may hold the token of its forms; its tab has the address *tab*."""
        frame = self._frame(request, tab, more)._replace(description=description)
        return HTMLResponse(render(f"serve/templates/{template}", frame, **values), status)

    def _frame(self, request: Request, tab: str, more: tuple[str, ...]) -> Frame:
        if edition := self.editions.newest:
            return edition.frame(tab, _root(request), more)
        name = self._home.settings.site.title
        return Frame(name, root=_root(request), home="", tabs=self._tabs, current=tab, more=more, live=True)

    def _stream(self, request: Request, events: AsyncIterator[str]) -> Response:
        """Return *events* as server-sent events."""
        if not self._streams.take(_visitor(request)):
            raise HTTPException(503, "Too many pages are open.")
        return _Stream(self._tell_ending(events), lambda: self._streams.give_back(_visitor(request)))

    async def _tell_ending(self, events: AsyncIterator[str]) -> AsyncIterator[str]:
        while event := await self._unless_ending(anext(events, "")):
            yield event
        if self.ending.is_set():
            yield "event: ending\ndata: the server ends\n\n"

    async def _unless_ending(self, work: Awaitable[T]) -> T | None:
        """Return what *work* returns; None once the server ends, which waits for nothing."""
        waited = asyncio.ensure_future(work), asyncio.ensure_future(self.ending.wait())
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            return waited[0].result() if waited[0].done() else None
        finally:
            for each in waited:
                each.cancel()


class _Stream(StreamingResponse):
    """Server-sent events; *ended* is called even if the client goes before the first of them."""

    def __init__(self, events: AsyncIterator[str], ended: Callable[[], None]) -> None:
        unbuffered = {"x-accel-buffering": "no"}  # what nginx asks for
        super().__init__(events, media_type="text/event-stream", headers=unbuffered)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        scope.setdefault("state", {})["stream"] = True  # its connection is counted apart
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def _visitor(request: Request) -> str:
    """Return who sends *request*, as the connection says."""
    return str(request.scope.get("state", {}).get("visitor", ""))


def _match(request: Request) -> str:
    return f"{request.path_params['run']}/{request.path_params['number']}"


def _not_reviewed(record: Mapping[str, Any]) -> str:
    """Return why the match of *record* cannot be reviewed; "" if it can be."""
    try:
        judge_for(record)
    except (LadderError, GameNotLoaded) as error:
        return tell_visitor(whose(error), str(error))
    return ""


def _root(request: Request) -> str:
    """Return how the page of *request* reaches the root: `../` for each folder of its address."""
    path: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    return "../" * (path.count(b"/") - 1)


def _take_no_path(home: Home, path: object) -> Any:
    raise NotFound(f"there is no bot {str(path)!r}", "ladder bots")
