"""A bot process that is told a stored match, one request after another, and what it answers now."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec

from engines.game import IllegalMove, InvalidMove, Move
from ladder.errors import TooBusy
from ladder.home.home import Home, confinement_of
from ladder.process.bot import BotProcess
from ladder.process.link import SYSTEM_CLOCK, TimeSource
from ladder.referee.channels import Channels, Handlers
from ladder.referee.clocks import Standstill
from ladder.referee.decisions import fault_of
from ladder.referee.handshake import ProcessDeadline, await_ready, ending
from ladder.referee.limits import LOOK_NS, breach
from ladder.referee.match import SeatFault
from ladder.referee.player import Player
from ladder.referee.rules import MS
from ladder.registry.version import Version
from ladder.replay.conversation import Conversation, Request, hello_line
from ladder.worker.goodbyes import Goodbyes
from ladder.worker.hidden import masks_for
from ladder.worker.practice import practice_setup
from ladder.worker.starter import Starter, within_threads
from protocol.answers import Malformed, read_answer, read_answer_or_failure
from protocol.faults import SECOND_TRY, FaultKind
from protocol.lines import LineTooLong
from protocol.messages import GRACE_MS, Failure, Ready
from results.record import Run

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
        """Send *line*; return what comes within *seconds*, a line at least.  Raises Failed or TooBusy."""
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
            process.exit_status(patience=0.05)
            raise Failed(SeatFault("crash", f"the process ended ({ending(process.known_status())})"))

    def _on_writable(self, player: Player, now: int) -> None:
        """Continue to send; the time begins with the last byte."""
        process = self._process
        if process.send_rest():
            self._channels.forget(process.stdin_fd)
            self._time.begin(now)


FREE: Final = {"start_ms": 86_400_000, "memory_mb": 1 << 20, "processes": 1 << 16, "stderr_bytes": 1 << 30}
"""The limits of a bot in a debugger: no home can give it more."""
LAST_WORDS: Final = 0.3
"""How long a bot may write or fail after a line that asks for nothing, in seconds."""


class Reply(NamedTuple):
    """What a bot did with a line: it moved, failed, or, if nothing was asked, did nothing."""

    move: Move | None
    note: str
    elapsed_us: int
    fault: SeatFault | None
    stderr: str
    """What it logged meanwhile."""

    @property
    def options(self) -> tuple[str, ...] | None:
        """The options that it chose; None if it failed."""
        return (self.move,) if isinstance(self.move, str) else self.move


class AskedBot:
    """A bot process outside of every match, under the limits of a run; a free one has no clock."""

    def __init__(self, player: Player, hello: bytes, *, free: bool, clock: TimeSource = SYSTEM_CLOCK) -> None:
        """Talk to *player*, which has read *hello* unless *free*, without a limit; *clock*: of its link."""
        self._player = player
        self._clock = clock
        self._hello = hello
        self._free = free
        self._exchange = Exchange(player, clock, free=free)

    @property
    def bot(self) -> Version:
        """The version that is asked."""
        return self._player.bot

    @property
    def pid(self) -> int | None:
        """The id of its process; None if it could not be executed."""
        return self._player.process.pid if self._player.process else None

    @property
    def lost(self) -> bool:
        """Whether its process has ended."""
        return self._player.lost

    def greet(self) -> Ready | Reply:
        """Return its `ready`, or how it failed to start.  Raises TooBusy if the machine delays it."""
        player = self._player
        # a free bot has not had its hello: its author attaches a debugger first
        if self._free and player.process:
            player.process.send(self._hello)
        await_ready([player], clock=self._clock)
        if player.ready:
            return player.ready
        if player.absent:
            raise TooBusy(player.failure, judged=self.bot.bot)
        if player.delay:
            raise TooBusy(f"{player.failure}; but {player.delay}", judged=self.bot.bot)
        stderr = player.process.stderr_text() if player.process else ""
        return Reply(
            None, "", player.start_ns // 1000, SeatFault(player.failure_kind, player.failure), stderr.rstrip()
        )

    def converse(self, conversation: Conversation) -> Iterator[tuple[Request, Reply]]:
        """Begin a match; yield requests with replies.  It goes on as it was played, until the bot is lost."""
        process, ready = self._player.process, self._player.ready
        assert process
        assert ready
        self._player.spent = None
        process.send(conversation.start(ready))
        for request in conversation.requests:
            yield request, self.ask(request)
            if self.lost:
                return

    def end(self, conversation: Conversation, patience: float = 0.0) -> Reply:
        """End the match of *conversation*, and see for *patience* seconds whether the bot writes or ends."""
        return self._ask(conversation.end, None, patience)

    def ask(self, request: Request) -> Reply:
        """Send *request*, wait within the clock.  Raises TooBusy if the machine or its service delays it."""
        assert self._player.ready
        clock, seconds = request.clock, None
        if not self._free:
            limit_ms = clock.move_ms + clock.bank_ms
            if clock.match_ms is not None:
                limit_ms = min(limit_ms, clock.match_ms)
            seconds = (limit_ms + GRACE_MS) / 1000
        return self._ask(request.line(self._player.ready), request, seconds)

    def _ask(self, line: bytes, request: Request | None, seconds: float | None) -> Reply:
        """Send *line*; return the answer to *request*, or what comes within *seconds* if there is none."""
        player, process = self._player, self._player.process
        assert process
        since = process.stderr.begin()
        move, note, fault = None, "", None
        try:
            lines = self._exchange.send(line, seconds)
            if request:
                move, note = _read(lines, request, reports=player.outage_s is not None)
            else:
                fault = SeatFault(
                    "protocol", "expected nothing on stdout, because nothing was asked", lines[0]
                )
        except Failed as failed:
            # after a line that asks nothing, silence until the time is over is what is right
            fault = failed.fault if request or failed.fault.kind != "timeout" else None
        except TooBusy:
            if request:
                raise
        elapsed_us = self._exchange.end() // 1000
        if fault:
            reason = player.masks.hide_reason(fault.reason, fault.answer)
            fault = SeatFault(fault.kind, reason, player.masks.hide_bytes(fault.answer))
        # after an illegal move a match goes on with another request; after all else the process is lost
        if fault and fault.kind not in SECOND_TRY:
            player.kill()
        if fault and fault.kind == "transport":
            raise TooBusy(fault.reason, judged=self.bot.bot)
        stderr = process.stderr_text(since=since).rstrip()
        return Reply(move, player.masks.hide(note), elapsed_us, fault, stderr)


def _read(lines: list[bytes], request: Request, *, reports: bool) -> tuple[Move, str]:
    """Return move and note of the answer to *request*; a bot that *reports* may fail.  Raises Failed."""
    line = lines[0]
    try:
        answer = (read_answer_or_failure if reports else read_answer)(line)
    except Malformed as error:
        raise Failed(SeatFault("protocol", str(error), line)) from None
    if answer.id != request.id:
        what = f"expected the id of the request, {request.id!r}, got: {answer.id!r}"
        raise Failed(SeatFault("protocol", what, line))
    if isinstance(answer, Failure):
        raise Failed(fault_of(answer, line))
    try:
        move = request.choice.check(answer.move)
    except IllegalMove as error:
        kind: FaultKind = "protocol" if isinstance(error, InvalidMove) else "illegal"
        raise Failed(SeatFault(kind, str(error), line)) from None
    if len(lines) > 1:
        raise Failed(
            SeatFault("protocol", "expected one line in answer to a request, got a second", lines[1])
        )
    return move, answer.note


@contextmanager
def start_bot(home: Home, bot: Version, run: Run, *, free: bool = False) -> Iterator[AskedBot]:
    """Yield a new process of *bot* with the limits of *run*, confined as in a run; afterwards it has ended.

    One that is *free* is not confined, has the environment of this program, no clock, and waits for its
    hello until `greet`.
    """
    settings, hello = run.settings, hello_line(bot, run)
    if settings.threads is None:
        settings = msgspec.structs.replace(settings, threads=home.most_threads())
    passed = allowed = home.variables_for(bot.manifest.env)
    if free:
        settings = msgspec.structs.replace(settings, limits=settings.limits | FREE, apart=None)
        passed, home = dict(os.environ), home.with_tier("none")
    setup = practice_setup(
        (),
        (bot,),
        # nothing decides beside it, so there is nobody to protect from its pondering
        msgspec.structs.replace(settings, freeze="off"),
        confinement_of(home),
        secret=bytes(16),
        passed={bot.id: passed},
    )
    setup = within_threads(setup)
    masks = masks_for([allowed], [bot], settings.contests)
    starter = Starter(setup, setup.processes, masks)
    player = starter.start(setup.bots[0], b"" if free else hello)
    leaving = Goodbyes()
    try:
        yield AskedBot(player, hello, free=free)
        if player.process and not player.lost:
            leaving.add(bot.id, player.process)
            leaving.wait()
    finally:
        player.kill()
