"""Play matches: scheduled matches and the players of a table come in, records and faults go out.

One loop over non-blocking pipes, with as many matches in progress as the table's bots allow.  The steps of a
decision:

  _ask       the seat's request is encoded and queued
  _flush     requests of one process leave in one write; their clocks start
  _wait      one poll, until the nearest deadline
  _on_...    handle what came from a descriptor: answers, stderr, an exit
  _advance   all seats of the step have answered: the engine plays on, and every seat gets the news

A fault takes effect only in _advance, so the order of asking cannot change a result.
"""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

from engines import GAMES
from engines.game import Event, IllegalMove, InvalidMove, Outcome, Step
from engines.playout import deal_digest
from ladder.contest.blocks import ScheduledMatch
from ladder.contest.keys import deal_rng
from ladder.contest.ranking import ranks_of
from ladder.process.link import SYSTEM_CLOCK, Clock
from ladder.referee.attribution import Evidence, Verdict, attribute, machine_delay
from ladder.referee.handshake import await_ready, ending
from ladder.referee.limits import LATE_NS, LOOK_NS, breach, waits
from ladder.referee.match import Asked, Fault, Match, Seat
from ladder.referee.player import Player, Spent
from ladder.referee.pondering import spell
from ladder.referee.records import encode_choice, fault_record, match_record
from ladder.referee.rules import MS, Rules
from ladder.registry.version import Version
from protocol import encode as message
from protocol.answers import Malformed, read_answer
from protocol.faults import FaultKind
from protocol.lines import LineTooLong
from protocol.messages import FORGIVEN_KEPT, GRACE_MS, NO_USAGE, Retry
from results import record

__all__ = ["Over", "Referee", "Watch"]
Over: TypeAlias = tuple[record.Match, list[record.Fault]]
"""A match that is over, and its faults."""
Watch: TypeAlias = Callable[[Match, Sequence[Event]], None]
LOGGED_PART = 16
"""At each new match, a process is forgiven stderr output up to the limit divided by this."""
NEW = 5
"""After each of its first NEW matches, a process's children are measured."""
SELDOM_NS = 4 * LOOK_NS
"""Later, after a match if the process was not measured for this long."""
BEFORE_THE_FIRST = -1
"""The step in which the seats' processes are started."""
FOREVER = 10**18
"""Nanoseconds: the time for a decision of a player that has no clock."""

_encode = msgspec.json.Encoder().encode


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
        self.rules = rules
        self.players = list(players)
        self.faults: list[record.Fault] = list(before or ())
        self.spoiled: list[ScheduledMatch] = []
        """The matches to replay, each with new processes."""
        self.troubled: list[Version] = []
        """Bots whose process was lost with several matches in progress, so that no match can be blamed."""
        self.strays: list[Version] = []
        """Bots whose process wrote or ended between two matches, which costs them no match."""
        self.ponderers: list[Version] = []
        """Bots that computed during others' turns, and are stopped between their own turns from now on."""
        self._second = before is not None
        self._room = room
        self._look_beside = look
        self._watch_match = watch
        self._over: list[record.Match] = []
        """The matches that are over and have not been yielded."""
        self._matches: list[Match] = []
        self._asked: dict[str, Asked] = {}
        self._outbox: dict[Player, list[bytes]] = {}
        """The lines that the next flush sends together."""
        self._queued: list[Asked] = []
        """The requests among them: their clocks start at the flush."""
        self._leaving: list[Asked] = []
        """Requests that are not written to their end yet."""
        self._withdrawn: dict[str, Player] = {}
        """Requests of matches that were taken off the table, with the player, who may still answer."""
        self._heard: list[Match] = []
        """The matches of the answers that have just been read."""
        self._clock = clock
        self._clock_now = clock.now
        self._poll = clock.poll()
        self._handlers: dict[int, tuple[Callable[[Player, int], Any], Player]] = {}
        self._logs: set[int] = set()
        """The descriptors in the handlers that are a bot's stderr."""
        self._free_ns = rules.free_ns  # what every decision needs, without asking three objects for it
        self._match_ns = rules.match_ns
        self._move_ms = rules.limits.move_ms
        self._keys = rules.keys
        self._waits = False
        """Whether the bots mostly waited in their turns, so that they do not need a core each."""
        self._spent: Spent | None = None
        self._no_core_us = 0
        """What the bots had spent, and how long they had waited for a core, at the first look."""
        self._cores = rules.cores
        self._spread = spread
        self._is_spread = False
        self._last: Match | None = None
        self._now = 0
        """The time of the last flush."""
        self.look_at = 0
        """When to measure the bots' resources again; passed on to the next table."""
        self._wake_at = 0
        """When to wake if no bot writes; deadlines may be earlier."""
        self._late = 0
        """When the referee last woke too late."""

    @property
    def sound(self) -> bool:
        """Whether every process can begin another match."""
        return not any(player.lost for player in self.players)

    # -- the loop

    def play(self, waiting: deque[ScheduledMatch]) -> Iterator[Over]:
        """Play the matches in *waiting*, removing each as it begins; yield those that are over.

        Ends when all are played, or when a process is lost and the matches without it are over.  A match is
        yielded only when the next one is over, or at the end: faults at its very end are charged to it.
        """
        limits = msgspec.structs.replace(self.rules.limits, start_ms=self.rules.start_ms)
        await_ready(self.players, limits, self._look_beside, self._clock)
        if self._replay_delayed_start(waiting[0]):
            waiting.popleft()
            return
        for player in self.players:
            self._watch(player)
            player.begin()
        room = self._room()
        self._wake_at = max(
            self.look_at, self._clock_now()
        )  # the referee is not late for a look that was due before
        self._begin(waiting.popleft())
        while True:
            while waiting and len(self._matches) < room and self.sound:
                self._begin(waiting.popleft())
            while len(self._over) > 1:
                yield self._pop_over()
            self._flush()
            if not self._matches:
                break
            self._wait()
        while self._over:
            yield self._pop_over()
        self._handlers.clear()  # they refer to this table, and garbage is collected rarely

    def _pop_over(self) -> Over:
        match = self._over.pop(0)
        return match, self.faults_of(match.number)

    def faults_of(self, number: int) -> list[record.Fault]:
        """Return the faults of match *number*."""
        return [fault for fault in self.faults if fault.number == number]

    def _watch(self, player: Player) -> None:
        process = player.process
        if process is None or player.lost:
            return
        self._register(process.stdout_fd, self._on_stdout, player)
        if process.stderr_open:
            self._register(process.stderr_fd, self._on_stderr, player)
            self._logs.add(process.stderr_fd)
        if process.exit_fd is not None:
            self._register(process.exit_fd, self._on_exit, player)

    def _register(
        self, fd: int, handler: Callable[[Player, int], Any], player: Player, flags: int = select.POLLIN
    ) -> None:
        self._handlers[fd] = (handler, player)
        self._poll.register(fd, flags)

    def _forget(self, fd: int) -> None:
        if self._handlers.pop(fd, None):
            self._poll.unregister(fd)
            self._logs.discard(fd)

    def _flush(self) -> None:
        """Send all queued lines, one write per process; the clocks of the requests start."""
        outbox, self._outbox = self._outbox, {}
        queued, self._queued = self._queued, []
        for player, lines in outbox.items():
            if player.process and not player.process.send(b"".join(lines)):
                self._leaving += [asked for asked in queued if asked.seat.player is player]
                self._register(player.process.stdin_fd, self._on_writable, player, select.POLLOUT)
        self._now = self._clock_now()
        self._start_clocks(queued, self._now)

    def _send(self, player: Player, line: bytes) -> None:
        """Queue *line* for the next flush."""
        self._outbox.setdefault(player, []).append(line)

    def _start_clocks(self, requests: Iterable[Asked], now: int) -> None:
        alone = len(self._matches) == 1
        for asked in requests:
            seat = asked.seat
            player = seat.player
            asked.sent_ns = now
            asked.deadline_ns = deadline = now + self._free_ns + seat.bank_ns
            if self._match_ns:
                asked.deadline_ns = deadline = min(deadline, now + max(0, seat.left_ns) + GRACE_MS * MS)
            if not player.has_clock:
                asked.deadline_ns = deadline = now + FOREVER
            if deadline < self._wake_at:
                self._wake_at = deadline
            asked.use = player.use
            if alone:  # note the CPU time at the start of the decision, and what was used since the last one
                asked.cpu_us = cpu_us = player.process.cpu_us()  # type: ignore[union-attr]  # it was asked
                if cpu_us is not None and player.cpu_seen is not None:
                    seat.outside_us.append(cpu_us - player.cpu_seen)
            else:  # the CPU time cannot be attributed to one match
                player.cpu_seen = None
            if player.pauses:
                player.process.resume()  # type: ignore[union-attr]

    def _wait(self) -> None:
        """Wait for output or the next deadline; handle what came and what is overdue."""
        left = self._wake_at - self._now
        ready = self._poll.poll(-(-left // MS) if left > 0 else 0)
        now = self._clock_now()
        if now - self._wake_at > LATE_NS:
            self._late = now
        if len(ready) > 1:  # stderr first: what a bot logged before its answer belongs to that step
            ready.sort(key=lambda event: event[0] not in self._logs)
        for fd, _ in ready:
            if entry := self._handlers.get(fd):  # none if an earlier handler has ended that process
                handler, player = entry
                handler(player, now)
        if now >= self._wake_at:
            self._expire(now)
            if now >= self.look_at:
                self._look(now)
            deadlines = [asked.deadline_ns for asked in self._asked.values() if asked.deadline_ns]
            self._wake_at = min([self.look_at, *deadlines])

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
                self._forget(process.stdout_fd)
                if process.exit_fd is None and process.exit_status(patience=0.05) is not None:
                    self._crash(player, now)
            return False
        for line in lines:
            if not self._hear(player, line, now):
                break
        else:
            if too_long:
                self._fault(player, Fault("protocol", too_long, process.unfinished_line), now)
        heard, self._heard = self._heard, []
        for match in heard:  # only now: what comes together, such as a second answer, belongs to one step
            if match in self._matches:
                self._advance(match)
        return not player.lost

    def _on_stderr(self, player: Player, now: int) -> None:
        process = player.process
        assert process
        process.drain_stderr(self._where(player))
        if not process.stderr_open:
            self._forget(process.stderr_fd)
        over = process.stderr.size - player.stderr_before > (limit := self.rules.limits.stderr_bytes)
        if over and self._matches:  # else it counts in the next match
            self._fault(player, Fault("limit", f"more than {limit:,} bytes on stderr in a match"), now)

    def _where(self, player: Player) -> str:
        """Return what *player* is doing, in words for its log."""
        steps = {asked.match.step for asked in self._asked.values() if asked.seat.player is player}
        if len(steps) > 1:
            return "steps " + ", ".join(map(str, sorted(steps)))
        return f"step {steps.pop()}" if steps else "between its turns"

    def _on_writable(self, player: Player, now: int) -> None:
        """Continue to send; a decision's clock starts with the last byte of its request."""
        process = player.process
        assert process
        if process.send_rest():
            self._forget(process.stdin_fd)
            self._start_clocks([asked for asked in self._leaving if asked.seat.player is player], now)
            self._leaving = [asked for asked in self._leaving if asked.seat.player is not player]

    def _on_exit(self, player: Player, now: int) -> None:
        while not player.lost and self._on_stdout(player, now):
            pass  # what it wrote before it ended counts
        if not player.lost:
            self._crash(player, now)

    def _crash(self, player: Player, now: int) -> None:
        assert player.process
        status = player.process.exit_status()
        self._fault(player, Fault("crash", f"the process ended ({ending(status)})"), now)

    def _hear(self, player: Player, line: bytes, now: int) -> bool:
        """Handle one line; return whether the process plays on."""
        try:
            answer = read_answer(line)
        except Malformed as error:
            return self._fault(player, Fault("protocol", str(error), line), now)
        asked = self._asked.get(answer.id)
        if asked is None or asked.seat.player is not player:
            if self._withdrawn.pop(answer.id, None):
                return True
            reason = f"expected the id of a request that waits for its answer, got: {answer.id!r}"
            return self._fault(player, Fault("protocol", reason, line), now)
        try:
            move = asked.choice.check(answer.move)
        except IllegalMove as error:
            kind: FaultKind = "protocol" if isinstance(error, InvalidMove) else "illegal"
            return self._fault(player, Fault(kind, str(error), line), now, asked)
        del self._asked[answer.id]
        match, seat = asked.match, asked.seat
        elapsed = now - asked.sent_ns
        player.turn_ns += elapsed
        if asked.cpu_us is not None:
            player.cpu_seen = player.process.cpu_us()  # type: ignore[union-attr]  # it has just answered
            seat.busy_us.append(busy_us := (player.cpu_seen or asked.cpu_us) - asked.cpu_us)
            player.busy_us += busy_us
        if player.pauses and not any(other.seat.player is player for other in self._asked.values()):
            player.process.pause()  # type: ignore[union-attr]
        if elapsed > self._free_ns:
            seat.bank_ns = max(0, seat.bank_ns - (elapsed - self._free_ns))
        seat.left_ns -= elapsed
        seat.think_us.append(elapsed // 1000)
        if answer.note:
            seat.add_note(match.step, answer.note)
        if answer.usage is not NO_USAGE:
            seat.add_usage(answer.usage)
        match.moves[seat.index] = move
        match.unheard -= 1
        self._heard.append(match)
        return True

    def _expire(self, now: int) -> None:
        for asked in [asked for asked in self._asked.values() if 0 < asked.deadline_ns <= now]:
            player = asked.seat.player
            if asked.match in self._matches and not player.lost:
                assert player.process
                head = player.process.unfinished_line
                reason = f"no answer within {self._limit_ns(asked) // MS} ms"
                if self._match_ns and self._limit_ns(asked) == max(0, asked.seat.left_ns):
                    reason += f", the rest of {self.rules.limits.match_s} s for its start and its decisions"
                if head:
                    reason += "; part of an answer had come, without its newline"
                self._fault(player, Fault("timeout", reason, head), now, asked)

    def _delay(self, asked: Asked, now: int) -> str:
        """Return how the machine has delayed an answer that is overdue; empty if it has not."""
        process = asked.seat.player.process
        assert process
        use = process.use()
        cpu_us = use.cpu_us - asked.use.cpu_us if use and asked.use else 0
        waited_us = 0 if asked.waited_us is None else process.waited_us() - asked.waited_us
        woke_late = self._late >= asked.sent_ns
        return machine_delay(woke_late, cpu_us, waited_us, (now - asked.sent_ns) // 1000)

    def _replay_delayed_start(self, scheduled: ScheduledMatch) -> bool:
        """Have *scheduled* replayed if the machine has delayed a start; return whether it has."""
        if not any(player.delay for player in self.players):
            return False
        match = self._new_match(scheduled)
        match.step = BEFORE_THE_FIRST
        for seat in match.seats:
            player = seat.player
            fault = Fault(player.failure_kind, player.failure)
            verdict = attribute(fault, Evidence(delay=player.delay, second_attempt=self._second))
            if verdict.outcome == "replay":
                self._keep(match, seat, fault, verdict, None, 0)
                if scheduled not in self.spoiled:
                    self.spoiled.append(scheduled)
        return bool(self.spoiled)

    # -- resources

    def _look(self, now: int) -> None:
        """Measure what the bots use; fault those that use too much."""
        self.look_at = now + LOOK_NS
        self._look_beside()
        self._look_at_waits()
        for player in self.players:
            if player.process and not player.lost and self._matches:
                turn_ns = self._turn_ns(player, now)
                use = player.look(turn_ns, self._busy_us(player))
                if use and (fault := breach(self.rules.limits, player, use, turn_ns)):
                    self._fault(player, fault, now)
        self._judge(now)

    def _look_at_waits(self) -> None:
        """Note how long players have waited for a core whose answers have just become slow."""
        waited: dict[Player, int] = {}
        for asked in self._asked.values():
            player = asked.seat.player
            if asked.sent_ns and asked.waited_us is None and player.process:
                if player not in waited:
                    waited[player] = player.process.waited_us()
                asked.waited_us = waited[player]

    def _judge(self, now: int) -> None:
        """Judge whether the bots compute in their turns, or wait for something other than a core."""
        uses = [player.use for player in self.players if player.use]
        turns_ns = sum(self._turn_ns(player, now) for player in self.players)
        spent = Spent(sum(use.cpu_us for use in uses), turns_ns)
        if self._spent is None:
            self._spent, self._no_core_us = spent, self._without_a_core()
        self._waits = waits(self._spent, spent)
        if self._waits:
            more_us = self._without_a_core() - self._no_core_us
            self._waits = waits(self._spent, Spent(spent.cpu_us + more_us, turns_ns))

    def _without_a_core(self) -> int:
        """Return how long processes of this table were ready to run and had no core."""
        return sum(player.process.waited_us() for player in self.players if player.process)

    def _turn_ns(self, player: Player, now: int) -> int:
        """Return how long *player*'s turns have lasted in all, up to now."""
        sent = [asked.sent_ns for asked in self._asked.values() if asked.seat.player is player]
        return player.turn_ns + (now - min(sent) if sent and all(sent) else 0)

    def _busy_us(self, player: Player) -> int:
        """Return the CPU time of *player*'s process in all its turns, up to now."""
        for asked in self._asked.values():
            if asked.seat.player is player and asked.cpu_us is not None and player.process:
                return player.busy_us + max(0, (player.process.cpu_us() or 0) - asked.cpu_us)
        return player.busy_us

    def _limit_ns(self, asked: Asked) -> int:
        own = self.rules.limits.move_ms * MS + asked.seat.bank_ns
        return min(own, max(0, asked.seat.left_ns)) if self._match_ns else own

    # -- faults

    def _fault(self, player: Player, fault: Fault, now: int, asked: Asked | None = None) -> bool:
        """Attribute *fault* of *player*, and carry out the verdict; return whether the process plays on.

        *asked* is the request that the fault concerns, if it concerns one.
        """
        match = asked.match if asked else self._matches[0] if self._matches else self._last
        assert match
        seat = next(seat for seat in match.seats if seat.player is player)
        evidence = self._evidence(match, seat, fault, asked, now)
        if asked is None and not evidence.several_matches:  # store the open request with the fault
            asked = next((a for a in self._asked.values() if a.seat is seat), None)
        verdict = attribute(fault, evidence)
        if verdict.outcome == "ask again":
            assert asked
            return self._ask_again(asked, fault, verdict, now)
        if verdict.outcome == "stray" or verdict.outcome == "unclear":
            (self.strays if verdict.outcome == "stray" else self.troubled).append(player.bot)
            seat.stderr_from = 0  # its earlier log may tell why
        self._keep(match, seat, fault, verdict, asked, now)
        if verdict.outcome == "replay":
            self._spoil([match])
            return True
        self._unwatch(player)
        player.kill()
        self._spoil([other for other in self._matches if not (verdict.charged and other is match)])
        if verdict.charged:
            self._charge(match, seat, fault, asked)
        return False

    def _evidence(self, match: Match, seat: Seat, fault: Fault, asked: Asked | None, now: int) -> Evidence:
        """Return the evidence for attributing *fault* of *seat* in *match*."""
        player = seat.player
        return Evidence(
            names_request=asked is not None,
            tries_left=self.rules.retries - asked.again if asked else 0,
            several_matches=len(self._matches) > 1 or player in self._withdrawn.values(),
            between_matches=match not in self._matches,
            first_match=player.matches <= 1,
            has_answered=bool(seat.think_us),
            delay=self._delay(asked, now) if asked and fault.kind == "timeout" else "",
            second_attempt=self._second,
        )

    def _charge(self, match: Match, seat: Seat, fault: Fault, asked: Asked | None) -> None:
        seat.breach = fault
        match.faulted = True
        if seat in match.to_ask:
            match.to_ask.remove(seat)
        if asked:
            self._drop(asked)
            match.unheard -= 1
        self._advance(match)

    def _spoil(self, matches: list[Match]) -> None:
        """Take *matches* off the table, to be replayed."""
        for match in matches:
            self._matches.remove(match)
            self.spoiled.append(match.scheduled)
            number = match.scheduled.match  # the replay decides about its faults so far
            self.faults = [fault for fault in self.faults if fault.number != number or not fault.charged]
            for key, asked in list(self._asked.items()):
                if asked.match is match:
                    self._withdrawn[key] = asked.seat.player
                    self._drop(asked)

    def _drop(self, asked: Asked) -> None:
        self._asked = {key: other for key, other in self._asked.items() if other is not asked}
        self._queued = [other for other in self._queued if other is not asked]

    def _unwatch(self, player: Player) -> None:
        for fd in [fd for fd, (_, watched) in self._handlers.items() if watched is player]:
            self._forget(fd)
        self._outbox.pop(player, None)
        self._withdrawn = {key: other for key, other in self._withdrawn.items() if other is not player}

    def _keep(
        self, match: Match, seat: Seat, fault: Fault, verdict: Verdict, asked: Asked | None, now: int
    ) -> None:
        """Record all that the bot's author needs to understand *fault*."""
        process = seat.player.process
        if process and process.stderr_open:
            process.drain_stderr(self._where(seat.player))
        limit_ns = self._limit_ns(asked) if asked else 0
        self.faults.append(fault_record(self.rules.run, match, seat, fault, verdict, asked, now, limit_ns))

    # -- a match

    def _new_match(self, scheduled: ScheduledMatch) -> Match:
        """Return *scheduled* as a match before its first step."""
        keys, bank_ns = self.rules.keys, self.rules.limits.bank_ms * MS
        seats = [
            Seat(i, player, keys.name(scheduled.match, i), keys.bot(scheduled.match, i), bank_ns)
            for i, player in enumerate(self.players)
        ]
        for seat in seats:  # the start counts in the first match of a process
            seat.left_ns = self._match_ns - (0 if seat.player.matches else seat.player.start_ns)
        game = GAMES[scheduled.contest.game]
        return Match(scheduled, game, seats, keys.deal(scheduled.block), self._clock_now())

    def _begin(self, scheduled: ScheduledMatch) -> None:
        contest = scheduled.contest
        match = self._new_match(scheduled)
        seats, options = match.seats, _encode(contest.options)
        if scheduled.deal is None:
            start, match.deal_digest = _start_deal(contest.game, contest.seats, options, match.deal_seed)
        else:
            start = match.game.start(scheduled.deal, contest.seats)
            match.deal_digest = deal_digest(scheduled.deal)
        match.state = start.state
        match.choices = match.game.choices(match.state)
        self._matches.append(match)
        if len(self._matches) > 1:  # CPU time can no longer be attributed to one match
            for other in self._matches:
                other.forget_cpu()
        for seat in seats:
            self._greet(match, seat)
        self._tell(match, start.events)
        if len(match.live()) < 2:
            return self._finish(match, None)
        self._ask(match)
        return self._advance(match)

    def _greet(self, match: Match, seat: Seat) -> None:
        player, contest = seat.player, match.scheduled.contest
        player.matches += 1
        player.spent = None
        if process := player.process:
            size = process.stderr.size
            if player.matches > 1:
                size = min(size, player.stderr_before + self.rules.limits.stderr_bytes // LOGGED_PART)
            player.stderr_before = size
            if process.stderr_open:
                process.drain_stderr()
            if player.matches > 1:  # its first match shows what it logged at its start, too
                seat.stderr_from = process.stderr.begin()
        if player.failure:
            match.step = BEFORE_THE_FIRST
            seat.breach = Fault(player.failure_kind, player.failure)
            self._keep(match, seat, seat.breach, Verdict("loses", player.failure), None, 0)
            match.step = 0
            seat.fault_step = BEFORE_THE_FIRST
            match.faulted = True
            return
        start = message.start(
            seat.name, contest.game, match.game.version, seat.index, contest.seats, contest.options
        )
        self._send(player, start)

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
        if self._watch_match:
            self._watch_match(match, events)

    def _ask(self, match: Match) -> None:
        """Ask the live seats of this step: all at once, or one after another in a secret order.

        A seat that is asked later could measure how long the others have thought.
        """
        seats = [match.seats[index] for index in match.choices if match.seats[index].fault_step is None]
        if len(seats) > 1:
            if len(seats) > self._cores and not self._waits:
                order = self._keys.order(match.scheduled.match, match.step, len(seats))
                first, *others = [seats[index] for index in order]
                match.to_ask.extend(others)
                seats = [first]
            elif not self._is_spread:
                self._is_spread = True
                self._spread()
        for seat in seats:
            self._request(match, seat)

    def _request(self, match: Match, seat: Seat) -> None:
        decision = seat.decision_id(self._keys, match.scheduled.match, match.step)
        self._queued.append(self._put(match, seat, decision))
        match.unheard += 1

    def _ask_again(self, before: Asked, fault: Fault, verdict: Verdict, now: int) -> bool:
        """Ask again after an illegal move, on the same running clock; return True: the process plays on."""
        match, seat, again = before.match, before.seat, before.again + 1
        self._drop(before)
        if seat.forgiven < FORGIVEN_KEPT:
            seat.forgiven += 1
            self._keep(match, seat, fault, verdict, before, now)
        ids = self._keys.decisions(match.scheduled.match, seat.index, match.step >> 3, again)
        retry = Retry(fault.reason, self.rules.retries - again)
        asked = self._put(match, seat, ids[match.step & 7], retry)
        asked.again = again
        asked.sent_ns, asked.deadline_ns = before.sent_ns, before.deadline_ns
        asked.cpu_us, asked.use, asked.waited_us = before.cpu_us, before.use, before.waited_us
        return True

    def _put(self, match: Match, seat: Seat, decision: str, retry: Retry | None = None) -> Asked:
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
        asked = self._asked[decision] = Asked(match, seat, choice, request)
        self._send(seat.player, request)
        return asked

    def _advance(self, match: Match) -> None:
        """Play on to the next request or the end, if every seat of the step has answered."""
        while not match.unheard:
            if match.to_ask:
                self._request(match, match.to_ask.popleft())
                return None
            if match.faulted:
                match.settle()
                if len(match.live()) < 2:
                    return self._finish(match, None)
                match.substitute(self.rules.keys)
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

    def _finish(self, match: Match, outcome: Outcome | None) -> None:
        """Rank the seats, tell them, and record the match.  *outcome* is None if a fault ended the match."""
        ranks = ranks_of([seat.fault_step for seat in match.seats], outcome.ranks if outcome else None)
        scores = outcome.scores if outcome else None
        faults = [seat.breach.kind if seat.breach else None for seat in match.seats]
        for seat in match.seats:
            if seat.fault_step is None:
                self._send(seat.player, message.end(seat.name, ranks, scores, faults, seat.news))
        self._matches.remove(match)
        self._last = match
        now = self._clock_now()
        self._suspect(match, now)
        self._over.append(match_record(self.rules.run, self.rules.sandbox, match, ranks, scores, now))

    def _suspect(self, match: Match, now: int) -> None:
        """Judge what the bots used outside their turns of *match*, which is over."""
        for seat in match.seats:
            player = seat.player
            if player.process is None or player.lost:
                continue
            if player.matches <= NEW or now - player.looked_ns > SELDOM_NS:
                player.look(self._turn_ns(player, now), self._busy_us(player))
            seat.beside_us = player.beside.take()
            found = spell(
                seat.outside_us,
                (now - match.started_ns) // 1000,
                seat.beside_us,
                (now - player.judged_ns) // 1000,
            )
            player.judged_ns = now
            if self.rules.freeze == "auto" and not player.pauses and player.suspicion.add(found):
                self.ponderers.append(player.bot)
            if self.rules.freeze == "auto" and player.suspicion.certain and not player.pauses:
                player.pauses = True
                player.process.pause()


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
