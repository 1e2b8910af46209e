"""The way of a decision, from its request to the next one: ask, send, wait, read, check, play.

All that is not ordinary leaves this module: how matches begin and end (matches), what else comes from a
descriptor (incidents), faults (verdicts).  A fault takes effect only in `advance`, when all seats of a step
have answered, so the order of asking cannot change a result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from engines.game import IllegalMove
from engines.wording import tell_view
from ladder.contest.blocks import ScheduledMatch
from ladder.process.link import TimeSource
from ladder.referee.channels import Channels
from ladder.referee.clocks import Clocks
from ladder.referee.match import OpenRequest, SeatFault, TableMatch, TableSeat
from ladder.referee.matches import Matches
from ladder.referee.player import Player
from ladder.referee.resources import Resources
from ladder.referee.rules import MS, Rules
from protocol.answers import Malformed, read_answer, read_answer_or_failure
from protocol.faults import NO_SERVICE
from protocol.lines import LineTooLong
from protocol.messages import NO_USAGE, Again, Failure, Retry

_decode = msgspec.json.decode
_encode = msgspec.json.Encoder().encode


Judge: TypeAlias = Callable[[Player, SeatFault, int, OpenRequest | None], bool]
Excuse: TypeAlias = Callable[[Player, bytes, str, int], bool]


class Decisions:
    """Has the seats of a table decide, one step after another."""

    judge: Judge
    """Attribute a fault of a player, and do what follows; return whether its process plays on."""
    excuse: Excuse
    """Judge an answer that no request waits for; return whether the process plays on."""

    def __init__(
        self,
        rules: Rules,
        clock: TimeSource,
        channels: Channels,
        clocks: Clocks,
        matches: Matches,
        resources: Resources,
        spread: Callable[[], None],
    ) -> None:
        """Ask no seat yet; *spread* is that of the Referee."""
        self._now = clock.now
        self._channels = channels
        self._clocks = clocks
        self._matches = matches
        self._resources = resources
        self._spread = spread
        self._is_spread = False
        self._keys = rules.keys  # what every decision needs, without asking three objects for it
        self._cores = rules.cores

    def close(self) -> None:
        """Forget who judges: it refers to this object, and garbage is collected rarely."""
        self.judge, self.excuse = _judge_no_more, _excuse_no_more

    # -- ask

    def begin(self, scheduled: ScheduledMatch) -> None:
        """Begin a match: deal, greet the seats, and ask those of the first step."""
        match = self._matches.begin(scheduled)
        if len(match.live()) < 2:
            return self._matches.finish(match, None)
        self._ask(match)
        return self.advance(match)

    def _ask(self, match: TableMatch) -> None:
        """Ask the live seats of this step, at once or in a secret order: else they could time each other."""
        if len(match.asked) == 1 and not match.faulted:
            return self._request(match, match.seats[match.asked[0]])
        seats = [seat for index in match.asked if (seat := match.seats[index]).fault_step is None]
        if len(seats) > 1:
            if len(seats) > self._cores and not self._resources.judge(self._now()):
                order = self._keys.order(match.scheduled.match, match.step, len(seats))
                first, *others = [seats[index] for index in order]
                match.to_ask.extend(others)
                seats = [first]
            elif not self._is_spread:
                self._is_spread = True
                self._spread()
        for seat in seats:
            self._request(match, seat)
        return None

    def _request(self, match: TableMatch, seat: TableSeat) -> None:
        player = seat.player
        if player.forks and not self._clocks.has_turn(player):
            player.note_turn(self._now(), ends=False)
        decision = seat.decision_id(self._keys, match.scheduled.match, match.step)
        self._clocks.queued.append(self.request(match, seat, decision))
        match.unheard += 1

    def request(
        self, match: TableMatch, seat: TableSeat, decision: str, retry: Retry | Again | None = None
    ) -> OpenRequest:
        """Write a request and queue it; return it.  Its clock starts at the flush."""
        position = match.position
        view = position.write_view(seat.index) if seat.sees else None
        if seat.reads and view is not None:
            view = _with_text(match, view, seat.news)
        request = seat.requests.write(
            decision,
            match.step,
            position.write_choice(seat.index),
            seat.bank_ns // MS,
            seat.news,
            view,
            retry,
            max(0, seat.left_ns) // MS if seat.clock.match_ns else None,
        )
        seat.news.clear()
        asked = self._clocks.open[decision] = OpenRequest(match, seat, request)
        self._channels.send(seat.player, request)
        return asked

    # -- send and wait

    def flush(self) -> None:
        """Send all that is queued, one write per process; the clocks of the requests start."""
        stuck = self._channels.flush()
        self._clocks.start_queued(stuck, self._now(), alone=len(self._matches.in_progress) == 1)

    def wait(self) -> int:
        """Wait for the players, at most to the next deadline; handle what has come, and return the time."""
        clocks = self._clocks
        left = clocks.wake_at - clocks.flushed_ns
        ready = self._channels.wait(-(-left // MS) if left > 0 else 0)
        now = self._now()
        if now > clocks.wake_at:
            clocks.woke(now)
        self._channels.handle(ready, now)
        return now

    # -- read and check

    def read(self, player: Player, now: int) -> bool:
        """Handle what has arrived; return whether there was output and the process plays on."""
        process = player.process
        assert process
        too_long = ""
        try:
            lines = process.receive()
        except LineTooLong as error:
            lines, too_long = error.before, str(error)
        if lines is None:
            return False
        heard: list[TableMatch] = []
        for line in lines:
            if not self._hear(player, line, now, heard):
                break
        else:
            if too_long:
                self.judge(player, SeatFault("protocol", too_long, process.unfinished_line), now, None)
        for match in heard:  # only now: what comes together, such as a second answer, belongs to one step
            if not match.is_over:
                self.advance(match)
        return not player.lost

    def _hear(self, player: Player, line: bytes, now: int, heard: list[TableMatch]) -> bool:
        """Take the answer in *line*, and note its match; return whether the process plays on."""
        try:
            answer = read_answer(line) if player.outage_s is None else read_answer_or_failure(line)
        except Malformed as error:
            return self.judge(player, SeatFault("protocol", str(error), line), now, None)
        asked = self._clocks.open.get(answer.id)
        if asked is None or asked.seat.player is not player:
            return self.excuse(player, line, answer.id, now)
        match, seat = asked.match, asked.seat
        if isinstance(answer, Failure):
            if answer.usage is not NO_USAGE:
                seat.add_usage(answer.usage)
            return self.judge(player, fault_of(answer, line), now, asked)
        try:
            match.chosen[seat.index] = match.position.option_of(seat.index, answer.move)
        except IllegalMove:
            return self.judge(player, match.refusal(seat.index, answer.move, line), now, asked)
        del self._clocks.open[answer.id]
        self._clocks.stop(asked, now)
        if asked.failed:
            seat.outage_ns += asked.sent_ns - asked.first_ns
        if answer.note:
            seat.add_note(match.step, answer.note)
        if answer.usage is not NO_USAGE:
            seat.add_usage(answer.usage)
        match.unheard -= 1
        heard.append(match)
        return True

    # -- play

    def advance(self, match: TableMatch) -> None:
        """Play on to the next request or the end, if every seat of the step has answered."""
        while not match.unheard:
            if match.to_ask:
                return self._request(match, match.to_ask.popleft())
            if match.faulted:
                match.settle()
                if len(match.live()) < 2:
                    return self._matches.finish(match, None)
                match.substitute(self._keys)
            match.play()
            self._matches.tell(match, match.position.write_events)
            match.next_step()
            if not match.asked:
                return self._matches.finish(match, match.position.outcome())
            self._ask(match)
        return None


def _with_text(match: TableMatch, view: bytes, news: list[bytes]) -> bytes:
    """Return *view* with itself as text, and *news*, the events of the same request."""
    told = _decode(view)
    told["text"] = tell_view(match.game, told, [_decode(event) for event in news])
    return _encode(told)


_FAILED = {
    "transport": NO_SERVICE,
    "unreadable": "no move was in the answer of its model",
    "truncated": "the answer of its model was cut",
}


def fault_of(failure: Failure, line: bytes) -> SeatFault:
    """Return the fault of a bot that reports a *failure* in *line*."""
    reason = _FAILED[failure.fail] + (f": {failure.why}" if failure.why else "")
    return SeatFault(failure.fail, reason, line, failure.after_ms)


def _judge_no_more(player: Player, fault: SeatFault, now: int, asked: OpenRequest | None) -> bool:
    raise RuntimeError(f"the table has closed: {fault.reason}")


def _excuse_no_more(player: Player, line: bytes, request: str, now: int) -> bool:
    raise RuntimeError(f"the table has closed: {request}")
