"""The open requests of a table and their clocks: deadlines, the time of turns, the CPU time of decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import random
from typing import Final

from ladder.process.link import TimeSource
from ladder.process.patience import LATE_NS, LONGEST_US, MOST_TIMES, ClockSpell, State, judge_clock
from ladder.referee.limits import LOOK_NS, SLOW_NS
from ladder.referee.match import OpenRequest
from ladder.referee.player import Player
from ladder.referee.rules import MS, Rules
from protocol.messages import GRACE_MS

LONGEST_PAUSE_S = 30.0
"""The longest pause before a bot is asked or started again, unless it asks for a longer one."""
DOUBLED = 4
"""The first pause takes a second, and this many after it take twice as long as the one before."""
FOREVER = 10**18
"""Nanoseconds: the time for a decision of a player that has no clock."""
NEAR_NS: Final = 4 * LOOK_NS
"""The time before a deadline in which a table that is watched looks as often as one that is not."""
PAUSE_LOOK_NS: Final = 1_000_000_000
"""How often a table in a pause asks whether the run is to stop."""
SHORT_NS: Final = 300_000
"""A bot cannot use CPU time that matters between an answer and a request that comes sooner than this.  It
cannot use more than the time that passes, on each core, and is allowed far more after each answer
(pondering.TAIL_US).  What it does use counts in the decision that follows, and so does the time."""


def pause_ns(failed: int, after_ms: int) -> int:
    """Return how long to wait for what has *failed* as often before, and asks for *after_ms*."""
    seconds = max(after_ms / 1000, LONGEST_PAUSE_S if failed > DOUBLED else 2.0**failed)
    return int(1e9 * seconds * (1 + random() / 2))  # else all tables would ask at once


class Standstill:
    """How long the referee was held up, other than by waiting for a core: the machine stood still.

    Where the referee itself waited for a core, the bots ran, or waited as well: that is counted for each.
    """

    def __init__(self, clock: TimeSource, watched_ns: Callable[[], int] | None = None) -> None:
        """Ask *clock* how long the referee itself has waited for a core.

        *watched_ns* returns how long the machine has stood still, where a watcher knows it: it wakes often.
        """
        self._woke_late_ns = 0
        self._watched_ns = watched_ns
        self._own_wait_us = clock.waited_us
        self._own_at_look_us = clock.waited_us()

    @property
    def ns(self) -> int:
        """How long, in nanoseconds."""
        return self._watched_ns() if self._watched_ns else self._woke_late_ns

    def look(self) -> int:
        """Return how long the referee has waited for a core since the last look, in microseconds."""
        before, self._own_at_look_us = self._own_at_look_us, self._own_wait_us()
        return max(0, self._own_at_look_us - before)

    def woke(self, now: int, wake_at: int) -> None:
        """Note a wake at *now* instead of *wake_at*, if that was so late that the machine has stood still."""
        if now - wake_at > LATE_NS:
            waited_ns = 1000 * (self._own_wait_us() - self._own_at_look_us)
            self._woke_late_ns += max(0, now - wake_at - waited_ns)


class Clocks:
    """The requests that wait for an answer, and the clocks of the bots that must give it."""

    def __init__(
        self,
        rules: Rules,
        clock: TimeSource,
        is_patient: Callable[[], bool],
        watched_ns: Callable[[], int] | None = None,
    ) -> None:
        """Wait for a delayed decision for longer than MOST_TIMES its limit while *is_patient*().

        For *watched_ns* see Standstill.
        """
        self.open: dict[str, OpenRequest] = {}
        """The requests that have not been answered, by id."""
        self.queued: list[OpenRequest] = []
        """Those that the next flush sends: their clocks start then."""
        self.paused: list[OpenRequest] = []
        """The requests that are asked again later, because the service of the bot has failed."""
        self._leaving: list[OpenRequest] = []
        """Those that are not written to their end yet."""
        self.wake_at = 0
        """When to wake if no bot writes: no deadline is earlier."""
        self.flushed_ns = 0
        """The time of the last flush."""
        self.standstill = Standstill(clock, watched_ns)
        self.waits: list[tuple[str, int]] = []
        """For whom the table stood, by version, and how long those decisions took, in nanoseconds."""
        self._standing: set[OpenRequest] = set()
        """The requests for whose answers the table stands: MOST_TIMES their limit is over."""
        self._held: list[Player] = []
        """The players who are stopped between their turns meanwhile."""
        self._freeze = rules.freeze
        self._now = clock.now
        self._is_patient = is_patient
        self._is_watched = watched_ns is not None

    # -- a request

    def start_queued(self, stuck: list[Player], now: int, *, alone: bool) -> None:
        """Start the clocks of the queued requests, which have been sent, but not whole to *stuck*.

        *alone*: only one match is in progress.
        """
        self.flushed_ns = now
        queued, self.queued = self.queued, []
        if stuck:
            self._leaving += [asked for asked in queued if asked.seat.player in stuck]
        self._start(queued, now, alone=alone)

    def start_again(self, player: Player, now: int, *, alone: bool) -> None:
        """Start the clocks of requests again: *player* has just taken their last byte."""
        waiting = {*self.open.values()}  # a bot that has read enough may have answered already
        sent = [asked for asked in self._leaving if asked.seat.player is player]
        self._leaving = [asked for asked in self._leaving if asked.seat.player is not player]
        begun_again = [asked for asked in sent if asked in waiting]
        for asked in begun_again:
            asked.waited_us = None
        self._start(begun_again, now, alone=alone)

    def _start(self, requests: Sequence[OpenRequest], now: int, *, alone: bool) -> None:
        if self._is_watched and requests and now + LOOK_NS < self.wake_at:
            self.wake_at = now + LOOK_NS
        for asked in requests:
            seat = asked.seat
            player, clock = seat.player, seat.clock
            asked.sent_ns = now
            asked.frozen_ns = self.standstill.ns
            asked.deadline_ns = deadline = now + clock.free_ns + seat.bank_ns
            if clock.match_ns:
                asked.deadline_ns = deadline = min(deadline, now + max(0, seat.left_ns) + GRACE_MS * MS)
            if not player.has_clock:
                asked.deadline_ns = deadline = now + FOREVER
            asked.limit_ns = deadline - now
            if deadline < self.wake_at:
                self.wake_at = deadline
            asked.use = player.use
            seen_us = player.cpu_seen
            if alone and seen_us is not None and now - player.answered_ns < SHORT_NS:
                asked.cpu_us = seen_us
                seat.outside_us.append(0)
                player.turn_ns += now - player.answered_ns  # as its CPU time counts in this turn
            elif (
                alone
            ):  # note the CPU time at the start of the decision, and what was used since the last one
                asked.cpu_us = cpu_us = player.process.cpu_us()  # type: ignore[union-attr]  # it was asked
                if cpu_us is not None and seen_us is not None:
                    seat.outside_us.append(cpu_us - seen_us)
            else:  # the CPU time cannot be attributed to one match
                player.cpu_seen = None
            if player.pauses:
                player.process.resume()  # type: ignore[union-attr]

    def stop(self, asked: OpenRequest, now: int) -> None:
        """Stop the clock of *asked*, which is no longer open, and charge the time to the bot."""
        seat = asked.seat
        player = seat.player
        elapsed = now - asked.sent_ns
        if asked in self._standing:
            self._stand_no_more(asked)
        if asked.cpu_us is not None:
            player.cpu_seen = player.process.cpu_us()  # type: ignore[union-attr]  # it has just answered
            player.answered_ns = now
            seat.busy_us.append((player.cpu_seen or asked.cpu_us) - asked.cpu_us)
        if (player.pauses or player.forks) and not self.has_turn(player):
            if player.forks:
                player.note_turn(now, ends=True)
            if player.pauses:
                player.process.pause()  # type: ignore[union-attr]
        had = elapsed
        free_ns = seat.clock.free_ns
        if elapsed > free_ns or (seat.clock.match_ns and elapsed > SLOW_NS):
            had = self._had_ns(asked, now)
        if had > free_ns:
            seat.bank_ns = max(0, seat.bank_ns - (had - free_ns))
        player.turn_ns += had
        seat.left_ns -= had
        seat.think_us.append(elapsed // 1000)

    def drop(self, asked: OpenRequest) -> None:
        """Forget *asked*: its answer does not count any more."""
        self.open = {key: other for key, other in self.open.items() if other is not asked}
        self.queued = [other for other in self.queued if other is not asked]
        self.paused = [other for other in self.paused if other is not asked]
        if asked in self._standing:
            self._stand_no_more(asked)

    # -- pauses

    def outage_left_ns(self, asked: OpenRequest, now: int) -> int:
        """Return for how long the service of the bot may go on to fail in the match of *asked*."""
        seat = asked.seat
        spent_ns = seat.outage_ns + now - (asked.first_ns or asked.sent_ns)
        return seat.player.outage_left_ns(spent_ns)

    def put_off(self, asked: OpenRequest, due_ns: int) -> None:
        """Let *asked* wait until *due_ns*: the same decision is asked again then, on a new clock."""
        self.drop(asked)
        asked.first_ns, asked.due_ns = asked.first_ns or asked.sent_ns, due_ns
        asked.seat.player.outages.add(asked.sent_ns, due_ns)
        asked.seat.player.cpu_seen = None  # what it uses in the pause is of its turn
        self.paused.append(asked)
        self.wake_at = min(self.wake_at, due_ns)

    def take_due(self, now: int) -> list[OpenRequest]:
        """Return the requests whose pause is over, which wait no longer."""
        due = [asked for asked in self.paused if asked.due_ns <= now]
        for asked in due:
            self.paused.remove(asked)
            asked.seat.player.turn_ns += now - asked.sent_ns
        return due

    def _look_at_pauses(self, now: int) -> None:
        """Wake when a pause is over, and now and then before: the run may be to stop."""
        for asked in self.paused:
            self.wake_at = min(self.wake_at, asked.due_ns, now + PAUSE_LOOK_NS)

    # -- deadlines

    def overdue(self, now: int) -> list[OpenRequest]:
        """Return the requests whose deadline has passed."""
        return [asked for asked in self.open.values() if 0 < asked.deadline_ns <= now]

    def plan_to_wake(self, look_at: int) -> None:
        """Wake at the next deadline, at the latest at *look_at*."""
        self.wake_at = min([look_at, *(a.deadline_ns for a in self.open.values() if a.deadline_ns)])
        self._look_at_pauses(self._now())

    def plan_by_requests(self, now: int) -> None:
        """Wake at the next moment at which a request wants a look: a watcher tells of all else."""
        sent = (asked for asked in self.open.values() if asked.deadline_ns)
        self.wake_at = min((self._look_at(asked, now) for asked in sent), default=now + FOREVER)
        self._look_at_pauses(now)

    @staticmethod
    def _look_at(asked: OpenRequest, now: int) -> int:
        """Return when to look at *asked*: once when it is slow, and often where its time runs out.

        A bot that waits for a core does not run, so that the watcher cannot tell.  How long it has waited
        matters at the deadline only, and a wait that has been seen by then stops the clock.
        """
        if asked.waited_us is None and asked.seat.player.has_clock:
            return min(asked.deadline_ns, max(now, asked.sent_ns) + LOOK_NS)
        return min(asked.deadline_ns, max(now + LOOK_NS, asked.deadline_ns - NEAR_NS))

    def limit_ns(self, asked: OpenRequest) -> int:
        """Return how long the decision of *asked* may take."""
        seat = asked.seat
        own = seat.clock.move_ms * MS + seat.bank_ns
        return min(own, max(0, seat.left_ns)) if seat.clock.match_ns else own

    def reason(self, asked: OpenRequest, spell: ClockSpell, *, late: bool) -> str:
        """Return why *asked* is overdue after *spell*, in words; *late*: by the machine's doing."""
        assert asked.seat.player.process
        limit_ns, clock = self.limit_ns(asked), asked.seat.clock
        reason = f"no answer within {limit_ns // MS} ms"
        if clock.match_ns and limit_ns == max(0, asked.seat.left_ns):
            reason += f", the rest of {clock.match_s} s for its start and its decisions"
        if not late and spell.was_slow:
            reason += f"; it had the machine for {spell.had_us // 1000} of {spell.elapsed_us // 1000} ms"
        if asked.seat.player.process.unfinished_line:
            reason += "; part of an answer had come, without its newline"
        return reason

    # -- delays

    def look(self) -> None:
        """Note how long the referee itself has waited for a core so far."""
        self.standstill.look()

    def woke(self, now: int) -> None:
        """Note that the referee woke at *now*, if that was so late that the machine has stood still."""
        self.standstill.woke(now, self.wake_at)

    def waited_us(self, asked: OpenRequest, now: int) -> int:
        """Return how long the bot has waited for a core since *asked* was sent, in microseconds.

        The first time, this also notes what it had waited before: all that came in since the last reading
        is of this decision, as far as it is long enough.
        """
        player = asked.seat.player
        process = player.process
        assert process
        before, player.waited_us = player.waited_us, process.waited_us()
        elapsed_us = (now - asked.sent_ns) // 1000
        if asked.waited_us is None:
            asked.waited_us = max(before, player.waited_us - elapsed_us)
            asked.uncounted = process.uncounted
        return min(elapsed_us, player.waited_us - asked.waited_us)

    def spell(self, asked: OpenRequest, now: int) -> ClockSpell:
        """Return what the bot did since the clock of *asked* started."""
        player = asked.seat.player
        process = player.process
        assert process
        elapsed_us = (now - asked.sent_ns) // 1000
        waited_us = self.waited_us(asked, now)
        frozen_us = (self.standstill.ns - asked.frozen_ns) // 1000
        if waited_us + frozen_us == 0:
            return ClockSpell(elapsed_us)
        use = process.use()
        cpu_us = max(0, use.cpu_us - asked.use.cpu_us) if use and asked.use else 0
        uncounted = process.uncounted > asked.uncounted
        return ClockSpell(elapsed_us, waited_us, frozen_us, cpu_us, player.cores, uncounted)

    def _had_ns(self, asked: OpenRequest, now: int) -> int:
        """Return how long the bot had the machine for *asked*, which it has just answered.

        What the referee itself has waited for a core since the last look kept it from reading the answer.
        """
        elapsed = now - asked.sent_ns
        spell = self.spell(asked, now)
        own_us = self.standstill.look()
        return min(elapsed, 1000 * spell._replace(frozen_us=spell.frozen_us + own_us).had_us)

    def judge(self, asked: OpenRequest, now: int) -> tuple[State, ClockSpell]:
        """Judge *asked*, whose deadline has passed; if its clock runs on, the next deadline is set."""
        limit = asked.limit_ns
        spell = self.spell(asked, now)
        longest_us = LONGEST_US if self._is_patient() else 0
        state = judge_clock(limit // 1000, spell, longest_us)
        if state == "runs":
            asked.seat.player.overran = True
            left = max(MS, limit - 1000 * spell.had_us)
            asked.deadline_ns = min(now + left, asked.sent_ns + max(MOST_TIMES * limit, 1000 * longest_us))
            if now - asked.sent_ns >= MOST_TIMES * limit and asked not in self._standing:
                self._stand(asked)
        return state, spell

    def _stand(self, asked: OpenRequest) -> None:
        """Let the table stand for *asked*: stop its other bots, unless bots are never stopped."""
        if not self._standing and self._freeze != "off":
            self._held = [seat.player for seat in asked.match.seats if not seat.player.pauses]
            thinking = {other.seat.player for other in self.open.values()}
            for player in self._held:
                player.pauses = True
                if player.process and player not in thinking:
                    player.process.pause()
        self._standing.add(asked)

    def _stand_no_more(self, asked: OpenRequest) -> None:
        """Note for how long the table stood for *asked*; let its bots go on if it stands for no other."""
        self._standing.remove(asked)
        self.waits.append((asked.seat.player.bot.id, self._now() - asked.sent_ns))
        if not self._standing:
            held, self._held = self._held, []
            for player in held:
                player.pauses = False
                if player.process:
                    player.process.resume()

    # -- players

    def where(self, player: Player) -> str:
        """Return what *player* is doing, in words for its log."""
        steps = {asked.match.step for asked in self.open.values() if asked.seat.player is player}
        if len(steps) > 1:
            return "steps " + ", ".join(map(str, sorted(steps)))
        return f"step {steps.pop()}" if steps else "between its turns"

    def has_turn(self, player: Player) -> bool:
        """Return whether *player* is asked for something."""
        return any(asked.seat.player is player for asked in (*self.open.values(), *self.paused))

    def turn_ns(self, player: Player, now: int) -> int:
        """Return the duration of all *player*'s turns, up to now; of those that are over, what it had."""
        asked = (*self.open.values(), *self.paused)
        sent = [each.sent_ns for each in asked if each.seat.player is player]
        return player.turn_ns + (now - min(sent) if sent and all(sent) else 0)
