"""What follows from a fault: gather the evidence, have it attributed, and carry out the verdict."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from ladder.contest.blocks import ScheduledMatch
from ladder.referee.attribution import FaultEvidence, FaultVerdict, attribute
from ladder.referee.channels import Channels
from ladder.referee.clocks import Clocks, pause_ns
from ladder.referee.decisions import Decisions
from ladder.referee.match import OpenRequest, SeatFault, TableMatch, TableSeat
from ladder.referee.matches import Matches
from ladder.referee.player import Player
from ladder.referee.rules import MS, Rules
from ladder.registry.version import Version
from protocol.faults import LOST, NO_SERVER
from protocol.messages import FORGIVEN_KEPT, Again, Retry


class Void(NamedTuple):
    """An attempt at a match that the machine's delays have made void.  Nothing of it is stored."""

    scheduled: ScheduledMatch
    reason: str
    """What was late, and how, in words."""
    late: frozenset[str] = frozenset()
    """The ids of the versions that the machine has delayed too much."""
    in_time: bool = False
    """Whether the starts and answers of all other bots came in time."""
    stood: bool = False
    """Whether the table stood, for that decision or another, or waited for *absent* until the run stopped."""
    absent: tuple[str, ...] = ()
    """The ids of the versions for which nobody was there to play, or whose service did not answer."""


class Verdicts:
    """The faults at a table, and what has followed from them."""

    def __init__(
        self,
        rules: Rules,
        channels: Channels,
        clocks: Clocks,
        matches: Matches,
        decisions: Decisions,
        *,
        charge: str,
    ) -> None:
        """*charge*: the id of a version to which its delays are charged."""
        self.spoiled: list[ScheduledMatch] = []
        """The matches to replay, each with new processes."""
        self.voids: list[Void] = []
        """The matches that the machine has made void."""
        self.troubled: list[Version] = []
        """Bots whose process was lost with several matches in progress, so that no match can be blamed."""
        self.strays: list[Version] = []
        """Bots whose process wrote or ended between two matches, which costs them no match."""
        self._rules = rules
        self._channels = channels
        self._clocks = clocks
        self._matches = matches
        self._decisions = decisions
        self._bears_delays = charge
        self._withdrawn: dict[str, Player] = {}
        """Requests of matches that were taken off the table, with the player, who may still answer."""

    # -- what is asked again

    def ask_due(self, now: int, *, hurries: bool) -> None:
        """Ask again what has waited for a service; with *hurries*, play its match again another time."""
        if hurries:
            for asked in list(self._clocks.paused):
                if not asked.match.is_over:
                    why, by = f"{asked.why}, and the run was to stop", (asked.seat.player.bot.id,)
                    self._take_off(asked.match)
                    self._matches.forget(asked.match)
                    self.voids.append(Void(asked.match.scheduled, why, stood=True, absent=by))
            return
        for before in self._clocks.take_due(now):
            if not before.match.is_over and not before.seat.player.lost:
                left_ms = max(0, self._clocks.outage_left_ns(before, now)) // MS
                asked = self._request_again(before, Again(before.why, before.failed, left_ms))
                self._clocks.queued.append(asked)

    def excuse(self, player: Player, line: bytes, request: str, now: int) -> bool:
        """Judge *line*, an answer of *player* to a *request* that does not wait for one; see `judge`.

        It may have come late because its match was taken off the table.
        """
        if self._withdrawn.pop(request, None):
            return True
        reason = f"expected the id of a request that waits for its answer, got: {request!r}"
        return self.judge(player, SeatFault("protocol", reason, line), now)

    def judge_start(self, waiting: deque[ScheduledMatch], players: Sequence[Player]) -> bool:
        """Return whether the first match *waiting* is void because of a start, and remove it then.

        The machine has delayed that too much, or nobody was there to play: all matches are void then.  In a
        tournament this one is lost, unless the run is to stop.
        """
        late: list[Player] = []
        absent: list[Player] = []
        for player in players:
            if player.delay:
                evidence = FaultEvidence(delay=player.delay, bears_delays=player.bot.id == self._bears_delays)
                verdict = attribute(SeatFault(player.failure_kind, player.failure), evidence)
                player.failure = verdict.reason
                if not verdict.charged:
                    late.append(player)
            elif player.absent and (
                not self._rules.settings.tournament or player.failure_kind != "transport"
            ):
                absent.append(player)
        if late and not absent:
            self._void(waiting.popleft(), players, late, late[0].failure)
        elif absent:
            # those whose time is over go before those that were not awaited any longer
            first = next((player for player in absent if player.failure_kind == "transport"), absent[0])
            by = tuple(player.bot.id for player in absent if player.failure_kind == first.failure_kind)
            void = Void(waiting[0], first.failure, stood=first.failure_kind != "transport", absent=by)
            self.voids += [void._replace(scheduled=scheduled) for scheduled in waiting]
            waiting.clear()
        return bool(late or absent)

    def _void(
        self, scheduled: ScheduledMatch, players: Sequence[Player], late: Sequence[Player], reason: str
    ) -> None:
        """Note that the delays of *late*, some of the *players*, have made *scheduled* void."""
        in_time = not any(player.overran for player in players if player not in late)
        by = frozenset(player.bot.id for player in late)
        reason = f"{late[0].bot.id}: {reason}"
        self.voids.append(Void(scheduled, reason, by, in_time, bool(self._clocks.waits)))

    def judge(
        self, player: Player, fault: SeatFault, now: int, asked: OpenRequest | None = None, delay: str = ""
    ) -> bool:
        """Attribute *fault* of *player*, and carry out the verdict; return whether the process plays on.

        *asked* is the request that the fault concerns, if it concerns one; *delay* is how the machine has
        delayed its answer too much.
        """
        if player.masks:
            # in full, before anything of it is cut
            reason = player.masks.hide_reason(fault.reason, fault.answer)
            fault = fault._replace(reason=reason, answer=player.masks.hide_bytes(fault.answer))
        in_progress = self._matches.in_progress
        match = asked.match if asked else in_progress[0] if in_progress else self._matches.last
        if match is None:  # the first one, which was taken off the table for another's fault
            self._end(player)
            return False
        seat = next(seat for seat in match.seats if seat.player is player)
        evidence = self._evidence(match, seat, asked, delay, now)
        if asked is None and not evidence.several_matches:  # store the open request with the fault
            asked = self._waiting_of(seat)
        verdict = attribute(fault, evidence)
        if verdict.outcome == "ask again":
            assert asked
            self._ask_again(asked, fault, verdict, now)
            return True
        if verdict.outcome == "ask later":
            assert asked
            self._ask_later(asked, fault, verdict, now)
            return True
        if verdict.outcome == "void":
            self._make_void(match, player, verdict.reason)
            return True
        if verdict.outcome == "stray" or verdict.outcome == "unclear":
            (self.strays if verdict.outcome == "stray" else self.troubled).append(player.bot)
            seat.stderr_from = 0  # its earlier log may tell why
        self._matches.keep(match, seat, fault, verdict, asked, now)
        self._end(player)
        self._spoil([other for other in in_progress if not (verdict.charged and other is match)])
        if verdict.charged:
            self._charge(match, seat, fault, asked)
        return False

    def _make_void(self, match: TableMatch, player: Player, reason: str) -> None:
        """Take *match* off the table: *player* was delayed for that *reason*, and not by its own doing."""
        self._take_off(match)
        self._matches.forget(match)
        self._void(match.scheduled, [seat.player for seat in match.seats], [player], reason)

    def _evidence(
        self, match: TableMatch, seat: TableSeat, asked: OpenRequest | None, delay: str, now: int
    ) -> FaultEvidence:
        player = seat.player
        return FaultEvidence(
            names_request=asked is not None,
            tries_left=self._rules.retries - asked.refused if asked else 0,
            outage=player.tell_outage(),
            may_fail=asked is not None and self._clocks.outage_left_ns(asked, now) > 0,
            several_matches=len(self._matches.in_progress) > 1 or player in self._withdrawn.values(),
            between_matches=match not in self._matches.in_progress,
            first_match=player.matches <= 1,
            has_answered=bool(seat.think_us),
            delay=delay,
            bears_delays=player.bot.id == self._bears_delays,
        )

    def _charge(
        self, match: TableMatch, seat: TableSeat, fault: SeatFault, asked: OpenRequest | None
    ) -> None:
        seat.breach = fault
        match.faulted = True
        if seat in match.to_ask:
            match.to_ask.remove(seat)
        if asked:
            self._clocks.drop(asked)
            match.unheard -= 1
        self._decisions.advance(match)

    def end_all(self, player: Player, by_client: bool, now: int) -> None:
        """End all matches of *player*, out of reach: lost *by_client*, or void by the server's end."""
        self._end(player)
        fault = SeatFault("transport", LOST)
        for match in list(self._matches.in_progress):
            if not by_client:
                self._make_void(match, player, NO_SERVER)
                continue
            seat = next(seat for seat in match.seats if seat.player is player)
            if player.matches > 1 and not seat.think_us:  # it may have been lost before this match
                self._spoil([match])
                continue
            asked = self._waiting_of(seat)
            self._matches.keep(match, seat, fault, FaultVerdict("loses", fault.reason), asked, now)
            self._charge(match, seat, fault, asked)

    def _waiting_of(self, seat: TableSeat) -> OpenRequest | None:
        waiting = (*self._clocks.open.values(), *self._clocks.paused)
        return next((asked for asked in waiting if asked.seat is seat), None)

    def _spoil(self, matches: list[TableMatch]) -> None:
        """Take *matches* off the table, to be replayed."""
        for match in matches:
            self._take_off(match)
            self.spoiled.append(match.scheduled)

    def _take_off(self, match: TableMatch) -> None:
        self._matches.take_back(match)
        for key, asked in list(self._clocks.open.items()):
            if asked.match is match:
                self._withdrawn[key] = asked.seat.player
                self._clocks.drop(asked)
        self._clocks.paused = [asked for asked in self._clocks.paused if asked.match is not match]

    def _end(self, player: Player) -> None:
        self._channels.unwatch(player)
        self._withdrawn = {key: other for key, other in self._withdrawn.items() if other is not player}
        player.kill()

    def _ask_again(self, before: OpenRequest, fault: SeatFault, verdict: FaultVerdict, now: int) -> None:
        """Ask again after an illegal move, on the same running clock."""
        seat = before.seat
        self._clocks.drop(before)
        if seat.forgiven < FORGIVEN_KEPT:
            seat.forgiven += 1
            self._matches.keep(before.match, seat, fault, verdict, before, now)
        asked = self._request_again(before, Retry(fault.reason, self._rules.retries - before.refused - 1))
        asked.refused += 1
        asked.sent_ns, asked.deadline_ns = before.sent_ns, before.deadline_ns
        asked.limit_ns, asked.frozen_ns = before.limit_ns, before.frozen_ns
        asked.cpu_us, asked.use, asked.waited_us = before.cpu_us, before.use, before.waited_us
        asked.uncounted = before.uncounted

    def _request_again(self, before: OpenRequest, why: Retry | Again) -> OpenRequest:
        """Request the decision of *before* once more, under another id."""
        match, seat, again = before.match, before.seat, before.again + 1
        ids = self._rules.keys.decisions(match.scheduled.match, seat.index, match.step >> 3, again)
        asked = self._decisions.request(match, seat, ids[match.step & 7], why)
        asked.again, asked.refused, asked.failed = again, before.refused, before.failed
        asked.first_ns, asked.why = before.first_ns, before.why
        return asked

    def _ask_later(self, before: OpenRequest, fault: SeatFault, verdict: FaultVerdict, now: int) -> None:
        """Ask again after a pause, which is longer after each failure; the clock stands still meanwhile."""
        if before.seat.reported < FORGIVEN_KEPT:
            before.seat.reported += 1
            self._matches.keep(before.match, before.seat, fault, verdict, before, now)
        pause = min(pause_ns(before.failed, fault.after_ms), self._clocks.outage_left_ns(before, now))
        before.failed, before.why = before.failed + 1, fault.reason
        self._clocks.put_off(before, now + pause)
