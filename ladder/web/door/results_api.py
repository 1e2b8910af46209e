"""Results as JSON, for anybody: what `--format json` prints, made by the same functions.

Only what has a field here is told, and pages show it as well: there are no authors, notes, deals and paths,
and no times of people.
"""

import re
from collections.abc import Callable, Mapping
from types import GenericAlias
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ladder.errors import NotFound, UsageProblem, short, whose
from ladder.live.live_request import PERSON
from ladder.replay.bot_identity import bot_json, identity, version_rows
from ladder.replay.bot_rows import bot_rows, names_of
from ladder.replay.replay import bare_fault, find_faults, find_match, make_record
from ladder.web.door.door import OPENAPI, ApiRoute
from ladder.web.serve.edition import Editions
from ladder.web.serve.sending import send_text
from ladder.web.site.facts import Facts
from results.errors import ResultsError
from results.record import Json
from results.reports.board_marks import add_marks, add_remote
from results.reports.leaderboard import VALUES
from results.reports.limit_sets import remote_bots
from results.reports.render import json_text
from results.reports.row_sets import matches, select_after
from results.storage.unrated import contents_with

HASHES: Final = re.compile(r'(version": "[0-9a-f]{8})[0-9a-f]+')
"""The hashes of versions in a JSON text, of which pages show eight digits."""


def _many(kind: Any) -> GenericAlias:
    return GenericAlias(list, (kind,))


def _shape(name: str, base: Any = Struct, /, **fields: Any) -> Any:
    """Return a struct with *fields* behind those of *base*."""
    told = [(key, of, False) if of is Mark else (key, of) for key, of in fields.items()]
    return msgspec.defstruct(name, told, bases=(base,), omit_defaults=True, kw_only=True)


Mark: Final = Annotated[bool, Meta(description="Left out where it is not so.")]
Int, Real, Text, Run = int | None, float | None, str | None, int | str
Flat: Final = dict[str, str | int | float | bool | None]
Rows = _many(Flat)
Rating = _shape("Rating", **{key: of if of is str else of | None for key, of in VALUES.items()})
BoardRow = _shape(
    "BoardRow", Rating, display_name=str, rating=Real, plus_minus=Real, win_percent=Real, remote=Mark
)
Texts = dict.fromkeys(("display_name", "description", "submitted"), Text)
Bot = _shape("Bot", bot=str, version=str, number=Int, games=list[str], **Texts, remote=Mark)
BotVersion = _shape("BotVersion", number=int, version=str, submitted=str, plays=bool, retired=bool)
Fault = _shape("Fault", run=Run, number=int, seat=int, step=int, kind=str, charged=bool, reason=str)
Faults = _shape("Faults", charged=dict[str, int], forgiven=int, newest=_many(Fault))
Sums = _shape("Sums", game=str, opponents=Rows, standouts=Rows, seats=Rows, costs=Flat)
Game = _shape("Game", Sums, history=Rows, headroom=Flat | None)
Ratings = _shape("Ratings", Bot, versions=_many(BotVersion), ratings=_many(Rating))
WholeBot = _shape("WholeBot", Ratings, played=_many(Game), faults=Faults)
Seat = _shape("Seat", bot=str, version=str, rank=int, score=Int, fault=Text)
Match = _shape("Match", run=Run, number=int, game=str, block=int, seats=_many(Seat))
MatchRow = _shape("MatchRow", Match, match=str, decisions=int)
TimedSeat = _shape("TimedSeat", Seat, fault_step=Int, think_us=list[int])
Moves = list[list[list[int | str | list[str]]]]
Record = _shape("Record", Match, version=int, moves=Moves, faults=_many(Fault), started=int)
WholeMatch = _shape("WholeMatch", Record, seats=_many(TimedSeat))


class Paging(Struct, forbid_unknown_fields=True):
    """The part of a list that is asked for: the rows behind *after*, at most *limit*."""

    after: Annotated[str, Meta(pattern="^[0-9]{1,9}/[0-9]{1,18}$")] = "0/0"
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


def _read_board(facts: Facts, game: str) -> Json:
    if game not in facts.leaders:
        rated = ", ".join(facts.leaders) or "none so far"
        raise NotFound(f"there is no leaderboard of {short(game)!r}", f"games with one: {rated}")
    marked = add_marks(facts.leaders[game], names_of(facts.versions))
    return add_remote(marked, remote_bots(facts.contents))


def _read_bots(facts: Facts) -> Json:
    return bot_rows([each for each in facts.versions if (each.bot, each.version) not in facts.hidden], ())


def _read_bot(facts: Facts, name: str) -> Json:
    if name not in facts.keys:
        raise NotFound(f"there is no bot {short(name)!r}", "GET api/v1/bots lists them")
    versions = [each for each in facts.versions if each.bot == name]
    playing = {each.id for each in versions if (each.bot, each.version) not in facts.hidden}
    chosen = ([each for each in versions if not each.retired] or versions)[-1:]
    known = {fact.key: fact.value for each in chosen for fact in identity(each, {})}
    key = (name, chosen[0].version) if chosen else facts.keys[name][-1]
    found = bot_json([], version_rows(versions, playing), facts.reader.facts(key, facts.keys[name]))
    found["faults"]["newest"] = [*map(bare_fault, found["faults"]["newest"])]
    unknown = dict.fromkeys(Bot.__struct_fields__)
    return {**unknown, "bot": name, "version": key[1], "games": [], "remote": False, **known, **found}


def _read_matches(facts: Facts, after: str, limit: int) -> Json:
    run, number = map(int, after.split("/"))
    return matches(select_after(facts.contents, run, number, limit))


def _read_match(facts: Facts, run: str, number: str) -> Json:
    try:
        contents, name = contents_with(facts.home.results, f"{run}/{number}")
        match = find_match(contents, name)
    except ResultsError as error:
        hint = "GET api/v1/matches lists them"
        raise (NotFound(str(error), hint) if whose(error) == "caller" else error) from None
    faults = find_faults(contents, match.run, [match.number], private=False).get(match.number, [])
    # without the deal: pages show what was seen of it, and no more
    named, settings = contents.folder.name_run(match.run), contents.run(match.run).settings
    record = make_record(match, named, settings, None, faults)
    for seat in record["seats"]:
        seat["think_us"] = [] if seat["version"] == PERSON.version else seat["think_us"]
    return record


RESULTS: Final[Mapping[ApiRoute, Callable[..., Json]]] = {
    ApiRoute("leaderboard/{game}", "Read the leaderboard of a game.", _many(BoardRow)): _read_board,
    ApiRoute("bots", "List the bots that play.", _many(Bot)): _read_bots,
    ApiRoute("bots/{name}", "Read all that is known of a bot.", WholeBot): _read_bot,
    ApiRoute("matches", "List rated matches, oldest first.", _many(MatchRow), Paging): _read_matches,
    ApiRoute("matches/{run}/{number}", "Read a match.", WholeMatch): _read_match,
    ApiRoute("openapi.json", "Read this.", dict): lambda facts: msgspec.json.decode(OPENAPI.read_bytes()),
}
"""What reads the rows of an address, from the facts, the parts of the address and the parameters."""


def _write_answer(facts: Facts, route: ApiRoute, parts: Mapping[str, str], query: Mapping[str, str]) -> str:
    """Return the answer of a *route* as JSON.  Raises NotFound, UsageProblem, LadderError or ResultsError."""
    asked = {}
    if route.query:
        try:
            asked = msgspec.structs.asdict(msgspec.convert(dict(query), route.query, strict=False))
        except msgspec.ValidationError as error:
            raise UsageProblem(f"a parameter is wrong: {error}", "see api/v1/openapi.json") from None
    # what has no field in the type of the answer is dropped here
    told = msgspec.convert(RESULTS[route](facts, **parts, **asked), route.answer)
    return HASHES.sub(r"\1", json_text(msgspec.to_builtins(told)))


def results_routes(editions: Editions) -> list[Route]:
    """Return the addresses below api/v1/ that show the newest of *editions*."""

    def answer_of(route: ApiRoute) -> Route:
        async def answer(request: Request) -> Response:
            facts = (await editions.read()).facts
            asked = request.path_params, request.query_params
            text = await run_in_threadpool(_write_answer, facts, route, *asked)
            return send_text(request, text, "application/json")

        return Route(f"/{route.path}", answer)

    return [*map(answer_of, RESULTS)]
