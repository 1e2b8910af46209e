"""A bot process that is told a stored match, one request after another, and what it answers now."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec

from engines.game import Choice, IllegalMove, InvalidMove, Move
from ladder.errors import TooBusy
from ladder.home.home import Home, confinement_of
from ladder.process.link import SYSTEM_CLOCK, BotLink, Clock
from ladder.referee.attribution import MOST_TIMES, ClockSpell, judge_clock
from ladder.referee.clocks import Standstill
from ladder.referee.handshake import await_ready, ending
from ladder.referee.limits import LOOK_NS, breach
from ladder.referee.match import Fault
from ladder.referee.player import Player
from ladder.registry.version import Version
from ladder.replay.conversation import Conversation, Request, hello_limits, hello_line
from ladder.worker.goodbyes import Goodbyes
from ladder.worker.hidden import masks_for
from ladder.worker.practice import practice_setup
from ladder.worker.starter import Starter, within_threads
from protocol.answers import Malformed, read_answer
from protocol.faults import FaultKind
from protocol.lines import LineTooLong
from protocol.messages import GRACE_MS, Limits, Ready
from results.record import Run

__all__ = ["LAST_WORDS", "AskedBot", "Reply", "start_bot"]

MS: Final = 1_000_000
"""Nanoseconds in a millisecond."""
FREE: Final = {"start_ms": 86_400_000, "memory_mb": 1 << 20, "processes": 1 << 16, "stderr_bytes": 1 << 30}
"""The limits of a bot in a debugger: no home can give it more."""
LAST_WORDS: Final = 0.3
"""How long a bot may write or fail after a line that asks for nothing, in seconds."""


class Reply(NamedTuple):
    """What a bot did with a line: it moved, failed, or, if nothing was asked, did nothing."""

    move: Move | None
    note: str
    elapsed_us: int
    fault: Fault | None
    stderr: str
    """What it logged meanwhile."""

    @property
    def options(self) -> tuple[str, ...] | None:
        """The options that it chose; None if it failed."""
        return (self.move,) if isinstance(self.move, str) else self.move


class AskedBot:
    """A bot process outside of every match, under the limits of a run; a free one has no clock."""

    def __init__(
        self, player: Player, limits: Limits, hello: bytes, *, free: bool, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        """Talk to the process of *player*, which has read *hello* unless it is *free*, without a time limit.

        *clock* is that of its link.
        """
        self._player = player
        self._clock = clock
        self._limits = limits
        self._hello = hello
        self._free = free
        self._turn_ns = 0
        """The duration of all its turns."""

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
        if self._free and player.process:
            player.process.send(self._hello)
        await_ready([player], self._limits, clock=self._clock)
        if player.ready:
            return player.ready
        if player.delay:
            raise TooBusy(f"{player.failure}; but {player.delay}", judged=self.bot.bot)
        stderr = player.process.stderr_text() if player.process else ""
        return Reply(
            None, "", player.start_ns // 1000, Fault(player.failure_kind, player.failure), stderr.rstrip()
        )

    def converse(self, conversation: Conversation) -> Iterator[tuple[Request, Reply]]:
        """Begin the match of *conversation*; yield each of its requests with the reply.

        It goes on with the moves that were played, whatever the bot answers, until the process is lost.
        """
        process = self._player.process
        assert process
        self._player.spent = None
        process.send(conversation.start)
        for request in conversation.requests:
            yield request, self.ask(request)
            if self.lost:
                return

    def end(self, conversation: Conversation, patience: float = 0.0) -> Reply:
        """End the match of *conversation*, and see for *patience* seconds whether the bot writes or ends."""
        return self._exchange(conversation.end, None, patience)

    def ask(self, request: Request) -> Reply:
        """Send *request*, and wait for the answer as long as the clock of the match allows.

        Raises TooBusy if the machine delays it too much.
        """
        assert self._player.ready
        clock, seconds = request.clock, None
        if not self._free:
            limit_ms = clock.move_ms + clock.bank_ms
            if clock.match_ms is not None:
                limit_ms = min(limit_ms, clock.match_ms)
            seconds = (limit_ms + GRACE_MS) / 1000
        return self._exchange(request.line(self._player.ready), request, seconds)

    def _exchange(self, line: bytes, request: Request | None, seconds: float | None) -> Reply:
        """Send *line*; return the answer to *request*, or what comes within *seconds* if there is none."""
        process = self._player.process
        assert process
        since = process.stderr.begin()
        process.send(line)
        waiting = _Waiting(self._player, process, seconds, self._clock)
        move, note = None, ""
        try:
            fault = None
            lines = self._await_line(waiting)
            if request:
                move, note = _read(lines, request.choice, request.id)
            elif lines:
                fault = Fault("protocol", "expected nothing on stdout, because nothing was asked", lines[0])
        except _Failed as failed:
            fault = failed.fault
            if request is None and fault.kind == "timeout":
                fault = None
        except TooBusy:
            if request:
                raise
            fault = None
        self._turn_ns += waiting.elapsed_ns
        masks = self._player.masks
        if fault:
            reason = masks.hide_reason(fault.reason, fault.answer)
            fault = Fault(fault.kind, reason, masks.hide_bytes(fault.answer))
        if fault and fault.kind != "illegal":
            self._player.kill()
        stderr = process.stderr_text(since=since).rstrip()
        return Reply(move, masks.hide(note), waiting.elapsed_ns // 1000, fault, stderr)

    def _await_line(self, waiting: _Waiting) -> list[bytes]:
        """Return the lines that come next.  Raises _Failed if none does, or if the bot uses too much."""
        for now in waiting:
            if waiting.lines:
                return waiting.lines
            use = self._player.look(self._turn_ns + waiting.elapsed_ns, 0)
            if use and not self._free:
                fault = breach(self._limits, self._player, use, self._turn_ns + now - waiting.began_ns)
                if fault:
                    raise _Failed(fault)
            size, limit = waiting.process.stderr.size, self._limits.stderr_bytes
            if size > limit and not self._free:
                raise _Failed(Fault("limit", f"more than {limit:,} bytes on stderr"))
        raise AssertionError("it waits until something happens")


class _Failed(Exception):
    """The bot did not answer as it should."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


class _Waiting:
    """Waits for a line of a process; yields the time (monotonic, in nanoseconds) now and then."""

    def __init__(self, player: Player, process: BotLink, seconds: float | None, clock: Clock) -> None:
        self.process = process
        self._player = player
        self._now = clock.now
        self._standstill = Standstill(clock)
        self.lines: list[bytes] = []
        self.elapsed_ns = 0
        self._limit_ns = None if seconds is None else round(seconds * 1000 * MS)
        self._poll = clock.poll()
        fds = [process.stdout_fd, process.exit_fd, process.stderr_fd if process.stderr_open else None]
        for fd in fds:
            if fd is not None:
                self._poll.register(fd, select.POLLIN)
        self._sending = process.unsent
        if self._sending:
            self._poll.register(process.stdin_fd, select.POLLOUT)
        self._begin(clock.now())

    def _begin(self, now: int) -> None:
        """Let the time of the bot begin *now*."""
        use, process = self._player.measure(), self.process
        self.began_ns = now
        self._judge_at = None if self._limit_ns is None else now + self._limit_ns
        self._cpu_us = use.cpu_us if use else 0
        self._waited_us, self._uncounted = process.waited_us(), process.uncounted
        self._frozen_ns = self._standstill.ns

    def __iter__(self) -> Iterator[int]:
        while True:
            patience_ms = self._patience_ms()
            wake_at = self._now() + int(patience_ms * MS)
            fds = {fd for fd, _ in self._poll.poll(patience_ms)}
            now = self._now()
            self._standstill.woke(now, wake_at)
            self._standstill.look()
            self.process.waited_us()  # a wait that has not ended is seen by two readings
            self._handle(fds, now)
            self.elapsed_ns = now - self.began_ns
            if not self.lines:
                self._check(fds)
            yield now

    def _patience_ms(self) -> float:
        look_ms = LOOK_NS / MS
        if self._judge_at is None:
            return look_ms
        return min(look_ms, max(0.0, (self._judge_at - self._now()) / MS + 1))

    def _spell(self) -> ClockSpell:
        """Return what the process did since the line was sent."""
        use, process = self._player.measure(), self.process
        return ClockSpell(
            self.elapsed_ns // 1000,
            process.waited_us() - self._waited_us,
            (self._standstill.ns - self._frozen_ns) // 1000,
            use.cpu_us - self._cpu_us if use else 0,
            self._player.cores,
            process.uncounted > self._uncounted,
        )

    def _handle(self, fds: set[int], now: int) -> None:
        process = self.process
        if process.stderr_fd in fds and process.stderr_open:
            process.drain_stderr()
            if not process.stderr_open:
                self._poll.unregister(process.stderr_fd)
        if self._sending and process.stdin_fd in fds and process.send_rest():
            self._poll.unregister(process.stdin_fd)
            self._sending = False
            self._begin(now)
        if process.stdout_fd in fds:
            try:
                self.lines = process.receive() or []
            except LineTooLong as error:
                if not error.before:
                    raise _Failed(Fault("protocol", str(error), process.unfinished_line)) from None
                self.lines = error.before

    def _check(self, fds: set[int]) -> None:
        """Raise _Failed if the process has ended or its time is over, TooBusy if the machine took it."""
        process = self.process
        if process.exit_fd in fds:
            status = process.exit_status(patience=0.05)
            raise _Failed(Fault("crash", f"the process ended ({ending(status)})"))
        if not process.stdout_open and process.stdout_fd in fds:
            self._poll.unregister(process.stdout_fd)  # its end follows, or the time runs out
        now = self.began_ns + self.elapsed_ns
        if self._limit_ns is not None and self._judge_at is not None and now >= self._judge_at:
            spell = self._spell()
            state = judge_clock(self._limit_ns // 1000, spell)
            if state == "runs":
                left_ns = max(MS, self._limit_ns - 1000 * spell.had_us)
                self._judge_at = min(now + left_ns, self.began_ns + MOST_TIMES * self._limit_ns)
                return
            allowed = self._limit_ns // MS - GRACE_MS
            if state == "too late":
                reason = f"no answer within {allowed:,} ms; but {spell.delay}"
                raise TooBusy(reason, judged=self._player.bot.bot)
            head = process.unfinished_line
            more = "; part of an answer had come, without its newline" if head else ""
            raise _Failed(Fault("timeout", f"no answer within {allowed:,} ms{more}", head))


def _read(lines: list[bytes], choice: Choice, id_: str) -> tuple[Move, str]:
    """Return the move and the note of the answer to the request *id_*.  Raises _Failed."""
    line = lines[0]
    try:
        answer = read_answer(line)
    except Malformed as error:
        raise _Failed(Fault("protocol", str(error), line)) from None
    if answer.id != id_:
        what = f"expected the id of the request, {id_!r}, got: {answer.id!r}"
        raise _Failed(Fault("protocol", what, line))
    try:
        move = choice.check(answer.move)
    except IllegalMove as error:
        kind: FaultKind = "protocol" if isinstance(error, InvalidMove) else "illegal"
        raise _Failed(Fault(kind, str(error), line)) from None
    if len(lines) > 1:
        raise _Failed(Fault("protocol", "expected one line in answer to a request, got a second", lines[1]))
    return move, answer.note


@contextmanager
def start_bot(home: Home, bot: Version, run: Run, *, free: bool = False) -> Iterator[AskedBot]:
    """Yield a new process of *bot* with the limits of *run*, confined as in a run; afterwards it has ended.

    One that is *free* is not confined, has the environment of this program, no clock, and waits for its
    hello until `greet`.
    """
    limits, settings, hello = hello_limits(run), run.settings, hello_line(bot, run)
    if settings.threads is None:
        settings = msgspec.structs.replace(settings, threads=home.most_threads())
    passed = allowed = home.passed(bot.manifest.env)
    if free:
        limits = msgspec.structs.replace(limits, **FREE)
        passed, home = dict(os.environ), home.with_tier("none")
    setup = practice_setup(
        (),
        (bot,),
        msgspec.structs.replace(settings, limits=msgspec.to_builtins(limits), freeze="off"),
        confinement_of(home),
        secret=bytes(16),
        passed={bot.id: passed},
    )
    setup = within_threads(setup)
    masks = masks_for([allowed], [bot], settings.contests)
    starter = Starter(setup, limits, setup.processes, masks)
    player = starter.start(setup.bots[0], b"" if free else hello)
    leaving = Goodbyes()
    try:
        yield AskedBot(player, limits, hello, free=free)
        if player.process and not player.lost:
            leaving.add(bot.id, player.process)
            leaving.wait()
    finally:
        player.kill()
