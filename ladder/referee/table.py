"""Play matches: scheduled matches and the players of a table come in, records and faults go out.

One loop over non-blocking pipes, with as many matches in progress as the table's bots allow.  The steps of a
decision, and where they are done:

  matches    the seat's request is encoded and queued
  channels   requests of one process leave in one write
  clocks     their clocks start
  channels   one wait, until the nearest deadline
  table      what came is handled: answers, stderr, an exit
  verdicts   a fault is attributed, and costs what attribution says
  matches    all seats of the step have answered: the engine plays on, and every seat gets the news
"""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from engines.game import IllegalMove, InvalidMove
from ladder.contest.blocks import ScheduledMatch
from ladder.process.link import SYSTEM_CLOCK, Clock
from ladder.referee.channels import Channels
from ladder.referee.clocks import Clocks
from ladder.referee.handshake import await_ready, ending
from ladder.referee.limits import LATE_NS, LOOK_NS
from ladder.referee.match import Fault, Match
from ladder.referee.matches import Matches, Watch
from ladder.referee.player import Player
from ladder.referee.resources import Resources
from ladder.referee.rules import MS, Rules
from ladder.referee.verdicts import Verdicts
from ladder.registry.version import Version
from protocol.answers import Malformed, read_answer
from protocol.faults import FaultKind
from protocol.lines import LineTooLong
from protocol.messages import NO_USAGE
from results import record

__all__ = ["Over", "Referee"]

Over: TypeAlias = tuple[record.Match, list[record.Fault]]
"""A match that is over, and its faults."""


class Referee:
    """The players at one table, in their seats, and the matches in progress there."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        room: Callable[[], int],
        before: Sequence[record.Fault] | None = None,
        look: Callable[[], None] = lambda: None,
        spread: Callable[[], None] = lambda: None,
        clock: Clock = SYSTEM_CLOCK,
        watch: Watch | None = None,
    ) -> None:
        """Seat *players*; *room* returns how many matches may be in progress, once they are ready.

        *before*: the faults of a match that is replayed; then this result stands.  *look* is called now and
        then, to watch processes that are not at this table; *spread* before the first time that several seats
        are asked at once.  *clock* tells the time and waits for the players.
        *watch* is called with a match and its news when it begins and after each of its steps.
        """
        self.players = list(players)
        self.look_at = 0
        """When to measure the bots' resources again; passed on to the next table."""
        self._rules = rules
        self._room = room
        self._look_beside = look
        self._clock = clock
        self._clock_now = clock.now
        self._now = 0
        """The time of the last flush."""
        self._heard: list[Match] = []
        """The matches of the answers that have just been read."""
        self._channels = Channels(clock)
        self._clocks = Clocks(rules)
        self._resources = Resources(rules, self.players, self._clocks)
        self._matches = Matches(
            rules, self.players, clock, self._channels, self._clocks, self._resources, spread, watch
        )
        self._matches.faults.extend(before or ())
        self._verdicts = Verdicts(
            rules, self._channels, self._clocks, self._matches, second=before is not None
        )

    @property
    def sound(self) -> bool:
        """Whether every process can begin another match."""
        return not any(player.lost for player in self.players)

    @property
    def faults(self) -> list[record.Fault]:
        """All faults at this table."""
        return self._matches.faults

    @property
    def spoiled(self) -> list[ScheduledMatch]:
        """The matches to replay, each with new processes."""
        return self._verdicts.spoiled

    @property
    def troubled(self) -> list[Version]:
        """Bots whose process was lost with several matches in progress, so that no match can be blamed."""
        return self._verdicts.troubled

    @property
    def strays(self) -> list[Version]:
        """Bots whose process wrote or ended between two matches, which costs them no match."""
        return self._verdicts.strays

    @property
    def ponderers(self) -> list[Version]:
        """Bots that computed during others' turns, and are stopped between their own turns from now on."""
        return self._resources.ponderers

    def faults_of(self, number: int) -> list[record.Fault]:
        """Return the faults of match *number*."""
        return [fault for fault in self.faults if fault.number == number]

    # -- the loop

    def play(self, waiting: deque[ScheduledMatch]) -> Iterator[Over]:
        """Play the matches in *waiting*, removing each as it begins; yield those that are over.

        Ends when all are played, or when a process is lost and the matches without it are over.  A match is
        yielded only when the next one is over, or at the end: faults at its very end are charged to it.
        """
        limits = msgspec.structs.replace(self._rules.limits, start_ms=self._rules.start_ms)
        await_ready(self.players, limits, self._look_beside, self._clock)
        if self._verdicts.judge_start(waiting[0], self.players):
            waiting.popleft()
            return
        for player in self.players:
            self._channels.watch(player, self._on_stdout, self._on_stderr, self._on_exit)
            player.begin()
        room, matches = self._room(), self._matches
        self._clocks.wake_at = max(  # the referee is not late for a look that was due before
            self.look_at, self._clock_now()
        )
        matches.begin(waiting.popleft())
        while True:
            while waiting and len(matches.in_progress) < room and self.sound:
                matches.begin(waiting.popleft())
            while len(matches.over) > 1:
                yield self._pop_over()
            self._flush()
            if not matches.in_progress:
                break
            self._wait()
        while matches.over:
            yield self._pop_over()
        self._channels.close()

    def _pop_over(self) -> Over:
        match = self._matches.over.pop(0)
        return match, self.faults_of(match.number)

    @property
    def _alone(self) -> bool:
        """Whether a single match is in progress, so that CPU time can be attributed to it."""
        return len(self._matches.in_progress) == 1

    def _flush(self) -> None:
        """Send all queued lines, one write per process; the clocks of the requests start."""
        stuck = self._channels.flush()
        for player in stuck:
            assert player.process
            self._channels.register(player.process.stdin_fd, self._on_writable, player, select.POLLOUT)
        self._now = self._clock_now()
        self._clocks.flushed(stuck, self._now, alone=self._alone)

    def _wait(self) -> None:
        """Wait for output or the next deadline; handle what came and what is overdue."""
        clocks = self._clocks
        left = clocks.wake_at - self._now
        ready = self._channels.wait(-(-left // MS) if left > 0 else 0)
        now = self._clock_now()
        if now - clocks.wake_at > LATE_NS:
            clocks.late = now
        self._channels.handle(ready, now)
        if now >= clocks.wake_at:
            self._expire(now)
            if now >= self.look_at:
                self._look(now)
            clocks.plan_to_wake(self.look_at)

    def _expire(self, now: int) -> None:
        for asked in self._clocks.overdue(now):
            player = asked.seat.player
            if asked.match in self._matches.in_progress and not player.lost:
                assert player.process
                fault = Fault("timeout", self._clocks.reason(asked), player.process.unfinished_line)
                self._verdicts.judge(player, fault, now, asked)

    def _look(self, now: int) -> None:
        """Measure what the bots use; fault those that use too much."""
        self.look_at = now + LOOK_NS
        self._look_beside()
        self._resources.look_at_waits()
        if self._matches.in_progress:
            for player, fault in self._resources.breaches(now):
                self._verdicts.judge(player, fault, now)
                if not self._matches.in_progress:
                    break
        self._resources.judge(now)

    # -- what comes from descriptors

    def _on_stdout(self, player: Player, now: int) -> bool:
        """Handle what has arrived; return whether there was output and the process plays on."""
        process = player.process
        assert process
        too_long = ""
        try:
            lines = process.receive()
        except LineTooLong as error:
            lines, too_long = error.before, str(error)
        if lines is None:
            if not process.stdout_open:
                self._channels.forget(process.stdout_fd)
                if process.exit_fd is None and process.exit_status(patience=0.05) is not None:
                    self._crash(player, now)
            return False
        for line in lines:
            if not self._hear(player, line, now):
                break
        else:
            if too_long:
                self._verdicts.judge(player, Fault("protocol", too_long, process.unfinished_line), now)
        heard, self._heard = self._heard, []
        for match in heard:  # only now: what comes together, such as a second answer, belongs to one step
            if match in self._matches.in_progress:
                self._matches.advance(match)
        return not player.lost

    def _on_stderr(self, player: Player, now: int) -> None:
        process = player.process
        assert process
        process.drain_stderr(self._clocks.where(player))
        if not process.stderr_open:
            self._channels.forget(process.stderr_fd)
        over = process.stderr.size - player.stderr_before > (limit := self._rules.limits.stderr_bytes)
        if over and self._matches.in_progress:  # else it counts in the next match
            fault = Fault("limit", f"more than {limit:,} bytes on stderr in a match")
            self._verdicts.judge(player, fault, now)

    def _on_writable(self, player: Player, now: int) -> None:
        """Continue to send; a decision's clock starts with the last byte of its request."""
        process = player.process
        assert process
        if process.send_rest():
            self._channels.forget(process.stdin_fd)
            self._clocks.unstuck(player, now, alone=self._alone)

    def _on_exit(self, player: Player, now: int) -> None:
        while not player.lost and self._on_stdout(player, now):
            pass  # what it wrote before it ended counts
        if not player.lost:
            self._crash(player, now)

    def _crash(self, player: Player, now: int) -> None:
        assert player.process
        status = player.process.exit_status()
        self._verdicts.judge(player, Fault("crash", f"the process ended ({ending(status)})"), now)

    def _hear(self, player: Player, line: bytes, now: int) -> bool:
        """Handle one line; return whether the process plays on."""
        try:
            answer = read_answer(line)
        except Malformed as error:
            return self._verdicts.judge(player, Fault("protocol", str(error), line), now)
        asked = self._clocks.open.get(answer.id)
        if asked is None or asked.seat.player is not player:
            if self._verdicts.excuses(answer.id):
                return True
            reason = f"expected the id of a request that waits for its answer, got: {answer.id!r}"
            return self._verdicts.judge(player, Fault("protocol", reason, line), now)
        try:
            move = asked.choice.check(answer.move)
        except IllegalMove as error:
            kind: FaultKind = "protocol" if isinstance(error, InvalidMove) else "illegal"
            return self._verdicts.judge(player, Fault(kind, str(error), line), now, asked)
        del self._clocks.open[answer.id]
        self._clocks.stop(asked, now)
        match, seat = asked.match, asked.seat
        if answer.note:
            seat.add_note(match.step, answer.note)
        if answer.usage is not NO_USAGE:
            seat.add_usage(answer.usage)
        match.moves[seat.index] = move
        match.unheard -= 1
        self._heard.append(match)
        return True
