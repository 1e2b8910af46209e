"""Play matches: scheduled matches and the players of a table come in, records and faults go out.

One loop over non-blocking pipes, with as many matches in progress as the table's bots allow.  What happens in
it is in the modules of its parts: most of it in `decisions`.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from ladder.contest.blocks import ScheduledMatch
from ladder.process.link import SYSTEM_CLOCK, TimeSource
from ladder.referee.channels import Channels, Handlers
from ladder.referee.clocks import Clocks
from ladder.referee.decisions import Decisions
from ladder.referee.handshake import await_ready, ending
from ladder.referee.limits import LOOK_NS
from ladder.referee.match import SeatFault
from ladder.referee.matches import Matches
from ladder.referee.player import Player
from ladder.referee.resources import Resources
from ladder.referee.rules import Rules
from ladder.referee.table_events import MatchOver, OnEvent
from ladder.referee.verdicts import Verdicts
from ladder.referee.watch import Bell, Watch
from results import record


class Incidents:
    """Notices what players do on stderr, that they end, that they take up a request at last, or are late."""

    def __init__(
        self, channels: Channels, clocks: Clocks, matches: Matches, decisions: Decisions, verdicts: Verdicts
    ) -> None:
        self._channels = channels
        self._clocks = clocks
        self._matches = matches
        self._decisions = decisions
        self._verdicts = verdicts

    def handlers(self) -> Handlers:
        """Return what is to be called for the descriptors of a player."""
        return Handlers(self._on_stdout, self._on_stderr, self._on_exit, self._on_writable)

    def _on_stdout(self, player: Player, now: int) -> bool:
        """Have what has arrived read; return whether there was output and the process plays on."""
        if self._decisions.read(player, now):
            return True
        process = player.process
        assert process
        if not process.stdout_open and not player.lost:
            self._channels.forget(process.stdout_fd)
            if process.exit_fd is None and process.exit_status(patience=0.05) is not None:
                self._crash(player, now)
        return False

    def _on_stderr(self, player: Player, now: int) -> None:
        process = player.process
        assert process
        process.drain_stderr(self._clocks.where(player))
        if not process.stderr_open:
            self._channels.forget(process.stderr_fd)
        most = player.limits.stderr_bytes
        over = process.stderr.size - player.stderr_before > most
        if over and self._matches.in_progress:  # else it counts in the next match
            fault = SeatFault("limit", f"more than {most:,} bytes on stderr in a match")
            self._verdicts.judge(player, fault, now)

    def _on_writable(self, player: Player, now: int) -> None:
        """Continue to send; a decision's clock starts with the last byte of its request."""
        process = player.process
        assert process
        if process.send_rest():
            self._channels.forget(process.stdin_fd)
            self._clocks.start_again(player, now, alone=len(self._matches.in_progress) == 1)

    def _on_exit(self, player: Player, now: int) -> None:
        while not player.lost and self._on_stdout(player, now):
            pass  # what it wrote before it ended counts
        if not player.lost:
            self._crash(player, now)

    def _crash(self, player: Player, now: int) -> None:
        assert player.process
        if player.process.end != "crash":
            self._verdicts.end_all(player, player.process.end == "transport", now)
            return
        status = player.process.known_status()
        self._verdicts.judge(player, SeatFault("crash", f"the process ended ({ending(status)})"), now)

    def expire(self, now: int) -> None:
        """Fault the players whose answers are overdue, unless the machine has delayed them."""
        for asked in self._clocks.overdue(now):
            player = asked.seat.player
            if not asked.match.is_over and not player.lost:
                assert player.process
                state, spell = self._clocks.judge(asked, now)
                if state == "runs":
                    continue
                late = state == "too late"
                reason = self._clocks.reason(asked, spell, late=late)
                fault = SeatFault("timeout", reason, player.process.unfinished_line)
                self._verdicts.judge(player, fault, now, asked, spell.delay if late else "")


class Referee:
    """The players at one table, in their seats, and the matches in progress there."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        room: Callable[[], int],
        before: Sequence[record.Fault] = (),
        look: Callable[[], None] = lambda: None,
        spread: Callable[[], None] = lambda: None,
        clock: TimeSource = SYSTEM_CLOCK,
        on_event: OnEvent | None = None,
        charge: str = "",
        is_patient: Callable[[], bool] = lambda: False,
        watch: Watch | None = None,
        hurries: Callable[[], bool] = lambda: False,
    ) -> None:
        """Seat *players*; *room* returns how many matches may be in progress, once they are ready.

        *before*: the faults of a match that is replayed.  *look* is called now and then, to watch processes
        that are not at this table; *spread* before the first time that several seats are asked at once.
        *clock* tells the time and waits for the players.
        *on_event* is called with StepPlayed when a match begins, and after each of its steps.
        *charge* is the id of a version to which its delays are charged, also those by the machine.
        *is_patient* returns whether a delayed decision is waited for as long as in matches that are kept.
        *hurries* returns whether the run is to stop: then no service of a bot is waited for.
        With a *watch*, the table looks at its bots when it is rung for, not every LOOK_NS.
        """
        self.players = list(players)
        self.look_at = 0
        """When to measure the bots' resources again; passed on to the next table."""
        self._rules = rules
        self._room = room
        self._look_beside = look
        self._clock = clock
        self._channels = Channels(clock)
        self._watch = watch
        self._hurries = hurries
        self.clocks = Clocks(rules, clock, is_patient, watch.stood_still_ns if watch else None)
        self.resources = Resources(rules, self.players, self.clocks)
        self._matches = Matches(
            rules, self.players, clock, self._channels, self.clocks, self.resources, on_event, before
        )
        self._decisions = Decisions(
            rules, clock, self._channels, self.clocks, self._matches, self.resources, spread
        )
        parts = (self._channels, self.clocks, self._matches, self._decisions)
        self.verdicts = Verdicts(rules, *parts, charge=charge)
        # verdicts end matches, and decisions are a part of that: the circle is closed here, once
        self._decisions.judge, self._decisions.excuse = self.verdicts.judge, self.verdicts.excuse
        self._incidents = Incidents(*parts, self.verdicts)

    @property
    def sound(self) -> bool:
        """Whether every process can begin another match."""
        return not any(player.lost for player in self.players)

    @property
    def faults(self) -> list[record.Fault]:
        return self._matches.faults

    def faults_of(self, number: int) -> list[record.Fault]:
        """Return the faults of match *number*."""
        return [fault for fault in self.faults if fault.number == number]

    # -- the loop

    def play(self, waiting: deque[ScheduledMatch]) -> Iterator[MatchOver]:
        """Play the matches in *waiting*, removing each as it begins; yield those that are over.

        Ends when all are played, or when a process is lost and the matches without it are over.  A match is
        yielded only when the next one is over, or at the end: faults at its very end are charged to it.
        """
        game = waiting[0].contest.game
        await_ready(
            self.players,
            self._look_beside,
            self._clock,
            lambda player: self._rules.clock(player.bot.bot, game).start_ms,
            self._hurries,
        )
        try:
            if not self.verdicts.judge_start(waiting, self.players):
                yield from self._play_all(waiting)
        finally:
            self._channels.close()
            self._decisions.close()

    def _play_all(self, waiting: deque[ScheduledMatch]) -> Iterator[MatchOver]:
        handlers = self._incidents.handlers()
        for player in self.players:
            self._channels.watch(player, handlers)
            player.begin()
        if self._watch:
            with Bell() as bell, self._watch.watching(self.players, bell):
                self._channels.hear(bell)
                yield from self._play_on(waiting)
        else:
            yield from self._play_on(waiting)

    def _play_on(self, waiting: deque[ScheduledMatch]) -> Iterator[MatchOver]:
        room, matches, clocks, decisions = self._room(), self._matches, self.clocks, self._decisions
        channels = self._channels
        clocks.wake_at = max(self.look_at, self._clock.now())  # a look that was due before is not late
        decisions.begin(waiting.popleft())
        while True:
            while waiting and len(matches.in_progress) < room and self.sound:
                decisions.begin(waiting.popleft())
            # the last one waits: what its bots still write may be a fault of it
            while len(matches.over) > 1:
                yield self._pop_over()
            decisions.flush()
            if not matches.in_progress:
                break
            now = decisions.wait()
            if now >= clocks.wake_at or channels.has_rung:
                channels.has_rung = False
                self._incidents.expire(now)
                if clocks.paused:
                    self.verdicts.ask_due(now, hurries=self._hurries())
                if self._watch:
                    self._look(now)
                    clocks.plan_by_requests(now)
                else:
                    if now >= self.look_at:
                        self.look_at = now + LOOK_NS
                        self._look_beside()
                        self._look(now)
                    clocks.plan_to_wake(self.look_at)
        while matches.over:
            yield self._pop_over()

    def _pop_over(self) -> MatchOver:
        match = self._matches.over.pop(0)
        return MatchOver(match, self.faults_of(match.number))

    def _look(self, now: int) -> None:
        """Measure what the bots use; fault those that use too much."""
        self.resources.look_at_waits(now)
        if self._matches.in_progress:
            for player, fault in self.resources.breaches(now):
                self.verdicts.judge(player, fault, now)
                # a verdict may have ended the last match, and without one nothing is charged
                if not self._matches.in_progress:
                    break
        self.resources.judge(now)
