"""Send a line to one process outside of every match, and wait for what it writes.

The limits and the law of delays are those of a match; what a table does for many players is here for one.
"""

from typing import Final

from ladder.errors import TooBusy
from ladder.process.bot import BotProcess
from ladder.process.link import TimeSource
from ladder.referee.channels import Channels, Handlers
from ladder.referee.clocks import Standstill
from ladder.referee.handshake import ProcessDeadline, ending
from ladder.referee.limits import LOOK_NS, breach
from ladder.referee.match import SeatFault
from ladder.referee.player import Player
from ladder.referee.rules import MS
from protocol.lines import LineTooLong
from protocol.messages import GRACE_MS

FOREVER_NS: Final = 10**18
"""The time for an answer of a bot without a clock."""


class Failed(Exception):
    """The bot did not do what it should."""

    def __init__(self, fault: SeatFault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


class Exchange:
    """Lines that go out to one process, and what comes back."""

    def __init__(self, player: Player, clock: TimeSource, *, free: bool) -> None:
        """Hold *player* to its limits, unless it is *free*; *clock* is that of its link."""
        self._player = player
        self._clock = clock
        self._free = free
        self._channels = Channels(clock)
        self._handlers = Handlers(self._on_stdout, self._on_stderr, self._on_exit, self._on_writable)
        self._standstill = Standstill(clock)
        self._time = ProcessDeadline(player, FOREVER_NS, self._standstill)
        self._turn_ns = 0
        """The duration of all its turns."""
        self._lines: list[bytes] = []
        """What it has written in this turn."""

    @property
    def _process(self) -> BotProcess:
        assert self._player.process
        return self._player.process

    def send(self, line: bytes, seconds: float | None) -> list[bytes]:
        """Send *line*; return what the bot writes within *seconds*, at least one line.

        Raises Failed if it writes nothing, ends or uses too much, TooBusy if the machine takes its time.
        """
        self._lines = []
        self._channels.watch(self._player, self._handlers)
        self._channels.send(self._player, line)
        self._channels.flush()
        limit_ns = FOREVER_NS if seconds is None else round(seconds * 1000 * MS)
        self._time = ProcessDeadline(self._player, limit_ns, self._standstill)
        self._time.begin(self._clock.now())
        self._await_line()
        return self._lines

    def end(self) -> int:
        """End what `send` has begun, however it came out; return how long it took, in nanoseconds."""
        elapsed_ns = self._clock.now() - self._time.began_ns
        self._turn_ns += elapsed_ns
        self._channels.unwatch(self._player)
        return elapsed_ns

    def _await_line(self) -> None:
        process = self._process
        while not self._lines:
            wake_at = min(self._clock.now() + LOOK_NS, self._time.deadline_ns)
            ready = self._channels.wait(max(0, -(-(wake_at - self._clock.now()) // MS)))
            now = self._clock.now()
            self._standstill.woke(now, wake_at)
            self._standstill.look()
            process.waited_us()  # a wait that has not ended is seen by two readings
            self._channels.handle(ready, now)
            if not self._lines:
                self._judge_time(now)
                self._judge_use(now)

    def _judge_time(self, now: int) -> None:
        """Raise Failed if its time is over, TooBusy if the machine took it."""
        process = self._process
        if now < self._time.deadline_ns:
            return
        state, spell = self._time.judge(now)
        reason = f"no answer within {self._time.limit_ns // MS - GRACE_MS:,} ms"
        if state == "too late":
            raise TooBusy(f"{reason}; but {spell.delay}", judged=self._player.bot.bot)
        if state == "over":
            head = process.unfinished_line
            more = "; part of an answer had come, without its newline" if head else ""
            raise Failed(SeatFault("timeout", reason + more, head))

    def _judge_use(self, now: int) -> None:
        """Measure what the bot uses.  Raises Failed if it is too much."""
        turns_ns = self._turn_ns + now - self._time.began_ns
        use = self._player.look()
        if self._free or use is None:
            return
        if fault := breach(self._player, use, turns_ns):
            raise Failed(fault)

    # -- what comes from its process

    def _on_stdout(self, player: Player, now: int) -> None:
        process = self._process
        try:
            self._lines += process.receive() or []
        except LineTooLong as error:
            if not error.before:
                raise Failed(SeatFault("protocol", str(error), process.unfinished_line)) from None
            self._lines += error.before
        if not process.stdout_open:
            self._channels.forget(process.stdout_fd)  # its end follows, or the time runs out

    def _on_stderr(self, player: Player, now: int) -> None:
        process = self._process
        process.drain_stderr()
        if not process.stderr_open:
            self._channels.forget(process.stderr_fd)
        most = player.limits.stderr_bytes
        if process.stderr.size > most and not self._free:
            raise Failed(SeatFault("limit", f"more than {most:,} bytes on stderr"))

    def _on_exit(self, player: Player, now: int) -> None:
        process = self._process
        if process.stdout_open:  # what it wrote before it ended counts
            self._on_stdout(player, now)
        if not self._lines:
            status = process.exit_status(patience=0.05)
            raise Failed(SeatFault("crash", f"the process ended ({ending(status)})"))

    def _on_writable(self, player: Player, now: int) -> None:
        """Continue to send; the time begins with the last byte."""
        process = self._process
        if process.send_rest():
            self._channels.forget(process.stdin_fd)
            self._time.begin(now)
