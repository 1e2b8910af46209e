"""The matches in progress at a table: how they begin, and how they end."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from engines import GAMES
from engines.game import Game, Json, Outcome
from engines.playout import deal_digest
from engines.position import PlainPosition, Position
from engines.wording import tell_rules
from ladder.contest.blocks import ScheduledMatch
from ladder.contest.keys import deal_rng
from ladder.contest.ranking import ranks_of
from ladder.process.link import TimeSource
from ladder.referee.attribution import FaultVerdict
from ladder.referee.channels import Channels
from ladder.referee.clocks import Clocks
from ladder.referee.match import OpenRequest, SeatFault, TableMatch, TableSeat
from ladder.referee.player import Player
from ladder.referee.records import fault_record, match_record
from ladder.referee.resources import Resources
from ladder.referee.rules import Rules
from ladder.referee.table_events import OnEvent, StepPlayed, Told
from protocol import encode as message
from results import record

BEFORE_THE_FIRST = -1
"""The step in which the seats' processes are started."""
LOGGED_PART = 16
"""At each new match, a process is forgiven stderr output up to the limit divided by this."""

_encode = msgspec.json.Encoder().encode


class Matches:
    """The matches in progress, and what has become of those that are over."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        clock: TimeSource,
        channels: Channels,
        clocks: Clocks,
        resources: Resources,
        on_event: OnEvent | None,
        before: Sequence[record.Fault],
    ) -> None:
        """Begin no match yet; *on_event* and *before* are those of the Referee."""
        self.in_progress: list[TableMatch] = []
        self.last: TableMatch | None = None
        """The last one that has ended."""
        self.over: list[record.Match] = []
        """The matches that are over and have not been yielded."""
        self.faults: list[record.Fault] = list(before)
        self.before = len(self.faults)
        """How many of them are of earlier attempts."""
        self._rules = rules
        self._players = players
        self._now = clock.now
        self._channels = channels
        self._clocks = clocks
        self._resources = resources
        self._on_event = on_event

    # -- the beginning

    def prepare(self, scheduled: ScheduledMatch) -> TableMatch:
        """Return *scheduled* as a match before its first step."""
        keys, number = self._rules.keys, scheduled.match
        game = GAMES[scheduled.contest.game]
        seats = [
            TableSeat(
                i,
                player,
                keys.name(number, i),
                keys.bot(number, i),
                self._rules.clock(player.bot.bot, game.name),
            )
            for i, player in enumerate(self._players)
        ]
        return TableMatch(scheduled, game, seats, keys.deal(scheduled.block), self._now())

    def begin(self, scheduled: ScheduledMatch) -> TableMatch:
        """Deal and greet the seats; return the match, before its first step."""
        contest = scheduled.contest
        match = self.prepare(scheduled)
        if scheduled.deal is None:
            options = _encode(contest.options)
            game: Any = match.game  # hashable, which its type does not say
            start = _draw_start(game, contest.seats, options, match.deal_seed)
            match.position = start.position.copy()
        else:
            start = _start(match.game, contest.seats, scheduled.deal)
            match.position = start.position
        match.deal_digest = start.deal_digest
        match.asked = match.position.seats()
        self.in_progress.append(match)
        if len(self.in_progress) > 1:  # CPU time can no longer be attributed to one match
            for other in self.in_progress:
                for seat in other.seats:
                    seat.player.cpu_seen = seat.cpu_before = None
        for seat in match.seats:
            self._greet(match, seat)
        self.tell(match, lambda seat: start.news[-1 if seat is None else seat])
        return match

    def tell(self, match: TableMatch, news: Told) -> None:
        """Tell each seat the *news* of a step with its next message."""
        for seat in match.seats:
            seat.news += news(seat.index)
        if self._on_event:
            number, position = match.scheduled.match, match.position
            step = len(match.steps) - 1  # the deal is before the first
            self._on_event(StepPlayed(number, step, tuple(position.seats()), news, position.write_view))

    def _greet(self, match: TableMatch, seat: TableSeat) -> None:
        player, contest = seat.player, match.scheduled.contest
        player.matches += 1
        player.spent = None
        if process := player.process:
            size = process.stderr.size
            if player.matches > 1:
                size = min(size, player.stderr_before + player.limits.stderr_bytes // LOGGED_PART)
            player.stderr_before = size
            if process.stderr_open:
                process.drain_stderr()
            if player.matches > 1:  # its first match shows what it logged at its start as well
                seat.stderr_from = process.stderr.begin()
        if player.failure:
            match.step = BEFORE_THE_FIRST
            seat.breach = SeatFault(player.failure_kind, player.failure)
            self.keep(match, seat, seat.breach, FaultVerdict("loses", player.failure), None, 0)
            match.step = 0
            seat.fault_step = BEFORE_THE_FIRST
            match.faulted = True
            return
        start = message.start(
            seat.name,
            contest.game,
            match.game.version,
            seat.index,
            contest.seats,
            contest.options,
            tell_rules(match.game, contest.options) if seat.learns else None,
        )
        self._channels.send(player, start)

    def keep(
        self,
        match: TableMatch,
        seat: TableSeat,
        fault: SeatFault,
        verdict: FaultVerdict,
        asked: OpenRequest | None,
        now: int,
    ) -> None:
        """Record all that the bot's author needs to understand *fault*."""
        process = seat.player.process
        if process and process.stderr_open:
            process.drain_stderr(self._clocks.where(seat.player))
        limit_ns = self._clocks.limit_ns(asked) if asked else 0
        self.faults.append(fault_record(self._rules.run, match, seat, fault, verdict, asked, now, limit_ns))

    # -- the end

    def finish(self, match: TableMatch, outcome: Outcome | None) -> None:
        """Rank the seats, tell them, and record the match.  *outcome* is None if a fault ended the match."""
        ranks = ranks_of([seat.fault_step for seat in match.seats], outcome.ranks if outcome else None)
        scores = outcome.scores if outcome else None
        faults = [seat.breach.kind if seat.breach else None for seat in match.seats]
        for seat in match.seats:
            if seat.fault_step is None:
                self._channels.send(seat.player, message.end(seat.name, ranks, scores, faults, seat.news))
        self.in_progress.remove(match)
        match.is_over = True
        self.last = match
        now = self._now()
        self._resources.suspect(match, now)
        self.over.append(match_record(self._rules.run, self._rules.sandbox, match, ranks, scores, now))

    def take_back(self, match: TableMatch) -> None:
        """Take *match* off the table: a replay decides about its faults so far."""
        self.in_progress.remove(match)
        match.is_over = True
        number = match.scheduled.match
        self.faults = [fault for fault in self.faults if fault.number != number or not fault.charged]

    def forget(self, match: TableMatch) -> None:
        """Forget the faults of *match*, which is void; those of an attempt before it stay."""
        number = match.scheduled.match
        before, new = self.faults[: self.before], self.faults[self.before :]
        self.faults = before + [fault for fault in new if fault.number != number]


class _Start(NamedTuple):
    """A match before its first step."""

    position: Position
    news: list[list[bytes]]
    """Its first events by seat, those of a spectator last."""
    deal_digest: str


@lru_cache(maxsize=128)
def _draw_start(game: Game[Any], seats: int, options: bytes, seed: bytes) -> _Start:
    """Return the start of a block's matches, which its rotations share: copy its position."""
    return _start(game, seats, game.deal(seats, deal_rng(seed), msgspec.json.decode(options)))


def _start(game: Game[Any], seats: int, deal: Mapping[str, Json]) -> _Start:
    position = game.begin(deal, seats)
    if isinstance(position, PlainPosition):
        position.encode = _encode  # faster than what engines, which need the standard library only, have
    news = [position.write_events(seat) for seat in (*range(seats), None)]
    return _Start(position, news, deal_digest(deal))
