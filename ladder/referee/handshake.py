"""Wait for the `ready` of new bot processes, within the limit for starting."""

import select
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ladder.process.bot import BotProcess
from ladder.process.link import SYSTEM_CLOCK, Poll, TimeSource
from ladder.process.patience import MOST_TIMES, ClockSpell, State, judge_clock
from ladder.process.spawn import CannotStart
from ladder.referee.clocks import Standstill, pause_ns
from ladder.referee.limits import LOOK_NS, SLOW_NS, oversize
from ladder.referee.player import Player
from ladder.referee.rules import MS
from protocol.answers import Malformed, read_ready, read_ready_or_absent
from protocol.faults import ABSENT
from protocol.lines import LineTooLong
from protocol.messages import Absent


class ProcessDeadline:
    """A limit that runs for the process of one player: to begin, or to answer outside of a match.

    The law of delays is that of decisions.  Their clocks are in `clocks`, because a table has many of them,
    and few are ever looked at before the answer.
    """

    def __init__(self, player: Player, limit_ns: int, standstill: Standstill) -> None:
        """Run from the start of the process, which had used nothing and waited for no core."""
        self._player = player
        self.limit_ns = limit_ns
        self._standstill = standstill
        self._cpu_us = self._waited_us = self._frozen_ns = self._uncounted = 0
        self._run(player.started_ns)

    def begin(self, now: int) -> None:
        """Run from *now*: what the process has done so far does not count."""
        process = self._player.process
        assert process
        use = process.use()
        self._cpu_us = use.cpu_us if use else 0
        self._waited_us, self._uncounted = process.waited_us(), process.uncounted
        self._frozen_ns = self._standstill.ns
        self._run(now)

    def _run(self, began_ns: int) -> None:
        self.began_ns = began_ns
        self.deadline_ns = began_ns + self.limit_ns
        """When to judge; set later while the machine delays the process."""

    def spell(self, now: int) -> ClockSpell:
        """Return what the process did since its time began."""
        player, process = self._player, self._player.process
        assert process
        player.waited_us = process.waited_us()
        use = process.use()
        return ClockSpell(
            (now - self.began_ns) // 1000,
            player.waited_us - self._waited_us,
            (self._standstill.ns - self._frozen_ns) // 1000,
            max(0, use.cpu_us - self._cpu_us) if use else 0,
            player.cores,
            process.uncounted > self._uncounted,
        )

    def judge(self, now: int) -> tuple[State, ClockSpell]:
        """Judge the process, whose deadline has passed; if its time runs on, the next deadline is set."""
        spell = self.spell(now)
        state = judge_clock(self.limit_ns // 1000, spell)
        if state == "runs":
            left_ns = max(MS, self.limit_ns - 1000 * spell.had_us)
            self.deadline_ns = min(now + left_ns, self.began_ns + MOST_TIMES * self.limit_ns)
        return state, spell


def await_ready(
    players: Sequence[Player],
    look: Callable[[], None] = lambda: None,
    clock: TimeSource = SYSTEM_CLOCK,
    start_ms: Callable[[Player], int] = lambda player: player.limits.start_ms,
    hurries: Callable[[], bool] = lambda: False,
) -> None:
    """Wait until each of *players* that is new is ready or has failed; each has *start_ms* from its start.

    A player without a clock may take any time, one that the machine delays takes longer.  One that is absent
    is started again after pauses, for its `outage_s`, unless the run is to stop: *hurries*.  Afterwards each
    has its `ready`, or the reason in `failure` and no process.  The limits on resources apply already.
    *look* is called now and then, to watch other processes.
    """
    _await_answers(players, look, clock, start_ms)
    began, failed = clock.now(), 0
    while absent := [player for player in players if player.absent and not player.failure]:
        left_ns = min(player.outage_left_ns(clock.now() - began) for player in absent)
        after_ms = max(player.absent.after_ms for player in absent if player.absent)
        due_ns = clock.now() + min(pause_ns(failed, after_ms), left_ns)
        failed += 1
        for player in absent:
            player.outages.add(clock.now(), due_ns)
        poll = clock.poll()
        while (now := clock.now()) < due_ns and not hurries():
            poll.poll(min(due_ns - now, LOOK_NS) / 1_000_000)
            look()
            _look(players)
        for player in absent:
            # the time of one may be over while that of another goes on
            is_over = player.outage_left_ns(now - began) <= 0
            _start_again(player, is_over=is_over, hurries=now < due_ns)
        _await_answers(players, look, clock, start_ms)


def _start_again(player: Player, *, is_over: bool, hurries: bool) -> None:
    """Start *player* again, which was absent, unless its time for that is over or the run *hurries*."""
    assert player.absent
    reason = ABSENT + (f": {player.absent.why}" if player.absent.why else "")
    if is_over or hurries:
        why = player.tell_outage() if is_over else "and the run was to stop"
        return player.fail(f"{reason}, {why}", "transport" if is_over else "start")
    try:
        return player.start_again()
    except Exception as error:
        if not isinstance(error, CannotStart):  # what is not the machine's comes again in the next attempt
            player.delay = "it could not be started again"
        return player.fail(f"{error}")


def _await_answers(
    players: Sequence[Player], look: Callable[[], None], clock: TimeSource, start_ms: Callable[[Player], int]
) -> None:
    """Wait until each of *players* that is new is ready, absent or has failed."""
    new = [player for player in players if player.ready is None and player.process and not player.lost]
    starts = _Starts(new, start_ms, clock)
    poll = clock.poll()
    by_fd = {fd: player for player in new for fd in _watch(player, poll)}
    look_at = clock.now() + LOOK_NS
    while new:
        deadlines = [starts.deadline_ns(player) for player in new if player.has_clock]
        began = clock.now()
        # a millisecond more, so that the wake comes after the deadline and not just before it
        patience_ms = max(0.0, (min([look_at, *deadlines]) - began) / 1_000_000 + 1)
        fds = {fd for fd, _ in poll.poll(patience_ms)}
        now = clock.now()
        starts.woke(now, began + int(patience_ms * 1_000_000))
        # Once for each player, whichever of its descriptors are ready: the first hearing may end it.
        for player in {id(p): p for p in map(by_fd.get, fds) if p in new}.values():
            _hear(player, fds, now)
            if player.ready:
                starts.settle(player, now)
        now = clock.now()
        if now >= look_at:
            look_at = now + LOOK_NS
            look()
            _look(players)
            starts.look(new)
        for player in new:
            if _waiting(player) and player.has_clock and now >= starts.deadline_ns(player):
                starts.judge(player, now)
        for fd, player in list(by_fd.items()):
            if not _waiting(player) or _done_with(fd, player.process):
                poll.unregister(fd)
                del by_fd[fd]
        new = [player for player in new if _waiting(player)]


def _watch(player: Player, poll: Poll) -> list[int]:
    """Register with *poll* what *player* may do before it is ready; return the file descriptors."""
    process = player.process
    assert process
    fds = [fd for fd in (process.stdout_fd, process.stderr_fd, process.exit_fd) if fd is not None]
    for fd in fds:
        poll.register(fd, select.POLLIN)
    if process.unsent:  # of a hello with a long config
        poll.register(process.stdin_fd, select.POLLOUT)
        fds.append(process.stdin_fd)
    return fds


class _Starts:
    """The starts that are waited for."""

    def __init__(
        self, players: Sequence[Player], start_ms: Callable[[Player], int], clock: TimeSource
    ) -> None:
        self._start_ms = start_ms
        self._standstill = Standstill(clock)
        self._times = {
            player: ProcessDeadline(player, start_ms(player) * MS, self._standstill) for player in players
        }

    def deadline_ns(self, player: Player) -> int:
        """Return when to judge the start of *player*."""
        return self._times[player].deadline_ns

    def woke(self, now: int, wake_at: int) -> None:
        """Note a wake at *now*, if it was so much later than *wake_at* that the machine has stood still."""
        self._standstill.woke(now, wake_at)

    def look(self, players: Sequence[Player]) -> None:
        """Note how long *players* wait for a core."""
        self._standstill.look()
        for player in players:
            if player.process and not player.lost:
                player.waited_us = player.process.waited_us()

    def settle(self, player: Player, now: int) -> None:
        """Note how long *player*, which is ready, had the machine."""
        if now - player.started_ns > SLOW_NS:
            player.start_had_ns = 1000 * self._times[player].spell(now).had_us

    def judge(self, player: Player, now: int) -> None:
        """Judge the start of *player*, whose deadline has passed; if its clock runs on, set the next one."""
        state, spell = self._times[player].judge(now)
        if state != "over":
            player.overran = player.started_late = True
        if state == "runs":
            return
        reason = f"no ready within {self._start_ms(player)} ms of its start"
        if state == "too late":
            player.delay = spell.delay
        elif spell.was_slow:
            reason += f"; it had the machine for {spell.had_us // 1000} of {spell.elapsed_us // 1000} ms"
        player.fail(reason)


def _look(players: Sequence[Player]) -> None:
    """End the processes that use too much, also those that are ready and wait for the others."""
    for player in players:
        if player.process and not player.lost:
            use = player.measure()  # CPU time is not limited during the start
            if use and (fault := oversize(player, use)):
                if player.ready:
                    player.fail(f"while others started: {fault.reason}", fault.kind)
                else:
                    player.fail(f"before it was ready: {fault.reason}")


def _waiting(player: Player) -> bool:
    return player.ready is None and not player.lost


def _done_with(fd: int, process: BotProcess | None) -> bool:
    if process is None:
        return True
    closed = fd == process.stderr_fd and not process.stderr_open
    return closed or (fd == process.stdin_fd and not process.unsent)


def _hear(player: Player, fds: set[int], now: int) -> None:
    process = player.process
    assert process
    if process.stderr_fd in fds:
        process.drain_stderr()
        most = player.limits.stderr_bytes
        if process.stderr.size > most:
            return player.fail(f"before it was ready: more than {most:,} bytes on stderr")
    if process.stdin_fd in fds:
        process.send_rest()
    try:
        lines = process.receive() or []
    except LineTooLong as error:
        return player.fail(str(error))
    if lines:
        try:
            ready = (read_ready if player.outage_s is None else read_ready_or_absent)(lines[0])
        except Malformed as error:
            return _refuse(player, str(error), lines[0])
        if len(lines) > 1:
            return _refuse(player, f"expected one line in answer to hello, got {len(lines)}", lines[1])
        if isinstance(ready, Absent):
            player.absent = replace(ready, why=player.masks.hide(ready.why))
            return player.kill()
        player.ready = ready
        player.start_ns = player.start_had_ns = now - player.started_ns
    elif process.exit_fd in fds or not process.stdout_open:
        if process.exit_status(patience=0.05) is not None:
            player.fail(f"the process ended before it was ready ({ending(process.known_status())})")
        elif not process.stdout_open:
            player.fail("the process closed its stdout before it was ready")
    return None


def _refuse(player: Player, reason: str, line: bytes) -> None:
    """Fail *player* for a *line* that is not what was expected."""
    masks = player.masks
    player.fail(masks.hide_reason(f"{reason}: {_quote(masks.hide_bytes(line))}", line))


def ending(status: int | None) -> str:
    """Return how a process ended, in words."""
    if status is None:
        return "its exit status is unknown"
    return f"exit status {status}" if status >= 0 else f"killed by signal {-status}"


def _quote(line: bytes) -> str:
    return repr(line[:80].decode("utf-8", "backslashreplace"))
