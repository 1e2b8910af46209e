"""Write down every line to and from the bots, as text for people.

A worker that keeps no transcripts starts plain processes, and does not load this module.  Lines are
attributed to matches here, by the names and ids in them; the referee does not know of it.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ladder.contest.blocks import ScheduledMatch
from ladder.contest.keys import Keys
from ladder.process.bot import BotProcess, Program, Stderr
from ladder.process.masks import NO_MASKS, Masks
from ladder.process.tree import Tree
from ladder.referee.player import Player
from ladder.sandbox import Confined
from ladder.worker.worker_messages import TranscriptPlace
from protocol.lines import LineTooLong
from results.reports.values_as_text import escape

log = logging.getLogger(__name__)
TITLE = "# transcript of "
"""How each playing of a match begins: a match that is played again follows in the same file."""
LEGEND = "# seconds, seat, > to the bot or < from the bot or ! its stderr, the line"
MOST_BYTES = 16 << 20
"""The most bytes that are kept of a match: a bot may write megabytes to stderr."""
OPENING_BYTES = 1 << 16
"""The most bytes that are kept of what a process says before its first match."""
PENDING_BYTES = 1 << 16
PENDING_SECONDS = 1.0
"""Lines are written once they are as many, or as old."""


class Transcripts:
    """The transcripts that one worker writes."""

    def __init__(self, place: TranscriptPlace) -> None:
        self._place = place
        self.seats: dict[str, _SeatLog] = {}
        """The seats of the matches that may begin, by the names that their bots are told."""
        self._dirty: dict[_MatchLog, None] = {}
        """The matches with lines that are not written."""
        self._pending = 0
        self._written = time.monotonic()
        self._failed = False

    def starter(self, bot: str) -> Callable[[Confined, int], RecordedBot]:
        """Return what starts a process of *bot*, the id of a version, whose lines are written down."""
        ear = Ear(self, bot)
        return lambda confined, line_bytes: RecordedBot(Tree(confined), line_bytes, ear)

    def expect(self, matches: Iterable[ScheduledMatch], players: Sequence[Player], keys: Keys) -> None:
        """Prepare for *matches*, which *players* are about to play, in the order of their seats."""
        # names are drawn for each match, so those of matches that are over mean nothing any more
        self.seats.clear()
        first: _MatchLog | None = None
        for scheduled in matches:
            names = [keys.name(scheduled.match, seat) for seat in range(len(players))]
            match = self._match_log(scheduled, [player.bot.id for player in players], names)
            first = first or match
            for seat, name in enumerate(names):
                self.seats[name] = _SeatLog(match, seat)
        for seat, ear in _ears(players):
            if first:
                ear.expected = _SeatLog(first, seat)

    def settle(self, players: Sequence[Player]) -> None:
        """Write what is left once *players* have played: a process that was never ready has no match."""
        for _, ear in _ears(players):
            ear.settle()
        self.flush()

    def without_match(self, bot: str) -> _SeatLog | None:
        """Return where the lines of a process of *bot* go that plays no match; None: they are not kept."""
        if not self._place.one_file:
            return None
        return _SeatLog(_MatchLog(self._place.file_of(0), [f"{TITLE}a process of {bot} without a match"]), 0)

    def add(self, at: _SeatLog, mark: str, text: str, now: float | None) -> None:
        """Add a line to the log of a match; *now* is None for one from before the match."""
        if self._failed:
            return
        self._pending += at.match.add(at.seat, mark, text, now)
        self._dirty[at.match] = None
        if self._pending > PENDING_BYTES or time.monotonic() - self._written > PENDING_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write all lines to the disk.  If that fails, say so once, and keep no more: the run goes on."""
        dirty, self._dirty, self._pending = self._dirty, {}, 0
        try:
            for match in dirty:
                match.write()
        except OSError as error:
            self._failed = True
            log.warning("the transcripts end here, but the matches go on: %s", error)
        self._written = time.monotonic()

    def _match_log(self, scheduled: ScheduledMatch, bots: Sequence[str], names: Sequence[str]) -> _MatchLog:
        contest = scheduled.contest
        again = f", attempt {scheduled.attempt + 1}" if scheduled.attempt else ""
        what = f"match {scheduled.match}: {contest.game} for {contest.seats}{again}"
        seated = zip(bots, names, strict=True)
        seats = [f"# seat {seat}: {bot}, told {name}" for seat, (bot, name) in enumerate(seated)]
        return _MatchLog(self._place.file_of(scheduled.match), [TITLE + what, *seats, LEGEND])


class RecordedBot(BotProcess):
    """A bot process whose lines are written down."""

    def __init__(self, tree: Program, line_bytes: int, ear: Ear) -> None:
        """Talk to the running program of *tree*."""
        super().__init__(tree, line_bytes)
        self.ear = ear
        self.stderr = _RecordedStderr(ear)

    def send(self, data: bytes) -> bool:
        sent = super().send(data)  # first: the bot need not wait; *data* are whole lines
        self.ear.hear_referee(data)
        return sent

    def send_rest(self) -> bool:
        data, self._unsent = self._unsent, b""
        return not data or super().send(data)

    def receive(self) -> list[bytes] | None:
        try:
            lines = super().receive()
        except LineTooLong as error:
            self.ear.hear_bot(error.before)
            raise
        if lines:
            self.ear.hear_bot(lines)
        return lines

    def kill(self) -> None:
        super().kill()
        self.ear.end(self.unfinished_line)


class _RecordedStderr(Stderr):
    """The log of a process, which is written down as it comes."""

    def __init__(self, ear: Ear) -> None:
        super().__init__()
        self._ear = ear

    def hide(self, masks: Masks) -> None:
        """Hide the values of *masks* in all that is written down from now on."""
        super().hide(masks)
        self._ear.masks = masks

    def _keep(self, data: bytes, where: str) -> None:
        super()._keep(data, where)
        if data:
            self._ear.hear_log(data)


class Ear:
    """What is heard of one process: each line goes to the match that it belongs to.

    A line that belongs to no match goes to all that are in progress, or else to the last one.
    """

    def __init__(self, transcripts: Transcripts, bot: str) -> None:
        self.expected: _SeatLog | None = None
        """The first match of the process, if it is ready for one."""
        self.masks = NO_MASKS
        """What the lines must not show."""
        self._transcripts = transcripts
        self._bot = bot
        self._opening: list[tuple[str, str]] = []
        """What was said before the first match, with marks: it stands in the log of every match."""
        self._opening_bytes = 0
        self._open: dict[str, _SeatLog] = {}
        """The matches in progress, by name."""
        self._asked: dict[str, _SeatLog] = {}
        """The matches of the requests that wait for their answers, by id."""
        self._options: dict[str, frozenset[str]] = {}
        """Their options, where some values are hidden: a legal move is not."""
        self._last: _SeatLog | None = None
        """The match that began last."""
        self._log = b""
        """The beginning of a line on stderr."""
        self._ended = False

    def hear_referee(self, data: bytes) -> None:
        """Note the lines *data*, which the referee has sent."""
        for line in data.split(b"\n")[:-1]:
            head = _head(line)
            if head.type == "start" and (seat := self._transcripts.seats.get(head.match)):
                self._begin(head.match, seat)
            at = self._open.get(head.match)
            if at and head.type == "act":
                self._asked[head.id] = at
                if self.masks:
                    self._options = {id_: self._options[id_] for id_ in self._asked if id_ in self._options}
                    self._options[head.id] = frozenset(_decode_act(line).choice.options)
            # after the match is found, before it is left: `start` and `end` are lines of it as well
            self._write(">", line, at)
            if at and head.type == "end":
                del self._open[head.match]
                self._asked = {id_: asked for id_, asked in self._asked.items() if asked is not at}

    def hear_bot(self, lines: Iterable[bytes]) -> None:
        """Note *lines*, which the bot has written."""
        for line in lines:
            id_ = _head(line).id
            hidden = _hide(line, self.masks, self._options.pop(id_, frozenset())) if self.masks else line
            self._write("<", hidden, self._asked.pop(id_, None))

    def hear_log(self, data: bytes) -> None:
        """Note what the bot has written to stderr."""
        *lines, self._log = (self._log + data).split(b"\n")
        for line in lines:
            self._write("!", line)
        if len(self._log) > PENDING_BYTES:  # a line without end
            self._write("!", self._log)
            self._log = b""

    def end(self, unfinished: bytes) -> None:
        """Note that the process has ended; *unfinished* is a line without its newline."""
        if self._ended:
            return
        self._ended = True
        for mark, rest in (("!", self._log), ("<", self.masks.hide_bytes(unfinished))):
            if rest:
                self._write(mark, rest + b" [no newline]")
        self.settle()
        self._transcripts.flush()

    def settle(self) -> None:
        """Give what a process has said that began no match to the one that it was started for."""
        # a process with a match has put its opening there when the match began
        if self._last is None and self._opening:
            at = self.expected or (self._transcripts.without_match(self._bot) if self._ended else None)
            if at:
                self._add_opening(at)
                self._last = at

    def _begin(self, name: str, at: _SeatLog) -> None:
        self._open[name] = self._last = at
        at.match.begin()
        self._add_opening(at)

    def _add_opening(self, at: _SeatLog) -> None:
        for mark, text in self._opening:
            self._transcripts.add(at, mark, text, None)

    def _write(self, mark: str, line: bytes, at: _SeatLog | None = None) -> None:
        text, now = _printable(line), time.monotonic()
        if at is None and self._last is None:
            self._opening_bytes += len(text)
            if self._opening_bytes <= OPENING_BYTES:
                self._opening.append((mark, text))
            return
        # a line without a match, such as one on stderr, may belong to any that is in progress
        elsewhere = [*self._open.values()] or [seat for seat in [self._last] if seat]
        for seat in [at] if at else elsewhere:
            self._transcripts.add(seat, mark, text, now)


class _SeatLog(NamedTuple):
    match: _MatchLog
    seat: int


class _MatchLog:
    """The lines of one playing of a match that are not written yet."""

    def __init__(self, file: Path, heading: Sequence[str]) -> None:
        self._file = file
        self._lines = [f"{line}\n" for line in heading]
        self._began: float | None = None
        self._size = 0

    def begin(self) -> None:
        """Count seconds from now on, unless another seat has begun."""
        if self._began is None:
            self._began = time.monotonic()

    def add(self, seat: int, mark: str, text: str, now: float | None) -> int:
        """Add a line; return its length."""
        if self._size > MOST_BYTES:
            return 0
        since = None if now is None or self._began is None else now - self._began
        line = f"{'-' if since is None else format(since, '.3f'):>9} {seat} {mark} {text}\n"
        self._size += len(line)
        if self._size > MOST_BYTES:
            line += f"# the rest is left out: more than {MOST_BYTES >> 20} MB\n"
        self._lines.append(line)
        return len(line)

    def write(self) -> None:
        """Append the lines to the file.  Raises OSError."""
        lines, self._lines = self._lines, []
        with self._file.open("a", encoding="utf-8") as file:
            file.writelines(lines)


class _Head(msgspec.Struct):
    """What tells the match of a line."""

    type: str = ""
    id: str = ""
    match: str = ""


_decode_head = msgspec.json.Decoder(_Head).decode


def _head(line: bytes) -> _Head:
    try:
        return _decode_head(line)
    except (ValueError, RecursionError):  # a bot can write anything
        return _Head()


class _Choice(msgspec.Struct):
    options: list[str] = []


class _Act(msgspec.Struct):
    choice: _Choice = msgspec.field(default_factory=_Choice)


_decode_act = msgspec.json.Decoder(_Act).decode
MOVE = re.compile(rb'"move"\s*:\s*("(?:[^"\\]|\\.)*+"|\[[^\]]*+\])')
"""The move in an answer."""


def _hide(answer: bytes, masks: Masks, options: frozenset[str]) -> bytes:
    """Return *answer* without hidden values; its move stays as it is if it is one of *options* or some."""
    if (found := MOVE.search(answer)) is None:
        return masks.hide_bytes(answer)
    try:
        move = msgspec.json.decode(found[1], type=str | list[str])
    except (ValueError, RecursionError):  # a bot can write anything
        return masks.hide_bytes(answer)
    if not options.issuperset([move] if isinstance(move, str) else move):
        return masks.hide_bytes(answer)
    first, last = found.span(1)
    return masks.hide_bytes(answer[:first]) + answer[first:last] + masks.hide_bytes(answer[last:])


def _printable(line: bytes) -> str:
    """Return *line* as text that cannot command a terminal."""
    return escape(line.decode("utf-8", "backslashreplace"))


def _ears(players: Sequence[Player]) -> list[tuple[int, Ear]]:
    """Return the seats of *players* with what hears them."""
    return [
        (seat, player.process.ear)
        for seat, player in enumerate(players)
        if isinstance(player.process, RecordedBot)
    ]
