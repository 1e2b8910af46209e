"""The matches that people play here: each has an address that cannot be guessed, and ends when it is left."""

import asyncio
import json
import logging
import secrets
import time
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never
from urllib.parse import urlencode

from markupsafe import Markup, escape
from msgspec import to_builtins

from engines.drawing import Caption, Picture
from engines.game import IllegalMove, Json, MovePart
from engines.position import round_of
from ladder.errors import LadderError
from ladder.games.shown_game import ShownGame
from ladder.home.home import Home
from ladder.live.keep import keep_match
from ladder.live.live_match import LiveMatch
from ladder.live.live_messages import Asked, LiveFailed, News, Over, Remark, Seen
from ladder.live.live_request import PlayPlan
from ladder.web.pages.environment import visible
from ladder.web.pages.values_as_html import NoPages, name_of, value_as_html
from ladder.web.serve.visitors import Shares, tell_visitor
from results.errors import ResultsError
from results.record import Block, Match, decode_block
from results.reports.document import SeatRef, Value, Words
from results.reports.labels import tell_apart
from results.reports.story import tell_result
from results.reports.values_as_text import say

logger = logging.getLogger(__name__)
State: TypeAlias = Literal["starting", "asked", "waiting", "ending", "over", "failed"]
MOST_TABLES: Final = 8
"""The most matches in progress: each has a process, and its bots have theirs."""
MOST_OF_ONE: Final = 4
"""The most matches in progress of one visitor."""
MOST_KEPT: Final = 1_000
"""The most matches that are kept until the server is started again; of one visitor, a quarter."""
FIRST_MOVE_SECONDS: Final = 120.0
"""Where there is no room for another match, one ends in which the person has not moved for this long..."""
NEXT_MOVE_SECONDS: Final = 600.0
"""...or for this long, if they have made a move before."""
MOST_SHOWN: Final = 64
"""The most tables that are remembered, those that are over included."""
ALONE_SECONDS: Final = 900.0
"""A match ends when no page has shown it for this long..."""
IDLE_SECONDS: Final = 7_200.0
"""...and when the person has made no move for this long."""
LOOK_SECONDS: Final = 5.0
"""How often that is looked at."""
DECIDED: Final = "that decision has been made already"
"""Why a move is refused that comes twice, or from a page that is old."""
MOST_LINES: Final = 1_000
"""The most lines of what has happened."""


class Offered(NamedTuple):
    """An option of the person."""

    option: str
    words: str
    cost: str
    """What it costs for good; mostly nothing."""
    parts: str
    """The parts of the picture that mean it, as JSON: their names and their keys."""


class Doubt(NamedTuple):
    """What a page asks before a move is made."""

    options: Sequence[str] = ()
    words: str = ""
    cost: str = ""


NO_DOUBT: Final = Doubt()


class Happening(NamedTuple):
    """Something that has happened."""

    words: str
    sketches: Sequence[Markup] = ()
    """The cards and tokens that it speaks of, as SVG."""


class Full(LadderError):
    """There is no room for another match."""


class HostedMatch:
    """One match with a person, as its page shows it."""

    def __init__(self, home: Home, plan: PlayPlan, match: LiveMatch, visitor: str, keep: Shares) -> None:
        """Show *match*, which *visitor* plays as *plan* says, and keep it in *home* while *keep* lasts."""
        # The id is all that a page needs to move, so it must be impossible to guess: 144 random bits.
        self.id = secrets.token_urlsafe(18)
        self.plan = plan
        self.visitor = visitor
        self.game = ShownGame(plan.game)
        self.title = name_of(plan.game)
        self.names = plan.names(home.roster.numbers())
        self.called = tell_apart(
            ["You" if seat == plan.person else name for seat, name in enumerate(self.names)]
        )
        """What the seats are called in the picture and in sentences."""
        self.seen: Seen | None = None
        self.asked: Asked | None = None
        self.lines: list[Happening] = []
        """What has happened, in words, the oldest first."""
        self.result: Match | None = None
        self.has_ended = False
        """Whether all has been played; the result follows once it is kept."""
        self.kept = ""
        """The name of the match in the store, once it is over."""
        self.problem = ""
        """Why it ended otherwise."""
        self.version = 0
        """How often something has changed."""
        self.pages = 0
        """How many pages show it now."""
        self.touched = self.moved = time.monotonic()
        """When a page has last asked for it, and when the person has last moved."""
        self.moves = 0
        """How many moves the person has made."""
        self.confirms = False
        """Whether a page without a script asks before each move."""
        self._home = home
        self._keep_more = keep
        self._match = match
        self._drawn_for: Seen | None = None
        self._picture: Picture | None = None
        self._base: Picture | None = None
        """The picture that the person saw at their last move: what differs from it is marked."""
        self._changes: dict[str, int] = {}
        self._explain = self.game.explain()
        self._steps = 0
        self._change = asyncio.Event()
        self._is_open = True
        self._tasks: set[asyncio.Task[None]] = set()
        self._listen()

    @property
    def state(self) -> State:
        """Where the match stands; its page has a sentence for each."""
        if self.problem:
            return "failed"
        if self.result:
            return "over"
        if self.has_ended or (self.seen and not self.seen.asked):
            return "ending"
        if self.asked:
            return "asked"
        return "waiting" if self.seen else "starting"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ("over", "failed")

    def sentence(self) -> str:
        """Return what its page says first."""
        match state := self.state:
            case "starting":
                return "The bots are starting …"
            case "asked":
                return self.question()
            case "waiting":
                asked = self.seen.asked if self.seen else ()
                others = [visible(self.called[seat]) for seat in asked if seat != self.plan.person]
                names = Markup(", ").join(Markup("<bdi>{}</bdi>").format(name) for name in others)
                return Markup("Waiting for {} …").format(names or "the others")
            case "ending":
                return "All moves are made. The result follows …"
            case "over":
                return "The match is over."
            case "failed":
                return f"{self.problem[:1].upper()}{self.problem[1:]}."
            case _:
                assert_never(state)

    def may_give_way(self, now: float) -> bool:
        """Return whether at time *now* the person has not moved for so long that others may have the room."""
        return now - self.moved > (NEXT_MOVE_SECONDS if self.moves else FIRST_MOVE_SECONDS)

    def touch(self) -> None:
        """Note that a page asks for it."""
        self.touched = time.monotonic()

    async def next_change(self, version: int, seconds: float) -> None:
        """Return when something has changed since *version*, or after that many seconds."""
        if self.version == version:
            # One event for each change, replaced when it is set: a page waits for the next one only after it
            # has compared versions, so it misses none.
            change = self._change
            try:
                await asyncio.wait_for(change.wait(), seconds)
            except TimeoutError:
                return

    async def next_decision(self, seconds: float) -> None:
        """Return when the person is asked or the match is over, or after that many seconds."""
        end = time.monotonic() + seconds
        while not (self.asked or self.is_over) and (left := end - time.monotonic()) > 0:
            await self.next_change(self.version, left)

    def story(self) -> Markup:
        """Return who won; before the end, the points so far, and the round."""
        seats = [SeatRef(seat, name) for seat, name in enumerate(self.called)]
        return value_as_html(self._result(seats), NoPages())

    def head(self) -> str:
        """Return what the title of its page says: who won, or what it waits for."""
        if self.result:
            return say(self._result(self.called), {})
        return f"{escape(self.sentence()).striptags()} \u00b7 {self.title}"

    def _result(self, names: Sequence[Value]) -> Words:
        if self.result:
            return tell_result(to_builtins(self.result.seats), names, you=self.plan.person)
        view = self.seen.view if self.seen else {}
        points = self.game.points(view, len(names)) or [None] * len(names)
        number = round_of(view)
        so_far = [{"rank": None, "score": of} for of in points]
        return tell_result(so_far, names, state=f"round {number}" if number else "")

    def again(self) -> str:
        """Return the query of the page that offers the same game with the same bots."""
        bots = [bot.bot for seat, bot in enumerate(self.plan.bots) if seat != self.plan.person]
        chosen = [("game", self.plan.game), ("seats", len(self.plan.bots)), *(("bot", bot) for bot in bots)]
        return urlencode(chosen)

    def picture(self) -> str:
        """Return the table as SVG, with what is new since the person's last move marked."""
        picture = self._draw()
        return picture.svg(self._base, both=True) if picture else ""

    def captions(self) -> Sequence[Caption]:
        """Return what is read beside the picture."""
        picture = self._draw()
        return picture.captions if picture else ()

    def changes(self) -> str:
        """Return what has changed since the person's last move, as JSON: the step of the change by key.

        Steps are counted from the start of the match, so a page knows which of them it has shown.
        """
        return json.dumps(self._changes, ensure_ascii=False, separators=(",", ":"))

    def question(self) -> str:
        """Return what the person is asked to do."""
        if not (self.asked and self.seen):
            return ""
        return self.game.ask(self.seen.view) or _count_asked(self.asked)

    def options(self) -> list[Offered]:
        """Return the moves that the person may make, or the things of which some are to be chosen."""
        if not (self.asked and self.seen):
            return []
        view, options = self.seen.view, self.asked.options
        said = zip(options, self.game.say(view, options), self.game.costs(view, options), strict=True)
        return [Offered(*each, _as_json(self.game.parts_of(view, each[0]))) for each in said]

    def doubt(self, step: str, options: Sequence[str]) -> Doubt:
        """Return what to ask before *options* are the move of *step*; nothing if they cost nothing."""
        is_asked = self.asked and step == str(self.asked.step)
        moves = [each for each in self.options() if is_asked and each.option in options]
        cost = "; ".join(each.cost for each in moves if each.cost)
        if not moves or not (cost or self.confirms):
            return NO_DOUBT
        return Doubt([each.option for each in moves], ", ".join(each.words for each in moves), cost)

    def candidates(self) -> str:
        """Return the things among which the person chooses, as JSON: a list of the keys of each."""
        found = self.game.candidates(self.seen.view) if self.asked and self.seen else []
        return json.dumps(found, ensure_ascii=False, separators=(",", ":"))

    def move(self, step: str, options: list[str]) -> str:
        """Make the person's move, if they are asked for *step*; return why not, or ""."""
        # The page may be old, or open twice: a move names the step that it is for.
        if self.asked is None or step != str(self.asked.step):
            return DECIDED
        move: Json = options if self.asked.kind == "some" else options[0] if len(options) == 1 else options
        try:
            checked = self.asked.choice.check(move)
        except IllegalMove as error:
            return str(error)
        self.asked = None
        self.moved = time.monotonic()
        self.moves += 1
        self._base = self._draw()
        self._changes.clear()
        self._match.answer(checked)
        self._tell()
        return ""

    async def end(self, why: str) -> None:
        """End the match, if it still goes on, and its processes.  One that is being kept is over."""
        if self._is_open and not self.is_over:
            self.problem = why
            self.asked = None
            self._tell()
        await self._close()

    def stop_now(self) -> None:
        """End its processes before the program ends."""
        self._deafen()
        self._match.close()

    # -- what happens

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        for number in self._match.filenos():
            loop.add_reader(number, self._read)

    def _deafen(self) -> None:
        """Hear nothing more, once."""
        if self._is_open:
            self._is_open = False
            loop = asyncio.get_running_loop()
            for number in self._match.filenos():
                loop.remove_reader(number)

    def _read(self) -> None:
        for news in self._match.read():
            self._hear(news)
        self._tell()

    def _hear(self, news: News) -> None:
        match news:
            case Seen():
                self._see(news)
                options = news.view.get("options", {})
                self.lines += [
                    Happening(
                        self.game.tell(event, self.called, options),
                        # drawings escape what they show
                        [Markup(each.svg()) for each in self.game.sketches(event, options)],  # noqa: S704
                    )
                    for event in map(self._explain, news.events)
                ]
                del self.lines[:-MOST_LINES]
            case Asked():
                self.asked = news
            case Remark(text):
                logger.warning("a match in the browser: %s", text)
            case LiveFailed(what, _, guilty):
                self.problem = tell_visitor(guilty, what)
                self._later(self._close())
            case Over():
                self.asked = None
                self.has_ended = True
                self._deafen()
                self._later(self._keep(news))
            case _:
                assert_never(news)

    def _see(self, news: Seen) -> None:
        before = self._draw()
        self.seen = news
        self._steps += 1
        if before and (now := self._draw()):
            self._changes.update(dict.fromkeys(now.changed_since(before), self._steps))

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep(self, over: Over) -> None:
        try:
            # Disks and process ends block; the loop serves all pages of all matches meanwhile.
            block = await asyncio.to_thread(self._keep_if_room, over)
            self.result = next(match for match in block.matches if not match.void)
        except (OSError, LadderError, ResultsError) as error:
            logger.warning("a match in the browser could not be kept: %s", error)
            self.problem = "the match is over, but this server could not keep it"
        self._tell()
        await self._close()

    def _keep_if_room(self, over: Over) -> Block:
        """Return the record of the match, which is kept if not too many are."""
        if not self._keep_more.take(self.visitor):
            return decode_block(over.block.encode())
        name, block = keep_match(self._home, self.plan, over)
        self.kept = f"{name}/0"
        return block

    async def _close(self) -> None:
        self._deafen()
        await asyncio.to_thread(self._match.close)

    def _tell(self) -> None:
        self.version += 1
        change, self._change = self._change, asyncio.Event()
        change.set()

    def _draw(self) -> Picture | None:
        if self.seen is not self._drawn_for and self.seen:
            self._picture = self.game.draw(self.seen.view, names=self.called)
            self._drawn_for = self.seen
        return self._picture


class HostedMatches:
    """All matches with people, by their ids."""

    def __init__(self, home: Home) -> None:
        """Keep the matches in *home*."""
        self._home = home
        self._tables: dict[str, HostedMatch] = {}
        self._starting: Counter[str] = Counter()
        """How many matches of each visitor are being started."""
        self._keep_more = Shares(MOST_KEPT)

    def __getitem__(self, name: str) -> HostedMatch:
        """Return a table.  Raises KeyError."""
        return self._tables[name]

    def find(self, name: str) -> HostedMatch | None:
        """Return a table; None if there is no such one, or it is gone."""
        return self._tables.get(name)

    async def open(self, plan: PlayPlan, visitor: str = "") -> HostedMatch:
        """Start the match of *plan* for *visitor*.  Raises Full or OSError."""
        # Counted before the first await: two requests at once must not both get the last room.
        giving_way = self._find_room(visitor, time.monotonic())
        self._starting[visitor] += 1
        try:
            if giving_way:
                await giving_way.end("you made no move for minutes, and there was no room for another match")
            match = await asyncio.to_thread(LiveMatch.start, plan)
        finally:
            self._starting[visitor] -= 1
        table = HostedMatch(self._home, plan, match, visitor, self._keep_more)
        self._tables[table.id] = table
        over = [name for name, other in self._tables.items() if other.is_over]
        for name in over[: max(0, len(self._tables) - MOST_SHOWN)]:
            del self._tables[name]
        return table

    def _find_room(self, visitor: str, now: float) -> HostedMatch | None:
        """Return the table that must end so that *visitor* gets another, None if there is room.

        It is one without a move, of the visitor with most tables before others.  Raises Full without one.
        """
        going_on = [table for table in self._tables.values() if not table.is_over]
        of = self._starting + Counter(table.visitor for table in going_on)
        if of[visitor] >= MOST_OF_ONE:
            going_on = [table for table in going_on if table.visitor == visitor]
            full = f"{MOST_OF_ONE} matches are going on from your address, and there is no room for more"
        elif of.total() >= MOST_TABLES:
            full = f"{MOST_TABLES} matches are going on, and there is no room for more"
        else:
            return None
        if idle := [table for table in going_on if table.may_give_way(now)]:
            return max(idle, key=lambda table: (of[table.visitor], now - table.moved))
        raise Full(full, "finish or leave one")

    async def look_after(self) -> None:
        """End matches that were left; run until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.end_idle(time.monotonic())

    async def end_idle(self, now: float) -> None:
        """End the matches that were left by time *now*."""
        for table in [table for table in self._tables.values() if not table.is_over]:
            if not table.pages and now - table.touched > ALONE_SECONDS:
                await table.end(_why("no page showed it", ALONE_SECONDS))
            elif now - table.moved > IDLE_SECONDS:
                await table.end(_why("you made no move", IDLE_SECONDS))

    def close(self) -> None:
        """End all matches."""
        for table in self._tables.values():
            table.stop_now()
        self._tables.clear()


def _count_asked(asked: Asked) -> str:
    """Return how many things are to be chosen, for a game that has no words for it."""
    if asked.kind == "one":
        return "Your move"
    number = f"{asked.low}" if asked.low == asked.high else f"{asked.low} to {asked.high}"
    return f"Your move: choose {number}"


def _as_json(parts: list[MovePart]) -> str:
    return json.dumps([part._asdict() for part in parts], ensure_ascii=False, separators=(",", ":"))


def _why(what: str, seconds: float) -> str:
    return f"the match was ended, because {what} for {seconds / 60:.0f} minutes; it is not kept"
