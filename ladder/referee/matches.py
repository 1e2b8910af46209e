"""The matches in progress at a table: they begin, ask their seats, play on and end.

A fault takes effect only in `advance`, when all seats of a step have answered, so the order of asking cannot
change a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

from engines import GAMES
from engines.game import Event, Outcome, Step
from engines.playout import deal_digest
from ladder.contest.blocks import ScheduledMatch
from ladder.contest.keys import deal_rng
from ladder.contest.ranking import ranks_of
from ladder.process.link import Clock
from ladder.referee.attribution import Verdict
from ladder.referee.channels import Channels
from ladder.referee.clocks import Clocks
from ladder.referee.match import Asked, Fault, Match, Seat
from ladder.referee.player import Player
from ladder.referee.records import encode_choice, fault_record, match_record
from ladder.referee.resources import Resources
from ladder.referee.rules import MS, Rules
from protocol import encode as message
from protocol.messages import Retry
from results import record

__all__ = ["BEFORE_THE_FIRST", "Matches", "Watch"]

Watch: TypeAlias = Callable[[Match, Sequence[Event]], None]
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
        clock: Clock,
        channels: Channels,
        clocks: Clocks,
        resources: Resources,
        spread: Callable[[], None],
        watch: Watch | None,
    ) -> None:
        """Begin no match yet; *spread* and *watch* are those of the Referee."""
        self.in_progress: list[Match] = []
        self.last: Match | None = None
        """The last one that has ended."""
        self.over: list[record.Match] = []
        """The matches that are over and have not been yielded."""
        self.faults: list[record.Fault] = []
        self._rules = rules
        self._players = players
        self._now = clock.now
        self._channels = channels
        self._clocks = clocks
        self._resources = resources
        self._spread = spread
        self._is_spread = False
        self._watch = watch
        self._match_ns = rules.match_ns  # what every decision needs, without asking three objects for it
        self._move_ms = rules.limits.move_ms

    # -- the beginning

    def prepare(self, scheduled: ScheduledMatch) -> Match:
        """Return *scheduled* as a match before its first step."""
        keys, bank_ns = self._rules.keys, self._rules.limits.bank_ms * MS
        seats = [
            Seat(i, player, keys.name(scheduled.match, i), keys.bot(scheduled.match, i), bank_ns)
            for i, player in enumerate(self._players)
        ]
        for seat in seats:  # the start counts in the first match of a process
            seat.left_ns = self._match_ns - (0 if seat.player.matches else seat.player.start_ns)
        game = GAMES[scheduled.contest.game]
        return Match(scheduled, game, seats, keys.deal(scheduled.block), self._now())

    def begin(self, scheduled: ScheduledMatch) -> None:
        """Deal, greet the seats, and ask those of the first step."""
        contest = scheduled.contest
        match = self.prepare(scheduled)
        seats, options = match.seats, _encode(contest.options)
        if scheduled.deal is None:
            start, match.deal_digest = _start_deal(contest.game, contest.seats, options, match.deal_seed)
        else:
            start = match.game.start(scheduled.deal, contest.seats)
            match.deal_digest = deal_digest(scheduled.deal)
        match.state = start.state
        match.choices = match.game.choices(match.state)
        self.in_progress.append(match)
        if len(self.in_progress) > 1:  # CPU time can no longer be attributed to one match
            for other in self.in_progress:
                other.forget_cpu()
        for seat in seats:
            self._greet(match, seat)
        self._tell(match, start.events)
        if len(match.live()) < 2:
            return self._finish(match, None)
        self._ask(match)
        return self.advance(match)

    def _greet(self, match: Match, seat: Seat) -> None:
        player, contest = seat.player, match.scheduled.contest
        player.matches += 1
        player.spent = None
        if process := player.process:
            size = process.stderr.size
            if player.matches > 1:
                size = min(size, player.stderr_before + self._rules.limits.stderr_bytes // LOGGED_PART)
            player.stderr_before = size
            if process.stderr_open:
                process.drain_stderr()
            if player.matches > 1:  # its first match shows what it logged at its start, too
                seat.stderr_from = process.stderr.begin()
        if player.failure:
            match.step = BEFORE_THE_FIRST
            seat.breach = Fault(player.failure_kind, player.failure)
            self.keep(match, seat, seat.breach, Verdict("loses", player.failure), None, 0)
            match.step = 0
            seat.fault_step = BEFORE_THE_FIRST
            match.faulted = True
            return
        start = message.start(
            seat.name, contest.game, match.game.version, seat.index, contest.seats, contest.options
        )
        self._channels.send(player, start)

    def keep(
        self, match: Match, seat: Seat, fault: Fault, verdict: Verdict, asked: Asked | None, now: int
    ) -> None:
        """Record all that the bot's author needs to understand *fault*."""
        process = seat.player.process
        if process and process.stderr_open:
            process.drain_stderr(self._clocks.where(seat.player))
        limit_ns = self._clocks.limit_ns(asked) if asked else 0
        self.faults.append(fault_record(self._rules.run, match, seat, fault, verdict, asked, now, limit_ns))

    # -- a step

    def _tell(self, match: Match, events: Sequence[Event]) -> None:
        """Add *events* to the news of each seat."""
        for event in events:
            shared = _encode(event.seen_by(None))
            if not event.private:
                for seat in match.seats:
                    seat.news.append(shared)
            else:
                for seat in match.seats:
                    own = seat.index in event.private
                    seat.news.append(_encode(event.seen_by(seat.index)) if own else shared)
        if self._watch:
            self._watch(match, events)

    def _ask(self, match: Match) -> None:
        """Ask the live seats of this step: all at once, or one after another in a secret order.

        A seat that is asked later could measure how long the others have thought.
        """
        seats = [match.seats[index] for index in match.choices if match.seats[index].fault_step is None]
        if len(seats) > 1:
            if len(seats) > self._rules.cores and not self._resources.waits:
                order = self._rules.keys.order(match.scheduled.match, match.step, len(seats))
                first, *others = [seats[index] for index in order]
                match.to_ask.extend(others)
                seats = [first]
            elif not self._is_spread:
                self._is_spread = True
                self._spread()
        for seat in seats:
            self._request(match, seat)

    def _request(self, match: Match, seat: Seat) -> None:
        decision = seat.decision_id(self._rules.keys, match.scheduled.match, match.step)
        self._clocks.queued.append(self.request(match, seat, decision))
        match.unheard += 1

    def request(self, match: Match, seat: Seat, decision: str, retry: Retry | None = None) -> Asked:
        """Encode a request and queue it; return it.  Its clock starts at the flush."""
        choice = match.choices[seat.index]
        request = message.act(
            decision,
            seat.name,
            match.step,
            seat.seed,
            encode_choice(choice),
            self._move_ms,
            seat.bank_ns // MS,
            seat.news,
            _encode_view(match, seat),
            retry,
            max(0, seat.left_ns) // MS if self._match_ns else None,
        )
        seat.news = []
        asked = self._clocks.open[decision] = Asked(match, seat, choice, request)
        self._channels.send(seat.player, request)
        return asked

    def advance(self, match: Match) -> None:
        """Play on to the next request or the end, if every seat of the step has answered."""
        while not match.unheard:
            if match.to_ask:
                self._request(match, match.to_ask.popleft())
                return None
            if match.faulted:
                match.settle()
                if len(match.live()) < 2:
                    return self._finish(match, None)
                match.substitute(self._rules.keys)
            match.steps.append(match.step_record())
            match.state, events = match.game.play(match.state, match.moves)
            self._tell(match, events)
            match.step += 1
            match.moves = {}
            match.choices = match.game.choices(match.state)
            if not match.choices:
                return self._finish(match, match.game.outcome(match.state))
            self._ask(match)
        return None

    # -- the end

    def _finish(self, match: Match, outcome: Outcome | None) -> None:
        """Rank the seats, tell them, and record the match.  *outcome* is None if a fault ended the match."""
        ranks = ranks_of([seat.fault_step for seat in match.seats], outcome.ranks if outcome else None)
        scores = outcome.scores if outcome else None
        faults = [seat.breach.kind if seat.breach else None for seat in match.seats]
        for seat in match.seats:
            if seat.fault_step is None:
                self._channels.send(seat.player, message.end(seat.name, ranks, scores, faults, seat.news))
        self.in_progress.remove(match)
        self.last = match
        now = self._now()
        self._resources.suspect(match, now)
        self.over.append(match_record(self._rules.run, self._rules.sandbox, match, ranks, scores, now))

    def take_back(self, match: Match) -> None:
        """Take *match* off the table: a replay decides about its faults so far."""
        self.in_progress.remove(match)
        number = match.scheduled.match
        self.faults = [fault for fault in self.faults if fault.number != number or not fault.charged]


@lru_cache(maxsize=128)
def _start_deal(game: str, seats: int, options: bytes, seed: bytes) -> tuple[Step[Any], str]:
    """Return the first step of a block's matches, and the digest of the deal that its rotations share."""
    deal = GAMES[game].deal(seats, deal_rng(seed), msgspec.json.decode(options))
    return GAMES[game].start(deal, seats), deal_digest(deal)


def _encode_view(match: Match, seat: Seat) -> bytes | None:
    ready = seat.player.ready
    assert ready
    if ready.view == "none":
        return None
    view = match.game.view(match.state, seat.index)
    if ready.text:
        view["text"] = match.game.text(view)
    return _encode(view)
